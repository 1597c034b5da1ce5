"""Exercise: the positions of a padded batch."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.rope_in_code._common import LEFT_PADDING, PRECISION
from pe_lib.exercises.runs import call


def _positions(mask: Tensor) -> Tensor:
    """Every word's number in its text; pads have 0."""
    return (_count(mask) - 1) * mask.long()


def _count(mask: Tensor) -> Tensor:
    """How many words of its row have come, up to and with this slot."""
    return mask.long().cumsum(dim=-1)


def _slots(mask: Tensor) -> Tensor:
    return torch.arange(mask.shape[-1]).expand(mask.shape)


def _pads(mask: Tensor) -> Tensor:
    """How many pads a row has."""
    return (1 - mask.long()).sum(dim=-1, keepdim=True)


def _since_first_word(mask: Tensor) -> Tensor:
    """Slots since the first word, which are below zero before it."""
    return _slots(mask) - mask.long().argmax(dim=-1, keepdim=True)


def _padded(*counts: tuple[int, int, int], dtype: torch.dtype = torch.int64) -> Tensor:
    """A mask with this many pads, words and pads in each of its rows."""
    rows = [[0] * left + [1] * words + [0] * right for left, words, right in counts]
    return torch.tensor(rows, dtype=dtype)


EXERCISE = Exercise(
    name="position_ids",
    signature="my_positions(mask)",
    reference=_positions,
    calls=(
        call(_padded((2, 3, 0), (0, 5, 0), (4, 1, 0))),
        call(_padded((0, 2, 2), (0, 4, 0))),
        call(_padded((1, 5, 0), (0, 3, 3), (3, 3, 0), (0, 6, 0))),
        call(_padded((1, 6, 0), (0, 7, 0), dtype=torch.bfloat16)),
        call(_padded((20, 300, 0), (0, 300, 20), dtype=torch.bfloat16)),
    ),
    mistakes=(
        Mistake(
            "counted by slot",
            _slots,
            "you number the slots of the row. With pads at the left the first word does not get "
            "the first number.",
            LEFT_PADDING,
        ),
        Mistake(
            "one row for all texts",
            lambda mask: torch.arange(mask.shape[-1]),
            "you number the slots, once for all texts. Each row of the mask has its own words, and "
            "so its own positions.",
            LEFT_PADDING,
        ),
        Mistake(
            "counted by slot, pads at 0",
            lambda mask: _slots(mask) * mask.long(),
            "the pads have what they should have, but they still count: with pads at the left the "
            "first word does not get the first number.",
            LEFT_PADDING,
        ),
        Mistake(
            "all pads taken off, below zero",
            lambda mask: _slots(mask) - _pads(mask),
            "right for words after pads. But you take all pads of a row off, and those that come "
            "after the words should take nothing off. (A pad gets 0, too.)",
            LEFT_PADDING,
        ),
        Mistake(
            "all pads taken off",
            lambda mask: (_slots(mask) - _pads(mask)).clamp(min=0),
            "right for words after pads. But you take all pads of a row off, and those that come "
            "after the words should take nothing off.",
            LEFT_PADDING,
        ),
        Mistake(
            "from 1",
            lambda mask: _count(mask) * mask.long(),
            "the pads are right, but the first word has position 1: counting words gives how many "
            "have come, this one among them.",
            LEFT_PADDING,
        ),
        Mistake(
            "from 1, and pads go on",
            _count,
            "this counts how many words have come, this one among them: the first word has "
            "position 1, and a pad gets the number of the last word before it.",
            LEFT_PADDING,
        ),
        Mistake(
            "pads negative",
            lambda mask: _count(mask) - 1,
            "the words are right. A pad at the left has a position below zero, and one at the "
            "right that of the last word; both should have 0.",
            LEFT_PADDING,
        ),
        Mistake(
            "pads below zero everywhere",
            lambda mask: _count(mask) * mask.long() - 1,
            "the words are right, but your pads are below zero: a table would be read from its "
            "end. Here they get 0.",
            LEFT_PADDING,
        ),
        Mistake(
            "pads after the words go on",
            lambda mask: (_count(mask) - 1).clamp(min=0),
            "words and pads at the left are right. A pad after the words has the last word's "
            "position; it gets 0 as well.",
            LEFT_PADDING,
        ),
        Mistake(
            "pads after the words have the next one",
            lambda mask: _count(mask) - mask.long(),
            "words and pads at the left are right. A pad after the words has the position that the "
            "next word would have; it gets 0 as well.",
            LEFT_PADDING,
        ),
        Mistake(
            "pads numbered",
            _since_first_word,
            "the words are right, but the numbers run on over the pads, below zero before the "
            "first word. A pad gets 0.",
            LEFT_PADDING,
        ),
        Mistake(
            "pads after the words numbered",
            lambda mask: _since_first_word(mask).clamp(min=0),
            "words and pads at the left are right, but the numbers run on over the pads after the "
            "words. A pad gets 0.",
            LEFT_PADDING,
        ),
        Mistake(
            "as if all pads came last",
            lambda mask: _slots(mask) * (_slots(mask) < _count(mask)[:, -1:]),
            "every row has the right number of positions, but they stand at its beginning. Pads "
            "can stand there, too.",
            LEFT_PADDING,
        ),
        Mistake(
            "pads at 1",
            lambda mask: _positions(mask).masked_fill(mask == 0, 1),
            "the words are right, but your pads are at position 1. Some code does so, and it does "
            "no harm, as nobody sees them; here they get 0.",
            LEFT_PADDING,
        ),
        Mistake(
            "down the batch",
            lambda mask: (mask.long().cumsum(dim=0) - 1) * mask.long(),
            "you count from text to text down the batch. Words are counted along a row.",
            LEFT_PADDING,
        ),
        Mistake(
            "down the batch, pads negative",
            lambda mask: mask.long().cumsum(dim=0) - 1,
            "you count from text to text down the batch. Words are counted along a row. (And pads "
            "get 0.)",
            LEFT_PADDING,
        ),
        Mistake(
            "running on through the batch",
            lambda mask: (_count(mask.flatten()).view(mask.shape) - 1) * mask.long(),
            "the second text goes on counting where the first one ended. Every text starts anew.",
            LEFT_PADDING,
        ),
        Mistake(
            "from the end",
            lambda mask: (_count(mask.flip(-1)).flip(-1) - 1) * mask.long(),
            "you count how many words are still to come: the last word has 0, not the first one.",
            LEFT_PADDING,
        ),
        Mistake(
            "mask the wrong way round",
            lambda mask: _positions(1 - mask),
            "you count the pads, and words have 0: the mask is 1 at the words.",
            LEFT_PADDING,
        ),
        Mistake(
            "the mask itself",
            lambda mask: mask.long(),
            "the mask comes back as it was. It says what counts; now count.",
            LEFT_PADDING,
        ),
        Mistake(
            "counted in bfloat16",
            lambda mask: (mask.cumsum(dim=-1) - 1).long() * mask.long(),
            "right as long as the text is short. Your count is in the dtype of the mask, and "
            "bfloat16 has no number between 256 and 258: neighbours get one position.",
            PRECISION,
        ),
    ),
)
