"""A small language model that takes any of the twelve kinds of position."""

from types import NoneType

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from pe_lib._checks import check_count, check_type
from pe_lib.model._checks import check_tensor
from pe_lib.model.block import TransformerBlock
from pe_lib.model.multi_head import KVCache
from pe_lib.model.positions import Position, make_position

Tokens = Int64[Tensor, "batch seq"]
Mask = Bool[Tensor, "batch seq"]


class ModelCache:
    """What a model keeps of the tokens it has seen: which are padding, and a cache a layer.

    A call that ends in an error may have written into it: begin a new one then.
    """

    def __init__(self, num_layers: int) -> None:
        self.mask: Tensor | None = None
        self.layers = [KVCache() for _ in range(num_layers)]


class TransformerLM(nn.Module):
    """Predicts every next token from those before it.

    Models that differ only in ``position`` are alike in everything else. With one seed they start
    from the same weights, since those of the positions are drawn last. Where a kind enters every
    layer, every layer has its own parameters for it (T5 itself shares one table among all), and
    all kinds divide scores by the root of the head's width (T5 itself does not). Sizes are those
    of the papers: 16 distances to each side for Shaw, 32 buckets up to 128 for T5, base 10000 for
    what turns.

    Word vectors start with a standard deviation of 1, the size that Vaswani et al. give to theirs
    with the factor sqrt(dim). So the factor is left out, and every kind meets the same words. A
    learned table starts at 0.02, as in BERT.

    Args:
        vocab_size: number of different tokens, at least 1.
        dim: number of features, a multiple of ``num_heads``; even for ``sinusoidal`` and ``xl``.
            ``rope`` and ``xpos`` need an even ``dim / num_heads``.
        num_layers: number of blocks, at least 1.
        num_heads: number of attention heads, at least 1.
        max_len: the longest sequence that the model is made for. A learned table has so many rows
            and takes nothing longer; CoPE counts so far and no further; the others go on.
        position: ``none``, ``sinusoidal``, ``learned``, ``shaw``, ``t5``, ``xl``, ``rope``,
            ``xpos``, ``alibi``, ``kerple``, ``fire`` or ``cope``.
        causal: False lets every token see those after it too: an encoder.

    Raises:
        TypeError: a number is not an int, ``position`` not a str, ``causal`` not a bool.
        ValueError: a number is below 1, ``dim`` does not fit ``num_heads`` or ``position``,
            ``position`` is none of the kinds.

    Source:
        Liu et al. 2018, "Generating Wikipedia by Summarizing Long Sequences", arXiv 1801.10198,
        section 4.2.3: the Transformer's decoder alone. The positions: see each kind.

    Example:
        >>> sizes = {"dim": 32, "num_layers": 2, "num_heads": 4, "max_len": 64}
        >>> model = TransformerLM(100, **sizes, position="rope")
        >>> tokens = torch.tensor([[5, 6, 7]])
        >>> model(tokens).shape
        torch.Size([1, 3, 100])
        >>> model.generate(tokens, 4).shape
        torch.Size([1, 7])
    """

    def __init__(
        self,
        vocab_size: int,
        dim: int,
        num_layers: int,
        num_heads: int,
        *,
        max_len: int,
        position: str = "none",
        causal: bool = True,
    ) -> None:
        super().__init__()
        check_count(vocab_size, "vocab_size")
        check_count(num_layers, "num_layers")
        check_count(max_len, "max_len")
        blocks = [TransformerBlock(dim, num_heads, causal=causal) for _ in range(num_layers)]
        self.causal, self.position = causal, Position()
        self.embedding = nn.Embedding(vocab_size, dim)
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab_size, bias=False)
        # Positions come last: so one seed draws the same for all of the above, whatever the kind.
        at_the_input = position in ("sinusoidal", "learned")
        for place in [self] if at_the_input else [block.attention for block in blocks]:
            place.position = make_position(position, dim, num_heads, max_len, causal)

    def forward(
        self, tokens: Tokens, *, attention_mask: Mask | None = None, cache: ModelCache | None = None
    ) -> Float[Tensor, "batch seq vocab_size"]:
        """How likely each token of the vocabulary is to come next, after every token.

        Args:
            tokens: (batch, seq) of int64, 0 ... vocab_size - 1; seq >= 1.
            attention_mask: (batch, seq) of bools, False for padding before (or after) a row's own
                tokens. Padding is seen by no token, and positions count from the row's first.
            cache: from ``new_cache``. ``tokens`` go on from those it holds, and are added to it:
                the same rows, and so with no padding after a row's tokens.

        Returns:
            (batch, seq, vocab_size): the logits, whose softmax gives the probabilities.

        Raises:
            TypeError: ``tokens`` is not a tensor of int64, ``attention_mask`` not one of bools,
                ``cache`` not a ModelCache.
            ValueError: ``tokens`` is not (batch, seq), or not the cache's batch, or has no token;
                ``attention_mask`` has another shape; more than ``max_len`` tokens, padding too,
                meet a learned table.
        """
        check_type(cache, "cache", (ModelCache, NoneType), "a ModelCache or None")
        rows = "batch" if cache is None or cache.mask is None else len(cache.mask)
        check_tensor(tokens, "tokens", torch.int64, rows, "seq")
        check_count(tokens.shape[1], "tokens.shape[1]")
        positions = _positions(tokens, attention_mask, cache)
        x = self.position.at_the_input(self.embedding(tokens), positions)
        for index, block in enumerate(self.blocks):
            x = block(x, positions, None if cache is None else cache.layers[index])
        logits: Tensor = self.head(self.norm(x))
        return logits

    def new_cache(self) -> ModelCache:
        """An empty cache, for one batch of texts that grow.

        Raises:
            ValueError: the model is not causal, so each new token changes what all others see.
        """
        if not self.causal:
            raise ValueError("causal: expected True where tokens are cached, got False")
        return ModelCache(len(self.blocks))

    @torch.no_grad()
    def generate(
        self, tokens: Tokens, num_tokens: int, *, attention_mask: Mask | None = None
    ) -> Int64[Tensor, "batch longer"]:
        """Go on from ``tokens`` with the likeliest token, one at a time.

        Args:
            tokens: (batch, seq), as in ``forward``; seq >= 1.
            num_tokens: how many to add, at least 0.
            attention_mask: as in ``forward``, with padding only before a row's tokens.

        Returns:
            (batch, seq + num_tokens).

        Raises:
            TypeError: as in ``forward``; ``num_tokens`` is not an int.
            ValueError: as in ``forward``; ``num_tokens`` is below 0, the model is not causal.
        """
        check_count(num_tokens, "num_tokens", least=0)
        cache, new = self.new_cache(), tokens
        for _ in range(num_tokens):
            new = self(new, attention_mask=attention_mask, cache=cache)[:, -1:].argmax(dim=-1)
            tokens, attention_mask = torch.cat((tokens, new), dim=-1), None
        return tokens


def _positions(tokens: Tensor, mask: Tensor | None, cache: ModelCache | None) -> Tensor:
    """Where all tokens seen so far stand in their rows; -1 is padding."""
    if mask is None and cache is None:
        return torch.arange(tokens.shape[-1], device=tokens.device)
    mask = torch.ones_like(tokens, dtype=torch.bool) if mask is None else mask
    check_tensor(mask, "attention_mask", torch.bool, *tokens.shape)
    if cache is not None:
        mask = cache.mask = mask if cache.mask is None else torch.cat((cache.mask, mask), dim=-1)
    return (mask.cumsum(dim=-1) - 1).masked_fill(~mask, -1)
