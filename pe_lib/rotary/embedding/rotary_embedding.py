"""``RotaryEmbedding``: the class of rotary-embedding-torch, exact at every length and dtype."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float, Float64, Shaped
from torch import Tensor, nn

from pe_lib.common._checks import (
    check_bool,
    check_count,
    check_factor,
    check_finite,
    check_floating,
    check_int,
    check_positive,
)
from pe_lib.common.positions import check_offset, in_float64, position_angles, real_positions
from pe_lib.rotary._float64 import keep_dtype
from pe_lib.rotary.embedding._checks import check_offsets, check_positions, checked_device
from pe_lib.rotary.embedding.frequencies import initial_frequencies
from pe_lib.rotary.embedding.functional import apply_rotary_emb, sequence_axis, turn_pairs
from pe_lib.rotary.xpos import xpos_scale


class RotaryEmbedding(nn.Module):
    """For those who come from rotary-embedding-torch: its class of this name, without its defects.

    (For attention of your own, or of a published model, ``RotaryPositionalEmbedding`` is simpler.)
    The same arguments, methods, interleaved pairs and state dict, so that changing the import is
    enough; for text, pictures and long contexts. Nothing is cached, so
    what is loaded or written into ``freqs`` (pairs,) counts at once. Fixed, it is a float64 buffer,
    which casts of the module and FSDP leave alone; on MPS, which has no float64, it stays on the
    CPU. Learned, it is a float32 Parameter like any other, and its angles are float64.

    Args:
        dim: number of features to rotate, even. Further features are left alone.
        custom_freqs: (pairs,) frequencies of your own, which are copied, or None.
        freqs_for: "lang" for text, ``theta ** (-2i / dim)`` radians per position; "pixel" for
            pictures, ``dim/2`` steps from pi to ``pi * max_freq / 2``; "constant", ``num_freqs``
            times 1.
        theta: base of the wavelengths of "lang".
        max_freq: sets the last frequency of "pixel".
        num_freqs: number of frequencies of "constant".
        learned_freq: whether ``freqs`` is trained. Train it in float32, by autocast or with FSDP's
            policy, for far positions magnify what a cast of the model rounds.
        use_xpos: xPos: scale queries and keys by their positions too. Keys grow with the length:
            float16 ends near 9,000 tokens (with a scale base of 512), bfloat16 near 72,000.
        xpos_scale_base: how many positions it takes to scale by zeta once.
        interpolate_factor: every position of a sequence is divided by it, at least 1.
        theta_rescale_factor: the longest wavelength of "lang" grows by it, the shortest stays
            ("NTK-aware").
        seq_before_head_dim: the positions are on axis -3, as in (batch, seq, heads, dim), not -2.
        cache_if_possible: accepted, so that existing calls work; there is no cache. Angles that
            are kept go stale, and making them anew is cheap beside their cosine and sine.
        cache_max_seq_len: accepted likewise.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range; ``theta_rescale_factor`` is not 1 with ``dim`` 2;
            ``use_xpos`` without dim/2 frequencies.

    Source:
        Su et al. 2021, arXiv 2104.09864, equation 34; Sun et al. 2022, arXiv 2212.10554,
        algorithm 1 (xPos); Chen et al. 2023, arXiv 2306.15595, equation 4 (interpolation).

    Example:
        >>> rotary = RotaryEmbedding(dim=32)
        >>> q, k = torch.randn(2, 1, 8, 100, 64)  # each (batch, heads, seq, dim)
        >>> rotary.rotate_queries_or_keys(q).shape
        torch.Size([1, 8, 100, 64])
        >>> last_q, all_k = rotary.rotate_queries_with_cached_keys(q[:, :, -1:], k)
        >>> torch.equal(last_q, rotary.rotate_queries_or_keys(q)[:, :, -1:])
        True
    """

    apply_rotary_emb = staticmethod(apply_rotary_emb)

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
        empty = torch.empty(first.shape, dtype=torch.float32)  # on torch's default device
        if learned_freq:
            self.freqs: Tensor = nn.Parameter(empty)
        else:
            self.register_buffer("freqs", in_float64(empty))
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Set ``freqs`` to what the constructor's arguments say, as after ``to_empty``."""
        self.freqs.copy_(self._first_freqs)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> "RotaryEmbedding":
        kept = fn if self.learned_freq else lambda tensor: keep_dtype(tensor, fn)
        super()._apply(kept, recurse)  # type: ignore[no-untyped-call]
        return self

    def _load_from_state_dict(
        self, state_dict: dict[str, Any], prefix: str, *others: Any, **options: Any
    ) -> None:
        # A checkpoint of another dtype must not bring it along (assign=True would).
        loaded = state_dict.get(f"{prefix}freqs")
        if isinstance(loaded, Tensor):
            fixed = not self.learned_freq
            right = in_float64(loaded.detach()) if fixed else loaded.to(self.freqs.dtype)
            state_dict[f"{prefix}freqs"] = right
        super()._load_from_state_dict(state_dict, prefix, *others, **options)

    @property
    def device(self) -> torch.device:
        """Where ``freqs`` is. The tensors to rotate may be anywhere."""
        return self.freqs.device

    def rotate_queries_or_keys(
        self,
        t: Float[Tensor, "*shape dim"],
        seq_dim: int | None = None,
        offset: int = 0,
        scale: float | Float[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "*shape dim"]:
        """Rotate queries, or keys, by their positions offset ... offset + seq - 1.

        Args:
            t: (..., seq, dim), or (..., seq, heads, dim) with ``seq_before_head_dim``; any
                floating point dtype.
            seq_dim: the axis of ``t`` that holds the positions, where it is another one.
            offset: position of the first vector (the number of cached tokens in decoding).
            scale: what to multiply the rotated features by. With ``use_xpos`` it has to be given:
                for queries ``get_scale(positions)``, for keys its inverse.

        Returns:
            The rotated tensor, of t's shape, dtype and device. Half precision is rotated in
            float32 and rounded once.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: ``t`` has too few features or no axis ``seq_dim``; ``scale`` does not fit,
                or is left out with ``use_xpos``.
        """
        seq_dim = self._axis(t, "t", seq_dim)
        if scale is None:
            if self.use_xpos:
                raise ValueError(
                    "scale: expected get_scale(positions) for queries or its inverse for keys, "
                    "as use_xpos is set (rotate_queries_and_keys does it), got None"
                )
            scale = 1.0
        if isinstance(scale, Tensor):
            positions = self.get_seq_pos(t.shape[seq_dim], device=t.device, offset=offset)
            return self.apply_rotary_emb(self.forward(positions), t, scale=scale, seq_dim=seq_dim)
        check_finite(scale, "scale", "a finite number or a floating point tensor")
        return self._turned(t, seq_dim, offset, scale)

    def _turned(
        self, t: Tensor, seq_dim: int, offset: int, scale: float | Float64[Tensor, "seq pairs"]
    ) -> Tensor:
        positions = self.get_seq_pos(t.shape[seq_dim], device=t.device, offset=offset)
        return turn_pairs(self._angles(positions), t, scale, seq_dim)

    def rotate_queries_and_keys(
        self,
        q: Float[Tensor, "*q_shape dim"],
        k: Float[Tensor, "*k_shape dim"],
        seq_dim: int | None = None,
    ) -> tuple[Float[Tensor, "*q_shape dim"], Float[Tensor, "*k_shape dim"]]:
        """Rotate queries and keys of the same positions, 0 ... seq - 1; xPos scales both.

        Args:
            q: queries, shaped as ``t`` of ``rotate_queries_or_keys``.
            k: keys of as many positions; the number of heads may differ.
            seq_dim: the axis that holds the positions, where it is not the module's.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: ``k`` has not q's positions; there are too few features, or no axis
                ``seq_dim``.
        """
        q_len, k_len = self._lengths(q, k, seq_dim)
        if q_len != k_len:
            raise ValueError(
                f"k: expected q's {q_len} positions, got {k_len} (rotate_queries_with_cached_keys "
                f"is for keys that began earlier)"
            )
        return self.rotate_queries_with_cached_keys(q, k, seq_dim)

    def rotate_queries_with_cached_keys(
        self,
        q: Float[Tensor, "*q_shape dim"],
        k: Float[Tensor, "*k_shape dim"],
        seq_dim: int | None = None,
        offset: int = 0,
    ) -> tuple[Float[Tensor, "*q_shape dim"], Float[Tensor, "*k_shape dim"]]:
        """Rotate all keys so far and the queries of the last positions, as decoding needs them.

        The keys stand at offset ... offset + k_len - 1, and the last query beside the last key.
        The scores are those of the full sequence, with xPos too.

        Args:
            q: queries of the last positions, shaped as ``t`` of ``rotate_queries_or_keys``.
            k: all keys, cached before they were rotated.
            seq_dim: the axis that holds the positions, where it is not the module's.
            offset: position of the first key. The scores do not depend on it.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: there are more queries than keys, too few features, or no axis ``seq_dim``.
        """
        q_len, k_len = self._lengths(q, k, seq_dim)
        if q_len > k_len:
            raise ValueError(f"q: expected at most k's {k_len} positions, got {q_len}")
        check_int(offset, "offset")
        earlier = k_len - q_len
        q_scale: float | Tensor = 1.0
        k_scale: float | Tensor = 1.0
        if self.use_xpos:
            # One center for both, and near them: far from it the scale leaves every dtype's range.
            scale = self.get_scale(self.get_seq_pos(k_len, device=k.device))[:, ::2]  # by pairs
            q_scale, k_scale = scale[earlier:].to(q.device), 1 / scale
        return (
            self._turned(q, self._axis(q, "q", seq_dim), offset + earlier, q_scale),
            self._turned(k, self._axis(k, "k", seq_dim), offset, k_scale),
        )

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
            TypeError, ValueError: an argument has the wrong type; ``seq_len`` is below 0,
                ``device`` unknown to torch.
        """
        check_count(seq_len, "seq_len", least=0)
        check_offset(offset, seq_len)
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
            float64 tensor ``(*positions, 2 * pairs)`` in radians, on t's device; on the CPU where
            that device has no float64 (MPS). Gradients reach ``freqs`` where ``learned_freq``.

        Raises:
            TypeError, ValueError: an argument has the wrong type; ``seq_len`` is another length;
                something has cast the fixed frequencies (FSDP1's ``buffer_dtype`` does).

        Example:
            >>> RotaryEmbedding(dim=4).forward(torch.tensor([0, 100]))
            tensor([[  0.,   0.,   0.,   0.],
                    [100., 100.,   1.,   1.]], dtype=torch.float64)
        """
        check_positions(t, seq_len, offset)
        return self._angles(t).repeat_interleave(2, dim=-1)

    def _angles(self, positions: Tensor) -> Float64[Tensor, "*positions pairs"]:
        if not self.learned_freq and self.freqs.dtype != torch.float64:
            raise ValueError(
                f"freqs: expected float64, as they were made, got {self.freqs.dtype}: "
                "something has cast the buffers (buffer_dtype of FSDP, say); leave them alone"
            )
        return position_angles(positions, in_float64(self.freqs))

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
            float64 tensor ``(*dims, len(dims) * 2 * pairs)``, for ``apply_rotary_emb``.

        Raises:
            TypeError, ValueError: a length is not an int, or below 0; ``offsets`` has not a number
                for each axis.
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
            TypeError, ValueError: an argument has the wrong type; ``t`` has not ``seq_len``
                positions on one axis; ``use_xpos`` is False.
        """
        check_positions(t, seq_len, offset)
        if t.ndim != 1:
            raise ValueError(f"t: expected one axis (seq,), got shape {tuple(t.shape)}")
        if not self.use_xpos:
            raise ValueError("use_xpos: expected True for get_scale, got False")
        centered = real_positions(t) - t.shape[0] // 2
        scale = xpos_scale(centered, self.dim, self.scale_base, dtype=torch.float64)
        return scale.repeat_interleave(2, dim=-1)

    def _axis(self, t: Tensor, name: str, seq_dim: int | None) -> int:
        """The axis of positions of ``t``; raises unless ``t`` can be rotated."""
        seq_dim = self.default_seq_dim if seq_dim is None else seq_dim
        return sequence_axis(t, name, seq_dim, features=2 * len(self.freqs))

    def _lengths(self, q: Tensor, k: Tensor, seq_dim: int | None) -> tuple[int, int]:
        q_axis, k_axis = self._axis(q, "q", seq_dim), self._axis(k, "k", seq_dim)
        return q.shape[q_axis], k.shape[k_axis]

    def extra_repr(self) -> str:
        return f"dim={self.dim}, freqs_for={self.freqs_for!r}"
