"""Exercise: the features of every word, cut into heads."""

from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.runs import call
from pe_lib.exercises.warm_up._common import HEADS


def _by_word(x: Tensor, num_heads: int) -> Tensor:
    """Every word's features, cut but not moved: (seq, heads, head_dim)."""
    by_word: Tensor = x.unflatten(-1, (num_heads, -1))
    return by_word


EXERCISE = Exercise(
    name="split_heads",
    signature="my_split_heads(x, num_heads)",
    reference=lambda x, num_heads: _by_word(x, num_heads).transpose(0, 1),
    calls=(
        call(fixed(6, 8), 2),
        call(fixed(5, 12, seed=1), 3),
        call(fixed(3, 8, seed=2), 4),
        call(fixed(4, 4, seed=3), 2),
        call(fixed(4, 6, seed=4), 1),
    ),
    mistakes=(
        Mistake(
            "reshaped at once",
            lambda x, num_heads: x.reshape(num_heads, len(x), -1),
            "the shape is right, but your first head has the first words of the text, torn to "
            "pieces. Every head needs a part of every word.",
            HEADS,
        ),
        Mistake(
            "heads not in front",
            _by_word,
            "the features are cut as they should be. Now the heads must come first, so that each "
            "is a small sequence of its own.",
            HEADS,
        ),
        Mistake(
            "features dealt out in turn",
            lambda x, num_heads: x.unflatten(-1, (-1, num_heads)).permute(2, 0, 1),
            "you deal the features out in turn, like cards. A head gets neighbouring ones: the "
            "first head the first of them.",
            HEADS,
        ),
        Mistake(
            "features before words",
            lambda x, num_heads: _by_word(x, num_heads).permute(1, 2, 0),
            "the right numbers, but the last two axes are swapped: in every head the words come "
            "before their features.",
            HEADS,
        ),
        Mistake(
            "number and size of heads swapped",
            lambda x, num_heads: _by_word(x, x.shape[-1] // num_heads).transpose(0, 1),
            "you take the number of heads for the size of a head.",
            HEADS,
        ),
        Mistake(
            "heads copied",
            lambda x, num_heads: x.expand(num_heads, *x.shape),
            "every head gets all the features. They are shared out: each head has its own part.",
            HEADS,
        ),
    ),
)
