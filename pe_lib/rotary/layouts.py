"""The two orders in which a head's pairs of features are stored, and the way between them.

Interleaved: features 2i and 2i + 1 are a pair. Half-split: features i and i + dim/2 are.
"""

import torch
from jaxtyping import Shaped
from torch import Tensor

from pe_lib.common._checks import check_int, check_type


def interleaved_to_half(x: Shaped[Tensor, "*shape"], dim: int = -1) -> Shaped[Tensor, "*shape"]:
    """Reorder features from interleaved to half-split: 0, 2, 4, ..., then 1, 3, 5, ...

    Queries and keys have to be reordered alike; their scores stay the same. A model changes its
    layout for good when the rows of its query and key weights are reordered, head by head.

    Args:
        x: tensor of any dtype, with an even number of features on the axis ``dim``.
        dim: the axis of the features of one head.

    Returns:
        A new tensor of x's shape and dtype.

    Raises:
        TypeError, ValueError: ``x`` is not such a tensor, ``dim`` not one of its axes.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 15 (interleaved); Black et al. 2022,
        "GPT-NeoX-20B", arXiv 2204.06745, section 2.1 (half-split).

    Example:
        >>> interleaved_to_half(torch.arange(6))
        tensor([0, 2, 4, 1, 3, 5])

        The weight of 2 heads of 4 features each, made for the interleaved layout:

        >>> weight = torch.arange(8.0).reshape(8, 1)  # (heads * head_dim, in)
        >>> heads = weight.unflatten(0, (2, 4))  # (heads, head_dim, in)
        >>> interleaved_to_half(heads, dim=1).flatten(0, 1).squeeze()
        tensor([0., 2., 1., 3., 4., 6., 5., 7.])
    """
    axis, pairs = _axis_of_pairs(x, dim)
    return torch.cat(x.unflatten(axis, (pairs, 2)).unbind(axis + 1), dim=axis)


def half_to_interleaved(x: Shaped[Tensor, "*shape"], dim: int = -1) -> Shaped[Tensor, "*shape"]:
    """Reorder features from half-split to interleaved: 0, dim/2, 1, dim/2 + 1, ...

    The inverse of ``interleaved_to_half``, for activations and for weights (see there).

    Args:
        x: tensor of any dtype, with an even number of features on the axis ``dim``.
        dim: the axis of the features of one head.

    Raises:
        TypeError, ValueError: ``x`` is not such a tensor, ``dim`` not one of its axes.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 15 (interleaved).

    Example:
        >>> half_to_interleaved(torch.arange(6))
        tensor([0, 3, 1, 4, 2, 5])
    """
    axis, pairs = _axis_of_pairs(x, dim)
    return torch.stack(x.split(pairs, dim=axis), dim=axis + 1).flatten(axis, axis + 1)


def _axis_of_pairs(x: Tensor, dim: int) -> tuple[int, int]:
    """The axis ``dim`` counted from the left, and how many pairs of features it holds."""
    check_type(x, "x", Tensor, "a tensor")
    check_int(dim, "dim", "an axis of x, an int")
    if not -x.ndim <= dim < x.ndim:
        raise ValueError(f"dim: expected an axis of x's shape {tuple(x.shape)}, got {dim}")
    if x.shape[dim] % 2:
        raise ValueError(
            f"x: expected an even number of features on axis {dim} (features come in pairs), "
            f"got {x.shape[dim]} (shape {tuple(x.shape)})"
        )
    return dim % x.ndim, x.shape[dim] // 2
