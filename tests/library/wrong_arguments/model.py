"""Wrong values for attention and for the models that are made of it."""

import torch

ROWS = "a floating point tensor (..., q_len, head_dim)"
TENSOR = "a floating point tensor"
LIKE_Q = "a tensor of dtype torch.float32"


def beside_q(shape, *more):
    """Wrong values for keys or values beside queries (2, 3, 8)."""
    return [
        ([0.0], TypeError, LIKE_Q, "[0.0] (list)"),
        (None, TypeError, LIKE_Q, "None (NoneType)"),
        (
            torch.zeros(2, 5, 8).double(),
            TypeError,
            LIKE_Q,
            "a tensor of shape (2, 5, 8) and dtype torch.float64",
        ),
        *(
            (torch.zeros(wrong), ValueError, f"shape {shape}", str(wrong))
            for wrong in [(5, 8), (3, 5, 8), (1, 2, 5, 8), (8,), *more]
        ),
    ]


QUERIES = [
    ([[0.0]], TypeError, ROWS, "[[0.0]] (list)"),
    (None, TypeError, ROWS, "None (NoneType)"),
    (torch.zeros(2, 3, 8).long(), TypeError, TENSOR, "dtype torch.int64"),
    (torch.zeros(8), ValueError, "at least 2 axes (..., q_len, head_dim)", "shape (8,)"),
]
KEYS = beside_q("(2, k_len, 8)", (2, 5, 6))
FITS = "a shape that broadcasts to the scores' (2, 3, 5)"
BIAS = [
    ("alibi", TypeError, TENSOR, "'alibi' (str)"),
    (0.0, TypeError, TENSOR, "0.0 (float)"),
    (torch.ones(3, 5, dtype=torch.bool), TypeError, TENSOR, "dtype torch.bool"),
    (torch.zeros(5, 3), ValueError, FITS, "(5, 3)"),
    (torch.zeros(4, 3, 5), ValueError, FITS, "(4, 3, 5)"),
    (torch.zeros(1, 2, 3, 5), ValueError, FITS, "(1, 2, 3, 5)"),
    (torch.zeros(3), ValueError, FITS, "(3,)"),
]
BOOL = [(1, TypeError, "a bool", "1 (int)"), (None, TypeError, "a bool", "None (NoneType)")]


def count(least=1):
    return [
        (2.0, TypeError, f"an int >= {least}", "2.0 (float)"),
        ("2", TypeError, f"an int >= {least}", "'2' (str)"),
        (True, TypeError, f"an int >= {least}", "True (bool)"),
        (least - 1, ValueError, f"an int >= {least}", str(least - 1)),
    ]


DIM = [
    *count(),
    (7, ValueError, "a multiple of num_heads = 2", "7"),
    (1, ValueError, "a multiple of num_heads = 2", "1"),
]
POSITION = [
    ("rope", TypeError, "a Position (of model.positions) or None", "'rope' (str)"),
    (
        torch.nn.Identity(),
        TypeError,
        "a Position (of model.positions) or None",
        "Identity() (Identity)",
    ),
]
KIND = (
    "one of 'none', 'sinusoidal', 'learned', 'rope', 'xpos', 'shaw', 't5', 'xl', 'alibi', "
    "'kerple', 'fire', 'cope'"
)
WINDOW = [(value, error, "an int >= 1 or None", got) for value, error, _, got in count()]
CACHE = [
    ({}, TypeError, "a KVCache or None", "{} (dict)"),
    (True, TypeError, "a KVCache or None", "True (bool)"),
]
POSITIONS = [
    (3, TypeError, "a tensor of dtype torch.int64", "3 (int)"),
    ([0, 1, 2], TypeError, "a tensor of dtype torch.int64", "[0, 1, 2] (list)"),
    (
        torch.zeros(3),
        TypeError,
        "a tensor of dtype torch.int64",
        "a tensor of shape (3,) and dtype torch.float32",
    ),
    (torch.arange(4), ValueError, "shape (3)", "(4,)"),
    (torch.zeros(1, 3).long(), ValueError, "shape (2, 3)", "(1, 3)"),
    (torch.zeros(2, 4).long(), ValueError, "shape (2, 3)", "(2, 4)"),
]
TOKENS = [
    ([[1, 2]], TypeError, "a tensor of dtype torch.int64", "[[1, 2]] (list)"),
    (
        torch.zeros(2, 3),
        TypeError,
        "a tensor of dtype torch.int64",
        "a tensor of shape (2, 3) and dtype torch.float32",
    ),
    (torch.zeros(3).long(), ValueError, "shape (batch, seq)", "(3,)"),
    (torch.zeros(1, 2, 3).long(), ValueError, "shape (batch, seq)", "(1, 2, 3)"),
]
MASK = [
    ([[True]], TypeError, "a tensor of dtype torch.bool", "[[True]] (list)"),
    (
        torch.ones(2, 3).long(),
        TypeError,
        "a tensor of dtype torch.bool",
        "a tensor of shape (2, 3) and dtype torch.int64",
    ),
    (torch.ones(3).bool(), ValueError, "shape (2, 3)", "(3,)"),
    (torch.ones(2, 4).bool(), ValueError, "shape (2, 3)", "(2, 4)"),
    (torch.ones(1, 3).bool(), ValueError, "shape (2, 3)", "(1, 3)"),
]
VISION_KIND = "one of 'none', 'learned', 'sinusoidal2d', 'rope1d', 'rope2d', 'mixed'"
IMAGES = "a floating point tensor (batch, channels, height, width)"
IMAGE_SIZE = "height and width to be multiples of patch_size = 2"

