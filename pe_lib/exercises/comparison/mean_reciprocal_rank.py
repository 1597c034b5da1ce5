"""Exercise: methods ranked over many tasks."""

from collections.abc import Sequence

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.comparison._common import PAPERS
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


@exercise.mistake(see=PAPERS)
def worst_method_first(accuracies: Tensor) -> Tensor:
    """your best rank goes to the lowest number, as it would for losses. Of accuracies the highest
    is the best."""
    return my_reciprocal_rank(-accuracies)


@exercise.mistake(see=PAPERS)
def ranks_from_0(accuracies: Tensor) -> Tensor:
    """you count ranks from 0, and the best method, asked for its reciprocal, is infinitely good.
    The best rank is 1."""
    return (1 / (_ranks(accuracies) - 1)).mean(0)


@exercise.mistake(see=PAPERS)
def order_taken_for_ranks(accuracies: Tensor) -> Tensor:
    """sorting tells you which method stands at each rank. Asked for is the opposite: which rank
    each method has."""
    return (1 / (_order(accuracies) + 1)).mean(0)


@exercise.mistake(see=PAPERS)
def ranked_over_tasks(accuracies: Tensor) -> Tensor:
    """you rank the tasks of each method. It is the methods of each task that are to be ranked: how
    hard a task is does not matter then."""
    return (1 / _ranks(accuracies.T).T).mean(0)


# --- ties ---------------------------------------------------------------------------------------


@exercise.mistake(see=PAPERS)
def ties_broken_by_place(accuracies: Tensor) -> Tensor:
    """right where no two methods are alike. Where they are, yours are ranked by the column in which
    they happen to stand; they are to share the best rank."""
    return (1 / (_order(accuracies).argsort(dim=1) + 1)).mean(0)


@exercise.mistake(see=PAPERS)
def no_gap_after_ties(accuracies: Tensor) -> Tensor:
    """ties share the best rank, as they should, but the method after them comes too early: if two
    are first, the next one is third."""
    ranks = [1 + (row.unique() > row[:, None]).sum(-1) for row in accuracies]
    return (1 / torch.stack(ranks)).mean(0)


@exercise.mistake(see=PAPERS)
def ties_share_the_worst_rank(accuracies: Tensor) -> Tensor:
    """right where no two methods are alike. Yours share the worst rank that they fill together;
    they are to share the best one."""
    return (1 / _no_worse(accuracies)).mean(0)


@exercise.mistake(see=PAPERS)
def ties_share_the_mean_rank(accuracies: Tensor) -> Tensor:
    """right where no two methods are alike. Yours share the mean of the ranks that they fill
    together; they are to share the best one."""
    return (2 / (_ranks(accuracies) + _no_worse(accuracies))).mean(0)


# --- means --------------------------------------------------------------------------------------


@exercise.mistake(see=PAPERS)
def reciprocal_of_the_mean_rank(accuracies: Tensor) -> Tensor:
    """the ranks are right, but you take their mean first and then its reciprocal. It is the mean of
    the reciprocals: a first place weighs more then."""
    return 1 / _ranks(accuracies).mean(0)


@exercise.mistake(see=PAPERS)
def mean_rank(accuracies: Tensor) -> Tensor:
    """the ranks are right, and this is their mean. Asked for is the mean of their reciprocals."""
    return _ranks(accuracies).mean(0)


@exercise.mistake(see=PAPERS)
def mean_accuracy_ranked(accuracies: Tensor) -> Tensor:
    """you rank the methods once, by their mean accuracy. They are to be ranked in every task, and
    the mean comes last."""
    return 1 / _ranks(accuracies.mean(0, keepdim=True))[0]


@exercise.mistake(see=PAPERS)
def mean_over_methods(accuracies: Tensor) -> Tensor:
    """you have one number for each task, and as long as no two methods are alike they are all the
    same. The mean goes over the tasks: asked for is one number for each method."""
    return (1 / _ranks(accuracies)).mean(1)
