"""Exercise: in how many different orders the words of a bag can appear.

The lists are long, so that nobody can solve the exercise by trying all orders. But words repeat so
often that fewer than 2,000 orders look different, and for such numbers the checker's tolerance is
less than one.
"""

import math
from collections import Counter

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.why_order_matters._common import BAG

exercise = Exercise(
    call(["the", "dog", "bit", "the", "man"]),
    call(["a", "rose", "is", "a", "rose", "is", "a", "rose"]),
    call(["every", "good", "boy", "deserves", "fruit", "today"]),
    call(["dog"]),
    call(["ha"] * 24),
    call(["no"] * 36 + ["yes"] * 2),
    call(["row"] * 20 + ["your"] + ["row"] * 16 + ["boat"]),
)


@exercise.answer
def my_orders(words: list[str]) -> int:
    return math.factorial(len(words)) // _among_equals(words)


def _among_equals(words: list[str]) -> int:
    """In how many ways equal words can change places among themselves."""
    return math.prod(math.factorial(count) for count in _counts(words))


def _counts(words: list[str]) -> list[int]:
    return list(Counter(words).values())


# --- equal words --------------------------------------------------------------------------------


@exercise.mistake(see=BAG)
def equal_words_counted_as_different(words: list[str]) -> int:
    """you treat every word as a different one. If two equal words change places, the order looks
    the same."""
    return math.factorial(len(words))


@exercise.mistake(see=BAG)
def different_words_only(words: list[str]) -> int:
    """you count the orders of the different words, with each word used once. A word that occurs
    twice in the sentence has two places."""
    return math.factorial(len(set(words)))


@exercise.mistake(see=BAG)
def divided_by_the_count(words: list[str]) -> float:
    """this is right if no word occurs more than twice. In how many ways can three equal words
    change places? There are more than three."""
    return math.factorial(len(words)) / math.prod(_counts(words))


@exercise.mistake(see=BAG)
def one_repeated_word_only(words: list[str]) -> int:
    """this is right if only one word repeats. If several words do, each of them makes orders look
    alike."""
    return math.factorial(len(words)) // math.factorial(max(_counts(words)))


@exercise.mistake(see=BAG)
def repeated_words_as_one(words: list[str]) -> int:
    """you treat all repeated words as if they were one and the same word. Each of them can change
    places only with its own copies."""
    repeated = sum(count for count in _counts(words) if count > 1)
    return math.factorial(len(words)) // math.factorial(repeated)


@exercise.mistake(see=BAG)
def factorials_added(words: list[str]) -> float:
    """you add up what the different words contribute. The copies of one word change places
    independently of the copies of another, and independent choices multiply."""
    return math.factorial(len(words)) / sum(math.factorial(count) for count in _counts(words))


@exercise.mistake(see=BAG)
def places_among_equals(words: list[str]) -> int:
    """you count in how many ways equal words can change places among themselves. Those are the
    orders that look alike, but the exercise asks for those that look different."""
    return _among_equals(words)


# --- orders of n things -------------------------------------------------------------------------


@exercise.mistake(see=BAG)
def every_word_in_every_place(words: list[str]) -> int:
    """you let each place take any of the words again. A word that has been put somewhere is used
    up."""
    power: int = len(words) ** len(words)
    return power


@exercise.mistake(see=BAG)
def words_used_as_often_as_wanted(words: list[str]) -> int:
    """you let each place take any of the different words, as often as you like. The bag says how
    often each word is there."""
    power: int = len(set(words)) ** len(words)
    return power


@exercise.mistake(see=BAG)
def sentence_itself_not_counted(words: list[str]) -> int:
    """your number is one too small: the order that was given counts too."""
    return my_orders(words) - 1
