"""Pictures in words: captions for RAG-Cap, fingerprints for R2P (Life-Bench Section 5.1)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput, TextOutput

__all__ = [
    "CONCEPT_FINGERPRINT",
    "PICTURE_CAPTION",
    "ConceptFingerprintInput",
    "ConceptFingerprintOutput",
    "PictureCaptionInput",
]


class PictureCaptionInput(TaskInput):
    """One picture, ``<img>``, to be described. It goes beside the prompt; nothing is told of who is in it."""

    purpose: str = "retrieval"


class ConceptFingerprintInput(TaskInput):
    """A concept or a picture, whose distinctive attributes are wanted; the picture goes beside the prompt."""

    name: str = ""
    """Of a concept; empty for a picture of the history or a question."""


class ConceptFingerprintOutput(TaskOutput):
    """Attributes, a short phrase each: ``short brown hair``, ``a red umbrella``."""

    attributes: tuple[Annotated[str, StringConstraints(max_length=80)], ...] = Field(max_length=24)


PICTURE_CAPTION: GenerationTask[PictureCaptionInput, TextOutput] = GenerationTask(
    name="picture_caption",
    version="1",
    input_type=PictureCaptionInput,
    output_type=TextOutput,
    instructions=(
        "Describe the picture in two or three sentences: the place, the time of day, each person by their "
        "looks and where "
        "they stand, each animal and object with number and colour. You do not know who the people are: name nobody."
    ),
    template="""\
The picture, to be found again by words ({{ input.purpose }}): <img>
""",
    max_tokens=256,
)
CONCEPT_FINGERPRINT: GenerationTask[ConceptFingerprintInput, ConceptFingerprintOutput] = GenerationTask(
    name="concept_fingerprint",
    version="1",
    input_type=ConceptFingerprintInput,
    output_type=ConceptFingerprintOutput,
    instructions=(
        "List what tells this picture apart from others, as short phrases: for a person hair, its colour, "
        "glasses, beard; "
        "for anything else the place, animals and objects with number and colour. At most 24 phrases."
    ),
    template="""\
{% if input.name %}
This is {{ input.name }}: <img>
{% else %}
The picture: <img>
{% endif %}
Give {"attributes": [...]}.
""",
    max_tokens=512,
)
