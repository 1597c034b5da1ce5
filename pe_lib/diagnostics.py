"""What attention sees of an encoding: similarities, distances, scores by offset, wavelengths.

For any table (length, dim), computed or learned, and for any scores. All is computed in float64 on
the CPU, and no gradient goes through it.

>>> from pe_lib import diagnostics, sinusoidal_encoding
>>> offset, mean, std = diagnostics.similarity_by_offset(sinusoidal_encoding(100, dim=512))
>>> print(f"offset {offset[5]}: {mean[5]:.3f} ± {std[5]:.3f}")
offset 5: 189.597 ± 0.000
"""

import math
from typing import NamedTuple

import torch
from jaxtyping import Float, Float64, Int64
from torch import Tensor
from torch.nn.functional import normalize

from pe_lib._checks import check_bool, check_float_tensor, check_int
from pe_lib.relative.indices import relative_positions

THRESHOLDS = (-0.5, 0.0, 0.5)
BLOCKS = " ░▓█"  # up to the first threshold, up to the second, ...


class ByOffset(NamedTuple):
    """What all pairs of the same offset have in common, and how far they are apart in it."""

    offset: Int64[Tensor, " offsets"]
    mean: Float64[Tensor, "*heads offsets"]
    std: Float64[Tensor, "*heads offsets"]


def similarity_matrix(
    table: Float[Tensor, "length dim"], *, cosine: bool = False
) -> Float64[Tensor, "length length"]:
    """The dot product of every position with every position.

    Args:
        table: (length, dim), one row a position.
        cosine: divide by the lengths of the two rows. A row of zeros gets cosines of 0.

    Returns:
        float64 tensor (length, length). ``off_diagonal`` gives what is outside its diagonal.

    Raises:
        TypeError: ``table`` is not a floating point tensor, ``cosine`` not a bool.
        ValueError: ``table`` does not have two axes, or is empty.

    Example:
        >>> similarity_matrix(torch.tensor([[3.0, 4.0], [0.0, 2.0]])).tolist()
        [[25.0, 8.0], [8.0, 4.0]]
        >>> similarity_matrix(torch.tensor([[3.0, 4.0], [0.0, 2.0]]), cosine=True).tolist()
        [[1.0, 0.8], [0.8, 1.0]]
    """
    rows = _rows(table)
    check_bool(cosine, "cosine")
    rows = normalize(rows, dim=1) if cosine else rows
    return rows @ rows.T


def off_diagonal(matrix: Float[Tensor, "length length"]) -> Float64[Tensor, " pairs"]:
    """The elements outside the diagonal: what to average, for positions that differ.

    (A diagonal set to 0 instead still counts in the mean.)

    Args:
        matrix: (length, length).

    Returns:
        float64 tensor (length * (length - 1),), row by row.

    Raises:
        TypeError: ``matrix`` is not a floating point tensor.
        ValueError: ``matrix`` is not square.

    Example:
        >>> off_diagonal(torch.tensor([[9.0, 1.0], [3.0, 9.0]])).mean().item()
        2.0
    """
    values = _float64(matrix, "matrix", "(length, length)")
    if values.ndim != 2 or len(values) != values.shape[1]:
        raise ValueError(
            f"matrix: expected as many rows as columns (length, length), "
            f"got shape {tuple(values.shape)}"
        )
    return values[~torch.eye(len(values), dtype=torch.bool, device="cpu")]


