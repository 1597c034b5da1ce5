"""A small language model that takes any encoding."""

from collections.abc import Sequence
from types import NoneType
from typing import Any

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from pe_lib.common._checks import check_count, check_type
from pe_lib.model._checks import check_tensor, check_window
from pe_lib.model.block import TransformerBlock
from pe_lib.model.multi_head import KVCache
from pe_lib.model.positions.base import Position, put_in_layers, put_in_place
from pe_lib.model.positions.coordinates import TextPositions
from pe_lib.model.positions.text import Rope, TextKind, TextSizes
from pe_lib.rotary.scaling.base import Scaling

Tokens = Int64[Tensor, "batch seq"]
Mask = Bool[Tensor, "batch seq"]


class ModelCache:
    """The padding among the tokens seen so far, and a cache a layer. After an error, begin anew."""

    def __init__(self, num_layers: int) -> None:
        self.mask: Tensor | None = None  # (batch, seen), once there was one
        self.layers = [KVCache() for _ in range(num_layers)]

    @property
    def held(self) -> tuple[int | str, int]:
        """The number of rows, any at first, and of tokens in each."""
        kept = self.layers[0].kept  # keys and values: (batch, heads, seen, head_dim)
        return (kept[0].shape[0], kept[0].shape[-2]) if kept else ("batch", 0)


class TransformerLM(nn.Module):
    """Predicts every next token from those before it.

    Models that differ only in ``position`` start, with one seed, from the same weights but for the
    positions' own. What enters the layers has its own parameters in each (T5 itself shares one
    table), and scores are divided by the root of the head's width (T5's own are not). Sizes are
    those of the papers: 16 distances to each side for Shaw, 32 buckets up to 128 for T5, base 10000
    for what turns. Word vectors start with a standard deviation of 1, as large as Vaswani et al.
    make them by the factor sqrt(dim); a learned table with 0.02, as in BERT.

    Args:
        vocab_size: number of different tokens, at least 1.
        dim: number of features, a multiple of ``num_heads``; even for ``sinusoidal`` and ``xl``, an
            even multiple for ``rope`` and ``xpos``.
        num_layers, num_heads: number of blocks, and of attention heads in each; at least 1.
        max_len: the longest sequence that the model is made for. A learned table takes nothing
            longer; CoPE counts so far and no further; the others go on.
        position: a kind in ``pe_lib.model.positions.text``: ``none``, ``sinusoidal``, ``learned``,
            ``rope``, ``xpos``, ``shaw``, ``t5``, ``xl``, ``alibi``, ``kerple``, ``fire``, ``cope``.
            Or a list with one for each layer, without ``sinusoidal`` and ``learned``, which enter
            before the first.
        causal: False lets every token see those after it too: an encoder.
        window: a token sees itself and the ``window - 1`` tokens before it, and as many after it
            where ``causal`` is False; None: all of them. Or a list with one for each layer.
        scaling: how ``rope`` and ``xpos`` are stretched for longer texts, one of the ``...Scaling``
            classes. No weight depends on it: a trained model's can be loaded into one with another
            scaling. Where it looks at the text's length, a text read in pieces is longer with each.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is below 1, ``position`` no kind, ``dim`` does not fit, a list has
            not one for each layer, or there is a scaling and nothing that turns.

    Source:
        Liu et al. 2018, "Generating Wikipedia by Summarizing Long Sequences", arXiv 1801.10198,
        section 4.2.3: the Transformer's decoder alone. The positions: see each kind; none at all:
        Kazemnejad et al. 2023, arXiv 2305.19466; none in some layers, windows in the others: Yang
        et al. 2025, "Rope to Nope and Back Again", arXiv 2501.18795.

    Example:
        >>> sizes = {"dim": 32, "num_layers": 2, "num_heads": 4, "max_len": 64}
        >>> model = TransformerLM(100, **sizes, position="rope")
        >>> tokens = torch.tensor([[5, 6, 7]])
        >>> model(tokens).shape
        torch.Size([1, 3, 100])
        >>> model.generate(tokens, 4).shape
        torch.Size([1, 7])
        >>> mixed = TransformerLM(100, **sizes, position=["rope", "none"], window=[8, None])
    """

    def __init__(
        self,
        vocab_size: int,
        dim: int,
        num_layers: int,
        num_heads: int,
        *,
        max_len: int,
        position: str | Sequence[str] = "none",
        causal: bool = True,
        window: int | Sequence[int | None] | None = None,
        scaling: Scaling | None = None,
    ) -> None:
        super().__init__()
        check_count(vocab_size, "vocab_size")
        check_count(num_layers, "num_layers")
        check_count(max_len, "max_len")
        blocks = []
        for name, own in _for_each_layer(window, "window", "one", num_layers):
            check_window(own, name)
            blocks.append(TransformerBlock(dim, num_heads, causal=causal, window=own))
        self.causal = causal
        self.position = Position()
        self.embedding = nn.Embedding(vocab_size, dim)
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab_size, bias=False)
        # Positions come last: so one seed draws the same for all of the above, whatever the kind.
        check_type(scaling, "scaling", (Scaling, NoneType), "a Scaling or None")
        sizes = TextSizes(dim, num_heads, max_len, causal, scaling)
        layers = [block.attention for block in blocks]
        if isinstance(position, Sequence) and not isinstance(position, str):
            kinds = _for_each_layer(position, "position", "one kind", num_layers)
            put_in_layers(TextKind, kinds, sizes, layers)
        else:
            put_in_place(TextKind, position, sizes, self, layers)
        if scaling is not None and not any(isinstance(layer.position, Rope) for layer in layers):
            expected = "None where no layer has position='rope' or 'xpos'"
            raise ValueError(f"scaling: expected {expected}, got {scaling!r}")

    def forward(
        self, tokens: Tokens, *, attention_mask: Mask | None = None, cache: ModelCache | None = None
    ) -> Float[Tensor, "batch seq vocab_size"]:
        """How likely each token of the vocabulary is to come next, after every token.

        Args:
            tokens: (batch, seq) of int64, 0 ... vocab_size - 1; seq >= 1.
            attention_mask: (batch, seq) of bools, False for padding before (or after) a row's own
                tokens. Padding is seen by no token, and positions count from the row's first.
            cache: from ``new_cache``. ``tokens`` go on from those it holds and are added to it; so
                no padding may stand after a row's tokens.

        Returns:
            (batch, seq, vocab_size): the logits, whose softmax gives the probabilities.

        Raises:
            TypeError: an argument is of another type.
            ValueError: a shape is wrong or not the cache's, there is no token, or more than
                ``max_len``, padding too, meet a learned table.
        """
        check_type(cache, "cache", (ModelCache, NoneType), "a ModelCache or None")
        rows, held = ("batch", 0) if cache is None else cache.held
        check_tensor(tokens, "tokens", torch.int64, rows, "seq")
        check_count(tokens.shape[1], "tokens.shape[1]")
        positions = _positions(tokens, attention_mask, cache, held)
        for block in self.blocks:
            assert isinstance(block, TransformerBlock)
            head_dim = block.attention.dim // block.attention.num_heads
            positions = block.attention.position.in_this_step(positions, head_dim)
        x = self.embedding(tokens)  # (batch, seq, dim)
        x = self.position.at_the_input(x, positions)  # (batch, seq, dim)
        for index, block in enumerate(self.blocks):
            own = None if cache is None else cache.layers[index]
            x = block(x, positions, own)  # (batch, seq, dim)
        logits: Tensor = self.head(self.norm(x))  # (batch, seq, vocab_size)
        return logits

    def new_cache(self) -> ModelCache:
        """An empty cache, for one batch of texts that grow.

        Raises:
            ValueError: the model is not causal, so a new token changes what all others see.
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
            tokens, attention_mask: as in ``forward``, with padding only before a row's tokens.
            num_tokens: how many to add, at least 0.

        Returns:
            (batch, seq + num_tokens).

        Raises:
            TypeError, ValueError: as in ``forward``; ``num_tokens`` is below 0, or the model is
                not causal.
        """
        check_count(num_tokens, "num_tokens", least=0)
        cache, new = self.new_cache(), tokens
        for _ in range(num_tokens):
            logits = self(new, attention_mask=attention_mask, cache=cache)
            new = logits[:, -1:].argmax(dim=-1)  # (batch, 1)
            tokens, attention_mask = torch.cat((tokens, new), dim=-1), None
        return tokens  # (batch, seq + num_tokens)


