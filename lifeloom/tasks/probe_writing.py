"""Probe writing: questions about the facts of a dialogue, which only who knows it can answer (CoViP Table S.9)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from lifeloom.records import DialogueFactKind, Edition, LibraryCategory
from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput

__all__ = ["PROBE_WRITING", "AskedFact", "ProbeWritingInput", "ProbeWritingOutput"]


class AskedFact(TaskInput):
    """A fact that a question asks for."""

    kind: DialogueFactKind
    answer: str
    wrong: tuple[str, ...]
    """Other options."""


class ProbeWritingInput(TaskInput):
    """A dialogue about a picture, and what to ask of it."""

    edition: Edition
    handle: str
    """What the user calls what the picture shows; every question says it."""
    category: LibraryCategory
    dialogue: tuple[str, ...]
    """What was said, turn by turn."""
    facts: tuple[AskedFact, ...] = Field(min_length=1, max_length=10)


class ProbeWritingOutput(TaskOutput):
    """One question for each fact, in order, without its options."""

    questions: tuple[Annotated[str, StringConstraints(min_length=5, max_length=300)], ...] = Field(
        min_length=1, max_length=10
    )


PROBE_WRITING: GenerationTask[ProbeWritingInput, ProbeWritingOutput] = GenerationTask(
    name="probe_writing",
    version="1",
    input_type=ProbeWritingInput,
    output_type=ProbeWritingOutput,
    instructions=(
        "You write multiple-choice questions about a dialogue between a user and an assistant. Write one question for "
        "each fact, to which its answer is the only right one of the options. Each question says the given name, "
        "stands on its own, names neither its answer nor any other option, and cannot be answered from the picture. "
        "Write the questions only, not the options."
    ),
    template="""\
Edition: {{ input.edition }}
The picture shows {{ input.handle }} ({{ input.category }}).
{% for line in input.dialogue %}
{{ line }}
{% endfor %}
Facts to ask for:
{% for fact in input.facts %}
{{ loop.index }}. {{ fact.kind }}: {{ fact.answer }} (other options: {{ fact.wrong | join("; ") }})
{% endfor %}
Give {"questions": [text, ...]}, one for each fact in order.
""",
    temperature=0.7,
    max_tokens=768,
)
