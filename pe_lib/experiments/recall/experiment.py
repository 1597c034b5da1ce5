"""What is trained and measured: language models, on ledgers."""

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jaxtyping import Float
from torch import Tensor

from pe_lib.experiments.engine.experiment import Experiment
from pe_lib.experiments.engine.tables import Row
from pe_lib.experiments.recall.ledger import Ledgers, ledgers_hash, of_step, validation
from pe_lib.experiments.recall.measuring import losses_of, measure, read
from pe_lib.experiments.recall.model import new_model
from pe_lib.experiments.recall.records import HERE
from pe_lib.experiments.recall.setting import SMOKE_RUN, Run, seed_runs, tuning_runs
from pe_lib.experiments.recall.stretched import AS_TRAINED, methods_of, readings
from pe_lib.model import TransformerLM


class Recall(Experiment[Run, TransformerLM, Ledgers]):
    """How far back each encoding finds a thing, in longer texts than in training.

    Example:
        >>> Recall().new_model(SMOKE_RUN)(validation(6, 1)).shape
        torch.Size([1, 6, 288])
    """

    name, folder = "recall", "runs/recall"
    summary = "finding a thing far back, in longer texts than in training: half an hour"
    about = (
        "Train small language models with each encoding on short and on long ledgers, in which\n"
        "what was noted with a name has to be found again, and measure them on long ones."
    )
    smoke = SMOKE_RUN

    def __init__(self, records: Path = HERE) -> None:
        super().__init__(records)
        self.tuning = tuning_runs()

    def seeds(self, choices: Mapping[str, Run]) -> Iterator[Run]:
        return seed_runs(choices)

    def new_model(self, run: Run) -> TransformerLM:
        return new_model(run)

    def examples(self, run: Run, device: str) -> Callable[[int], Ledgers]:
        windows_at = run.setting.windows_at
        return lambda step: of_step(*windows_at(step), run.seed, step).to(device)

    def loss(self, model: TransformerLM, examples: Ledgers) -> Float[Tensor, ""]:
        return losses_of(model, examples).mean()

    def data(self) -> dict[str, str]:
        return {"ledgers": ledgers_hash()}

    def validated(self, model: TransformerLM, run: Run) -> dict[str, float]:
        costs, _ = read(model, validation(run.setting.length, run.setting.windows))
        return {"validation_loss": costs.double().mean().item()}

    def measured(self, model: TransformerLM, run: Run) -> dict[str, Any]:
        lengths = run.setting.lengths
        plain = ((AS_TRAINED, n, measure(model, run.setting, n)) for n in lengths)
        numbers: dict[str, dict[int, dict[str, Any]]] = {}
        for method, length, found in (*plain, *readings(run, model)):
            numbers.setdefault(method, {})[length] = {"loss": found.loss, "right": found.right}
        return {"numbers": numbers}

    def rows(self, result: Row) -> dict[str, list[Row]]:
        places = [
            ({"run": result["run"], "method": method, "length": length}, own)
            for method, by_length in result["numbers"].items()
            for length, own in by_length.items()
        ]
        return {
            "losses": [place | {"loss": f"{own['loss']:.4f}"} for place, own in places],
            "found": [
                place | {"distance": distance, "right": f"{share:.4f}"}
                for place, own in places
                for distance, share in own["right"].items()
            ],
        }

    def measuring_seconds(self, run: Run, device: str) -> float:
        model, begun = self.new_model(run).to(device), time.perf_counter()
        for length in run.setting.lengths:
            measure(model, run.setting, length)
        return (time.perf_counter() - begun) * (1 + len(methods_of(run)))
