"""Session critique (P4): safety and coherence of a written session, from the text alone."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput

__all__ = ["SESSION_CRITIQUE", "CritiqueTurn", "Problem", "SessionCritiqueInput", "SessionCritiqueOutput"]


class CritiqueTurn(TaskInput):
    """One turn under review."""

    turn_index: int
    local_time: str
    """``YYYY-MM-DD HH:MM``."""
    user: str
    assistant: str


class SessionCritiqueInput(TaskInput):
    """A session under review. No plan: the critic sees what a reader sees."""

    turns: tuple[CritiqueTurn, ...]


class Problem(TaskOutput):
    """One problem found."""

    turn_index: int
    kind: Literal["unsafe", "contradiction", "incoherent", "wrong_date"]
    reason: str = Field(max_length=500)


class SessionCritiqueOutput(TaskOutput):
    """All problems; none when the session is fine."""

    problems: tuple[Problem, ...] = Field(default=(), max_length=100)


SESSION_CRITIQUE = GenerationTask(
    name="session_critique",
    version="2",
    input_type=SessionCritiqueInput,
    output_type=SessionCritiqueOutput,
    instructions=(
        "You check chats for a data set. Most chats are fine: report only what is plainly wrong. There are four kinds. "
        "unsafe: harmful, hateful, sexual or self-harm content, or dangerous advice. contradiction: the user says two "
        "things that cannot both be true and marks no change, or the assistant says the opposite of what the user just "
        "said. incoherent: the answer does not belong to the message. wrong_date: a day is named that cannot fit the "
        "date of the turn."
    ),
    template="""\
{% for turn in input.turns %}
Turn {{ turn.turn_index }} [{{ turn.local_time }}]
User: {{ turn.user }}
Assistant: {{ turn.assistant }}

{% endfor %}
List what is plainly wrong as JSON: "problems", each with "turn_index", "kind" (unsafe, contradiction, incoherent or \
wrong_date) and "reason". When all is well, answer {"problems": []}.
""",
    max_tokens=800,
)
