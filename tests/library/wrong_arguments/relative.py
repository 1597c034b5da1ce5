"""Wrong values for the relative positions."""

import torch


def count(least, but_none=False):
    expected = f"an int >= {least}"
    none = [] if but_none else [(None, TypeError, expected, "None (NoneType)")]
    return [
        (3.0, TypeError, expected, "3.0 (float)"),
        ("3", TypeError, expected, "'3' (str)"),
        (True, TypeError, expected, "True (bool)"),
        (torch.tensor(3), TypeError, expected, "a tensor of shape () and dtype torch.int64"),
        (least - 1, ValueError, expected, str(least - 1)),
        (-3, ValueError, expected, "-3"),
        *none,
    ]


BOOLS = [
    (1, TypeError, "a bool", "1 (int)"),
    (None, TypeError, "a bool", "None (NoneType)"),
    ("yes", TypeError, "a bool", "'yes' (str)"),
]
INTEGERS = [
    (3, TypeError, "an integer tensor", "3 (int)"),
    ([0, 1], TypeError, "an integer tensor", "[0, 1] (list)"),
    (torch.arange(3).numpy(), TypeError, "an integer tensor", "shape (3,) (ndarray)"),
    (torch.zeros(2), TypeError, "an integer tensor", "dtype torch.float32"),
    (torch.zeros(2).bool(), TypeError, "an integer tensor", "dtype torch.bool"),
    (torch.zeros(2) * 1j, TypeError, "an integer tensor", "dtype torch.complex64"),
]
DEVICES = [
    (0.5, TypeError, "a torch.device or its name", "0.5 (float)"),
    (torch.float32, TypeError, "a torch.device or its name", "torch.float32 (dtype)"),
]
BIASES = ("T5RelativeBias()", "KerpleBias()", "FireBias()")
MANY_BUCKETS = [(16, ValueError, "an int >= 17", "16"), (1, ValueError, "an int >= 17", "1")]
FEW_BUCKETS = [(8, ValueError, "an int >= 9", "8"), (0, ValueError, "an int >= 9", "0")]
NO_INTS = [
    (128.0, TypeError, "an int >= 9", "128.0 (float)"),
    (None, TypeError, "an int >= 9", "None (NoneType)"),
    (True, TypeError, "an int >= 9", "True (bool)"),
]


def tensor(axes):
    """Not a floating point tensor with these axes."""
    least = f"at least {axes.count(',')} axes {axes}"
    return [
        (None, TypeError, f"a floating point tensor {axes}", "None (NoneType)"),
        ([[0.0]], TypeError, f"a floating point tensor {axes}", "[[0.0]] (list)"),
        (torch.ones(3, 4).long(), TypeError, "a floating point tensor", "dtype torch.int64"),
        (torch.ones(3, 4) * 1j, TypeError, "a floating point tensor", "dtype torch.complex64"),
        (torch.ones(4), ValueError, least, "shape (4,)"),
        (torch.tensor(1.0), ValueError, least, "shape ()"),
    ]


def queries(*shape):
    """Not of four features, and of this shape otherwise."""
    expected = "head_dim = 4 features on the last axis"
    wrong = torch.ones(*shape, 6)
    return [
        *tensor("(..., seq, head_dim)"),
        (wrong, ValueError, expected, f"6 (shape {tuple(wrong.shape)})"),
    ]


HEADS = "num_heads = 2 on the third last axis"
THIRD_AXIS = [
    (torch.ones(3, 4), ValueError, HEADS, "shape (3, 4)"),
    (torch.ones(5, 3, 4), ValueError, HEADS, "shape (5, 3, 4)"),
    (torch.ones(2, 1, 3, 4), ValueError, HEADS, "shape (2, 1, 3, 4)"),
]

BAD = {
    **{f"{name}.q_len": count(1) for name in BIASES},
    **{f"{name}.k_len": count(1, but_none=True) for name in (*BIASES, "ShawRelativePosition()")},
    **{
        f"{name}.{argument}": rows
        for name in ("relative_positions", "relative_position_index")
        for argument, rows in {
            "q_len": count(1),
            "k_len": count(1, but_none=True),
            "device": DEVICES,
        }.items()
    },
    "relative_position_index.max_distance": count(0),
    "relative_position": INTEGERS,
    "FireBias().padding": INTEGERS,
    "FireBias.score_mod.padding": INTEGERS,
    "t5_relative_bucket.bidirectional": BOOLS,
    "T5RelativeBias.bidirectional": BOOLS,
    "t5_relative_bucket.num_buckets": count(2),
    "T5RelativeBias.num_buckets": count(4),
    "t5_relative_bucket.max_distance": [
        *MANY_BUCKETS,
        (128.0, TypeError, "an int >= 17", "128.0 (float)"),
        (None, TypeError, "an int >= 17", "None (NoneType)"),
    ],
    "T5RelativeBias.max_distance": [*FEW_BUCKETS, *NO_INTS],
    "FireBias.width": count(1),
    "ShawRelativePosition.head_dim": count(1),
    "ShawRelativePosition.max_distance": count(0),
    "ShawRelativePosition().q": queries(3),
    "ShawRelativePosition.value_term.weights": tensor("(..., q_len, k_len)"),
    "TransformerXLRelativePosition.dim": [
        (8.0, TypeError, "an even int >= 2", "8.0 (float)"),
        (None, TypeError, "an even int >= 2", "None (NoneType)"),
        (7, ValueError, "an even int >= 2 (features come in pairs)", "7"),
        (0, ValueError, "an even int >= 2 (features come in pairs)", "0"),
    ],
    "TransformerXLRelativePosition.num_heads": count(1),
    "TransformerXLRelativePosition().q": [*queries(2, 3), *THIRD_AXIS],
    "TransformerXLRelativePosition().k": [*queries(2, 3), *THIRD_AXIS],
    "ContextualPosition.head_dim": count(1),
    "ContextualPosition.max_positions": count(1),
    "ContextualPosition().q": queries(3),
    "ContextualPosition().scores": [
        *tensor("(..., q_len, k_len)"),
        (torch.ones(3, 5), ValueError, "the shape (2, 3) and k_len", "shape (3, 5)"),
        (torch.ones(2, 4, 5), ValueError, "the shape (2, 3) and k_len", "shape (2, 4, 5)"),
        (torch.ones(3, 3, 5), ValueError, "the shape (2, 3) and k_len", "shape (3, 3, 5)"),
    ],
}
GOOD = {
    **{f"{name}.q_len": 2 for name in (*BIASES, "relative_positions", "relative_position_index")},
    "relative_position_index.max_distance": 3,
    "relative_position": torch.tensor([-1, 2]),
    "t5_relative_bucket.bidirectional": False,
    "ShawRelativePosition.head_dim": 4,
    "ShawRelativePosition.max_distance": 2,
    "ShawRelativePosition().q": torch.ones(3, 4),
    "weights": torch.ones(2, 3),
    "TransformerXLRelativePosition().q": torch.ones(2, 3, 4),
    "TransformerXLRelativePosition().k": torch.ones(2, 5, 4),
    "ContextualPosition.head_dim": 4,
    "ContextualPosition.max_positions": 3,
    "ContextualPosition().q": torch.ones(2, 3, 4),
    "ContextualPosition().scores": torch.ones(2, 3, 5),
}
