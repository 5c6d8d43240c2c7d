"""Plans and people for the painter's tests."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from lifeloom.models.builtin.painter import WantedPerson, draw_people
from lifeloom.models.builtin.painter.vocabulary import thing
from lifeloom.records import PicturePlan, PictureSubject

PEOPLE = draw_people(random.Random(5), [WantedPerson() for _ in range(8)])


def person(number: int, mood: str = "") -> PictureSubject:
    return PictureSubject(
        kind="person", name=f"P{number}", identity=f"id-{number}", appearance=PEOPLE[number], mood=mood
    )


def item(name: str, colour: str = "", count: int = 1) -> PictureSubject:
    return PictureSubject(kind=thing(name).kind, name=name, colour=colour, count=count)


def scene(*subjects: PictureSubject, place: str = "park", seed: int = 3, size: int = 256, **more: str) -> PicturePlan:
    return PicturePlan.model_validate(
        {
            "picture_id": "made-up",
            "kind": "scene",
            "place": place,
            "subjects": subjects,
            "seed": seed,
            "size": size,
            **more,
        }
    )


def portrait(*subjects: PictureSubject, seed: int = 3, size: int = 256, place: str = "") -> PicturePlan:
    return PicturePlan(
        picture_id="made-up", kind="portrait", place=place, subjects=tuple(subjects), seed=seed, size=size
    )


def pixels(data: bytes) -> npt.NDArray[np.uint8]:
    with Image.open(io.BytesIO(data)) as opened:
        assert opened.format == "PNG"
        assert opened.mode == "RGB"
        return np.asarray(opened)


def names(subjects: Sequence[PictureSubject]) -> list[str]:
    return sorted(name for subject in subjects for name in [subject.name] * subject.count)
