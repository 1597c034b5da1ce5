"""Measure how exact and how fast things are, and print it: `make bench`.

    .venv/bin/python -m benchmarks

Nothing here passes or fails. Ratios within one run mean more than times, for these depend on the
machine and on what else it does.
"""

from benchmarks import accuracy, sinusoidal, slider


def main() -> None:
    print("Largest errors of the rotary encoding")
    accuracy.main()
    print("\nFrom slider to picture: the heat map of 64 positions x 128 features")
    slider.main()
    print("\nMaking the sinusoidal table (median times)")
    sinusoidal.main()


if __name__ == "__main__":
    main()
