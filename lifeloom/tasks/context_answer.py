"""Context answer: a question about a new picture in the light of earlier ones (CoViP Section 4, Table S.13)."""

from __future__ import annotations

from lifeloom.tasks.base import GenerationTask, TaskInput, TextOutput
from lifeloom.tasks.personal_caption import ShownPart

__all__ = ["CONTEXT_ANSWER", "ContextAnswerInput"]


class ContextAnswerInput(TaskInput):
    """The context, a new picture and a question about it. Pictures of the context come first, then the new one."""

    parts: tuple[ShownPart, ...]
    question: str
    caption: str = ""
    """A caption of the new picture that was made from the same context (C9); empty: none."""
    recognised: bool = False
    """Whether it is known that what ``parts`` show is in the new picture."""


CONTEXT_ANSWER: GenerationTask[ContextAnswerInput, TextOutput] = GenerationTask(
    name="context_answer",
    version="1",
    input_type=ContextAnswerInput,
    output_type=TextOutput,
    instructions=(
        "The user has shown you pictures before and told you about them. Answer the question about the new picture "
        "from what the user told of whoever is in it, and heed what the user asked you to do when that person shows "
        "up. Several of the earlier pictures may show the same person. Answer as briefly as the question allows: a "
        "place with its name alone."
    ),
    template="""\
{% for part in input.parts %}
Picture {{ loop.index }}: <img>
{% for turn in part.turns %}
User: {{ turn.user }}
Assistant: {{ turn.assistant }}
{% endfor %}
{% endfor %}
{% if input.recognised %}
All of these pictures show who is in the new one.
{% endif %}
The new picture: <img>
{% if input.caption %}
Its caption: {{ input.caption }}
{% endif %}
Question: {{ input.question }}
""",
    max_tokens=256,
)
