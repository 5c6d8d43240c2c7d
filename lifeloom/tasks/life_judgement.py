"""Life judgement: is an open answer right, held against the ground truth (Life-Bench Section 5.1)?"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput

__all__ = ["LIFE_JUDGEMENT", "LifeJudgementInput", "LifeJudgementOutput"]


class LifeJudgementInput(TaskInput):
    """Question, ground truth and the answer to be judged."""

    question: str
    truth: str
    answer: str


class LifeJudgementOutput(TaskOutput):
    """The verdict, as the public release writes it."""

    verdict: Literal["Correct", "Wrong"]
    reason: str = Field(max_length=1_000)


LIFE_JUDGEMENT: GenerationTask[LifeJudgementInput, LifeJudgementOutput] = GenerationTask(
    name="life_judgement",
    version="1",
    input_type=LifeJudgementInput,
    output_type=LifeJudgementOutput,
    instructions=(
        "You judge an answer to a question against the ground truth. It is Correct when it states everything "
        "that the ground "
        "truth states, in whatever words, and nothing that contradicts it; otherwise it is Wrong. An answer "
        "that does not "
        "know is Wrong."
    ),
    template="""\
Question: {{ input.question }}
Ground truth: {{ input.truth }}
Answer: {{ input.answer }}
Give {"verdict": "Correct" or "Wrong", "reason": one sentence}.
""",
    max_tokens=256,
)
