"""The plan of a Vaccount: ground truth made by code before a word is written or a picture drawn.

Who is where, when, doing what, with which things, in which picture. Nothing on the understanding side may read it.
"""

from __future__ import annotations

import datetime as dt
from typing import ClassVar

from pydantic import Field

from lifeloom.records.base import Identifier, Part, Record
from lifeloom.records.conversation import PictureReference
from lifeloom.records.persona import Edition
from lifeloom.records.pictures import Appearance, DrawnSubject, PicturePlan
from lifeloom.records.provenance import Provenance
from lifeloom.records.vaccounts import ConceptKind

__all__ = [
    "CandidateVote",
    "ConceptDescription",
    "DrawnLifePicture",
    "EventStory",
    "PictureCandidate",
    "PlannedConcept",
    "PlannedEvent",
    "PlannedShot",
    "PlannedThing",
    "VaccountPlan",
]


class PlannedConcept(Part):
    """The owner, a relative or a pet."""

    concept_id: Identifier
    name: str
    kind: ConceptKind
    relation: str
    """To the owner: ``mother``, ``dog``; ``owner`` for the owner."""
    role: str
    """As in the public release: ``Account Owner``, ``Owner's Mother``."""
    nicknames: tuple[str, ...] = ()
    """Other names that descriptions use: ``Mom``, ``Auntie Mo``, ``Ry``."""
    age: int = Field(ge=0, le=120)
    career: str = ""
    """Persons of working age; a noun phrase with its article: ``a carpenter``."""
    species: str = ""
    """Animals: a word of the image maker's vocabulary. At most one pet of a species in a Vaccount, and no other
    animal of that species in any of its pictures."""
    tastes: tuple[str, ...] = ()
    """Things that the persona says outright, noun or gerund phrases: ``jigsaw puzzles``."""
    appearance: Appearance | None = None
    """Persons only."""
    traits: tuple[str, ...] = ()
    """What the portrait shows, in words: ``short brown hair``, ``round red glasses``, ``a full beard``."""
    kin_traits: tuple[str, ...] = ()
    """Those of the traits that are shared with a blood relative."""
    seed_caption_id: str = ""
    seed_caption: str = ""
    """The concept seed that it was made from."""
    portrait: PicturePlan


class PlannedThing(Part):
    """A thing in a picture."""

    name: str
    colour: str = ""
    """Empty: as it comes."""
    count: int = Field(default=1, ge=1, le=5)


class PlannedShot(Part):
    """One picture of an event."""

    image_id: Identifier
    who: tuple[Identifier, ...]
    """Concepts in the picture."""
    things: tuple[PlannedThing, ...]
    picture: PicturePlan


class PlannedEvent(Part):
    """Something that happened on one day. Everyone and everything named here is in at least one of its pictures."""

    event_id: Identifier
    number: int = Field(ge=0)
    """Place in the order of time, from 0."""
    date: dt.date
    activity: Identifier
    """Id in the catalogue of activities: ``ice-fishing``."""
    activity_family: Identifier
    """What it is a form of: ``fishing``."""
    title: str
    """Handle with an article, unique in the Vaccount: ``the ice fishing trip with Rylen``."""
    place: str
    """A place of the image maker's vocabulary; the same in all pictures of the event."""
    attendees: tuple[Identifier, ...]
    """Concepts that are in a picture of it, in the order of the Vaccount's concepts."""
    named: tuple[Identifier, ...] = ()
    """Those of the attendees whom the description names; the others only pictures show."""
    says_place: bool = False
    """Whether the description names the place."""
    seed_event_id: str = ""
    seed_caption_ids: tuple[str, ...] = ()
    seed_story: str = ""
    """The event seed: captions of one account and day, told as a story."""
    shots: tuple[PlannedShot, ...] = Field(min_length=1)

    @property
    def seed(self) -> str:
        """Ids of the event seed and its captions, rows of ``seeds/yfcc_captions``; empty where there was none."""
        return f"{self.seed_event_id} {', '.join(self.seed_caption_ids)}".strip()


class VaccountPlan(Record):
    """The whole plan of one Vaccount."""

    KIND: ClassVar[str] = "vaccount_plan"

    vaccount_id: Identifier
    """From the owner's name; unique in a release."""
    seed_id: Identifier
    edition: Edition
    concepts: tuple[PlannedConcept, ...] = Field(min_length=1)
    """The owner first."""
    events: tuple[PlannedEvent, ...] = Field(min_length=1)
    """By date."""
    question_shots: tuple[PlannedShot, ...] = ()
    """New pictures of the same people, for questions only: in nobody's history."""


class ConceptDescription(Record):
    """What a concept looks like in words, as the portrait was to show it. Ground truth."""

    KIND: ClassVar[str] = "concept_description"

    concept_id: Identifier
    vaccount_id: Identifier
    visual_description: str
    made_by: Provenance


class EventStory(Record):
    """An event as it was put into words.

    The narrative and the captions are ground truth; only the description is part of the history.
    """

    KIND: ClassVar[str] = "event_story"

    event_id: Identifier
    vaccount_id: Identifier
    seed_story: str = ""
    """The event seed, captions of one account and day, told as a story; empty without one."""
    narrative: str
    description: str
    captions: tuple[str, ...]
    """One for each picture, in order; name who is there."""
    made_by: Provenance


class PictureCandidate(Part):
    """One candidate of a picture, with the vote on it."""

    seed: int
    content_hash: str
    votes: int = Field(ge=0)
    problems: tuple[str, ...] = ()
    """What was found wrong with it."""
    drawn: bool = True
    """False: the maker could not draw it; ``problems`` says why."""


class CandidateVote(Record):
    """Which of a picture's candidates was taken and why the others were not (Life-Bench Section 3.2)."""

    KIND: ClassVar[str] = "candidate_vote"

    image_id: Identifier
    vaccount_id: Identifier
    candidates: tuple[PictureCandidate, ...]
    chosen: int | None
    """Index; None: none was good enough, the picture is left out."""
    made_by: Provenance


class DrawnLifePicture(Record):
    """A picture of a Vaccount as drawn: portrait, history or question. Ground truth."""

    KIND: ClassVar[str] = "drawn_life_picture"

    image_id: Identifier
    """Id of the picture; of the concept for a portrait."""
    vaccount_id: Identifier
    use: str = Field(pattern="^(portrait|history|question)$")
    picture: PictureReference
    plan: PicturePlan
    drawn: tuple[DrawnSubject, ...]
    """From back to front; empty where the maker does not know."""
    made_by: Provenance
