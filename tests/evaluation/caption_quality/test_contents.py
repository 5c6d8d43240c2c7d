"""What is known of query pictures."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.caption_quality.contents import known_picture, references_of
from evaluation.caption_quality.object_words import OBJECTS, mentioned
from lifeloom.records import Appearance, Box, DrawnSubject, PicturePlan, PictureSubject
from tests.scenes import reference, scene, small_library

BOX = Box(left=0, top=0, right=10, bottom=10)


def drawn(*names: str) -> tuple[DrawnSubject, ...]:
    """What stands in a picture, put as ``person`` or ``red mug``."""
    found = []
    for one in names:
        *colour, name = one.split()
        kind: Any = "person" if name == "person" else "animal" if name in ("dog", "cat") else "object"
        found.append(DrawnSubject(kind=kind, name=name, colour=" ".join(colour), box=BOX, visible=1))
    return tuple(found)


def picture_in(place: str, hair: str = "shortFlat") -> PicturePlan:
    """A picture of one person."""
    face = Appearance(hair=hair, hair_colour="#222222", skin="#eeccaa", brows="default")
    person = PictureSubject(kind="person", name="person", identity="p0", appearance=face)
    return PicturePlan(picture_id="s0", kind="scene", place=place, subjects=(person,), seed=1)


def test_a_picture_is_known_by_what_was_drawn() -> None:
    plan = scene("s0", "p0", place="park", picture=picture_in("park"), drawn=drawn("person", "person", "red mug"))
    picture = known_picture(plan, reference("s0"))
    assert picture is not None
    assert picture.picture_id == "s0"
    assert dict(picture.objects) == {"person": 2, "mug": 1}
    assert set(picture.absent) == set(OBJECTS) - {"person", "mug"}


def test_what_nobody_can_say_is_not_known() -> None:
    assert known_picture(scene("s0", "p0"), reference("s0")) is None


@pytest.mark.parametrize(
    ("place", "hair", "unsure"),
    [
        ("library", "shortFlat", {"book"}),
        ("theatre", "shortFlat", {"chair"}),
        ("park", "hijab", {"hat", "scarf"}),
        ("park", "shortFlat", set()),
    ],
)
def test_what_the_place_or_headgear_may_show_is_neither_there_nor_absent(
    place: str, hair: str, unsure: set[str]
) -> None:
    plan = scene("s0", "p0", place=place, picture=picture_in(place, hair=hair), drawn=drawn("person"))
    picture = known_picture(plan, reference("s0"))
    assert picture is not None
    assert picture.unsure == unsure
    assert not unsure & {*picture.absent, *picture.objects}


def test_a_crowd_in_the_stands_does_not_hide_a_person_in_front() -> None:
    plan = scene("s0", "p0", place="stadium", picture=picture_in("stadium"), drawn=drawn("person"))
    picture = known_picture(plan, reference("s0"))
    assert picture is not None
    assert "person" in picture.objects
    assert "person" not in picture.unsure


def test_every_reference_tells_all_that_was_drawn_where_and_when_and_nothing_else() -> None:
    shown = {"person", "mug", "dog"}
    references = references_of(drawn("person", "orange mug", "dog"), "park", "night")
    assert len(set(references)) == 3
    for text in references:
        assert mentioned(text, ()) == shown
        assert "an orange mug" in text.lower()
        assert "in the park" in text.lower()
        assert "at night" in text.lower()


def test_numbers_and_verbs_agree() -> None:
    several = references_of(drawn("person", "person", "dog"), "beach", "day")[0]
    assert several == "Two people and a dog are at the beach during the day."
    assert references_of(drawn("dog"), "beach", "sunset")[0] == "A dog is at the beach at sunset."


def test_the_built_in_library_has_words_for_all_its_things() -> None:
    _, looks = small_library(people=2)
    names = {one.subject.name for one in looks.values()}
    assert names <= set(OBJECTS)
