"""Exercise: the positions of a padded batch."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.rope_in_code._common import LEFT_PADDING, PRECISION


def _padded(*counts: tuple[int, int, int], dtype: torch.dtype = torch.int64) -> Tensor:
    """A mask with this many pads, tokens and pads in each of its rows."""
    rows = [[0] * left + [1] * tokens + [0] * right for left, tokens, right in counts]
    return torch.tensor(rows, dtype=dtype)


exercise = Exercise(
    call(_padded((2, 3, 0), (0, 5, 0), (4, 1, 0))),
    call(_padded((0, 2, 2), (0, 4, 0))),
    call(_padded((1, 5, 0), (0, 3, 3), (3, 3, 0), (0, 6, 0))),
    call(_padded((1, 6, 0), (0, 7, 0), dtype=torch.bfloat16)),
    call(_padded((20, 300, 0), (0, 300, 20), dtype=torch.bfloat16)),
    call(_padded((7, 5003, 0), (0, 5003, 7))),
    whole_numbers=True,
)


@exercise.answer
def my_positions(mask: Tensor) -> Tensor:
    return (_count(mask) - 1) * mask.long()


def _count(mask: Tensor) -> Tensor:
    """How many tokens of its row have come, up to and with this slot."""
    return mask.long().cumsum(dim=-1)


def _slots(mask: Tensor) -> Tensor:
    return torch.arange(mask.shape[-1]).expand(mask.shape)


def _pads(mask: Tensor) -> Tensor:
    """How many pads a row has."""
    return (1 - mask.long()).sum(dim=-1, keepdim=True)


def _since_first_token(mask: Tensor) -> Tensor:
    """Slots since the first token, which are below zero before it."""
    return _slots(mask) - mask.long().argmax(dim=-1, keepdim=True)


@exercise.mistake(see=LEFT_PADDING)
def the_mask_itself(mask: Tensor) -> Tensor:
    """you return the mask as it was. It marks the tokens, but you still have to count them."""
    return mask.long()


@exercise.mistake(see=PRECISION)
def counted_in_bfloat16(mask: Tensor) -> Tensor:
    """right as long as the text is short. You count in the dtype of the mask, and bfloat16 has no
    number between 256 and 258, so neighbours get the same position."""
    return (mask.cumsum(dim=-1) - 1).long() * mask.long()


# --- slots counted instead of tokens ------------------------------------------------------------


@exercise.mistake(see=LEFT_PADDING)
def counted_by_slot(mask: Tensor) -> Tensor:
    """you number the slots of the row. With pads at the left the first token does not get the first
    number."""
    return _slots(mask)


@exercise.mistake(see=LEFT_PADDING)
def one_row_for_all_texts(mask: Tensor) -> Tensor:
    """you number the slots, once for all texts. Each row of the mask has its own tokens, and so its
    own positions."""
    return torch.arange(mask.shape[-1])


@exercise.mistake(see=LEFT_PADDING)
def counted_by_slot_with_pads_at_0(mask: Tensor) -> Tensor:
    """the pads have the right position, but you still count them: with pads at the left the first
    token does not get the first number."""
    return _slots(mask) * mask.long()


@exercise.mistake(see=LEFT_PADDING)
def all_pads_taken_off(mask: Tensor) -> Tensor:
    """right for tokens after pads. But you subtract all pads of a row, and pads that come after the
    tokens should not be subtracted."""
    return (_slots(mask) - _pads(mask)).clamp(min=0)


@exercise.mistake(see=LEFT_PADDING)
def all_pads_taken_off_below_zero(mask: Tensor) -> Tensor:
    """right for tokens after pads. But you subtract all pads of a row, and pads that come after the
    tokens should not be subtracted. (A pad gets 0, too.)"""
    return _slots(mask) - _pads(mask)


@exercise.mistake(see=LEFT_PADDING)
def as_if_all_pads_came_last(mask: Tensor) -> Tensor:
    """every row has the right number of positions, but you put them at the beginning of the row.
    Pads can be there too."""
    return _slots(mask) * (_slots(mask) < _count(mask)[:, -1:])


# --- the first number, and the pads -------------------------------------------------------------


@exercise.mistake(see=LEFT_PADDING)
def from_1(mask: Tensor) -> Tensor:
    """the pads are right, but the first token has position 1. If you count the tokens so far, your
    count includes the token itself."""
    return _count(mask) * mask.long()


@exercise.mistake(see=LEFT_PADDING)
def from_1_and_pads_go_on(mask: Tensor) -> Tensor:
    """you count the tokens so far, and your count includes the token itself. So the first token has
    position 1, and a pad gets the number of the last token before it."""
    return _count(mask)


@exercise.mistake(see=LEFT_PADDING)
def pads_below_zero(mask: Tensor) -> Tensor:
    """the tokens are right. But a pad at the left has a position below zero, and a pad at the right
    has the position of the last token. Both should have 0."""
    return _count(mask) - 1


@exercise.mistake(see=LEFT_PADDING)
def pads_below_zero_everywhere(mask: Tensor) -> Tensor:
    """the tokens are right, but your pads are below zero: a table would be read from its end. Here
    they get 0."""
    return _count(mask) * mask.long() - 1


@exercise.mistake(see=LEFT_PADDING)
def pads_after_the_tokens_go_on(mask: Tensor) -> Tensor:
    """tokens and pads at the left are right. But a pad after the tokens has the position of the
    last token. It should have 0 as well."""
    return (_count(mask) - 1).clamp(min=0)


@exercise.mistake(see=LEFT_PADDING)
def pads_after_the_tokens_have_the_next_one(mask: Tensor) -> Tensor:
    """tokens and pads at the left are right. But a pad after the tokens has the position that the
    next token would have. It should have 0 as well."""
    return _count(mask) - mask.long()


@exercise.mistake(see=LEFT_PADDING)
def pads_numbered(mask: Tensor) -> Tensor:
    """the tokens are right, but you number the pads too, with numbers below zero before the first
    token. Every pad should have 0."""
    return _since_first_token(mask)


@exercise.mistake(see=LEFT_PADDING)
def pads_after_the_tokens_numbered(mask: Tensor) -> Tensor:
    """tokens and pads at the left are right, but you keep counting over the pads after the tokens.
    Every pad should have 0."""
    return _since_first_token(mask).clamp(min=0)


@exercise.mistake(see=LEFT_PADDING)
def pads_at_1(mask: Tensor) -> Tensor:
    """the tokens are right, but your pads are at position 1. Some code does this, and it does no
    harm, because nobody sees them. Here they get 0."""
    return my_positions(mask).masked_fill(mask == 0, 1)


# --- direction ----------------------------------------------------------------------------------


@exercise.mistake(see=LEFT_PADDING)
def down_the_batch(mask: Tensor) -> Tensor:
    """you count from text to text down the batch. Tokens are counted along a row."""
    return (mask.long().cumsum(dim=0) - 1) * mask.long()


@exercise.mistake(see=LEFT_PADDING)
def down_the_batch_with_pads_below_zero(mask: Tensor) -> Tensor:
    """you count from text to text down the batch. Tokens are counted along a row. (And pads
    get 0.)"""
    return mask.long().cumsum(dim=0) - 1


@exercise.mistake(see=LEFT_PADDING)
def running_on_through_the_batch(mask: Tensor) -> Tensor:
    """the second text continues counting where the first one ended. Every text starts anew."""
    return (_count(mask.flatten()).view(mask.shape) - 1) * mask.long()


@exercise.mistake(see=LEFT_PADDING)
def from_the_end(mask: Tensor) -> Tensor:
    """you count how many tokens are still to come, so the last token gets 0. The first one
    should."""
    return (_count(mask.flip(-1)).flip(-1) - 1) * mask.long()


@exercise.mistake(see=LEFT_PADDING)
def mask_the_wrong_way_round(mask: Tensor) -> Tensor:
    """you count the pads, and tokens have 0: the mask is 1 at the tokens."""
    return my_positions(1 - mask)
