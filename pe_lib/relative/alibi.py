"""ALiBi: a penalty on every score that grows with the distance, and no other position at all."""

import math

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from pe_lib.common._checks import check_bool, check_count, check_floating, check_int, check_positive
from pe_lib.common.devices import result_device
from pe_lib.relative._score_mod import ScoreMod


def alibi_slopes(num_heads: int, max_bias: float = 8) -> Float64[Tensor, " heads"]:
    """The penalty per token of distance of every head, from steep to gentle.

    For a power of two it is ``2 ** (-max_bias * h / num_heads)`` with ``h = 1 ... num_heads``. For
    another count the largest power of two below it gives its own slopes, and the heads that are
    left take slopes halfway between those, ``h = 0.5, 1.5, ...``: the rule of the authors' code,
    which BLOOM, Falcon and MPT follow, in the same order of the heads.

    Args:
        num_heads: number of heads, at least 1.
        max_bias: above 0; the gentlest slope is ``2 ** -max_bias``. The paper has 8, and so have
            BLOOM and Falcon; MPT's configuration calls it ``alibi_bias_max``.

    Returns:
        float64 tensor (num_heads,) on the CPU.

    Raises:
        TypeError, ValueError: ``num_heads`` is not an int of at least 1, ``max_bias`` not a finite
            number above 0.

    Source:
        Press, Smith, Lewis 2021, "Train Short, Test Long", arXiv 2108.12409, section 3, and its
        code, github.com/ofirpress/attention_with_linear_biases (other counts).

    Example:
        >>> alibi_slopes(6).tolist()
        [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
    """
    check_count(num_heads, "num_heads")
    check_positive(max_bias, "max_bias")
    heads = torch.arange(num_heads, dtype=torch.float64, device="cpu")
    return _slopes(heads, num_heads, max_bias)


def _slopes(head: Tensor, num_heads: int, max_bias: float) -> Tensor:
    """The slopes of these heads, counted from 0, in their dtype."""
    power_of_two = 2 ** (int(num_heads).bit_length() - 1)
    step = torch.where(head < power_of_two, head + 1, head - power_of_two + 0.5)
    return torch.exp2(-float(max_bias) * step / power_of_two)


def alibi_bias(
    num_heads: int,
    q_len: int,
    k_len: int | None = None,
    *,
    causal: bool = True,
    max_bias: float = 8,
    dtype: torch.dtype = torch.float32,
) -> Float[Tensor, "heads q_len k_len"]:
    """What ALiBi adds to the scaled scores: ``-slope * distance``.

    Aligned at the end: the bias of a single query, as in decoding with cached keys, is the last row
    of the whole one. Every element comes from the distance and is rounded once. (One made from the
    key's position gives the same softmax in exact numbers, but in bfloat16 positions past 256 run
    together.) Where the whole bias would be too large, ``alibi_score_mod`` needs none.

    With more queries than keys the first ones come before every key, and a causal bias is -inf in
    all of their rows. For such queries ``attention`` gives zeros; a plain softmax gives nan.

    Args:
        num_heads: number of heads, at least 1.
        q_len, k_len: number of queries and of keys, at least 1; as many keys by default.
        causal: -inf for keys that lie ahead of their query. Otherwise they are penalised like
            those behind it: the symmetric form, which the paper leaves open.
        max_bias: as in ``alibi_slopes``.
        dtype: floating point dtype of the result.

    Returns:
        (num_heads, q_len, k_len) of ``dtype``, on torch's default device.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is out of range.

    Source:
        Press, Smith, Lewis 2021, "Train Short, Test Long", arXiv 2108.12409, section 3.

    Example:
        >>> alibi_bias(8, 2, 3)[0]
        tensor([[-0.5000,  0.0000,    -inf],
                [-1.0000, -0.5000,  0.0000]])
    """
    check_count(q_len, "q_len")
    k_len = q_len if k_len is None else k_len
    check_count(k_len, "k_len")
    check_bool(causal, "causal")
    check_floating(dtype)
    offset = torch.arange(1 - k_len, q_len, device="cpu")  # key - query
    bias = alibi_slopes(num_heads, max_bias)[:, None] * -offset.abs()
    if causal:
        bias = bias.masked_fill(offset > 0, -math.inf)
    bias = bias.to(dtype).to(result_device(q_len))
    # Every row is a window of the distances; the last query's is the first. (unfold would make
    # the same windows, but torch.compile compiles it anew for each k_len.)
    windows = bias.as_strided((num_heads, q_len, k_len), (bias.shape[1], 1, 1))
    return windows.flip(1)


def alibi_score_mod(num_heads: int, *, offset: int = 0, max_bias: float = 8) -> ScoreMod:
    """ALiBi as a ``score_mod`` of ``torch.nn.attention.flex_attention``: no bias is ever stored.

    Keys ahead of their query are penalised like those behind it. Shut them out with a block mask,
    which is faster too: FlexAttention skips what is masked. It has no backward pass on a CPU.

    Args:
        num_heads: number of heads, at least 1.
        offset: position of the first query, where that of the first key is 0. With cached keys it
            is ``k_len - q_len``.
        max_bias: as in ``alibi_slopes``.

    Returns:
        ``score_mod(score, batch, head, q_idx, kv_idx)``, on any device.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is out of range.

    Source:
        Press, Smith, Lewis 2021, "Train Short, Test Long", arXiv 2108.12409, section 3.

    Example:
        >>> score_mod = alibi_score_mod(8)  # flex_attention(q, k, v, score_mod=score_mod)
        >>> batch, head, query, key = torch.tensor([0, 0, 4, 1])
        >>> score_mod(torch.tensor(10.0), batch, head, query, key)
        tensor(8.5000)
    """
    check_count(num_heads, "num_heads")
    check_int(offset, "offset")
    check_positive(max_bias, "max_bias")

    def score_mod(
        score: Tensor, batch: Tensor, head: Tensor, q_idx: Tensor, kv_idx: Tensor
    ) -> Tensor:
        distance = (q_idx + offset - kv_idx).abs()
        return score - _slopes(head.to(score.dtype), num_heads, max_bias) * distance

    return score_mod
