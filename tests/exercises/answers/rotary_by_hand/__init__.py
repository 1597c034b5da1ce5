"""Chapter 04: right answers in many styles, and wrong ones as learners write them."""

from tests.exercises.answers.rotary_by_hand import (
    angles,
    attention,
    by_complex,
    halves,
    partner,
    score,
)

_ANSWERS = {
    "rotary_angles": angles,
    "turn_half_split": halves,
    "turn_by_complex": by_complex,
    "rotary_score": score,
    "find_partner": partner,
    "rotary_attention": attention,
}
RIGHT = {name: answers.RIGHT for name, answers in _ANSWERS.items()}
WRONG = [
    (name, function, mistake)
    for name, answers in _ANSWERS.items()
    for function, mistake in answers.WRONG
]
