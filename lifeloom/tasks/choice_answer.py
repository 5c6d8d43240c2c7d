"""Choice answer: a multiple-choice question about the user, from what the policy chose to show."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput

__all__ = [
    "CHOICE_ANSWER",
    "PICTURE_MARK",
    "ChoiceAnswerInput",
    "ChoiceAnswerOutput",
    "ContextMessage",
    "OptionText",
]

PICTURE_MARK = "<img>"
"""Stands in a message for a picture that the user shows at that place."""


class ContextMessage(TaskInput):
    """One message of the history that the policy shows to the reader."""

    at: str
    """``YYYY-MM-DD HH:MM`` on the user's clock."""
    role: Literal["user", "assistant"]
    text: str
    """With a ``PICTURE_MARK`` for each picture; the pictures themselves go beside the prompt, in order."""


class OptionText(TaskInput):
    """An option as a policy sees it."""

    letter: Literal["a", "b", "c", "d"]
    text: str


class ChoiceAnswerInput(TaskInput):
    """Question, options and shown history (oldest first; empty for a blind policy)."""

    context: tuple[ContextMessage, ...]
    asked_at: str
    query: str
    options: tuple[OptionText, ...] = Field(min_length=2)


class ChoiceAnswerOutput(TaskOutput):
    """The chosen letter."""

    letter: Literal["a", "b", "c", "d"]


CHOICE_ANSWER = GenerationTask(
    name="choice_answer",
    version="2",
    input_type=ChoiceAnswerInput,
    output_type=ChoiceAnswerOutput,
    instructions=(
        "You are the user's long-term assistant. Answer the question with the letter of the one option that fits "
        "this user best, given what they told you and what holds at the time of asking."
    ),
    template="""\
{% if input.context %}
Earlier messages:
{% for m in input.context %}
[{{ m.at }}] {{ m.role }}: {{ m.text }}
{% endfor %}

{% endif %}
Now: {{ input.asked_at }}
Question: {{ input.query }}
{% for option in input.options %}
({{ option.letter }}) {{ option.text }}
{% endfor %}
Answer with one letter as {"letter": ...}: {{ input.options | map(attribute="letter") | join(", ") }}.
""",
    max_tokens=64,
)
