"""What a backend is to the weather: one attempt at one question, and typed words for what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from lifeloom.models.protocol import ModelIdentity, TextListener
from lifeloom.records import PictureReference
from lifeloom.tasks.base import GenerationTask

__all__ = [
    "BadRequest",
    "Finish",
    "OptionReply",
    "Question",
    "ReAsk",
    "Reply",
    "SentPicture",
    "ShownOption",
    "Wire",
    "encodable",
]


@dataclass(frozen=True)
class SentPicture:
    """A picture that goes with a question."""

    data: bytes
    """The file, as it was stored."""
    media_type: str
    """``image/png``, ``image/jpeg``, ``image/gif`` or ``image/webp``."""
    reference: PictureReference


@dataclass(frozen=True)
class ReAsk:
    """What was wrong with the first answer."""

    answer: str
    """As the model gave it; may be empty."""
    problem: str


@dataclass(frozen=True)
class ShownOption:
    """An option as the prompt shows it."""

    letter: str
    text: str


@dataclass(frozen=True)
class Question:
    """One question as a wire is asked it."""

    task: GenerationTask[Any, Any]
    """Instructions, output schema, temperature, limit on the answer's length, stop sequences."""
    prompt: str
    """The user message, with ``<img>`` where a picture stands."""
    pictures: tuple[SentPicture, ...] = ()
    """In order of the marks. Where there are not as many marks, they follow the text."""
    again: ReAsk | None = None
    """The conversation goes on: the bad answer, then what was wrong with it and the schema."""
    seed: int = 0
    """For sampling, where the backend can be given one: another for another question or sample."""


Finish = Literal["stop", "length", "refusal"]
"""Why an answer ended: by itself (or a stop sequence), at the limit of its length, or because the model, or a filter
over it, declines."""


@dataclass(frozen=True)
class Reply:
    """One answer."""

    content: str
    """Empty when there is none."""
    finish: Finish = "stop"
    refusal: str = ""
    """The model's or the filter's words when it declines; may be empty."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    """None when the backend does not count."""


@dataclass(frozen=True)
class OptionReply:
    """One score an option, higher is likelier, in the order asked."""

    scores: tuple[float, ...]
    """Empty where the model answers with none of the options."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    said: str = ""
    """What it says instead, where there are no scores."""
    refused: bool = False
    """It, or a filter over it, declines; then there are no scores."""
    missing: str = ""
    """What to tell a person where the server answers, and has to be paid, but gives no likelihoods."""


class BadRequest(Exception):
    """The model finds the request itself wrong; sending it again would not help.

    Attributes:
        kind: ``context_too_long``; ``pictures``: the model takes none, or not as many; ``picture``: one of them is
            broken or too large; ``other``.
    """

    def __init__(
        self, message: str, kind: Literal["context_too_long", "pictures", "picture", "other"] = "other"
    ) -> None:
        super().__init__(message)
        self.kind = kind


class Wire(Protocol):
    """A backend. Safe to use from threads.

    ``send`` and ``score`` make one attempt of at most ``seconds`` and raise:
        TransientFailure: it may pass; with its countable kind, and how long the server asks to wait.
        BadRequest: the request is wrong.
        ModelRefusesKey: authentication or quota.
        ModelUnavailable: what no waiting mends: an address or a model that is not there.
        CapabilityMissing: ``score`` where the server declines to give likelihoods.
    """

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        ...

    @property
    def address(self) -> str:
        """Where the model answers: part of the cache's key. Empty for one on this machine."""
        ...

    @property
    def parameters(self) -> Mapping[str, float | int | str]:
        """What else decides the answers, beside the question and the identity: part of the cache's key."""
        ...

    @property
    def extra_tokens(self) -> int:
        """Tokens that an answer may cost beyond the limit of its length, for thoughts that are paid but not shown."""
        ...

    @property
    def scores_options(self) -> bool:
        """Whether ``score`` works."""
        ...

    def send(self, question: Question, seconds: float, listener: TextListener | None = None) -> Reply:
        """Ask once, and pass the answer on while it comes in where there is a ``listener``.

        A wire that cannot do that ignores it. What the listener raises passes through, and ends the attempt.
        """
        ...

    def score(
        self, question: Question, options: Sequence[str], shown: Sequence[ShownOption], seconds: float
    ) -> OptionReply:
        """Return the likelihood of each of ``options`` (texts) as the answer, once.

        Args:
            question: What is asked.
            options: Texts.
            shown: The options with the letters under which the prompt shows them, in the order of ``options``; empty
                where it does not show them.
            seconds: Longest time.
        """
        ...

    def close(self) -> None:
        """Let go of connections or weights."""
        ...


def encodable(text: str) -> str:
    """Return ``text`` with lone surrogates (broken escapes) replaced, so that it can be sent and stored."""
    return text.encode("utf-8", "replace").decode()
