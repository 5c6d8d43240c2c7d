"""Drawing lives: candidates of every picture, of which one is taken, or none (Life-Bench Section 3.2).

A generative image maker is given the caption and the portraits of who is in it; the built-in one draws the plan, whose
people look as their portraits do. Pictures are drawn and looked at ahead of what is taken, some dozens at a time, and
are not kept here.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import (
    CaptionMaker,
    DrawnPicture,
    ImageMaker,
    LanguageModel,
    PictureNotDrawn,
    Portrait,
)
from lifeloom.records import (
    CandidateVote,
    DrawnLifePicture,
    PicturePlan,
    PictureReference,
    Rejection,
    VaccountPlan,
)
from lifeloom.synthesis.illustrating import DrawMany
from lifeloom.synthesis.vaccounts.candidates import (
    Laid,
    PictureOrder,
    PictureShelf,
    Unfit,
    Voted,
    Voter,
    candidate_plan,
)

__all__ = [
    "STAGE",
    "DrawnResult",
    "LifeIllustrator",
    "LookAhead",
    "PictureOrder",
    "PictureShelf",
    "events_without_pictures",
    "shown_people",
]

STAGE = "life_pictures"
_AT_ONCE = 16
"""Pictures whose candidates lie on the shelf together."""

LookAhead = Callable[[Sequence[PictureReference]], object]
"""Looks at many pictures at once, which is faster than one by one; the critic then finds them seen."""


@dataclass(frozen=True)
class DrawnResult:
    """A picture that was chosen, or the reason why there is none."""

    order: PictureOrder
    picture: DrawnLifePicture | None
    data: bytes
    vote: CandidateVote
    rejection: Rejection | None = None


class LifeIllustrator:
    """Draws pictures of lives.

    Args:
        maker: the image maker.
        draw_many: the same maker, several plans at once.
        critic: votes; it must get its pictures from ``shelf``. None, or one that takes no pictures: the first candidate
            that could be drawn is taken.
        shelf: where candidates lie while they are voted on.
        candidates: of each picture.
        votes: on each picture's candidates.
        callers: pictures asked for, or voted on, at once; more than 1 where makers and critics are servers.
        look_ahead: None: the critic looks at one picture after the other.
    """

    def __init__(
        self,
        maker: ImageMaker,
        draw_many: DrawMany,
        critic: LanguageModel | None,
        shelf: PictureShelf,
        *,
        candidates: int = 1,
        votes: int = 1,
        callers: int = 1,
        look_ahead: LookAhead | None = None,
    ) -> None:
        self._maker = maker
        self._draw_many = draw_many
        self._voter = Voter(critic, votes)
        self._shelf = shelf
        self._candidates = max(1, candidates)
        self._callers = callers
        self._look_ahead = look_ahead

    def draw(self, orders: Iterable[PictureOrder], unfit: Unfit | None = None) -> Iterator[DrawnResult]:
        """Yield what became of each order, in order; drawing runs ahead.

        Where no candidate is good enough, as many are drawn once more from other seeds; then the picture is left out.

        Args:
            orders: taken as they are needed.
            unfit: refuses candidates whatever they show, for example because they are known already.

        Raises:
            ModelError: the image maker or the critic cannot work at all.
        """

        def decided(item: tuple[PictureOrder, list[Laid]]) -> DrawnResult:
            return self._decided(*item, unfit)

        drawn = self._first(orders)
        while group := list(itertools.islice(drawn, _AT_ONCE)):
            laid = [(order, self._laid(results, 0)) for order, results in group]
            if self._look_ahead is not None and self._voter.looks:
                self._look_ahead([one.reference for _, own in laid for one in own if one.reference is not None])
            yield from ordered_map(decided, laid, workers=self._callers)

    def _first(
        self, orders: Iterable[PictureOrder]
    ) -> Iterator[tuple[PictureOrder, list[DrawnPicture | PictureNotDrawn]]]:
        """Yield each order with its first candidates."""
        numbers = range(self._candidates)
        if isinstance(self._maker, CaptionMaker):
            yield from ordered_map(
                lambda order: (order, [self._one(order, number) for number in numbers]), orders, workers=self._callers
            )
            return
        waiting: deque[PictureOrder] = deque()

        def plans() -> Iterator[PicturePlan]:
            for order in orders:
                waiting.append(order)
                yield from (candidate_plan(order.plan, number) for number in numbers)

        drawn = self._draw_many(plans())
        for first in drawn:
            yield waiting.popleft(), [first, *itertools.islice(drawn, self._candidates - 1)]

    def _one(self, order: PictureOrder, number: int) -> DrawnPicture | PictureNotDrawn:
        """Draw one candidate: a portrait from its plan, since there is nothing yet that it could look like."""
        plan = candidate_plan(order.plan, number)
        try:
            if order.use != "portrait" and isinstance(self._maker, CaptionMaker):
                return self._maker.draw_caption(order.caption, order.people, sample=plan.seed, size=plan.size)
            return self._maker.draw(plan)
        except PictureNotDrawn as error:
            return error

    def _laid(self, results: Sequence[DrawnPicture | PictureNotDrawn], first: int) -> list[Laid]:
        return [
            Laid(number, one, None if isinstance(one, PictureNotDrawn) else self._shelf.put(one))
            for number, one in enumerate(results, start=first)
        ]

    def _decided(self, order: PictureOrder, laid: list[Laid], unfit: Unfit | None) -> DrawnResult:
        voted = self._voter.vote(order, laid, unfit)
        candidates, chosen = voted.candidates, voted.best
        if chosen is None:
            numbers = range(len(laid), len(laid) + self._candidates)
            again = self._laid([self._one(order, number) for number in numbers], len(laid))
            voted = self._voter.vote(order, again, unfit)
            chosen = None if voted.best is None else len(laid) + voted.best
            candidates += voted.candidates
            laid += again
        for one in laid:
            if one.reference is not None:
                self._shelf.take(one.reference)
        return self._result(order, laid, Voted(candidates, chosen, voted.made_by))

    def _result(self, order: PictureOrder, laid: Sequence[Laid], voted: Voted) -> DrawnResult:
        vote = CandidateVote(
            image_id=order.image_id,
            vaccount_id=order.vaccount_id,
            candidates=voted.candidates,
            chosen=voted.best,
            made_by=voted.made_by,
        )
        best = None if voted.best is None else laid[voted.best]
        if best is None or best.reference is None or isinstance(best.drawn, PictureNotDrawn):
            problems = "; ".join(dict.fromkeys(problem for one in voted.candidates for problem in one.problems))
            drawn = any(one.drawn for one in voted.candidates)
            rejection = Rejection(
                stage=STAGE,
                item=order.image_id,
                reason="no_candidate_good_enough" if drawn else "picture_not_drawn",
                detail=problems[:500],
            )
            return DrawnResult(order, None, b"", vote, rejection)
        picture = DrawnLifePicture(
            image_id=order.image_id,
            vaccount_id=order.vaccount_id,
            use=order.use,
            picture=best.reference,
            plan=candidate_plan(order.plan, best.number),
            drawn=best.drawn.subjects,
            made_by=self._maker.identity.provenance(),
        )
        return DrawnResult(order, picture, best.drawn.data, vote)


def shown_people(
    ids: Iterable[str], names: Mapping[str, str], portraits: Mapping[str, PictureReference]
) -> tuple[Portrait, ...]:
    """Return who is in a picture, as far as there are portraits."""
    return tuple(Portrait(names[one], portraits[one]) for one in ids if one in portraits)


def events_without_pictures(plan: VaccountPlan, worded: Iterable[str], image_ids: Iterable[str]) -> list[Rejection]:
    """Return the events that are left out because none of their pictures is there.

    Args:
        plan: the Vaccount.
        worded: ids of events that have words; the others are left out already.
        image_ids: pictures of the history that are there.
    """
    told, there = set(worded), set(image_ids)
    return [
        Rejection(stage=STAGE, item=event.event_id, reason="no_picture_left", detail=f"of {len(event.shots)} planned")
        for event in plan.events
        if event.event_id in told and not any(shot.image_id in there for shot in event.shots)
    ]
