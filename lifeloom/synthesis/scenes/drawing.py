"""Drawing query pictures: from plans, or from instructions and the pictures of concepts (CoViP Section 3.2.1)."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import CaptionMaker, DrawnPicture, ImageMaker, PictureNotDrawn, Portrait
from lifeloom.records import LibraryImage, PicturePlan, PictureReference, Rejection, SceneImage, ScenePlan
from lifeloom.streams import stable_hash
from lifeloom.synthesis.illustrating import DrawMany
from lifeloom.synthesis.scenes.planning import LibraryUnfit, concept_phrase

__all__ = ["DrawnScene", "SceneIllustrator"]

_SIZE = 512
"""Side in pixels where a plan does not say."""


@dataclass(frozen=True)
class DrawnScene:
    """A query picture, or the reason why there is none."""

    plan: ScenePlan
    """With what stands where, as far as the image maker knows."""
    image: SceneImage | None
    data: bytes = b""
    rejection: Rejection | None = None


class SceneIllustrator:
    """Draws query pictures.

    Args:
        maker: the image maker.
        draw_many: the same maker, several plans at once.
        library: pictures by id: what concepts look like.
        stage: whose rejections these are.
        callers: pictures asked for at once where the maker is a server.
    """

    def __init__(
        self,
        maker: ImageMaker,
        draw_many: DrawMany,
        library: Mapping[str, LibraryImage],
        *,
        stage: str,
        callers: int = 1,
    ) -> None:
        self._maker = maker
        self._draw_many = draw_many
        self._library = library
        self._stage = stage
        self._callers = callers

    def draw(self, plans: Sequence[ScenePlan]) -> Iterator[DrawnScene]:
        """Yield what became of each plan, in order.

        Raises:
            LibraryUnfit: the maker draws plans alone, and a concept has no look that it knows.
            ModelError: the image maker cannot work at all.
        """
        if isinstance(self._maker, CaptionMaker):
            yield from ordered_map(self._from_caption, plans, workers=self._callers)
            return
        bare = next((plan for plan in plans if plan.picture is None), None)
        if bare is not None:
            raise LibraryUnfit(
                f"the image maker {self._maker.identity.backend} draws plans alone and knows no look of "
                f'{", ".join(bare.identities)}: choose one that draws from pictures (pictures.backend = "gemini"), or '
                "leave captions.library empty"
            )
        waiting: deque[ScenePlan] = deque()

        def pictures() -> Iterator[PicturePlan]:
            for plan in plans:
                if plan.picture is not None:
                    waiting.append(plan)
                    yield plan.picture

        for given in self._draw_many(pictures()):
            yield self._result(waiting.popleft(), given)

    def _from_caption(self, plan: ScenePlan) -> DrawnScene:
        concepts = [self._library[one] for one in plan.image_ids]
        portraits = [
            Portrait(concept_phrase(one.noun, number), one.picture) for number, one in enumerate(concepts, start=1)
        ]
        draw: Callable[..., DrawnPicture] = self._maker.draw_caption  # type: ignore[attr-defined]
        try:
            given = draw(plan.instruction, portraits, sample=stable_hash(plan.scene_id) % 2**31, size=_SIZE)
        except PictureNotDrawn as error:
            return self._result(plan, error)
        return self._result(plan, given)

    def _result(self, plan: ScenePlan, given: DrawnPicture | PictureNotDrawn) -> DrawnScene:
        if isinstance(given, PictureNotDrawn):
            rejection = Rejection(
                stage=self._stage, item=plan.scene_id, reason="picture_not_drawn", detail=given.reason[:500]
            )
            return DrawnScene(plan, None, rejection=rejection)
        reference = PictureReference(
            content_hash=hashlib.sha256(given.data).hexdigest(), width=given.width, height=given.height
        )
        image = SceneImage(
            scene_id=plan.scene_id,
            split=plan.split,
            image_ids=plan.image_ids,
            picture=reference,
            made_by=self._maker.identity.provenance(),
        )
        return DrawnScene(plan.model_copy(update={"drawn": given.subjects}), image, given.data)
