"""Captioners on test pictures with concepts, and which of these their captions name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import ClassVar, Literal, Protocol, TypeAlias, get_args

from evaluation.concept_grounding.sets import GroundingConcept, GroundingSet, GroundingTest, SetName
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.records import DialogueTurn, PictureReference, Record
from lifeloom.records.base import Identifier
from lifeloom.scoring.caption_policy import CaptionPolicy, ContextPart, ContextView, Told
from lifeloom.scoring.unanswered import UNANSWERED, failure_of

__all__ = ["EACH", "SETTINGS", "GroundedCaption", "Retriever", "Setting", "ground", "named_in"]

Setting: TypeAlias = Literal["skip_retrieval", "retrieval"]
SETTINGS: tuple[Setting, ...] = get_args(Setting)
"""``skip_retrieval``: the context is the concepts that the picture shows. ``retrieval``: it is what among all concepts
of the set was found to be like parts of the picture."""
EACH = 2
"""Concepts that are retrieved for each part of a picture, as RAP does."""
_ACKNOWLEDGED = "Thank you, I will remember it."


class GroundedCaption(Record):
    """A caption of a test picture, and the concepts that it names."""

    KIND: ClassVar[str] = "grounded_caption"

    set_name: SetName
    setting: Setting
    policy: Identifier
    test_id: str
    shows: tuple[str, ...]
    """The truth."""
    given: tuple[str, ...]
    """Concepts in the context."""
    named: tuple[str, ...]
    text: str
    """Empty when there is none; then no concept is named."""
    failure: str = ""


class Retriever(Protocol):
    """Finds pictures that are like parts of another one: ``evaluation.captioners.ContextRecogniser``."""

    def nearest_by_part(self, query: PictureReference, context: Sequence[PictureReference], each: int) -> list[int]:
        """Return for each part of ``query`` the ``each`` pictures that are most like it."""
        ...


def ground(
    policy: CaptionPolicy,
    of: GroundingSet,
    setting: Setting,
    retriever: Retriever,
    *,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[GroundedCaption]:
    """Have every test picture of a set captioned with the names of concepts in the context, in order.

    Args:
        policy: who captions.
        of: the set.
        setting: which concepts the context holds.
        retriever: used in the setting ``retrieval``.
        workers: captions that are asked for at once.
        progress: told how many there are.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
    """
    by_name = {one.name: one for one in of.concepts}
    names = tuple(by_name)
    pictures = [one.picture for one in of.concepts]

    def context(test: GroundingTest) -> tuple[GroundingConcept, ...] | str:
        if setting == "skip_retrieval":
            return tuple(one for one in of.concepts if one.name in test.shows)
        try:
            return tuple(of.concepts[place] for place in retriever.nearest_by_part(test.picture, pictures, EACH))
        except UNANSWERED as error:
            return failure_of(error)

    def caption(test: GroundingTest) -> GroundedCaption:
        concepts = context(test)
        if isinstance(concepts, str):
            told, concepts = Told(text="", failure=concepts), ()
        else:
            told = policy.caption(ContextView(test.picture, tuple(_part(one) for one in concepts)))
        return GroundedCaption(
            set_name=of.name,
            setting=setting,
            policy=policy.name,
            test_id=test.test_id,
            shows=test.shows,
            given=tuple(one.name for one in concepts),
            named=named_in(told.text, names),
            text=told.text,
            failure=told.failure,
        )

    policy.prepare([ContextView(one.picture, ()) for one in of.tests])
    for done, row in enumerate(ordered_map(caption, of.tests, workers=workers), start=1):
        progress(done)
        yield row


def named_in(text: str, names: Collection[str]) -> tuple[str, ...]:
    """Return those of ``names`` that a caption holds as words of their own, in the order of ``names``.

    Case, angle brackets, and hyphens against blanks do not matter; of two names at one place the longer counts, so that
    "brown-duck" does not name "duck". Where a set calls a concept by a common word (DreamBooth's "backpack"), a caption
    that describes it names it too.
    """
    plain = {_plain(name): name for name in names}
    if not plain:
        return ()
    longest = sorted(plain, key=len, reverse=True)
    found = re.finditer(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", _plain(text))
    named = {plain[match[0]] for match in found}
    return tuple(name for name in names if name in named)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[-_<>]", " ", text.casefold()).split())


def _part(concept: GroundingConcept) -> ContextPart:
    return ContextPart(concept.picture, (DialogueTurn(user=concept.said, assistant=_ACKNOWLEDGED),))
