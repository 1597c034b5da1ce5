"""mean_reciprocal_rank (chapter 09): answers in many styles."""

import numpy as np
import torch


def mrr_torch(accuracies):
    better = (accuracies.unsqueeze(1) > accuracies.unsqueeze(2)).sum(dim=2)
    return (better + 1).reciprocal().mean(dim=0)


def mrr_numpy(accuracies):
    found = []
    for row in accuracies.numpy():
        above = len(row) - np.searchsorted(np.sort(row), row, side="right")
        found.append(1 / (1 + above))
    return np.mean(found, axis=0)


def mrr_plain(accuracies):
    """The first place at which its accuracy stands, from the best to the worst."""
    tasks = accuracies.tolist()
    sums = [0.0] * len(tasks[0])
    for row in tasks:
        ordered = sorted(row, reverse=True)
        for method, accuracy in enumerate(row):
            sums[method] += 1 / (ordered.index(accuracy) + 1)
    return torch.tensor([total / len(tasks) for total in sums])


def mrr_loops(accuracies):
    tasks, methods = accuracies.shape
    out = np.zeros(methods)
    for task in range(tasks):
        for method in range(methods):
            rank = 1
            for other in range(methods):
                rank += bool(accuracies[task, other] > accuracies[task, method])
            out[method] += 1 / rank / tasks
    return out


RIGHT = [mrr_torch, mrr_numpy, mrr_plain, mrr_loops]
