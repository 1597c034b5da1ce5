"""Chapter 04: right answers in many styles, and wrong ones as learners write them."""

import cmath
import math

import numpy as np
import torch
from torch.nn import functional as F

import pe_lib

# --- right: PyTorch idioms, plain NumPy, plain Python, matrices, the library ----------------------


def angles_torch(position, dim):
    pair = torch.arange(dim // 2)
    return position * 10000.0 ** (-2 * pair / dim)


def angles_numpy(position, dim):
    return position / 10_000 ** (np.arange(0, dim, 2) / dim)


def angles_loop(position, dim):
    return torch.tensor([position * 10000 ** (-2 * i / dim) for i in range(dim // 2)])


def angles_by_exp(position, dim):
    return position * torch.exp(torch.arange(0, dim, 2) * -(math.log(10000) / dim))


def angles_linspace(position, dim):
    return position * torch.logspace(0, -4, dim // 2 + 1)[:-1]


def angles_library(position, dim):
    return pe_lib.inverse_frequencies(dim) * position


def halves_torch(x, position):
    half = x.shape[0] // 2
    angle = angles_torch(position, len(x))
    cos, sin = torch.cos(angle), torch.sin(angle)
    return torch.cat([x[:half] * cos - x[half:] * sin, x[half:] * cos + x[:half] * sin])


def halves_rotate_half(x, position):
    angle = angles_torch(position, len(x)).repeat(2)
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((-x2, x1)) * angle.sin()


def halves_numpy(x, position):
    a, b = np.split(x.numpy(), 2)
    angle = angles_numpy(position, len(x))
    return np.r_[a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)]


def halves_loop(x, position):
    out = torch.zeros_like(x)
    half = len(x) // 2
    for i in range(half):
        angle = position / 10000 ** (2 * i / len(x))
        out[i] = x[i] * math.cos(angle) - x[i + half] * math.sin(angle)
        out[i + half] = x[i] * math.sin(angle) + x[i + half] * math.cos(angle)
    return out


def halves_complex(x, position):
    a, b = x.chunk(2)
    turned = torch.complex(a, b) * torch.exp(1j * angles_torch(position, len(x)))
    return torch.cat([turned.real, turned.imag])


def halves_matrix(x, position):
    dim = len(x)
    turn = np.eye(dim)
    for i, angle in enumerate(angles_numpy(position, dim)):
        here = np.ix_([i, i + dim // 2], [i, i + dim // 2])
        turn[here] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return turn @ x.numpy()


def halves_library(x, position):
    tables = pe_lib.rotary_cos_sin(torch.tensor([position]), len(x), dtype=x.dtype)
    return pe_lib.apply_rotary(x[None], *tables)[0]


def complex_torch(x, position):
    z = torch.view_as_complex(x.view(-1, 2))
    angle = angles_torch(position, len(x))
    return torch.view_as_real(z * torch.polar(torch.ones(len(z)), angle)).reshape(-1)


def complex_numpy(x, position):
    x = x.numpy()
    z = (x[0::2] + 1j * x[1::2]) * np.exp(1j * angles_numpy(position, len(x)))
    return np.stack([z.real, z.imag], axis=1).ravel()


def complex_viewed(x, position):
    z = np.ascontiguousarray(x).view(np.complex128)
    return (z * np.exp(1j * angles_numpy(position, len(x)))).view(np.float64)


def complex_python(x, position):
    out = []
    for i in range(0, len(x), 2):
        z = complex(x[i], x[i + 1]) * cmath.exp(1j * position * 10000 ** (-i / len(x)))
        out += [z.real, z.imag]
    return torch.tensor(out)


def complex_without_complex(x, position):
    angle = angles_torch(position, len(x)).repeat_interleave(2)
    quarter = torch.stack([-x[1::2], x[::2]], dim=-1).flatten()
    return x * angle.cos() + quarter * angle.sin()


def complex_library(x, position):
    freqs = pe_lib.rotary_freqs_cis(torch.tensor([position]), len(x))
    return pe_lib.apply_rotary_complex(x[None], freqs)[0]


def score_law(q, k, m, n):
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    angle = angles_torch(m - n, len(q))
    same, crossed = q_a * k_a + q_b * k_b, q_a * k_b - q_b * k_a
    return torch.sum(same * torch.cos(angle) + crossed * torch.sin(angle))


def score_key_minus_query(q, k, m, n):
    total = 0
    half = len(q) // 2
    for i in range(half):
        delta = (n - m) * 10000 ** (-2 * i / len(q))
        A = q[i] * k[i] + q[i + half] * k[i + half]
        B = q[i] * k[i + half] - q[i + half] * k[i]
        total += A * math.cos(delta) - B * math.sin(delta)
    return total.item()


def score_by_turning(q, k, m, n):
    return halves_torch(q, m) @ halves_torch(k, n)


def score_positions_from_one(q, k, m, n):
    return float(halves_numpy(q, m + 1) @ halves_numpy(k, n + 1))


def score_complex(q, k, m, n):
    q, k = (x.numpy()[: len(x) // 2] + 1j * x.numpy()[len(x) // 2 :] for x in (q, k))
    return np.sum(q * k.conj() * np.exp(1j * angles_numpy(m - n, 2 * len(q)))).real


def score_by_lengths(q, k, m, n):
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    between = torch.atan2(k_b, k_a) - torch.atan2(q_b, q_a) + angles_torch(n - m, len(q))
    return (torch.hypot(q_a, q_b) * torch.hypot(k_a, k_b) * between.cos()).sum()


def partner_two_numbers(turn, feature, dim):
    probe = F.one_hot(torch.tensor(feature), dim).float()
    for other in turn(probe, 1).nonzero().flatten().tolist():
        if other != feature:
            return other


def partner_loop(turn, feature, dim):
    turned = turn([1.0 if i == feature else 0.0 for i in range(dim)], 5)
    [found] = [i for i in range(dim) if i != feature and abs(turned[i]) > 1e-9]
    return found


def partner_numpy(turn, feature, dim):
    turned = turn(np.eye(dim)[feature], 2).numpy()
    turned[feature] = 0
    return np.flatnonzero(turned)[0]


def partner_all_at_once(turn, feature, dim):
    table = turn(torch.eye(dim, dtype=torch.int64), 1)
    return (table - torch.diag(table.diagonal())).abs().max(dim=1).indices[feature]


def partner_by_difference(turn, feature, dim):
    x = torch.ones(dim)
    y = x.clone()
    y[feature] += 3
    moved = turn(y, 7) - turn(x, 7)
    moved[feature] = 0
    return int(torch.argmax(moved.abs()))


def attention_torch(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    q, k = (torch.stack([halves_torch(row, p) for p, row in enumerate(rows)]) for rows in (q, k))
    return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]


def attention_numpy(x, w_q, w_k, w_v):
    q, k, v = (x.numpy() @ w.numpy() for w in (w_q, w_k, w_v))
    seq, dim = q.shape
    angle = np.arange(seq)[:, None] / 10000 ** (np.arange(0, dim, 2) / dim)
    turned = [
        (rows[:, : dim // 2] + 1j * rows[:, dim // 2 :]) * np.exp(1j * angle) for rows in (q, k)
    ]
    scores = (turned[0] @ turned[1].conj().T).real / np.sqrt(dim)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ v


def attention_library(x, w_q, w_k, w_v):
    tables = pe_lib.rotary_cos_sin(len(x), w_q.shape[1], dtype=x.dtype)
    q, k = (pe_lib.apply_rotary(x @ w, *tables) for w in (w_q, w_k))
    return pe_lib.attention(q, k, x @ w_v)


def attention_by_scores(x, w_q, w_k, w_v):
    """Positions from 1, every score by itself."""
    scores = torch.zeros(len(x), len(x))
    for m, query in enumerate(x @ w_q, start=1):
        for n, key in enumerate(x @ w_k, start=1):
            scores[m - 1, n - 1] = score_law(query, key, m, n) / w_q.size(1) ** 0.5
    return scores.double().softmax(1) @ (x @ w_v)


def attention_rotate_half(x, w_q, w_k, w_v):
    dim = w_q.shape[-1]
    angle = torch.outer(torch.arange(len(x)), angles_torch(1, dim))
    angle = torch.cat([angle, angle], dim=-1)

    def rotate(t):
        t1, t2 = t[..., : dim // 2], t[..., dim // 2 :]
        return t * angle.cos() + torch.cat([-t2, t1], dim=-1) * angle.sin()

    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return torch.softmax(rotate(q) @ rotate(k).mT * dim**-0.5, -1) @ v


RIGHT = {
    "rotary_angles": [
        angles_torch,
        angles_numpy,
        angles_loop,
        angles_by_exp,
        angles_linspace,
        angles_library,
    ],
    "turn_half_split": [
        halves_torch,
        halves_rotate_half,
        halves_numpy,
        halves_loop,
        halves_complex,
        halves_matrix,
        halves_library,
    ],
    "turn_by_complex": [
        complex_torch,
        complex_numpy,
        complex_viewed,
        complex_python,
        complex_without_complex,
        complex_library,
    ],
    "rotary_score": [
        score_law,
        score_key_minus_query,
        score_by_turning,
        score_positions_from_one,
        score_complex,
        score_by_lengths,
    ],
    "find_partner": [
        partner_two_numbers,
        partner_loop,
        partner_numpy,
        partner_all_at_once,
        partner_by_difference,
    ],
    "rotary_attention": [
        attention_torch,
        attention_numpy,
        attention_library,
        attention_by_scores,
        attention_rotate_half,
    ],
}


# --- wrong ----------------------------------------------------------------------------------------


def angles_for_six(position, dim):
    return np.array([position / 10000 ** (i / dim) for i in range(dim)])


def angles_full_table(position, dim):
    column = np.arange(dim)
    return position / 10000 ** (2 * (column // 2) / dim)


def angles_concatenated(position, dim):
    angle = angles_torch(position, dim)
    return torch.cat([angle, angle])


def angles_pair_number_only(position, dim):
    return position * 10000 ** -(np.arange(dim // 2) / dim)


def angles_even_and_doubled(position, dim):
    return position * 10000 ** (-2 * torch.arange(0, dim, 2) / dim)


def angles_linspace_with_end(position, dim):
    return position / 10000 ** np.linspace(0, 1, dim // 2)


def angles_divided_twice(position, dim):
    return position / 10000 ** (-2 * torch.arange(dim // 2) / dim)


def angles_as_on_paper(position, dim):
    return position * 10000 ** (-2 * torch.arange(1, dim // 2 + 1) / dim)


def angles_whole_division(position, dim):
    return position * 10000 ** -(2.0 * (torch.arange(dim // 2) // dim))


def angles_exp_without_log(position, dim):
    return position * np.exp(-np.arange(0, dim, 2) / dim)


def angles_no_brackets(position, dim):
    return position * 10000.0 ** -np.arange(0, dim, 2) / dim


def angles_next_token(position, dim):
    return angles_torch(position + 1, dim)


def angles_radians_of_degrees(position, dim):
    return np.radians(angles_numpy(position, dim))


def angles_bare(position, dim):
    return 1 / 10000 ** (np.arange(0, dim, 2) / dim)


def angles_by_wavelength(position, dim):
    return position / pe_lib.wavelengths(dim)


def angles_around_the_clock(position, dim):
    return torch.remainder(angles_torch(position, dim).double(), 2 * math.pi)


def halves_of_neighbours(x, position):
    out = torch.zeros_like(x)
    angle = angles_torch(position, len(x))
    out[0::2] = x[0::2] * angle.cos() - x[1::2] * angle.sin()
    out[1::2] = x[0::2] * angle.sin() + x[1::2] * angle.cos()
    return out


def halves_stacked_flat(x, position):
    a, b = np.split(x.numpy(), 2)
    z = (a + 1j * b) * np.exp(1j * angles_numpy(position, len(x)))
    return np.stack([z.real, z.imag], axis=-1).ravel()


def halves_picked_by_two(x, position):
    z = torch.view_as_complex(x.view(-1, 2)) * torch.exp(1j * angles_torch(position, len(x)))
    return torch.cat([z.real, z.imag])


def halves_repeat_interleave(x, position):
    angle = angles_torch(position, len(x)).repeat_interleave(2)
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((-x2, x1)) * angle.sin()


def halves_quarter_of_neighbours(x, position):
    angle = np.tile(angles_numpy(position, len(x)), 2)
    quarter = np.ravel([-x.numpy()[1::2], x.numpy()[::2]], order="F")
    return x.numpy() * np.cos(angle) + quarter * np.sin(angle)


def halves_six_angles(x, position):
    angle = position / 10000 ** (torch.arange(len(x)) / len(x))
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((-x2, x1)) * angle.sin()


def halves_sizes_do_not_match(x, position):
    angle = position / 10000 ** (torch.arange(len(x)) / len(x))
    a, b = x.chunk(2)
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()])


def halves_not_exchanged(x, position):
    angle = angles_torch(position, len(x)).repeat(2)
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((-x1, x2)) * angle.sin()


def halves_quarter_backwards(x, position):
    angle = angles_torch(position, len(x)).repeat(2)
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((x2, -x1)) * angle.sin()


def halves_vector_times_matrix(x, position):
    dim = len(x)
    turn = np.stack([halves_numpy(row, position) for row in torch.eye(dim).double()], axis=1)
    return x.numpy() @ turn


def halves_rolled(x, position):
    angle = angles_torch(position, len(x)).repeat(2)
    return x * angle.cos() + x.roll(len(x) // 2) * angle.sin()


def halves_in_place(x, position):
    a, b = x.chunk(2)
    angle = angles_torch(position, len(x))
    x[: len(a)] = a * angle.cos() - b * angle.sin()
    x[len(a) :] = a * angle.sin() + b * angle.cos()
    return x


def halves_loop_in_place(x, position):
    x = x.numpy().copy()
    half = len(x) // 2
    for i in range(half):
        angle = position / 10000 ** (2 * i / len(x))
        x[i] = x[i] * np.cos(angle) - x[i + half] * np.sin(angle)
        x[i + half] = x[i] * np.sin(angle) + x[i + half] * np.cos(angle)
    return x


def halves_as_in_the_long_example(x, position):
    """x cos is made for the first number of a pair only."""
    a, b = x.chunk(2)
    angle = angles_torch(position, len(x))
    return torch.cat([a * angle.cos(), 0 * b]) + torch.cat([-b, a]) * angle.sin().repeat(2)


def halves_cosine_and_sine_alike(x, position):
    a, b = x.chunk(2)
    cos, sin = (f(angles_torch(position, len(x))) for f in (torch.cos, torch.sin))
    return torch.cat([a * cos - b * sin, b * sin + a * cos])


def halves_one_angle(x, position):
    a, b = x.chunk(2)
    z = torch.complex(a, b) * cmath.exp(1j * position)
    return torch.cat([z.real, z.imag])


def halves_table_of_half_dim(x, position):
    half = len(x) // 2
    z = torch.complex(*x.chunk(2)) * torch.exp(
        1j * position * 1e4 ** (-2 * torch.arange(half) / half)
    )
    return torch.cat([z.real, z.imag])


def halves_turned_and_written_back(x, position):
    x.copy_(halves_torch(x, position))
    return x


def complex_of_halves(x, position):
    turned = torch.complex(*x.chunk(2)) * torch.exp(1j * angles_torch(position, len(x)))
    return torch.cat([turned.real, turned.imag])


def complex_reshaped(x, position):
    z = torch.view_as_complex(x.view(2, -1).T.contiguous())
    return torch.view_as_real(z * torch.exp(1j * angles_torch(position, len(x)))).flatten()


def complex_parts_in_a_row(x, position):
    x = x.numpy()
    z = (x[::2] + 1j * x[1::2]) * np.exp(1j * angles_numpy(position, len(x)))
    return np.concatenate([z.real, z.imag])


def complex_not_flattened(x, position):
    z = torch.view_as_complex(x.view(-1, 2))
    return torch.view_as_real(z * torch.exp(1j * angles_torch(position, len(x))))


def complex_real_taken(x, position):
    z = torch.view_as_complex(x.view(-1, 2))
    return (z * torch.exp(1j * angles_torch(position, len(x)))).real


def complex_minus(x, position):
    return complex_numpy(x, -position)


def complex_conjugated_first(x, position):
    x = x.numpy()
    z = (x[::2] - 1j * x[1::2]) * np.exp(1j * angles_numpy(position, len(x)))
    return np.stack([z.real, z.imag], 1).ravel()


def complex_grown(x, position):
    return (x.view(-1, 2) * torch.exp(angles_torch(position, len(x)))[:, None]).flatten()


def complex_polar_swapped(x, position):
    angle = angles_torch(position, len(x)).double()
    z = torch.view_as_complex(x.view(-1, 2)) * torch.polar(angle, torch.ones_like(angle))
    return torch.view_as_real(z).flatten()


def complex_times_angle(x, position):
    return x * angles_torch(position, len(x)).repeat_interleave(2)


def complex_plus(x, position):
    x = x.numpy()
    z = x[::2] + 1j * x[1::2] + np.exp(1j * angles_numpy(position, len(x)))
    return np.stack([z.real, z.imag], 1).ravel()


def complex_angle_set(x, position):
    angle = angles_torch(position, len(x)).double()
    return torch.view_as_real(torch.polar(x.view(-1, 2).norm(dim=1), angle)).flatten()


def complex_step_of_two(x, position):
    out = np.zeros(len(x))
    for i in range(0, len(x), 2):
        z = complex(x[i], x[i + 1]) * cmath.exp(1j * position * 10000 ** (-2 * i / len(x)))
        out[i : i + 2] = z.real, z.imag
    return out


def score_false_law(q, k, m, n):
    return float(np.dot(q.numpy(), k.numpy()) * np.cos((m - n) * 1.0))


def score_false_law_for_each_pair(q, k, m, n):
    return sum((q @ k) * math.cos((m - n) * 10000 ** (-2 * i / len(q))) for i in range(len(q) // 2))


def score_false_law_as_a_vector(q, k, m, n):
    return (q @ k) * (angles_torch(m, len(q)) - angles_torch(n, len(q))).cos()


def score_cosines_only(q, k, m, n):
    cos = angles_torch(m - n, len(q)).cos().repeat(2)
    return (q * k * cos).sum()


def score_minus_sine(q, k, m, n):
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    angle = angles_torch(m - n, len(q))
    return ((q_a * k_a + q_b * k_b) * angle.cos() + (q_b * k_a - q_a * k_b) * angle.sin()).sum()


def score_query_turned_back(q, k, m, n):
    return halves_torch(q, n - m) @ k


def score_distance(q, k, m, n):
    return score_law(q, k, abs(n - m), 0)


def score_distance_turning_the_key(q, k, m, n):
    return q @ halves_torch(k, abs(n - m))


def score_sum_of_positions(q, k, m, n):
    return score_complex(q, k, m + n, 0)


def score_query_only(q, k, m, n):
    return halves_torch(q, m) @ k


def score_key_only(q, k, m, n):
    return np.inner(q.numpy(), halves_numpy(k, n))


def score_plain_product_of_turned(q, k, m, n):
    q, k = (torch.complex(*x.chunk(2)) for x in (q, k))
    turned_q = q * torch.exp(1j * angles_torch(m, 2 * len(q)))
    return (turned_q * k * torch.exp(1j * angles_torch(n, 2 * len(k)))).real.sum()


def score_signs_as_in_a_product(q, k, m, n):
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    angle = angles_torch(m - n, len(q))
    return ((q_a * k_a - q_b * k_b) * angle.cos() + (q_a * k_b + q_b * k_a) * angle.sin()).sum()


def score_plus_in_both(q, k, m, n):
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    angle = angles_torch(m - n, len(q))
    return ((q_a * k_a + q_b * k_b) * angle.cos() + (q_a * k_b + q_b * k_a) * angle.sin()).sum()


def score_imaginary(q, k, m, n):
    q, k = (torch.complex(*x.chunk(2)) for x in (q, k))
    return (q * k.conj() * torch.exp(1j * angles_torch(m - n, 2 * len(q)))).imag.sum()


def score_size(q, k, m, n):
    q, k = (torch.complex(*x.chunk(2)) for x in (q, k))
    return (q.conj() * k * torch.exp(1j * angles_torch(n - m, 2 * len(q)))).sum().abs()


def score_as_if_aligned(q, k, m, n):
    lengths = (q.view(2, -1).norm(dim=0) * k.view(2, -1).norm(dim=0)).numpy()
    return lengths @ np.cos(angles_numpy(m - n, len(q)))


def score_of_neighbours(q, k, m, n):
    return torch.dot(halves_of_neighbours(q, m), halves_of_neighbours(k, n))


def score_overwritten(q, k, m, n):
    half = len(q) // 2
    for i in range(half):
        angle = (m - n) * 10000 ** (-i / half)
        A = q[i] * k[i] + q[i + half] * k[i + half]
        B = q[i] * k[i + half] - q[i + half] * k[i]
        score = A * math.cos(angle) + B * math.sin(angle)
    return score


def score_returned_in_the_loop(q, k, m, n):
    half = len(q) // 2
    for i in range(half):
        angle = (m - n) * 10000 ** (-i / half)
        A = q[i] * k[i] + q[i + half] * k[i + half]
        B = q[i] * k[i + half] - q[i + half] * k[i]
        return A * math.cos(angle) + B * math.sin(angle)


def score_not_summed(q, k, m, n):
    return halves_torch(q, m) * halves_torch(k, n)


def score_scaled(q, k, m, n):
    return score_law(q, k, m, n) / math.sqrt(len(q))


def score_as_a_cosine(q, k, m, n):
    return F.cosine_similarity(halves_torch(q, m), halves_torch(k, n), dim=0)


def partner_half_away(turn, feature, dim):
    return feature + dim // 2 if feature < dim // 2 else feature - dim // 2


def partner_neighbour(turn, feature, dim):
    return feature ^ 1


def partner_largest(turn, feature, dim):
    probe = torch.zeros(dim)
    probe[feature] = 1.0
    return turn(probe, 1).abs().argmax().item()


def partner_first_found(turn, feature, dim):
    turned = turn(np.eye(dim)[feature], 1)
    for i in range(dim):
        if turned[i] != 0:
            return i


def partner_last_found(turn, feature, dim):
    return turn(torch.eye(dim)[feature], 3).nonzero()[-1].item()


def partner_second_largest(turn, feature, dim):
    return turn(torch.eye(dim)[feature], 1).abs().argsort()[-2]


def partner_without_sign(turn, feature, dim):
    turned = turn(torch.eye(dim)[feature], 1).tolist()
    turned[feature] = 0.0
    return turned.index(max(turned))


def partner_above_zero(turn, feature, dim):
    turned = turn(torch.eye(dim)[feature], 1)
    for i in range(dim):
        if i != feature and turned[i] > 0:
            return i


def partner_plain_to_see(turn, feature, dim):
    turned = turn(torch.eye(dim)[feature], 1)
    for i in range(dim):
        if i != feature and abs(turned[i]) > 0.005:
            return i


def partner_by_the_first_feature(turn, feature, dim):
    if turn(torch.eye(dim)[0], 1)[1] != 0:
        return feature + 1 if feature % 2 == 0 else feature - 1
    return (feature + dim // 2) % dim


def partner_of_the_first(turn, feature, dim):
    turned = turn(torch.eye(dim)[0], 1)
    return turned[1:].abs().argmax() + 1


def partner_at_position_zero(turn, feature, dim):
    turned = turn(torch.eye(dim)[feature], 0)
    turned[feature] = 0
    return turned.abs().argmax()


def rows_turned(rows, turn=halves_torch):
    return torch.stack([torch.as_tensor(turn(row, p)) for p, row in enumerate(rows)])


def head(q, k, v):
    return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]


def attention_embeddings_turned(x, w_q, w_k, w_v):
    turned = rows_turned(x)
    return head(turned @ w_q, turned @ w_k, x @ w_v)


def attention_embeddings_turned_once(x, w_q, w_k, w_v):
    x = rows_turned(x)
    return head(x @ w_q, x @ w_k, x @ w_v)


def attention_values_too(x, w_q, w_k, w_v):
    return head(*(rows_turned(x @ w) for w in (w_q, w_k, w_v)))


def attention_forgot_value_weights(x, w_q, w_k, w_v):
    return head(rows_turned(x @ w_q), rows_turned(x @ w_k), x)


def attention_queries_only(x, w_q, w_k, w_v):
    return head(rows_turned(x @ w_q), x @ w_k, x @ w_v)


def attention_clockwise(x, w_q, w_k, w_v):
    q, k = (rows_turned(x @ w, halves_quarter_backwards) for w in (w_q, w_k))
    return head(q, k, x @ w_v)


def attention_same_position_for_all(x, w_q, w_k, w_v):
    q, k = (torch.stack([halves_torch(row, len(x)) for row in x @ w]) for w in (w_q, w_k))
    return head(q, k, x @ w_v)


def attention_key_the_other_way(x, w_q, w_k, w_v):
    q, k = (torch.complex(*(x @ w).chunk(2, -1)) for w in (w_q, w_k))
    factors = torch.exp(1j * torch.outer(torch.arange(len(x)), angles_torch(1, w_q.shape[1])))
    scores = ((q * factors) @ (k * factors.conj()).mH).real / math.sqrt(w_q.shape[1])
    return scores.softmax(-1) @ (x @ w_v)


def attention_interleaved(x, w_q, w_k, w_v):
    q, k = (rows_turned(x @ w, complex_torch) for w in (w_q, w_k))
    return head(q, k, x @ w_v)


def attention_dim_of_x(x, w_q, w_k, w_v):
    dim = x.shape[1]
    angle = torch.outer(torch.arange(len(x)), 10000 ** (-2 * torch.arange(w_q.shape[1] // 2) / dim))

    def rotate(t):
        a, b = t.chunk(2, dim=-1)
        return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], -1)

    return head(rotate(x @ w_q), rotate(x @ w_k), x @ w_v)


def attention_scaled_by_width(x, w_q, w_k, w_v):
    scores = rows_turned(x @ w_q) @ rows_turned(x @ w_k).T
    return (scores / math.sqrt(x.shape[-1])).softmax(-1) @ (x @ w_v)


def attention_unscaled(x, w_q, w_k, w_v):
    q, k = rows_turned(x @ w_q), rows_turned(x @ w_k)
    return F.scaled_dot_product_attention(q, k, x @ w_v, scale=1.0)


def attention_columns(x, w_q, w_k, w_v):
    scores = rows_turned(x @ w_q) @ rows_turned(x @ w_k).T / math.sqrt(w_q.shape[1])
    return F.softmax(scores, dim=0) @ (x @ w_v)


def attention_keys_first(x, w_q, w_k, w_v):
    scores = rows_turned(x @ w_k) @ rows_turned(x @ w_q).T / math.sqrt(w_q.shape[1])
    return F.softmax(scores, dim=1) @ (x @ w_v)


def attention_causal(x, w_q, w_k, w_v):
    q, k = rows_turned(x @ w_q), rows_turned(x @ w_k)
    return F.scaled_dot_product_attention(q, k, x @ w_v, is_causal=True)


def attention_returns_weights(x, w_q, w_k, w_v):
    q, k = rows_turned(x @ w_q), rows_turned(x @ w_k)
    return (q @ k.T / math.sqrt(q.shape[1])).softmax(-1)


def attention_of_raw_scores(x, w_q, w_k, w_v):
    q, k = rows_turned(x @ w_q), rows_turned(x @ w_k)
    return q @ k.T / math.sqrt(q.shape[1]) @ (x @ w_v)


def attention_false_law(x, w_q, w_k, w_v):
    place = torch.arange(len(x))
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_q.shape[1])
    return (scores * torch.cos(place[None] - place[:, None])).softmax(-1) @ (x @ w_v)


WRONG = [
    ("rotary_angles", angles_for_six, "six frequencies"),
    ("rotary_angles", angles_full_table, "every angle twice, interleaved"),
    ("rotary_angles", angles_concatenated, "every angle twice, half-split"),
    ("rotary_angles", angles_pair_number_only, "exponent without its 2"),
    ("rotary_angles", angles_even_and_doubled, "exponent doubled"),
    ("rotary_angles", angles_linspace_with_end, "last pair at the base"),
    ("rotary_angles", angles_divided_twice, "sign of the exponent"),
    ("rotary_angles", angles_as_on_paper, "pairs counted from 1"),
    ("rotary_angles", angles_whole_division, "one angle for all pairs"),
    ("rotary_angles", angles_exp_without_log, "another base"),
    ("rotary_angles", angles_no_brackets, "exponent not divided"),
    ("rotary_angles", angles_next_token, "positions from 1"),
    ("rotary_angles", angles_radians_of_degrees, "taken for degrees"),
    ("rotary_angles", angles_bare, "position forgotten"),
    ("rotary_angles", angles_by_wavelength, "turns instead of radians"),
    ("rotary_angles", angles_around_the_clock, "full turns taken away"),
    ("turn_half_split", halves_of_neighbours, "interleaved layout"),
    ("turn_half_split", halves_stacked_flat, "laid out alternately"),
    ("turn_half_split", halves_picked_by_two, "picked alternately"),
    ("turn_half_split", halves_repeat_interleave, "tables of the other layout"),
    ("turn_half_split", halves_quarter_of_neighbours, "quarter turn of the other layout"),
    ("turn_half_split", halves_six_angles, "an angle for every feature"),
    ("turn_half_split", halves_sizes_do_not_match, "six frequencies"),
    ("turn_half_split", halves_not_exchanged, "each half with itself"),
    ("turn_half_split", halves_quarter_backwards, "turned backwards"),
    ("turn_half_split", halves_vector_times_matrix, "turned backwards"),
    ("turn_half_split", halves_rolled, "minus sign missing"),
    ("turn_half_split", halves_in_place, "new half used too early"),
    ("turn_half_split", halves_loop_in_place, "new half used too early"),
    ("turn_half_split", halves_as_in_the_long_example, "one cosine forgotten"),
    ("turn_half_split", halves_cosine_and_sine_alike, "sine and cosine swapped in the second half"),
    ("turn_half_split", halves_one_angle, "one angle for all pairs"),
    ("turn_half_split", halves_table_of_half_dim, "exponent doubled"),
    ("turn_half_split", halves_turned_and_written_back, "changed in place"),
    ("turn_by_complex", complex_of_halves, "half-split layout"),
    ("turn_by_complex", complex_reshaped, "read by halves"),
    ("turn_by_complex", complex_parts_in_a_row, "real parts first"),
    ("turn_by_complex", complex_not_flattened, "left as pairs"),
    ("turn_by_complex", complex_real_taken, "real parts only"),
    ("turn_by_complex", complex_minus, "turned backwards"),
    ("turn_by_complex", complex_conjugated_first, "bar on the vector"),
    ("turn_by_complex", complex_grown, "exponential without i"),
    ("turn_by_complex", complex_polar_swapped, "length and angle swapped"),
    ("turn_by_complex", complex_times_angle, "multiplied by the angle"),
    ("turn_by_complex", complex_plus, "added"),
    ("turn_by_complex", complex_angle_set, "turned to the angle"),
    ("turn_by_complex", complex_step_of_two, "exponent doubled"),
    ("rotary_score", score_false_law, "dot product times one cosine"),
    ("rotary_score", score_false_law_for_each_pair, "dot product times all cosines"),
    ("rotary_score", score_false_law_as_a_vector, "dot product times each cosine"),
    ("rotary_score", score_cosines_only, "sine term missing"),
    ("rotary_score", score_minus_sine, "offset turned round"),
    ("rotary_score", score_query_turned_back, "offset turned round"),
    ("rotary_score", score_distance, "offset without its sign"),
    ("rotary_score", score_distance_turning_the_key, "distance for offset"),
    ("rotary_score", score_sum_of_positions, "positions added"),
    ("rotary_score", score_query_only, "only the query turned"),
    ("rotary_score", score_key_only, "only the key turned"),
    ("rotary_score", score_plain_product_of_turned, "no bar, positions added"),
    ("rotary_score", score_signs_as_in_a_product, "no bar, key's position first"),
    ("rotary_score", score_plus_in_both, "plus in the sine's product"),
    ("rotary_score", score_imaginary, "imaginary part, bar on the key"),
    ("rotary_score", score_size, "absolute value"),
    ("rotary_score", score_as_if_aligned, "lengths times cosine"),
    ("rotary_score", score_of_neighbours, "interleaved layout"),
    ("rotary_score", score_overwritten, "last pair only"),
    ("rotary_score", score_returned_in_the_loop, "first pair only"),
    ("rotary_score", score_not_summed, "products not added"),
    ("rotary_score", score_scaled, "divided by the root of dim"),
    ("rotary_score", score_as_a_cosine, "divided by the lengths"),
    ("find_partner", partner_half_away, "half-split taken for granted"),
    ("find_partner", partner_neighbour, "neighbours taken for granted"),
    ("find_partner", partner_largest, "the largest number"),
    ("find_partner", partner_first_found, "the first that is not zero"),
    ("find_partner", partner_last_found, "the last that is not zero"),
    ("find_partner", partner_second_largest, "the second largest number"),
    ("find_partner", partner_without_sign, "sign forgotten"),
    ("find_partner", partner_above_zero, "only positive numbers"),
    ("find_partner", partner_plain_to_see, "slow pairs missed"),
    ("find_partner", partner_by_the_first_feature, "one of two layouts"),
    ("find_partner", partner_of_the_first, "always the first feature probed"),
    ("find_partner", partner_at_position_zero, "always the first feature"),
    ("rotary_attention", attention_embeddings_turned, "turned before the projection"),
    ("rotary_attention", attention_embeddings_turned_once, "all turned before the projection"),
    ("rotary_attention", attention_values_too, "values turned too"),
    ("rotary_attention", attention_forgot_value_weights, "values not projected"),
    ("rotary_attention", attention_queries_only, "only the queries turned"),
    ("rotary_attention", attention_clockwise, "turned backwards"),
    ("rotary_attention", attention_same_position_for_all, "not turned"),
    ("rotary_attention", attention_key_the_other_way, "turned in opposite directions"),
    ("rotary_attention", attention_interleaved, "interleaved layout"),
    ("rotary_attention", attention_dim_of_x, "frequencies of the width of x"),
    ("rotary_attention", attention_scaled_by_width, "root of the width of x"),
    ("rotary_attention", attention_unscaled, "no square root"),
    ("rotary_attention", attention_columns, "softmax over the queries"),
    ("rotary_attention", attention_keys_first, "queries and keys swapped"),
    ("rotary_attention", attention_causal, "masked"),
    ("rotary_attention", attention_returns_weights, "weights only"),
    ("rotary_attention", attention_of_raw_scores, "softmax missing"),
    ("rotary_attention", attention_false_law, "false law"),
]
