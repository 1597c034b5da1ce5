"""Wrong values for a model's configuration, for what is read from it, and for the module."""

import math

import torch

from pe_lib import RotaryPositionalEmbedding, RotarySettings
from tests.library.wrong_arguments.rotary import (
    LENGTH,
    NOT_NEGATIVE,
    SCALING,
    WIDE,
    features,
    like,
)
from tests.library.wrong_arguments.two_dimensions import BAD as TWO_DIMENSIONS

CONFIG = "a Hugging Face configuration or its dict (config.json)"
LAYER = "the type of a layer (a str) or its number (an int)"
TENSOR = "a floating point tensor"
AXES = f"{TENSOR} (..., heads, seq, head_dim)"
ANY_BOOL = [(1, TypeError, "a bool", "1 (int)"), ("no", TypeError, "a bool", "'no' (str)")]
NO_BOOL = (None, TypeError, "a bool", "None (NoneType)")
PAIRS = "None or the axes [0, 0, 1, 2] of sections or widths in another order"
SCALES = "a number for each of the 0 axes of widths"
POSITIONS = "None or a real tensor"
COUNTS = "a real tensor"
BFLOAT16 = (
    "torch.bfloat16, in which 257 is 256: pass integers, float32 or float64, as they were before "
    "the cast"
)
NO_SCALING = "0 beside sections, and without a scaling that has original_max_position"
NAMES = "a tuple of names of settings"
SOME = (
    "dim, theta, scaling, sections, sections_interleaved, pair_axes, widths, coordinate_scale, "
    "interleaved, temperature_beta, rotates_last, score_scale, assumed"
)
SETTINGS, MODULE, TABLES = "RotarySettings", "RotaryPositionalEmbedding", "RotaryTables"
THEIRS = "TransformersRotary"
RANGE = "an int from -2^53 to 2^53 - 3"
OFFSETS = [
    (1.5, TypeError, "an int", "1.5 (float)"),
    (None, TypeError, "an int", "None (NoneType)"),
    (True, TypeError, "an int", "True (bool)"),
    (2**70, ValueError, RANGE, str(2**70)),
    (2**63 - 2, ValueError, RANGE, str(2**63 - 2)),
    (2**53 - 2, ValueError, RANGE, str(2**53 - 2)),
    (-(2**53) - 1, ValueError, RANGE, str(-(2**53) - 1)),
]
POSITIVE = [
    ("1", TypeError, "a finite number > 0", "'1' (str)"),
    (None, TypeError, "a finite number > 0", "None (NoneType)"),
    (0.0, ValueError, "a finite number > 0", "0.0"),
    (math.inf, ValueError, "a finite number > 0", "inf"),
]


OFFSETS_OF_A_TEXT = [
    *OFFSETS,
    (
        torch.tensor([1, 2]),
        TypeError,
        "an int (for one of each sequence's own, positions: offset[:, None] + torch.arange(3))",
        "a tensor of shape (2,) and dtype torch.int64",
    ),
]
TABLES_OF_OTHERS = [
    ((1.0, 0.0), TypeError, "RotaryTables or None", "(1.0, 0.0) (tuple)"),
    (
        RotaryPositionalEmbedding(8, 500.0).tables(3),
        ValueError,
        "those of RotarySettings(dim=8)",
        "those of RotarySettings(dim=8, theta=500.0)",
    ),
]


def positions(name):
    fits = f"one for each of {name}'s seq = 3 rows, for all sequences or for each of the batch (2,)"
    return [
        (3, TypeError, f"{POSITIONS} (an offset is passed by its name)", "3 (int)"),
        (torch.arange(3).bfloat16(), TypeError, POSITIONS, BFLOAT16),
        ([0, 1, 2], TypeError, POSITIONS, "[0, 1, 2] (list)"),
        (torch.ones(3, dtype=torch.bool), TypeError, POSITIONS, "dtype torch.bool"),
        (torch.ones(3) * 1j, TypeError, POSITIONS, "dtype torch.complex64"),
        (torch.tensor(3), ValueError, fits, "shape ()"),
        (torch.arange(2), ValueError, fits, "shape (2,)"),
        (torch.zeros(3, 3), ValueError, fits, "shape (3, 3)"),
        (torch.zeros(2, 4, 3), ValueError, fits, "shape (2, 4, 3)"),
    ]


