"""The captioners: what each shows the model of a context (CoViP Sections 3.4, 5; Tables 2 and 3)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from evaluation.captioners.recognition import ContextRecogniser
from lifeloom.models.protocol import CapabilityMissing, GenerationRejected, LanguageModel, Usage
from lifeloom.records import PictureReference
from lifeloom.scoring.caption_policy import ContextPart, ContextView, Told
from lifeloom.scoring.policy import policy_fingerprint
from lifeloom.scoring.unanswered import UNANSWERED, failure_of
from lifeloom.tasks import (
    CONTEXT_ANSWER,
    GROUNDED_CAPTION,
    PERSONAL_CAPTION,
    ContextAnswerInput,
    ContextTurn,
    GenerationTask,
    GroundedCaptionInput,
    PersonalCaptionInput,
    ShownPart,
    TextOutput,
)

__all__ = ["GroundedCaptioner", "RapCaptioner", "ZeroShotCaptioner"]


class ZeroShotCaptioner:
    """Shows the model the whole context and asks once.

    Args:
        model: takes pictures.
        tokens: of a caption at most.
        code: revision of the code, for the fingerprint.

    Raises:
        CapabilityMissing: the model takes no pictures.
    """

    name = "zero-shot"

    def __init__(self, model: LanguageModel, *, tokens: int, code: str) -> None:
        if not model.takes_pictures:
            raise CapabilityMissing(
                f"{model.identity.backend}/{model.identity.model} takes no pictures, so it cannot caption any: "
                "choose a reader that does"
            )
        self._model = model
        self._tokens = tokens
        self._code = code

    @property
    def fingerprint(self) -> str:
        """Digest of code version, models, prompts and parameters."""
        return policy_fingerprint(
            self.name, code=self._code, models=self.models(), prompts=self.prompts(), parameters=self.parameters()
        )

    def models(self) -> list[str]:
        """Return ``backend/model`` of everything that is asked."""
        return [f"{self._model.identity.backend}/{self._model.identity.model}"]

    def prompts(self) -> tuple[str, ...]:
        """Return the versions of the prompts that it puts."""
        return (PERSONAL_CAPTION.prompt_version, CONTEXT_ANSWER.prompt_version)

    def parameters(self) -> dict[str, str | int | float]:
        """Return what else decides what it says."""
        return {"caption_tokens": self._tokens}

    def prepare(self, views: Sequence[ContextView]) -> None:
        """Do nothing: whatever looks at pictures is the model's own."""

    def caption(self, view: ContextView) -> Told:
        """Caption the query picture.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
        """
        parts = _shown(view.parts)
        return self._asked(self._limited(PERSONAL_CAPTION), PersonalCaptionInput(parts=parts), _pictures(view))

    def answer(self, view: ContextView, question: str, caption: str = "") -> Told:
        """Answer a question about the query picture.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
        """
        asked = ContextAnswerInput(parts=_shown(view.parts), question=question, caption=caption)
        return self._asked(CONTEXT_ANSWER, asked, _pictures(view))

    def _limited(self, task: GenerationTask[Any, TextOutput]) -> GenerationTask[Any, TextOutput]:
        return task if task.max_tokens == self._tokens else dataclasses.replace(task, max_tokens=self._tokens)

    def _asked(self, task: GenerationTask[Any, TextOutput], asked: Any, images: Sequence[PictureReference]) -> Told:
        """Ask the model; a text that was cut at the limit is kept and said to be cut."""
        made_by = self._model.identity.provenance(task)
        try:
            given = self._model.run(task, asked, images)
        except UNANSWERED as error:
            usage = error.usage if isinstance(error, GenerationRejected) else Usage(0, 0, calls=0)
            cut = isinstance(error, GenerationRejected) and error.reason == "truncated" and bool(error.raw.strip())
            return Told(
                text=error.raw if cut and isinstance(error, GenerationRejected) else "",
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                cut=cut,
                failure="" if cut else failure_of(error),
                made_by=made_by,
            )
        return Told(
            text=given.output.text,
            prompt_tokens=given.usage.prompt_tokens,
            completion_tokens=given.usage.completion_tokens,
            made_by=given.provenance,
        )


