"""Exercise: the shuffle test."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.course.running_sentence import W_K, W_Q, W_V
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.why_order_matters._common import EQUIVARIANT, NO_ORDER, numbers
from pe_lib.model import attention

Map = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Layer:
    """A layer of a hidden call, shown by its name."""

    name: str
    function: Map

    def __call__(self, x: Tensor) -> Tensor:
        return self.function(x)

    def __repr__(self) -> str:
        return self.name


def _head(causal: bool) -> Map:
    return lambda x: attention(x @ W_Q, x @ W_K, x @ W_V, causal=causal)


def _with_positions(x: Tensor) -> Tensor:
    return torch.tanh(x + sinusoidal_encoding(len(x), 8, dtype=x.dtype))


def _moved(layer: Map, x: Tensor, order: list[int]) -> Tensor:
    """By how much each number of the shuffled output is off."""
    return layer(x[order]) - layer(x)[order]


def _back(order: list[int]) -> list[int]:
    """The order that undoes an order."""
    return [order.index(word) for word in range(len(order))]


exercise = Exercise(
    call(Layer("head", _head(causal=False)), numbers(5, 8), [2, 0, 1, 4, 3]),
    call(Layer("causal_head", _head(causal=True)), numbers(6, 8), [0, 5, 2, 3, 4, 1]),
    call(Layer("running_sum", lambda x: x.cumsum(0)), numbers(4, 3), [1, 2, 3, 0]),
    call(Layer("with_positions", _with_positions), numbers(3, 8), [2, 0, 1]),
    call(Layer("step_from_the_next", lambda x: x - x.roll(-1, 0)), numbers(5, 4), [4, 2, 0, 1, 3]),
    call(
        Layer("differences", lambda x: x.diff(dim=0, prepend=x[:1])),
        numbers(12, 5),
        [7, 3, 11, 0, 9, 5, 1, 8, 2, 10, 6, 4],
    ),
)


@exercise.answer
def my_gap(layer: Map, x: Tensor, order: list[int]) -> Tensor:
    return _moved(layer, x, order).abs().max()


@exercise.mistake(see=EQUIVARIANT)
def invariance(layer: Map, x: Tensor, order: list[int]) -> Tensor:
    """you ask whether the output at each position stays the same. The outputs may move, as long as
    each output moves with its word."""
    return (layer(x[order]) - layer(x)).abs().max()


@exercise.mistake(see=NO_ORDER)
def put_back_the_wrong_way(layer: Map, x: Tensor, order: list[int]) -> Tensor:
    """one of the two outputs is shuffled the wrong way. An order usually does not undo itself: you
    do not notice this if two words are swapped, but you do if words move in a circle."""
    return (layer(x[order]) - layer(x)[_back(order)]).abs().max()


@exercise.mistake(see=NO_ORDER)
def output_against_input(layer: Map, x: Tensor, order: list[int]) -> Tensor:
    """you compare the output with the words that went in. Compare two outputs."""
    return (layer(x[order]) - x[order]).abs().max()


@exercise.mistake(see=NO_ORDER)
def mean_instead_of_the_largest(layer: Map, x: Tensor, order: list[int]) -> Tensor:
    """you take the mean of the differences, but the exercise asks for the largest one."""
    return _moved(layer, x, order).abs().mean()


@exercise.mistake(see=NO_ORDER)
def sign_kept(layer: Map, x: Tensor, order: list[int]) -> Tensor:
    """a large difference with a minus sign goes unnoticed: take its size first."""
    return _moved(layer, x, order).max()


@exercise.mistake(see=NO_ORDER)
def last_word_only(layer: Map, x: Tensor, order: list[int]) -> Tensor:
    """you look at the last word only. Every word may have changed."""
    return _moved(layer, x, order)[-1].abs().max()


@exercise.mistake(see=NO_ORDER)
def length_of_the_difference(layer: Map, x: Tensor, order: list[int]) -> Tensor:
    """you add up the squares of all differences. The exercise asks for the largest single
    difference."""
    return _moved(layer, x, order).square().sum().sqrt()
