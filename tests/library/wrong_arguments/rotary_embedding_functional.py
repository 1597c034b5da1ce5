"""Wrong values for the functions beside RotaryEmbedding."""

import torch

from tests.library.wrong_arguments.rotary_embedding import (
    FLOATING,
    SCALE,
    SCALES,
    SEQ_DIM,
    axis,
    broadcast,
    count,
    features,
    not_an_int,
)

BAD = {
    "apply_rotary_emb.freqs": [
        ([0.0], TypeError, FLOATING, "[0.0] (list)"),
        (
            torch.zeros(3, 8).long(),
            TypeError,
            FLOATING,
            "dtype torch.int64",
        ),
        (torch.zeros(3, 7), ValueError, "an even width", "shape (3, 7)"),
        (torch.tensor(0.0), ValueError, "an even width", "shape ()"),
        (torch.zeros(2, 8), ValueError, "at least seq = 3 rows", "2 (shape (2, 8))"),
        (torch.zeros(3, 10), ValueError, "start_index + width <= dim = 8", "0 + 10"),
        (torch.zeros(12), ValueError, "start_index + width <= dim = 8", "0 + 12"),
        broadcast((1, 3, 3, 8)),
        broadcast((5, 3, 8)),
    ],
    "apply_rotary_emb.t": features(8)[:-1],
    "apply_rotary_emb.start_index": count(0),
    "apply_rotary_emb.scale": [*SCALES, (None, TypeError, SCALE, "None (NoneType)")],
    "apply_rotary_emb.seq_dim": [*SEQ_DIM, (None, TypeError, "an int", "None (NoneType)")],
    "apply_rotary_emb.freqs_seq_dim": [
        *not_an_int("an int or None"),
        *axis("an axis before the last of 2", 2, " (shape (3, 8))"),
    ],
    "slice_at_dim.t": [
        ([0.0], TypeError, "a tensor", "[0.0] (list)"),
        (torch.zeros(3).numpy(), TypeError, "a tensor", "shape (3,) (ndarray)"),
    ],
    "dim_slice": [
        ((0, 2), TypeError, "a slice", "(0, 2) (tuple)"),
        (1, TypeError, "a slice", "1 (int)"),
    ],
    "slice_at_dim.dim": [
        *not_an_int("an int"),
        (3, ValueError, "an axis of t, which has 3", "3"),
        (-4, ValueError, "an axis of t, which has 3", "-4"),
    ],
}
GOOD = {
    "apply_rotary_emb.freqs": torch.zeros(3, 8),
    "apply_rotary_emb.t": torch.zeros(2, 3, 8),
    "slice_at_dim.t": torch.zeros(2, 3, 8),
    "dim_slice": slice(1, 2),
    "slice_at_dim.dim": 1,
}
