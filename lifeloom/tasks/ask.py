"""Ask: a person's own words, answered freely; for trying a model by hand."""

from __future__ import annotations

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TextOutput
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["ASK", "AskInput"]


class AskInput(TaskInput):
    """What a person asks."""

    pictures: int = Field(default=0, ge=0)
    """Pictures that go with it; they stand before the words."""
    prompt: str = Field(min_length=1)


ASK = GenerationTask(
    name="ask",
    version="1",
    input_type=AskInput,
    output_type=TextOutput,
    instructions="You are a helpful assistant. Answer briefly.",
    template=f"{{{{ '{PICTURE_MARK}' * input.pictures }}}}{{{{ input.prompt }}}}",
    max_tokens=512,
)
