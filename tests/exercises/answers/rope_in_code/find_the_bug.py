"""find_the_bug (chapter 05): answers in many styles, right and wrong ones."""

import torch

import pe_lib
from tests.exercises.answers.rope_in_code._common import rope_by_library, rope_hugging_face_style


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


def mended_but_the_mask(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    q, k, v = (_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    q, k = (rope_by_library(each, past_k.shape[1]) for each in (q, k))
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    mask = torch.ones(len(x), k.shape[1]).tril().bool()
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return out.transpose(0, 1).flatten(1)


def mended_by_leaving_it_out(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    q, k, v = (_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    return pe_lib.attention(q, k, v, causal=True).transpose(0, 1).flatten(1)


def mended_but_clockwise(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    q, k, v = (_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    positions = torch.arange(len(x)) + past_k.shape[1]
    cos, sin = pe_lib.rotary_cos_sin(positions, q.shape[-1])
    q, k = (pe_lib.apply_rotary(each, cos, -sin) for each in (q, k))
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    return pe_lib.attention(q, k, v, causal=True).transpose(0, 1).flatten(1)


def mended_without_the_cache_in_mind(x, w_q, w_k, w_v, num_heads, past_k, past_v):
    q, k, v = (_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    q, k = (rope_by_library(each) for each in (q, k))
    k, v = torch.cat((past_k, k), dim=1), torch.cat((past_v, v), dim=1)
    return pe_lib.attention(q, k, v, causal=True).transpose(0, 1).flatten(1)


RIGHT = [
    mended,
    mended_by_library,
    mended_with_the_whole_table,
    mended_head_by_head,
]
WRONG = [
    (
        planted,
        "turned before the split, tables of the other layout, values turned, offset forgotten",
    ),
    (mended_but_interleaved, "turned before the split, interleaved pairs"),
    (mended_but_all_keys_turned, "cached keys turned again"),
    (mended_but_from_the_first_axis, "values turned, number of heads"),
    (mended_but_the_mask, "mask aligned at the start"),
    (mended_by_leaving_it_out, "nothing turned"),
    (mended_but_clockwise, "turned clockwise"),
    (mended_without_the_cache_in_mind, "offset forgotten"),
]
