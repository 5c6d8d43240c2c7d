"""Personalised captioning: a query picture described in the light of what the user told (CoViP Table S.7)."""

from __future__ import annotations

from lifeloom.tasks.base import GenerationTask, TaskInput, TextOutput

__all__ = [
    "CAPTION_TOKENS",
    "GROUNDED_CAPTION",
    "PERSONAL_CAPTION",
    "ContextTurn",
    "GroundedCaptionInput",
    "PersonalCaptionInput",
    "ShownPart",
]

CAPTION_TOKENS = 511
"""Of a caption at most (Appendix C)."""


class ContextTurn(TaskInput):
    """One exchange about a picture."""

    user: str
    assistant: str


class ShownPart(TaskInput):
    """A picture that the user showed, ``<img>``, and what was said of it."""

    turns: tuple[ContextTurn, ...]


class PersonalCaptionInput(TaskInput):
    """The context and a new picture. Pictures go beside the prompt: those of the context in order, then the new one."""

    parts: tuple[ShownPart, ...]


class GroundedCaptionInput(TaskInput):
    """The same, where it is known that what ``parts`` show is in the new picture."""

    parts: tuple[ShownPart, ...]


_PARTS = """\
{% for part in input.parts %}
Picture {{ loop.index }}: <img>
{% for turn in part.turns %}
User: {{ turn.user }}
Assistant: {{ turn.assistant }}
{% endfor %}
{% endfor %}
"""

PERSONAL_CAPTION: GenerationTask[PersonalCaptionInput, TextOutput] = GenerationTask(
    name="personal_caption",
    version="1",
    input_type=PersonalCaptionInput,
    output_type=TextOutput,
    instructions=(
        "You caption a new picture for the user, who has shown you other pictures before and told you about them. Find "
        "out which of the people, animals and things of those pictures are in the new one, call them as the user does, "
        "and weave in all that the user told of them: places, dates, events, company and things. Say nothing of those "
        "that are not in the new picture. One passage, without headings or lists, no repetition."
    ),
    template=_PARTS
    + """\
The new picture: <img>
Caption it.
""",
    max_tokens=CAPTION_TOKENS,
)
GROUNDED_CAPTION: GenerationTask[GroundedCaptionInput, TextOutput] = GenerationTask(
    name="grounded_caption",
    version="1",
    input_type=GroundedCaptionInput,
    output_type=TextOutput,
    instructions=(
        "You caption a new picture for the user. What the earlier pictures show is in the new one too. Call each as "
        "the user does and weave in all that the user told of it: places, dates, events, company and things. Where "
        "there is no earlier picture, describe the new one and name nobody. One passage, without headings or lists, no "
        "repetition."
    ),
    template=_PARTS
    + """\
The new picture: <img>
Caption it.
""",
    max_tokens=CAPTION_TOKENS,
)
