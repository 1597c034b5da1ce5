"""Chapter 03: right answers in many styles, and wrong ones as learners write them."""

import numpy as np
import torch
from torch import nn

# --- right: slices, nn.Embedding, plain NumPy, plain Python ---------------------------------------


def add_by_slice(x, table, offset=0):
    return x + table[offset : offset + x.shape[-2]]


def add_by_embedding(x, table, offset=0):
    embedding = nn.Embedding.from_pretrained(table)
    positions = torch.arange(offset, offset + x.size(1))
    return x + embedding(positions).unsqueeze(0)


def add_in_numpy(x, table, offset=0):
    return x.numpy() + np.take(table.numpy(), np.arange(x.shape[1]) + offset, axis=0)[None]


def add_in_loops(x, table, offset=0):
    out = x.clone()
    for text in out:
        for n, vector in enumerate(text):
            vector += table[offset + n]
    return out


def gradient_by_slice(grad, max_len, offset=0):
    result = torch.zeros(max_len, grad.shape[-1])
    result[offset : offset + grad.shape[1]] = grad.sum(dim=0)
    return result


def gradient_by_autograd(grad, max_len, offset=0):
    table = torch.zeros(max_len, grad.shape[-1], requires_grad=True)
    out = torch.zeros_like(grad) + table[offset : offset + grad.shape[1]]
    out.backward(grad)
    return table.grad


def gradient_by_index_add(grad, max_len, offset=0):
    positions = torch.arange(offset, offset + grad.shape[1]).repeat(grad.shape[0])
    return torch.zeros(max_len, grad.shape[2]).index_add(0, positions, grad.flatten(0, 1))


def gradient_in_numpy(grad, max_len, offset=0):
    result = np.zeros((max_len, grad.shape[-1]))
    for text in grad.numpy():
        for n, share in enumerate(text):
            result[offset + n] += share
    return result


def stretch_by_interpolate(table, length):
    columns = table.T.unsqueeze(0)
    out = nn.functional.interpolate(columns, size=length, mode="linear", align_corners=True)
    return out.squeeze(0).T


def stretch_in_numpy(table, length):
    places = np.linspace(0, len(table) - 1, length)
    columns = [np.interp(places, range(len(table)), column) for column in table.numpy().T]
    return np.stack(columns, axis=1)


def stretch_in_python(table, length):
    rows = []
    for p in range(length):
        at = p * (len(table) - 1) / (length - 1)
        low = min(int(at), len(table) - 2)
        rows.append(table[low] + (at - low) * (table[low + 1] - table[low]))
    return torch.stack(rows)


def cosine_by_torch(table, used):
    return nn.functional.cosine_similarity(table[: used - 1], table[1:used], dim=-1).mean()


def cosine_in_numpy(table, used):
    rows = table.numpy()[:used]
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return np.einsum("pd,pd->p", rows[:-1], rows[1:]).mean()


def cosine_in_python(table, used):
    total = 0.0
    for a, b in zip(table[:used].tolist(), table[1:used].tolist(), strict=False):
        dot = sum(x * y for x, y in zip(a, b, strict=True))
        total += dot / (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5
    return total / (used - 1)


def rows_by_cumsum(tokens, table, padding_idx=1):
    mask = tokens.ne(padding_idx).int()
    positions = torch.cumsum(mask, dim=1) * mask + padding_idx
    return table[positions]


def rows_in_numpy(tokens, table, padding_idx=1):
    words = tokens.numpy() != padding_idx
    return table.numpy()[np.where(words, np.cumsum(words, axis=1), 0) + padding_idx]


def rows_in_loops(tokens, table, padding_idx=1):
    texts = []
    for text in tokens.tolist():
        number, rows = padding_idx, []
        for token in text:
            number += token != padding_idx
            rows.append(table[padding_idx if token == padding_idx else number])
        texts.append(torch.stack(rows))
    return torch.stack(texts)


RIGHT = {
    "add_learned": [add_by_slice, add_by_embedding, add_in_numpy, add_in_loops],
    "table_gradient": [
        gradient_by_slice,
        gradient_by_autograd,
        gradient_by_index_add,
        gradient_in_numpy,
    ],
    "stretch_table": [stretch_by_interpolate, stretch_in_numpy, stretch_in_python],
    "neighbour_cosine": [cosine_by_torch, cosine_in_numpy, cosine_in_python],
    "padded_rows": [rows_by_cumsum, rows_in_numpy, rows_in_loops],
}


# --- wrong ----------------------------------------------------------------------------------------


def whole_slice_plus_sequence_first(x, table, offset=0):
    return (
        x + table[: x.size(0)].unsqueeze(1) if not offset else x + table[offset:][: x.size(0), None]
    )


def gradient_of_the_document(grad, max_len, offset=0):
    return grad.sum(0)


def stretch_like_a_picture(table, length):
    out = nn.functional.interpolate(table.T[None], size=length, mode="linear")
    return out[0].T


def cosine_of_everything(table, used):
    unit = table[:used] / table[:used].norm(dim=-1, keepdim=True)
    return (unit @ unit.T).mean()


def rows_from_two(tokens, table, padding_idx=1):
    positions = padding_idx + 1 + torch.arange(tokens.shape[1])
    return table[positions][None].expand(len(tokens), -1, -1)


def gradient_overwritten(grad, max_len, offset=0):
    result = torch.zeros(max_len, grad.shape[-1])
    for text in grad:
        result[offset : offset + len(text)] = text
    return result


def stretch_with_swapped_shares(table, length):
    rows = []
    for p in range(length):
        at = p * (len(table) - 1) / (length - 1)
        low = min(int(at), len(table) - 2)
        rows.append((at - low) * table[low] + (1 - at + low) * table[low + 1])
    return torch.stack(rows)


def cosine_without_the_last_pair(table, used):
    pairs = [(table[p], table[p + 1]) for p in range(used - 2)]
    return sum(nn.functional.cosine_similarity(a, b, dim=0) for a, b in pairs) / len(pairs)


def rows_without_the_shift(tokens, table, padding_idx=1):
    words = (tokens != padding_idx).long()
    return table[words.cumsum(1) * words]


def added_in_place(x, table, offset=0):
    x += table[offset : offset + x.shape[1]]
    return x


WRONG = [
    ("add_learned", whole_slice_plus_sequence_first, "positions along the batch"),
    ("add_learned", lambda x, table, offset=0: x + table[-x.shape[1] :], "rows from the end"),
    ("table_gradient", gradient_of_the_document, "only the used rows"),
    ("table_gradient", gradient_overwritten, "last text only"),
    ("stretch_table", stretch_like_a_picture, "ends not kept"),
    ("stretch_table", stretch_with_swapped_shares, "shares swapped"),
    ("neighbour_cosine", cosine_of_everything, "rows with themselves"),
    ("neighbour_cosine", cosine_without_the_last_pair, "one pair too few"),
    ("padded_rows", rows_without_the_shift, "padding index not added"),
    ("padded_rows", rows_from_two, "pads counted"),
    ("padded_rows", lambda tokens, table, padding_idx=1: table[tokens], "rows by token"),
    ("add_learned", added_in_place, "changed in place"),
]
