"""Exercise: what YaRN multiplies attention scores by."""

import math

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.longer_context._common import ATTENTION_FACTOR
from pe_lib.rotary.scaling.yarn import YarnScaling

# (No text is as long as the last one says. It tells apart two mistakes that are nearly the same.)
exercise = Exercise(
    call(4.0), call(1.0), call(2.5), call(16.0), call(40.0), call(2048.0), call(1e9)
)


@exercise.answer
def my_score_factor(factor: float) -> float:
    return _attention_factor(factor) ** 2


def _attention_factor(factor: float) -> float:
    """It has nothing to do with the trained length."""
    return YarnScaling(factor, original_max_position=1).attention_scaling


def _plus_1(growth: float) -> float:
    return (growth + 1) ** 2


# --- how often ----------------------------------------------------------------------------------


@exercise.mistake(see=ATTENTION_FACTOR)
def only_once(factor: float) -> float:
    """this is the factor of the cosines and sines. Both queries and keys are turned with them, and
    a score multiplies queries by keys."""
    return _attention_factor(factor)


@exercise.mistake(see=ATTENTION_FACTOR)
def four_times(factor: float) -> float:
    """you count the factor of cosine and sine separately, for queries and for keys. A turned
    feature is a sum of two terms, each with the factor once, so the sum has the factor once."""
    return _attention_factor(factor) ** 4


@exercise.mistake(see=ATTENTION_FACTOR)
def doubled(factor: float) -> float:
    """you add the factor of queries to that of keys. A score multiplies queries by keys, so their
    factors are multiplied too: with factor 1 nothing should change."""
    return 2 * _attention_factor(factor)


@exercise.mistake(see=ATTENTION_FACTOR)
def growth_doubled(factor: float) -> float:
    """nearly right for small factors. You double the part of the attention factor that is above 1.
    But the factor of queries and the factor of keys are multiplied."""
    return 2 * _attention_factor(factor) - 1


@exercise.mistake(see=ATTENTION_FACTOR)
def root(factor: float) -> float:
    """you take the root. Queries and keys both have the whole factor."""
    return math.sqrt(_attention_factor(factor))


@exercise.mistake(see=ATTENTION_FACTOR)
def upside_down(factor: float) -> float:
    """your factor makes scores smaller: it is the temperature that they are divided by. Longer
    texts need sharper attention, so scores grow."""
    return 1 / my_score_factor(factor)


@exercise.mistake(see=ATTENTION_FACTOR)
def upside_down_and_once(factor: float) -> float:
    """your factor makes scores smaller. Longer texts need sharper attention, so scores grow. (And
    both queries and keys have the factor.)"""
    return 1 / _attention_factor(factor)


# --- the logarithm ------------------------------------------------------------------------------


@exercise.mistake(see=ATTENTION_FACTOR)
def logarithm_to_base_10(factor: float) -> float:
    """your logarithm has base 10; it should be the natural one."""
    return _plus_1(0.1 * math.log10(factor))


@exercise.mistake(see=ATTENTION_FACTOR)
def logarithm_to_base_2(factor: float) -> float:
    """your logarithm has base 2; it should be the natural one."""
    return _plus_1(0.1 * math.log2(factor))


@exercise.mistake(see=ATTENTION_FACTOR)
def no_logarithm(factor: float) -> float:
    """the logarithm is missing: your factor grows far too fast, and changes scores even if the text
    is no longer than in training."""
    return _plus_1(0.1 * factor)


@exercise.mistake(see=ATTENTION_FACTOR)
def tenth_forgotten(factor: float) -> float:
    """your factor is far too large: only a tenth of the logarithm counts."""
    return _plus_1(math.log(factor))


@exercise.mistake(see=ATTENTION_FACTOR)
def tenth_inside_the_logarithm(factor: float) -> float:
    """you take the logarithm of a tenth of the factor. It should be a tenth of the logarithm: with
    factor 1 nothing should change."""
    return _plus_1(math.log(0.1 * factor))


@exercise.mistake(see=ATTENTION_FACTOR)
def tenth_of_all(factor: float) -> float:
    """you take a tenth of the 1 too, so your scores nearly vanish. With factor 1 nothing should
    change."""
    return (0.1 * (math.log(factor) + 1)) ** 2


@exercise.mistake(see=ATTENTION_FACTOR)
def one_forgotten(factor: float) -> float:
    """your scores nearly vanish: you have only the part of the attention factor that is added to 1.
    With factor 1, the attention factor is 1."""
    return (0.1 * math.log(factor)) ** 2


@exercise.mistake(see=ATTENTION_FACTOR)
def squared_before_the_sum(factor: float) -> float:
    """you square the growth alone, and then add the 1. The whole attention factor should be
    squared."""
    return (0.1 * math.log(factor)) ** 2 + 1


@exercise.mistake(see=ATTENTION_FACTOR)
def the_factor_itself(factor: float) -> float:
    """you multiply scores by the factor by which the text is longer. It stretches wavelengths;
    scores grow only with its logarithm."""
    return factor
