"""The course's example of one sequence split among processes."""

import math

import pytest
import torch

from pe_lib import T5RelativeBias
from pe_lib.course.split_sequence import DIM, HEAD_DIM, HEADS, both_ways
from tests.library.distributed.checks import check
from tests.library.distributed.frequencies import turned_far_out

KINDS = ("rotary", "ALiBi", "T5")


def drawn(seq: int) -> tuple[torch.Tensor, torch.Tensor, T5RelativeBias]:
    torch.manual_seed(0)
    x, w = torch.randn(seq, DIM), torch.randn(3, HEADS, DIM, HEAD_DIM) / DIM**0.5
    t5 = T5RelativeBias(HEADS, bidirectional=False)
    torch.nn.init.normal_(t5.weight)
    return x, w, t5


@check(*((kind, seq) for kind in KINDS for seq in ("2", "26", "300")))
def a_split_sequence_is_the_whole_one(kind: str, seq: str) -> None:
    x, w, t5 = drawn(int(seq))
    slices, whole = both_ways(x, w, kind, t5)
    torch.testing.assert_close(slices, whole, rtol=0, atol=1e-5)
    assert (slices - both_ways(x, w, "none", t5)[0]).abs().max() > 0.01


@check(("rotary",), ("ALiBi",))
def a_split_sequence_is_what_the_formula_says(kind: str) -> None:
    seq = 26
    x, w, t5 = drawn(seq)
    q, k, v = (x @ w).double()
    distance = torch.arange(seq)[:, None] - torch.arange(seq)
    bias = torch.zeros(HEADS, seq, seq).double()
    if kind == "rotary":  # features i and i + 4 are a pair there, and neighbours here
        order = torch.arange(HEAD_DIM).unflatten(0, (2, -1)).T.flatten()
        q, k = (turned_far_out(t[..., order], 0) for t in (q, k))
    else:
        bias = -torch.tensor([1 / 4, 1 / 16, 1 / 64, 1 / 256])[:, None, None] * distance
    scores = (q @ k.mT / math.sqrt(HEAD_DIM) + bias).masked_fill(distance < 0, -math.inf)
    expected = scores.softmax(-1) @ v
    torch.testing.assert_close(both_ways(x, w, kind, t5)[0].double(), expected, rtol=0, atol=1e-5)


@check()
def slices_of_different_lengths_are_refused() -> None:
    x, w, t5 = drawn(27)
    with pytest.raises(ValueError, match=r"x: expected slices of one length .*, got 27 rows"):
        both_ways(x, w, "rotary", t5)