BAD = {
    "attention.q": QUERIES,
    "attention_weights.q": QUERIES,
    "attention.k": KEYS,
    "attention_weights.k": KEYS,
    "attention.v": beside_q("(2, 5, value_dim)", (2, 4, 8)),
    "attention.bias": BIAS,
    "attention_weights.bias": BIAS,
    "attention.causal": BOOL,
    "attention_weights.causal": BOOL,
    "MultiHeadAttention.dim": DIM,
    "MultiHeadAttention.causal": BOOL,
    "MultiHeadAttention.position": POSITION,
    "MultiHeadAttention.window": [
        *WINDOW,
        ([4, None], TypeError, "an int >= 1 or None", "[4, None] (list)"),
    ],
    "MultiHeadAttention().positions": POSITIONS,
    "MultiHeadAttention().cache": CACHE,
    "TransformerBlock.dim": DIM,
    "TransformerBlock.causal": BOOL,
    "TransformerBlock.position": POSITION,
    "TransformerBlock.window": WINDOW,
    "TransformerBlock().positions": POSITIONS,
    "TransformerBlock().cache": CACHE,
    "TransformerLM.vocab_size": count(),
    "TransformerLM.dim": DIM,
    "TransformerLM.num_layers": count(),
    "TransformerLM.max_len": count(),
    "TransformerLM.causal": BOOL,
    "TransformerLM.position": [
        (None, TypeError, KIND, "None (NoneType)"),
        (torch.zeros(2), TypeError, KIND, "a tensor of shape (2,) and dtype torch.float32"),
        ({"rope", "none"}, TypeError, KIND, "{'none', 'rope'} (set)"),
        (["rope"], ValueError, "one kind for each of the 2 layers", "1"),
        (("rope", "rope", "none"), ValueError, "one kind for each of the 2 layers", "3"),
        ("RoPE", ValueError, KIND, "'RoPE'"),
        ("", ValueError, KIND, "''"),
    ],
    "TransformerLM.window": [
        *WINDOW,
        ({4}, TypeError, "an int >= 1 or None", "{4} (set)"),
        ([], ValueError, "one for each of the 2 layers", "0"),
        ((4, None, 4), ValueError, "one for each of the 2 layers", "3"),
    ],
    "TransformerLM.scaling": [
        ("yarn", TypeError, "a Scaling or None", "'yarn' (str)"),
        (4.0, TypeError, "a Scaling or None", "4.0 (float)"),
    ],
    "TransformerLM().tokens": TOKENS,
    "TransformerLM().attention_mask": MASK,
    "TransformerLM().cache": [
        ([], TypeError, "a ModelCache or None", "[] (list)"),
        (True, TypeError, "a ModelCache or None", "True (bool)"),
    ],
    "VisionTransformer.num_classes": count(),
    "VisionTransformer.dim": DIM,
    "VisionTransformer.num_layers": count(),
    "VisionTransformer.image_size": [
        *count(),
        (7, ValueError, "a multiple of patch_size = 2", "7"),
    ],
    "VisionTransformer.patch_size": count(),
    "VisionTransformer.channels": count(),
    "VisionTransformer.position": [
        (None, TypeError, VISION_KIND, "None (NoneType)"),
        ("rope", ValueError, VISION_KIND, "'rope'"),
    ],
    "images": [
        ([[0.0]], TypeError, IMAGES, "[[0.0]] (list)"),
        (torch.zeros(2, 1, 8, 8).long(), TypeError, TENSOR, "dtype torch.int64"),
        (
            torch.zeros(8, 8),
            ValueError,
            "shape (batch, 1, height, width)",
            "(8, 8)",
        ),
        (torch.zeros(2, 8, 8), ValueError, "shape (batch, 1, height, width)", "(2, 8, 8)"),
        (torch.zeros(2, 3, 8, 8), ValueError, "shape (batch, 1, height, width)", "(2, 3, 8, 8)"),
        (torch.zeros(2, 1, 7, 8), ValueError, IMAGE_SIZE, "(7, 8)"),
        (torch.zeros(2, 1, 8, 5), ValueError, IMAGE_SIZE, "(8, 5)"),
        (torch.zeros(2, 1, 0, 8), ValueError, IMAGE_SIZE, "(0, 8)"),
    ],
    "VisionTransformer().resized": BOOL,
    "TransformerLM.generate.tokens": TOKENS,
    "TransformerLM.generate.attention_mask": MASK,
    "TransformerLM.generate.num_tokens": count(0),
}  # fmt: skip
GOOD = {
    "attention.q": torch.zeros(2, 3, 8),
    "attention.k": torch.zeros(2, 5, 8),
    "attention.v": torch.zeros(2, 5, 8),
    "attention_weights.q": torch.zeros(2, 3, 8),
    "attention_weights.k": torch.zeros(2, 5, 8),
    "MultiHeadAttention().positions": torch.arange(3),
    "TransformerBlock().positions": torch.arange(3),
    "TransformerLM.vocab_size": 10,
    "TransformerLM.num_layers": 2,
    "TransformerLM.max_len": 16,
    "TransformerLM().tokens": torch.ones(2, 3).long(),
    "TransformerLM.generate.tokens": torch.ones(2, 3).long(),
    "TransformerLM.generate.num_tokens": 2,
    "VisionTransformer.num_classes": 10,
    "VisionTransformer.num_layers": 1,
    "VisionTransformer.image_size": 8,
    "VisionTransformer.patch_size": 2,
    "images": torch.zeros(2, 1, 8, 8),
}
