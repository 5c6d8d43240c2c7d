"""Probe judgement: a question of CapEval-QAs, answered from a caption alone (CoViP Table S.11)."""

from __future__ import annotations

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TextOutput

__all__ = ["PROBE_JUDGEMENT", "ProbeJudgementInput"]


class ProbeJudgementInput(TaskInput):
    """A caption and a question. The judge sees neither the picture nor the context, nor which option is right."""

    caption: str
    question: str
    options: tuple[str, ...] = Field(min_length=4, max_length=4)
    """A to D; D says that the answer cannot be determined."""


PROBE_JUDGEMENT: GenerationTask[ProbeJudgementInput, TextOutput] = GenerationTask(
    name="probe_judgement",
    version="1",
    input_type=ProbeJudgementInput,
    output_type=TextOutput,
    instructions=(
        "You answer a multiple-choice question from the caption of a picture alone. Use nothing that the caption does "
        "not say: where it gives no sufficient evidence about whom or what the question asks, the answer is D. End "
        "with one line of the form: Answer: \\boxed{X}, where X is A, B, C or D."
    ),
    template="""\
Caption: {{ input.caption or "(no caption)" }}
Question: {{ input.question }}
A. {{ input.options[0] }}
B. {{ input.options[1] }}
C. {{ input.options[2] }}
D. {{ input.options[3] }}
""",
    max_tokens=512,
)
