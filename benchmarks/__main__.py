"""Measure how exact and how fast things are, and print it: `make bench`.

    .venv/bin/python -m benchmarks [--device cuda] [--record]

Nothing here passes or fails. Ratios within one run mean more than times, for these depend on the
machine and on what else it does: leave it alone meanwhile, for about ten minutes.
"""

import argparse

from benchmarks import accuracy, alibi, imports, rotary_speed, sinusoidal, slider


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="accuracy and speed")
    parser.add_argument("--device", default="cpu", help="where rotations are timed: cpu, cuda")
    parser.add_argument("--record", action="store_true", help="keep the rotations' times")
    arguments = parser.parse_args()
    print("Largest errors of the rotary encoding")
    accuracy.main()
    print("\nRotating queries and keys, beside copying them")
    rotary_speed.main(arguments.device, record=arguments.record)
    print("\nMaking the sinusoidal table (median times)")
    sinusoidal.main()
    print(f"\nThe bias of ALiBi, {alibi.HEADS} heads, {alibi.LENGTH} positions (median times)")
    alibi.main()
    print("\nImporting (median times)")
    imports.main()
    print("\nFrom slider to picture: the heat map of 64 positions x 128 features")
    slider.main()


if __name__ == "__main__":
    main()
