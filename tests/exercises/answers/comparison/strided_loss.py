"""strided_loss (chapter 09): answers in many styles, right and wrong ones."""

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


def half(losses):
    return losses.shape[1] // 2


def later_windows_win(losses):
    windows, length = losses.shape
    text = torch.empty(length // 2 * (windows + 1), dtype=losses.dtype)
    for window in range(windows):
        start = window * length // 2
        text[start : start + length] = losses[window]
    return text.mean()


def mean_of_means(losses):
    means = [losses[0].mean()] + [row[half(losses) :].mean() for row in losses[1:]]
    return sum(means) / len(means)


def first_window_then_all_halves(losses):
    return np.concatenate([losses[0].numpy(), losses[:, half(losses) :].numpy().ravel()]).mean()


def without_the_last(losses):
    kept = losses[0, : half(losses)].tolist() + losses[:-1, half(losses) :].flatten().tolist()
    return sum(kept) / len(kept)


def added_up(losses):
    return losses[0, : half(losses)].sum() + losses[:, half(losses) :].sum()


RIGHT = [
    strided_torch,
    strided_numpy,
    strided_plain,
    strided_by_means,
    strided_mask,
    strided_by_text,
]
WRONG = [
    (lambda losses: np.mean(losses.numpy()), "mean of all"),
    (lambda losses: losses.mean(1).mean(), "mean of all"),
    (lambda losses: losses[:, half(losses) :].mean(), "second halves only"),
    (lambda losses: losses.chunk(2, dim=1)[0].mean(), "first halves only"),
    (later_windows_win, "counted where less stands before"),
    (lambda losses: losses.numpy()[::2].mean(), "windows that do not overlap"),
    (mean_of_means, "first window halved"),
    (first_window_then_all_halves, "second half of the first twice"),
    (without_the_last, "last bytes forgotten"),
    (lambda losses: losses.T[-1].mean(), "last byte of each window"),
    (added_up, "sum of all bytes"),
]
