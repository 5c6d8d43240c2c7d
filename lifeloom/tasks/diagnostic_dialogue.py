"""Diagnostic dialogues: one to three turns about meeting somebody somewhere on a day (CoViP Appendix D, Table S.12)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lifeloom.records import Edition
from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput
from lifeloom.tasks.concept_dialogue import DialogueExchange

__all__ = [
    "DIAGNOSTIC_DIALOGUE_WRITING",
    "DiagnosticDialogueInput",
    "DiagnosticDialogueOutput",
    "DiagnosticStatement",
]

DiagnosticStatement = Literal["meeting", "action", "instruction"]
"""What a turn can state."""


class DiagnosticDialogueInput(TaskInput):
    """What the user tells about a picture of somebody. Where the writer takes pictures, it goes beside the prompt."""

    edition: Edition
    person: str
    """Name."""
    location: str
    met_on: str
    """Day of the meeting, ``9 September 2025``."""
    action: str
    """What the user has to do right now, ``water the plants``; empty: nothing."""
    keyword: str
    """What the user wants to hear when the person shows up again; empty: no such wish."""
    turns: tuple[tuple[DiagnosticStatement, ...], ...] = Field(min_length=1, max_length=5)
    """What each turn states, in order."""
    picture_shown: bool = False


class DiagnosticDialogueOutput(TaskOutput):
    """The dialogue."""

    turns: tuple[DialogueExchange, ...] = Field(min_length=1, max_length=5)


DIAGNOSTIC_DIALOGUE_WRITING: GenerationTask[DiagnosticDialogueInput, DiagnosticDialogueOutput] = GenerationTask(
    name="diagnostic_dialogue_writing",
    version="1",
    input_type=DiagnosticDialogueInput,
    output_type=DiagnosticDialogueOutput,
    instructions=(
        "You write a short dialogue between a user who shows a picture of somebody and an assistant. The meeting: the "
        "user says by name whom they saw, where and on which day. The action: the user says what they have to do right "
        "now, in exactly the given words, and nothing else that is to be done. The instruction: the user asks to be "
        "reminded, when this person shows up again, by the assistant saying the keyword, exactly as it is given. Each "
        "turn states what is listed for it and nothing else: no other name, place, day or plan. Names and places stay "
        "as they are; a day may be written out in another form. The assistant answers each turn in one sentence that "
        "adds no fact."
    ),
    template="""\
Edition: {{ input.edition }}
The picture{% if input.picture_shown %} (<img>){% endif %} shows {{ input.person }}.
The meeting: {{ input.person }}, at {{ input.location }}, on {{ input.met_on }}
The action: {{ input.action or "none" }}
The instruction: {% if input.keyword %}keyword {{ input.keyword }}{% else %}none{% endif %}

{% for kinds in input.turns %}
Turn {{ loop.index }} states: {{ kinds | join(", ") or "nothing new" }}
{% endfor %}
Give {"turns": [{"user": text, "assistant": text}, ...]}, one for each turn.
""",
    temperature=0.7,
    max_tokens=768,
)
