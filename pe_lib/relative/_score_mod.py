"""What ``torch.nn.attention.flex_attention`` takes in place of a bias."""

from collections.abc import Callable

from torch import Tensor

# (score, batch, head, q_idx, kv_idx) -> score
ScoreMod = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]