def queries(*other):
    return [
        ([0.0], TypeError, AXES, "[0.0] (list)"),
        (None, TypeError, AXES, "None (NoneType)"),
        (torch.zeros(2, 4, 3, 8).numpy(), TypeError, AXES, "shape (2, 4, 3, 8) (ndarray)"),
        (torch.zeros(2, 4, 3, 8).long(), TypeError, TENSOR, "dtype torch.int64"),
        (torch.zeros(2, 4, 3, 8).to(torch.float8_e5m2), TypeError, WIDE, "dtype torch.float8_e5m2"),
        (
            torch.zeros(3, 8),
            ValueError,
            "at least 3 axes (..., heads, seq, head_dim)",
            "shape (3, 8)",
        ),
        (
            torch.zeros(2, 4, 3, 6),
            ValueError,
            "at least dim = 8 features on the last axis",
            "6 (shape (2, 4, 3, 6))",
        ),
        *other,
    ]


BAD = {
    "config": [
        (None, TypeError, CONFIG, "None (NoneType)"),
        ("meta-llama/Llama-3.1-8B", TypeError, CONFIG, "'meta-llama/Llama-3.1-8B' (str)"),
        ([("rope_theta", 1e4)], TypeError, CONFIG, "[('rope_theta', 10000.0)] (list)"),
        ({"text_config": 3}, TypeError, CONFIG, "3 (int)"),
        (
            {"model_type": "llama"},
            ValueError,
            "head_dim, or hidden_size and num_attention_heads",
            "hidden_size None and num_attention_heads None",
        ),
        (
            {"head_dim": 64},
            ValueError,
            "rope_parameters, rope_theta or a model_type that is known to rotate without them",
            "neither and model_type None",
        ),
        (
            {"rope_theta": 1e4, "head_dim": 64, "rope_scaling": "linear"},
            TypeError,
            "rope_scaling to be a dict or None",
            "'linear' (str)",
        ),
    ],
    "layer_type": [
        (1.0, TypeError, LAYER, "1.0 (float)"),
        (True, TypeError, LAYER, "True (bool)"),
        (["full_attention"], TypeError, LAYER, "['full_attention'] (list)"),
        (-1, ValueError, "a layer from 0 to 31", "-1"),
        (32, ValueError, "a layer from 0 to 31", "32"),
        ("full_attention", ValueError, "None, as all layers rotate alike", "'full_attention'"),
    ],
    f"{SETTINGS}.scaling": SCALING,
    f"{SETTINGS}.sections": [row for row in TWO_DIMENSIONS["sections"] if row[0] is not None],
    f"{SETTINGS}.sections_interleaved": [*ANY_BOOL, NO_BOOL],
    f"{SETTINGS}.pair_axes": [
        (3, TypeError, PAIRS, "3 (int)"),
        ((0, 1, 2), ValueError, PAIRS, "(0, 1, 2)"),
        ((0, 1, 2, 3), ValueError, PAIRS, "(0, 1, 2, 3)"),
    ],
    f"{SETTINGS}.widths": [
        (8, TypeError, "a width for each axis", "8 (int)"),
        ((4.0, 4), TypeError, "an even int >= 2", "4.0 (float)"),
        ((3, 5), ValueError, "an even int >= 2 (features come in pairs)", "3"),
        ((4, 2), ValueError, "widths with the sum dim = 8", "(4, 2)"),
    ],
    f"{SETTINGS}.coordinate_scale": [
        (2.0, TypeError, SCALES, "2.0 (float)"),
        ((1.0, 1.0), ValueError, SCALES, "(1.0, 1.0) (tuple)"),
    ],
    f"{SETTINGS}.interleaved": ANY_BOOL,
    f"{SETTINGS}.temperature_beta": [
        ("0.1", TypeError, NOT_NEGATIVE, "'0.1' (str)"),
        (None, TypeError, NOT_NEGATIVE, "None (NoneType)"),
        (-0.1, ValueError, NOT_NEGATIVE, "-0.1"),
        (0.1, ValueError, NO_SCALING, "0.1"),
    ],
    "mrope_cos_sin.sections_interleaved": [*ANY_BOOL, NO_BOOL],
    f"{MODULE}.scaling": SCALING,
    f"{MODULE}().q": queries(),
    f"{MODULE}().k": queries(
        (
            torch.zeros(2, 4, 5, 8),
            ValueError,
            "seq = 3, as q has (keys from a cache are rotated already)",
            "5 (shape (2, 4, 5, 8))",
        )
    ),
    f"{MODULE}().positions": positions("q"),
    f"{MODULE}().seq_len": LENGTH,
    f"{MODULE}().offset": OFFSETS_OF_A_TEXT,
    f"{MODULE}().tables": TABLES_OF_OTHERS,
    f"{MODULE}.rotate.x": queries(),
    f"{MODULE}.rotate.positions": positions("x"),
    f"{MODULE}.rotate.seq_len": LENGTH,
    f"{MODULE}.rotate.offset": OFFSETS_OF_A_TEXT,
    f"{MODULE}.rotate.tables": TABLES_OF_OTHERS,
    f"{MODULE}.rotate.out": like("x", torch.float32, (2, 4, 3, 8), (2, 4, 3, 4)),
    f"{MODULE}.tables.seq_len": LENGTH,
    f"{MODULE}.from_settings.settings": [
        ({"dim": 8}, TypeError, "RotarySettings", "{'dim': 8} (dict)"),
        (
            RotarySettings(8, interleaved=None),
            ValueError,
            "a model whose pairs are interleaved or half-split",
            "one where they are neither; its settings' cos_sin gives the tables",
        ),
    ],
    f"{MODULE}.others": [
        ({"rotates_first": True}, TypeError, f"some of {SOME}", "'rotates_first'"),
    ],
    "strict": [*ANY_BOOL, NO_BOOL],
    f"{SETTINGS}.rotates_last": [*ANY_BOOL, NO_BOOL],
    f"{SETTINGS}.score_scale": POSITIVE,
    f"{SETTINGS}.assumed": [
        (["dim"], TypeError, NAMES, "['dim'] (list)"),
        (("heads",), ValueError, NAMES, "'heads'"),
    ],
    f"{TABLES}.cos": features(TENSOR),
    f"{TABLES}.settings": [({"dim": 8}, TypeError, "RotarySettings or None", "{'dim': 8} (dict)")],
    f"{TABLES}.temperature": [
        ([1.0], TypeError, TENSOR, "[1.0] (list)"),
        (torch.ones(4), ValueError, "a number for each row of cos (3,)", "shape (4,)"),
    ],
    f"{THEIRS}.config": [
        (None, TypeError, CONFIG, "None (NoneType)"),
        ({"model_type": "bloom"}, ValueError, "a model that rotates", "one that does not"),
        (
            {"model_type": "gpt_oss", "head_dim": 64},
            ValueError,
            "a model whose code takes cosines and sines twice side by side",
            "model_type 'gpt_oss'; rotary_from_config gives its tables",
        ),
        (
            {"model_type": "pixtral", "head_dim": 64},
            ValueError,
            "a model of language",
            "a vision encoder",
        ),
    ],
    f"{THEIRS}().x": features(TENSOR),
    f"{THEIRS}().position_ids": [
        ([0, 1], TypeError, COUNTS, "[0, 1] (list)"),
        (None, TypeError, COUNTS, "None (NoneType)"),
        (torch.arange(3)[None].bfloat16(), TypeError, COUNTS, BFLOAT16),
    ],
    f"{THEIRS}().layer_type": [
        (["full_attention"], TypeError, "a str or None", "['full_attention'] (list)"),
        (0, TypeError, "a str or None", "0 (int)"),
    ],
}
GOOD = {
    "config": {
        "hidden_size": 64,
        "num_attention_heads": 8,
        "rope_theta": 1e4,
        "num_hidden_layers": 32,
    },
    f"{MODULE}().q": torch.zeros(2, 4, 3, 8),
    f"{MODULE}().positions": None,  # they would be beside an offset
    f"{MODULE}().offset": 0,
    f"{MODULE}.from_settings.settings": RotarySettings(8),
    f"{THEIRS}().position_ids": torch.arange(3)[None],
    f"{MODULE}().k": torch.zeros(2, 2, 3, 8),
    f"{MODULE}.rotate.x": torch.zeros(2, 4, 3, 8),
    f"{MODULE}.rotate.positions": None,
}
