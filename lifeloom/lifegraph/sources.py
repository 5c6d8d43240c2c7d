"""The sources that a life graph cites: concepts and pictures of the life behind it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.lifegraph.kept import Kept
from lifeloom.records import Concept, Life, LifeImage
from lifeloom.tasks.graph_search import ReferenceLine
from lifeloom.tasks.life_answer import SeenImage

__all__ = ["Cited", "Sources", "sources_of"]

_MOST = 48
"""Sources that a question about references shows."""


@dataclass(frozen=True)
class Cited:
    """A source by its id; neither concept nor image: there is no such source in the life."""

    source_id: str
    concept: Concept | None = None
    image: LifeImage | None = None

    @property
    def found(self) -> bool:
        """Whether the life has it."""
        return self.concept is not None or self.image is not None

    @functools.cached_property
    def line(self) -> ReferenceLine:
        """How a prompt shows it.

        Raises:
            ValueError: the life has no such source.
        """
        if self.concept is not None:
            about = f"{self.concept.role} {self.concept.name}"
            return ReferenceLine(source_id=self.source_id, kind="concept", about=about)
        if self.image is None:
            raise ValueError(f"{self.source_id} is neither a concept nor a picture of this life")
        about = f"{self.image.event_date.isoformat()} {self.image.event_description}".strip()
        return ReferenceLine(source_id=self.source_id, kind="image", about=about)


class Sources:
    """Concepts and pictures of a life by id."""

    def __init__(self, life: Life) -> None:
        self._concepts = {one.concept_id: one for one in life.concepts}
        self._images = {one.image_id: one for one in life.images}
        self._cited: dict[str, Cited] = {}

    def concept(self, source_id: str) -> Concept | None:
        """Return a concept; None where there is none of that id."""
        return self._concepts.get(source_id)

    def is_image(self, source_id: str) -> bool:
        """Whether there is such a picture."""
        return source_id in self._images

    def cited(self, source_ids: Sequence[str]) -> tuple[Cited, ...]:
        """Return sources in order, each once, at most as many as a prompt shows."""
        ids = list(dict.fromkeys(source_ids))[:_MOST]
        return tuple(self._cited.get(one) or self._made(one) for one in ids)

    def _made(self, source_id: str) -> Cited:
        cited = Cited(source_id, self._concepts.get(source_id), self._images.get(source_id))
        if cited.found:  # ids that nobody has would fill the memory
            self._cited[source_id] = cited
        return cited

    def seen(self, image: LifeImage) -> SeenImage:
        """Return a picture as prompts show it."""
        return SeenImage(
            image_id=image.image_id,
            event_id=image.event_id,
            date=image.event_date.isoformat(),
            description=image.event_description,
            shown=image.picture is not None,
        )


_KEPT: Kept[Life, Sources] = Kept(Sources)


def sources_of(life: Life) -> Sources:
    """Return the sources of ``life``: put in order at the first call, forgotten with the life."""
    return _KEPT.of(life)
