"""Open questions about one event: who, what, where, and what its pictures show."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lifeloom.models.builtin.reader.life.asking import AskedThing, Understood
from lifeloom.models.builtin.reader.life.evidence import Event, SeenPicture
from lifeloom.models.builtin.reader.life.words import Thing, at_place, listed, plural, things_text

__all__ = ["UNKNOWN", "asks_for_things", "of_event"]

UNKNOWN = "I do not know."
_COUNTS_PICTURES = r"(?:how many|count|number of) (?:of )?(?:the )?(?:photos|pictures|images|shots)"
_TIMES = {"morning": "in the morning", "day": "by day", "sunset": "at sunset", "night": "at night"}


def asks_for_things(question: Understood) -> bool:
    """Whether a question asks which things there are."""
    return question.has(
        r"objects?\b|\bthings? (?:are|is|can|do|does|did|appear|lie|else)|\bitems?\b"
        r"|what (?:else )?(?:can|could) (?:be|you|one)"
        r"|\bwhat (?:else|does (?:the|this|that) .{0,20}(?:photo|picture|image))\b"
        r"|what (?:is|are|was|were) (?:there|shown|visible|to be seen|in the (?:photo|picture))"
    )


def of_event(question: Understood, event: Event, who: str | None) -> str:
    """Return what is known of an event that answers the question; that nothing is, where it does not tell."""
    things = asks_for_things(question)
    if question.things and question.has(r"\bcolou?rs?\b"):
        return _colours(event, question.things[0])
    if question.things and question.has(r"how many") and not question.has(_COUNTS_PICTURES):
        return _number_of(event, question.things[0], question.number)
    if question.number is not None and things and not (question.people and question.has(r"show|appear|with")):
        picture = _picture_number(event, question.number)
        return f"It shows {things_text(picture.things)}." if picture is not None else UNKNOWN
    if question.things and (things or question.has(r"\bwhom?\b|left to right|nearest|closest|\border\b")):
        return _in_picture(question, event)
    if things and question.people:
        return _things_with(question, event)
    if question.has(_COUNTS_PICTURES) and who is not None:
        count = len(_pictures_with(event, (who,), alone=False))
        return f"{count} {'photo' if count == 1 else 'photos'}, taken {at_place(event.place)}." if count else UNKNOWN
    if question.has(r"time of (?:the )?day|morning|evening") and not question.has(r"\bwho\b"):
        times = [picture.time_of_day for picture in event.pictures if picture.time_of_day]
        return f"It was {_TIMES.get(times[0], times[0])}." if times else UNKNOWN
    return _as_a_whole(question, event, who)


def _as_a_whole(question: Understood, event: Event, who: str | None) -> str:
    what = event.activity or "unclear"
    if question.has(r"^(?:is|was|were|did|does|are|do)\b") and question.people:
        missing = [names[0] for names in question.people if not set(names) & set(event.people)]
        there = listed([names[0] for names in question.people])
        return f"No, {listed(missing)} was not there." if missing else f"Yes, {there} was there."
    if question.has(r"\bwhom?\b|\bwhose company\b|\bcompany\b|(?:which|the) people\b|attend"):
        company = [name for name in event.people if name != who]
        if who is not None:
            return f"With {who}: {listed(company)}; it was {what}."
        return f"{listed(company)} were there; it was {what}." if company else UNKNOWN
    return f"It was {what}, {at_place(event.place)}." if event.activity or event.place else UNKNOWN


def _pictures_with(event: Event, names: Sequence[str], *, alone: bool) -> list[str]:
    """Return the ids of the pictures that show all of these people, and nobody else where they must be alone."""
    shows: dict[str, set[str]] = {}
    for name, images in event.person_pictures.items():
        for image in images:
            shows.setdefault(image, set()).add(name)
    for picture in event.pictures:
        shows[picture.image_id] = set(picture.people)
    wanted = set(names)
    found = [image for image, people in shows.items() if people == wanted or (not alone and wanted <= people)]
    return sorted(found, key=_number)


def _number(image_id: str) -> tuple[int, str]:
    last = image_id.rpartition("-")[2]
    return (int(last) if last.isdigit() else 0, image_id)


def _things_in(event: Event, image_id: str) -> list[Thing]:
    """Return what is in a picture, by looking or by the facts."""
    for picture in event.pictures:
        if picture.image_id == image_id:
            return list(picture.things)
    return [thing for thing, images, _ in event.things if image_id in images]


def _things_with(question: Understood, event: Event) -> str:
    """Return the things of the pictures that the question means by who is in them."""
    who = [names[0] for names in question.people]
    alone = question.has(r"\balone\b|nobody|no one|\bonly\b|\bjust\b|on (?:their|her|his) own|by (?:them|her|him)sel")
    images = _pictures_with(event, who, alone=alone)
    if question.has(r"\b(?:first|earliest)\b"):
        images = images[:1]
    elif question.has(r"\b(?:last|final)\b"):
        images = images[-1:]
    found = list(dict.fromkeys(thing for image in images for thing in _things_in(event, image)))
    if not found:
        return UNKNOWN
    return f"There {'is' if len(found) == 1 and found[0].count == 1 else 'are'} {things_text(found)}."


def _picture_number(event: Event, number: int) -> SeenPicture | None:
    """Return the picture that people count as the ``number``-th: ids count from 0."""
    for picture in event.pictures:
        if _number(picture.image_id)[0] == number - 1:
            return picture
    found = [thing for thing, images, _ in event.things if any(_number(one)[0] == number - 1 for one in images)]
    return SeenPicture("", (), (), tuple(found), (), (), event.place, "") if found else None


def _colours(event: Event, thing: AskedThing) -> str:
    found = [one.colour for picture in event.pictures for one in picture.things if one.name == thing.name]
    found += [one.colour for one, _, _ in event.things if one.name == thing.name]
    colours = sorted({colour for colour in found if colour})
    return f"The {plural(thing.name)} are {listed(colours)}." if colours else UNKNOWN


def _number_of(event: Event, thing: AskedThing, number: int | None) -> str:
    """Return how many of a thing a picture shows; without its number the most, as several pictures show the same."""
    looked_at = False
    if number is not None:
        picture = _picture_number(event, number)
        if picture is None:
            return UNKNOWN
        shown, looked_at = [list(picture.things)], picture.image_id != ""
    else:
        shown = [list(picture.things) for picture in event.pictures] or [[one for one, _, _ in event.things]]
    found = [
        sum(one.count for one in things if one.name == thing.name and thing.colour in ("", one.colour))
        for things in shown
    ]
    return str(max(found)) if any(found) or looked_at else UNKNOWN


def _in_picture(question: Understood, event: Event) -> str:
    """Return what a picture shows that the question means by a thing in it."""
    wanted = question.things[0]
    fitting = [
        (picture, one)
        for picture in event.pictures
        for one in picture.things
        if one.name == wanted.name and wanted.colour in ("", one.colour)
    ]
    # "the blue hat" is one blue hat, where another picture shows two
    count = wanted.count or (1 if re.search(rf"\b{re.escape(wanted.name)}\b(?!s)", question.text) else 0)
    fitting.sort(key=lambda pair: count != 0 and pair[1].count != count)
    others_asked = asks_for_things(question) or question.has(r"\bbesides\b|\bapart from\b")
    for picture, one in fitting:
        if question.has(r"left to right|in order|\border\b"):
            return f"From left to right: {', '.join(name or 'somebody unknown' for name in picture.people)}."
        if others_asked:
            others = [other for other in picture.things if other is not one]
            return f"There is also {things_text(others)}." if others else UNKNOWN
        near = event.nearest.get(one.name) or _nearest_person(picture, one.name)
        if near:
            return f"{near} is nearest to it, {at_place(picture.place or event.place)}."
    for thing, images, beside in event.things:
        if thing.name != wanted.name or wanted.colour not in ("", thing.colour):
            continue
        if question.has(r"left to right|in order|\border\b"):
            return f"From left to right: {', '.join(beside)}." if beside else UNKNOWN
        if others_asked:
            others = [other for other, seen, _ in event.things if other != thing and set(seen) & set(images)]
            return f"There is also {things_text(others)}." if others else UNKNOWN
        if beside:
            return f"{beside[0]} is nearest to it, {at_place(event.place)}."
    return UNKNOWN


def _nearest_person(picture: SeenPicture, thing: str) -> str | None:
    places = [across for name, across, _ in picture.thing_middles if name == thing]
    named = [(middle, name) for middle, name in zip(picture.middles, picture.people, strict=False) if name]
    if not named:
        return picture.people[0] if len(picture.people) == 1 and picture.people[0] else None
    if not places:
        return None
    return min(named, key=lambda one: min(abs(one[0] - place) for place in places))[1]