def _for_each_layer(value: Any, name: str, one: str, num_layers: int) -> list[tuple[str, Any]]:
    """Name (in an error) and value for each layer: its own of a list, or the same for all."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return [(name, value)] * num_layers
    if len(value) != num_layers:
        expected = f"{one} for each of the {num_layers} layers"
        raise ValueError(f"{name}: expected {expected}, got {len(value)}")
    return [(f"{name}[{index}]", own) for index, own in enumerate(value)]


def _positions(
    tokens: Tensor, mask: Tensor | None, cache: ModelCache | None, held: int
) -> TextPositions:
    """Where all tokens seen so far stand in their rows: those held before, and the new ones."""
    if mask is None and (cache is None or cache.mask is None):
        return TextPositions(torch.arange(held + tokens.shape[1], device=tokens.device))
    mask = torch.ones_like(tokens, dtype=torch.bool) if mask is None else mask
    check_tensor(mask, "attention_mask", torch.bool, *tokens.shape)
    if cache is not None:
        before = mask.new_ones(len(mask), held) if cache.mask is None else cache.mask
        mask = cache.mask = torch.cat((before, mask), dim=-1)  # (batch, seen)
    ids = mask.cumsum(dim=-1) - 1  # (batch, seen): each row counts its own tokens
    return TextPositions(ids.masked_fill(~mask, -1), padding=~mask)
