"""rotary_from_config beside every rotary class of transformers, each with its default settings."""

import pytest

from pe_lib import rotary_from_config
from tests.conformance.comparison import largest_difference, largest_score_difference
from tests.conformance.rotary_classes import RotaryClass, computed, rotary_classes

pytestmark = pytest.mark.slow

# What cannot be read, and why; the error says it too.
REFUSED = {
    "efficientloftr.EfficientLoFTRRotaryEmbedding": "its axes take turns",
    "mistral_large4.MistralLarge4TextRotaryEmbedding": "numbers that it has learned",
    "neomme.NeoMMERotaryEmbedding": "row and column take turns",
    "qwen2_5_omni.Qwen2_5OmniDiTRotaryEmbedding": "the first head only",
}
# What is read otherwise, and on purpose.
OTHERWISE = {
    "esmfold2.EsmFold2RotaryEmbedding": "it keeps no frequencies but makes them for each molecule",
    "minimax_m3_vl.MiniMaxM3VLRotaryEmbedding": (
        "its configuration's default says that 64 features are rotated, its class rotates all; the "
        "published one says the half (partial_rotary_factor), and so do both"
    ),
    "musicflamingo.MusicFlamingoRotaryEmbedding": (
        "it turns by seconds; of a model with several parts the language model is read"
    ),
}
COMPARED = [kind for kind in rotary_classes() if str(kind) not in REFUSED | OTHERWISE]


@pytest.mark.parametrize("kind", COMPARED, ids=str)
def test_as_transformers_computes(kind: RotaryClass) -> None:
    config, rotary = kind.default()
    by_layer = computed(rotary)
    assert by_layer
    for layer, (frequencies, factor) in by_layer.items():
        settings = rotary_from_config(config, layer)
        assert largest_difference(settings, frequencies, factor) < 1e-6
        assert rotary_from_config(config.to_dict(), layer) == settings
        difference = largest_score_difference(kind, rotary, settings, layer)
        assert difference is None or difference < 1e-4


@pytest.mark.parametrize(
    "kind", [kind for kind in rotary_classes() if str(kind) in REFUSED], ids=str
)
def test_what_is_refused_is_named(kind: RotaryClass) -> None:
    config, _ = kind.default()
    with pytest.raises(ValueError, match=f"got model_type .*: .*{REFUSED[str(kind)]}"):
        rotary_from_config(config)


def test_the_lists_are_of_classes_that_there_are() -> None:
    assert REFUSED.keys() | OTHERWISE.keys() <= {str(kind) for kind in rotary_classes()}
