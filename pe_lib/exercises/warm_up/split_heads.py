"""Exercise: the features of every word, cut into heads."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.warm_up._common import HEADS

exercise = Exercise(
    call(fixed(6, 8), 2),
    call(fixed(5, 12, seed=1), 3),
    call(fixed(3, 8, seed=2, dtype=torch.float32), 4),
    call(fixed(4, 4, seed=3), 2),
    call(fixed(4, 6, seed=4), 1),
    call(fixed(1, 96, seed=5), 12),
)


@exercise.answer
def my_split_heads(x: Tensor, num_heads: int) -> Tensor:
    return _by_word(x, num_heads).transpose(0, 1)


def _by_word(x: Tensor, num_heads: int) -> Tensor:
    """Every word's features, cut but not moved: (seq, heads, head_dim)."""
    by_word: Tensor = x.unflatten(-1, (num_heads, -1))
    return by_word


@exercise.mistake(see=HEADS)
def reshaped_at_once(x: Tensor, num_heads: int) -> Tensor:
    """the shape is right, but your first head has the first words of the text, torn to pieces.
    Every head needs a part of every word."""
    return x.reshape(num_heads, len(x), -1)


@exercise.mistake(see=HEADS)
def heads_not_in_front(x: Tensor, num_heads: int) -> Tensor:
    """the features are cut as they should be. Now the heads must come first, so that each is a
    small sequence of its own."""
    return _by_word(x, num_heads)


@exercise.mistake(see=HEADS)
def features_dealt_out_in_turn(x: Tensor, num_heads: int) -> Tensor:
    """you hand out the features in turn, as if you were dealing cards. Each head should get
    neighbouring features, and the first head gets the first ones."""
    return x.reshape(len(x), -1, num_heads).permute(2, 0, 1)


@exercise.mistake(see=HEADS)
def features_before_words(x: Tensor, num_heads: int) -> Tensor:
    """the numbers are right, but the last two axes are swapped: in every head, the words should
    come before their features."""
    return _by_word(x, num_heads).permute(1, 2, 0)


@exercise.mistake(see=HEADS)
def number_and_size_of_heads_swapped(x: Tensor, num_heads: int) -> Tensor:
    """you use the number of heads as the size of a head."""
    return _by_word(x, x.shape[-1] // num_heads).transpose(0, 1)


@exercise.mistake(see=HEADS)
def heads_copied(x: Tensor, num_heads: int) -> Tensor:
    """every head gets all the features. They should be divided among the heads, so that each head
    has its own part."""
    return x.expand(num_heads, *x.shape)
