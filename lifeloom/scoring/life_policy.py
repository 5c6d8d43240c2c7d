"""The protocol of policies that answer about a life, and the one answering model behind all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lifeloom.models.protocol import GenerationRejected, LanguageModel, Usage
from lifeloom.records import BY_CODE, AnswerType, Concept, Life, LifeImage, PictureReference, Provenance
from lifeloom.scoring.unanswered import UNANSWERED, failure_of
from lifeloom.tasks import LIFE_ANSWER, GraphFact, KnownConcept, LifeAnswerInput, OptionText, SeenImage

__all__ = ["AskedQuestion", "Found", "LifeAnswer", "LifePolicy", "answer_from"]


@dataclass(frozen=True)
class AskedQuestion:
    """What a policy may see of a question: no answer, no ids, no sources."""

    question: str
    options: tuple[OptionText, ...]
    answer_type: AnswerType
    picture: PictureReference | None = None


@dataclass(frozen=True)
class Found:
    """What a retriever found for a question: C_x of Eq. 1."""

    concepts: tuple[Concept, ...] = ()
    images: tuple[LifeImage, ...] = ()
    facts: tuple[GraphFact, ...] = ()
    notes: tuple[str, ...] = ()
    looks: dict[str, str] = field(default_factory=dict)
    """Concept id to what somebody made of the portrait."""
    captions: dict[str, str] = field(default_factory=dict)
    """Picture id to what somebody made of the picture."""
    shows_pictures: bool = True
    """Whether portraits and pictures of the history themselves are given to the answering model."""
    retrieved_ids: tuple[str, ...] = ()
    """Ids of concepts, events and pictures, best first."""
    rounds: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    trace: str = field(default="", repr=False)


@dataclass(frozen=True)
class LifeAnswer:
    """What a policy answered."""

    text: str
    """Empty when there is no answer."""
    retrieved_ids: tuple[str, ...] = ()
    rounds: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    failure: str = ""
    made_by: Provenance = BY_CODE
    trace: str = field(default="", compare=False, repr=False)
    """How it was looked up, as JSON; empty for policies that take no steps."""


class LifePolicy(Protocol):
    """Answers questions about a life. Keeps what it made of a life (index, captions, graph) between questions."""

    @property
    def name(self) -> str:
        """Short id, ``[a-z0-9_-]{1,64}``: ``rap-k3``, ``lifegraph-d2-k5``."""
        ...

    @property
    def fingerprint(self) -> str:
        """Digest of code version, model, prompts and parameters."""
        ...

    def models(self) -> list[str]:
        """Return ``backend/model`` of everything that is asked."""
        ...

    def prompts(self) -> tuple[str, ...]:
        """Return the versions of the prompts that it puts."""
        ...

    def parameters(self) -> dict[str, str | int | float]:
        """Return what else decides the answers."""
        ...

    def answer(self, asked: AskedQuestion, life: Life) -> LifeAnswer:
        """Answer one question.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
        """
        ...


def answer_from(model: LanguageModel, asked: AskedQuestion, life: Life, found: Found) -> LifeAnswer:
    """Ask ``model`` with what was found: the last step of every policy, the same for all (Life-Bench Section 5.1).

    A model that gives no valid answer and a picture that is gone leave the question without an answer, with the reason.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
    """
    shows = found.shows_pictures and model.takes_pictures
    asked_picture = asked.picture if model.takes_pictures else None
    images: list[PictureReference] = [] if asked_picture is None else [asked_picture]
    concepts = [_known(one, found.looks.get(one.concept_id, ""), shows=shows) for one in found.concepts]
    seen = [_seen(one, found.captions.get(one.image_id, ""), shows=shows) for one in found.images]
    images += _shown([one.portrait for one in found.concepts], shows=shows)
    images += _shown([one.picture for one in found.images], shows=shows)
    task_input = LifeAnswerInput(
        owner="" if life.owner is None else life.owner.name,
        question=asked.question,
        options=asked.options,
        binary=asked.answer_type == "binary",
        picture_shown=asked_picture is not None,
        concepts=tuple(concepts),
        images=tuple(seen),
        facts=found.facts,
        notes=found.notes,
    )
    try:
        given = model.run(LIFE_ANSWER, task_input, images)
    except UNANSWERED as error:
        usage = error.usage if isinstance(error, GenerationRejected) else Usage(0, 0, calls=0)
        return LifeAnswer(
            text="",
            retrieved_ids=found.retrieved_ids,
            rounds=found.rounds,
            prompt_tokens=found.prompt_tokens + usage.prompt_tokens,
            completion_tokens=found.completion_tokens + usage.completion_tokens,
            failure=failure_of(error),
            made_by=model.identity.provenance(LIFE_ANSWER),
            trace=found.trace,
        )
    return LifeAnswer(
        text=given.output.text,
        retrieved_ids=found.retrieved_ids,
        rounds=found.rounds,
        prompt_tokens=found.prompt_tokens + given.usage.prompt_tokens,
        completion_tokens=found.completion_tokens + given.usage.completion_tokens,
        made_by=given.provenance,
        trace=found.trace,
    )


def _known(concept: Concept, looks: str, *, shows: bool) -> KnownConcept:
    return KnownConcept(
        concept_id=concept.concept_id,
        name=concept.name,
        role=concept.role,
        persona=concept.persona,
        looks=looks,
        shown=shows and concept.portrait is not None,
    )


def _seen(image: LifeImage, caption: str, *, shows: bool) -> SeenImage:
    return SeenImage(
        image_id=image.image_id,
        event_id=image.event_id,
        date=image.event_date.isoformat(),
        description=image.event_description,
        caption=caption,
        shown=shows and image.picture is not None,
    )


def _shown(pictures: Sequence[PictureReference | None], *, shows: bool) -> list[PictureReference]:
    return [one for one in pictures if one is not None] if shows else []
