"""Every class of transformers that holds rotary frequencies, and what it computes."""

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import transformers

MODELS = Path(transformers.__file__).parent / "models"
# The text of such a class: parsing it alone takes a tenth of the time that its whole file would.
CLASS = re.compile(r"^class \w*(?:Rotary|Rope)\w*\b.*(?:\n(?![^\s#)]).*)*", re.MULTILINE)

# Where a default is of no model: odd widths of heads, sections for half of the pairs, no rotation.
BLOCKS = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [16, 24, 24]}
PLAIN = {"rope_type": "default", "rope_theta": 10000.0}
NEEDED = {
    "cohere_compass_text": {
        "rope_parameters": {"sliding_attention": PLAIN, "full_attention": PLAIN}
    },
    "esm": {"position_embedding_type": "rotary"},
    "glm4_moe": {"head_dim": 128},
    "granitemoehybrid": {
        "position_embedding_type": "rope",
        "layer_types": ["full_attention"] * 32,
    },
    "glm4v_moe_text": {"head_dim": 128},
    "glm4v_text": {"rope_parameters": BLOCKS},
    "glm_image_text": {"rope_parameters": BLOCKS},
    "qwen3_omni_moe_text": {"head_dim": 128},
    "zamba2": {"use_mem_rope": True},
}


@dataclass(frozen=True)
class RotaryClass:
    """A class of a model's code that keeps ``inv_freq``, and the name of its configuration's."""

    model: str
    name: str
    config_name: str

    def __str__(self) -> str:
        return f"{self.model}.{self.name}"

    @property
    def code(self) -> ModuleType:
        return importlib.import_module(f"transformers.models.{self.model}.modeling_{self.model}")

    def default(self) -> tuple[Any, torch.nn.Module]:
        """The configuration with no setting named (of the part it is for), and the class of it."""
        _, config, rotary = self.built(getattr(self.code, self.config_name)())
        return config, rotary

    def built(self, whole: Any) -> tuple[tuple[str, ...], Any, torch.nn.Module]:
        """Made of the first part of a configuration that has what it needs: its path and itself."""
        reasons = []
        for path, config in parts(whole):
            for name, value in NEEDED.get(config.model_type, {}).items():
                setattr(config, name, value)
            try:
                return path, config, getattr(self.code, self.name)(config)
            except (AttributeError, KeyError, TypeError) as error:
                reasons.append(error)
        raise reasons[0]


def parts(config: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """A configuration and those of the model's parts, with the names that lead to each."""
    yield path, config
    for name in getattr(config, "sub_configs", {}):
        if part := getattr(config, name, None):
            yield from parts(part, (*path, name))


@cache
def rotary_classes() -> tuple[RotaryClass, ...]:
    """All of them, found without importing any."""
    return tuple(
        RotaryClass(path.parent.name, name, config_name)
        for path in sorted(MODELS.glob("*/modeling_*.py"))
        for name, config_name in _keepers_of_frequencies(path)
    )


def _keepers_of_frequencies(path: Path) -> Iterator[tuple[str, str]]:
    for text in CLASS.findall(path.read_text("utf-8")):
        [node] = ast.parse(text).body
        if "inv_freq" not in ast.unparse(node):
            continue
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                kinds = [ast.unparse(a.annotation) for a in method.args.args if a.annotation]
                if kinds and kinds[0].endswith("Config"):
                    yield node.name, kinds[0]


def computed(rotary: torch.nn.Module) -> dict[str | None, tuple[torch.Tensor, float]]:
    """Its frequencies and attention factor for each layer type, under None where there is one."""
    buffers = {name: b for name, b in rotary.named_buffers() if "original" not in name}
    suffix = "_inv_freq"
    by_layer = {
        name.removesuffix(suffix): (
            frequencies,
            getattr(rotary, f"{name.removesuffix(suffix)}_attention_scaling"),
        )
        for name, frequencies in buffers.items()
        if name.endswith(suffix)
    }
    if "inv_freq" in buffers:
        by_layer[None] = buffers["inv_freq"], getattr(rotary, "attention_scaling", 1.0)
    return by_layer
