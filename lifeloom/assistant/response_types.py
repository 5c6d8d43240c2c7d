"""What the response stage is given and what it gives back."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Final

from lifeloom.assistant.response_prompt import StepPrompt
from lifeloom.assistant.sessions import SESSION_MINUTES
from lifeloom.assistant.trace import Stopped, Trace
from lifeloom.memory import TopK
from lifeloom.records import MemoryKind, PictureReference, Provenance
from lifeloom.tasks import OptionText

__all__ = ["ALL_KINDS", "Query", "Response", "ResponseSettings"]

ALL_KINDS: Final[frozenset[MemoryKind]] = frozenset({"core", "semantic", "episodic", "procedural"})


@dataclass(frozen=True)
class ResponseSettings:
    """How replies are made.

    Raises:
        ValueError: fewer than one step, or a budget or a session below one.
    """

    steps: int = 4
    """N of Algorithm 1: at most ``steps - 1`` retrievals; the last step must answer (three retrievals in the paper's
    training, Section 3.2)."""
    top_k: TopK = field(default_factory=TopK)
    kinds: frozenset[MemoryKind] = ALL_KINDS
    """Kinds of memory that are used; the others are left out, as in the paper's Table 8."""
    reasoning: bool = True
    """False: one retrieval with the user's text, then the answer (Appendix E.2)."""
    personality: bool = True
    """Whether the personality profile is shown."""
    reply_words: int | None = 25
    """Words of the assistant's own replies that are shown of retrieved turns, from their beginning; what the user said
    is always shown whole. None: all of them."""
    tokens: int | None = 32_768
    """Prompt and completion tokens of a trajectory: a step that would leave no room for another one like it must
    answer. None: no limit."""
    seconds: float | None = None
    """Once a trajectory took this long, the next step must answer. None: no limit."""
    threads: int = 0
    """Threads of the memory graph that a retrieval brings at most: memories of one matter at different times, which the
    paper names as missing. 0: none, as in the paper."""
    session_minutes: int = SESSION_MINUTES
    """How old a turn of the context may be (t_s)."""

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise ValueError(f"a reply takes at least one step, not {self.steps}")
        if (self.tokens is not None and self.tokens < 1) or (self.seconds is not None and self.seconds < 0):
            raise ValueError("budgets of tokens and seconds are above 0; None means no limit")
        if self.reply_words is not None and self.reply_words < 0:
            raise ValueError(f"a reply is shown with no fewer than 0 words, not {self.reply_words}")
        if self.threads < 0:
            raise ValueError(f"a retrieval brings 0 or more threads, not {self.threads}")
        if self.session_minutes < 1:
            raise ValueError(f"a session lasts at least a minute, not {self.session_minutes}")


@dataclass(frozen=True)
class Query:
    """What the user says.

    Raises:
        ValueError: ``at`` has no zone.
    """

    text: str
    """With an ``<img>`` for each picture."""
    at: dt.datetime
    offset_minutes: int
    """The user's zone, minutes east of UTC."""
    pictures: tuple[PictureReference, ...] = ()
    """One for each ``<img>`` of the text, in order."""
    options: tuple[OptionText, ...] = ()
    response: str = ""
    """Where there is one: answer yes or no, whether its manner suits the user."""
    concepts: tuple[str, ...] = ()
    """Who and what is known in the pictures, a line each."""
    session: int | None = None
    """Number of the session in which it is said; turns of another are no context. None: the one that goes on at the
    time."""

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError("the time of a query needs a zone")


@dataclass(frozen=True)
class Response:
    """A reply, or an honest nothing."""

    text: str
    """Empty where there is no answer."""
    trace: Trace
    prompt_tokens: int
    completion_tokens: int
    """Of all steps together."""
    seconds: float
    well_formed: bool
    """Whether every step kept the format and the last one answered."""
    stopped: Stopped
    made_by: Provenance
    prompt: StepPrompt | None = None
    """Of the last step; it shows all that was retrieved."""
    failure: str = ""
    """Why there is no answer: the reason for which the model's last output was refused, or ``no_answer``."""
