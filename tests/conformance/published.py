"""The table of published models, and what transformers makes of each of their configurations."""

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from transformers import CONFIG_MAPPING

from tests.conformance.rotary_classes import computed, parts, rotary_classes
from tests.helpers import ROOT

TABLE = ROOT / "book" / "published_models.json"  # the book shows it: book/pe_book/models.py

# Models whose code is published with them, and the one of transformers that rotates alike.
STAND_INS = {
    "deepseek": "llama",
    "dinov3": "dinov3_vit",
    "exaone": "llama",
    "hunyuan": "hunyuan_v1_dense",
    "internlm2": "llama",
    "kimi_k2": "deepseek_v3",
    "mimo": "qwen2",
    "minicpm": "llama",
    "nemotron-nas": "llama",
    "orion": "llama",
    "phi3_v": "phi3",
    "phi4mm": "phi3",
    "xverse": "llama",
}
# Those that keep a language model of transformers under this name.
NESTED = {
    "deepseek_vl_v2": "language_config",
    "internvl_chat": "llm_config",
    "multi_modality": "language_config",
}


@dataclass(frozen=True)
class PublishedModel:
    """One row: a model's name, whether it rotates, and what its configuration says of positions."""

    name: str
    rotates: bool
    config: dict[str, Any]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Theirs:
    """What transformers computes for one layer type of one part of a model."""

    part: tuple[str, ...]
    layer: str | None
    config: Any
    frequencies: torch.Tensor
    factor: float

    def published(self, config: dict[str, Any]) -> dict[str, Any] | None:
        """The part in the published configuration; older ones have the text's at the top."""
        for name in self.part:
            config = config.get(name, config if name == "text_config" else {})
        return config or None


def published_models() -> list[PublishedModel]:
    rows = json.loads(TABLE.read_text("utf-8"))
    return [PublishedModel(row["model"], row.get("rotary", True), row["config"]) for row in rows]


def configuration(config: dict[str, Any]) -> Any:
    """The configuration as transformers' object, None where it has none for it."""
    config = copy.deepcopy(config)
    config = config.get(NESTED.get(config["model_type"], ""), config)
    kind = STAND_INS.get(config["model_type"], config["model_type"])
    if kind not in CONFIG_MAPPING:
        return None
    if kind == "hunyuan_v1_dense":
        config["head_dim"] = config["attention_head_dim"]  # as it is called there
    if kind == "phi3" and (config.get("rope_scaling") or {}).get("type") == "su":
        config["rope_scaling"]["type"] = "longrope"  # "su" it reads only beside the length
    text = config.get("text_config", config)
    if "layer_types" in text:  # some rows have the first of them only
        text.setdefault("num_hidden_layers", len(text["layer_types"]))
    return CONFIG_MAPPING[kind].from_dict({**config, "model_type": kind})


def theirs(config: dict[str, Any]) -> Iterator[Theirs]:
    """What transformers computes for all that rotates in a model with this configuration."""
    whole = configuration(config)
    for path, part in [] if whole is None else parts(whole):
        for rotary_class in rotary_classes():
            if rotary_class.config_name == type(part).__name__:
                inner, own, rotary = rotary_class.built(part)
                for layer, (frequencies, factor) in computed(rotary).items():
                    yield Theirs((*path, *inner), layer, own, frequencies, factor)
