"""The rotary settings of one kind of layer, and the tables that they give."""

from dataclasses import dataclass, field, fields

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from pe_lib.common._checks import (
    check_bool,
    check_dim,
    check_finite,
    check_floating,
    check_numbers,
    check_positive,
    check_sequence,
    check_type,
)
from pe_lib.common.positions import check_positions, real_positions
from pe_lib.rotary.apply import rotary_cos_sin
from pe_lib.rotary.coordinates import nd_rotary_cos_sin
from pe_lib.rotary.multimodal import (
    axes_of_pairs,
    check_position_ids,
    check_sections,
    cos_sin_by_axis,
)
from pe_lib.rotary.scaling.base import Scaling
from pe_lib.rotary.temperature import query_temperature


@dataclass(frozen=True, repr=False)
class RotarySettings:
    """What a layer's queries and keys are rotated by; ``rotary_from_config`` reads it.

    Args:
        dim: number of features that are rotated, the first of a head unless ``rotates_last``.
        theta: base of the wavelengths.
        scaling: how they are stretched for longer texts, or None.
        sections: of a model with vision: numbers of pairs for time, height and width, or None.
        sections_interleaved: whether these take turns, pair by pair.
        widths: of a vision encoder: the number of features of each axis (row, column), or None.
        pair_axes: the axis that turns each pair, in models where sections or widths do not say it:
            ERNIE 4.5 VL (0 time, 1 height, 2 width), Kimi K2.5's vision encoder (0 row, 1 column).
        coordinate_scale: what each axis's coordinate is multiplied by before it turns its pairs.
        interleaved: the layout of pairs in the model's published code and weights: True for (0, 1),
            (2, 3), ..., False for half-split, None where it is neither (nanochat turns the other
            way; Gemma 4's vision encoder has a half-split block for each axis). DeepSeek's code
            for True also moves the two features of a pair apart, in queries and keys alike: the
            scores are the same, cached keys are not.
        temperature_beta: above 0, queries (not keys) are multiplied by ``query_temperature`` with
            this beta and the scaling's trained length (Ministral 3).
        rotates_last: True where the rotated features are the last of a head, not the first:
            DeepSeek's models and all others with multi-head latent attention, whose heads are
            (not rotated, rotated).
        score_scale: what the model multiplies its scores by, beside 1/sqrt(head_dim) and beside
            whatever is in cos and sin: mscale squared in DeepSeek-V2 and V3, Kimi K2 and Mistral 4,
            which extend all features of a head, not only those that are rotated. No table has it.
        assumed: names of the settings above that were not read but taken to be as nearly
            everywhere, as ``rotary_from_config`` does for a model type that it does not know.
            Settings are equal whatever it says.

    Raises:
        TypeError, ValueError: an argument has the wrong type or is out of range.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864; the names are those of Hugging Face
        transformers 5.23.

    Example:
        >>> settings = RotarySettings(dim=64, theta=500_000.0)
        >>> cos, sin = settings.cos_sin(10)
        >>> cos.shape
        torch.Size([10, 32])
    """

    dim: int
    theta: float = 10000.0
    scaling: Scaling | None = None
    sections: tuple[int, ...] | None = None
    sections_interleaved: bool = False
    pair_axes: tuple[int, ...] | None = None
    widths: tuple[int, ...] | None = None
    coordinate_scale: tuple[float, ...] | None = None
    interleaved: bool | None = False
    temperature_beta: float = 0.0
    rotates_last: bool = False
    score_scale: float = 1.0
    assumed: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check_dim(self.dim)
        check_positive(self.theta, "theta")
        if self.scaling is not None:
            check_type(self.scaling, "scaling", Scaling, "a Scaling or None")
            self.scaling.inverse_frequencies(self.dim, self.theta)  # LongRoPE's lists have a length
        check_bool(self.sections_interleaved, "sections_interleaved")
        if self.sections is not None:
            check_sections(self.sections, self.dim // 2, self.sections_interleaved)
        if self.interleaved is not None:
            check_bool(self.interleaved, "interleaved")
        if self.widths is not None:
            check_sequence(self.widths, "widths", "a width for each axis")
            for width in self.widths:
                check_dim(width, "widths")
            if sum(self.widths) != self.dim:
                raise ValueError(
                    f"widths: expected widths with the sum dim = {self.dim}, got {self.widths}"
                )
            if self.scaling is not None or self.sections is not None:
                raise ValueError(
                    "widths: expected None beside a scaling or sections, which they are not for, "
                    f"got {self.widths}"
                )
        if self.pair_axes is not None:
            pairs = self.sections or [width // 2 for width in self.widths or ()]
            each = axes_of_pairs(pairs, interleaved=False)
            expected = f"None or the axes {each} of sections or widths in another order"
            check_sequence(self.pair_axes, "pair_axes", expected)
            if sorted(self.pair_axes) != each:
                raise ValueError(f"pair_axes: expected {expected}, got {self.pair_axes}")
        if self.coordinate_scale is not None:
            axes = len(self.widths or ())
            expected = f"a number for each of the {axes} axes of widths"
            check_numbers(self.coordinate_scale, "coordinate_scale", expected, axes)
        expected = "a finite number >= 0"
        check_finite(self.temperature_beta, "temperature_beta", expected, lambda beta: beta >= 0)
        if self.temperature_beta and (
            self.sections is not None or not hasattr(self.scaling, "original_max_position")
        ):
            raise ValueError(
                "temperature_beta: expected 0 beside sections, and without a scaling that has "
                f"original_max_position, got {self.temperature_beta}"
            )
        check_bool(self.rotates_last, "rotates_last")
        check_positive(self.score_scale, "score_scale")
        expected = "a tuple of names of settings"
        check_type(self.assumed, "assumed", tuple, expected)
        if unknown := set(self.assumed) - {field.name for field in fields(self)}:
            raise ValueError(f"assumed: expected {expected}, got {min(unknown)!r}")

    def same_tables(self, other: "RotarySettings") -> bool:
        """Whether the tables of one are those of the other, however they are used.

        Example:
            >>> RotarySettings(8).same_tables(RotarySettings(8, interleaved=True))
            True
        """
        check_type(other, "other", RotarySettings, "RotarySettings")
        return all(getattr(self, name) == getattr(other, name) for name in _OF_TABLES)

    def __repr__(self) -> str:
        own = (field for field in fields(self) if getattr(self, field.name) != field.default)
        said = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in own)
        return f"RotarySettings({said})"

    def cos_sin(
        self,
        positions: int | Shaped[Tensor, "*positions"],
        *,
        seq_len: int | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> tuple[Float[Tensor, "..."], Float[Tensor, "..."]]:
        """The tables for ``apply_rotary``.

        Args:
            positions: an int n for 0 ... n-1, or a real tensor of any shape. With ``sections`` also
                (3, batch, seq): time, height and width of every token; a text, whose three are one,
                needs one of them. (Three rows without a batch, (3, seq), would be three texts.)
                With ``widths`` (..., axes) and no int: row and column of every patch.
            seq_len: length of the text, for the scalings that depend on it; by default the largest
                position + 1.
            dtype: floating point dtype of the result.

        Returns:
            cos, sin: each ``(*positions, dim/2)`` of ``dtype``, on the positions' device; with
            three positions for each token (batch, seq, dim/2), with row and column (..., dim/2).

        Raises:
            TypeError, ValueError: as ``rotary_cos_sin``, ``mrope_cos_sin``, ``nd_rotary_cos_sin``.
        """
        if self.widths is not None:
            return self._of_a_picture(positions, dtype)  # type: ignore[arg-type]
        check_floating(dtype)
        if self.sections is None or not isinstance(positions, Tensor) or positions.ndim != 3:
            return rotary_cos_sin(
                positions, self.dim, self.theta, scaling=self.scaling, seq_len=seq_len, dtype=dtype
            )
        check_position_ids(positions, "positions")
        axes = self.pair_axes or axes_of_pairs(self.sections, self.sections_interleaved)
        return cos_sin_by_axis(positions, axes, self.theta, self.scaling, seq_len, dtype)

    def query_temperature(
        self, positions: int | Shaped[Tensor, "*positions"], *, dtype: torch.dtype = torch.float32
    ) -> Float[Tensor, "*positions"]:
        """What the queries (not the keys) are multiplied by at these positions, as a rule 1.

        Args:
            positions: an int n for 0 ... n-1, or a real tensor of any shape.
            dtype: floating point dtype of the result.

        Raises:
            TypeError, ValueError: as ``pe_lib.query_temperature``.
        """
        length = getattr(self.scaling, "original_max_position", 1)
        return query_temperature(positions, length, self.temperature_beta, dtype=dtype)

    def _of_a_picture(
        self, coordinates: Tensor, dtype: torch.dtype
    ) -> tuple[Float[Tensor, "..."], Float[Tensor, "..."]]:
        expected = f"a real tensor (..., {len(self.widths or ())}), a number for each axis"
        check_positions(coordinates, "positions", expected)
        if coordinates.shape[-1:] != (len(self.widths or ()),):
            raise ValueError(
                f"positions: expected {expected}, got shape {tuple(coordinates.shape)}"
            )
        scale = torch.tensor(self.coordinate_scale or 1.0, dtype=torch.float64, device="cpu")
        exact = real_positions(coordinates)
        scaled = exact * scale.to(exact.device)
        cos, sin = nd_rotary_cos_sin(scaled, self.widths or (), self.theta, dtype=dtype)
        if self.pair_axes is not None:
            # Each axis's pairs keep their order and go to the places that have its number.
            places = sorted(range(self.dim // 2), key=self.pair_axes.__getitem__)
            order = sorted(range(self.dim // 2), key=places.__getitem__)
            cos, sin = cos[..., order], sin[..., order]
        return cos.to(coordinates.device), sin.to(coordinates.device)


_OF_TABLES = (
    "dim",
    "theta",
    "scaling",
    "sections",
    "sections_interleaved",
    "pair_axes",
    "widths",
    "coordinate_scale",
    "temperature_beta",
)
