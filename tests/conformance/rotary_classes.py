"""Every class of transformers that holds rotary frequencies, with the configuration it is made of."""

import ast
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import transformers

MODELS = Path(transformers.__file__).parent / "models"


@dataclass(frozen=True)
class RotaryClass:
    """A class of a model's code that keeps ``inv_freq``, and the name of its configuration."""

    model: str
    name: str
    config_name: str

    def __str__(self) -> str:
        return f"{self.model}.{self.name}"

    @property
    def code(self) -> ModuleType:
        return importlib.import_module(f"transformers.models.{self.model}.modeling_{self.model}")

    def build(self) -> tuple[Any, torch.nn.Module]:
        """The default configuration (of the part that the class is for) and the class made of it."""
        whole = getattr(self.code, self.config_name)()
        reasons = []
        for config in _parts(whole):
            try:
                return config, getattr(self.code, self.name)(config)
            except (AttributeError, KeyError, TypeError) as error:
                reasons.append(error)
        raise reasons[0]


def _parts(config: Any) -> Iterator[Any]:
    """A configuration and those of the model's parts."""
    yield config
    for name in getattr(config, "sub_configs", {}):
        if part := getattr(config, name, None):
            yield from _parts(part)


@cache
def rotary_classes() -> tuple[RotaryClass, ...]:
    return tuple(
        found
        for path in sorted(MODELS.glob("*/modeling_*.py"))
        for found in _rotary_classes_in(path)
    )


def _rotary_classes_in(path: Path) -> Iterator[RotaryClass]:
    for node in ast.parse(path.read_text("utf-8")).body:
        if not isinstance(node, ast.ClassDef) or "inv_freq" not in ast.unparse(node):
            continue
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                kinds = [ast.unparse(a.annotation) for a in method.args.args if a.annotation]
                if kinds and kinds[0].endswith("Config"):
                    yield RotaryClass(path.parent.name, node.name, kinds[0])


def computed(instance: torch.nn.Module) -> dict[str | None, tuple[torch.Tensor, float]]:
    """Frequencies and attention factor of every layer type, None where there is only one."""
    buffers = dict(instance.named_buffers())
    suffix = "_inv_freq"
    own = [name for name in buffers if name.endswith(suffix) and "original" not in name]
    if own:
        return {
            name.removesuffix(suffix): (
                buffers[name],
                getattr(instance, name.removesuffix(suffix) + "_attention_scaling", 1.0),
            )
            for name in own
        }
    if "inv_freq" in buffers:
        return {None: (buffers["inv_freq"], getattr(instance, "attention_scaling", 1.0))}
    return {}
