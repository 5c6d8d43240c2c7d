"""Object question: is there such a thing in the picture (POPE)."""

from __future__ import annotations

from lifeloom.tasks.base import GenerationTask, TaskInput, TextOutput

__all__ = ["OBJECT_QUESTION", "ObjectQuestionInput"]


class ObjectQuestionInput(TaskInput):
    """A thing; the picture goes beside the prompt."""

    thing: str
    """With its article: ``an apple``."""


OBJECT_QUESTION: GenerationTask[ObjectQuestionInput, TextOutput] = GenerationTask(
    name="object_question",
    version="1",
    input_type=ObjectQuestionInput,
    output_type=TextOutput,
    instructions="You answer with yes or no.",
    template="""\
<img>
Is there {{ input.thing }} in the image?
""",
    max_tokens=16,
)
