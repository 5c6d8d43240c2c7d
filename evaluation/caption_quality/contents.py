"""What pictures of a release are known to show, and descriptions of it worded from the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.caption_quality.object_words import OBJECTS, PERSON, with_article
from lifeloom.models.builtin.painter.people import COVERS
from lifeloom.models.builtin.painter.vocabulary import PLACES
from lifeloom.records import DrawnSubject, PictureReference, ScenePlan

__all__ = ["KnownPicture", "known_picture", "references_of"]

_PLACE = {one.name: one.phrase for one in PLACES}
_TIMES = {"morning": "in the morning", "day": "during the day", "sunset": "at sunset", "night": "at night"}
_NUMBERS = ("no", "one", "two", "three", "four", "five")

# What belongs to a place, or may be taken for it: stands, seats, shelves, crates of fruit, jars and pastries.
_SCENERY: Mapping[str, frozenset[str]] = {
    "airport": frozenset({"chair", "television"}),
    "cafe": frozenset({"mug", "cake"}),
    "classroom": frozenset({"chair", "book"}),
    "gym": frozenset({"chair"}),
    "kitchen": frozenset({"teapot"}),
    "library": frozenset({"book"}),
    "market": frozenset({"apple"}),
    "office": frozenset({"chair"}),
    "playground": frozenset({"ladder"}),
    "stadium": frozenset({PERSON, "chair"}),
    "supermarket": frozenset({"apple"}),
    "theatre": frozenset({"chair"}),
}
_HEADGEAR = frozenset({"hat", "scarf"})
"""What hijabs and turbans may be called."""


@dataclass(frozen=True)
class KnownPicture:
    """A picture whose contents are known."""

    picture_id: str
    picture: PictureReference
    objects: Mapping[str, int]
    """Names of ``OBJECTS`` to how many of each stand in front of the place."""
    unsure: frozenset[str]
    """Further ones that the place or somebody's headgear may show: neither asked about nor counted."""
    references: tuple[str, ...]
    """Descriptions, worded from the plan."""

    @property
    def absent(self) -> tuple[str, ...]:
        """What is certainly not to be seen, in the order of ``OBJECTS``."""
        return tuple(one for one in OBJECTS if one not in self.objects and one not in self.unsure)


def known_picture(plan: ScenePlan, picture: PictureReference) -> KnownPicture | None:
    """Return what a query picture shows; None where its image maker does not know."""
    if not plan.drawn or plan.picture is None:
        return None
    objects: dict[str, int] = {}
    for one in plan.drawn:
        name = PERSON if one.kind == "person" else one.name
        objects[name] = objects.get(name, 0) + 1
    unsure = _SCENERY.get(plan.place, frozenset())
    if any(one.appearance is not None and one.appearance.hair in COVERS for one in plan.picture.subjects):
        unsure |= _HEADGEAR
    references = references_of(plan.drawn, plan.place, plan.picture.time_of_day)
    return KnownPicture(plan.scene_id, picture, objects, unsure - objects.keys(), references)


def references_of(drawn: Sequence[DrawnSubject], place: str, time_of_day: str) -> tuple[str, ...]:
    """Return descriptions of a picture in several wordings, all from what was drawn.

    They are short beside those that people wrote for DOCCI, and worded apart from what any reader here says.

    Args:
        drawn: what stands in it.
        place: where, a word of the vocabulary.
        time_of_day: ``morning``, ``day``, ``sunset`` or ``night``.
    """
    people = sum(one.kind == "person" for one in drawn)
    things = [_thing(one) for one in drawn if one.kind != "person"]
    who = [] if not people else ["a person"] if people == 1 else [f"{_NUMBERS[people]} people"]
    where, when = _PLACE.get(place, ""), _TIMES[time_of_day]
    # "a dog and three people" reads apart from "three people and a dog", and says the same.
    shown, turned = _joined([*who, *things]), _joined([*things, *who])
    verb = "is" if len(drawn) == 1 else "are"
    return (
        f"{_capital(shown)} {verb} {where} {when}.",
        f"{_capital(when)}, {where}: {turned}.",
        f"The scene is set {where}. {_capital(turned)} can be seen there {when}.",
    )


def _thing(one: DrawnSubject) -> str:
    return (
        f"{'an' if one.colour[0] in 'aeiou' else 'a'} {one.colour} {one.name}" if one.colour else with_article(one.name)
    )


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
