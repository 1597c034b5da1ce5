"""From positions to angles and scales: what ``RotaryEmbedding`` rotates with."""

import torch
from jaxtyping import Float, Float64, Shaped
from torch import Tensor, nn

from pe_lib._checks import (
    check_bool,
    check_count,
    check_factor,
    check_floating,
    check_int,
    check_positive,
)
from pe_lib.positions import position_angles, real_positions
from pe_lib.rotary._float64 import Float64Parameters
from pe_lib.rotary.embedding._arguments import check_offsets, check_positions, checked_device
from pe_lib.rotary.embedding.frequencies import initial_frequencies
from pe_lib.rotary.xpos import xpos_scale


class RotaryAngles(Float64Parameters):
    """The part of ``RotaryEmbedding`` that knows the frequencies (see there for the arguments).

    Example:
        >>> RotaryAngles(dim=4).forward(torch.tensor([0, 100]))
        tensor([[  0.,   0.,   0.,   0.],
                [100., 100.,   1.,   1.]], dtype=torch.float64)
    """

    def __init__(
        self,
        dim: int,
        custom_freqs: Tensor | None = None,
        freqs_for: str = "lang",
        theta: float = 10000,
        max_freq: float = 10,
        num_freqs: int = 1,
        learned_freq: bool = False,
        use_xpos: bool = False,
        xpos_scale_base: float = 512,
        interpolate_factor: float = 1.0,
        theta_rescale_factor: float = 1.0,
        seq_before_head_dim: bool = False,
        cache_if_possible: bool = True,
        cache_max_seq_len: int = 8192,
    ) -> None:
        super().__init__()
        first = initial_frequencies(
            dim, custom_freqs, freqs_for, theta, max_freq, num_freqs, theta_rescale_factor
        )
        self.dim = dim
        self.freqs_for = freqs_for
        self.learned_freq = learned_freq
        self.use_xpos = use_xpos
        self.scale_base = xpos_scale_base
        self.interpolate_factor = interpolate_factor
        self.seq_before_head_dim = seq_before_head_dim
        self.default_seq_dim = -3 if seq_before_head_dim else -2
        self.cache_if_possible = cache_if_possible
        self.cache_max_seq_len = cache_max_seq_len
        for flag in ("learned_freq", "use_xpos", "seq_before_head_dim", "cache_if_possible"):
            check_bool(getattr(self, flag), flag)
        check_count(cache_max_seq_len, "cache_max_seq_len", least=0)
        check_positive(xpos_scale_base, "xpos_scale_base")
        check_factor(interpolate_factor, "interpolate_factor")
        if use_xpos and 2 * len(first) != dim:
            raise ValueError(
                f"use_xpos: expected False, or dim/2 = {dim // 2} frequencies, got {len(first)}"
            )
        self._first_freqs = first
        home = real_positions(torch.empty(0)).device  # torch's default, the CPU instead of MPS
        self.freqs = nn.Parameter(torch.empty_like(first, device=home), requires_grad=learned_freq)
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Set ``freqs`` to what the constructor's arguments say, as after ``to_empty``."""
        self.freqs.copy_(self._first_freqs)

    @property
    def device(self) -> torch.device:
        """Where ``freqs`` is. The tensors to rotate may be anywhere."""
        return self.freqs.device

    def get_seq_pos(
        self,
        seq_len: int,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        offset: int = 0,
    ) -> Float[Tensor, " seq_len"]:
        """The positions of a sequence, ``(offset + 0 ... seq_len - 1) / interpolate_factor``.

        Args:
            seq_len: number of positions, at least 0.
            device: device of the result; by default that of ``freqs``.
            dtype: floating point dtype to round the result to. By default it stays float64, on
                the CPU where ``device`` has no float64 (MPS).
            offset: the first position.

        Raises:
            TypeError: ``seq_len`` or ``offset`` is not an int, ``device`` not a device, ``dtype``
                not a floating point dtype.
            ValueError: ``seq_len`` is below 0, ``device`` unknown to torch.
        """
        check_count(seq_len, "seq_len", least=0)
        check_int(offset, "offset")
        device = self.device if device is None else checked_device(device)
        home = "cpu" if device.type == "mps" else device
        counted = torch.arange(seq_len, dtype=torch.float64, device=home)
        positions = (counted + offset) / self.interpolate_factor
        if dtype is None:
            return positions
        check_floating(dtype)
        return positions.to(dtype).to(device)

    def forward(
        self, t: Shaped[Tensor, "*positions"], seq_len: int | None = None, offset: int = 0
    ) -> Float64[Tensor, "*positions width"]:
        """The angle of every pair at every position, in both columns of the pair.

        Args:
            t: positions, any shape, integer or real, negative too. They are taken as they are:
                ``get_seq_pos`` has added the offset and divided by ``interpolate_factor``.
            seq_len: how many positions ``t`` holds on its last axis, checked where it is given.
            offset: accepted, so that existing calls work; ``t`` holds it already.

        Returns:
            float64 tensor (*positions, 2 * pairs) in radians, on t's device; on the CPU where
            that device has no float64 (MPS). Gradients reach ``freqs`` where ``learned_freq``.

        Raises:
            TypeError: ``t`` is not a real tensor, ``seq_len`` or ``offset`` not an int.
            ValueError: ``t`` does not hold ``seq_len`` positions.
        """
        check_positions(t, seq_len, offset)
        return position_angles(t, self.freqs.double()).repeat_interleave(2, dim=-1)

    def get_axial_freqs(
        self,
        *dims: int,
        offsets: tuple[float, ...] | list[float] | Shaped[Tensor, " axes"] | None = None,
    ) -> Float64[Tensor, "*dims width"]:
        """Angles for a grid: every axis turns features of its own, side by side.

        A cell's coordinates are 0, 1, 2, ... on every axis; for "pixel" frequencies they run
        evenly from -1 to 1.

        Args:
            *dims: length of every axis: (height, width) for an image.
            offsets: what to add to the coordinates of every axis; by default nothing.

        Returns:
            float64 tensor (*dims, len(dims) * 2 * pairs), for ``apply_rotary_emb``.

        Raises:
            TypeError: a length is not an int, ``offsets`` not a sequence of numbers.
            ValueError: no length is given, or one below 0; ``offsets`` has not one for each.
        """
        if not dims:
            raise ValueError("dims: expected the length of at least one axis, got none")
        for length in dims:
            check_count(length, "dims", least=0)
        cells = [
            torch.linspace(-1, 1, length, dtype=torch.float64, device=self.device)
            if self.freqs_for == "pixel"
            else torch.arange(length, dtype=torch.float64, device=self.device)
            for length in dims
        ]
        grid = torch.stack(torch.meshgrid(*cells, indexing="ij"), dim=-1)  # (*dims, axes)
        if offsets is not None:
            check_offsets(offsets, len(dims))
            grid = grid + torch.as_tensor(offsets, dtype=torch.float64, device=self.device)
        return self.forward(grid).flatten(-2)

    def get_scale(
        self, t: Shaped[Tensor, " seq"], seq_len: int | None = None, offset: int = 0
    ) -> Float64[Tensor, "seq dim"]:
        """The scale of xPos at every position: multiply queries by it, keys by its inverse.

        ``zeta ** ((t - center) / scale_base)``, where the center is ``len(t) // 2``. Which center
        it is drops out of the scores as long as queries and keys share it: rotate them with
        scales from one call.

        Args:
            t: (seq,) positions, as ``get_seq_pos`` gives them.
            seq_len: how many positions ``t`` holds, checked where it is given.
            offset: accepted, so that existing calls work; ``t`` holds it already.

        Returns:
            float64 tensor (seq, dim), on t's device (on the CPU instead of MPS).

        Raises:
            TypeError: ``t`` is not a real tensor, ``seq_len`` or ``offset`` not an int.
            ValueError: ``t`` has not one axis or not ``seq_len`` positions; ``use_xpos`` is False.
        """
        check_positions(t, seq_len, offset)
        if t.ndim != 1:
            raise ValueError(f"t: expected one axis (seq,), got shape {tuple(t.shape)}")
        if not self.use_xpos:
            raise ValueError("use_xpos: expected True for get_scale, got False")
        centered = real_positions(t) - t.shape[0] // 2
        scale = xpos_scale(centered, self.dim, self.scale_base, dtype=torch.float64)
        return scale.repeat_interleave(2, dim=-1)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, freqs_for={self.freqs_for!r}"
