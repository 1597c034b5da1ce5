"""Exercise: methods ranked over many tasks."""

from collections.abc import Sequence

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.comparison._common import CONTENT
from pe_lib.exercises.inputs import fixed


def _call(*tasks: Sequence[float]) -> Call:
    return call(torch.tensor(tasks, dtype=torch.float64))


exercise = Exercise(
    _call([0.9, 0.4, 0.7], [0.2, 0.6, 0.3]),
    _call([1.0, 1.0, 0.5, 0.25], [0.1, 0.8, 0.8, 0.3], [0.6, 0.2, 0.9, 0.4]),  # ties
    _call([0.0, 0.0, 0.0, 0.5], [0.75, 1.0, 0.75, 0.75], [0.2, 0.1, 0.4, 0.3]),
    _call([0.31, 0.12, 0.57, 0.44, 0.05]),  # one task
    _call([1.0, 1.0], [0.5, 0.5], [0.9, 0.1]),
    call(fixed(10, 5).sigmoid()),
    call((4 * fixed(40, 6, seed=3).sigmoid()).round() / 4),  # many ties
)


@exercise.answer
def my_reciprocal_rank(accuracies: Tensor) -> Tensor:
    return (1 / _ranks(accuracies)).mean(0)


def _better(accuracies: Tensor) -> Tensor:
    """Whether, in each task, a method (rows) is beaten by another one (columns)."""
    return accuracies[:, None] > accuracies[:, :, None]


def _ranks(accuracies: Tensor) -> Tensor:
    """1 for the best of each task; those with the same accuracy share the best rank."""
    return 1.0 + _better(accuracies).sum(-1)


def _no_worse(accuracies: Tensor) -> Tensor:
    """How many methods are at least as good as each, itself included."""
    return 1.0 * (accuracies[:, None] >= accuracies[:, :, None]).sum(-1)


def _order(accuracies: Tensor) -> Tensor:
    """The methods of each task from the best to the worst."""
    return accuracies.argsort(dim=1, descending=True, stable=True)


# --- ranks --------------------------------------------------------------------------------------


@exercise.mistake(see=CONTENT)
def worst_method_first(accuracies: Tensor) -> Tensor:
    """your best rank goes to the lowest number, as it would for losses. But the highest accuracy is
    the best."""
    return my_reciprocal_rank(-accuracies)


@exercise.mistake(see=CONTENT)
def ranks_from_0(accuracies: Tensor) -> Tensor:
    """you count ranks from 0, so the reciprocal of the best rank is infinite. The best rank is
    1."""
    return (1 / (_ranks(accuracies) - 1)).mean(0)


@exercise.mistake(see=CONTENT)
def order_taken_for_ranks(accuracies: Tensor) -> Tensor:
    """sorting tells you which method has each rank. The exercise asks for the opposite: which rank
    each method has."""
    return (1 / (_order(accuracies) + 1)).mean(0)


@exercise.mistake(see=CONTENT)
def ranked_over_tasks(accuracies: Tensor) -> Tensor:
    """you rank the tasks of each method. Rank the methods of each task instead, so that it does not
    matter how hard a task is."""
    return (1 / _ranks(accuracies.T).T).mean(0)


# --- ties ---------------------------------------------------------------------------------------


@exercise.mistake(see=CONTENT)
def ties_broken_by_place(accuracies: Tensor) -> Tensor:
    """right if no two methods are alike. If they are, yours are ranked by the column that they
    happen to be in. They should share the best rank."""
    return (1 / (_order(accuracies).argsort(dim=1) + 1)).mean(0)


@exercise.mistake(see=CONTENT)
def no_gap_after_ties(accuracies: Tensor) -> Tensor:
    """ties share the best rank, as they should, but the method after them comes too early: if two
    are first, the next one is third."""
    ranks = [1 + (row.unique() > row[:, None]).sum(-1) for row in accuracies]
    return (1 / torch.stack(ranks)).mean(0)


@exercise.mistake(see=CONTENT)
def ties_share_the_worst_rank(accuracies: Tensor) -> Tensor:
    """right if no two methods are alike. Yours share the worst rank that they fill together; they
    should share the best one."""
    return (1 / _no_worse(accuracies)).mean(0)


@exercise.mistake(see=CONTENT)
def ties_share_the_mean_rank(accuracies: Tensor) -> Tensor:
    """right if no two methods are alike. Yours share the mean of the ranks that they fill together;
    they should share the best one."""
    return (2 / (_ranks(accuracies) + _no_worse(accuracies))).mean(0)


# --- means --------------------------------------------------------------------------------------


@exercise.mistake(see=CONTENT)
def reciprocal_of_the_mean_rank(accuracies: Tensor) -> Tensor:
    """the ranks are right, but you take their mean first and then its reciprocal. It is the mean of
    the reciprocals: a first place weighs more then."""
    return 1 / _ranks(accuracies).mean(0)


@exercise.mistake(see=CONTENT)
def mean_rank(accuracies: Tensor) -> Tensor:
    """the ranks are right, and this is their mean. The exercise asks for the mean of their
    reciprocals."""
    return _ranks(accuracies).mean(0)


@exercise.mistake(see=CONTENT)
def mean_accuracy_ranked(accuracies: Tensor) -> Tensor:
    """you rank the methods once, by their mean accuracy. Rank them in every task, and take the mean
    last."""
    return 1 / _ranks(accuracies.mean(0, keepdim=True))[0]


@exercise.mistake(see=CONTENT)
def mean_over_methods(accuracies: Tensor) -> Tensor:
    """you have one number for each task, and as long as no two methods are alike they are all the
    same. The mean goes over the tasks: the exercise asks for one number for each method."""
    return (1 / _ranks(accuracies)).mean(1)
