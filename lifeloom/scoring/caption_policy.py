"""The protocol of policies that caption, and answer about, a picture in the light of a context (CoViP Eqs. 1 and 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lifeloom.records import BY_CODE, CaptionSample, DiagnosticCase, DialogueTurn, PictureReference, Provenance

__all__ = ["CaptionPolicy", "ContextPart", "ContextView", "Told"]


@dataclass(frozen=True)
class ContextPart:
    """A picture that the user showed, and what was said of it."""

    picture: PictureReference
    turns: tuple[DialogueTurn, ...]


@dataclass(frozen=True)
class ContextView:
    """What a policy may see of a sample or case: no truth, no ids."""

    query: PictureReference
    parts: tuple[ContextPart, ...]

    @classmethod
    def of(cls, item: CaptionSample | DiagnosticCase) -> ContextView:
        """Return what may be seen of ``item``."""
        return cls(item.query, tuple(ContextPart(one.picture, one.turns) for one in item.entries))


@dataclass(frozen=True)
class Told:
    """What a policy said: a caption or an answer."""

    text: str
    """Empty when there is none."""
    recognised: tuple[int, ...] | None = None
    """Parts that it took for what the query shows; None: it did not say."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cut: bool = False
    """It reached the limit of tokens and was cut."""
    failure: str = ""
    made_by: Provenance = BY_CODE


class CaptionPolicy(Protocol):
    """Captions a query picture, and answers questions about it, with a context of earlier pictures and dialogues."""

    @property
    def name(self) -> str:
        """Short id, ``[a-z0-9_-]{1,64}``: ``zero-shot``, ``rap-k3``, ``grounded``."""
        ...

    @property
    def fingerprint(self) -> str:
        """Digest of code version, models, prompts and parameters."""
        ...

    def models(self) -> list[str]:
        """Return ``backend/model`` of everything that is asked."""
        ...

    def prompts(self) -> tuple[str, ...]:
        """Return the versions of the prompts that it puts."""
        ...

    def parameters(self) -> dict[str, str | int | float]:
        """Return what else decides what it says."""
        ...

    def prepare(self, views: Sequence[ContextView]) -> None:
        """Look at many pictures at once, which is faster than one by one; nothing that it says depends on it."""
        ...

    def caption(self, view: ContextView) -> Told:
        """Caption the query picture.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
        """
        ...

    def answer(self, view: ContextView, question: str, caption: str = "") -> Told:
        """Answer ``question`` about the query picture, with the caption in the prompt where there is one.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
        """
        ...
