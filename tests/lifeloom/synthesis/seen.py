"""Pictures that say what is in them, and eyes that read just that: for tests of what is made of a sight."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from lifeloom.models.builtin.eyes.sight import FACE_DIMENSIONS, SeenPerson, SeenThing, Sight
from lifeloom.models.protocol import DrawnPicture, ModelIdentity, PictureNotDrawn, PictureSource
from lifeloom.records import Appearance, Box, DrawnSubject, PicturePlan, PictureReference, PictureSubject

_BOX = (0.0, 0.0, 10.0, 10.0)


def appearance(hair: str) -> Appearance:
    return Appearance(hair=hair, hair_colour="#000000", skin="#ffffff", brows="plain")


def person(identity: str, hair: str = "") -> PictureSubject:
    return PictureSubject(
        kind="person", name=identity.title(), identity=identity, appearance=appearance(hair or f"hair of {identity}")
    )


def thing(name: str, colour: str = "", count: int = 1) -> PictureSubject:
    return PictureSubject(kind="object", name=name, colour=colour, count=count)


def scene(picture_id: str, *subjects: PictureSubject, place: str = "park", seed: int = 1) -> PicturePlan:
    return PicturePlan(picture_id=picture_id, kind="scene", place=place, subjects=subjects, seed=seed)


def portrait(picture_id: str, subject: PictureSubject) -> PicturePlan:
    return PicturePlan(picture_id=picture_id, kind="portrait", subjects=(subject,), seed=1)


class PlainMaker:
    """The file of a picture is its plan; ids that begin with ``broken`` cannot be drawn."""

    identity = ModelIdentity("code", "plain-maker-1")

    def draw(self, plan: PicturePlan) -> DrawnPicture:
        if plan.picture_id.startswith("broken"):
            raise PictureNotDrawn(plan.picture_id, "no such thing")
        box = Box(left=0, top=0, right=10, bottom=10)
        subjects = tuple(
            DrawnSubject(kind=s.kind, name=s.name, identity=s.identity, colour=s.colour, box=box, visible=1)
            for s in plan.subjects
            for _ in range(s.count)
        )
        return DrawnPicture(plan.model_dump_json().encode(), plan.size, plan.size, subjects)

    def draw_many(self, plans):
        for plan in plans:
            try:
                yield self.draw(plan)
            except PictureNotDrawn as error:
                yield error


class PlainEyes:
    """See exactly what a plan says, unless they are blind for one of its sides or misled by a seed."""

    person_threshold = 0.6

    def __init__(self, blind_for_colours: bool = False, mislead: frozenset[int] = frozenset()) -> None:
        self.blind_for_colours = blind_for_colours
        self.mislead = mislead

    def look(self, pictures: Sequence[PictureReference], source: PictureSource) -> list[Sight]:
        return [self._look(PicturePlan.model_validate_json(source(picture))) for picture in pictures]

    def _look(self, plan: PicturePlan) -> Sight:
        people = tuple(
            SeenPerson(_BOX, 1.0, face(s.appearance.hair), 0.2)
            for s in plan.subjects
            if s.kind == "person" and s.appearance is not None
        )
        things = tuple(
            SeenThing(s.kind, _BOX, 1.0, s.name, 1.0, "grey" if self.blind_for_colours else s.colour or "grey", 1.0)
            for s in plan.subjects
            if s.kind != "person"
            for _ in range(s.count)
        )
        if plan.seed in self.mislead:
            things = things[1:]
        return Sight(plan.size, plan.size, people, things, plan.place, 1.0, plan.time_of_day)


def face(hair: str) -> np.ndarray:
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(hair.encode()).digest()[:4], "big"))
    vector = rng.standard_normal(FACE_DIMENSIONS).astype(np.float32)
    return vector / np.linalg.norm(vector)
