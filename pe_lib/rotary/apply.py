"""Rotary position embedding: every pair of features is turned by its position (Su et al. 2021)."""

import math

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from pe_lib.common._checks import (
    check_bool,
    check_finite,
    check_float_tensor,
    check_floating,
    check_type,
)
from pe_lib.common.devices import result_device
from pe_lib.common.positions import cos_sin, position_angles, real_positions
from pe_lib.rotary._tables import (
    check_like,
    check_out,
    check_rotated,
    check_table,
    plainly_fit,
    turn_between,
    with_head_axes,
)
from pe_lib.rotary._turn import rotate_pairs
from pe_lib.rotary.scaling.base import UNSCALED, Scaling


def rotary_cos_sin(
    positions: int | Shaped[Tensor, "*positions"],
    dim: int,
    theta: float = 10000.0,
    *,
    scaling: Scaling | None = None,
    seq_len: int | None = None,
    frequencies: Float[Tensor, " pairs"] | None = None,
    dtype: torch.dtype = torch.float32,
) -> tuple[Float[Tensor, "*positions pairs"], Float[Tensor, "*positions pairs"]]:
    """Cosine and sine of every pair's angle at every position: the tables of ``apply_rotary``.

    Pair ``i`` at position ``p`` turns by ``p * theta ** (-2i/dim)`` radians. One column a pair,
    half the width of a head: the two layouts differ in which features are a pair, not in the
    angles. Angles are float64, so the result is right to the last bit but one of ``dtype`` also for
    position 16,000,001.

    Args:
        positions: an int n for 0 ... n-1, or a real tensor of any shape, negative numbers too:
            (batch, seq) for positions of each sequence's own. Integers past 2^53 are rounded, as
            float64 holds them.
        dim: number of features to rotate, even.
        theta: base of the wavelengths.
        scaling: context extension, one of the ``...Scaling`` classes. It changes the frequencies,
            and its attention factor multiplies cosine and sine.
        seq_len: length of the sequence, for the scalings that depend on it. By default the largest
            position + 1, which reads the positions' values: give it in compiled code.
        frequencies: inverse frequencies of one's own, a floating point tensor (dim/2,) of radians
            per position, in place of ``theta ** (-2i/dim)``. A scaling stretches them (YaRN still
            looks at ``theta``). Where a model comes with periods (``freqs`` of MLX's ``rope``)
            these are ``1 / freqs``; with divisors (``freq_factors`` of ggml),
            ``inverse_frequencies(dim, theta) / factors``.
        dtype: floating point dtype of the result.

    Returns:
        cos and sin, each ``(*positions, dim/2)`` of ``dtype``, on the positions' device. Gradients
        reach real positions and ``frequencies``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range, ``frequencies`` of another shape, or no ``seq_len``
            is given for positions on meta.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 15.

    Example:
        >>> cos, sin = rotary_cos_sin(2, dim=4)
        >>> cos
        tensor([[1.0000, 1.0000],
                [0.5403, 0.9999]])
        >>> sin
        tensor([[0.0000, 0.0000],
                [0.8415, 0.0100]])
    """
    check_floating(dtype)
    stretched, factor = stretched_for(
        positions, dim, theta, scaling, seq_len, frequencies=frequencies
    )
    angles = position_angles(positions, stretched)
    return cos_sin(angles, dtype, result_device(positions), factor)


def stretched_for(
    positions: int | Tensor,
    dim: int,
    theta: float,
    scaling: Scaling | None,
    seq_len: int | None,
    *,
    frequencies: Tensor | None = None,
    name: str = "positions",
) -> tuple[Float[Tensor, " pairs"], float]:
    """The frequencies that a scaling makes for a text with these positions, and its factor."""
    scaling = UNSCALED if scaling is None else scaling
    check_type(scaling, "scaling", Scaling, "a Scaling or None")
    if seq_len is None and scaling.needs_seq_len:
        seq_len = _text_length(positions, name)
    stretched = scaling.inverse_frequencies(dim, theta, seq_len, frequencies=frequencies)
    return stretched, scaling.attention_scaling_for(seq_len)


def _text_length(positions: int | Tensor, name: str) -> int:
    """The length of a text that has these positions: the largest + 1."""
    real = real_positions(positions)  # refuses what is none
    if not isinstance(positions, Tensor):
        return max(positions, 1)
    if positions.is_meta:
        raise ValueError("seq_len: expected an int, as positions on meta have no values, got None")
    largest = real.max().item() if real.numel() else 0
    check_finite(largest, name, "finite numbers")
    return max(math.floor(largest) + 1, 1)


