"""T5: one learned number per head and bucket of distances, added to the score."""

import torch
from jaxtyping import Float, Int64, Integer
from torch import Tensor, nn

from pe_lib.common._checks import check_bool, check_count, check_int, check_int_tensor
from pe_lib.relative._score_mod import ScoreMod
from pe_lib.relative.indices import relative_positions


def t5_relative_bucket(
    relative_position: Integer[Tensor, "*positions"],
    *,
    bidirectional: bool,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> Int64[Tensor, "*positions"]:
    """The bucket of every relative position (key minus query: negative for keys of the past).

    Of the n buckets of one direction, the first ``n // 2`` hold one distance each: 0, 1, 2, … The
    others grow logarithmically up to ``max_distance``, and all that is as far or farther shares
    the last one: of the default 32, 128 and 10,000 are in the same bucket.

    A distance on the border of two buckets is in the larger one, as the formula has it in exact
    arithmetic; a logarithm in float32 can miss that.

    Args:
        relative_position: integer tensor of any shape.
        bidirectional: True gives half of the buckets to keys of the past and the other half to
            keys ahead; False gives all to the past, and keys ahead go to bucket 0.
        num_buckets: at least 2; at least 4 where ``bidirectional`` (an odd bucket is left over).
        max_distance: from here on one bucket; more than the distances with a bucket of their own.

    Returns:
        int64 tensor of the same shape and device, from 0 to ``num_buckets - 1``.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is too small.

    Source:
        Raffel et al. 2019, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
        Transformer", arXiv 1910.10683, section 2.1; the formula is that of its released code.

    Example:
        >>> positions = torch.tensor([-10_000, -128, -127, -8, -1, 0, 1, 128])
        >>> t5_relative_bucket(positions, bidirectional=True).tolist()
        [15, 15, 15, 8, 1, 0, 17, 31]
    """
    check_int_tensor(relative_position, "relative_position")
    _check_buckets(bidirectional, num_buckets, max_distance)
    past = -relative_position.long()
    per_direction = num_buckets // 2 if bidirectional else num_buckets
    distance = past.abs() if bidirectional else past.clamp(min=0)
    starts = _bucket_starts(per_direction, max_distance).to(past.device)
    bucket = torch.bucketize(distance, starts, right=True)
    return bucket + per_direction * (past < 0) if bidirectional else bucket


def _bucket_starts(buckets: int, max_distance: int) -> Int64[Tensor, " starts"]:
    """The distance at which each bucket but the first begins."""
    exact = buckets // 2
    steps = torch.arange(1, buckets - exact, dtype=torch.float64, device="cpu") / (buckets - exact)
    starts = exact * (max_distance / exact) ** steps
    # Where the start is a whole number, rounding must not push it to the next one.
    whole = (starts * (1 - 1e-12)).ceil().long()
    return torch.cat((torch.arange(1, exact + 1, device="cpu"), whole))


def _check_buckets(bidirectional: bool, num_buckets: int, max_distance: int) -> None:
    check_bool(bidirectional, "bidirectional")
    least = 4 if bidirectional else 2
    check_count(num_buckets, "num_buckets", least)
    check_count(max_distance, "max_distance", num_buckets // least + 1)


class T5RelativeBias(nn.Module):
    """A learned number per head for every bucket of distances, added to the scores.

    Added after the scaling by ``sqrt(d)``, which T5 itself leaves out; T5 computes it once and adds
    it in every layer. ``weight`` is a Parameter (num_buckets, num_heads) as in T5's checkpoints
    (``relative_attention_bias.weight``), drawn at first with standard deviation 0.02.

    Args:
        num_heads: number of heads.
        bidirectional: False where no query looks ahead (a decoder).
        num_buckets, max_distance: see ``t5_relative_bucket``.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or a number is too small.

    Source:
        Raffel et al. 2019, arXiv 1910.10683, section 2.1.

    Example:
        >>> bias = T5RelativeBias(num_heads=8, bidirectional=False)
        >>> torch.equal(bias(1, 4), bias(4)[:, -1:])  # one new query, the other keys from a cache
        True
    """

    def __init__(
        self,
        num_heads: int,
        *,
        bidirectional: bool = True,
        num_buckets: int = 32,
        max_distance: int = 128,
    ) -> None:
        super().__init__()
        check_count(num_heads, "num_heads")
        _check_buckets(bidirectional, num_buckets, max_distance)
        self.bidirectional, self.max_distance = bidirectional, max_distance
        self.weight = nn.Parameter(torch.empty(num_buckets, num_heads))
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Draw all numbers anew."""
        self.weight.normal_().mul_(0.02)

    def forward(self, q_len: int, k_len: int | None = None) -> Float[Tensor, "heads q_len k_len"]:
        """The bias (num_heads, q_len, k_len), aligned at the end; by default k_len is q_len.

        Of the weight's dtype, on its device.

        Raises:
            TypeError, ValueError: a length is not an int, or below 1.
        """
        bucket = t5_relative_bucket(
            relative_positions(q_len, k_len, device=self.weight.device),
            bidirectional=self.bidirectional,
            num_buckets=len(self.weight),
            max_distance=self.max_distance,
        )
        return self.weight.T[:, bucket]

    def score_mod(self, *, offset: int = 0) -> ScoreMod:
        """The same for ``torch.nn.attention.flex_attention``: no bias is ever stored.

        Args:
            offset: position of the first query, where that of the first key is 0. With cached keys
                it is ``k_len - q_len``.

        Returns:
            ``score_mod(score, batch, head, q_idx, kv_idx)``, on the weight's device. It holds the
            weight as it is now: make it anew after each step of an optimizer.

        Raises:
            TypeError: ``offset`` is not an int.

        Example:
            >>> bias = T5RelativeBias(num_heads=8)
            >>> zero, head, query, key = torch.tensor([0, 3, 4, 1])
            >>> score = bias.score_mod()(torch.zeros(()), zero, head, query, key)
            >>> torch.equal(score, bias(5)[3, 4, 1])
            True
        """
        check_int(offset, "offset")
        farthest = self.max_distance  # from there on all distances share a bucket
        bucket = t5_relative_bucket(
            torch.arange(-farthest, farthest + 1, device=self.weight.device),
            bidirectional=self.bidirectional,
            num_buckets=len(self.weight),
            max_distance=farthest,
        )
        by_distance = self.weight[bucket]  # (2 * farthest + 1, heads)

        def score_mod(
            score: Tensor, batch: Tensor, head: Tensor, q_idx: Tensor, kv_idx: Tensor
        ) -> Tensor:
            distance = (kv_idx - q_idx - offset).clamp(-farthest, farthest)
            return score + by_distance[distance + farthest, head]

        return score_mod
