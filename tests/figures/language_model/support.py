"""What the page's language model is compared with."""

from pe_lib.experiments.extrapolation.stretched import RULES
from pe_lib.experiments.extrapolation.trained import trained_model
from pe_lib.experiments.text import unseen_text
from pe_lib.model import TransformerLM

TEXT = bytes(unseen_text()[1000:1512].tolist())
NEAR = 1e-3  # of logits, and of nats
IN_THE_PAGE = [rule for rule in RULES if rule != "dynamic NTK"]


def in_torch(kind: str, rule: str, length: int) -> TransformerLM:
    """A trained model with its positions stretched by a rule to a length."""
    if rule == "as is":
        return trained_model(kind)
    return trained_model(kind, scaling=RULES[rule](length / 128, 128))
