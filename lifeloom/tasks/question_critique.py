"""Question critique: is a question answerable, unambiguous and right, by the ground truth (Life-Bench Section 3.2)?"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput
from lifeloom.tasks.choice_answer import OptionText

__all__ = ["QUESTION_CRITIQUE", "QuestionCritiqueInput", "QuestionCritiqueOutput"]


class QuestionCritiqueInput(TaskInput):
    """A question with its answer and the ground truth that it was made from."""

    question: str
    options: tuple[OptionText, ...] = ()
    answer: str
    """A letter, ``yes`` or ``no``, or a text."""
    truth: tuple[str, ...]
    """Sentences that hold: social relationships, events with their dates and captions, what the picture shows."""


class QuestionCritiqueOutput(TaskOutput):
    """What is wrong with it, if anything."""

    verdict: Literal["good", "wrong", "ambiguous", "unanswerable"]
    """wrong: the truth says otherwise. ambiguous: another answer fits as well. unanswerable: the truth does not say."""
    reason: str = Field(max_length=1_000)


QUESTION_CRITIQUE: GenerationTask[QuestionCritiqueInput, QuestionCritiqueOutput] = GenerationTask(
    name="question_critique",
    version="1",
    input_type=QuestionCritiqueInput,
    output_type=QuestionCritiqueOutput,
    instructions=(
        "You check questions of a benchmark against the ground truth that they were made from. wrong: the truth says "
        "otherwise. ambiguous: another answer, or another option, fits as well. unanswerable: the truth does "
        "not say. good: "
        "none of these."
    ),
    template="""\
Ground truth:
{% for line in input.truth %}
- {{ line }}
{% endfor %}
Question: {{ input.question }}
{% for option in input.options %}
({{ option.letter }}) {{ option.text }}
{% endfor %}
Answer: {{ input.answer }}
Give {"verdict": "good", "wrong", "ambiguous" or "unanswerable", "reason": one sentence}.
""",
    max_tokens=256,
)
