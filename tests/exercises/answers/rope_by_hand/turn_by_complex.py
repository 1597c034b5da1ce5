"""Answers: the interleaved turn, with complex numbers."""

import cmath

import numpy as np
import torch

import pe_lib
from tests.exercises.answers.rope_by_hand.rotary_angles import angles_numpy, angles_torch

# --- right ----------------------------------------------------------------------------------------


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


# --- wrong ----------------------------------------------------------------------------------------


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


RIGHT = [
    complex_torch,
    complex_numpy,
    complex_viewed,
    complex_python,
    complex_without_complex,
    complex_library,
]
WRONG = [
    (complex_of_halves, "half split layout"),
    (complex_reshaped, "read by halves"),
    (complex_parts_in_a_row, "real parts first"),
    (complex_not_flattened, "left as pairs"),
    (complex_real_taken, "real parts only"),
    (complex_minus, "turned backwards"),
    (complex_conjugated_first, "bar on the vector"),
    (complex_grown, "exponential without i"),
    (complex_polar_swapped, "length and angle swapped"),
    (complex_times_angle, "multiplied by the angle"),
    (complex_plus, "added"),
    (complex_angle_set, "turned to the angle"),
    (complex_step_of_two, "exponent with its 2 twice"),
]
