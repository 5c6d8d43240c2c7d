"""Sentences that hold, as evidence: what the critic is given is read like what a retriever finds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lifeloom.models.builtin.reader.activities import main_activity
from lifeloom.models.builtin.reader.life.asking import dates_in, things_in, without_dates
from lifeloom.models.builtin.reader.life.evidence import Event, Evidence, KnownPerson, SeenPicture
from lifeloom.models.builtin.reader.life.words import Thing, place_in

__all__ = ["evidence_of"]

_ROLE: Final = re.compile(r"^(?P<name>[^,:]+?) is the account owner(?:['’]s (?P<role>[^.]+))?\.?$")
_STATED: Final = re.compile(
    r"^(?P<name>[^,:]+): (?P<what>hair colour|hair|face|career|taste|profession) is (?P<value>.+?)\.?$"
)
_LIKES: Final = re.compile(r"^(?P<name>[^,:]+?) likes (?P<value>.+?)\.?$")
_IS: Final = re.compile(r"^(?P<name>[^,:]+?) (?:is|works as) (?P<value>an? [^.,]+)\.?$")
_NEAREST_THING: Final = re.compile(r"^The object nearest to (?P<name>.+?) is the (?P<thing>.+?)\.?$")
_NEAREST_PERSON: Final = re.compile(r"^The (?P<thing>.+?) in that photo is nearest to (?P<name>.+?)\.?$")
_SHOWN: Final = re.compile(r"^The picture shows, from left to right: (?P<names>.+?)\.?$")
_THINGS: Final = re.compile(r"^Its objects: (?P<things>.+?)\.?$")
_TAKEN: Final = re.compile(r"^It was taken (?P<place>.+?)\.?$")
_PHOTO: Final = re.compile(r"^Photo (?P<number>\d+) of .*? shows, from left to right, (?P<rest>.+?)\.?$")
_FORM: Final = re.compile(r"\(a form of (?P<family>[^)]+)\)")
_KEYS: Final = {"taste": "likes", "profession": "career"}


def evidence_of(truth: Sequence[str]) -> Evidence:
    """Return what ``truth`` says of people, of the question's picture, and of events with their pictures.

    A sentence of no form that is known here says nothing: then a question that needs it is not answered by the truth.
    """
    people: dict[str, KnownPerson] = {}
    events: dict[str, Event] = {}
    picture: dict[str, str] = {}
    nearest: list[tuple[str, str]] = []
    last_event: list[tuple[str, str]] = []
    for sentence in truth:
        if match := _ROLE.match(sentence):
            role = f"Owner's {match['role']}" if match["role"] else "Account Owner"
            _person(people, match["name"]).role = role
        elif match := _STATED.match(sentence):
            person = _person(people, match["name"])
            person.state(_KEYS.get(match["what"], match["what"]), match["value"])
        elif match := _LIKES.match(sentence):
            for taste in _names(match["value"]):
                _person(people, match["name"]).state("likes", taste)
        elif match := _NEAREST_THING.match(sentence):
            nearest.append((match["name"], match["thing"]))
        elif match := _NEAREST_PERSON.match(sentence):
            last_event.append((match["thing"], match["name"]))
        elif match := _SHOWN.match(sentence) or _THINGS.match(sentence) or _TAKEN.match(sentence):
            picture.update(match.groupdict())
        elif days := dates_in(sentence):
            _add_event(events.setdefault(days[0].isoformat(), Event(days[0].isoformat())), sentence)
        elif match := _IS.match(sentence):
            _person(people, match["name"]).state("career", match["value"])
    for event in events.values():
        event.nearest.update(last_event)
        for name in event.people:
            _person(people, name)
    shown = None if not picture else _seen("", picture.get("names", ""), picture.get("things", ""), picture, nearest)
    for name in () if shown is None else shown.people:
        if name:
            _person(people, name)
    return Evidence(tuple(people.values()), tuple(sorted(events.values(), key=lambda one: one.date)), shown, ())


def _person(people: dict[str, KnownPerson], name: str) -> KnownPerson:
    return people.setdefault(name, KnownPerson(name, ""))


def _names(text: str) -> list[str]:
    """Return the parts of ``a, b and c``."""
    plain = text.strip(" .")
    parts = re.split(r",\s*(?:and\s+)?|\s+and\s+", plain)
    return [part for part in parts if part and part not in ("nobody", "somebody unknown")]


def _seen(
    image_id: str, names: str, things: str, picture: dict[str, str], nearest: Sequence[tuple[str, str]]
) -> SeenPicture:
    everybody = re.split(r",\s*(?:and\s+)?|\s+and\s+", names.strip(" .")) if names else []
    people = tuple("" if name == "somebody unknown" else name for name in everybody if name != "nobody")
    found = tuple(Thing(one.name, one.colour, one.count or 1) for one in things_in(things))
    place = place_in(picture.get("place", ""))
    return SeenPicture(image_id, people, (), found, (), (), place, "", nearest=tuple(nearest))


def _add_event(event: Event, sentence: str) -> None:
    """Add what a sentence with a day says: of a photo, or of the event."""
    event.date = event.key
    if match := _PHOTO.match(sentence):
        names, _, things = match["rest"].rpartition(", with ")
        image_id = f"{event.key}-{int(match['number']) - 1}"
        picture = _seen(image_id, names or match["rest"], things, {}, ())
        event.pictures.append(picture)
        event.people.update(dict.fromkeys(name for name in picture.people if name))
        return
    text = re.sub(r"^(?:On)?\s*:\s*", "", without_dates(sentence).strip())
    form = _FORM.search(text)
    event.family = form["family"] if form else event.family
    what, _, rest = _FORM.sub("", text).partition(", ")
    where, _, who = re.sub(r"\bThere: ", ", with ", rest).partition(", with ")
    found = main_activity(what)
    event.description, event.activity = what, what.strip() or ("" if found is None else found.name)
    event.place = place_in(where)
    event.people.update(dict.fromkeys(_names(who)))
