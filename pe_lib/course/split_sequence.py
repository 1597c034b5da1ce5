"""One long sequence shared out among processes: each attends with the queries of its own slice.

    python -m torch.distributed.run --standalone --nproc-per-node=2 -m pe_lib.course.split_sequence

Keys are turned to their positions in the whole sequence and then sent to all. ``attention`` and
the biases have the last query beside the last key, so keys that come after the slice are cut off.
"""

import torch
import torch.distributed as dist
from torch import Tensor

from pe_lib.model.attention import attention
from pe_lib.relative.alibi import alibi_bias
from pe_lib.relative.t5 import T5RelativeBias
from pe_lib.rotary.apply import apply_rotary, rotary_cos_sin

DIM, HEADS, HEAD_DIM = 32, 4, 8


def attend(x: Tensor, w: Tensor, kind: str, t5: T5RelativeBias, split: bool = False) -> Tensor:
    """Causal attention of x (seq, dim), the whole sequence or, if ``split``, one slice of it."""
    start = dist.get_rank() * len(x) if split else 0
    stop = start + len(x)
    q, k, v = x @ w  # w: (3, heads, dim, head_dim), so each (heads, len(x), head_dim)
    if kind == "rotary":
        cos, sin = rotary_cos_sin(torch.arange(start, stop), HEAD_DIM)
        q, k = apply_rotary(q, cos, sin), apply_rotary(k, cos, sin)
    if split:
        k, v = gathered(k)[:, :stop], gathered(v)[:, :stop]  # each (heads, stop, head_dim)
    biases = {"ALiBi": alibi_bias(HEADS, len(x), stop), "T5": t5(len(x), stop)}
    return attention(q, k, v, bias=biases.get(kind), causal=True)  # (heads, len(x), head_dim)


def gathered(own: Tensor) -> Tensor:
    """The slices (heads, len(x), features) of all processes in order; no gradients flow back."""
    slices = [torch.empty_like(own) for _ in range(dist.get_world_size())]
    dist.all_gather(slices, own)
    return torch.cat(slices, dim=1)


@torch.no_grad()
def both_ways(x: Tensor, w: Tensor, kind: str, t5: T5RelativeBias) -> tuple[Tensor, Tensor]:
    """What the slices of x (seq, dim) give together, and what one process gives for all of x."""
    if len(x) % dist.get_world_size():
        raise ValueError(f"x: expected slices of one length (pad it at its end), got {len(x)} rows")
    own = x.chunk(dist.get_world_size())[dist.get_rank()]
    return gathered(attend(own, w, kind, t5, split=True)), attend(x, w, kind, t5)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    torch.manual_seed(0)  # every process draws the same numbers
    x, w = torch.randn(24, DIM), torch.randn(3, HEADS, DIM, HEAD_DIM) / DIM**0.5
    t5 = T5RelativeBias(HEADS, bidirectional=False)
    for kind in ("rotary", "ALiBi", "T5"):
        torch.testing.assert_close(*both_ways(x, w, kind, t5))
        if dist.get_rank() == 0:
            print(f"{kind}: {dist.get_world_size()} slices together equal one process")
    dist.destroy_process_group()
