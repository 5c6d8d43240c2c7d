"""Caption-augmented generation around any captioner: caption first, then answer with the caption (C9, Eq. 7)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from lifeloom.scoring.caption_policy import CaptionPolicy, ContextView, Told
from lifeloom.scoring.policy import policy_fingerprint

__all__ = ["CaptionAugmented"]


class CaptionAugmented:
    """A captioner that puts its own caption into the prompt of every answer.

    Captions are kept by what they are of, so that several questions about one picture cost one.

    Args:
        inner: captions and answers.
    """

    def __init__(self, inner: CaptionPolicy) -> None:
        self._inner = inner
        self._captions: dict[ContextView, Told] = {}

    @property
    def name(self) -> str:
        """The inner one's, with ``-cag``."""
        return f"{self._inner.name}-cag"

    @property
    def fingerprint(self) -> str:
        """Digest of the inner one's and of the way in which it is used."""
        return policy_fingerprint(
            self.name, code="", models=(), prompts=(), parameters={"inner": self._inner.fingerprint}
        )

    def models(self) -> list[str]:
        """Return ``backend/model`` of everything that is asked."""
        return self._inner.models()

    def prompts(self) -> tuple[str, ...]:
        """Return the versions of the prompts that it puts."""
        return self._inner.prompts()

    def parameters(self) -> dict[str, str | int | float]:
        """Return what else decides what it says."""
        return self._inner.parameters()

    def prepare(self, views: Sequence[ContextView]) -> None:
        """Look at many pictures at once."""
        self._inner.prepare(views)

    def caption(self, view: ContextView) -> Told:
        """Caption the query picture, once.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
        """
        if view not in self._captions:
            self._captions[view] = self._inner.caption(view)
        return self._captions[view]

    def answer(self, view: ContextView, question: str, caption: str = "") -> Told:
        """Answer ``question`` with the captioner's own caption in the prompt, or ``caption`` where one is given.

        Without a caption, because the captioner failed, the question has no answer. Tokens count both calls.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
        """
        if caption:
            return self._inner.answer(view, question, caption)
        made = self.caption(view)
        if not made.text:
            return dataclasses.replace(made, failure=made.failure or "no_caption")
        told = self._inner.answer(view, question, made.text)
        return dataclasses.replace(
            told,
            prompt_tokens=told.prompt_tokens + made.prompt_tokens,
            completion_tokens=told.completion_tokens + made.completion_tokens,
        )
