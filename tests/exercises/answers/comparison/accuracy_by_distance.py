"""accuracy_by_distance (chapter 09): answers in many styles."""

import numpy as np
import torch


def accuracies_torch(right, distance, distances):
    return torch.stack([right[distance == d].double().mean() for d in distances])


def accuracies_numpy(right, distance, distances):
    right, distance, distances = right.numpy(), distance.numpy(), distances.numpy()
    largest = max(distance.max(), distances.max()) + 1
    asked = np.bincount(distance, minlength=largest)
    correct = np.bincount(distance, weights=right, minlength=largest)
    with np.errstate(invalid="ignore"):
        return (correct / asked)[distances]


def accuracies_plain(right, distance, distances):
    found = []
    for wanted in distances.tolist():
        pairs = zip(right.tolist(), distance.tolist(), strict=True)
        own = [answer for answer, d in pairs if d == wanted]
        found.append(sum(own) / len(own) if own else float("nan"))
    return torch.tensor(found)


def accuracies_product(right, distance, distances):
    at = (distances[:, None] == distance).double()
    return at @ right.double() / at.sum(dim=1)


RIGHT = [accuracies_torch, accuracies_numpy, accuracies_plain, accuracies_product]