class _LookingCaptioner(ZeroShotCaptioner):
    """What recognises in the context before it asks."""

    def __init__(self, model: LanguageModel, recogniser: ContextRecogniser, *, tokens: int, code: str) -> None:
        super().__init__(model, tokens=tokens, code=code)
        self._recogniser = recogniser

    def models(self) -> list[str]:
        """Return ``backend/model`` of everything that is asked or looks."""
        return [*super().models(), *self._recogniser.models]

    def prepare(self, views: Sequence[ContextView]) -> None:
        """Look at the pictures of many views at once; one that cannot be read is met again where it is asked about."""
        pictures = [picture for view in views for picture in _pictures(view)]
        try:
            self._recogniser.look(pictures)
        except UNANSWERED:
            return  # the view that shows it has its failure when it is captioned


class RapCaptioner(_LookingCaptioner):
    """RAP: every picture of the context is an entry of a database, and the nearest ``k`` are shown with one line each.

    Args:
        model: takes pictures.
        recogniser: finds the nearest.
        k: entries.
        tokens: of a caption at most.
        code: revision of the code, for the fingerprint.
    """

    def __init__(self, model: LanguageModel, recogniser: ContextRecogniser, k: int, *, tokens: int, code: str) -> None:
        super().__init__(model, recogniser, tokens=tokens, code=code)
        self._k = k
        self.name = f"rap-k{k}"

    def parameters(self) -> dict[str, str | int | float]:
        """Return what else decides what it says."""
        return {**super().parameters(), "k": self._k}

    def caption(self, view: ContextView) -> Told:
        """Caption the query picture from the nearest entries."""
        return self._about(view, lambda small: super(RapCaptioner, self).caption(small))

    def answer(self, view: ContextView, question: str, caption: str = "") -> Told:
        """Answer a question from the nearest entries."""
        return self._about(view, lambda small: super(RapCaptioner, self).answer(small, question, caption))

    def _about(self, view: ContextView, ask: Any) -> Told:
        try:
            nearest = self._recogniser.nearest(view.query, [one.picture for one in view.parts], self._k)
        except UNANSWERED as error:
            return Told(text="", failure=failure_of(error))
        entries = tuple(ContextPart(view.parts[one].picture, view.parts[one].turns[:1]) for one in nearest)
        told: Told = ask(ContextView(view.query, entries))
        return told


class GroundedCaptioner(_LookingCaptioner):
    """Recognises which concepts of the context are in the query picture, then tells what was said of those alone."""

    name = "grounded"

    def prompts(self) -> tuple[str, ...]:
        """Return the versions of the prompts that it puts."""
        return (GROUNDED_CAPTION.prompt_version, CONTEXT_ANSWER.prompt_version)

    def caption(self, view: ContextView) -> Told:
        """Caption the query picture with all that was said of what it shows."""
        found = self._found(view)
        if isinstance(found, Told):
            return found
        known = tuple(view.parts[one] for one in found)
        asked = GroundedCaptionInput(parts=_shown(known))
        images = [*(one.picture for one in known), view.query]
        told = self._asked(self._limited(GROUNDED_CAPTION), asked, images)
        return dataclasses.replace(told, recognised=found)

    def answer(self, view: ContextView, question: str, caption: str = "") -> Told:
        """Answer a question from what was said of who is in the query picture."""
        found = self._same(view)
        if isinstance(found, Told):
            return found
        known = tuple(view.parts[one] for one in found)
        asked = ContextAnswerInput(parts=_shown(known), question=question, caption=caption, recognised=True)
        told = self._asked(CONTEXT_ANSWER, asked, [*(one.picture for one in known), view.query])
        return dataclasses.replace(told, recognised=found)

    def _found(self, view: ContextView) -> tuple[int, ...] | Told:
        try:
            return self._recogniser.recognise(view.query, [one.picture for one in view.parts])
        except UNANSWERED as error:
            return Told(text="", failure=failure_of(error))

    def _same(self, view: ContextView) -> tuple[int, ...] | Told:
        """Return all pictures of the context that show the main subject of the query: it may be there several times."""
        try:
            return self._recogniser.showing_same(view.query, [one.picture for one in view.parts])
        except UNANSWERED as error:
            return Told(text="", failure=failure_of(error))


def _shown(parts: Sequence[ContextPart]) -> tuple[ShownPart, ...]:
    return tuple(
        ShownPart(turns=tuple(ContextTurn(user=turn.user, assistant=turn.assistant) for turn in part.turns))
        for part in parts
    )


def _pictures(view: ContextView) -> list[PictureReference]:
    return [*(one.picture for one in view.parts), view.query]
