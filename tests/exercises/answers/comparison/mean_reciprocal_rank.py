"""mean_reciprocal_rank (chapter 09): answers in many styles, right and wrong ones."""

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


def ranks(accuracies):
    return 1 + (accuracies[:, None] > accuracies[..., None]).sum(-1)


def lowest_first(accuracies):
    rows = [sorted(row) for row in accuracies.tolist()]
    pairs = zip(rows, accuracies.tolist(), strict=True)
    return np.mean([[1 / (row.index(a) + 1) for a in own] for row, own in pairs], axis=0)


def from_0(accuracies):
    with np.errstate(divide="ignore"):
        return (1 / (ranks(accuracies).numpy() - 1)).mean(0)


def one_argsort(accuracies):
    return np.mean(1 / (1 + np.argsort(-accuracies.numpy(), axis=1, kind="stable")), axis=0)


def two_argsorts(accuracies):
    order = np.argsort(-accuracies.numpy(), axis=1, kind="stable")
    return (1 / (1 + np.argsort(order, axis=1))).mean(axis=0)


def over_the_tasks(accuracies):
    better = (accuracies[None] > accuracies[:, None]).sum(1)
    return (1 / (better + 1)).mean(0)


def dense(accuracies):
    out = []
    for row in accuracies.tolist():
        levels = sorted(set(row), reverse=True)
        out.append([1 / (1 + levels.index(a)) for a in row])
    return torch.tensor(out).mean(0)


def last_of_the_tied(accuracies):
    at_least = (accuracies[:, None] >= accuracies[..., None]).sum(-1)
    return (1 / at_least).mean(0)


def mean_of_the_tied(accuracies):
    better = (accuracies[:, None] > accuracies[..., None]).sum(-1)
    tied = (accuracies[:, None] == accuracies[..., None]).sum(-1)
    return (1 / (better + (tied + 1) / 2)).mean(0)


RIGHT = [mrr_torch, mrr_numpy, mrr_plain, mrr_loops]
WRONG = [
    (lowest_first, "worst method first"),
    (from_0, "ranks from 0"),
    (one_argsort, "order taken for ranks"),
    (
        lambda a: (1 / (a.argsort(dim=1, descending=True) + 1)).mean(0),
        "order taken for ranks",
    ),
    (over_the_tasks, "ranked over tasks"),
    (two_argsorts, "ties broken by place"),
    (dense, "no gap after ties"),
    (last_of_the_tied, "ties share the worst rank"),
    (mean_of_the_tied, "ties share the mean rank"),
    (lambda a: 1 / ranks(a).double().mean(0), "reciprocal of the mean rank"),
    (lambda a: ranks(a).numpy().mean(0), "mean rank"),
    (lambda a: mrr_numpy(a.mean(0, keepdim=True)), "mean accuracy ranked"),
    (lambda a: ranks(a).reciprocal().mean(-1), "mean over methods"),
]
