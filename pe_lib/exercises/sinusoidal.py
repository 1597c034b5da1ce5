"""The five exercises of chapter 02, the sinusoidal encoding."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake, call
from pe_lib.frequencies import inverse_frequencies, wavelengths
from pe_lib.sinusoidal import shift_matrix, sinusoidal_encoding

# Titles of the sections of chapter 02 (a test finds each of them there).
FORMULA = "The formula, symbol by symbol"
CODE = "The table in code"
WAVELENGTHS = "Wavelengths: from seconds to hours"
SHIFT = "A shift is a rotation"
ADDING = "Adding positions to words"
DOT_PRODUCT = "The dot product sees only the offset"


def _row(length: int, first: int = 0) -> Tensor:
    return torch.arange(first, first + length, dtype=torch.float64)


def _even(dim: int) -> Tensor:
    """0, 2, 4 … dim - 2, as the right exponents have it."""
    return torch.arange(0, dim, 2, dtype=torch.float64)


def _interleaved(sin: Tensor, cos: Tensor) -> Tensor:
    return torch.stack((sin, cos), dim=-1).flatten(-2)


# --- Exercise 1: the table ---------------------------------------------------------------------


def _table(length: int, dim: int) -> Tensor:
    return sinusoidal_encoding(length, dim, dtype=torch.float64)


def _table_with(frequencies: Tensor, length: int, first: int = 0) -> Tensor:
    """A table from the frequencies of the pairs."""
    angles = torch.outer(_row(length, first), frequencies)
    return _interleaved(angles.sin(), angles.cos())


def _table_by_column(frequencies: Tensor, length: int) -> Tensor:
    """A table where every column, cosines too, has a frequency of its own."""
    angles = torch.outer(_row(length), frequencies)
    return _interleaved(angles[:, 0::2].sin(), angles[:, 1::2].cos())


SINUSOIDAL_TABLE = Exercise(
    name="sinusoidal_table",
    signature="my_table(length, dim)",
    reference=_table,
    calls=(call(6, 8), call(1, 4), call(12, 6), call(3, 2), call(5, 16)),
    mistakes=(
        Mistake(
            "sign of the exponent",
            lambda length, dim: _table_with(10000 ** (_even(dim) / dim), length),
            "the exponent has the wrong sign. Your later pairs turn faster than the first one; "
            "they should turn slower and slower.",
            FORMULA,
        ),
        Mistake(
            "positions from 1",
            lambda length, dim: _table_with(inverse_frequencies(dim), length, first=1),
            "your rows are those of the next position: you count positions from 1. "
            "The first word stands at position 0.",
            FORMULA,
        ),
        Mistake(
            "exponent without its 2",
            lambda length, dim: _table_with(10000 ** -(_even(dim) / 2 / dim), length),
            "your frequencies fall only half as far as they should: the pair index has lost "
            "its factor in the exponent.",
            FORMULA,
        ),
        Mistake(
            "exponent with its 2 twice",
            lambda length, dim: _table_with(10000 ** -(2 * _even(dim) / dim), length),
            "your frequencies fall twice as far as they should: a column number that steps "
            "by two already holds the factor 2, and you multiply by 2 again.",
            FORMULA,
        ),
        Mistake(
            "column as pair index",
            lambda length, dim: _table_by_column(10000 ** (-2 * _row(dim) / dim), length),
            "you take the number of the column for the index of the pair. The two columns of "
            "a pair share one index, and there are only half as many pairs as columns.",
            FORMULA,
        ),
        Mistake(
            "cosine with a frequency of its own",
            lambda length, dim: _table_by_column(10000 ** (-_row(dim) / dim), length),
            "your sines are right, your cosines turn too slowly: a cosine shares the "
            "frequency of the sine to its left.",
            FORMULA,
        ),
        Mistake(
            "halves instead of interleaved",
            lambda length, dim: torch.cat(
                (_table(length, dim)[:, 0::2], _table(length, dim)[:, 1::2]), dim=1
            ),
            "all sines come first, then all cosines. The numbers are right, their columns are "
            "not: sine and cosine take turns.",
            CODE,
        ),
        Mistake(
            "sine and cosine swapped",
            lambda length, dim: _table(length, dim).unflatten(1, (-1, 2)).flip(-1).flatten(1),
            "sine and cosine have changed places. Look at the row of position 0: which of the "
            "two starts at zero?",
            FORMULA,
        ),
        Mistake(
            "no cosine",
            lambda length, dim: _table(length, dim)[:, 0::2].repeat_interleave(2, dim=1),
            "both columns of a pair hold the sine; where is the cosine?",
            FORMULA,
        ),
        Mistake(
            "transposed",
            lambda length, dim: _table(length, dim).T,
            "the table lies on its side: one row for each position, one column for each feature.",
            CODE,
        ),
        Mistake(
            "degrees",
            lambda length, dim: _table_with(torch.deg2rad(inverse_frequencies(dim)), length),
            "you take the angles for degrees. The formula and torch speak of radians.",
            FORMULA,
        ),
        Mistake(
            "divided by the length",
            lambda length, dim: _table_with(inverse_frequencies(dim) / length, length),
            "you divide the position by the length of the sequence, so that the same position "
            "gets another code in every sequence.",
            FORMULA,
        ),
    ),
)


# --- Exercise 2: the wavelength of a column ----------------------------------------------------


def _wavelength(column: int, dim: int) -> Tensor:
    return wavelengths(dim)[column // 2]


WAVELENGTH = Exercise(
    name="wavelength",
    signature="my_wavelength(column, dim)",
    reference=_wavelength,
    calls=(call(0, 8), call(1, 8), call(6, 16), call(31, 64), call(127, 128)),
    mistakes=(
        Mistake(
            "column as pair index",
            lambda column, dim: 2 * math.pi * 10000 ** (2 * column / dim),
            "your wavelengths grow far too fast: the formula wants the index of the pair, and "
            "you put in the number of the column. (A tutorial has this very formula.)",
            WAVELENGTHS,
        ),
        Mistake(
            "odd column with a wavelength of its own",
            lambda column, dim: 2 * math.pi * 10000 ** (column / dim),
            "your even columns are right, your odd ones are too long: the two columns of a "
            "pair share one wavelength.",
            WAVELENGTHS,
        ),
        Mistake(
            "exponent without its 2",
            lambda column, dim: 2 * math.pi * 10000 ** (column // 2 / dim),
            "your wavelengths grow only half as far as they should: the pair index has lost "
            "its factor in the exponent.",
            WAVELENGTHS,
        ),
        Mistake(
            "radians instead of turns",
            lambda column, dim: 1 / inverse_frequencies(dim)[column // 2],
            "you give the number of positions for one radian. A wavelength is the number of "
            "positions for one full turn.",
            WAVELENGTHS,
        ),
        Mistake(
            "frequency",
            lambda column, dim: inverse_frequencies(dim)[column // 2],
            "this is the frequency, the angle for each position. The wavelength is how many "
            "positions one full turn takes: it grows from left to right.",
            WAVELENGTHS,
        ),
        Mistake(
            "turned upside down",
            lambda column, dim: 2 * math.pi * inverse_frequencies(dim)[column // 2],
            "the full turn is there, but the frequency stands on the wrong side of the "
            "fraction: slow pairs need more positions for a turn, not fewer.",
            WAVELENGTHS,
        ),
        Mistake(
            "turns for each position",
            lambda column, dim: 1 / wavelengths(dim)[column // 2],
            "you give turns for each position; the wavelength is positions for each turn.",
            WAVELENGTHS,
        ),
        Mistake(
            "natural exponential",
            lambda column, dim: 2 * math.pi * math.exp(column // 2 * 2 / dim),
            "your wavelengths grow with the base e. The encoding has another, much larger base.",
            WAVELENGTHS,
        ),
        Mistake(
            "half a turn",
            lambda column, dim: wavelengths(dim)[column // 2] / 2,
            "this is where the wave crosses zero again, half a turn on. A wavelength is a "
            "full one.",
            WAVELENGTHS,
        ),
        Mistake(
            "degrees",
            lambda column, dim: 360 / inverse_frequencies(dim)[column // 2],
            "you count a full turn in degrees; the frequencies are in radians.",
            WAVELENGTHS,
        ),
    ),
)


# --- Exercise 3: the shift matrix --------------------------------------------------------------


def _blocks(angles: Tensor) -> Tensor:
    """A shift matrix from the angle of every pair."""
    cos, sin = angles.cos(), angles.sin()
    blocks = torch.stack((cos, sin, -sin, cos), dim=-1).unflatten(-1, (2, 2))
    matrix: Tensor = torch.block_diag(*blocks)
    return matrix


def _half_split(k: int, dim: int) -> Tensor:
    order = torch.cat((torch.arange(0, dim, 2), torch.arange(1, dim, 2)))
    return shift_matrix(k, dim)[order][:, order]


def _symmetric(k: int, dim: int) -> Tensor:
    """The upper half mirrored: both sines of a block with the same sign."""
    upper = shift_matrix(k, dim).triu()
    return upper + upper.triu(1).T


SHIFT_MATRIX = Exercise(
    name="shift_matrix",
    signature="my_shift_matrix(k, dim)",
    reference=shift_matrix,
    calls=(call(3, 4), call(1, 6), call(0, 8), call(-2, 8), call(4, 12)),
    mistakes=(
        Mistake(
            "turned backwards",
            lambda k, dim: shift_matrix(-k, dim),
            "your matrix goes k positions back: every block turns the wrong way. Which comes "
            "first in a pair, the sine or the cosine?",
            SHIFT,
        ),
        Mistake(
            "one block too many",
            lambda k, dim: _blocks(k * 10000 ** (-torch.arange(0, dim + 2, 2) / dim)),
            "your matrix is two rows and two columns too large: there is one block for each "
            "pair, and the pairs are counted from 0.",
            SHIFT,
        ),
        Mistake(
            "pairs counted from 1",
            lambda k, dim: _blocks(k * 10000 ** (-(_even(dim) + 2) / dim)),
            "every block has the frequency of the next pair: the pairs are counted from 0.",
            SHIFT,
        ),
        Mistake(
            "half-split layout",
            _half_split,
            "your matrix turns column i together with column i + dim/2. In this table the two "
            "columns of a pair are neighbours.",
            SHIFT,
        ),
        Mistake(
            "only the diagonal",
            lambda k, dim: torch.diag(torch.diag(shift_matrix(k, dim))),
            "only the diagonal is filled. A cosine alone cannot tell forwards from backwards: "
            "each new value mixes both values of its pair.",
            SHIFT,
        ),
        Mistake(
            "minus sign missing",
            _symmetric,
            "your blocks are symmetric, so they do not turn: a minus sign is missing.",
            SHIFT,
        ),
        Mistake(
            "without k",
            lambda k, dim: shift_matrix(1, dim),
            "your matrix is the same for every k: it always goes one position on.",
            SHIFT,
        ),
        Mistake(
            "one angle for all pairs",
            lambda k, dim: _blocks(torch.full((dim // 2,), float(k))),
            "every block turns by the angle of the fastest pair. Each pair has its own frequency.",
            SHIFT,
        ),
        Mistake(
            "sign of the exponent",
            lambda k, dim: _blocks(k * 10000 ** (_even(dim) / dim)),
            "the exponent has the wrong sign: your later pairs turn faster than the first one.",
            FORMULA,
        ),
        Mistake(
            "exponent without its 2",
            lambda k, dim: _blocks(k * 10000 ** (-_even(dim) / 2 / dim)),
            "your frequencies fall only half as far as they should: the pair index has lost "
            "its factor in the exponent.",
            FORMULA,
        ),
        Mistake(
            "degrees",
            lambda k, dim: _blocks(torch.deg2rad(k * inverse_frequencies(dim))),
            "you take the angles for degrees; they are radians.",
            FORMULA,
        ),
    ),
)


# --- Exercise 4: adding positions to embeddings ------------------------------------------------


def _add(embeddings: Tensor, offset: int = 0) -> Tensor:
    return _scaled(embeddings) + _encoding(embeddings, offset)


def _scaled(embeddings: Tensor) -> Tensor:
    return embeddings * math.sqrt(embeddings.shape[-1])


def _encoding(embeddings: Tensor, offset: int = 0) -> Tensor:
    """The rows of the sequence's positions, (seq, dim)."""
    _, seq, dim = embeddings.shape
    return sinusoidal_encoding(_row(seq, offset), dim)


