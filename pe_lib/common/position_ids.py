"""Positions of tokens that do not just count from 0: behind padding, packed, split, in pictures."""

from collections.abc import Sequence

import torch
from jaxtyping import Int64, Integer, Shaped
from torch import Tensor

from pe_lib.common._checks import (
    check_count,
    check_finite,
    check_int,
    check_int_tensor,
    check_sequence,
    check_type,
    describe,
)


def positions_from_mask(
    attention_mask: Shaped[Tensor, "*batch seq"],
) -> Int64[Tensor, "*batch seq"]:
    """Each row counts its own tokens: the first that is no padding is at 0.

    Args:
        attention_mask: (batch, seq), True or 1 for tokens, False or 0 for padding, wherever it
            stands. Where keys are cached, give the mask of all tokens so far and take the columns
            of the new ones from the result.

    Returns:
        int64, of its shape and on its device. Padding has the position of the token before it, or
        0: any will do, as nobody may see it.

    Raises:
        TypeError: it is not a tensor of bools or integers.
        ValueError: it has no axis.

    Source:
        The counting of Hugging Face transformers 5.23. Rotary scores depend on distances alone (Su
        et al. 2021, "RoFormer", arXiv 2104.09864), so that padding on the left changes nothing
        about them; it does with a scaling that looks at the length, and with other encodings.

    Example:
        >>> positions_from_mask(torch.tensor([[1, 1, 1, 1], [0, 0, 1, 1]]))
        tensor([[0, 1, 2, 3],
                [0, 0, 0, 1]])
    """
    check_type(attention_mask, "attention_mask", Tensor, "a tensor of bools or integers")
    if attention_mask.dtype != torch.bool:
        check_int_tensor(attention_mask, "attention_mask")
    if attention_mask.ndim < 1:
        raise ValueError("attention_mask: expected (..., seq), got no axis")
    tokens: Tensor = attention_mask != 0
    return (tokens.cumsum(-1) - 1).clamp(min=0)


def positions_from_cu_seqlens(
    cu_seqlens: Integer[Tensor, " documents_and_one"], *, total: int | None = None
) -> Int64[Tensor, " total"]:
    """Each document of a packed sequence counts from 0.

    Args:
        cu_seqlens: (documents + 1,): 0, and where each document ends, as flash-attention has it.
        total: the length of the packed sequence, at least the last of them; by default equal to it,
            which reads its value: give it in compiled code. What comes after the last document, as
            padding does, counts from 0 too.

    Returns:
        int64 (total,), on its device.

    Raises:
        TypeError, ValueError: it is not such a tensor, or ``total`` not an int, or below 0.

    Source:
        Krell et al. 2021, "Efficient Sequence Packing without Cross-contamination", arXiv
        2107.02027: each document of a pack has positions of its own.

    Example:
        >>> positions_from_cu_seqlens(torch.tensor([0, 3, 5]))
        tensor([0, 1, 2, 0, 1])
    """
    check_int_tensor(cu_seqlens, "cu_seqlens")
    if cu_seqlens.ndim != 1 or not len(cu_seqlens):
        expected = "(documents + 1,) of 0 and where each document ends"
        raise ValueError(f"cu_seqlens: expected {expected}, got shape {tuple(cu_seqlens.shape)}")
    if total is None:
        total = int(cu_seqlens[-1])
    check_count(total, "total", least=0)
    starts = cu_seqlens.long()
    places = torch.arange(total, device=starts.device)
    return places - starts[torch.searchsorted(starts, places, right=True) - 1]


