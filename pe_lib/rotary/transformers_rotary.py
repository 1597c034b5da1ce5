"""The rotary tables of a Hugging Face model, in the place of its own."""

from collections.abc import Mapping
from types import NoneType
from typing import Any

import torch
from jaxtyping import Float, Shaped
from torch import Tensor, nn

from pe_lib.common._checks import check_float_tensor, check_type
from pe_lib.common.positions import check_positions
from pe_lib.rotary.config.conventions import TABLES_OF_THEIR_OWN
from pe_lib.rotary.config.read import rotary_from_config, text_source


class TransformersRotary(nn.Module):
    """Replaces the rotary embedding of a model of Hugging Face transformers, in one line.

    ``model.model.rotary_emb = TransformersRotary(model.config)``. It is called as theirs and gives
    what theirs gives: cosine and sine of every pair, twice side by side, in the dtype of the hidden
    states. But its angles are float64, so that they are right at position 1,000,000 too; a scaling
    that depends on the length of the text looks at this text alone, not at the longest so far; and
    it holds no tensor that a cast could round.

    Args:
        config: the model's configuration (of a model with several parts, its language model's).

    Raises:
        TypeError, ValueError: as ``rotary_from_config``; or the model does not rotate, or its code
            wants its tables in another form.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864; the modules of Hugging Face transformers 5.23.

    Example:
        >>> llama = {"model_type": "llama", "head_dim": 64, "rope_theta": 500000.0}
        >>> rotary = TransformersRotary(llama)
        >>> cos, sin = rotary(torch.zeros(2, 5, 64), torch.arange(5)[None])
        >>> cos.shape
        torch.Size([1, 5, 64])
    """

    def __init__(self, config: Any) -> None:
        super().__init__()
        source = text_source(config)
        if source["model_type"] in TABLES_OF_THEIR_OWN:
            raise ValueError(
                "config: expected a model whose code takes cosines and sines twice side by side, "
                f"got model_type {source['model_type']!r}; rotary_from_config gives its tables"
            )
        rope = source.get("rope_parameters", {})
        types = [name for name, value in rope.items() if isinstance(value, Mapping)] or [None]
        found = {name: rotary_from_config(source, name) for name in types}
        self.settings = {name: own for name, own in found.items() if own is not None}
        if not self.settings:
            raise ValueError("config: expected a model that rotates, got one that does not")
        if any(settings.widths is not None for settings in self.settings.values()):
            raise ValueError("config: expected a model of language, got a vision encoder")

    def forward(
        self,
        x: Float[Tensor, "batch seq width"],
        position_ids: Shaped[Tensor, "*rows seq"],
        layer_type: str | None = None,
    ) -> tuple[Float[Tensor, "*rows_or_one seq dim"], Float[Tensor, "*rows_or_one seq dim"]]:
        """The tables for ``apply_rotary_pos_emb`` of the model's code.

        Args:
            x: the hidden states, of which only the dtype counts.
            position_ids: (batch, seq), or (1, seq) for all rows; (3, batch, seq) where a model
                with vision has three positions for each token.
            layer_type: the type of the layers they are for, in models whose layers differ.

        Raises:
            TypeError, ValueError: an argument has the wrong type or shape.
        """
        check_float_tensor(x, "x")
        check_positions(position_ids, "position_ids")
        check_type(layer_type, "layer_type", (str, NoneType), "a str or None")
        settings = self.settings.get(layer_type, self.settings.get(None))
        if settings is None:
            known = ", ".join(map(repr, self.settings))
            raise ValueError(f"layer_type: expected one of {known}, got {layer_type!r}")
        cos, sin = settings.cos_sin(position_ids, dtype=x.dtype)
        return torch.cat((cos, cos), dim=-1), torch.cat((sin, sin), dim=-1)

    def extra_repr(self) -> str:
        return ", ".join(f"{name or ''} {own}".strip() for name, own in self.settings.items())