def apply_rotary(
    x: Float[Tensor, "*shape dim"],
    cos: Float[Tensor, "*rows width"],
    sin: Float[Tensor, "*rows width"],
    *,
    interleaved: bool = False,
    seq_dim: int = -2,
    inverse: bool = False,
    out: Float[Tensor, "*shape dim"] | None = None,
) -> Float[Tensor, "*shape dim"]:
    """Rotate every pair of features of ``x`` (queries or keys) by the angle of its position.

    A pair (a, b) becomes ``(a cos - b sin, b cos + a sin)``. The score of a rotated query at
    position m and a rotated key at position n depends on m - n alone.

    Args:
        x: (..., seq, dim), or (..., seq, heads, dim) with ``seq_dim=-3``; any floating point dtype.
        cos: (seq, dim/2), or (batch, seq, dim/2) for positions of each sequence's own: its axes
            before seq are x's first ones (or 1), and the rest of x's, the heads, share its rows. Of
            width w < dim/2 it rotates the first 2w features and leaves the others (partial rotary).
        sin: of cos's shape and dtype.
        interleaved: True pairs the features (0,1), (2,3), ... (GPT-J, RoFormer); False, the
            half-split layout, pairs (i, i + w), w the width of cos (GPT-NeoX, Hugging Face's
            Llama).
        seq_dim: the axis of x that holds the positions, -2 or -3.
        inverse: True turns back, and divides by the factor that a scaling left in cos and sin: what
            was rotated by the same tables becomes what it was.
        out: tensor of x's shape, dtype and device to write the result to. It may be ``x`` itself,
            and share memory with any of the arguments in any way; its own numbers may share none
            with each other. When an argument is refused, nothing has been written.

    Returns:
        The rotated tensor, of x's shape, dtype and device (``out`` where it is given). Half
        precision is rotated in float32 and rounded once: it is within half a unit in the last
        place, plus 2^-22 of the pair's length, of the exact rotation. Beside tables of float32
        some 3 numbers in 100,000 are not the exact ones rounded, beside tables of float64 none.

    Raises:
        TypeError: an argument has the wrong type, ``sin`` or ``out`` another dtype than cos or x.
        ValueError: ``cos`` does not fit x, ``sin`` not cos, ``out`` not x, in shape or device;
            numbers of ``out`` share memory; ``seq_dim`` is wrong.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 34.

    Example:
        >>> q = torch.tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
        >>> apply_rotary(q, *rotary_cos_sin(2, dim=4))
        tensor([[1.0000, 0.0000, 0.0000, 0.0000],
                [0.5403, 0.0000, 0.8415, 0.0000]])
        >>> apply_rotary(q, *rotary_cos_sin(2, dim=4), interleaved=True)
        tensor([[1.0000, 0.0000, 0.0000, 0.0000],
                [0.5403, 0.8415, 0.0000, 0.0000]])
        >>> behind_100_cached_tokens = rotary_cos_sin(torch.tensor([100]), dim=4)
        >>> apply_rotary(q[:1], *behind_100_cached_tokens)
        tensor([[ 0.8623,  0.0000, -0.5064,  0.0000]])
        >>> rotated = apply_rotary(q, *rotary_cos_sin(2, dim=4))
        >>> back = apply_rotary(rotated, *rotary_cos_sin(2, dim=4), inverse=True)
        >>> torch.allclose(back, q, atol=1e-6)
        True
    """
    if not plainly_fit(x, cos, sin, seq_dim):
        check_rotated(x, seq_dim)
        check_float_tensor(cos, "cos")
        check_table(cos, "cos", x, seq_dim)
        check_like(sin, "sin", cos, "cos")
    check_bool(interleaved, "interleaved")
    if out is not None:
        check_out(out, x)
    if inverse is not False:
        check_bool(inverse, "inverse")
        cos, sin = turn_between(cos, sin)
    if cos.ndim > 2 or seq_dim != -2:
        cos, sin = with_head_axes(cos, x, seq_dim), with_head_axes(sin, x, seq_dim)
    return rotate_pairs(x, cos, sin, interleaved=interleaved, out=out)


def rotate_half(
    x: Float[Tensor, "*shape dim"], *, interleaved: bool = False
) -> Float[Tensor, "*shape dim"]:
    """Turn every pair of features by a quarter: (a, b) becomes (-b, a).

    The rotation by an angle is ``x * cos + rotate_half(x) * sin``, with cosine and sine beside both
    features of their pair.

    Args:
        x: (..., dim), dim even.
        interleaved: True pairs the features (0,1), (2,3), ...; False (i, i + dim/2).

    Returns:
        A new tensor of x's shape and dtype.

    Raises:
        TypeError, ValueError: ``x`` is not such a tensor, ``interleaved`` not a bool.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 34 (its second vector).

    Example:
        >>> rotate_half(torch.arange(1.0, 7.0))
        tensor([-4., -5., -6.,  1.,  2.,  3.])
        >>> rotate_half(torch.arange(1.0, 7.0), interleaved=True)
        tensor([-2.,  1., -4.,  3., -6.,  5.])
    """
    check_bool(interleaved, "interleaved")
    check_float_tensor(x, "x")
    if x.ndim < 1 or x.shape[-1] % 2:
        raise ValueError(
            f"x: expected an even dim (features come in pairs), got shape {tuple(x.shape)}"
        )
    first, second = _pairs(x, interleaved)
    return _joined(-second, first, interleaved)


def _pairs(x: Tensor, interleaved: bool) -> tuple[Tensor, Tensor]:
    """First and second feature of every pair, each (..., dim/2)."""
    # the two columns of (..., dim/2, 2), or the two halves of (..., dim)
    first, second = x.unflatten(-1, (-1, 2)).unbind(-1) if interleaved else x.chunk(2, dim=-1)
    return first, second


def _joined(first: Tensor, second: Tensor, interleaved: bool) -> Tensor:
    if interleaved:
        return torch.stack((first, second), dim=-1).flatten(-2)  # (..., dim/2, 2) in a row
    return torch.cat((first, second), dim=-1)  # (..., dim)