def _embeddings(batch: int, seq: int, dim: int) -> Tensor:
    generator = torch.Generator().manual_seed(dim)
    return torch.randn(batch, seq, dim, generator=generator)


def _batch_encoding(embeddings: Tensor, offset: int) -> Tensor:
    """The rows of positions counted along the batch, (batch, dim)."""
    batch, _, dim = embeddings.shape
    return sinusoidal_encoding(_row(batch, offset), dim)


def _running_on(embeddings: Tensor, offset: int = 0) -> Tensor:
    """Positions that do not start anew with the next sequence of the batch."""
    batch, seq, dim = embeddings.shape
    positions = _row(batch * seq, offset).view(batch, seq)
    return _scaled(embeddings) + sinusoidal_encoding(positions, dim)


ADD_POSITIONS = Exercise(
    name="add_positions",
    signature="my_add(embeddings, offset=0)",
    reference=_add,
    calls=(
        call(_embeddings(2, 5, 8)),
        call(_embeddings(1, 4, 16)),
        call(_embeddings(3, 2, 6), offset=7),
        call(_embeddings(2, 1, 4), offset=20),
    ),
    mistakes=(
        Mistake(
            "embeddings not scaled",
            lambda x, offset=0: x + _encoding(x, offset),
            "the positions are right, but the embeddings come in at their own size: the paper "
            "multiplies them first, so that words are not drowned out.",
            ADDING,
        ),
        Mistake(
            "embeddings divided",
            lambda x, offset=0: x / math.sqrt(x.shape[-1]) + _encoding(x, offset),
            "you make the embeddings smaller; the paper makes them larger before it adds. "
            "(Dividing is what attention does to its scores.)",
            ADDING,
        ),
        Mistake(
            "scaled by dim",
            lambda x, offset=0: x * x.shape[-1] + _encoding(x, offset),
            "the embeddings are scaled too much: by dim itself, not by what the paper takes.",
            ADDING,
        ),
        Mistake(
            "positions scaled too",
            lambda x, offset=0: _scaled(x + _encoding(x, offset)),
            "you scale the sum. Only the embeddings are scaled, before the positions are added.",
            ADDING,
        ),
        Mistake(
            "positions along the batch",
            lambda x, offset=0: _scaled(x) + _batch_encoding(x, offset)[:, None],
            "all words of one sequence get the same position, the number of their sequence in "
            "the batch: positions run along the sequence axis.",
            ADDING,
        ),
        Mistake(
            "as many rows as sequences",
            lambda x, offset=0: _scaled(x) + _batch_encoding(x, offset),
            "your table has as many rows as the batch has sequences. It needs one row for each "
            "word: positions run along the sequence axis.",
            ADDING,
        ),
        Mistake(
            "positions run on through the batch",
            _running_on,
            "the second sequence of the batch goes on counting where the first one ended. "
            "Every sequence starts at the same position.",
            ADDING,
        ),
        Mistake(
            "offset ignored",
            lambda x, offset=0: _add(x),
            "right without an offset, but offset changes nothing: the first word of the call "
            "stands at that position, not at 0.",
            ADDING,
        ),
        Mistake(
            "offset added to the numbers",
            lambda x, offset=0: _add(x) + offset,
            "the offset is added to the encoding's numbers. It belongs to the positions, before "
            "any sine is taken.",
            ADDING,
        ),
        Mistake(
            "positions from 1",
            lambda x, offset=0: _add(x, offset + 1),
            "every word gets the code of the next position: the first one stands at position 0.",
            ADDING,
        ),
        Mistake(
            "positions only",
            lambda x, offset=0: _encoding(x, offset).expand(x.shape),
            "the words are gone: your result is the encoding alone.",
            ADDING,
        ),
        Mistake(
            "words only",
            lambda x, offset=0: _scaled(x),
            "the words are scaled as they should be, but no position is added.",
            ADDING,
        ),
    ),
)


