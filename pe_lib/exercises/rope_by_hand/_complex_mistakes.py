"""Mistakes in a score that is computed with complex numbers."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Mistake
from pe_lib.exercises.rope_by_hand._common import COMPLEX, right_angles


def barred(x: Tensor) -> Tensor:
    """The complex conjugates: the second half with a minus."""
    a, b = x.chunk(2)
    return torch.cat((a, -b))


def _product(q: Tensor, k: Tensor, offset: float) -> Tensor:
    """The sum over the pairs of q times k, turned by the offset's angles."""
    numbers = torch.complex(*q.chunk(2)) * torch.complex(*k.chunk(2))
    return (numbers * torch.exp(1j * right_angles(offset, len(q)))).sum()


COMPLEX_MISTAKES = (
    Mistake(
        "no bar, positions added",
        lambda q, k, m, n: _product(q, k, m + n).real,
        "you multiply the two turned vectors as plain complex numbers: their angles add up. "
        "One of the two needs a bar before they are multiplied.",
        COMPLEX,
    ),
    Mistake(
        "no bar, query's position first",
        lambda q, k, m, n: _product(q, k, m - n).real,
        "you take the real part of a plain product, and that is no dot product: one of the two "
        "vectors needs a bar. Which one, decides whose position counts backwards.",
        COMPLEX,
    ),
    Mistake(
        "no bar, key's position first",
        lambda q, k, m, n: _product(q, k, n - m).real,
        "you take the real part of a plain product, and that is no dot product: one of the two "
        "vectors needs a bar. Which one, decides whose position counts backwards.",
        COMPLEX,
    ),
    Mistake(
        "imaginary part, bar on the query",
        lambda q, k, m, n: _product(barred(q), k, n - m).imag,
        "you give the imaginary part of the product. The dot product is the other part.",
        COMPLEX,
    ),
    Mistake(
        "imaginary part, bar on the key",
        lambda q, k, m, n: _product(q, barred(k), m - n).imag,
        "you give the imaginary part of the product. The dot product is the other part.",
        COMPLEX,
    ),
    Mistake(
        "absolute value",
        lambda q, k, m, n: _product(barred(q), k, n - m).abs(),
        "you give the absolute value of the product. The dot product is its real part, and "
        "may be negative.",
        COMPLEX,
    ),
)
