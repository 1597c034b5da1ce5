"""Argument checks that the scalings share."""

from pe_lib._checks import check_count, check_finite


def check_factor(factor: float) -> None:
    """Raise unless ``factor`` is a finite number of at least 1 (texts become longer)."""
    check_finite(factor, "factor", "a finite number >= 1")
    if factor < 1:
        raise ValueError(f"factor: expected a finite number >= 1, got {factor}")


def check_seq_len(seq_len: int | None) -> None:
    """Raise unless ``seq_len`` is None or an int of at least 1."""
    if seq_len is not None:
        check_count(seq_len, "seq_len")
