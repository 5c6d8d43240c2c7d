"""Drawing the pictures of planned conversations: ahead of the words, checked, and again where something is missing.

A conversation whose picture cannot be drawn is rejected whole. A picture in which the critic finds something else than
planned is drawn again from another seed, at most twice; what it still finds then goes to the review queue, and a
picture that a person rejects there is drawn from yet another seed.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.protocol import DrawnPicture, ImageMaker, PictureNotDrawn
from lifeloom.records import ConversationPlan, Picture, PicturePlan, PictureReference, Rejection, ReviewItem
from lifeloom.streams import stable_hash
from lifeloom.synthesis.dialogues import planned_pictures
from lifeloom.synthesis.picture_critic import PictureCritic, PictureProblem
from lifeloom.synthesis.review import ReviewAnswers

__all__ = ["STAGE", "DrawMany", "Illustrated", "Illustrator", "reference_of"]

STAGE = "pictures"
_REDRAWINGS = 2

DrawMany = Callable[[Iterable[PicturePlan]], Iterator[DrawnPicture | PictureNotDrawn]]
"""Draws plans in order, some of them ahead."""


@dataclass(frozen=True)
class Illustrated:
    """A planned conversation with its pictures, or the one reason why it has none."""

    plan: ConversationPlan
    pictures: tuple[Picture, ...] = ()
    files: Mapping[str, bytes] | None = None
    """Content hash to file."""
    redrawn: int = 0
    """Pictures that were drawn again."""
    review: tuple[ReviewItem, ...] = ()
    rejection: Rejection | None = None

    @property
    def references(self) -> dict[str, PictureReference]:
        """Picture id to stored picture."""
        return {picture.picture_id: reference_of(picture) for picture in self.pictures}


def reference_of(picture: Picture) -> PictureReference:
    """Return what a turn says of ``picture``: nothing but its file and size."""
    return PictureReference(content_hash=picture.content_hash, width=picture.width, height=picture.height)


class Illustrator:
    """Draws and checks the pictures of conversations."""

    def __init__(
        self,
        maker: ImageMaker,
        draw_many: DrawMany,
        critic: PictureCritic | None = None,
        answers: ReviewAnswers | None = None,
        where: str = "",
    ) -> None:
        """Draw with ``maker`` (single pictures) and ``draw_many`` (all first drawings), look with ``critic``.

        Args:
            maker: the image maker.
            draw_many: the same maker, several pictures at once.
            critic: None: pictures are taken as they come.
            answers: what people said of pictures in the review queue.
            where: the data set's key, for the queue.
        """
        self._maker = maker
        self._draw_many = draw_many
        self._critic = critic
        self._answers = answers or ReviewAnswers()
        self._where = where

    def illustrate(self, plans: Iterable[ConversationPlan]) -> Iterator[Illustrated]:
        """Yield every plan with its pictures, in order; drawing runs ahead of what has been taken.

        Raises:
            ModelError: the image maker cannot work at all.
        """
        waiting: deque[ConversationPlan] = deque()

        def stream() -> Iterator[PicturePlan]:
            for plan in plans:
                waiting.append(plan)
                yield from planned_pictures(plan)

        drawn = self._draw_many(stream())
        for first in drawn:
            yield from self._without_pictures(waiting)
            plan = waiting.popleft()
            wanted = planned_pictures(plan)
            results = [first, *(next(drawn) for _ in wanted[1:])]
            yield self._illustrated(plan, wanted, results)
        yield from self._without_pictures(waiting)

    @staticmethod
    def _without_pictures(waiting: deque[ConversationPlan]) -> Iterator[Illustrated]:
        while waiting and not planned_pictures(waiting[0]):
            yield Illustrated(waiting.popleft())

    def _illustrated(
        self,
        plan: ConversationPlan,
        wanted: Sequence[PicturePlan],
        results: Sequence[DrawnPicture | PictureNotDrawn],
    ) -> Illustrated:
        drawn: list[DrawnPicture] = []
        for result in results:
            if isinstance(result, PictureNotDrawn):
                return _rejected(plan, result)
            drawn.append(result)
        plans = list(wanted)
        redrawn = 0
        review: list[ReviewItem] = []
        if self._critic is not None:
            try:
                redrawn, review = self._check(plan, plans, drawn)
            except PictureNotDrawn as error:
                return _rejected(plan, error)
        pictures = tuple(self._record(plan, asked, given) for asked, given in zip(plans, drawn, strict=True))
        files = {picture.content_hash: given.data for picture, given in zip(pictures, drawn, strict=True)}
        return Illustrated(plan, pictures, files, redrawn, tuple(review))

    def _check(
        self, plan: ConversationPlan, plans: list[PicturePlan], drawn: list[DrawnPicture]
    ) -> tuple[int, list[ReviewItem]]:
        """Look at all pictures; put better ones into ``plans`` and ``drawn``. Return how many, and doubts left."""
        critic = self._critic
        assert critic is not None  # noqa: S101 - only called with one
        files: dict[str, bytes] = {}

        def refer(given: DrawnPicture) -> PictureReference:
            content = hashlib.sha256(given.data).hexdigest()
            files[content] = given.data
            return PictureReference(content_hash=content, width=given.width, height=given.height)

        def source(reference: PictureReference) -> bytes:
            return files[reference.content_hash]

        references = [refer(given) for given in drawn]
        critic.look_ahead(references, source)
        portraits: dict[str, list[PictureReference]] = {}
        for asked, reference in zip(plans, references, strict=True):
            if asked.kind == "portrait":
                portraits.setdefault(asked.subjects[0].identity, []).append(reference)
        known = critic.faces(portraits, source)
        redrawn = 0
        review = []
        for index, asked in enumerate(plans):
            answer = self._answers.get(asked.picture_id)
            problems = () if answer == "accept" else critic.check(asked, references[index], source, known)
            attempts = range(_REDRAWINGS + 1, _REDRAWINGS + 2) if answer == "reject" else range(1, _REDRAWINGS + 1)
            again = answer == "reject" or bool(problems)
            for attempt in attempts if again else ():
                other = asked.model_copy(update={"seed": stable_hash("redrawn", asked.seed, attempt) % 2**53})
                given = self._maker.draw(other)
                left = critic.check(other, refer(given), source, known)
                if answer == "reject" or len(left) < len(problems):
                    plans[index], drawn[index], problems = other, given, left
                    redrawn += 1
                if not problems:
                    break
            if problems and answer is None:
                review.append(self._item(plan, asked, drawn[index], problems))
        return redrawn, review

    def _item(
        self, plan: ConversationPlan, asked: PicturePlan, given: DrawnPicture, problems: Sequence[PictureProblem]
    ) -> ReviewItem:
        subjects = ", ".join(
            " ".join(filter(None, (str(s.count) if s.count > 1 else "", s.colour, s.name))) for s in asked.subjects
        )
        turn = next(t.turn_index for t in plan.turns for p in t.pictures if p.picture.picture_id == asked.picture_id)
        portraits = [
            f"{p.picture.subjects[0].name} in {p.picture.picture_id}"
            for t in plan.turns
            for p in t.pictures
            if p.role == "portrait" and any(p.person_id == s.identity for s in asked.subjects)
        ]
        compared = f"portraits: {', '.join(portraits) or 'none'}"
        return ReviewItem(
            item_id=asked.picture_id,
            what=f"picture {asked.picture_id}: {asked.kind}, {asked.place or 'plain ground'}, {subjects}",
            why="; ".join(f"{problem.kind}: {problem.detail}" for problem in problems),
            where=(
                f"{self._where} {plan.persona_id} turn {turn}; look at it with: "
                f"lifeloom show picture {hashlib.sha256(given.data).hexdigest()[:16]}; {compared}"
            ),
        )

    def _record(self, plan: ConversationPlan, asked: PicturePlan, given: DrawnPicture) -> Picture:
        return Picture(
            picture_id=asked.picture_id,
            persona_id=plan.persona_id,
            content_hash=hashlib.sha256(given.data).hexdigest(),
            width=given.width,
            height=given.height,
            plan=asked,
            drawn=given.subjects,
            made_by=self._maker.identity.provenance(),
        )


def _rejected(plan: ConversationPlan, error: PictureNotDrawn) -> Illustrated:
    return Illustrated(
        plan,
        rejection=Rejection(stage=STAGE, item=plan.plan_id, reason="picture_not_drawn", detail=str(error)[:500]),
    )
