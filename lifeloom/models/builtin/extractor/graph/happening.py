"""Step 2: what happened, out of descriptions and pictures: who, when, where, what, with which things."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.extractor.graph.recognising import Recogniser, Scene
from lifeloom.models.builtin.extractor.graph.stating import GraphDraft, Thing
from lifeloom.models.builtin.extractor.graph.words import activity_of, place_in
from lifeloom.models.builtin.reader.kinship import NICKNAMES, Person, mentions
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.tasks import GraphCandidatesInput, GraphSource

__all__ = ["events_of"]

_SAID_PLACE = 3
"""Pictures that outweigh a place that the description says."""
_NAME_LENGTH = 80
_STRANGER = re.compile(r"\b(?:with|and|for)\s+([A-Z][\w-]+(?:\s+[A-Z][\w-]+)?)(?=[\s,.!?;]|$)")
_NO_NAMES_TEXT: Final = (
    "january february march april may june july august september october november december monday tuesday "
    "wednesday thursday friday saturday sunday christmas easter i the a an my our this that what"
)
_NO_NAMES: Final = frozenset(_NO_NAMES_TEXT.split())


@dataclass(frozen=True)
class _Happened:
    """An event as its sources give it."""

    event_id: str
    date: str
    text: str
    sources: tuple[str, ...]
    scenes: tuple[Scene, ...]


def events_of(asked: GraphCandidatesInput, looked: Sequence[LookedAt], threshold: float) -> GraphDraft:
    """Return what happened in ``asked``.

    Args:
        asked: pictures as sources, and who is known.
        looked: the portraits of who is known, then the pictures of the sources, of those that are shown.
        threshold: cosine from which two faces are one person's.
    """
    draft = GraphDraft()
    pictures = iter(looked)
    recogniser = Recogniser(
        asked.scaffold, [next(pictures, None) if one.shown else None for one in asked.scaffold], threshold
    )
    people = [Person(one.name, one.role, one.aliases) for one in asked.scaffold]
    events = list(_grouped(asked.sources, pictures, recogniser))
    names = _event_names(events)
    for happened in events:
        _state(draft, happened, names[happened.event_id], people, asked.owner)
    return draft


def _grouped(
    sources: Sequence[GraphSource], pictures: Iterator[LookedAt], recogniser: Recogniser
) -> Iterator[_Happened]:
    groups: dict[str, list[tuple[GraphSource, Scene | None]]] = {}
    for source in sources:
        look = next(pictures, None) if source.shown else None
        scene = None if look is None else recogniser.scene(source.source_id, look)
        groups.setdefault(source.event_id, []).append((source, scene))
    for event_id, group in groups.items():
        first = group[0][0]
        yield _Happened(
            event_id,
            first.date,
            next((source.text for source, _ in group if source.text.strip()), ""),
            tuple(source.source_id for source, _ in group),
            tuple(scene for _, scene in group if scene is not None),
        )


def _event_names(events: Sequence[_Happened]) -> dict[str, str]:
    """Return a name for each event: its description, shortened, and the day where others are called the same."""
    plain = {one.event_id: _shortened(one.text) or f"Event of {one.date or one.event_id}" for one in events}
    counts = Counter(name.casefold() for name in plain.values())
    return {
        one.event_id: plain[one.event_id]
        if counts[plain[one.event_id].casefold()] == 1
        else f"{plain[one.event_id]} ({one.event_id if _same_day(one, events, plain) else one.date})"
        for one in events
    }


def _same_day(event: _Happened, events: Iterable[_Happened], names: dict[str, str]) -> bool:
    same = [one for one in events if names[one.event_id].casefold() == names[event.event_id].casefold()]
    return sum(one.date == event.date for one in same) > 1 or not event.date


def _shortened(text: str) -> str:
    line = " ".join(text.split()).rstrip(" .!,;:")
    if not any(char.isalnum() for char in line):
        return ""
    return line if len(line) <= _NAME_LENGTH else f"{line[:_NAME_LENGTH].rsplit(' ', 1)[0]}…"


def _state(draft: GraphDraft, happened: _Happened, name: str, people: Sequence[Person], owner: str) -> None:
    sources = happened.sources
    event = draft.entity("Event", name, sources)
    if happened.date:
        draft.fact(event, "onDate", draft.entity("Date", happened.date, sources), sources)
    shown = _people(draft, event, happened, people, owner)
    place = _place(happened)
    if place:
        times = dict.fromkeys(scene.time_of_day for scene in happened.scenes if scene.time_of_day)
        draft.fact(event, "tookPlaceAt", draft.entity("Location", place, sources), sources, timeOfDay=tuple(times))
    things = _things(draft, event, happened)
    activity = activity_of(happened.text, [one.name for one in people])
    if activity:
        draft.fact(
            event,
            "hasActivity",
            draft.entity("Activity", activity, sources),
            sources,
            attendee=shown,
            place=(place,) if place else (),
            object=things,
        )


def _people(draft: GraphDraft, event: Thing, happened: _Happened, people: Sequence[Person], owner: str) -> list[str]:
    """State who was there; return their names."""
    images: dict[str, list[str]] = {}
    for scene in happened.scenes:
        for name in dict.fromkeys(one.name for one in scene.people if one.name):
            images.setdefault(name, []).append(scene.image_id)
    aliases: dict[str, dict[str, None]] = {}
    meant = mentions(happened.text, people, owner)
    for start, end, names in meant:
        if len(names) == 1:  # else nobody can say which of them is meant
            images.setdefault(names[0], [])
            aliases.setdefault(names[0], {})[happened.text[start:end]] = None
    for match in _STRANGER.finditer(happened.text):
        first = match[1].split()[0].casefold()
        known = any(match.start(1) < end and start < match.end(1) for start, end, _ in meant)
        if not known and first not in _NO_NAMES and first not in NICKNAMES:
            images.setdefault(match[1], [])
    for name, own in images.items():
        cited = own or happened.sources
        person = draft.entity("PersonAnimal", name, cited, aliases.get(name, ()))
        draft.fact(event, "attendedBy", person, cited, image=own)
    return list(images)


def _place(happened: _Happened) -> str:
    """Return where it was: what most pictures show, unless the description says another place."""
    votes = Counter(scene.place for scene in happened.scenes if scene.place)
    said = place_in(happened.text)
    if said:
        votes[said] += _SAID_PLACE
    return max(sorted(votes), key=lambda one: votes[one]) if votes else ""


def _things(draft: GraphDraft, event: Thing, happened: _Happened) -> list[str]:
    """State what is to be seen, picture by picture; return the names."""
    rows: dict[str, list[tuple[str, str, int, tuple[str, ...]]]] = {}
    for scene in happened.scenes:
        for seen in scene.things:
            rows.setdefault(seen.name, []).append((scene.image_id, seen.colour, seen.count, seen.beside))
    for name, own in rows.items():
        images = [image for image, _, _, _ in own]
        thing = draft.entity("Object", name, dict.fromkeys(images))
        draft.fact(
            event,
            "shows",
            thing,
            images,
            image=images,
            colour=[colour or "none" for _, colour, _, _ in own],
            count=[str(count) for _, _, count, _ in own],
            beside=list(dict.fromkeys(one for _, _, _, beside in own for one in beside)),
        )
    return list(rows)
