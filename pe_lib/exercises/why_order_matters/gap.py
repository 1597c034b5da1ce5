"""Exercise: the shuffle test."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from pe_lib.course.running_sentence import W_K, W_Q, W_V
from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.runs import call
from pe_lib.exercises.why_order_matters._common import EQUIVARIANT, STATEMENT, numbers
from pe_lib.model import attention
from pe_lib.sinusoidal import sinusoidal_encoding


@dataclass(frozen=True)
class Layer:
    """A layer of a hidden call, shown by its name."""

    name: str
    function: Callable[[Tensor], Tensor]

    def __call__(self, x: Tensor) -> Tensor:
        return self.function(x)

    def __repr__(self) -> str:
        return self.name


def _head(causal: bool) -> Callable[[Tensor], Tensor]:
    return lambda x: attention(x @ W_Q, x @ W_K, x @ W_V, causal=causal)


def _with_positions(x: Tensor) -> Tensor:
    return torch.tanh(x + sinusoidal_encoding(len(x), 8, dtype=x.dtype))


def _moved(layer: Layer, x: Tensor, order: list[int]) -> Tensor:
    """By how much each number of the shuffled output is off."""
    return layer(x[order]) - layer(x)[order]


def _back(order: list[int]) -> list[int]:
    """The order that undoes an order."""
    return [order.index(word) for word in range(len(order))]


EXERCISE = Exercise(
    name="gap",
    signature="my_gap(layer, x, order)",
    reference=lambda layer, x, order: _moved(layer, x, order).abs().max(),
    calls=(
        call(Layer("head", _head(causal=False)), numbers(5, 8), [2, 0, 1, 4, 3]),
        call(Layer("causal_head", _head(causal=True)), numbers(6, 8), [0, 5, 2, 3, 4, 1]),
        call(Layer("running_sum", lambda x: x.cumsum(0)), numbers(4, 3), [1, 2, 3, 0]),
        call(Layer("with_positions", _with_positions), numbers(3, 8), [2, 0, 1]),
        call(
            Layer("step_from_the_next", lambda x: x - x.roll(-1, 0)), numbers(5, 4), [4, 2, 0, 1, 3]
        ),
    ),
    mistakes=(
        Mistake(
            "invariance",
            lambda layer, x, order: (layer(x[order]) - layer(x)).abs().max(),
            "you ask whether the output stays as it was, place by place. It may move, as long as "
            "each output moves with its word.",
            EQUIVARIANT,
        ),
        Mistake(
            "put back the wrong way",
            lambda layer, x, order: (layer(x[order]) - layer(x)[_back(order)]).abs().max(),
            "one of the two outputs is shuffled the wrong way. An order does not undo itself: a "
            "swap of two words hides that, an order that goes in a circle does not.",
            STATEMENT,
        ),
        Mistake(
            "output against input",
            lambda layer, x, order: (layer(x[order]) - x[order]).abs().max(),
            "you compare the output with the words that went in. Two outputs are to be compared.",
            STATEMENT,
        ),
        Mistake(
            "mean instead of the largest",
            lambda layer, x, order: _moved(layer, x, order).abs().mean(),
            "you take the mean of the differences; the largest one is asked for.",
            STATEMENT,
        ),
        Mistake(
            "sign kept",
            lambda layer, x, order: _moved(layer, x, order).max(),
            "a large difference with a minus sign goes unnoticed: take its size first.",
            STATEMENT,
        ),
        Mistake(
            "last word only",
            lambda layer, x, order: _moved(layer, x, order)[-1].abs().max(),
            "you look at the last word only. Every word may have changed.",
            STATEMENT,
        ),
        Mistake(
            "length of the difference",
            lambda layer, x, order: _moved(layer, x, order).norm(),
            "you add up all differences, squared. The largest single one is asked for.",
            STATEMENT,
        ),
    ),
)
