"""find_the_bug (chapter 05): answers in many styles."""

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


RIGHT = [
    mended,
    mended_by_library,
    mended_with_the_whole_table,
    mended_head_by_head,
]
