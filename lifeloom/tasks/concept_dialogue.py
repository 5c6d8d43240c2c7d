"""Concept dialogues: three turns about a picture that state facts and nothing else (CoViP Section 3.2.1, Table S.8)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from lifeloom.records import DialogueFactKind, Edition, LibraryCategory
from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput

__all__ = [
    "CONCEPT_DIALOGUE_WRITING",
    "ConceptDialogueInput",
    "ConceptDialogueOutput",
    "DialogueExchange",
    "FactBrief",
]


class FactBrief(TaskInput):
    """A fact to be stated."""

    kind: DialogueFactKind
    value: str


class ConceptDialogueInput(TaskInput):
    """What the user tells about one picture. Where the writer takes pictures, it goes beside the prompt."""

    edition: Edition
    category: LibraryCategory
    noun: str
    handle: str
    """What the user calls it."""
    turns: tuple[tuple[FactBrief, ...], ...] = Field(min_length=1, max_length=10)
    """What each turn states, in order."""
    picture_shown: bool = False


class DialogueExchange(TaskOutput):
    """One turn."""

    user: Annotated[str, StringConstraints(min_length=1, max_length=1000)]
    assistant: Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class ConceptDialogueOutput(TaskOutput):
    """The dialogue."""

    turns: tuple[DialogueExchange, ...] = Field(min_length=1, max_length=10)


CONCEPT_DIALOGUE_WRITING: GenerationTask[ConceptDialogueInput, ConceptDialogueOutput] = GenerationTask(
    name="concept_dialogue_writing",
    version="1",
    input_type=ConceptDialogueInput,
    output_type=ConceptDialogueOutput,
    instructions=(
        "You write a short dialogue between a user who shows a picture and an assistant. The user calls what is in the "
        "picture by the given name in the first turn. In each turn the user states exactly the facts that are listed "
        "for it, in their own words and in the past tense, and no other place, date, event, companion or thing; they "
        "tell of one and the same occasion. No opinions, feelings or habits. The assistant answers each turn in one "
        "sentence that adds no fact. Dates, numbers and names stay as they are; a date may be written out in another "
        "form."
    ),
    template="""\
Edition: {{ input.edition }}
The picture shows: {{ input.noun }} ({{ input.category }}), whom or which the user calls {{ input.handle }}\
{% if input.picture_shown %}: <img>{% endif %}

{% for facts in input.turns %}
Turn {{ loop.index }} states:
{% for fact in facts %}
- {{ fact.kind }}: {{ fact.value }}
{% else %}
- nothing new
{% endfor %}
{% endfor %}
Give {"turns": [{"user": text, "assistant": text}, ...]}, one for each turn.
""",
    temperature=0.7,
    max_tokens=1024,
)
