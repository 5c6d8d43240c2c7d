"""The truth behind captioning and its diagnostics: looks, scenes, dialogues as planned (CoViP Section 3.2.1, 4).

Nothing that understands sees any of this.
"""

from __future__ import annotations

import datetime as dt
from typing import ClassVar

from pydantic import Field

from lifeloom.records.base import Identifier, Part, Record
from lifeloom.records.captioning import DialogueFactKind
from lifeloom.records.persona import Edition
from lifeloom.records.pictures import DrawnSubject, PicturePlan, PictureSubject
from lifeloom.records.seeds import Split

__all__ = [
    "ConceptDialoguePlan",
    "DiagnosticDialoguePlan",
    "DialogueFact",
    "IdentityLook",
    "ScenePlan",
]


class IdentityLook(Record):
    """How the built-in image maker draws an identity of the library."""

    KIND: ClassVar[str] = "identity_look"

    identity: Identifier
    subject: PictureSubject


class ScenePlan(Record):
    """A query picture as it is to be: one to four concepts of the library in a scenario (C1)."""

    KIND: ClassVar[str] = "scene_plan"

    scene_id: Identifier
    """``<partition>-s<number>``."""
    split: Split
    edition: Edition
    scenario: str
    """Id of the scenario."""
    instruction: str = Field(min_length=1)
    """What the picture is to show, in words; concepts by their nouns ("the person of picture 1", "the red mug")."""
    image_ids: tuple[Identifier, ...] = Field(min_length=1, max_length=4)
    """Pictures of the library, each of another identity; portraits in this order go to an image maker of captions."""
    identities: tuple[Identifier, ...] = Field(min_length=1, max_length=4)
    """Who they show, in the same order."""
    place: str
    """Where it is set, a word of the built-in image maker's vocabulary."""
    further: str = ""
    """An animal or object that is there too and is no concept; empty: none."""
    picture: PicturePlan | None
    """None: the library has no looks (users' own pictures), so only a maker of captions can draw it."""
    drawn: tuple[DrawnSubject, ...] = ()
    """What stands where, once it is drawn; empty where the maker does not know."""


class DialogueFact(Part):
    """One checkable fact that a dialogue states (C3)."""

    kind: DialogueFactKind
    value: str = Field(min_length=1)
    """As it is said: ``Harbour Market``, ``14 March 2025 at 17:30``, ``four postcards``."""
    options: tuple[str, ...] = ()
    """Other values of its kind that were as likely, none of them true in the dialogue; questions take distractors from
    them."""
    turn: int = Field(ge=0)
    """The turn that states it, from 0."""


class ConceptDialoguePlan(Record):
    """What the user tells about one concept of a context, in three turns."""

    KIND: ClassVar[str] = "concept_dialogue_plan"

    dialogue_id: Identifier
    """``<sample>-c<index>``, the index in the shuffled context."""
    sample_id: Identifier
    image_id: Identifier
    handle: str = Field(min_length=1)
    """What the user calls it, unlike anything else in the context: ``Nadia``, ``Biscuit``, ``the mug from Petra``."""
    edition: Edition
    facts: tuple[DialogueFact, ...] = Field(min_length=3)
    """Of different kinds, in the order told."""


class DiagnosticDialoguePlan(Record):
    """What the user tells about one meeting of a diagnostic context (CoViP Section 4, Appendix D)."""

    KIND: ClassVar[str] = "diagnostic_dialogue_plan"

    dialogue_id: Identifier
    """``<case>-c<index>``."""
    case_id: Identifier
    image_id: Identifier
    identity: Identifier
    person: str = Field(min_length=1)
    """Name that the user calls the person by, the same in all dialogues of a context."""
    met_on: dt.date
    location: str = Field(min_length=1)
    action: str = ""
    """What the user says they must do right now; empty: nothing."""
    keyword: str = ""
    """What the user wants to be reminded by when this person shows up again; empty: no such wish."""
    edition: Edition
