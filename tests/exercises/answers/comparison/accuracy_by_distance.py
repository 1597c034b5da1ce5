"""accuracy_by_distance (chapter 09): answers in many styles, right and wrong ones."""

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


def at(distance, distances):
    return (distance[None] == distances[:, None]).double()


def of_all(right, distance, distances):
    return torch.full(distances.shape, right.float().mean())


def of_the_right(right, distance, distances):
    return torch.stack([(distance[right] == d).float().mean() for d in distances])


def over_all(right, distance, distances):
    return np.array([(right & (distance == d)).sum() / len(right) for d in distances])


def zero_for_none(right, distance, distances):
    n = at(distance, distances).sum(1)
    return at(distance, distances) @ right.double() / n.clamp(min=1)


def skipped(right, distance, distances):
    return torch.stack(
        [right[distance == d].float().mean() for d in distances if (distance == d).any()]
    )


def up_to(right, distance, distances):
    return torch.stack([right[distance <= d].float().mean() for d in distances])


def by_place(right, distance, distances):
    return torch.stack([right[distance == i].float().mean() for i in range(len(distances))])


def by_unique(right, distance, distances):
    return np.array([right[distance == d].float().mean() for d in np.unique(distance)])


RIGHT = [accuracies_torch, accuracies_numpy, accuracies_plain, accuracies_product]
WRONG = [
    (of_all, "accuracy of all"),
    (of_the_right, "share of the right answers"),
    (over_all, "divided by all answers"),
    (lambda right, d, ds: at(d, ds) @ right.double(), "counts"),
    (lambda right, d, ds: ((d == ds[:, None]) & right).sum(1), "counts"),
    (zero_for_none, "none taken for 0"),
    (skipped, "missing distances left out"),
    (up_to, "all up to the distance"),
    (lambda right, d, ds: accuracies_torch(~right, d, ds), "share of wrong answers"),
    (by_place, "places for distances"),
    (by_unique, "distances that occur"),
    (lambda right, d, ds: accuracies_plain(right, d, ds.sort()[0]), "distances sorted"),
]
