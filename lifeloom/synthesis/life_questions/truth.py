"""What holds in a life, ready to be asked about. Everything comes from the plan and from where things were drawn."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.painter.vocabulary import place, thing
from lifeloom.records import (
    DrawnLifePicture,
    DrawnSubject,
    EventStory,
    Life,
    PlannedConcept,
    PlannedEvent,
    PlannedThing,
    VaccountPlan,
)
from lifeloom.synthesis.catalogue.life_activities import activity

__all__ = ["INVERSE", "LifeWorld", "listed", "place_phrase", "there_is", "thing_phrase", "things_phrase"]

INVERSE: Mapping[str, str] = {
    **dict.fromkeys(("mother", "father"), "child"),
    **dict.fromkeys(("sister", "brother"), "sibling"),
    **dict.fromkeys(("daughter", "son"), "parent"),
    **dict.fromkeys(("grandmother", "grandfather"), "grandchild"),
    **dict.fromkeys(("granddaughter", "grandson"), "grandparent"),
    "cousin": "cousin",
    "partner": "partner",
    "best friend": "best friend",
}
"""What the owner is to a relative of the owner's, where one word says it for everybody."""

_RIVALS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("mother", "father"), frozenset({"sister", "brother"})),
    "sister": frozenset({"brother"}),
    "brother": frozenset({"sister"}),
    **dict.fromkeys(("daughter", "son", "granddaughter", "grandson"), frozenset({"partner"})),
    **dict.fromkeys(("grandmother", "grandfather"), frozenset({"sister", "brother", "cousin"})),
    "cousin": frozenset({"sister", "brother"}),
}
"""Who else is to that relative what the owner is: with a brother, "the mother's child" is either of two."""


@dataclass(frozen=True)
class LifeWorld:
    """One Vaccount with its truth."""

    plan: VaccountPlan
    life: Life
    """As it was made: an event that was left out is not in it, nor is a picture."""
    stories: Mapping[str, EventStory]
    """By event."""
    drawn: Mapping[str, DrawnLifePicture]
    """By picture id; questions' pictures too."""

    @functools.cached_property
    def concepts(self) -> Mapping[str, PlannedConcept]:
        """Concepts by id."""
        return {one.concept_id: one for one in self.plan.concepts}

    @property
    def owner(self) -> PlannedConcept:
        """The owner."""
        return self.plan.concepts[0]

    @functools.cached_property
    def events(self) -> tuple[PlannedEvent, ...]:
        """The events that were made, each with the pictures that were made."""
        made = {image.image_id for image in self.life.images}
        found = []
        for event in self.plan.events:
            shots = tuple(shot for shot in event.shots if shot.image_id in made)
            there = {who for shot in shots for who in shot.who}
            if shots:
                attendees = tuple(one for one in event.attendees if one in there)
                found.append(event.model_copy(update={"shots": shots, "attendees": attendees}))
        return tuple(found)

    @functools.cached_property
    def asked(self) -> tuple[PlannedConcept, ...]:
        """Concepts whose name nobody else has: only they can be asked about."""
        names = [one.name for one in self.plan.concepts]
        return tuple(one for one in self.plan.concepts if names.count(one.name) == 1)

    @functools.cached_property
    def days_of_one_event(self) -> frozenset[dt.date]:
        """Days on which exactly one event happened: only these can be asked about by date."""
        days = [event.date for event in self.events]
        return frozenset(day for day in days if days.count(day) == 1)

    def relational(self, concept: PlannedConcept) -> list[str]:
        """Return phrases that mean one concept by relations and no other: ``Rylen's grandparent's mother``."""
        owner, asked = self.owner, set(self.asked)
        once = [one for one in self.plan.concepts[1:] if self._relations.count(one.relation) == 1]
        present = set(self._relations)
        through = [
            f"{one.name}'s {INVERSE[one.relation]}"
            for one in once
            if one in asked and one.relation in INVERSE and not present & _RIVALS.get(one.relation, frozenset())
        ]
        if concept is owner:
            return through
        if concept not in once:
            return []
        return [
            *([f"{owner.name}'s {concept.relation}"] if owner in asked else []),
            f"the account owner's {concept.relation}",
            *(f"{phrase}'s {concept.relation}" for phrase in through if not phrase.startswith(f"{concept.name}'s")),
        ]

    @functools.cached_property
    def _relations(self) -> tuple[str, ...]:
        return tuple(one.relation for one in self.plan.concepts)

    def people_left_to_right(self, image_id: str) -> list[DrawnSubject]:
        """Return the people and pets of a picture, by the middle of their box."""
        drawn = self.drawn[image_id].drawn
        return sorted((one for one in drawn if one.identity), key=lambda one: one.box.left + one.box.right)

    def names(self, ids: Sequence[str]) -> list[str]:
        """Return the names of concepts."""
        return [self.concepts[one].name for one in ids]

    @functools.cached_property
    def people(self) -> tuple[str, ...]:
        """Who is who, in sentences."""
        return tuple(f"{one.name} is {self._role(one)}." for one in self.plan.concepts)

    def _role(self, concept: PlannedConcept) -> str:
        return "the account owner" if concept is self.owner else f"the account owner's {concept.relation}"

    @functools.cached_property
    def told(self) -> tuple[str, ...]:
        """The events in sentences, in the order of time."""
        return tuple(
            f"{event.date.isoformat()}: {self.gerund(event)} (a form of {self.family(event)}), "
            f"{place_phrase(event.place)}, with {listed(self.names(event.attendees))}."
            for event in self.events
        )

    def gerund(self, event: PlannedEvent) -> str:
        """Return an event's activity in words that both editions know."""
        return activity(event.activity).words[0]

    def family(self, event: PlannedEvent) -> str:
        """Return what an event's activity is a form of."""
        return activity(event.activity).family


def thing_phrase(one: PlannedThing) -> str:
    """Return a thing with number and colour: ``two red balloons``, ``an umbrella``."""
    number = ("", "", "two", "three", "four", "five")[one.count]
    word = thing(one.name).name if one.count == 1 else thing(one.name).plural
    words = " ".join(part for part in (number, one.colour, word) if part)
    return words if number else f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def things_phrase(things: Sequence[PlannedThing]) -> str:
    """Return several things as a list in words."""
    return listed([thing_phrase(one) for one in things]) if things else "no objects"


def there_is(things: Sequence[PlannedThing]) -> str:
    """Return the verb that goes with things after "there": ``is`` or ``are``."""
    return "is" if len(things) == 1 and things[0].count == 1 else "are"


def listed(items: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else "nobody"


def place_phrase(name: str) -> str:
    """Return how one says to be at a place: ``by the lake``."""
    return place(name).phrase
