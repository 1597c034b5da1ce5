"""Chapter 01: right answers in many styles, and wrong ones as learners write them."""

import numpy as np
import torch
from torch import nn

# --- right: indices, torch.nn, plain NumPy, plain Python ------------------------------------------


def embed_by_index(ids, table):
    return table[ids]


def embed_by_layer(ids, table):
    return nn.Embedding.from_pretrained(table)(ids)


def embed_by_one_hot(ids, table):
    return nn.functional.one_hot(ids, len(table)).to(table.dtype) @ table


def embed_in_numpy(ids, table):
    return np.take(table.numpy(), ids.numpy(), axis=0).astype(np.float32)


def embed_in_loops(ids, table):
    return torch.stack([torch.stack([table[i] for i in text]) for text in ids.tolist()])


def permutation_of_rows(order):
    return torch.eye(len(order))[order]


def permutation_by_one_hot(order):
    return nn.functional.one_hot(torch.tensor(order)).double()


def permutation_in_numpy(order):
    matrix = np.zeros((len(order), len(order)))
    matrix[np.arange(len(order)), order] = 1
    return matrix


def permutation_in_loops(order):
    return torch.tensor([[float(column == word) for column in range(len(order))] for word in order])


def permutation_of_whole_numbers(order):
    return nn.functional.one_hot(torch.tensor(order))


def permutation_kept_sparse(order):
    places = torch.tensor([list(range(len(order))), order])
    return torch.sparse_coo_tensor(places, torch.ones(len(order)), check_invariants=True)


def gap_by_index(layer, x, order):
    return (layer(x[order]) - layer(x)[order]).abs().max().item()


def gap_by_matrix(layer, x, order):
    matrix = torch.eye(len(order), dtype=x.dtype)[order]
    return torch.dist(layer(matrix @ x), matrix @ layer(x), p=torch.inf)


def gap_in_numpy(layer, x, order):
    return np.abs(layer(x[order]).numpy() - layer(x).numpy()[order]).max()


def gap_shuffled_back(layer, x, order):
    back = torch.tensor(order).argsort()
    return float((layer(x[order])[back] - layer(x)).abs().amax())


def states_in_a_loop(x, w_in, w_state):
    state, states = torch.zeros(w_state.shape[0], dtype=x.dtype), []
    for row in x:
        state = torch.tanh(row @ w_in + state @ w_state)
        states.append(state)
    return torch.stack(states)


def states_by_layer(x, w_in, w_state):
    rnn = nn.RNN(*w_in.shape, bias=False, batch_first=True, dtype=x.dtype)
    rnn.weight_ih_l0.data, rnn.weight_hh_l0.data = w_in.T.contiguous(), w_state.T.contiguous()
    return rnn(x.unsqueeze(0))[0].squeeze(0)


def states_in_numpy(x, w_in, w_state):
    states = np.zeros((len(x) + 1, w_state.shape[0]))
    for t, row in enumerate(x.numpy()):
        states[t + 1] = np.tanh(row @ w_in.numpy() + states[t] @ w_state.numpy())
    return states[1:]


def states_from_the_whole(x, w_in, w_state):
    states = torch.tanh(x @ w_in)  # right for the first word; every pass makes one more right
    for _ in range(len(x)):
        before = torch.cat((torch.zeros_like(states[:1]), states[:-1]))
        states = torch.tanh(x @ w_in + before @ w_state)
    return states


def place_by_formula(seen):
    return 1 / seen - 1


def place_rounded(seen):
    return seen.float().reciprocal().round() - 1


def place_in_whole_numbers(seen):
    return (1 / seen).round().long() - 1


def place_in_numpy(seen):
    return (1 - seen.numpy()) / seen.numpy()


def place_by_search(seen):
    known = [1 / (p + 1) for p in range(1000)]
    nearest = [[min(range(1000), key=lambda p: abs(known[p] - s)) for s in row] for row in seen]
    return torch.tensor(nearest, dtype=torch.float64)


RIGHT = {
    "embed": [embed_by_index, embed_by_layer, embed_by_one_hot, embed_in_numpy, embed_in_loops],
    "permutation": [
        permutation_of_rows,
        permutation_by_one_hot,
        permutation_in_numpy,
        permutation_in_loops,
        permutation_of_whole_numbers,
        permutation_kept_sparse,
    ],
    "gap": [gap_by_index, gap_by_matrix, gap_in_numpy, gap_shuffled_back],
    "recurrent_states": [states_in_a_loop, states_by_layer, states_in_numpy, states_from_the_whole],
    "place": [
        place_by_formula,
        place_rounded,
        place_in_whole_numbers,
        place_in_numpy,
        place_by_search,
    ],
}


# --- wrong ----------------------------------------------------------------------------------------


def rows_scattered(order):
    matrix = np.zeros((len(order), len(order)))
    for place, word in enumerate(order):
        matrix[word, place] = 1
    return matrix


def gap_undone_by_the_order_itself(layer, x, order):
    return (layer(x[order])[order] - layer(x)).abs().max()


def states_without_carrying(x, w_in, w_state):
    states = []
    for t, row in enumerate(x):
        before = torch.tanh(x[t - 1] @ w_in) if t else torch.zeros_like(w_state[0])
        states.append(torch.tanh(row @ w_in + before @ w_state))
    return torch.stack(states)


def states_before(x, w_in, w_state):
    state, states = torch.zeros_like(w_state[0]), []
    for row in x:
        states.append(state)
        state = torch.tanh(row @ w_in + state @ w_state)
    return torch.stack(states)


WRONG = [
    ("embed", lambda ids, table: table.numpy()[ids.numpy() - 1], "ids from 1"),
    ("embed", lambda ids, table: table.T[ids], "columns instead of rows"),
    ("permutation", rows_scattered, "the way back"),
    ("permutation", lambda order: torch.eye(len(order)), "nothing moves"),
    ("gap", gap_undone_by_the_order_itself, "put back the wrong way"),
    ("gap", lambda f, x, o: float((f(x[o]) - f(x)).abs().max()), "invariance"),
    ("recurrent_states", states_without_carrying, "one word back"),
    ("recurrent_states", states_before, "the state before the word"),
    ("place", lambda seen: np.round(1 / seen.numpy()), "positions from 1"),
    ("place", lambda seen: (1 / seen - 1).int(), "cut off"),
    (
        "place",
        lambda seen: torch.arange(seen.shape[1]).float().repeat(len(seen), 1),
        "counted instead of read",
    ),
]
