"""Scaled dot-product attention: who looks at whom, and what it sees (Vaswani et al. 2017)."""

import math

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from pe_lib.common._checks import broadcasts, check_bool, check_float_tensor
from pe_lib.model._checks import check_tensor

Queries = Float[Tensor, "*batch q_len head_dim"]
Keys = Float[Tensor, "*batch k_len head_dim"]
Values = Float[Tensor, "*batch k_len value_dim"]


def attention(
    q: Queries, k: Keys, v: Values, *, bias: Tensor | None = None, causal: bool = False
) -> Float[Tensor, "*batch q_len value_dim"]:
    """Scaled dot-product attention: ``softmax(q k^T / sqrt(head_dim) + bias) v``.

    Nothing in it knows a token's place: without ``bias`` and ``causal`` the rows of k and v may
    come in any order.

    Args:
        q: queries (..., q_len, head_dim); in a model (batch, heads, q_len, head_dim).
        k: keys (..., k_len, head_dim), of q's dtype.
        v: values (..., k_len, value_dim), of q's dtype.
        bias: added to the scaled scores; any shape that broadcasts to (..., q_len, k_len).
            ``-inf`` hides a key from a query.
        causal: True hides from every query the keys that come after it. The last query sees the
            last key, however many queries there are, as decoding with cached keys needs it.

    Returns:
        (..., q_len, value_dim) of v's dtype; zeros for a query that may see no key at all. Half
        precision is computed in float32 and rounded once; under autocast both matrix products are
        of its dtype, as all are.

    Raises:
        TypeError: a tensor is not of floating point or not of q's dtype, ``causal`` not a bool.
        ValueError: the shapes do not fit each other, or there are no features.

    Source:
        Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, equation 1.

    Example:
        >>> q = k = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> attention(q, k, torch.eye(2))  # with these values: the weights themselves
        tensor([[0.6698, 0.3302],
                [0.3302, 0.6698]])
        >>> attention(q, k, torch.eye(2), causal=True)
        tensor([[1.0000, 0.0000],
                [0.3302, 0.6698]])
    """
    weights = attention_weights(q, k, bias=bias, causal=causal)  # (..., q_len, k_len)
    check_tensor(v, "v", q.dtype, *k.shape[:-1], "value_dim")
    return (weights @ v.to(weights.dtype)).to(v.dtype)  # (..., q_len, value_dim)


def attention_weights(
    q: Queries, k: Keys, *, bias: Tensor | None = None, causal: bool = False
) -> Float[Tensor, "*batch q_len k_len"]:
    """The attention map: how much of every key's value each query takes.

    ``softmax(q k^T / sqrt(head_dim) + bias)``, the factor in front of the values in ``attention``.

    Args:
        q, k, bias, causal: as in ``attention``.

    Returns:
        (..., q_len, k_len), float32 at least. A query's row sums to 1, or is 0 where it may see no
        key. Autocast rounds the scores, and neither the bias nor the softmax.

    Raises:
        TypeError, ValueError: as in ``attention``.

    Source:
        Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, equation 1.

    Example:
        >>> attention_weights(torch.zeros(2, 4), torch.zeros(3, 4), causal=True)
        tensor([[0.5000, 0.5000, 0.0000],
                [0.3333, 0.3333, 0.3333]])
    """
    check_float_tensor(q, "q", " (..., q_len, head_dim)")
    if not q.shape[-1]:
        shape = tuple(q.shape)
        raise ValueError(f"q: expected at least one feature on the last axis, got shape {shape}")
    check_tensor(k, "k", q.dtype, *q.shape[:-2], "k_len", q.shape[-1])
    check_bool(causal, "causal")
    exact = torch.promote_types(q.dtype, torch.float32)
    # The scale keeps the scores' spread the same for heads of any size.
    scores = q.to(exact) @ k.to(exact).mT / math.sqrt(q.shape[-1])  # (..., q_len, k_len)
    q_len, k_len = scores.shape[-2:]
    if bias is not None:
        _check_bias(bias, scores)
        scores = scores + bias.to(exact)  # (..., q_len, k_len)
    if causal:
        seen = torch.ones(q_len, k_len, dtype=torch.bool, device=q.device).tril(k_len - q_len)
        scores = scores.masked_fill(~seen, -torch.inf)  # (..., q_len, k_len)
    if bias is None and k_len >= (q_len if causal else 1):  # every query sees a key
        return scores.softmax(dim=-1)  # (..., q_len, k_len)
    # A query that sees no key: its softmax would be 0/0.
    blind = (scores == -torch.inf).all(dim=-1, keepdim=True)  # (..., q_len, 1)
    return scores.masked_fill(blind, 0).softmax(dim=-1).masked_fill(blind, 0)  # (..., q_len, k_len)


def fused_attention(
    q: Queries, k: Keys, v: Values, *, bias: Tensor | None = None, causal: bool = False
) -> Float[Tensor, "*batch q_len value_dim"]:
    """``attention`` up to rounding, by torch's own kernel, which need not hold the weights at once.

    Args:
        q, k, v, bias, causal: as in ``attention``, of float32 or float64.

    Returns:
        (..., q_len, value_dim) of v's dtype.
    """
    q_len, k_len = q.shape[-2], k.shape[-2]
    # Torch counts its own mask from the first key, which is right for equal lengths only.
    if causal and bias is None and q_len == k_len:
        return scaled_dot_product_attention(q, k, v, is_causal=True)
    if causal and q_len > 1:
        seen = torch.ones(q_len, k_len, dtype=torch.bool, device=q.device).tril(k_len - q_len)
        bias = (q.new_zeros(()) if bias is None else bias).masked_fill(~seen, -torch.inf)
    if bias is not None:
        # A mask of another dtype than q's is read as if it were of q's.
        bias = bias.to(q.dtype).expand(*q.shape[:-1], k_len)  # (..., q_len, k_len)
    return scaled_dot_product_attention(q, k, v, attn_mask=bias)


def _check_bias(bias: Tensor, scores: Tensor) -> None:
    """Raise unless ``bias`` can be added to the scores without giving them another shape."""
    check_float_tensor(bias, "bias")
    axes = zip(bias.shape, scores.shape[scores.ndim - bias.ndim :], strict=True)
    if bias.ndim > scores.ndim or not all(broadcasts(own, wanted) for own, wanted in axes):
        shape = f"a shape that broadcasts to the scores' {tuple(scores.shape)}"
        raise ValueError(f"bias: expected {shape}, got {tuple(bias.shape)}")
