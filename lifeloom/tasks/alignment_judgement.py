"""Alignment judgement (PA): does this response suit the user's personality?"""

from __future__ import annotations

from typing import Literal

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput
from lifeloom.tasks.choice_answer import ContextMessage

__all__ = ["ALIGNMENT_JUDGEMENT", "AlignmentJudgementInput", "AlignmentJudgementOutput"]


class AlignmentJudgementInput(TaskInput):
    """Shown history (empty for a blind policy), query and one response."""

    context: tuple[ContextMessage, ...]
    asked_at: str
    query: str
    response: str


class AlignmentJudgementOutput(TaskOutput):
    """Yes when the response's manner suits the user."""

    verdict: Literal["yes", "no"]


ALIGNMENT_JUDGEMENT = GenerationTask(
    name="alignment_judgement",
    version="2",
    input_type=AlignmentJudgementInput,
    output_type=AlignmentJudgementOutput,
    instructions=(
        "You are the user's long-term assistant. The way the user talks shows their personality (Big Five). Say "
        "whether the manner of a response suits this user."
    ),
    template="""\
{% if input.context %}
Earlier messages:
{% for m in input.context %}
[{{ m.at }}] {{ m.role }}: {{ m.text }}
{% endfor %}

{% endif %}
Now: {{ input.asked_at }}
The user asks: {{ input.query }}
Response: {{ input.response }}
Does the manner of the response suit this user? Answer {"verdict": "yes"} or {"verdict": "no"}.
""",
    max_tokens=64,
)
