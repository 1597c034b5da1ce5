"""What chapter 04 works out by hand, once more, with 40 digits, by neither torch nor pe_lib.

Each function gives one kind of number from the definitions: a pair (x, y) turned by an angle is
(x cos - y sin, x sin + y cos), a score is a dot product, a weight a softmax (Su et al. 2021,
arXiv 2104.09864).
"""

from collections.abc import Sequence

from mpmath import mp, mpf

mp.dps = 40
DIM, LENGTH, THETA = 6, 5, mpf(10000)
PAIRS = {"half": [(0, 3), (1, 4), (2, 5)], "inter": [(0, 1), (2, 3), (4, 5)]}
Vector = list[mpf]


def exact(numbers: Sequence[float]) -> Vector:
    """Numbers that were written with one decimal, as what was written."""
    return [mpf(f"{number:.1f}") for number in numbers]


QUERY = exact([0.5, 1.0, -0.5, 0.8, -1.2, 0.3])  # of the token at position 1
KEY = exact([-0.7, 0.9, 0.4, -0.6, 1.1, -0.2])  # of the token at position 3
FREQUENCIES = [THETA ** (-mpf(2 * i) / DIM) for i in range(DIM // 2)]


def dot(x: Vector, y: Vector) -> mpf:
    return mp.fsum(a * b for a, b in zip(x, y, strict=True))


def turn_pair(x: mpf, y: mpf, angle: mpf) -> tuple[mpf, mpf]:
    return x * mp.cos(angle) - y * mp.sin(angle), x * mp.sin(angle) + y * mp.cos(angle)


def turn(x: Vector, position: int, layout: str) -> Vector:
    """Every pair of a vector turned by position times frequency."""
    turned = list(x)
    for (a, b), frequency in zip(PAIRS[layout], FREQUENCIES, strict=True):
        turned[a], turned[b] = turn_pair(x[a], x[b], position * frequency)
    return turned


def score(m: int, n: int, layout: str) -> mpf:
    """The query at position m, the key at position n."""
    return dot(turn(QUERY, m, layout), turn(KEY, n, layout))


def wide(row: Vector, layout: str) -> Vector:
    """A row with a number for each pair, as a row with a number for each feature."""
    pair_of = {feature: i for i, pair in enumerate(PAIRS[layout]) for feature in pair}
    return [row[pair_of[feature]] for feature in range(DIM)]


def product(x: list[Vector], matrix: list[Vector]) -> list[Vector]:
    return [[dot(row, list(column)) for column in zip(*matrix, strict=True)] for row in x]


def softmax(row: Vector) -> Vector:
    powers = [mp.exp(value) for value in row]
    return [power / mp.fsum(powers) for power in powers]


def tables() -> dict[str, object]:
    """What depends on positions and frequencies alone."""
    angles = [[p * frequency for frequency in FREQUENCIES] for p in range(LENGTH)]
    cos = [[mp.cos(angle) for angle in row] for row in angles]
    sin = [[mp.sin(angle) for angle in row] for row in angles]
    found: dict[str, object] = {
        "ratios": [mpf(2 * i) / DIM for i in range(3)],
        "powers": [THETA ** (mpf(2 * i) / DIM) for i in range(3)],
        "frequencies": FREQUENCIES,
        "wavelengths": [2 * mp.pi / frequency for frequency in FREQUENCIES],
        "six_frequencies": [THETA ** (-mpf(d) / DIM) for d in range(6)],
        "angles": angles,
        "cos": cos,
        "sin": sin,
    }
    for layout in PAIRS:
        for name, rows in (("angles", angles), ("cos", cos), ("sin", sin)):
            found[f"{name}_{layout}"] = [wide(row, layout) for row in rows]
    return found


def of_the_pair() -> dict[str, object]:
    """What the query of position 1 and the key of position 3 give, in both layouts."""
    found: dict[str, object] = {"q_1": QUERY, "k_3": KEY, "plain_score": dot(QUERY, KEY)}
    back = [(1 - 3) * frequency for frequency in FREQUENCIES]
    found |= {"turn_back": back, "false_law": [dot(QUERY, KEY) * mp.cos(b) for b in back]}
    both = [(0, 2), (1, 3), (2, 4), (11, 13), (101, 103), (1001, 1003)]
    for layout, pairs in PAIRS.items():
        q, k = turn(QUERY, 1, layout), turn(KEY, 3, layout)
        A = [QUERY[a] * KEY[a] + QUERY[b] * KEY[b] for a, b in pairs]
        B = [QUERY[a] * KEY[b] - QUERY[b] * KEY[a] for a, b in pairs]
        found |= {
            f"q_{layout}": q,
            f"k_{layout}": k,
            f"products_{layout}": [x * y for x, y in zip(q, k, strict=True)],
            f"score_{layout}": dot(q, k),
            f"scaled_{layout}": dot(q, k) / mp.sqrt(6),
            f"same_offset_{layout}": {mn: score(*mn, layout) for mn in both},
            f"by_offset_{layout}": [score(10, 10 + offset, layout) for offset in range(-4, 5)],
            f"only_q_{layout}": {m: dot(turn(QUERY, m, layout), KEY) for m in (1, 11)},
            f"table_{layout}": [[score(m, n, layout) for n in range(5)] for m in range(5)],
            f"A_{layout}": A,
            f"B_{layout}": B,
            # The pair's own part of the score, from the turned features.
            f"terms_{layout}": [q[a] * k[a] + q[b] * k[b] for a, b in pairs],
        }
    return found


def small_turns() -> dict[str, object]:
    """The 45 degrees and the quarter turns."""
    c = s = mp.sqrt(2) / 2
    x, y = mpf(1), mpf("0.5")
    found: dict[str, object] = {
        "cos_part": [x * c, y * c],
        "sin_part": [-y * s, x * s],
        "turned_45": list(turn_pair(x, y, mp.pi / 4)),
    }
    for layout, pairs in PAIRS.items():
        quarter = [mpf(0)] * DIM
        for a, b in pairs:
            quarter[a], quarter[b] = mpf(-(b + 1)), mpf(a + 1)  # feature i holds i + 1
        found[f"quarter_{layout}"] = quarter
    return found


def attention(
    embeddings: list[Vector], w_q: list[Vector], w_k: list[Vector]
) -> dict[str, list[Vector]]:
    """Scores and weights of all five tokens."""
    queries, keys = product(embeddings, w_q), product(embeddings, w_k)

    def weights(q: list[Vector], k: list[Vector]) -> tuple[list[Vector], list[Vector]]:
        scores = [[dot(one, other) / mp.sqrt(DIM) for other in k] for one in q]
        return scores, [softmax(row) for row in scores]

    found = {"queries": queries, "keys": keys, "weights_plain": weights(queries, keys)[1]}
    for layout in PAIRS:
        q, k = ([turn(x, p, layout) for p, x in enumerate(rows)] for rows in (queries, keys))
        found[f"scores_{layout}"], found[f"weights_{layout}"] = weights(q, k)
    return found
