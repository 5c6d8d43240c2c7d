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

    chosen: str = Field(min_length=1, max_length=1500)
    rejected: str = Field(min_length=1, max_length=1500)


ALIGNMENT_WRITING = GenerationTask(
    name="alignment_writing",
    version="2",
    input_type=AlignmentWritingInput,
    output_type=AlignmentWritingOutput,
    instructions=(
        "You write two answers of an assistant to one question. Both say the same; only their manner differs. Do not "
        "name personality traits."
    ),
    template="""\
{% set manners = {
    "openness": ("imaginative, fond of ideas", "down to earth, fond of what is tried and tested"),
    "conscientiousness": ("orderly, step by step", "relaxed, without lists or rules"),
    "extraversion": ("lively, chatty, full of energy", "quiet, short, reserved"),
    "agreeableness": ("warm, kind, patient", "blunt, matter of fact"),
    "neuroticism": ("soothing, careful, full of reassurance", "brisk, carefree, without reassurance"),
}[input.trait] %}
{% set high = input.traits[input.trait] >= 3 %}
Traits of the user ({{ input.edition }}), from 1 (low) to 5 (high): openness {{ input.traits.openness }}, \
conscientiousness {{ input.traits.conscientiousness }}, extraversion {{ input.traits.extraversion }}, \
agreeableness {{ input.traits.agreeableness }}, neuroticism {{ input.traits.neuroticism }}.
Write two answers to the user's question, 40 to 70 words each, as JSON with two keys. They differ on \
{{ input.trait }}, which is {{ "high" if high else "low" }}.
"chosen" suits the user: {{ manners[0] if high else manners[1] }}.
"rejected" suits the opposite: {{ manners[1] if high else manners[0] }}.

Question: {{ input.query }}
Both answers say: {{ input.content }}
""",
    temperature=0.7,
    max_tokens=600,
)
