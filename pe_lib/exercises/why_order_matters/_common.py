"""What several exercises share: the titles of the chapter's sections, and random numbers."""

from torch import Tensor

from pe_lib.exercises.inputs import fixed

# Titles of the sections of chapter 01 (a test finds each of them there) …
BAG = "A bag of words"
NO_ORDER = "Attention does not see the order"
EQUIVARIANT = "Equivariant, not invariant"
# … and of its deeper page.
ROWS = "From words to rows"
COUNTING = "Counting with a mask"
RECURRENT = "Order for free: a recurrent network"


def numbers(*shape: int) -> Tensor:
    """Fixed random numbers of this shape."""
    return fixed(*shape, seed=sum(shape))
