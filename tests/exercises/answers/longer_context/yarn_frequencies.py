"""yarn_frequencies (chapter 06): answers in many styles, right and wrong ones."""

import math

import numpy as np
import torch


def pair_of(turns, dim, theta, original):
    return dim * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(theta))


def yarn_published(dim, theta, factor, original, fast, slow):
    """As the authors have it, in float32."""
    frequencies = theta ** (torch.arange(0, dim, 2).float() / dim)
    low = max(math.floor(pair_of(fast, dim, theta, original)), 0)
    high = min(math.ceil(pair_of(slow, dim, theta, original)), dim - 1)
    ramp = ((torch.arange(dim // 2) - low) / (high - low)).clamp(0, 1)
    return (1 / frequencies) * (1 - ramp) + 1 / (factor * frequencies) * ramp


def yarn_numpy(dim, theta, factor, original, fast, slow):
    bounds = np.log(original / (2 * np.pi * np.array([fast, slow]))) / np.log(theta) * dim / 2
    ends = max(np.floor(bounds[0]), 0), np.ceil(bounds[1])
    pairs = np.arange(dim // 2)
    return theta ** (-2 * pairs / dim) * np.interp(pairs, ends, [1, 1 / factor])


def yarn_loop(dim, theta, factor, original, fast, slow):
    low = max(math.floor(pair_of(fast, dim, theta, original)), 0)
    high = math.ceil(pair_of(slow, dim, theta, original))
    found = []
    for pair in range(dim // 2):
        frequency = theta ** (-2 * pair / dim)
        if pair >= high:
            found.append(frequency / factor)
        elif pair <= low:
            found.append(frequency)
        else:
            slowed = (pair - low) / (high - low)
            found.append((1 - slowed) * frequency + slowed * frequency / factor)
    return torch.tensor(found)


def yarn_from_wavelengths(dim, theta, factor, original, fast, slow):
    """The bounds found among the pairs, not by a logarithm."""
    pairs = np.arange(dim // 2)
    turns = original / (2 * np.pi) * theta ** (-2 * np.arange(-dim, 2 * dim) / dim)
    low = max(np.arange(-dim, 2 * dim)[turns >= fast].max(), 0)
    high = np.arange(-dim, 2 * dim)[turns <= slow].min()
    slowed = np.clip((pairs - low) / (high - low), 0, 1)
    return theta ** (-2 * pairs / dim) * (1 - slowed + slowed / factor)


def by(bounds, blend=None, step=1):
    """YaRN with the bounds made from the two pairs in this way."""

    def answer(dim, theta, factor, original, fast, slow):
        first, last = bounds(*(pair_of(turns, dim, theta, original) for turns in (fast, slow)))
        ramp = ((step * torch.arange(dim // 2) - first) / (last - first)).clamp(0, 1)
        frequencies = theta ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
        if blend is not None:
            return blend(frequencies, ramp, factor)
        return frequencies * (1 - ramp) + frequencies / factor * ramp

    return answer


def rightly(first, last):
    return max(math.floor(first), 0), math.ceil(last)


def forgot_the_base(dim, theta, factor, original, fast, slow):
    low = max(math.floor(dim / 2 * math.log(original / (2 * math.pi * fast))), 0)
    high = math.ceil(dim / 2 * math.log(original / (2 * math.pi * slow)))
    slowed = np.interp(np.arange(dim // 2), [low, high], [0, 1])
    return theta ** (-np.arange(0, dim, 2) / dim) * (1 - slowed + slowed / factor)


def no_clamp(dim, theta, factor, original, fast, slow):
    first, last = rightly(*(pair_of(turns, dim, theta, original) for turns in (fast, slow)))
    ramp = (np.arange(dim // 2) - first) / (last - first)
    frequencies = theta ** (-np.arange(0, dim, 2) / dim)
    return frequencies * (1 - ramp) + frequencies / factor * ramp


def paper(dim, theta, factor, original, fast, slow):
    """Equation by equation: alpha is slow, beta is fast."""
    frequencies = theta ** (-np.arange(0, dim, 2) / dim)
    turns = original * frequencies / (2 * np.pi)
    kept = np.clip((turns - slow) / (fast - slow), 0, 1)
    return (1 - kept) * frequencies / factor + kept * frequencies


def by_wavelength(dim, theta, factor, original, fast, slow):
    wavelengths = 2 * np.pi * theta ** (np.arange(0, dim, 2) / dim)
    slowed = np.interp(wavelengths, [original / fast, original / slow], [0, 1])
    return 2 * np.pi / wavelengths * (1 - slowed + slowed / factor)


def other_frequencies(frequencies):
    def answer(dim, theta, factor, original, fast, slow):
        first, last = rightly(*(pair_of(turns, dim, theta, original) for turns in (fast, slow)))
        slowed = np.clip((np.arange(dim // 2) - first) / (last - first), 0, 1)
        return frequencies(dim, theta) * (1 - slowed + slowed / factor)

    return answer


def changed(fast=None, slow=None, stretch=None):
    """The right answer for other arguments."""

    def answer(dim, theta, factor, original, fast_, slow_):
        length = original * (factor if stretch is None else stretch)
        return yarn_loop(dim, theta, factor, length, fast or fast_, slow or slow_)

    return answer


RIGHT = [yarn_published, yarn_numpy, yarn_loop, yarn_from_wavelengths]
WRONG = [
    (by(lambda first, last: (max(first, 0), last)), "not rounded"),
    (by(lambda first, last: (max(math.ceil(first), 0), math.floor(last))), "rounded inwards"),
    (by(lambda first, last: (max(math.floor(first), 0), math.floor(last))), "both rounded down"),
    (by(lambda first, last: (max(int(first), 0), int(last))), "both rounded down"),
    (by(lambda first, last: (max(round(first), 0), round(last))), "rounded to the nearest"),
    (by(lambda first, last: (math.floor(first), math.ceil(last))), "bound below 0"),
    (lambda d, t, s, n, fast, slow: yarn_published(d, t, s, n, slow, fast), "bounds exchanged"),
    (changed(), "turns within the new length"),
    (changed(stretch=2 * math.pi), "radians for turns"),
    (by(lambda first, last: rightly(2 * first, 2 * last)), "bounds in features"),
    (changed(32, 1, stretch=1), "usual bounds"),
    (forgot_the_base, "natural logarithm"),
    (by(rightly, lambda f, ramp, s: f * ramp + f / s * (1 - ramp)), "ramp reversed"),
    (by(rightly, step=2), "ramp over features"),
    (no_clamp, "ramp without end"),
    (by(rightly, lambda f, ramp, s: torch.where(ramp > 0, f / s, f)), "step at the first bound"),
    (by(rightly, lambda f, ramp, s: torch.where(ramp < 1, f, f / s)), "step at the last bound"),
    (paper, "even in the turns"),
    (by_wavelength, "even in the wavelength"),
    (by(rightly, lambda f, ramp, s: f / (1 + ramp * (s - 1))), "wavelengths blended"),
    (by(rightly, lambda f, ramp, s: f / s**ramp), "factor to a power"),
    (by(rightly, lambda f, ramp, s: f * (1 - ramp) + f * s * ramp), "multiplied"),
    (
        lambda *a: yarn_numpy(*a) * (0.1 * math.log(a[2]) + 1),
        "attention factor in the frequencies",
    ),
    (by(rightly, lambda f, ramp, s: f / s), "all divided"),
    (by(rightly, lambda f, ramp, s: f), "unchanged"),
    (other_frequencies(lambda d, t: t ** (-np.arange(d // 2) / d)), "exponent without 2"),
    (other_frequencies(lambda d, t: t ** (-4 * np.arange(d // 2) / d)), "exponent over pairs"),
]
