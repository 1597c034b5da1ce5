"""rotary_from_config for the published models of the table, beside what transformers computes."""

import pytest

from pe_lib import RotarySettings, rotary_from_config
from tests.conformance.comparison import largest_difference, largest_difference_by_length
from tests.conformance.published import configuration, published_models, theirs

# What cannot be read, and what the error says.
REFUSED = {
    "Baichuan2-7B": "its 7B models rotate",
    "llava-1.5-7b-hf": "expected head_dim, or hidden_size and num_attention_heads",
    "Qwen-7B": "expected use_dynamic_ntk to be False, got True",
    "Yuan2-2B": "a model_type that is known to rotate without them",
}
# Qwen2.5-Omni's voice rotates its first head only.
REFUSED_PARTS = {("token2wav_config", "dit_config")}
# Parts that see whose own dict does not say what they are: they are read from an object.
UNNAMED = {
    ("Qwen2-VL-7B-Instruct", "vision_config"),
    ("Qwen2.5-VL-7B-Instruct", "vision_config"),
}
# Models that transformers has no class with frequencies for, from their published code.
BY_HAND = {
    "chatglm3-6b": RotarySettings(64, interleaved=True),
    "glm-4-9b": RotarySettings(64, interleaved=True),
    "gpt-j-6b": RotarySettings(64, interleaved=True),
    "phi-1_5": RotarySettings(32),
    "Phi-3-small-8k-instruct": RotarySettings(128, 1_000_000.0),
}
# Its class reckons an attention factor and then multiplies by short_mscale in its place.
FACTORS = {"Phi-3.5-MoE-instruct": 1.243163121016122}

MODELS = {model.name: model for model in published_models()}
ROTATING = {name: model for name, model in MODELS.items() if model.rotates}


@pytest.mark.parametrize("name", sorted(ROTATING.keys() - REFUSED.keys() - BY_HAND.keys()))
def test_as_transformers_computes(name: str) -> None:
    model = ROTATING[name]
    peers = list(theirs(model.config))
    assert peers
    for peer in peers:
        if peer.part in REFUSED_PARTS:
            continue
        factor = FACTORS.get(name, peer.factor)
        settings = rotary_from_config(peer.config, peer.layer)
        assert largest_difference(settings, peer.frequencies, factor) < 1e-6
        assert largest_difference_by_length(settings, peer.config) < 1e-6
        published = peer.published(model.config)
        if published is not None and (name, *peer.part) not in UNNAMED:
            assert rotary_from_config(published, peer.layer) == settings


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ROTATING.keys() - REFUSED.keys()))
def test_every_layer_is_read_alike_from_the_file_and_from_the_object(name: str) -> None:
    """transformers fills in what older files leave out, and renames what has another name."""
    config = ROTATING[name].config
    whole = configuration(config)
    if whole is None:
        pytest.skip("transformers does not know it")
    text = whole.get_text_config()
    own = config.get("text_config", config)
    layers = [*range(getattr(text, "num_hidden_layers", None) or 0)]
    if own.get("num_hidden_layers") is None:
        layers = []  # a row without the number of layers
    for layer in layers:
        assert rotary_from_config(own, layer) == rotary_from_config(text, layer), layer


@pytest.mark.parametrize("name", BY_HAND)
def test_as_their_own_code_says(name: str) -> None:
    assert rotary_from_config(MODELS[name].config) == BY_HAND[name]


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if not model.rotates])
def test_models_without_rotation(name: str) -> None:
    assert rotary_from_config(MODELS[name].config) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=f"^config: .*{REFUSED[name]}"):
        rotary_from_config(MODELS[name].config)


@pytest.mark.parametrize(("name", "part"), sorted(UNNAMED))
def test_a_part_without_a_name_is_not_guessed(name: str, part: str) -> None:
    with pytest.raises(ValueError, match="got neither and model_type None"):
        rotary_from_config(MODELS[name].config[part])


def test_at_least_forty() -> None:
    assert len(ROTATING) - len(REFUSED) >= 40
