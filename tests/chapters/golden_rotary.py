"""What the two pages of chapter 04 work out by hand, once more, with 40 digits, by neither torch
nor pe_lib.

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


def length(x: Vector) -> mpf:
    return mp.sqrt(dot(x, x))


def turn(x: Vector, position: int, layout: str, frequencies: Vector = FREQUENCIES) -> Vector:
    """Every pair of a vector turned by position times frequency."""
    turned = list(x)
    for (a, b), frequency in zip(PAIRS[layout], frequencies, strict=True):
        turned[a], turned[b] = turn_pair(x[a], x[b], position * frequency)
    return turned


def score(m: int, n: int, layout: str) -> mpf:
    """The query at position m, the key at position n."""
    return dot(turn(QUERY, m, layout), turn(KEY, n, layout))


def at_rest(layout: str) -> tuple[Vector, Vector]:
    """A and B of each pair: the dot product and the cross product of its two arrows."""
    pairs = PAIRS[layout]
    A = [QUERY[a] * KEY[a] + QUERY[b] * KEY[b] for a, b in pairs]
    B = [QUERY[a] * KEY[b] - QUERY[b] * KEY[a] for a, b in pairs]
    return A, B


def product(x: list[Vector], matrix: list[Vector]) -> list[Vector]:
    return [[dot(row, list(column)) for column in zip(*matrix, strict=True)] for row in x]


def softmax(row: Vector) -> Vector:
    powers = [mp.exp(value) for value in row]
    return [power / mp.fsum(powers) for power in powers]


def tables() -> dict[str, object]:
    """What depends on positions and frequencies alone."""
    angles = [[p * frequency for frequency in FREQUENCIES] for p in range(LENGTH)]
    return {
        "ratios": [mpf(2 * i) / DIM for i in range(3)],
        "powers": [THETA ** (mpf(2 * i) / DIM) for i in range(3)],
        "frequencies": FREQUENCIES,
        "six_frequencies": [THETA ** (-mpf(d) / DIM) for d in range(6)],
        "frequencies_of_12": [THETA ** (-mpf(2 * i) / 12) for i in range(3)],
        "angles": angles,
        "cos": [[mp.cos(angle) for angle in row] for row in angles],
        "sin": [[mp.sin(angle) for angle in row] for row in angles],
    }


def of_the_pair() -> dict[str, object]:
    """What the query of position 1 and the key of position 3 give, in both layouts."""
    found: dict[str, object] = {"q_1": QUERY, "k_3": KEY, "plain_score": dot(QUERY, KEY)}
    both = [(0, 2), (1, 3), (2, 4), (11, 13), (101, 103), (1001, 1003)]
    for layout, pairs in PAIRS.items():
        q, k = turn(QUERY, 1, layout), turn(KEY, 3, layout)
        A, B = at_rest(layout)
        found |= {
            f"q_{layout}": q,
            f"k_{layout}": k,
            f"products_{layout}": [x * y for x, y in zip(q, k, strict=True)],
            f"score_{layout}": dot(q, k),
            f"scaled_{layout}": dot(q, k) / mp.sqrt(6),
            f"same_offset_{layout}": [score(*mn, layout) for mn in both],
            f"by_offset_{layout}": [score(10, 10 + offset, layout) for offset in range(-4, 5)],
            f"only_q_{layout}": [dot(turn(QUERY, m, layout), KEY) for m in (1, 11)],
            f"table_{layout}": [[score(m, n, layout) for n in range(5)] for m in range(5)],
            f"A_{layout}": A,
            f"B_{layout}": B,
            # The pair's own part of the score, from the turned features.
            f"terms_{layout}": [q[a] * k[a] + q[b] * k[b] for a, b in pairs],
        }
    return found | {"lengths": [length(x) for x in (QUERY, *(turn(QUERY, 1, p) for p in PAIRS))]}


def steps_by_hand() -> dict[str, object]:
    """The numbers of every line of a turn by hand, half-split, in the order of the line."""

    def lines(x: Vector, position: int) -> list[Vector]:
        found = []
        for (a, b), frequency in zip(PAIRS["half"], FREQUENCIES, strict=True):
            u, v, angle = x[a], x[b], position * frequency
            c, s = mp.cos(angle), mp.sin(angle)
            found += [[u * c - v * s, u, c, v, s], [u * s + v * c, u, s, v, c]]
        return found

    query = lines(QUERY, 1)
    return {"by_hand_q_0": query[:2], "by_hand_q": query, "by_hand_k": lines(KEY, 3)}


def lengths_and_angles() -> dict[str, object]:
    """The score, half-split, from the lengths and angles of the arrows, and from A and B."""
    pairs = PAIRS["half"]
    A, B = at_rest("half")
    parts = []
    for offset in (2, -2, 20, -20):
        back = [-offset * frequency for frequency in FREQUENCIES]
        by_A = mp.fsum(a * mp.cos(angle) for a, angle in zip(A, back, strict=True))
        parts.append([score(5, 5 + offset, "half"), by_A, score(5, 5 + offset, "half") - by_A])
    return {
        "heights": [length([QUERY[a], QUERY[b]]) * length([KEY[a], KEY[b]]) for a, b in pairs],
        "degrees": [mp.degrees(mp.atan2(b, a)) for a, b in zip(A, B, strict=True)],
        "parts": parts,
        "score_before": score(5, 3, "half"),
    }


def small_turns() -> dict[str, object]:
    """Single arrows, the 45 degrees and the quarter turns."""
    c = s = mp.sqrt(2) / 2
    x, y = mpf(1), mpf("0.5")
    right, dropped = turn_pair(x, y, mp.pi / 4), (x * c - y * s, x * s)
    query, key = exact([0.9, 0.2]), exact([0.5, 0.7])
    found: dict[str, object] = {
        "powered_scores": [dot(query, key) * mpf("1.1") ** -offset for offset in (2, 2, 2, 0)],
        "arrow_scores": [
            dot(
                list(turn_pair(*query, mpf("0.4") * m)),
                list(turn_pair(*key, mpf("0.4") * n)),
            )
            for m, n in [(0, 0), (1, 3), (4, 6)]
        ],
        "cos_part": [x * c, y * c],
        "sin_part": [-y * s, x * s],
        "turned_45": list(right),
        "squared_lengths": [x**2 + y**2, right[0] ** 2 + right[1] ** 2],
        "dropped_45": [
            [one, other, length([one, other])] for one, other in [(x, y), dropped, right]
        ],
    }
    for layout in PAIRS:
        found[f"quarter_{layout}"] = quarter([mpf(i + 1) for i in range(DIM)], layout)
    return found


def quarter(x: Vector, layout: str) -> Vector:
    turned = list(x)
    for a, b in PAIRS[layout]:
        turned[a], turned[b] = -x[b], x[a]
    return turned


def bugs() -> dict[str, object]:
    """The numbers that two of the bugs give: ratios that end at 1, and layouts mixed."""
    wrong = [mpf(1), 1 / mpf(100), 1 / mpf(10000)]

    def mixed(x: Vector, position: int) -> Vector:
        """Each angle twice, side by side, beside the quarter turn of the halves."""
        angles = [position * FREQUENCIES[feature // 2] for feature in range(DIM)]
        parts = zip(x, quarter(x, "half"), angles, strict=True)
        return [one * mp.cos(angle) + other * mp.sin(angle) for one, other, angle in parts]

    return {
        "ending_at_1": [1 / frequency for frequency in wrong],
        "score_ending_at_1": dot(turn(QUERY, 1, "half", wrong), turn(KEY, 3, "half", wrong)),
        "mixed_lengths": [length(QUERY), length(mixed(QUERY, 1))],
        "mixed_scores": [dot(mixed(QUERY, m), mixed(KEY, m + 2)) for m in (1, 11)],
    }


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
        found |= {f"turned_queries_{layout}": q, f"turned_keys_{layout}": k}
        found[f"scores_{layout}"], found[f"weights_{layout}"] = weights(q, k)
    return found