def score_by_offset(scores: Float[Tensor, "*heads q_len k_len"]) -> ByOffset:
    """Mean and standard deviation of the scores of all pairs with the same offset.

    Scores that depend on the offset alone have a deviation of 0: those of RoPE where the same
    query and the same key stand at every position, a bias of ALiBi, a sinusoidal table's dot
    products.

    Args:
        scores: (..., q_len, k_len), of any number of heads. Queries and keys are aligned at the
            end: the last query is at the last key's position.

    Returns:
        ``(offset, mean, std)``: the key's position minus the query's, from 1 - k_len to
        q_len - 1, int64; the mean and the standard deviation of its scores (of them all: divided
        by their number), each a float64 tensor (..., q_len + k_len - 1). Scores of -inf have the
        mean -inf and the deviation nan.

    Raises:
        TypeError: ``scores`` is not a floating point tensor.
        ValueError: ``scores`` has fewer than two axes, or is empty.

    Example:
        >>> offset, mean, std = score_by_offset(torch.tensor([[5.0, 1.0], [2.0, 7.0]]))
        >>> offset.tolist(), mean.tolist(), std.tolist()
        ([-1, 0, 1], [2.0, 6.0, 1.0], [0.0, 1.0, 0.0])

        The same vector at every position, rotated:

        >>> from pe_lib import apply_rotary, rotary_cos_sin
        >>> x = apply_rotary(torch.ones(10, 8), *rotary_cos_sin(10, 8))
        >>> bool(score_by_offset(x @ x.T).std.max() < 1e-5)
        True
    """
    values = _float64(scores, "scores", "(..., q_len, k_len)")
    if not values.numel():
        raise ValueError(
            f"scores: expected at least 2 axes (..., q_len, k_len), none of them empty, "
            f"got shape {tuple(values.shape)}"
        )
    q_len, k_len = values.shape[-2:]
    offset = torch.arange(1 - k_len, q_len, device="cpu")
    group = relative_positions(q_len, k_len).flatten().cpu() - offset[0]
    values = values.flatten(-2)

    def mean_of(values: Tensor) -> Tensor:
        sums = values.new_zeros(*values.shape[:-1], len(offset)).index_add_(-1, group, values)
        return sums / group.bincount()

    mean = mean_of(values)
    return ByOffset(offset, mean, mean_of((values - mean[..., group]) ** 2).sqrt())


def similarity_by_offset(table: Float[Tensor, "length dim"]) -> ByOffset:
    """Mean and standard deviation of the dot products ``p[i] @ p[i + k]``, for every offset k.

    In a sinusoidal table they depend on the offset alone: the mean is the sum of the cosines of
    ``k * frequency``, and the deviation is 0 but for rounding. In a learned table it is not.

    Args:
        table: (length, dim), one row a position.

    Returns:
        ``(offset, mean, std)``, each (length,): the offsets 0 ... length - 1, so that element
        ``k`` of the others is that of offset k.

    Raises:
        TypeError: ``table`` is not a floating point tensor.
        ValueError: ``table`` does not have two axes, or is empty.

    Source:
        Yan et al. 2019, "TENER: Adapting Transformer Encoder for Named Entity Recognition",
        arXiv 1911.04474, property 1: what a sinusoidal table's dot products depend on.

    Example:
        >>> offset, mean, std = similarity_by_offset(torch.tensor([[1.0], [2.0], [4.0]]))
        >>> offset.tolist(), mean.tolist(), std.tolist()
        ([0, 1, 2], [7.0, 5.0, 4.0], [6.48074069840786, 3.0, 0.0])
    """
    offset, mean, std = score_by_offset(similarity_matrix(table))
    ahead = offset >= 0  # the others are the same: a.b is b.a
    return ByOffset(offset[ahead], mean[ahead], std[ahead])


def neighbour_distances(
    table: Float[Tensor, "length dim"], offset: int = 1
) -> Float64[Tensor, " pairs"]:
    """How far every position's vector is from its neighbour's: ``|p[i + offset] - p[i]|``.

    Args:
        table: (length, dim), one row a position.
        offset: how many positions ahead, from 1 to length - 1.

    Returns:
        float64 tensor (length - offset,): the Euclidean distances, for i = 0, 1, ...

    Raises:
        TypeError: ``table`` is not a floating point tensor, ``offset`` not an int.
        ValueError: ``table`` does not have two axes, or is empty; ``offset`` is below 1, or no
            two positions are that far apart.

    Example:
        >>> neighbour_distances(torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]])).tolist()
        [5.0, 5.0]
    """
    rows = _rows(table)
    expected = f"an int from 1 to length - 1 = {len(rows) - 1}"
    check_int(offset, "offset", expected)
    if not 1 <= offset < len(rows):
        raise ValueError(f"offset: expected {expected}, got {offset}")
    return (rows[offset:] - rows[:-offset]).square().sum(1).sqrt()


