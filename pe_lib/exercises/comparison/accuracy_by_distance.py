"""Exercise: how often a model is right at each distance."""

from collections.abc import Sequence

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.comparison._common import TASKS


def _call(right: Sequence[int], distance: Sequence[int], distances: Sequence[int]) -> Call:
    return call(torch.tensor(right).bool(), torch.tensor(distance), torch.tensor(distances))


def _many(n: int, longest: int, distances: Sequence[int]) -> Call:
    """Answers that get worse with the distance, the same ones every time."""
    generator = torch.Generator().manual_seed(n)
    distance = torch.randint(1, longest + 1, (n,), generator=generator)
    right = torch.rand(n, generator=generator) > distance / longest
    return call(right, distance, torch.tensor(distances))


exercise = Exercise(
    _call([1, 1, 0, 1, 0, 0, 1], [1, 2, 2, 1, 4, 4, 4], [1, 2, 4]),
    _call([1, 0, 1, 1, 0], [3, 3, 8, 3, 5], [8, 3, 5]),  # not in order
    _call([1, 0, 1, 0], [2, 2, 6, 7], [2, 3, 6]),  # none at 3; 7 is not asked for
    _call([1, 1, 1, 0], [9, 9, 9, 1], [9]),
    _call([0, 1, 1, 0, 1, 1], [0, 1, 1, 2, 0, 0], [2, 1, 0]),
    _many(400, 12, [1, 2, 3, 6, 9, 11]),
    _many(900, 2048, [5, 1024, 70_000]),
    _many(60, 5, [6, 5, 4, 3, 2, 1, 0]),
)


@exercise.answer
def my_accuracies(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    at = _at(distance, distances)
    return (at & right).sum(1) / at.sum(1)


def _at(distance: Tensor, distances: Tensor) -> Tensor:
    """(m, n): which answers are at each distance that is asked for."""
    return distance == distances[:, None]


@exercise.mistake(see=TASKS)
def accuracy_of_all(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """you give the accuracy of all answers, whatever the distance. Each number should come from the
    answers at one distance alone."""
    return right.double().mean().expand(len(distances))


@exercise.mistake(see=TASKS)
def share_of_the_right_answers(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """you say how the right answers are spread over the distances. The exercise asks what share of
    the answers at a distance is right: divide by how many there are at that distance."""
    return (_at(distance, distances) & right).sum(1) / right.sum()


@exercise.mistake(see=TASKS)
def divided_by_all_answers(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """you divide by the number of all answers, so a distance that is rarely asked for looks hard.
    Divide by how many there are at that distance."""
    return (_at(distance, distances) & right).sum(1) / len(right)


@exercise.mistake(see=TASKS)
def counts(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """you count the right answers at each distance. The exercise asks for their share of all
    answers at that distance."""
    return (_at(distance, distances) & right).sum(1)


@exercise.mistake(see=TASKS)
def none_taken_for_0(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """right, except if nothing was asked at a distance: then you say 0, as if every answer were
    wrong. Nothing is known there, so the result should be nan."""
    return my_accuracies(right, distance, distances).nan_to_num(0)


@exercise.mistake(see=TASKS)
def missing_distances_left_out(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """right, except if nothing was asked at a distance: then you leave it out, and the numbers
    after it move up. Each distance keeps its place, and the result there should be nan."""
    found = my_accuracies(right, distance, distances)
    return found[~found.isnan()]


@exercise.mistake(see=TASKS)
def all_up_to_the_distance(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """you take all answers up to a distance, and the near, easy ones hide what happens far away.
    Take those at that distance alone."""
    at = distance <= distances[:, None]
    return (at & right).sum(1) / at.sum(1)


@exercise.mistake(see=TASKS)
def share_of_wrong_answers(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """you give the share of wrong answers: it grows with the distance. The exercise asks for the
    share of right ones."""
    return 1 - my_accuracies(right, distance, distances)


@exercise.mistake(see=TASKS)
def places_for_distances(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """you look for distances 0, 1, 2 and so on: those are positions in the list. Take the distances
    that it holds."""
    return my_accuracies(right, distance, torch.arange(len(distances)))


@exercise.mistake(see=TASKS)
def distances_that_occur(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """you give every distance that occurs, in ascending order. The exercise asks for those of the
    list, in its own order."""
    return my_accuracies(right, distance, distance.unique())


@exercise.mistake(see=TASKS)
def distances_sorted(right: Tensor, distance: Tensor, distances: Tensor) -> Tensor:
    """the numbers are right, but in ascending order of the distances. They should be in the order
    of the list."""
    return my_accuracies(right, distance, distances.sort().values)
