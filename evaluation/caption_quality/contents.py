"""What pictures of a release are known to show, and the words by which a caption may speak of it."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from lifeloom.models.builtin.painter.vocabulary import PLACES, THINGS
from lifeloom.models.builtin.reader.looking import looks
from lifeloom.models.builtin.reader.text import content_stems, stem
from lifeloom.records import PictureReference, ScenePlan

__all__ = ["OBJECTS", "KnownPicture", "known_picture", "mentioned", "references_of"]

_PEOPLE = ("person", "people", "man", "woman", "boy", "girl", "somebody", "men", "women", "child")
OBJECTS: tuple[str, ...] = ("person", *(one.name for one in THINGS))
"""What can be asked about: everything that the built-in image maker draws."""
_PLACE = {one.name: one.phrase for one in PLACES}
_TIMES = {"morning": "in the morning", "day": "by day", "sunset": "at sunset", "night": "at night"}
_THING = {one.name: one for one in THINGS}


@dataclass(frozen=True)
class KnownPicture:
    """A picture whose contents are known."""

    picture_id: str
    picture: PictureReference
    objects: Mapping[str, int]
    """Names of ``OBJECTS`` to how many of each there are; nothing else of them is to be seen."""
    references: tuple[str, ...]
    """Descriptions, worded from the plan."""


def known_picture(plan: ScenePlan, picture: PictureReference) -> KnownPicture | None:
    """Return what a query picture shows; None where its image maker does not know."""
    if not plan.drawn or plan.picture is None:
        return None
    objects: dict[str, int] = {}
    for one in plan.drawn:
        name = "person" if one.kind == "person" else one.name
        objects[name] = objects.get(name, 0) + 1
    return KnownPicture(plan.scene_id, picture, objects, references_of(plan, objects))


def references_of(plan: ScenePlan, objects: Mapping[str, int]) -> tuple[str, ...]:
    """Return descriptions of a picture in several wordings, all from what was drawn."""
    people = objects.get("person", 0)
    things = []
    for one in plan.drawn:
        if one.kind != "person":
            things.append(f"a {one.colour} {one.name}" if one.colour else _THING[one.name].with_article)
    who = "" if not people else "a person" if people == 1 else f"{people} people"
    listed = ", ".join(filter(None, [who, *things]))
    where = _PLACE.get(plan.place, "")
    when = _TIMES[plan.picture.time_of_day] if plan.picture is not None else ""
    shown = " and ".join(filter(None, [who, *things]))
    return (
        f"A picture taken {where}, {when}, that shows {listed}.",
        f"{shown[:1].upper()}{shown[1:]} {where} {when}.",
        f"There is {listed} to be seen {where} {when}.",
    )


@functools.cache
def _names() -> dict[str, frozenset[str]]:
    """Return the stems by which objects are called, to the objects that each may mean."""
    found: dict[str, set[str]] = {}
    for name in OBJECTS:
        words = {stem(one) for one in _PEOPLE} if name == "person" else set(looks(name))
        for word in words:
            found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


def mentioned(text: str, shown: Collection[str]) -> frozenset[str]:
    """Return the objects that a caption mentions, each once.

    A word that may mean several ("ball") means one that is there, where one is; else the first of them. Words of a
    longer name ("teddy bear") count as that name alone.
    """
    stems = content_stems(text)
    names = _names()
    found: set[str] = set()
    for word in dict.fromkeys(stems):
        meant = names.get(word, frozenset())
        if not meant:
            continue
        there = meant & set(shown)
        found.add(min(there) if there else min(meant))
    return frozenset(found)
