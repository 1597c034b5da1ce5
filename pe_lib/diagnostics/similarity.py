"""How alike the rows of a table are, and how far apart."""

import torch
from jaxtyping import Float, Float64
from torch import Tensor
from torch.nn.functional import normalize

from pe_lib.common._checks import check_bool, check_int
from pe_lib.diagnostics._rows import float64, float64_rows


def similarity_matrix(
    table: Float[Tensor, "length dim"], *, cosine: bool = False
) -> Float64[Tensor, "length length"]:
    """The dot product of every position with every position: float64 (length, length).

    Args:
        table: (length, dim), one row a position.
        cosine: divide by the lengths of the two rows. A row of zeros gets cosines of 0.

    Raises:
        TypeError, ValueError: ``table`` is not such a tensor, or empty; ``cosine`` is not a bool.

    Example:
        >>> similarity_matrix(torch.tensor([[3.0, 4.0], [0.0, 2.0]]), cosine=True).tolist()
        [[1.0, 0.8], [0.8, 1.0]]
    """
    rows = float64_rows(table)
    check_bool(cosine, "cosine")
    rows = normalize(rows, dim=1) if cosine else rows
    return rows @ rows.T


def off_diagonal(matrix: Float[Tensor, "length length"]) -> Float64[Tensor, " pairs"]:
    """The elements outside the diagonal, row by row: what to average, for positions that differ.

    (A diagonal set to 0 instead still counts in the mean.)

    Args:
        matrix: (length, length).

    Returns:
        float64 tensor (length * (length - 1),).

    Raises:
        TypeError, ValueError: ``matrix`` is not a floating point tensor, or not square.

    Example:
        >>> off_diagonal(torch.tensor([[9.0, 1.0], [3.0, 9.0]])).mean().item()
        2.0
    """
    values = float64(matrix, "matrix", "(length, length)")
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise ValueError(
            f"matrix: expected as many rows as columns (length, length), "
            f"got shape {tuple(values.shape)}"
        )
    return values[~torch.eye(values.shape[0], dtype=torch.bool, device="cpu")]


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
        TypeError, ValueError: ``table`` is not such a tensor, ``offset`` not such an int.

    Example:
        >>> neighbour_distances(torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]])).tolist()
        [5.0, 5.0]
    """
    rows = float64_rows(table)
    expected = f"an int from 1 to length - 1 = {len(rows) - 1}"
    check_int(offset, "offset", expected)
    if not 1 <= offset < len(rows):
        raise ValueError(f"offset: expected {expected}, got {offset}")
    return (rows[offset:] - rows[:-offset]).square().sum(1).sqrt()
