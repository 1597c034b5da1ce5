"""What several exercises name or need: the chapter's sections, and distances aligned wrongly."""

import torch
from torch import Tensor

# Titles of the sections of chapter 08 (a test finds each of them there) …
OFFSETS = "One row for each offset"
LEARNED = "A learned number for each distance"
BUCKETS = "Buckets: exact when near, coarse when far"
LINE = "ALiBi: a straight line"
WINDOW = "A slope is a window"
CACHE = "One query, many keys"
# … and of its deeper page.
SHAW = "Shaw's two tables"


def from_the_start(q_len: int, k_len: int) -> Tensor:
    """Key minus query, (q_len, k_len), as if the first query saw the first key."""
    return torch.arange(k_len) - torch.arange(q_len)[:, None]
