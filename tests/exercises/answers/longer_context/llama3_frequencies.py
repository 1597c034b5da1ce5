"""llama3_frequencies (chapter 06): answers in many styles, right and wrong ones."""

import math

import numpy as np
import torch


def llama3_published(dim, theta, factor, low, high, original):
    """Pair by pair, as in the models' code."""
    found = []
    for pair in range(dim // 2):
        frequency = theta ** (-2 * pair / dim)
        wavelength = 2 * math.pi / frequency
        if wavelength < original / high:
            found.append(frequency)
        elif wavelength > original / low:
            found.append(frequency / factor)
        else:
            smooth = (original / wavelength - low) / (high - low)
            found.append((1 - smooth) * frequency / factor + smooth * frequency)
    return torch.tensor(found)


def llama3_where(dim, theta, factor, low, high, original):
    """float32, as transformers has it."""
    frequencies = 1.0 / theta ** (torch.arange(0, dim, 2).float() / dim)
    wavelengths = 2 * math.pi / frequencies
    scaled = torch.where(wavelengths > original / low, frequencies / factor, frequencies)
    smooth = (original / wavelengths - low) / (high - low)
    blended = (1 - smooth) * scaled / factor + smooth * scaled
    medium = ~(wavelengths < original / high) * ~(wavelengths > original / low)
    return torch.where(medium, blended, scaled)


def llama3_clipped(dim, theta, factor, low, high, original):
    frequencies = theta ** (-np.arange(0, dim, 2) / dim)
    kept = np.clip((original * frequencies / 2 / np.pi - low) / (high - low), 0, 1)
    return frequencies * (kept + (1 - kept) / factor)


def llama3_interpolated(dim, theta, factor, low, high, original):
    frequencies = theta ** (-np.arange(0, dim, 2) / dim)
    turns = original * frequencies / (2 * np.pi)
    return frequencies * np.interp(turns, [low, high], [1 / factor, 1])


def zones(turns, between, low, high, kept=1.0, divided=0.0):
    """What is kept of each pair: one thing above the bounds, one below, and one between."""
    between = torch.as_tensor(between).expand_as(turns)
    return torch.where(turns > high, kept, torch.where(turns < low, divided, between))


def by(share):
    """Llama 3's rule, with this share of every pair kept."""

    def answer(dim, theta, factor, low, high, original):
        frequencies = theta ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
        kept = share(original * frequencies / (2 * math.pi), low, high)
        return frequencies * kept + frequencies / factor * (1 - kept)

    return answer


def middle(turns, low, high):
    return (turns - low) / (high - low)


def bounds_exchanged(dim, theta, factor, low, high, original):
    """Whichever zone is asked about first takes the middle too."""
    frequencies = theta ** (-np.arange(0, dim, 2) / dim)
    wavelengths = 2 * np.pi / frequencies
    smooth = (original / wavelengths - high) / (low - high)
    blended = frequencies * smooth + frequencies / factor * (1 - smooth)
    return np.select(
        [wavelengths < original / low, wavelengths > original / high],
        [frequencies, frequencies / factor],
        blended,
    )


def bounds_exchanged_slow_first(dim, theta, factor, low, high, original):
    frequencies = theta ** (-np.arange(0, dim, 2) / dim)
    wavelengths = 2 * np.pi / frequencies
    return np.select(
        [wavelengths > original / high, wavelengths < original / low],
        [frequencies / factor, frequencies],
        np.nan,
    )


def blend_of_wavelengths(dim, theta, factor, low, high, original):
    wavelengths = 2 * np.pi * theta ** (np.arange(0, dim, 2) / dim)
    kept = np.clip((original / wavelengths - low) / (high - low), 0, 1)
    return 2 * np.pi / (wavelengths * kept + wavelengths * factor * (1 - kept))


def power(dim, theta, factor, low, high, original):
    frequencies = theta ** (-np.arange(0, dim, 2) / dim)
    kept = np.clip((original * frequencies / 2 / np.pi - low) / (high - low), 0, 1)
    return frequencies * factor ** (kept - 1)


def one_part(dim, theta, factor, low, high, original):
    found = []
    for pair in range(dim // 2):
        frequency = theta ** (-2 * pair / dim)
        turns = original * frequency / (2 * math.pi)
        if turns > high:
            found.append(frequency)
        elif turns < low:
            found.append(frequency / factor)
        else:
            found.append(frequency * (turns - low) / (high - low))
    return np.array(found)


def multiplies(dim, theta, factor, low, high, original):
    return llama3_clipped(dim, theta, 1 / factor, low, high, original)


def other_frequencies(frequencies):
    def answer(dim, theta, factor, low, high, original):
        f = frequencies(dim, theta)
        kept = np.clip((original * f / 2 / np.pi - low) / (high - low), 0, 1)
        return f * (kept + (1 - kept) / factor)

    return answer


RIGHT = [llama3_published, llama3_where, llama3_clipped, llama3_interpolated]
WRONG = [
    (
        by(lambda n, low, high: zones(n, 1 - middle(n, low, high), low, high, 0.0, 1.0)),
        "zones exchanged",
    ),
    (
        by(lambda n, low, high: zones(n, middle(n, low, high), low, high, 0.0, 1.0)),
        "outer zones exchanged",
    ),
    (
        lambda d, t, s, low, high, n: llama3_where(d, t, s, low, high, n * s),
        "thresholds from the new length",
    ),
    (
        by(
            lambda n, low, high: zones(
                2 * math.pi * n, middle(2 * math.pi * n, low, high), low, high
            )
        ),
        "radians for turns",
    ),
    (
        by(lambda n, low, high: zones(1 / n, middle(1 / n, low, high), low, high)),
        "wavelengths for turns",
    ),
    (lambda d, t, s, low, high, n: llama3_published(d, t, s, 1, 4, n), "bounds of llama 3"),
    (lambda d, t, s, *_: t ** (-np.arange(0, d, 2) / d) / s, "all divided"),
    (lambda d, t, *_: t ** (-np.arange(0, d, 2) / d), "unchanged"),
    (lambda d, t, *_: llama3_published(d, t, 8, 1, 4, 8192), "unchanged"),
    (multiplies, "multiplied"),
    (lambda d, t, s, *_: (t * s ** (d / (d - 2))) ** (-np.arange(0, d, 2) / d), "ntk"),
    (by(lambda n, low, high: zones(n, 1 - middle(n, low, high), low, high)), "blend reversed"),
    (by(lambda n, low, high: zones(n, 1.0, low, high)), "between all kept"),
    (bounds_exchanged, "between all kept"),
    (by(lambda n, low, high: zones(n, 0.0, low, high)), "between all divided"),
    (bounds_exchanged_slow_first, "between all divided"),
    (by(lambda n, low, high: zones(n, 0.5, low, high)), "halfway between"),
    (by(middle), "blend for all"),
    (
        by(lambda n, low, high: zones(n, (1 / low - 1 / n) / (1 / low - 1 / high), low, high)),
        "blend in the wavelength",
    ),
    (
        by(
            lambda n, low, high: zones(
                n, (n.log() - math.log(low)) / math.log(high / low), low, high
            )
        ),
        "blend in the pair",
    ),
    (by(lambda n, low, high: zones(n, n / high, low, high)), "blend not from 0"),
    (by(lambda n, low, high: zones(n, (n - low) / high, low, high)), "blend not up to 1"),
    (blend_of_wavelengths, "wavelengths blended"),
    (power, "factor to a power"),
    (one_part, "only the kept part"),
    (other_frequencies(lambda d, t: t ** (-np.arange(d // 2) / d)), "exponent without 2"),
    (other_frequencies(lambda d, t: t ** (-4 * np.arange(d // 2) / d)), "exponent over pairs"),
    (lambda *a: llama3_where(*a).repeat(2), "a frequency for every feature"),
]
