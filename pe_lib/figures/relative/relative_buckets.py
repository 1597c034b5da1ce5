"""Which distances T5's buckets tell apart: a staircase over the distance, and two keys on it."""

import torch
from torch import Tensor

from pe_lib.figures.base import Figure
from pe_lib.figures.controls import slider, toggle
from pe_lib.relative.indices import relative_position_index
from pe_lib.relative.t5 import t5_relative_bucket

REACH = 10_000  # tokens: where the axis ends, here and in AlibiBias


class RelativeBuckets(Figure):
    """T5's bucket of every distance, and of two keys that can be moved.

    Args:
        buckets: number of buckets; where ``bidirectional``, half for each direction.
        max_distance: from here on, all distances share a bucket.
        bidirectional: keys ahead have buckets of their own; otherwise they are all in bucket 0.
        near, far: the distances of two keys from the query, in tokens back.
        clipped: compare with clipped distances, as many as there are buckets in a direction.

    Example:
        >>> RelativeBuckets(near=90).far
        10000
    """

    question = "Which distances can the model tell apart?"
    summary = (
        "A staircase: the bucket that T5 gives to every distance from a query back to a key. Of 32 "
        "buckets the first 16 hold one distance each, the others more and more. Bucket 31 holds "
        "113 and beyond, so a key 128 tokens back and one 10,000 back get the same bias."
    )

    asks = True

    near = slider(128, 1, REACH, log=True, label="one key", unit="tokens back", more=True)
    far = slider(REACH, 1, REACH, log=True, label="other key", unit="tokens back", more=True)
    buckets = slider(32, 4, 64, step=2, label="buckets")
    max_distance = slider(128, 64, 4096, log=True, label="max distance")
    bidirectional = toggle(False, label="bidirectional: keys ahead too")
    clipped = toggle(False, label="compare with clipped distances", more=True)

    @staticmethod
    def compute(
        device: str,
        *,
        near: int,
        far: int,
        buckets: int,
        max_distance: int,
        bidirectional: bool,
        clipped: bool,
    ) -> dict[str, Tensor]:
        """The distance at which each bucket for keys behind the query starts (steps,), the next
        one's where a bucket is empty; the buckets of the two keys (2,), and of keys as far
        ``ahead``; and the two distances ``clipped`` (2,) to the number of these buckets.
        """

        def bucket_of(position: Tensor) -> Tensor:
            return t5_relative_bucket(
                position,
                bidirectional=bidirectional,
                num_buckets=buckets,
                max_distance=max_distance,
            )

        behind = bucket_of(-torch.arange(REACH + 1, device=device))
        steps = int(behind.max()) + 1
        keys = torch.tensor([near, far], device=device)
        index = relative_position_index(1, REACH + 1, max_distance=steps - 1, device=device)[0]
        return {
            "starts": torch.searchsorted(behind, torch.arange(steps, device=device)),
            "keys": bucket_of(-keys),
            "ahead": bucket_of(keys),
            "clipped": steps - 1 - index[REACH - keys],
        }
