"""Chapter 05: right answers in many styles, and wrong ones as learners write them."""

import math

import numpy as np
import torch

import pe_lib

# --- right: PyTorch idioms, plain NumPy, plain Python, the library --------------------------------


def half_by_chunk(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def half_by_roll(x):
    half = x.shape[-1] // 2
    signs = torch.ones(x.shape[-1])
    signs[:half] = -1
    return x.roll(half, dims=-1) * signs


def half_in_numpy(x):
    a, b = np.split(x.numpy(), 2, axis=-1)
    return np.concatenate([-b, a], axis=-1)


def half_by_complex(x):
    a, b = x.float().unflatten(-1, (2, -1)).unbind(-2)
    turned = torch.complex(a, b) * 1j
    return torch.cat((turned.real, turned.imag), -1)


def half_in_loops(x):
    out = torch.empty_like(x)
    n = x.size(-1) // 2
    for i in range(n):
        out[..., i] = -x[..., i + n]
        out[..., i + n] = x[..., i]
    return out


def rope_hugging_face_style(x, offset=0):
    inv_freq = 1.0 / (10000 ** (torch.arange(0, x.shape[-1], 2).float() / x.shape[-1]))
    t = torch.arange(offset, offset + x.shape[2]).float()
    freqs = torch.einsum("i,j->ij", t, inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)[None, None]
    return x * emb.cos() + half_by_chunk(x) * emb.sin()


def rope_by_complex(x, offset=0):
    half = x.shape[-1] // 2
    freqs = 10000 ** (-torch.arange(half) / half)
    cis = torch.polar(torch.ones(()), torch.outer(torch.arange(x.shape[2]) + offset, freqs))
    turned = torch.complex(x[..., :half], x[..., half:]) * cis
    return torch.cat([turned.real, turned.imag], dim=-1)


def rope_by_library(x, offset=0):
    positions = torch.arange(x.shape[-2]) + offset
    return pe_lib.apply_rotary(x, *pe_lib.rotary_cos_sin(positions, x.shape[-1]))


def rope_in_numpy(x, offset=0):
    x = x.numpy()
    half = x.shape[-1] // 2
    angle = np.arange(offset, offset + x.shape[2])[:, None] * 10000.0 ** (-np.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate(
        (a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)), axis=-1
    )


def rope_by_matrices(x, offset=0):
    seq, dim = x.shape[-2:]
    out = torch.zeros_like(x)
    for p in range(seq):
        turn = torch.eye(dim)
        for i in range(dim // 2):
            angle = (offset + p) * 10000 ** (-2 * i / dim)
            turn[i, i] = turn[i + dim // 2, i + dim // 2] = math.cos(angle)
            turn[i, i + dim // 2] = -math.sin(angle)
            turn[i + dim // 2, i] = math.sin(angle)
        out[:, :, p] = x[:, :, p] @ turn.T
    return out


def permute_by_view(weight, num_heads):
    rows, columns = weight.shape
    pairs = weight.view(num_heads, rows // num_heads // 2, 2, columns)
    return pairs.transpose(1, 2).reshape(rows, columns)


def permute_by_steps(weight, num_heads):
    heads = weight.chunk(num_heads)
    return torch.cat([torch.cat((head[0::2], head[1::2])) for head in heads])


def permute_by_index(weight, num_heads):
    size = weight.shape[0] // num_heads
    order = [h * size + i for h in range(num_heads) for s in (0, 1) for i in range(s, size, 2)]
    return weight[order]


def permute_in_numpy(weight, num_heads):
    heads = weight.numpy().reshape(num_heads, -1, 2, weight.shape[1])
    return np.moveaxis(heads, 2, 1).reshape(weight.shape)


def permute_by_library(weight, num_heads):
    heads = weight.unflatten(0, (num_heads, -1))
    return pe_lib.interleaved_to_half(heads, dim=-2).flatten(0, 1)


def positions_by_cumsum(mask):
    return (mask.long().cumsum(-1) - 1).masked_fill(mask == 0, 0)


def positions_by_first_word(mask):
    first = mask.int().argmax(dim=1, keepdim=True)
    positions = torch.arange(mask.shape[1]) - first
    return torch.where(mask.bool(), positions, 0)


def positions_in_numpy(mask):
    words = mask.bool().numpy()
    return np.where(words, words.cumsum(axis=1) - 1, 0)


def positions_in_loops(mask):
    rows = []
    for row in mask.tolist():
        number, positions = 0, []
        for word in row:
            positions.append(number if word else 0)
            number += int(word)
        rows.append(positions)
    return torch.tensor(rows)


def positions_in_float(mask):
    return mask * (mask.float().cumsum(1) - 1)


def packed_by_library(q, k, documents):
    positions = torch.arange(len(q))
    tables = pe_lib.rotary_cos_sin(positions, q.shape[1], dtype=torch.float64)
    foreign = documents.unsqueeze(1) != documents.unsqueeze(0)
    bias = torch.zeros(foreign.shape, dtype=q.dtype).masked_fill(foreign, -math.inf)
    q, k = (pe_lib.apply_rotary(each, *tables) for each in (q, k))
    return pe_lib.attention_weights(q, k, bias=bias, causal=True)


def packed_text_by_text(q, k, documents):
    weights = torch.zeros(len(q), len(q))
    for number in documents.unique():
        own = documents == number
        a, b = (rope_hugging_face_style(each[own][None, None].float())[0, 0] for each in (q, k))
        scores = a @ b.T / len(q[0]) ** 0.5
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), float("-inf"))
        weights[own.nonzero(), own.nonzero().T] = scores.softmax(-1)
    return weights


def packed_in_numpy(q, k, documents):
    turned = [rope_in_numpy(each[None, None])[0, 0] for each in (q, k)]
    powers = np.exp(turned[0] @ turned[1].T / np.sqrt(q.shape[1]))
    powers = np.tril(powers) * (documents.numpy()[:, None] == documents.numpy()[None])
    return powers / powers.sum(1, keepdims=True)


def packed_anew(q, k, documents):
    counts = documents.unique_consecutive(return_counts=True)[1]
    positions = torch.cat([torch.arange(n) for n in counts])
    tables = pe_lib.rotary_cos_sin(positions, q.shape[-1])
    scores = pe_lib.apply_rotary(q, *tables) @ pe_lib.apply_rotary(k, *tables).T
    mask = torch.block_diag(*(torch.ones(n, n).tril() for n in counts))
    return (scores / q.shape[-1] ** 0.5 - 1e9 * (1 - mask)).softmax(dim=-1)


def _heads(t, num_heads):
    return t.view(t.shape[0], num_heads, -1).permute(1, 0, 2)


def mended(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    q, k, v = (t.unflatten(-1, (num_heads, -1)).transpose(0, 1) for t in (q, k, v))
    (_, seq, head_dim), past = q.shape, past_k.shape[1]
    positions = torch.arange(past, past + seq)
    angles = torch.outer(positions, pe_lib.inverse_frequencies(head_dim))
    angles = torch.cat((angles, angles), dim=-1)
    cos, sin = angles.cos(), angles.sin()
    q, k = (t * cos + pe_lib.rotate_half(t) * sin for t in (q, k))
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    return pe_lib.attention(q, k, v, causal=True).transpose(0, 1).flatten(1)


def mended_by_library(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    q, k, v = (_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    positions = past_k.shape[1] + torch.arange(len(x))
    tables = pe_lib.rotary_cos_sin(positions, q.shape[-1])
    q, k = pe_lib.apply_rotary(q, *tables), pe_lib.apply_rotary(k, *tables)
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    return pe_lib.attention(q, k, v, causal=True).transpose(0, 1).reshape(x.shape)


def mended_with_the_whole_table(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    q, k, v = (_heads(x @ w, num_heads)[None] for w in (w_q, w_k, w_v))
    past = past_k.size(1)
    q, k = rope_hugging_face_style(q, past), rope_hugging_face_style(k, past)
    k, v = torch.cat((past_k[None], k), 2), torch.cat((past_v[None], v), 2)
    mask = torch.ones(len(x), k.size(2)).tril(past).bool()
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return out[0].transpose(0, 1).flatten(1)


def mended_head_by_head(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    size, out = x.shape[1] // num_heads, []
    for h in range(num_heads):
        own = slice(h * size, (h + 1) * size)
        q, k, v = x @ w_q[:, own], x @ w_k[:, own], x @ w_v[:, own]
        q, k = (rope_by_library(t, past_k.shape[1]) for t in (q, k))
        out.append(
            pe_lib.attention(q, torch.cat((past_k[h], k)), torch.cat((past_v[h], v)), causal=True)
        )
    return torch.cat(out, dim=1)


RIGHT = {
    "rotate_half": [half_by_chunk, half_by_roll, half_in_numpy, half_by_complex, half_in_loops],
    "apply_rope": [
        rope_hugging_face_style,
        rope_by_complex,
        rope_by_library,
        rope_in_numpy,
        rope_by_matrices,
    ],
    "permute_weights": [
        permute_by_view,
        permute_by_steps,
        permute_by_index,
        permute_in_numpy,
        permute_by_library,
    ],
    "position_ids": [
        positions_by_cumsum,
        positions_by_first_word,
        positions_in_numpy,
        positions_in_loops,
        positions_in_float,
    ],
    "packed_weights": [packed_by_library, packed_text_by_text, packed_in_numpy, packed_anew],
    "find_the_bug": [
        mended,
        mended_by_library,
        mended_with_the_whole_table,
        mended_head_by_head,
    ],
}

# --- wrong ----------------------------------------------------------------------------------------


def half_by_stride(x):
    return torch.cat((-x[..., 1::2], x[..., 0::2]), dim=-1)


def half_by_writing_back(x):
    x = x.clone()
    half = x.shape[-1] // 2
    x[..., :half], x[..., half:] = -x[..., half:], x[..., :half]
    return x


def half_by_length(x):
    return torch.cat((-x[len(x) // 2 :], x[: len(x) // 2]))


def half_stacked(x):
    a, b = x.chunk(2, dim=-1)
    return torch.stack((-b, a), dim=-1).flatten(-2)


def half_in_place(x):
    half = x.shape[-1] // 2
    first = x[..., :half].clone()
    x[..., :half] = -x[..., half:]
    x[..., half:] = first
    return x


def _tables(x, offset, repeat):
    freqs = 10000 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = torch.outer(torch.arange(x.shape[-2]) + offset, freqs)
    angles = angles.repeat_interleave(2, -1) if repeat else torch.cat((angles, angles), -1)
    return angles.cos(), angles.sin()


def rope_with_tables_of_meta(x, offset=0):
    cos, sin = _tables(x, offset, repeat=True)
    return x * cos + half_by_chunk(x) * sin


def rope_of_meta(x, offset=0):
    cos, sin = pe_lib.rotary_cos_sin(torch.arange(x.shape[2]) + offset, x.shape[3])
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * torch.complex(cos, sin)).flatten(-2)


def rope_of_another_axis(x, offset=0):
    tables = pe_lib.rotary_cos_sin(torch.arange(x.shape[1]) + offset, x.shape[3])
    return pe_lib.apply_rotary(x, *tables, seq_dim=-3)


def rope_from_the_start_of_the_table(x, offset=0):
    cos, sin = pe_lib.rotary_cos_sin(offset + x.shape[2], x.shape[3])
    return pe_lib.apply_rotary(x, cos[: x.shape[2]], sin[: x.shape[2]])


def rope_written_back(x, offset=0):
    cos, sin = pe_lib.rotary_cos_sin(torch.arange(x.shape[2]) + offset, x.shape[3])
    x = x.clone()
    a, b = x.chunk(2, dim=-1)
    a[:] = a * cos - b * sin
    b[:] = b * cos + a * sin
    return x


def rope_mirrored(x, offset=0):
    cos, sin = _tables(x, offset, repeat=False)
    return x * cos - half_by_chunk(x) * sin


def rope_with_half_of_the_width(x, offset=0):
    half = x.shape[-1] // 2
    angles = torch.outer(
        torch.arange(offset, offset + x.shape[2]).float(),
        torch.exp(-math.log(10000) * torch.arange(half) / x.shape[-1]),
    )
    a, b = x.chunk(2, dim=-1)
    turned = torch.complex(a, b) * torch.exp(1j * angles)
    return torch.cat((turned.real, turned.imag), -1)


def rope_before_the_split(x, offset=0):
    batch, heads, seq, head_dim = x.shape
    x = x.transpose(1, 2).reshape(batch, 1, seq, heads * head_dim)
    x = rope_hugging_face_style(x, offset)
    return x.reshape(batch, seq, heads, head_dim).transpose(1, 2)


def permute_all_rows(weight, num_heads):
    return torch.cat((weight[0::2], weight[1::2]))


def permute_with_pairs_last(weight, num_heads):
    rows, columns = weight.shape
    halves = weight.view(num_heads, 2, rows // num_heads // 2, columns)
    return halves.transpose(1, 2).reshape(rows, columns)


def permute_the_features_that_come_in(weight, num_heads):
    heads = weight.unflatten(1, (num_heads, -1))
    return pe_lib.interleaved_to_half(heads).flatten(1)


def permute_in_place(weight, num_heads):
    for head in weight.chunk(num_heads):
        head[:] = torch.cat((head[0::2], head[1::2]))
    return weight


def positions_in_the_dtype_of_the_mask(mask):
    return ((mask.cumsum(-1) - 1) * mask).long()


def positions_of_hugging_face(mask):
    position_ids = mask.long().cumsum(-1) - 1
    return position_ids.masked_fill_(mask == 0, 1)


def positions_since_the_pads(mask):
    pads = (mask == 0).sum(dim=1, keepdim=True)
    return (torch.arange(mask.shape[1]) - pads).clamp(min=0)


def _packed(q, k, seen, positions=None):
    positions = torch.arange(len(q)) if positions is None else positions
    tables = pe_lib.rotary_cos_sin(positions, q.shape[-1])
    scores = pe_lib.apply_rotary(q, *tables) @ pe_lib.apply_rotary(k, *tables).T
    return (scores / q.shape[-1] ** 0.5).masked_fill(~seen, -math.inf).softmax(-1)


def packed_with_position_ids_only(q, k, documents):
    positions = torch.cat([torch.arange(int((documents == d).sum())) for d in documents.unique()])
    return _packed(q, k, torch.ones(len(q), len(q)).tril().bool(), positions)


def packed_in_blocks(q, k, documents):
    return _packed(q, k, documents[:, None] == documents)


def packed_by_document(q, k, documents):
    same = documents[:, None] == documents
    return _packed(q, k, same & torch.ones_like(same).tril(), documents)


def packed_then_zeroed(q, k, documents):
    same = documents[:, None] == documents
    weights = _packed(q, k, torch.ones_like(same))
    return torch.where(same.tril(), weights, 0)


def packed_by_flag(q, k, documents):
    tables = pe_lib.rotary_cos_sin(len(q), q.shape[1])
    q, k = (pe_lib.apply_rotary(each, *tables) for each in (q, k))
    return pe_lib.attention_weights(q, k, causal=True)


def planted(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    """As it stands in the chapter."""
    seq, dim = x.shape
    angles = torch.outer(torch.arange(seq), pe_lib.inverse_frequencies(dim))
    angles = angles.repeat_interleave(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    q, k, v = (t * cos + pe_lib.rotate_half(t) * sin for t in (q, k, v))
    q, k, v = (t.unflatten(-1, (num_heads, -1)).transpose(0, 1) for t in (q, k, v))
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    return pe_lib.attention(q, k, v, causal=True).transpose(0, 1).flatten(1)


def mended_but_interleaved(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    past, dim = past_k.shape[1], x.shape[1]
    angles = torch.outer(torch.arange(past, past + len(x)), pe_lib.inverse_frequencies(dim))
    angles = angles.repeat_interleave(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    q, k = (t * cos + pe_lib.rotate_half(t, interleaved=True) * sin for t in (q, k))
    q, k, v = (_heads(t, num_heads) for t in (q, k, v))
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    return pe_lib.attention(q, k, v, causal=True).transpose(0, 1).flatten(1)


def mended_but_all_keys_turned(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    q, k, v = (_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    cos, sin = pe_lib.rotary_cos_sin(k.shape[1], k.shape[2])
    q = pe_lib.apply_rotary(q, cos[-len(x) :], sin[-len(x) :])
    k = pe_lib.apply_rotary(k, cos, sin)
    return pe_lib.attention(q, k, v, causal=True).transpose(0, 1).flatten(1)


def mended_but_from_the_first_axis(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    q, k, v = (_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    positions = torch.arange(len(x)) + len(past_k)
    q, k, v = (
        pe_lib.apply_rotary(each, *pe_lib.rotary_cos_sin(positions, each.shape[-1]))
        for each in (q, k, v)
    )
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    return pe_lib.attention(q, k, v, causal=True).transpose(0, 1).flatten(1)


def mended_without_the_cache_in_mind(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    q, k, v = (_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    q, k = (rope_by_library(each) for each in (q, k))
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    return pe_lib.attention(q, k, v, causal=True).transpose(0, 1).flatten(1)


WRONG = [
    ("rotate_half", half_by_stride, "interleaved read, half-split written"),
    ("rotate_half", half_by_writing_back, "overwritten before it was read"),
    ("rotate_half", half_by_length, "first axis cut in halves"),
    ("rotate_half", half_stacked, "half-split read, interleaved written"),
    ("rotate_half", lambda x: x.roll(x.shape[-1] // 2, dims=-1), "no minus"),
    ("rotate_half", half_in_place, "changed in place"),
    ("apply_rope", rope_with_tables_of_meta, "tables of the other layout"),
    ("apply_rope", rope_of_meta, "interleaved pairs"),
    ("apply_rope", rope_of_another_axis, "heads counted"),
    ("apply_rope", rope_from_the_start_of_the_table, "offset ignored"),
    ("apply_rope", rope_written_back, "new half used too early"),
    ("apply_rope", rope_mirrored, "turned backwards"),
    ("apply_rope", rope_with_half_of_the_width, "exponent without its 2"),
    ("apply_rope", rope_before_the_split, "heads put together"),
    ("permute_weights", permute_all_rows, "across heads"),
    ("permute_weights", permute_with_pairs_last, "the way back"),
    ("permute_weights", permute_the_features_that_come_in, "columns instead of rows"),
    ("permute_weights", permute_in_place, "changed in place"),
    ("position_ids", positions_in_the_dtype_of_the_mask, "counted in bfloat16"),
    ("position_ids", positions_of_hugging_face, "pads at 1"),
    ("position_ids", positions_since_the_pads, "all pads taken off"),
    ("position_ids", lambda mask: mask.cumsum(-1) - 1, "pads negative"),
    ("packed_weights", packed_with_position_ids_only, "positions anew, no document mask"),
    ("packed_weights", packed_in_blocks, "looks ahead"),
    ("packed_weights", packed_by_document, "not turned"),
    ("packed_weights", packed_then_zeroed, "masked after the softmax"),
    ("packed_weights", packed_by_flag, "no document mask"),
    (
        "find_the_bug",
        planted,
        "turned before the split, tables of the other layout, values turned, offset forgotten",
    ),
    ("find_the_bug", mended_but_interleaved, "turned before the split, interleaved pairs"),
    ("find_the_bug", mended_but_all_keys_turned, "cached keys turned again"),
    ("find_the_bug", mended_but_from_the_first_axis, "values turned, number of heads"),
    ("find_the_bug", mended_without_the_cache_in_mind, "offset forgotten"),
]
