"""What the tests of several files share."""

import os
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import pytest
import torch
from mpmath import mpf

ROOT = Path(__file__).resolve().parents[1]
F64 = torch.float64
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
U = 2.0**-53  # float64's rounding


def cannot_run(reason: str) -> NoReturn:
    """Leave a test out, and say why; in CI that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and in CI nothing may be left out", False)
    pytest.skip(reason)


def randn(*shape, seed=0, dtype=F64):
    """Normally distributed numbers, the same whenever they are drawn."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=F64).to(dtype)


def exact_frequencies(dim, theta):
    """theta ** (-2i/dim) for every pair i, with the digits that mpmath is set to."""
    return [mpf(theta) ** (-mpf(2 * i) / dim) for i in range(dim // 2)]


def published_rotary(dim, theta, longest, seq_len=None, **settings):
    """What transformers loads a model with: frequencies, and a factor for cosine and sine.

    Args:
        dim, theta: of the head and of the base.
        longest: the configuration's max_position_embeddings.
        seq_len: length of the text, where the frequencies depend on it.
        settings: the others of rope_parameters.
    """
    transformers = import_module("transformers")  # only here, as that takes seconds
    config = transformers.LlamaConfig(
        head_dim=dim,
        max_position_embeddings=longest,
        rope_parameters={"rope_theta": theta, **settings},
    )
    functions = transformers.modeling_rope_utils.ROPE_INIT_FUNCTIONS
    frequencies, factor = functions[settings["rope_type"]](config, "cpu", seq_len=seq_len)
    return frequencies.double(), factor


def compiled(function, backend="eager", *, fullgraph=True, **options):
    """The function as torch.compile makes it where it has compiled nothing before."""
    torch.compiler.reset()
    return torch.compile(function, backend=backend, fullgraph=fullgraph, **options)


def dash_of(line):
    """Dashes and gaps of a line; matplotlib's own getter says "--" of all that are not named."""
    return line._unscaled_dash_pattern


def assert_closed_and_small(figure):
    """A picture for a chapter: matplotlib no longer holds it, and a phone shows it legibly."""
    from matplotlib import pyplot
    from matplotlib.text import Text

    assert pyplot.get_fignums() == [], "matplotlib still holds a figure"
    width, height = figure.get_size_inches()
    assert width <= 5.2 and height <= 6, f"{width} x {height} inches"
    written = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    small = {text.get_text() for text in written if text.get_size() < 12}
    assert not small, "in letters of less than 12 points"
