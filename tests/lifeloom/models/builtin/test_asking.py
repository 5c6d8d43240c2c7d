"""The built-in eyes, asked in words."""

from __future__ import annotations

from typing import Any, cast

import pytest
from PIL import Image

from lifeloom.models.builtin.asking import EyesDetector
from lifeloom.models.builtin.eyes import Eyes, SeenPerson, SeenThing, Sight
from lifeloom.models.protocol import ModelIdentity
from tests.eyes import face_of


class Seeing:
    """Eyes that see two people, two mugs, a teddy bear and a dog."""

    identity = ModelIdentity("test", "seeing-1")

    def look_at(self, images: list[Any]) -> list[Sight]:
        def thing(kind: Any, name: str, colour: str, left: float) -> SeenThing:
            return SeenThing(kind, (left, 0, left + 10, 10), 0.9, name, 0.9, colour, 0.9)

        people = tuple(SeenPerson((left, 0, left + 20, 60), 0.95, face_of("Ana"), 0.1) for left in (100.0, 200.0))
        things = (
            thing("object", "mug", "red", 0),
            thing("object", "mug", "blue", 20),
            thing("object", "teddy bear", "brown", 40),
            thing("animal", "dog", "brown", 60),
        )
        return [Sight(300, 100, people, things, "park", 0.9, "day") for _ in images]


@pytest.mark.parametrize(
    ("label", "lefts"),
    [
        ("mug", [0, 20]),
        ("red mug", [0]),
        ("yellow mug", [0, 20]),  # none is yellow: the colour is a matter of light
        ("the cup", [0, 20]),
        ("puppy", [60]),
        ("teddy", [40]),
        ("bear", []),
        ("boy", [100, 200]),
        ("boy with the mug", [100, 200]),
        ("mug next to the boy", [0, 20]),
        ("violin", []),
        ("", []),
    ],
)
def test_what_is_asked_for_is_found_among_what_is_seen(label: str, lefts: list[int]) -> None:
    detector = EyesDetector(cast("Eyes", Seeing()))
    (found,) = detector.detect_labels([Image.new("RGB", (300, 100))], [label])
    assert sorted(int(one.box[0]) for one in found) == lefts
    assert {one.label for one in found} <= {label}


def test_everything_is_found_with_its_kind_and_name() -> None:
    (found,) = EyesDetector(cast("Eyes", Seeing())).detect([Image.new("RGB", (300, 100))])
    assert sorted((one.kind, one.label) for one in found) == [
        ("animal", "dog"),
        ("object", "mug"),
        ("object", "mug"),
        ("object", "teddy bear"),
        ("person", "person"),
        ("person", "person"),
    ]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_a_picture_is_looked_at_once_for_the_detector_and_everybody_else() -> None:
    eyes = Eyes()
    detector, picture = EyesDetector(eyes), Image.new("RGB", (256, 256), "grey")
    detector.detect([picture])
    detector.detect_labels([picture.copy()], ["dog"])
    assert eyes.pictures_seen == 1