def measured_wavelengths(table: Float[Tensor, "length dim"]) -> Float64[Tensor, " dim"]:
    """How many positions every column needs for one turn, measured on its values.

    A wave of frequency w bends back in proportion to its value, whatever its phase:
    ``x[p + 1] - 2 x[p] + x[p - 1] = -4 sin(w / 2) ** 2 x[p]``. This is the frequency that fits
    best, by least squares. It is exact for a column that is one wave, also if the table holds a
    small part of a turn, as long as rounding does not hide how it bends: a wavelength of 54,410
    needs a float64 table. For any other column it is a number to be careful with: noise gives
    about 4.

    Args:
        table: (length, dim), one row a position, at least 3 of them.

    Returns:
        float64 tensor (dim,): positions per turn, from 2 upwards; inf for a column that does not
        bend back, such as a constant one; nan for a column that holds a nan.

    Raises:
        TypeError: ``table`` is not a floating point tensor.
        ValueError: ``table`` does not have two axes, or has no columns or fewer than 3 rows.

    Example:
        >>> from pe_lib import sinusoidal_encoding, wavelengths
        >>> table = sinusoidal_encoding(100, dim=6, dtype=torch.float64)
        >>> [round(w, 2) for w in measured_wavelengths(table).tolist()]
        [6.28, 6.28, 135.37, 135.37, 2916.4, 2916.4]
        >>> [round(w, 2) for w in wavelengths(6).tolist()]
        [6.28, 135.37, 2916.4]
    """
    rows = _rows(table)
    if len(rows) < 3:
        raise ValueError(
            f"table: expected at least 3 positions (length, dim), got shape {tuple(rows.shape)}"
        )
    middle = rows[1:-1]
    bend = -(middle * (rows[2:] - 2 * middle + rows[:-2])).sum(0)
    share = bend / middle.square().sum(0)  # 4 sin(w / 2) ** 2
    half_angle = (share.clamp(max=4).sqrt() / 2).asin()
    return torch.where(bend <= 0, math.inf, math.pi / half_angle)


def ascii_map(table: Float[Tensor, "length dim"]) -> str:
    """The table as a heat map in characters, for where no picture can be shown.

    ``█`` for values above 0.5, ``▓`` for those above 0, ``░`` above -0.5, and a space for the
    rest. One line a position, one character a feature; for the other way round give ``table.T``.

    Args:
        table: (length, dim), one row a position, values between -1 and 1 (scale a learned one).

    Returns:
        length lines of dim characters.

    Raises:
        TypeError: ``table`` is not a floating point tensor.
        ValueError: ``table`` does not have two axes, or is empty.

    Example:
        >>> print(ascii_map(torch.tensor([[0.9, 0.2, -0.2], [-0.9, 0.9, 0.0]])))
        █▓░
         █░
    """
    level = (_rows(table)[..., None] > torch.tensor(THRESHOLDS, device="cpu")).sum(-1)
    return "\n".join("".join(BLOCKS[i] for i in line) for line in level.tolist())


def _rows(table: Tensor) -> Tensor:
    """The table in float64, if it is one."""
    rows = _float64(table, "table", "(length, dim)")
    if rows.ndim != 2 or not rows.numel():
        raise ValueError(
            f"table: expected 2 axes (length, dim), none of them empty, "
            f"got shape {tuple(rows.shape)}"
        )
    return rows


def _float64(value: Tensor, name: str, axes: str) -> Tensor:
    check_float_tensor(value, name, f" {axes}")
    return value.detach().cpu().double()
