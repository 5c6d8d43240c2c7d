"""The events of a life graph as rows: when, who, what, where, with which things. Made once a graph."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.lifegraph.kept import Kept
from lifeloom.lifegraph.naming import names_of
from lifeloom.models.builtin.reader.activities import activities_in, family_of
from lifeloom.models.builtin.reader.text import content_stems

__all__ = ["EventRow", "EventTable", "events_of"]

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_SOURCE_KEYS = frozenset({"image", "picture", "photo", "source"})
"""Attributes that name pictures: ids are no words about an event."""


@dataclass(frozen=True, eq=False)
class EventRow:
    """An event with everything that any fact links to it."""

    entity_id: str
    name: str
    day: str
    """``YYYY-MM-DD``; empty: not known."""
    people: frozenset[str]
    """Ids of entities."""
    told_activities: tuple[str, ...]
    """Names of the activities as the graph has them."""
    activities: frozenset[str]
    """The same in plain words, and those that the event's name speaks of."""
    families: frozenset[str]
    """What the activities are forms of; an activity that is no form of anything known, itself."""
    places: tuple[str, ...]
    place_stems: tuple[frozenset[str], ...]
    things: tuple[str, ...]
    stems: frozenset[str]
    """Of every word about it."""
    sources: tuple[str, ...]
    """Ids of the pictures that it, or a fact about it, cites, in the order in which they are cited."""


@dataclass
class _Gathered:
    people: dict[str, None] = field(default_factory=dict)
    activities: dict[str, None] = field(default_factory=dict)
    places: dict[str, None] = field(default_factory=dict)
    things: dict[str, None] = field(default_factory=dict)
    words: dict[str, None] = field(default_factory=dict)
    days: dict[str, None] = field(default_factory=dict)
    sources: dict[str, None] = field(default_factory=dict)


class EventTable:
    """All events of a graph by date; those without one last."""

    def __init__(self, graph: LifeGraph) -> None:
        self._names = names_of(graph)
        self._called: dict[str, tuple[str, ...]] = {}
        gathered = {event.entity_id: _Gathered() for event in graph.of_type("Event")}
        for fact in graph.facts.values():
            values = [(one.key, value) for one in fact.attributes for value in one.values]
            ends = [(fact.head, fact.tail), (fact.tail, fact.head)]
            events = dict.fromkeys(one for one, _ in ends if one in gathered)
            if not events:  # "Rylen -took part in {event: Picnic}-> fishing"
                events = dict.fromkeys(one for _, value in values for one in self._ids(value, "Event"))
            for event in events:
                own = gathered[event]
                for end in (fact.head, fact.tail):
                    if end != event:
                        self._link(own, end)
                for key, value in values:
                    self._attribute(own, key, value)
                own.sources.update(dict.fromkeys(fact.sources))
        rows = [self._row(graph.entities[event].name, event, own) for event, own in gathered.items()]
        self.rows = tuple(sorted(rows, key=lambda row: (not row.day, row.day)))

    def _ids(self, name: str, kind: str) -> tuple[str, ...]:
        return tuple(one for one in self._names.called(name) if self._names.entities[one].type == kind)

    def people_called(self, name: str) -> tuple[str, ...]:
        """Return the ids of the people and animals with this name or alias."""
        known = self._called.get(name)
        if known is None:
            known = self._called[name] = self._ids(name, "PersonAnimal")
        return known

    def name(self, entity_id: str) -> str:
        """Return the name of an entity."""
        return self._names.entities[entity_id].name

    def told(self, row: EventRow) -> str:
        """Return an event in words, for a note."""
        people = sorted(self.name(one) for one in row.people)
        parts = [row.name]
        parts.append(f"activity: {', '.join(row.told_activities) or 'not known'}")
        parts.append(f"people: {', '.join(people) or 'not known'}")
        parts.append(f"place: {', '.join(row.places) or 'not known'}")
        return "; ".join(parts)

    def _link(self, own: _Gathered, entity_id: str) -> None:
        entity = self._names.entities[entity_id]
        match entity.type:
            case "PersonAnimal":
                own.people[entity_id] = None
            case "Activity":
                own.activities[entity.name] = None
            case "Location":
                own.places[entity.name] = None
            case "Date":
                own.days[entity.name] = None
            case "Object":
                own.things[entity.name] = None
            case "Event":
                return  # another event is no part of this one
        own.words[entity.name] = None

    def _attribute(self, own: _Gathered, key: str, value: str) -> None:
        if key.lower().rstrip("s") in _SOURCE_KEYS:
            return
        own.words[value] = None
        if _ISO.fullmatch(value):
            own.days.setdefault(value, None)
            return
        for entity_id in self._names.called(value):
            self._link(own, entity_id)

    def _row(self, name: str, event: str, own: _Gathered) -> EventRow:
        entity = self._names.entities[event]
        words = (name, *entity.aliases)
        spoken = [one.name for text in (*own.activities, *words) for one in activities_in(text)]
        families = {family_of(text) or text.lower() for text in own.activities}
        if not families:
            families = {one.family for text in words for one in activities_in(text)[:1]}
        day = self._names.event_dates.get(event) or min(own.days, default="")
        places = tuple(own.places)
        return EventRow(
            entity_id=event,
            name=name,
            day=day,
            people=frozenset(own.people),
            told_activities=tuple(own.activities),
            activities=frozenset({*spoken, *(text.lower() for text in own.activities)}),
            families=frozenset(families),
            places=places,
            place_stems=tuple(frozenset(content_stems(place)) for place in places),
            things=tuple(own.things),
            stems=frozenset(stem for text in (*words, *own.words) for stem in content_stems(text)),
            sources=tuple(dict.fromkeys((*entity.sources, *own.sources))),
        )


_KEPT: Kept[LifeGraph, EventTable] = Kept(EventTable)


def events_of(graph: LifeGraph) -> EventTable:
    """Return the events of ``graph``: gathered at the first call, forgotten with the graph."""
    return _KEPT.of(graph)
