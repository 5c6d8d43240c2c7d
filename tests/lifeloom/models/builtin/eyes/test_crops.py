"""Parts of drawn pictures as vectors: one for whatever was cut out."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lifeloom.models.builtin.eyes import CropEncoder
from lifeloom.models.builtin.painter import BuiltinPainter, WantedPerson, draw_people
from lifeloom.models.crops import crops
from lifeloom.models.protocol import Detection, ImageEncoder
from lifeloom.records import PicturePlan, PictureSubject

ANA, BEN = draw_people(Random(3071), [WantedPerson(), WantedPerson()], min_distance=3.0)


def drawn(number: int, place: str, *subjects: PictureSubject) -> dict[str, Any]:
    """Return the parts of a drawn picture by name."""
    plan = PicturePlan(picture_id=f"crop-{number}", kind="scene", place=place, subjects=subjects, seed=number)
    picture = BuiltinPainter().draw(plan)
    image = Image.open(io.BytesIO(picture.data)).convert("RGB")
    finds = [
        Detection(one.kind, 1.0, (one.box.left, one.box.top, one.box.right, one.box.bottom)) for one in picture.subjects
    ]
    names = [f"{one.colour} {one.name}".strip() for one in picture.subjects]
    return dict(zip(names, crops(image, finds), strict=True))


def person(name: str, look: Any) -> PictureSubject:
    return PictureSubject(kind="person", name=name, identity=name, appearance=look)


@pytest.fixture(scope="module")
def parts() -> Mapping[str, Any]:
    mug, dog = PictureSubject(kind="object", name="mug", colour="red"), PictureSubject(kind="animal", name="dog")
    blue = PictureSubject(kind="object", name="mug", colour="blue")
    one = drawn(1, "kitchen", person("Ana", ANA), mug, dog)
    other = drawn(2, "beach", person("Ana", ANA), mug, dog)
    third = drawn(3, "street", person("Ben", BEN), blue, PictureSubject(kind="animal", name="cat"))
    return {
        f"{name} {number}": part
        for number, all_of in enumerate((one, other, third), 1)
        for name, part in all_of.items()
    }


def test_the_same_are_above_the_threshold_of_their_kind_and_others_below(parts: Mapping[str, Any]) -> None:
    encoder = CropEncoder()
    vector = dict(zip(parts, encoder.encode(list(parts.values())), strict=True))
    for kind, one, same, other in [
        ("person", "Ana 1", "Ana 2", "Ben 3"),
        ("object", "red mug 1", "red mug 2", "blue mug 3"),
        ("animal", "dog 1", "dog 2", "cat 3"),
    ]:
        least = encoder.threshold(kind)  # type: ignore[arg-type]
        assert float(vector[one] @ vector[same]) >= least
        assert float(vector[one] @ vector[other]) < least
    assert abs(float(vector["Ana 1"] @ vector["dog 1"])) < 1e-6  # a person and a thing have nothing in common


def test_every_part_has_a_unit_vector_and_told_kinds_are_believed(parts: Mapping[str, Any]) -> None:
    encoder = CropEncoder()
    assert isinstance(encoder, ImageEncoder)
    pictures = [parts["Ana 1"], parts["dog 1"]]
    guessed, told = encoder.encode(pictures), encoder.encode_as(pictures, ["person", "animal"])
    assert guessed.shape == (2, encoder.dimensions)
    assert np.allclose(np.linalg.norm(guessed, axis=1), 1, atol=1e-5)
    assert np.array_equal(guessed, told)
    otherwise = encoder.encode_as(pictures, ["animal", "person"])
    assert np.abs(otherwise[0] @ told[0]) < 1e-6
    assert encoder.encode([]).shape == (0, encoder.dimensions)


def test_a_vector_is_made_once_and_kept_between_runs(parts: Mapping[str, Any], tmp_path: Path) -> None:
    encoder = CropEncoder(tmp_path / "crops.sqlite")
    pictures = [parts["Ana 1"], parts["dog 1"], parts["Ana 1"]]
    vectors = encoder.encode(pictures)
    assert encoder.encoded_pictures == 2
    encoder.close()
    again = CropEncoder(tmp_path / "crops.sqlite")
    assert np.array_equal(again.encode(pictures), vectors)
    assert again.encoded_pictures == 0


def test_it_says_what_it_is() -> None:
    assert "vectors of 222 numbers" in CropEncoder().check()
    assert CropEncoder().identity.backend == "builtin"
