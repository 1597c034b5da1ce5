"""Who is how far from whom: key position minus query position, for every pair."""

from types import NoneType

import torch
from jaxtyping import Int64
from torch import Tensor

from pe_lib.common._checks import check_count, check_type

Device = torch.device | str | None


def relative_positions(
    q_len: int, k_len: int | None = None, *, device: Device = None
) -> Int64[Tensor, "q_len k_len"]:
    """Key position minus query position: negative for keys of the past.

    Aligned at the end: the last query sees the last key, query ``i`` is at ``k_len - q_len + i``.
    With keys in a cache, the row of one new query is the last row of the whole table. Where there
    are more queries than keys, the first queries are at negative positions.

    Args:
        q_len, k_len: number of queries and of keys, at least 1; as many keys by default.
        device: device of the result; torch's default device by default.

    Returns:
        int64 tensor (q_len, k_len).

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a length is below 1.

    Source:
        Shaw et al. 2018, arXiv 1803.02155, section 3.2: ``j - i``.

    Example:
        >>> relative_positions(2, 3)
        tensor([[-1,  0,  1],
                [-2, -1,  0]])
    """
    check_count(q_len, "q_len")
    k_len = q_len if k_len is None else k_len
    check_count(k_len, "k_len")
    check_type(device, "device", (torch.device, str, NoneType), "a torch.device or its name")
    queries = torch.arange(k_len - q_len, k_len, device=device)
    return torch.arange(k_len, device=device) - queries[:, None]


def relative_position_index(
    q_len: int, k_len: int | None = None, *, max_distance: int, device: Device = None
) -> Int64[Tensor, "q_len k_len"]:
    """The row of a learned table for every query and key: relative positions, clipped and shifted.

    ``clip(j - i, -max_distance, max_distance) + max_distance``. The table has
    ``2 * max_distance + 1`` rows: row 0 for all keys that far back or farther, row
    ``max_distance`` for the query's own position.

    Args:
        q_len, k_len: number of queries and of keys, at least 1; as many keys by default.
        max_distance: the largest distance that is told apart from larger ones, at least 0.
        device: device of the result; torch's default device by default.

    Returns:
        int64 tensor (q_len, k_len), from 0 to ``2 * max_distance``.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is too small.

    Source:
        Shaw et al. 2018, arXiv 1803.02155, section 3.2.

    Example:
        >>> relative_position_index(3, max_distance=1)
        tensor([[1, 2, 2],
                [0, 1, 2],
                [0, 0, 1]])
    """
    check_count(max_distance, "max_distance", least=0)
    relative = relative_positions(q_len, k_len, device=device)
    return relative.clamp(-max_distance, max_distance) + max_distance
