"""The plan of a conversation: ground truth made by code before a word is written.

Every fact, shift and occasion knows its turns, so the right answer of every probe is known by
construction. Nothing on the understanding side may read these records.
"""

from __future__ import annotations

import datetime as dt
from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.records.base import Identifier, LocalTime, Part, Record, UtcTime
from lifeloom.records.persona import BigFiveProfile, Edition
from lifeloom.records.pictures import Appearance, PicturePlan

__all__ = [
    "AREAS",
    "Act",
    "Area",
    "ConversationPlan",
    "FactKind",
    "FactStatus",
    "Occasion",
    "PersonLook",
    "PictureRole",
    "PlannedFact",
    "PlannedPicture",
    "SessionPlan",
    "Setting",
    "Shift",
    "Statement",
    "StatementKind",
    "TurnPlan",
]

Area = Literal[
    "food",
    "drink",
    "music",
    "reading",
    "screen",
    "sport",
    "travel",
    "work",
    "home",
    "family",
    "friends",
    "pets",
    "health",
    "crafts",
    "technology",
    "money",
    "garden",
    "learning",
]
AREAS: tuple[Area, ...] = Area.__args__  # type: ignore[attr-defined]

FactKind = Literal[
    "preference",
    "detail",
    "interest",
    "goal",
    "intent",
    "relationship",
    "hidden_intent",
    "hidden_taste",
    "pattern",
    "bond",
    "expertise",
]
"""preference: a taste that can shift. detail: a stable fact. interest: one of a sequence of pastimes.
goal: something pursued for months. intent: something the user said they will do. relationship: who
somebody is to the user. hidden_intent (IIR), hidden_taste (IPR), expertise (TED): never named, only shown by
signs. pattern (BPR): what the user does at a recurring cue, told time by time. bond (RDC): how things
stand with somebody, one of a sequence."""

FactStatus = Literal["current", "replaced", "corrected", "given_up", "someone_else"]
"""current: true at the end. replaced: was true, then shifted. corrected: said by mistake, then put
right. given_up: considered or planned, then dropped; never true at the end. someone_else: true of a
person in the user's circle, not of the user."""

StatementKind = Literal[
    "direct", "indirect", "mention", "anaphora", "negation", "correction", "shift", "given_up", "other_person"
]
"""How a fact is put into words.
direct: said outright. indirect: implied by what the user does, value named. mention: the value is named
without commitment, in the turn before an anaphora. anaphora: the user commits to what was just mentioned
('that one'), value not named. negation: the user says they do NOT (any longer) hold a value
(the fact's own value is the one denied). correction: 'I said A but it is B' (names both). shift: moved
from A to B (names both). given_up: a plan or idea that was dropped (names it). other_person: the value
belongs to somebody in the circle (names both)."""

Act = Literal["statement", "occasion", "picture", "small_talk", "errand"]
"""statement: says something personal (with a picture where the fact is a pictured one). occasion: tells of an
event from a caption. picture: shows an album picture or introduces somebody by a portrait. small_talk and errand
(a task for the assistant) say nothing personal."""

PictureRole = Literal["album", "portrait", "statement"]
"""album: from an event that the text names by its handle and does not describe. portrait: introduces a person by
name. statement: shows the value of a pictured fact."""

Setting = Literal["train", "32k", "128k"]
"""train: corpus, 20-100 turns. 32k: 20-100 turns. 128k: 100-500 turns (PersonaVLM Appendix C)."""


class PlannedFact(Part):
    """One thing that is said in the conversation, with its life from first statement to replacement."""

    fact_id: Identifier
    area: Area
    kind: FactKind
    attribute: Identifier
    """Id in the attribute catalogue, for example ``evening-drink``."""
    phrase: str
    """Noun phrase for the attribute as dialogues use it, fits 'my ...': ``evening drink``.
    For relationships: the person's name."""
    value: str
    """preference, detail: noun phrase or name. interest: gerund or noun. goal, intent: verb phrase that
    fits 'I want to ...'. relationship: the relation (``cousin``)."""
    status: FactStatus
    holder_name: str = ""
    """Name of the person it is true of; empty for the user."""
    holder_relation: str = ""
    replaces: Identifier | None = None
    """The fact that this one replaced or corrected."""
    stated_in: tuple[int, ...]
    """Turn indices (from 0) in which it is stated, ascending; the first is where it becomes known."""
    ended_in: int | None = None
    """Turn in which it was replaced, corrected or given up."""
    pictured: bool = False
    """Whether the value is only ever shown in pictures, never named. Every statement then comes with one."""


class Statement(Part):
    """One statement of a turn."""

    fact_id: Identifier
    kind: StatementKind
    previous_fact_id: Identifier | None = None
    """For shift and correction: the fact that is left behind."""
    sign: str = ""
    """For kinds that only signs show: the sign that stands for the value, a gerund phrase."""
    previous_sign: str = ""
    """For shift: the sign of what is left behind."""


class PlannedPicture(Part):
    """A picture that the user shows in a turn."""

    role: PictureRole
    picture: PicturePlan
    handle: str = ""
    """album: how the text names the event, for example ``our reunion``; unique in the conversation."""
    person_id: str = ""
    """portrait: who is introduced."""
    fact_id: str = ""
    """statement: the fact whose value it shows."""


class PersonLook(Part):
    """What somebody looks like in the user's pictures."""

    person_id: Identifier
    name: str
    appearance: Appearance


class Occasion(Part):
    """An event that a turn tells of, from a YFCC caption."""

    caption_id: Identifier
    title: str
    caption: str
    taken_at: LocalTime | None
    """When the photo was taken in the dump."""
    happened_on: dt.date
    """The day in the user's life (wall clock), before the session that tells of it."""
    when_phrase: str
    """How the text says it, true on the day of the session: ``last Friday``, ``yesterday``."""


class Shift(Part):
    """A change that the plan induces: of a preference, of the topics talked about, or of personality."""

    kind: Literal["preference", "topic", "personality"]
    turn_index: int = Field(ge=0)
    """First turn after the change."""
    before: str
    after: str
    """Values of a preference, area names of a topic shift, scores of a personality shift."""


class TurnPlan(Part):
    """What one turn (user and assistant together) is about."""

    turn_index: int = Field(ge=0)
    session_index: int = Field(ge=0)
    at: UtcTime
    act: Act
    area: Area
    statements: tuple[Statement, ...] = ()
    occasion: Occasion | None = None
    pictures: tuple[PlannedPicture, ...] = ()
    """Shown with the user's message, in order."""


class SessionPlan(Part):
    """One sitting: turns less than 60 minutes apart."""

    session_id: Identifier
    session_index: int = Field(ge=0)
    first_turn: int = Field(ge=0)
    last_turn: int = Field(ge=0)
    """Inclusive."""
    topics: tuple[Area, ...]
    big_five: BigFiveProfile
    """Personality in force in this session (it drifts when the plan shifts it)."""


class ConversationPlan(Record):
    """The whole plan of one persona's conversation."""

    KIND: ClassVar[str] = "conversation_plan"
    FORMAT_VERSION: ClassVar[int] = 2

    plan_id: Identifier
    persona_id: Identifier
    setting: Setting
    edition: Edition
    offset_minutes: int
    facts: tuple[PlannedFact, ...]
    shifts: tuple[Shift, ...]
    sessions: tuple[SessionPlan, ...]
    turns: tuple[TurnPlan, ...]
    looks: tuple[PersonLook, ...] = ()
    """People who appear in pictures, told apart by the image maker's rule."""
