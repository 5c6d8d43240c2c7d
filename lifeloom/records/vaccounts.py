"""Vaccounts as everyone may see them: personal concepts and a dated history of pictures (Life-Bench Section 3.1).

A Vaccount simulates a user's digital footprint. What is here is all that a policy is given; the plan behind it is in
``lifeloom.records.vaccount_plan``.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.records.base import Identifier, Part, Record
from lifeloom.records.conversation import PictureReference
from lifeloom.records.provenance import Provenance
from lifeloom.records.seeds import Split

__all__ = ["OWNER_ROLE", "Concept", "ConceptKind", "Life", "LifeEvent", "LifeImage", "RelativeSeed", "VaccountSeed"]

ConceptKind = Literal["person", "animal"]

OWNER_ROLE = "Account Owner"
"""Role of the concept whose account it is, as the public release writes it."""


class RelativeSeed(Part):
    """Somebody, or some pet, of a Vaccount's social network."""

    name: str = Field(min_length=1)
    relation: str
    """What they are to the owner: ``mother``, ``grandson``, ``dog``."""
    kind: ConceptKind
    age: int = Field(ge=0, le=120)


class VaccountSeed(Record):
    """The outline of a Vaccount (Life-Bench Section 3.2): who the owner is, the relatives, a brief life story."""

    KIND: ClassVar[str] = "vaccount_seed"

    seed_id: Identifier
    name: str = Field(min_length=1)
    age: int = Field(ge=0, le=120)
    career: str
    relatives: tuple[RelativeSeed, ...] = ()
    life_story: str
    split: Split
    made_by: Provenance


class Concept(Record):
    """A personal concept: the owner, a relative or a pet, with a representative picture and a brief persona."""

    KIND: ClassVar[str] = "life_concept"

    concept_id: Identifier
    """``<vaccount>-c-<name>``."""
    vaccount_id: Identifier
    name: str = Field(min_length=1)
    role: str
    """``Account Owner``, ``Owner's Mother``, ``Owner's Dog``."""
    kind: ConceptKind
    persona: str = ""
    """Who they are, two or three sentences; says nothing that only the portrait shows. Empty in the public release."""
    portrait: PictureReference | None = None
    """None: the picture is not at hand."""
    made_by: Provenance


class LifeImage(Record):
    """One picture of a Vaccount's history; those of one event share its description and date."""

    KIND: ClassVar[str] = "life_image"

    image_id: Identifier
    """``<vaccount>-e-<event>-<picture>``."""
    vaccount_id: Identifier
    event_id: Identifier
    """``<vaccount>-e-<event>``."""
    event_description: str
    """Short, in the style of social media. Empty where nothing was written."""
    event_date: dt.date
    picture: PictureReference | None = None
    """None: the picture is not at hand."""


@dataclass(frozen=True)
class LifeEvent:
    """Pictures that share an event."""

    event_id: str
    description: str
    date: dt.date
    images: tuple[LifeImage, ...]


@dataclass(frozen=True)
class Life:
    """All that is known of one Vaccount: its concepts and its history."""

    vaccount_id: str
    concepts: tuple[Concept, ...]
    """The owner first."""
    images: tuple[LifeImage, ...]
    """By date, event and number."""

    @classmethod
    def of(cls, vaccount_id: str, concepts: Iterable[Concept], images: Iterable[LifeImage]) -> Life:
        """Return the life of ``vaccount_id`` out of the concepts and pictures of several.

        Pictures are put in the order of date, event and picture id.
        """
        own = [one for one in concepts if one.vaccount_id == vaccount_id]
        own.sort(key=lambda one: one.role != OWNER_ROLE)
        pictures = [one for one in images if one.vaccount_id == vaccount_id]
        pictures.sort(key=lambda one: (one.event_date, numbered(one.event_id), numbered(one.image_id)))
        return cls(vaccount_id, tuple(own), tuple(pictures))

    @property
    def owner(self) -> Concept | None:
        """The concept whose account it is; None where none has that role."""
        return next((one for one in self.concepts if one.role == OWNER_ROLE), None)

    @functools.cached_property
    def events(self) -> tuple[LifeEvent, ...]:
        """Events by date, those of a day by id."""
        found: dict[str, list[LifeImage]] = {}
        for image in self.images:
            found.setdefault(image.event_id, []).append(image)
        return tuple(
            LifeEvent(event_id, own[0].event_description, own[0].event_date, tuple(own))
            for event_id, own in found.items()
        )

    def event_of(self, image_id: str) -> str:
        """Return the event that a picture belongs to.

        Raises:
            KeyError: there is no such picture.
        """
        return self._event_of_image[image_id]

    @functools.cached_property
    def _event_of_image(self) -> dict[str, str]:
        return {image.image_id: image.event_id for image in self.images}


def numbered(identifier: str) -> Sequence[tuple[int, str]]:
    """Return a key by which ids with numbers sort as people count: ``e-2`` before ``e-10``."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in identifier.split("-"))
