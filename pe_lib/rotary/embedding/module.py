"""``RotaryEmbedding``: the class of rotary-embedding-torch, exact at every length and dtype."""

from jaxtyping import Float
from torch import Tensor

from pe_lib._checks import check_int
from pe_lib.rotary.embedding.angles import RotaryAngles
from pe_lib.rotary.embedding.functional import apply_rotary_emb, sequence_axis


class RotaryEmbedding(RotaryAngles):
    """Rotates queries and keys by their positions, interleaved; for text, pictures, long contexts.

    Takes the place of the class of this name in rotary-embedding-torch: the same arguments,
    methods, layout and state dict, so that changing the import is enough. ``freqs`` is a float64
    Parameter (pairs,). Casts of the module leave it alone; on MPS, which has no float64, it stays
    on the CPU. Nothing is cached, so what is loaded or written into it counts at once.

    Args:
        dim: number of features to rotate, even, at least 2. Further features are left alone.
        custom_freqs: (pairs,) frequencies of your own, or None.
        freqs_for: "lang" for text, "pixel" for pictures, or "constant": the frequencies are
            ``theta ** (-2i / dim)``; ``dim/2`` steps from pi to ``pi * max_freq / 2``; or
            ``num_freqs`` times 1.
        theta: base of the wavelengths of "lang".
        max_freq: sets the last frequency of "pixel".
        num_freqs: number of frequencies of "constant".
        learned_freq: whether ``freqs`` is trained.
        use_xpos: xPos: scale queries and keys by their positions too. Keys grow with the length:
            float16 ends near 9,000 tokens (with a scale base of 512), bfloat16 near 72,000.
        xpos_scale_base: how many positions it takes to scale by zeta once.
        interpolate_factor: every position of a sequence is divided by it, at least 1.
        theta_rescale_factor: the longest wavelength of "lang" grows by this factor, the shortest
            stays ("NTK-aware").
        seq_before_head_dim: the positions are on axis -3, as in (batch, seq, heads, dim), not -2.
        cache_if_possible: accepted, so that existing calls work. There is no cache to switch on
            or off: angles that are kept go stale, and making them anew is cheap beside their
            cosine and sine.
        cache_max_seq_len: accepted likewise.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range; ``theta_rescale_factor`` is not 1 with ``dim``
            2; ``use_xpos`` without dim/2 frequencies.

    Source:
        Su et al. 2021, "RoFormer", arXiv 2104.09864, equation 34; Sun et al. 2022, "A
        Length-Extrapolatable Transformer", arXiv 2212.10554, algorithm 1; Chen et al. 2023,
        "Extending Context Window of Large Language Models via Positional Interpolation",
        arXiv 2306.15595, equation 4.

    Example:
        >>> import torch
        >>> rotary = RotaryEmbedding(dim=32)
        >>> q, k = torch.randn(2, 1, 8, 100, 64)  # each (batch, heads, seq, dim)
        >>> rotary.rotate_queries_or_keys(q).shape
        torch.Size([1, 8, 100, 64])
        >>> last_q, all_k = rotary.rotate_queries_with_cached_keys(q[:, :, -1:], k)
        >>> torch.equal(last_q, rotary.rotate_queries_or_keys(q)[:, :, -1:])
        True
    """

    apply_rotary_emb = staticmethod(apply_rotary_emb)

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
            TypeError: ``t`` is not a floating point tensor, ``seq_dim`` or ``offset`` not an int,
                ``scale`` neither a number nor a floating point tensor.
            ValueError: ``t`` has fewer features than ``freqs`` turns, or no axis ``seq_dim``;
                ``scale`` does not broadcast, or is left out with ``use_xpos``.
        """
        seq_dim = self._axis(t, "t", seq_dim)
        if scale is None:
            if self.use_xpos:
                raise ValueError(
                    "scale: expected get_scale(positions) for queries or its inverse for keys, "
                    "as use_xpos is set (rotate_queries_and_keys does it), got None"
                )
            scale = 1.0
        positions = self.get_seq_pos(t.shape[seq_dim], device=t.device, offset=offset)
        return self.apply_rotary_emb(self.forward(positions), t, scale=scale, seq_dim=seq_dim)

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

        Returns:
            The rotated queries and keys.

        Raises:
            TypeError: ``q`` or ``k`` is not a floating point tensor, ``seq_dim`` not an int.
            ValueError: ``k`` has not q's number of positions; ``q`` or ``k`` has too few features,
                or no axis ``seq_dim``.
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

        Returns:
            The rotated queries and keys.

        Raises:
            TypeError: ``q`` or ``k`` is not a floating point tensor, ``seq_dim`` or ``offset``
                not an int.
            ValueError: ``q`` has more positions than ``k``; ``q`` or ``k`` has too few features,
                or no axis ``seq_dim``.
        """
        q_len, k_len = self._lengths(q, k, seq_dim)
        if q_len > k_len:
            raise ValueError(f"q: expected at most k's {k_len} positions, got {q_len}")
        check_int(offset, "offset")
        earlier = k_len - q_len
        q_scale = k_scale = None
        if self.use_xpos:
            # One center for both, and near them: far from it the scale leaves every dtype's range.
            scale = self.get_scale(self.get_seq_pos(k_len, device=k.device))
            q_scale, k_scale = scale[earlier:], 1 / scale
        return (
            self.rotate_queries_or_keys(q, seq_dim, offset + earlier, q_scale),
            self.rotate_queries_or_keys(k, seq_dim, offset, k_scale),
        )

    def _axis(self, t: Tensor, name: str, seq_dim: int | None) -> int:
        """The axis of ``t`` that holds the positions; raises unless ``t`` can be rotated."""
        seq_dim = self.default_seq_dim if seq_dim is None else seq_dim
        return sequence_axis(t, name, seq_dim, features=2 * len(self.freqs))

    def _lengths(self, q: Tensor, k: Tensor, seq_dim: int | None) -> tuple[int, int]:
        q_axis, k_axis = self._axis(q, "q", seq_dim), self._axis(k, "k", seq_dim)
        return q.shape[q_axis], k.shape[k_axis]
