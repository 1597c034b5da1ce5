"""Exercise: the window of a slope."""

import math

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.relative._common import LINE, WINDOW

exercise = Exercise(
    call(0.5),
    call(0.0625),
    call(2**-8),
    call(1.0, 0.2),
    call(0.25, share=0.5),
    call(0.7, share=0.001),
)


@exercise.answer
def my_window(slope: float, share: float = 0.01) -> float:
    return -math.log(share) / slope


# --- the logarithm ------------------------------------------------------------------------------


@exercise.mistake(see=WINDOW)
def one_over_the_slope(slope: float, share: float = 0.01) -> float:
    """you only turn the slope upside down. At that distance the weight is still more than a third,
    and the share has no effect on your result."""
    return 1 / slope


@exercise.mistake(see=WINDOW)
def no_logarithm(slope: float, share: float = 0.01) -> float:
    """your windows are far too wide: you use the share as it is. A weight falls like an
    exponential, so ask at which distance it has fallen to the share."""
    return 1 / (share * slope)


@exercise.mistake(see=WINDOW)
def weight_falling_in_a_straight_line(slope: float, share: float = 0.01) -> float:
    """you let the weight itself fall in a straight line. The score falls like that, and the softmax
    takes an exponential of it."""
    return (1 - share) / slope


@exercise.mistake(see=WINDOW)
def logarithm_to_base_2(slope: float, share: float = 0.01) -> float:
    """you take the logarithm to base 2. The slopes are powers of 2, but the weights are made by the
    softmax, which has a different base."""
    return -math.log2(share) / slope


@exercise.mistake(see=WINDOW)
def logarithm_to_base_10(slope: float, share: float = 0.01) -> float:
    """you take the logarithm to base 10. The softmax, which turns the penalty into a weight, has a
    different base."""
    return -math.log10(share) / slope


@exercise.mistake(see=WINDOW)
def sign_of_the_logarithm(slope: float, share: float = 0.01) -> float:
    """your distances are negative: the logarithm of a share below 1 is, too."""
    return math.log(share) / slope


@exercise.mistake(see=WINDOW)
def fallen_by_the_share(slope: float, share: float = 0.01) -> float:
    """you ask when the weight has lost the share. The question is when no more than the share is
    left."""
    return -math.log(1 - share) / slope


# --- slope and share ----------------------------------------------------------------------------


@exercise.mistake(see=WINDOW)
def times_the_slope(slope: float, share: float = 0.01) -> float:
    """your steep slopes have the widest windows. The penalty is the slope times the distance, so a
    steep slope reaches it sooner."""
    return -math.log(share) * slope


@exercise.mistake(see=WINDOW)
def half_life(slope: float, share: float = 0.01) -> float:
    """you ask when half of the weight is left, whatever the share."""
    return math.log(2) / slope


@exercise.mistake(see=WINDOW)
def always_one_percent(slope: float, share: float = 0.01) -> float:
    """right for one percent, but your function ignores its argument share."""
    return my_window(slope)


@exercise.mistake(see=WINDOW)
def share_of_the_whole_row(slope: float, share: float = 0.01) -> float:
    """you compare the weight with the sum of all weights. Compare it with the weight of the nearest
    key."""
    return (math.log(-math.expm1(-slope)) - math.log(share)) / slope


@exercise.mistake(see=WINDOW)
def counted_from_1(slope: float, share: float = 0.01) -> float:
    """your windows are one token off: the nearest key is the query's own, at distance 0."""
    return my_window(slope, share) + 1


@exercise.mistake(see=WINDOW)
def all_farther_keys_together(slope: float, share: float = 0.01) -> float:
    """your windows are one token too short: you add up the weights of all keys farther away. The
    exercise asks for a single weight."""
    return my_window(slope, share) - 1


@exercise.mistake(see=LINE)
def score_without_its_exponential(slope: float, share: float = 0.01) -> float:
    """you ask where the penalty itself is as large as the share. The penalty is subtracted from the
    score, and the softmax makes the weight from that."""
    return share / slope


# --- whole tokens -------------------------------------------------------------------------------


@exercise.mistake(see=WINDOW)
def rounded_up(slope: float, share: float = 0.01) -> float:
    """you round up to whole tokens. The task asks for the distance as a real number."""
    return math.ceil(my_window(slope, share))


@exercise.mistake(see=WINDOW)
def rounded_down(slope: float, share: float = 0.01) -> float:
    """you cut off the fraction of a token. The task asks for the distance as a real number."""
    return math.floor(my_window(slope, share))


@exercise.mistake(see=WINDOW)
def rounded(slope: float, share: float = 0.01) -> float:
    """you round to whole tokens. The task asks for the distance as a real number."""
    return round(my_window(slope, share))
