"""Exercise: the states of a recurrent network."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.runs import Call, call
from pe_lib.exercises.why_order_matters._common import RECURRENT, numbers


def _states(x: Tensor, w_in: Tensor, w_state: Tensor, first: float = 0.0) -> Tensor:
    state, states = torch.full_like(w_state[0], first), []
    for row in x:
        state = torch.tanh(row @ w_in + state @ w_state)
        states.append(state)
    return torch.stack(states)


def _linear(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    state, states = torch.zeros_like(w_state[0]), []
    for row in x:
        state = row @ w_in + state @ w_state
        states.append(state)
    return torch.stack(states)


def _added_outside(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    state, states = torch.zeros_like(w_state[0]), []
    for row in x:
        state = torch.tanh(row @ w_in) + state @ w_state
        states.append(state)
    return torch.stack(states)


def _one_word_back(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    now = x @ w_in
    before = torch.cat((torch.zeros_like(now[:1]), torch.tanh(now[:-1])))
    return torch.tanh(now + before @ w_state)


def _before(x: Tensor, w_in: Tensor, w_state: Tensor) -> Tensor:
    states = _states(x, w_in, w_state)
    return torch.cat((torch.zeros_like(states[:1]), states[:-1]))


def _call(seq: int, dim: int, hidden: int) -> Call:
    return call(
        numbers(seq, dim), numbers(dim, hidden) / dim**0.5, numbers(hidden, hidden) / hidden**0.5
    )


EXERCISE = Exercise(
    name="recurrent_states",
    signature="my_states(x, w_in, w_state)",
    reference=_states,
    calls=(_call(4, 3, 5), _call(6, 4, 4), _call(1, 2, 3), _call(5, 3, 2)),
    mistakes=(
        Mistake(
            "no memory",
            lambda x, w_in, w_state: torch.tanh(x @ w_in),
            "each state knows its own word and nothing of the words before it.",
            RECURRENT,
        ),
        Mistake(
            "one word back",
            _one_word_back,
            "each state knows its word and the one before, and nothing further back: the state "
            "before has to be carried on, with all that is in it.",
            RECURRENT,
        ),
        Mistake(
            "read from the end",
            lambda x, w_in, w_state: _states(x.flip(0), w_in, w_state).flip(0),
            "you read from the last word to the first.",
            RECURRENT,
        ),
        Mistake(
            "last state only",
            lambda x, w_in, w_state: _states(x, w_in, w_state)[-1],
            "only the last state comes back; one for each word is asked for.",
            RECURRENT,
        ),
        Mistake(
            "state matrix turned over",
            lambda x, w_in, w_state: _states(x, w_in, w_state.T),
            "the state meets its matrix from the wrong side: rows and columns have changed places.",
            RECURRENT,
        ),
        Mistake(
            "not bent",
            _linear,
            "the states are sums and nothing bends them: they are not kept between -1 and 1.",
            RECURRENT,
        ),
        Mistake(
            "state added outside",
            _added_outside,
            "the old state is added after the bending. It belongs inside, beside the word.",
            RECURRENT,
        ),
        Mistake(
            "the state before the word",
            _before,
            "each row is the state before its word was read; the first one is still empty.",
            RECURRENT,
        ),
        Mistake(
            "starts from ones",
            lambda x, w_in, w_state: _states(x, w_in, w_state, first=1.0),
            "your network starts with a state full of ones. Before the first word there is nothing "
            "to remember.",
            RECURRENT,
        ),
    ),
)
