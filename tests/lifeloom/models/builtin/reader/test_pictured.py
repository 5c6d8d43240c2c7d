"""Pictures in words, by what the eyes see in drawn ones."""

from __future__ import annotations

import hashlib

import pytest

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.builtin.eyes import Eyes
from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.models.builtin.reader.pictured import caption_of, fingerprint_of
from lifeloom.records import PicturePlan, PictureReference
from lifeloom.synthesis.vaccounts.looks import glasses_of, hair_colour_of, hair_of
from lifeloom.tasks import CONCEPT_FINGERPRINT, PICTURE_CAPTION, ConceptFingerprintInput, PictureCaptionInput
from tests.lifeloom.models.builtin.painter.drawing import PEOPLE, item, person, portrait, scene

FILES: dict[str, bytes] = {}


@pytest.fixture(scope="module")
def model() -> BuiltinModel:
    return BuiltinModel(eyes=Eyes(), pictures=lambda one: FILES[one.content_hash])


def drawn(plan: PicturePlan) -> PictureReference:
    made = BuiltinPainter().draw(plan)
    name = hashlib.sha256(made.data).hexdigest()
    FILES[name] = made.data
    return PictureReference(content_hash=name, width=made.width, height=made.height)


def test_a_caption_says_place_time_people_by_their_looks_and_things_with_number_and_colour(model: BuiltinModel) -> None:
    plan = scene(person(0), item("umbrella", "red", 2), place="beach", time_of_day="night", size=512)
    said = model.run(PICTURE_CAPTION, PictureCaptionInput(), [drawn(plan)]).output.text
    look = PEOPLE[0]
    for words in ("at the beach", "at night", "two red umbrellas", hair_colour_of(look), hair_of(look).split()[-1]):
        assert words in said, (words, said)
    assert ("glasses" in said) == (glasses_of(look) == "glasses")
    assert said.count("a person with") == 1
    assert "P0" not in said


def test_a_fingerprint_of_a_portrait_is_the_looks_of_the_person_and_no_place(model: BuiltinModel) -> None:
    picture = drawn(portrait(person(1), size=512))
    attributes = model.run(CONCEPT_FINGERPRINT, ConceptFingerprintInput(name="P1"), [picture]).output.attributes
    assert attributes[0] == f"{hair_colour_of(PEOPLE[1])} {hair_of(PEOPLE[1])}"
    assert ("glasses" in attributes) == (glasses_of(PEOPLE[1]) == "glasses")
    assert not any(one.startswith(("on ", "in ", "at ")) for one in attributes)


def test_a_fingerprint_of_a_picture_has_place_and_things(model: BuiltinModel) -> None:
    picture = drawn(scene(item("dog"), item("kite", "blue"), place="forest", size=512))
    attributes = model.run(CONCEPT_FINGERPRINT, ConceptFingerprintInput(), [picture]).output.attributes
    assert set(attributes) == {"a dog", "a blue kite", "in the forest"}


def test_no_picture_is_said_to_be_none() -> None:
    assert caption_of([], []) == "No picture."
    assert fingerprint_of([], []).attributes == ()
