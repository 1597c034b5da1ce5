"""Exercise: the states of a recurrent network."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.why_order_matters._common import RECURRENT, numbers


def _states(x: Tensor, w_in: Tensor, w_state: Tensor, first: float = 0.0) -> Tensor:
    state, states = torch.full_like(w_state[0], first), []
    for row in x:
        state = torch.tanh(row @ w_in + state @ w_state)
        states.append(state)
    return torch.stack(states)


def _call(seq: int, dim: int, hidden: int) -> Call:
    return call(
        numbers(seq, dim), numbers(dim, hidden) / dim**0.5, numbers(hidden, hidden) / hidden**0.5
    )


exercise = Exercise(
    _call(4, 3, 5), _call(6, 4, 4), _call(1, 2, 3), _call(5, 3, 2), _call(200, 3, 4)
)


@exercise.answer
def my_states(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    return _states(x, w_in, w_state)


@exercise.mistake(see=RECURRENT)
def no_memory(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    """each state depends on its own word, and not on the words before it."""
    return torch.tanh(x @ w_in)


@exercise.mistake(see=RECURRENT)
def one_word_back(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    """each state depends on its own word and the word before it, but on nothing earlier. The
    previous state has to be passed on, with everything that is in it."""
    now = x @ w_in
    before = torch.cat((torch.zeros_like(now[:1]), torch.tanh(now[:-1])))
    return torch.tanh(now + before @ w_state)


@exercise.mistake(see=RECURRENT)
def read_from_the_end(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    """you read from the last word to the first."""
    return _states(x.flip(0), w_in, w_state).flip(0)


@exercise.mistake(see=RECURRENT)
def last_state_only(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    """you return only the last state, but the exercise asks for one state per word."""
    return _states(x, w_in, w_state)[-1]


@exercise.mistake(see=RECURRENT)
def state_matrix_turned_over(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    """you multiply the state by its matrix from the wrong side: rows and columns are swapped."""
    return _states(x, w_in, w_state.T)


@exercise.mistake(see=RECURRENT)
def not_bent(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    """your states are plain sums: without a tanh, they do not stay between -1 and 1."""
    state, states = torch.zeros_like(w_state[0]), []
    for row in x:
        state = row @ w_in + state @ w_state
        states.append(state)
    return torch.stack(states)


@exercise.mistake(see=RECURRENT)
def state_added_outside(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    """you add the old state after the tanh. It belongs inside, next to the word."""
    state, states = torch.zeros_like(w_state[0]), []
    for row in x:
        state = torch.tanh(row @ w_in) + state @ w_state
        states.append(state)
    return torch.stack(states)


@exercise.mistake(see=RECURRENT)
def the_state_before_the_word(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    """each row is the state before its word was read; the first one is still empty."""
    states = _states(x, w_in, w_state)
    return torch.cat((torch.zeros_like(states[:1]), states[:-1]))


@exercise.mistake(see=RECURRENT)
def starts_from_ones(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    """your network starts with a state full of ones. Before the first word there is nothing to
    remember."""
    return _states(x, w_in, w_state, first=1.0)
