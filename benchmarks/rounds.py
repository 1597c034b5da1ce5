"""Time libraries against each other: each in a process of its own, round by round in turn.

What one library leaves behind changes even how long `clone()` takes in the same process, so they do
not share one; and a machine is faster in one minute than in the next, so that every round asks each
of them once. Beside each time stands that of what it is compared with, measured just after in the
same process, and the ratio of the two is what is told.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

# By itself glibc hands out freed memory again up to a size that depends on what was freed before.
# Fixed, every large tensor is new memory, in each of the processes.
SETTINGS = {"MALLOC_MMAP_THRESHOLD_": str(2**23), "MALLOC_TRIM_THRESHOLD_": str(2**26)}


@dataclass(frozen=True)
class Ratio:
    """The median over the rounds, with the quarter of them below and the quarter above it."""

    seconds: float
    median: float
    low: float
    high: float


class Runner:
    """A process that times one library: asked for a case, it answers with two times."""

    def __init__(self, module: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | SETTINGS,
        )

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *error: object) -> None:
        with self.process:  # closes what leads to it, and waits
            self.process.terminate()

    def ask(self, case: str) -> list[float]:
        """Seconds of the case, and of what it is compared with."""
        assert self.process.stdin is not None and self.process.stdout is not None
        print(case, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.process.args}: ended over the case {case}")
        return json.loads(answer)


@contextmanager
def busy_neighbours(count: int) -> Iterator[None]:
    """Processes that never rest, as long as this lasts."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def serve(times: Callable[[str], list[float]]) -> None:
    """Answer what ``Runner`` asks on standard input, with ``times(case)``."""
    for line in sys.stdin:
        print(json.dumps(times(line.strip())), flush=True)


def ratios(
    module: str, cases: dict[str, Iterable[str]], *arguments: str, rounds: int
) -> dict[tuple[str, str], Ratio]:
    """The ratio of every case of every library: ``cases[library]`` are its own."""
    with ExitStack() as stack:
        runners = {
            library: stack.enter_context(Runner(module, library, *arguments)) for library in cases
        }
        asked = [(library, case) for library in cases for case in cases[library]]
        asked.sort(key=lambda pair: pair[1])  # the same case by each library, one after the other
        for library, case in asked:
            runners[library].ask(case)  # to warm up
        found: dict[tuple[str, str], list[list[float]]] = {pair: [] for pair in asked}
        for _ in range(rounds):
            for library, case in asked:
                found[library, case].append(runners[library].ask(case))
    return {pair: _ratio(times) for pair, times in found.items()}


def _ratio(times: list[list[float]]) -> Ratio:
    quotients = [own / other for own, other in times]
    low, median, high = statistics.quantiles(quotients, n=4, method="inclusive")
    return Ratio(statistics.median(own for own, _ in times), median, low, high)