# --- Exercise 5: the score of an offset --------------------------------------------------------


def _score(k: int, dim: int) -> Tensor:
    return (k * inverse_frequencies(dim)).cos().sum()


SCORE_BY_OFFSET = Exercise(
    name="score_by_offset",
    signature="my_score(k, dim)",
    reference=_score,
    calls=(call(1, 8), call(0, 6), call(4, 12), call(-3, 8), call(50, 4)),
    mistakes=(
        Mistake(
            "mean instead of sum",
            lambda k, dim: _score(k, dim) / (dim / 2),
            "your score never exceeds 1: you average over the pairs. A dot product is a sum.",
            DOT_PRODUCT,
        ),
        Mistake(
            "every pair counted twice",
            lambda k, dim: 2 * _score(k, dim),
            "your score is twice too large. The two columns of a pair together give one term.",
            DOT_PRODUCT,
        ),
        Mistake(
            "sines",
            lambda k, dim: (k * inverse_frequencies(dim)).sin().sum(),
            "your score is 0 at offset 0 and changes its sign with the offset. A vector is most "
            "similar to itself, and forwards and backwards score the same.",
            DOT_PRODUCT,
        ),
        Mistake(
            "first pair only",
            lambda k, dim: math.cos(k),
            "only the first pair is counted: every pair adds its own term.",
            DOT_PRODUCT,
        ),
        Mistake(
            "offset forgotten",
            lambda k, dim: dim / 2,
            "your score is the same for every offset: it is what a vector gives with itself.",
            DOT_PRODUCT,
        ),
        Mistake(
            "one angle for all pairs",
            lambda k, dim: dim / 2 * math.cos(k),
            "every pair turns by the angle of the fastest one. Each has its own frequency.",
            DOT_PRODUCT,
        ),
        Mistake(
            "angles added first",
            lambda k, dim: (k * inverse_frequencies(dim)).sum().cos(),
            "you add the angles of all pairs and take one cosine. Each pair gives a term of its "
            "own, and the terms are added.",
            DOT_PRODUCT,
        ),
        Mistake(
            "column as pair index",
            lambda k, dim: (k * 10000 ** (-_row(dim) / dim)).cos().sum(),
            "you give every column a frequency and a term of its own: the two columns of a pair "
            "share one.",
            DOT_PRODUCT,
        ),
        Mistake(
            "exponent without its 2",
            lambda k, dim: (k * 10000 ** (-_even(dim) / 2 / dim)).cos().sum(),
            "your frequencies fall only half as far as they should: the pair index has lost "
            "its factor in the exponent.",
            FORMULA,
        ),
        Mistake(
            "sign of the exponent",
            lambda k, dim: (k * 10000 ** (_even(dim) / dim)).cos().sum(),
            "the exponent has the wrong sign: your later pairs turn faster than the first one.",
            FORMULA,
        ),
        Mistake(
            "degrees",
            lambda k, dim: torch.deg2rad(k * inverse_frequencies(dim)).cos().sum(),
            "you take the angles for degrees; they are radians.",
            FORMULA,
        ),
        Mistake(
            "distance instead of score",
            lambda k, dim: (dim - 2 * _score(k, dim)).clamp_min(0).sqrt(),
            "this is the distance between the two vectors, 0 when they are the same. The score "
            "is their dot product, largest when they are the same.",
            DOT_PRODUCT,
        ),
        Mistake(
            "divided by sqrt(dim)",
            lambda k, dim: _score(k, dim) / math.sqrt(dim),
            "the score is divided by the root of dim. Attention does that; the dot product "
            "alone does not.",
            DOT_PRODUCT,
        ),
    ),
)


EXERCISES = (SINUSOIDAL_TABLE, WAVELENGTH, SHIFT_MATRIX, ADD_POSITIONS, SCORE_BY_OFFSET)
