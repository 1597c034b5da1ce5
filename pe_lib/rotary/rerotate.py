"""Keys of a cache, moved to other positions after they were rotated."""

from jaxtyping import Float
from torch import Tensor

from pe_lib.common._checks import check_float_tensor
from pe_lib.rotary._tables import check_like, check_rotated, check_table, turn_between
from pe_lib.rotary.apply import apply_rotary


def rerotate(
    x: Float[Tensor, "*shape dim"],
    cos: Float[Tensor, "*rows width"],
    sin: Float[Tensor, "*rows width"],
    new_cos: Float[Tensor, "*rows width"],
    new_sin: Float[Tensor, "*rows width"],
    *,
    interleaved: bool = False,
    seq_dim: int = -2,
    out: Float[Tensor, "*shape dim"] | None = None,
) -> Float[Tensor, "*shape dim"]:
    """Turn what is rotated already to where other tables would have rotated it.

    For cached keys that change their place: where the oldest tokens are dropped and the others move
    up, where a piece of text is put behind another prompt, or where a dynamic scaling has changed
    its frequencies. An attention factor in the tables is divided out and multiplied in, so that it
    counts once. In float32, each turn adds an error of about 1e-7 of a pair's length; in bfloat16
    each one rounds.

    Args:
        x: (..., seq, dim), rotated by cos and sin.
        cos, sin: the tables that rotated it, as in ``apply_rotary``.
        new_cos, new_sin: the tables by which it is to be rotated, of the same shape and dtype.
        interleaved, seq_dim, out: as in ``apply_rotary``.

    Returns:
        The tensor as the new tables would have rotated it, of x's shape, dtype and device.

    Raises:
        TypeError, ValueError: as ``apply_rotary``; the new tables are not like the old ones.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 34: two rotations are one, by the
        sum of their angles.

    Example:
        >>> import torch
        >>> from pe_lib import rotary_cos_sin
        >>> k = torch.ones(4, 8)
        >>> there, here = rotary_cos_sin(torch.arange(96, 100), 8), rotary_cos_sin(4, 8)
        >>> moved = rerotate(apply_rotary(k, *there), *there, *here)
        >>> torch.allclose(moved, apply_rotary(k, *here), atol=1e-6)
        True
    """
    check_rotated(x, seq_dim)
    check_float_tensor(cos, "cos")
    check_table(cos, "cos", x, seq_dim)
    for table, name in ((sin, "sin"), (new_cos, "new_cos"), (new_sin, "new_sin")):
        check_like(table, name, cos, "cos")
    tables = turn_between(cos, sin, new_cos, new_sin)
    return apply_rotary(x, *tables, interleaved=interleaved, seq_dim=seq_dim, out=out)
