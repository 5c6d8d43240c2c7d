"""Plans of pictures in plain words."""

from __future__ import annotations

import random

import pytest

from lifeloom.models.builtin.painter.people import BEARDS, GLASSES, HAIR_SHAPES, WantedPerson, draw_people
from lifeloom.models.gemini import caption_of
from lifeloom.records import Appearance, PicturePlan, PictureSubject

ANA = Appearance(
    hair="straight01", hair_colour="#efd68a", skin="#edb98a", brows="", glasses="round", rim_colour="#c0392b"
)
BEN = Appearance(hair="turban", hair_colour="#25557c", skin="#614335", brows="", beard="beardMajestic", age="old")


def person(look: Appearance | None, mood: str = "", name: str = "Ana") -> PictureSubject:
    return PictureSubject(kind="person", name=name, identity=name.lower(), appearance=look, mood=mood)


def scene(*subjects: PictureSubject, **changes: object) -> PicturePlan:
    values = {"picture_id": "p-1", "kind": "scene", "place": "beach", "subjects": subjects, "seed": 1}
    return PicturePlan.model_validate(values | changes)


def test_a_portrait_says_the_look_and_not_the_name() -> None:
    plan = PicturePlan(picture_id="p-1", kind="portrait", subjects=(person(ANA, "happy"),), seed=1)
    assert caption_of(plan) == (
        "A square portrait: head and shoulders of a grown person with light skin, long straight blond hair and round "
        "glasses with red rims, who looks happy, on a plain ground."
    )


def test_a_scene_says_people_things_with_counts_and_colours_place_time_and_weather() -> None:
    plan = scene(
        person(BEN, "thinking", "Ben"),
        PictureSubject(kind="object", name="umbrella", colour="orange"),
        PictureSubject(kind="object", name="scarf", colour="red", count=2),
        PictureSubject(kind="animal", name="mouse", count=3),
        time_of_day="sunset",
        weather="fog",
    )
    assert caption_of(plan) == (
        "A square picture of a scene at the beach at sunset, in the fog. It shows: an old person with dark brown skin, "
        "a dark blue turban and a big full beard, who looks thoughtful; an orange umbrella; two red scarves; three "
        "mice."
    )


def test_indoors_the_weather_is_outside() -> None:
    plan = scene(PictureSubject(kind="animal", name="owl"), place="library", weather="snow", time_of_day="night")
    assert caption_of(plan) == (
        "A square picture of a scene in the library at night, while it snows outside the windows. It shows: an owl."
    )


def test_words_that_no_vocabulary_has_are_said_as_they_are() -> None:
    look = Appearance(hair="topKnot", hair_colour="brick", skin="#ffdbb4", brows="", beard="goatee")
    plan = scene(person(look), PictureSubject(kind="object", name="hoverBoard", count=2), place="moon_base")
    caption = caption_of(plan)
    for words in ("moon base", "two hover boards", "brick hair (top knot)", "a goatee", "very light skin"):
        assert words in caption


def test_a_person_without_a_look_and_a_scene_without_subjects_have_captions_too() -> None:
    assert caption_of(scene(person(None))).endswith("It shows: a person.")
    assert caption_of(scene(place="")).startswith("A square picture of a scene anywhere in the daytime")


@pytest.mark.parametrize("seed", range(3))
def test_everybody_that_the_library_draws_has_a_caption_of_whole_words(seed: int) -> None:
    for look in draw_people(random.Random(seed), [WantedPerson()] * 8):
        caption = caption_of(PicturePlan(picture_id="p", kind="portrait", subjects=(person(look),), seed=1))
        assert "{" not in caption
        assert "#" not in caption


def test_every_hair_glasses_and_beard_of_the_vocabulary_is_said_in_its_own_way() -> None:
    def said(**look: str) -> str:
        base = {"hair": "bob", "hair_colour": "#211c1e", "skin": "#edb98a", "brows": "", "rim_colour": "#262e33"}
        return caption_of(scene(person(Appearance.model_validate(base | look))))

    assert len({said(glasses=name) for name in GLASSES}) == len(GLASSES)
    assert len({said(beard=name) for name in BEARDS}) == len(BEARDS)
    assert len({said(hair=name) for name in HAIR_SHAPES}) >= len(HAIR_SHAPES) - 1  # two straight ones look alike
    assert not any("(" in said(hair=name) for name in HAIR_SHAPES)
