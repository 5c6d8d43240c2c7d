"""Scene check: does a query picture show what it was asked for, each concept included (CoViP Table S.6)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput

__all__ = ["SCENE_CHECK", "SceneCheckInput", "SceneCheckOutput"]


class SceneCheckInput(TaskInput):
    """What a query picture was to show. Pictures go beside the prompt: each concept's own, then the query picture."""

    instruction: str
    concepts: tuple[str, ...]
    """Nouns, one picture each."""
    people: int = Field(ge=0)
    """How many people belong in the picture."""
    place: str
    """Where it is set; empty: anywhere."""
    further: str = ""
    """An animal or object that is to be there too; empty: none."""


class SceneCheckOutput(TaskOutput):
    """What is to be seen of it."""

    adheres: bool
    """Whether the picture follows the instruction."""
    visible: tuple[bool, ...] = Field(max_length=16)
    """For each concept whether the very same one is to be seen."""
    problems: tuple[Annotated[str, StringConstraints(max_length=300)], ...] = Field(default=(), max_length=32)


SCENE_CHECK: GenerationTask[SceneCheckInput, SceneCheckOutput] = GenerationTask(
    name="scene_check",
    version="1",
    input_type=SceneCheckInput,
    output_type=SceneCheckOutput,
    instructions=(
        "You check pictures that were made from an instruction and from pictures of concepts. Say whether the picture "
        "follows the instruction: the place, what is there, as many people and no others, no artefacts. Say of each "
        "concept whether the very same person, animal or object is clearly to be seen, not merely one that is like "
        "it. Name every problem."
    ),
    template="""\
Instruction: {{ input.instruction }}
Place: {{ input.place or "anywhere" }}
People in it: {{ input.people }}
Also in it: {{ input.further or "nothing else" }}
Concepts:
{% for noun in input.concepts %}
{{ loop.index }}. {{ noun }}: <img>
{% endfor %}
The picture: <img>
Give {"adheres": true or false, "visible": [true or false for each concept in order], "problems": [text, ...]}.
""",
)
