"""Learned positional embedding: one trained vector for every position up to a limit."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from pe_lib.common._checks import check_count, check_features


class LearnedPositionalEmbedding(nn.Module):
    """Adds to every vector of a sequence the trained vector of its position.

    ``weight`` is a Parameter (max_len, dim), row ``p`` for position ``p``, drawn at first from a
    normal distribution of standard deviation 0.02. Its name and shape are those of
    ``nn.Embedding``, so the position table of a BERT or GPT-2 checkpoint loads into it. Positions
    from ``max_len`` on have no vector: they are refused, never clamped or wrapped around.

    Args:
        max_len: number of positions that are learned.
        dim: number of features.

    Raises:
        TypeError, ValueError: an argument is not an int, or below 1.

    Source:
        Gehring et al. 2017, "Convolutional Sequence to Sequence Learning", arXiv 1705.03122,
        section 3.1; the standard deviation is BERT's, Devlin et al. 2018, arXiv 1810.04805.

    Example:
        >>> embedding = LearnedPositionalEmbedding(max_len=512, dim=4)
        >>> embedding(torch.zeros(1, 3, 4), offset=510)
        Traceback (most recent call last):
        ValueError: x: expected positions below max_len = 512, got length 513 (offset 510 + seq 3)
    """

    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        check_count(max_len, "max_len")
        check_count(dim, "dim")
        self.max_len = max_len
        self.dim = dim
        self.weight = nn.Parameter(torch.empty(max_len, dim))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all vectors anew."""
        nn.init.normal_(self.weight, std=0.02)

    def forward(
        self, x: Float[Tensor, "*batch seq dim"], offset: int = 0
    ) -> Float[Tensor, "*batch seq dim"]:
        """Add the vectors of positions offset ... offset + seq - 1.

        Args:
            x: (..., seq, dim), any floating point dtype.
            offset: position of the first vector (the number of cached tokens in decoding).

        Returns:
            ``x`` + rows of ``weight``, of x's shape and dtype. Half precision is added in float32
            and rounded once.

        Raises:
            TypeError, ValueError: ``x`` is not such a tensor, ``offset`` no int >= 0, or
                offset + seq above ``max_len``. (Compiled with ``fullgraph=True``, torch raises a
                RuntimeError that quotes this one.)
        """
        check_features(x, self.dim)
        check_count(offset, "offset", least=0)
        length = offset + x.shape[-2]
        if length > self.max_len:
            raise ValueError(
                f"x: expected positions below max_len = {self.max_len}, got length {length} "
                f"(offset {offset} + seq {x.shape[-2]})"
            )
        wide = torch.promote_types(x.dtype, self.weight.dtype)
        exact = torch.promote_types(wide, torch.float32)
        return (x.to(exact) + self.weight[offset:length].to(exact)).to(x.dtype)

    def extra_repr(self) -> str:
        return f"max_len={self.max_len}, dim={self.dim}"
