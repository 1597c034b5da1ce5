"""strided_loss (chapter 09): answers in many styles."""

import numpy as np
import torch


def strided_torch(losses):
    half = losses.size(1) // 2
    return torch.cat((losses[0, :half], losses[:, half:].reshape(-1))).mean()


def strided_numpy(losses):
    halves = np.split(losses.numpy(), 2, axis=1)
    return np.append(halves[1], halves[0][0]).mean()


def strided_plain(losses):
    rows = losses.tolist()
    half = len(rows[0]) // 2
    counted = rows[0][:half]
    for row in rows:
        counted += row[half:]
    return sum(counted) / len(counted)


def strided_by_means(losses):
    """All halves are equally long, so the mean of their means is the mean."""
    first, second = losses.unflatten(1, (2, -1)).mean(-1).T
    return (first[0] + second.sum()) / (len(losses) + 1)


def strided_mask(losses):
    counts = np.zeros(losses.shape, dtype=bool)
    counts[0, : losses.shape[1] // 2] = True
    counts[:, losses.shape[1] // 2 :] = True
    return losses.numpy()[counts].mean()


def strided_by_text(losses):
    """Later windows write over what earlier ones said of their second halves, if they are read
    from the last to the first."""
    windows, length = losses.shape
    text = torch.empty(length // 2 * (windows + 1), dtype=losses.dtype)
    for window in reversed(range(windows)):
        start = window * length // 2
        text[start : start + length] = losses[window]
    return text.mean()


RIGHT = [
    strided_torch,
    strided_numpy,
    strided_plain,
    strided_by_means,
    strided_mask,
    strided_by_text,
]
