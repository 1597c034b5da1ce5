"""Exercise: the slopes of ALiBi's heads."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.relative._common import LINE
from pe_lib.relative.alibi import alibi_slopes

exercise = Exercise(
    call(8), call(1), call(4), call(16), call(6), call(3), call(12), call(20), call(71)
)


@exercise.answer
def my_slopes(num_heads: int) -> Tensor:
    return alibi_slopes(num_heads)


def _heads(count: int, first: float = 1) -> Tensor:
    return first + torch.arange(count, dtype=torch.float64)


def _power_of_two(num_heads: int) -> int:
    """The largest one that is not above the number of heads."""
    return 1 << (num_heads.bit_length() - 1)


def _own_and(extra: Tensor, num_heads: int) -> Tensor:
    """The slopes of the power of two, and as many others as are still needed."""
    own = alibi_slopes(_power_of_two(num_heads))
    return torch.cat((own, extra[: num_heads - len(own)]))


# --- powers of two ------------------------------------------------------------------------------


@exercise.mistake(see=LINE)
def first_slope_is_1(num_heads: int) -> Tensor:
    """your heads are counted from 0, so the steepest slope is 1 and the gentlest is missing."""
    power = _power_of_two(num_heads)
    own = torch.exp2(-8 * _heads(power, 0) / power)
    return torch.cat((own, alibi_slopes(num_heads)[power:]))


@exercise.mistake(see=LINE)
def first_slope_is_1_for_every_count(num_heads: int) -> Tensor:
    """your heads are counted from 0, so the steepest slope is 1 and the gentlest is missing. (And
    counts that are no power of two have a rule of their own.)"""
    return torch.exp2(-8 * _heads(num_heads, 0) / num_heads)


@exercise.mistake(see=LINE)
def halved_from_head_to_head(num_heads: int) -> Tensor:
    """you halve from head to head whatever their number. That is right for 8 heads; with others
    the ratio changes, so that the gentlest slope stays the same."""
    return torch.exp2(-_heads(num_heads))


@exercise.mistake(see=LINE)
def halved_from_head_to_head_with_extras(num_heads: int) -> Tensor:
    """your extra slopes are halfway, but you halve from head to head whatever their number. That is
    right for 8 heads; with others the ratio changes, so that the gentlest slope stays."""
    power = _power_of_two(num_heads)
    return torch.exp2(-torch.cat((_heads(power), _heads(num_heads - power, 0.5))))


@exercise.mistake(see=LINE)
def eight_left_out(num_heads: int) -> Tensor:
    """your slopes all lie between a half and 1: a factor is missing in the exponent, and even the
    gentlest head sees only a few tokens back."""
    power = _power_of_two(num_heads)
    exponents = torch.cat((_heads(power), _heads(num_heads - power, 0.5))) / power
    return torch.exp2(-exponents)


@exercise.mistake(see=LINE)
def positive_exponent(num_heads: int) -> Tensor:
    """your slopes grow above 1: the exponent has the wrong sign. A slope is what one token of
    distance costs, and most heads should find it cheap."""
    return 1 / alibi_slopes(num_heads)


@exercise.mistake(see=LINE)
def negative_slopes(num_heads: int) -> Tensor:
    """your slopes are negative. The sizes are right; here the minus sign belongs to the bias, not
    to the slope."""
    return -alibi_slopes(num_heads)


@exercise.mistake(see=LINE)
def powers_of_e(num_heads: int) -> Tensor:
    """you take powers of the number e. The slopes are powers of another number: with 8 heads each
    is half of the one before."""
    return torch.pow(alibi_slopes(num_heads), 1 / math.log(2))


@exercise.mistake(see=LINE)
def equal_steps(num_heads: int) -> Tensor:
    """your first and your last slope are right, but between them you go down in equal steps. It
    is the ratio of neighbours that is always the same."""
    power = _power_of_two(num_heads)
    own = alibi_slopes(power)
    return torch.linspace(float(own[0]), float(own[-1]), num_heads, dtype=torch.float64)


@exercise.mistake(see=LINE)
def gentle_to_steep(num_heads: int) -> Tensor:
    """the right slopes in the opposite order: the first head is the steepest one."""
    return alibi_slopes(num_heads).flip(0)


# --- other counts -------------------------------------------------------------------------------


@exercise.mistake(see=LINE)
def one_formula_for_every_count(num_heads: int) -> Tensor:
    """right for powers of two. You use the same formula for other counts, but the authors' code has
    a different rule for those, and published models were trained with it."""
    return torch.exp2(-8 * _heads(num_heads) / num_heads)


@exercise.mistake(see=LINE)
def next_power_of_two_cut_off(num_heads: int) -> Tensor:
    """right for powers of two. For other counts you take the next larger power of two and cut off
    the slopes that are too many. The rule starts from the next smaller power."""
    power = _power_of_two(num_heads)
    return alibi_slopes(power if power == num_heads else 2 * power)[:num_heads]


@exercise.mistake(see=LINE)
def slopes_repeated(num_heads: int) -> Tensor:
    """your extra heads have slopes that other heads already have. They should lie halfway between
    those. (If you take every second slope of a longer list, with which one do you start?)"""
    return _own_and(alibi_slopes(_power_of_two(num_heads)), num_heads)


@exercise.mistake(see=LINE)
def extra_slopes_without_gaps(num_heads: int) -> Tensor:
    """your extra heads take the first slopes of a list that is twice as long, one after the other.
    But every second slope of this list belongs to a head already."""
    return _own_and(alibi_slopes(2 * _power_of_two(num_heads)), num_heads)


@exercise.mistake(see=LINE)
def extra_slopes_from_the_gentle_end(num_heads: int) -> Tensor:
    """your extra heads take the gentlest of the slopes halfway; the rule starts with the steepest
    of them."""
    power = _power_of_two(num_heads)
    halfway = alibi_slopes(2 * power)[0::2]
    return torch.cat((alibi_slopes(power), halfway[2 * power - num_heads :]))


@exercise.mistake(see=LINE)
def halfway_in_a_straight_line(num_heads: int) -> Tensor:
    """your extra slopes are the means of their neighbours. Halfway is meant in the exponent: the
    ratio to both neighbours should be the same."""
    own = alibi_slopes(_power_of_two(num_heads))
    before = torch.cat((torch.ones(1, dtype=own.dtype), own[:-1]))
    return _own_and((before + own) / 2, num_heads)


@exercise.mistake(see=LINE)
def extra_slopes_in_front(num_heads: int) -> Tensor:
    """the right slopes, but the extra ones come first. In the authors' code they come last, and a
    published model has its weights head by head in that order."""
    power = _power_of_two(num_heads)
    return alibi_slopes(num_heads).roll(num_heads - power)


@exercise.mistake(see=LINE)
def sorted_by_size(num_heads: int) -> Tensor:
    """the right slopes, but sorted. In the authors' code the extra ones come last, and a published
    model has its weights head by head in that order."""
    return alibi_slopes(num_heads).sort(descending=True).values
