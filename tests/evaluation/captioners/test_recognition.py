"""Recognising concepts of a context in a new picture: by parts, one for one, with what is nearly alike."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from evaluation.captioners import ContextRecogniser
from lifeloom.models.protocol import Detection, ModelIdentity
from lifeloom.records import PictureReference, SubjectKind
from tests.scenes import reference

Part = tuple[SubjectKind, float, int]
"""Kind; angle of its vector in degrees, so that the cosine of two parts is that of the angle between them; width."""


class Stripes:
    """Pictures of stripes, a stripe a part; detector, encoder and files in one."""

    identity = ModelIdentity("fake", "stripes")
    dimensions = 2

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.files: dict[str, bytes] = {}
        self.detected = 0

    def picture(self, *parts: Part) -> PictureReference:
        image = Image.new("RGB", (400, 20))
        left = 0
        for part in parts:
            self.parts.append(part)
            image.paste((len(self.parts), 0, 0), (left, 0, left + part[2], 20))
            left += part[2]
        out = io.BytesIO()
        image.save(out, "PNG")
        found = reference(f"picture {len(self.files)}")
        self.files[found.content_hash] = out.getvalue()
        return found

    def source(self, picture: PictureReference) -> bytes:
        return self.files[picture.content_hash]

    def detect(self, pictures: Sequence[Image.Image]) -> list[tuple[Detection, ...]]:
        self.detected += len(pictures)
        return [self._found(np.asarray(image)[0, :, 0]) for image in pictures]

    def _found(self, row: npt.NDArray[np.uint8]) -> tuple[Detection, ...]:
        found = []
        for number in dict.fromkeys(int(one) for one in row if one):
            (columns,) = np.nonzero(row == number)
            box = (float(columns[0]), 0.0, float(columns[-1] + 1), 20.0)
            found.append(Detection(self.parts[number - 1][0], 1.0, box))
        return tuple(found)

    def encode(self, pictures: Sequence[Image.Image]) -> npt.NDArray[np.float32]:
        angles = np.radians([self.parts[int(np.asarray(one)[0, 0, 0]) - 1][1] for one in pictures])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    def check(self) -> str:
        return "stripes"


def recogniser(world: Stripes) -> ContextRecogniser:
    return ContextRecogniser(world, world, world.source)


def person(angle: float, width: int = 40) -> Part:
    return ("person", angle, width)


def thing(angle: float, width: int = 40) -> Part:
    return ("object", angle, width)


def test_what_is_alike_is_recognised_and_people_are_no_things() -> None:
    world = Stripes()
    query = world.picture(person(0), thing(90))
    # Cosines from 0.5 on count: 50° apart is alike, 70° is not.
    context = [world.picture(one) for one in (person(50), person(70), thing(90 + 50), person(90), thing(0))]
    assert recogniser(world).recognise(query, context) == (0, 2)


def test_a_part_of_the_query_is_taken_for_one_concept_alone_the_likest() -> None:
    world = Stripes()
    query = world.picture(person(0))
    context = [world.picture(person(angle)) for angle in (40, 10, 20)]
    assert recogniser(world).recognise(query, context) == (1,)
    assert recogniser(world).nearest(query, context, 2) == [1, 2]


def test_the_subject_of_a_context_picture_is_its_largest_part() -> None:
    world = Stripes()
    query = world.picture(thing(0))
    context = [world.picture(thing(0, 30), thing(180, 200)), world.picture(thing(0, 200), thing(180, 30))]
    assert recogniser(world).recognise(query, context) == (1,)


def test_a_person_that_is_nearly_alike_counts_where_nobody_else_comes_near() -> None:
    world = Stripes()
    query = world.picture(person(0))
    nearly, far, nearby = (world.picture(person(angle)) for angle in (63, 90, 68))
    # cos 63° = 0.454, cos 68° = 0.375, cos 90° = 0: 0.08 and 0.45 behind.
    assert recogniser(world).recognise(query, [nearly, far]) == (0,)
    assert recogniser(world).recognise(query, [nearly, far, nearby]) == ()
    assert recogniser(world).recognise(query, [nearly]) == ()
    assert recogniser(world).recognise(query, [world.picture(person(70)), far]) == ()  # 0.342 is not nearly alike
    things = [world.picture(thing(63)), world.picture(thing(90))]
    assert recogniser(world).recognise(world.picture(thing(0)), things) == ()


def test_of_things_that_are_alike_the_one_of_the_same_colour_comes_first() -> None:
    world = Stripes()
    world.parts += [thing(0)] * 200  # colours are numbers of parts: the next ones are 200 steps brighter
    bright, query = world.picture(thing(0)), world.picture(thing(0))
    world.parts = world.parts[:1] + world.parts[1:]
    dark = reference("dark")
    out = io.BytesIO()
    Image.new("RGB", (400, 20), (1, 0, 0)).save(out, "PNG")
    world.files[dark.content_hash] = out.getvalue()
    assert recogniser(world).recognise(query, [dark, bright]) == (1,)
    assert recogniser(world).recognise(query, [bright, dark]) == (0,)


def test_for_each_part_its_nearest_are_retrieved() -> None:
    world = Stripes()
    query = world.picture(person(0), person(180), thing(0))
    context = [world.picture(person(angle)) for angle in (5, 10, 20, 178, 150, 100)]
    # Of the first person 5°, 10°; of the second 178° and 150° (2° and 30° away); of the thing none.
    assert recogniser(world).nearest_by_part(query, context, 2) == [3, 0, 1, 4]
    assert recogniser(world).nearest_by_part(query, context, 1) == [3, 0]
    assert recogniser(world).nearest_by_part(query, [], 2) == []


def test_a_person_may_be_in_several_pictures_of_a_context() -> None:
    world = Stripes()
    query = world.picture(person(0, 100), thing(90))
    context = [world.picture(one) for one in (person(20), person(170), person(-30), thing(95))]
    assert recogniser(world).showing_same(query, context) == (0, 2)
    strangers = [world.picture(person(100)), world.picture(person(95))]
    assert recogniser(world).showing_same(query, strangers) == (1,)  # somebody must be meant


def test_where_nothing_is_to_be_seen_nothing_is_recognised() -> None:
    world = Stripes()
    empty, full = world.picture(), world.picture(person(0))
    found = recogniser(world)
    assert found.recognise(empty, [full, empty]) == ()
    assert found.recognise(full, [empty]) == ()
    assert found.showing_same(empty, [full]) == ()
    assert found.nearest(full, [empty, full], 2) == [1, 0]


def test_each_picture_is_looked_at_once() -> None:
    world = Stripes()
    pictures = [world.picture(person(angle)) for angle in range(40)]
    found = recogniser(world)
    found.look(pictures)
    found.recognise(pictures[0], pictures[1:])
    found.nearest(pictures[3], pictures[:2], 1)
    assert world.detected == 40