def zigzag_positions(seq_len: int, rank: int, world_size: int) -> Int64[Tensor, " share"]:
    """The positions of one rank's share of a sequence, where each has a piece of both ends.

    Under a causal mask the last tokens see most keys. Cut into ``2 * world_size`` pieces, the
    sequence gives rank r the pieces r and ``2 * world_size - 1 - r``: the work is even.

    Args:
        seq_len: length of the whole sequence, a multiple of ``2 * world_size``.
        rank: 0 ... world_size - 1.
        world_size: number of ranks.

    Returns:
        int64 (seq_len / world_size,).

    Raises:
        TypeError, ValueError: an argument is not an int, or out of range.

    Source:
        The order in which Grattafiori et al. 2024, "The Llama 3 Herd of Models", arXiv 2407.21783,
        section 3.3.2, split long sequences.

    Example:
        >>> zigzag_positions(8, rank=0, world_size=2), zigzag_positions(8, rank=1, world_size=2)
        (tensor([0, 1, 6, 7]), tensor([2, 3, 4, 5]))
    """
    check_count(world_size, "world_size")
    check_int(rank, "rank")
    if not 0 <= rank < world_size:
        raise ValueError(f"rank: expected an int from 0 to {world_size - 1}, got {rank}")
    check_count(seq_len, "seq_len")
    if seq_len % (2 * world_size):
        expected = f"a multiple of 2 * world_size = {2 * world_size}"
        raise ValueError(f"seq_len: expected {expected}, got {seq_len}")
    pieces = torch.arange(seq_len).chunk(2 * world_size)
    return torch.cat((pieces[rank], pieces[-1 - rank]))


def mrope_position_ids(
    parts: Sequence[int | Sequence[int]],
    *,
    spatial_merge_size: int = 1,
    time_interval: float = 1.0,
) -> Int64[Tensor, "3 1 seq"]:
    """Time, height and width of every token, for texts with pictures and videos in them.

    A text continues, all three alike. A picture or video begins one behind the largest position so
    far and counts its frames, rows and columns from there; what follows it begins one behind its
    largest. (transformers 5.23 leaves the time out of that.)

    Args:
        parts: in their order, an int for that many tokens of text, (frames, rows, columns) for a
            picture (one frame) or a video, in patches.
        spatial_merge_size: how many patches on each side become one token (2 in Qwen2-VL), where
            the grids are given as the vision part sees them.
        time_interval: positions from one frame to the next; Qwen2.5-VL's ``tokens_per_second *
            second_per_grid``. Frames are at whole positions, rounded down.

    Returns:
        int64 (3, 1, seq), as ``mrope_cos_sin`` takes it; a batch is put together along axis 1.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is out of range.

    Source:
        Wang et al. 2024, "Qwen2-VL", arXiv 2409.12191, section 2.1, "Multimodal Rotary Position
        Embedding (M-RoPE)".

    Example:
        >>> mrope_position_ids([2, (1, 2, 2), 1])[:, 0]  # two words, a picture, a word
        tensor([[0, 1, 2, 2, 2, 2, 4],
                [0, 1, 2, 2, 3, 3, 4],
                [0, 1, 2, 3, 2, 3, 4]])
    """
    check_sequence(parts, "parts", "a list of lengths of text and grids (frames, rows, columns)")
    check_count(spatial_merge_size, "spatial_merge_size")
    check_finite(time_interval, "time_interval", "a finite number > 0", lambda step: step > 0)
    start, found = 0, [torch.zeros(3, 0, dtype=torch.int64)]
    for part in parts:
        if isinstance(part, Sequence):
            frames, rows, columns = _grid_of(part, spatial_merge_size)
            times = (torch.arange(frames) * time_interval).long()
            own = torch.cartesian_prod(times, torch.arange(rows), torch.arange(columns)).T
        else:
            check_count(part, "parts", least=0)
            own = torch.arange(part).expand(3, -1)
        found.append(own + start)
        start = int(found[-1].max()) + 1 if own.numel() else start
    return torch.cat(found, dim=1)[:, None]


def _grid_of(part: Sequence[int], merged: int) -> tuple[int, int, int]:
    check_sequence(part, "parts", "an int or (frames, rows, columns)", 3)
    for size in part:
        check_count(size, "parts")
    frames, rows, columns = part
    if rows % merged or columns % merged:
        expected = f"rows and columns that are multiples of spatial_merge_size = {merged}"
        raise ValueError(f"parts: expected {expected}, got {describe(part)}")
    return frames, rows // merged, columns // merged
