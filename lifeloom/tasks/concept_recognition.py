"""Concept recognition: which pictures of the context show what is in the new one (CoViP Table S.10, Eq. 5)."""

from __future__ import annotations

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TextOutput

__all__ = ["CONCEPT_RECOGNITION", "ConceptRecognitionInput"]


class ConceptRecognitionInput(TaskInput):
    """Pictures of concepts, ``<img>`` under numbered headings, then the query picture."""

    concepts: int = Field(ge=1)


CONCEPT_RECOGNITION: GenerationTask[ConceptRecognitionInput, TextOutput] = GenerationTask(
    name="concept_recognition",
    version="1",
    input_type=ConceptRecognitionInput,
    output_type=TextOutput,
    instructions=(
        "Each numbered picture shows one concept: a person, an animal or a thing. Say which of them, the very same "
        "ones, are in the query picture. End with one line of the form \\boxed{[0,2]}: the numbers of those that are, "
        "or \\boxed{[]} where none is."
    ),
    template="""\
{% for number in range(input.concepts) %}
Concept {{ number }}: <img>
{% endfor %}
Query picture: <img>
Which of the {{ input.concepts }} concepts are in the query picture?
""",
    max_tokens=256,
)
