"""How fast queries and keys are rotated, as a table, a picture, and the record of the course."""

from importlib.metadata import version
from pathlib import Path

from benchmarks.rotary import CASES, DIM, HEADS, SEQ
from benchmarks.rounds import busy_neighbours, ratios
from pe_lib.experiments.machine import machine
from pe_lib.experiments.rotary_speed.record import Speed, write
from pe_lib.plots import speeds_beside_copying

OURS = ("pe_lib", "slices")
ROUNDS = 25
NEIGHBOURS = 2
PICTURE = Path("_build/rotary-speed.png")


def measured(device: str) -> list[Speed]:
    quiet, busy = (
        {
            name: [case for case in own if case.startswith("busy") == wanted]
            for name, own in CASES.items()
        }
        for wanted in (False, True)
    )
    found = ratios("benchmarks.rotary", quiet, device, rounds=ROUNDS)
    with busy_neighbours(NEIGHBOURS):
        found |= ratios("benchmarks.rotary", busy, device, rounds=ROUNDS)
    speeds = []
    for (library, case), ratio in found.items():
        kind, dtype, layout = case.split()
        times = (1000 * ratio.seconds, ratio.median, ratio.low, ratio.high)
        milliseconds, *rounded = (float(f"{number:.3g}") for number in times)
        speeds.append(Speed(kind, dtype, layout, library, milliseconds, *rounded))
    return sorted(speeds, key=lambda s: (s.kind, s.dtype, s.layout, s.ratio))


def main(device: str, *, record: bool) -> None:
    speeds = measured(device)
    where = f"{HEADS} heads of {DIM} features at {SEQ} positions; a step is one token"
    print(f"  {where}; {ROUNDS} rounds, the quarters below and above")
    print(f"  busy: beside {NEIGHBOURS} processes that never rest")
    for speed in speeds:
        case = f"{speed.kind:9} {speed.dtype:9} {speed.layout:12} {speed.library:23}"
        spread = f"{speed.ratio:6.2f} ({speed.low:.2f} to {speed.high:.2f})"
        print(f"  {case} {speed.milliseconds:9.3f} ms {spread}")
    PICTURE.parent.mkdir(exist_ok=True)
    speeds_beside_copying(speeds).savefig(PICTURE)
    print(f"  drawn in {PICTURE}")
    if record:
        others = {name: version(name) for name in CASES if name not in OURS}
        shape = {
            "heads": HEADS,
            "features": DIM,
            "positions": SEQ,
            "rounds": ROUNDS,
            "neighbours": NEIGHBOURS,
        }
        write(
            speeds,
            {"command": "python -m benchmarks --record", **shape, **machine(device), **others},
        )
        print("  recorded in pe_lib/experiments/rotary_speed")
