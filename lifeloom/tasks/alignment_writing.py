"""Alignment writing (PA): a response that suits a personality and one that does not, same content."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput
from lifeloom.tasks.persona_enrichment import TraitScores

__all__ = ["ALIGNMENT_WRITING", "AlignmentWritingInput", "AlignmentWritingOutput"]


class AlignmentWritingInput(TaskInput):
    """Query, the content both responses carry, and the personality to suit."""

    query: str
    content: str
    """What the answer says, a phrase; the same in both responses."""
    traits: TraitScores
    trait: Literal["openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism"]
    """The trait on which the two responses differ: the user's most marked one."""
    edition: Literal["corpus", "release"]


class AlignmentWritingOutput(TaskOutput):
    """Two responses of like length."""

    chosen: str = Field(min_length=1, max_length=3000)
    rejected: str = Field(min_length=1, max_length=3000)


ALIGNMENT_WRITING = GenerationTask(
    name="alignment_writing",
    version="1",
    input_type=AlignmentWritingInput,
    output_type=AlignmentWritingOutput,
    instructions=(
        "You write two responses of an assistant to the same question with the same content. The manner of the first "
        "suits the user's personality; the manner of the second suits the opposite score on the named trait. Do not "
        "name traits."
    ),
    template="""\
Question: {{ input.query }}
Content of both responses: {{ input.content }}
User's traits (1 low to 5 high): openness {{ input.traits.openness }}, conscientiousness \
{{ input.traits.conscientiousness }}, extraversion {{ input.traits.extraversion }}, agreeableness \
{{ input.traits.agreeableness }}, neuroticism {{ input.traits.neuroticism }}.
Differ on: {{ input.trait }}. Edition: {{ input.edition }}.
Each response 40 to 70 words.
""",
    temperature=0.7,
    max_tokens=600,
)
