"""Exercise: the perplexity per word of a model that reads bytes."""

import math

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.comparison._common import CONTENT

exercise = Exercise(
    call(1.5, 5.5),
    call(0.7, 6.1),
    call(2.0, 1.0),  # every word one byte
    call(0.05, 4.0),
    call(1.1, 2.5),
    call(0.3, 0.5),
    call(5.545, 7.0),  # nothing learned: 256 bytes, all as likely
)


@exercise.answer
def my_perplexity(nats_per_byte: float, bytes_per_word: float) -> float:
    return math.exp(nats_per_byte * bytes_per_word)


@exercise.mistake(see=CONTENT)
def perplexity_of_a_byte(nats_per_byte: float, bytes_per_word: float) -> float:
    """this is the perplexity of a byte. A word has several bytes, and each of them adds its
    loss."""
    return math.exp(nats_per_byte)


@exercise.mistake(see=CONTENT)
def multiplied_too_late(nats_per_byte: float, bytes_per_word: float) -> float:
    """you multiply a byte's perplexity by the number of bytes. Losses add up over the bytes of a
    word, but perplexities multiply."""
    return math.exp(nats_per_byte) * bytes_per_word


@exercise.mistake(see=CONTENT)
def power_of_2(nats_per_byte: float, bytes_per_word: float) -> float:
    """you take a power of 2. That is right for a loss in bits; this one is in nats."""
    return math.pow(2, nats_per_byte * bytes_per_word)


@exercise.mistake(see=CONTENT)
def bits_in_a_power_of_e(nats_per_byte: float, bytes_per_word: float) -> float:
    """you turn nats into bits and then take a power of e. Bits belong to powers of 2, and nats to
    powers of e."""
    return math.exp(nats_per_byte / math.log(2) * bytes_per_word)


@exercise.mistake(see=CONTENT)
def divided_by_the_bytes(nats_per_byte: float, bytes_per_word: float) -> float:
    """you divide by the number of bytes, and a word costs less than one of its letters. A word
    costs what all its bytes cost together."""
    return math.exp(nats_per_byte / bytes_per_word)


@exercise.mistake(see=CONTENT)
def nats_of_a_word(nats_per_byte: float, bytes_per_word: float) -> float:
    """this is the loss of a word in nats, and it is right. A perplexity is a number of choices: how
    many equally likely words would cost as much."""
    return nats_per_byte * bytes_per_word


@exercise.mistake(see=CONTENT)
def bits_of_a_word(nats_per_byte: float, bytes_per_word: float) -> float:
    """this is the loss of a word in bits. A perplexity is a number of choices: how many equally
    likely words would cost as much."""
    return nats_per_byte * bytes_per_word / math.log(2)


@exercise.mistake(see=CONTENT)
def probability_of_a_word(nats_per_byte: float, bytes_per_word: float) -> float:
    """your result is below 1: it is the probability that the model gives to a word, as a mean over
    many words. The perplexity is its inverse."""
    return math.exp(-nats_per_byte * bytes_per_word)


@exercise.mistake(see=CONTENT)
def logarithm_for_power(nats_per_byte: float, bytes_per_word: float) -> float:
    """you take a logarithm. The loss is already a logarithm, and the perplexity undoes it."""
    return math.log(nats_per_byte * bytes_per_word)


@exercise.mistake(see=CONTENT)
def bytes_to_the_power(nats_per_byte: float, bytes_per_word: float) -> float:
    """you raise the number of bytes to a power. It belongs in the exponent, with the loss."""
    return math.pow(bytes_per_word, nats_per_byte)
