"""Which objects a caption names."""

from __future__ import annotations

import pytest

from evaluation.caption_quality.object_words import OBJECTS, mentioned, with_article


@pytest.mark.parametrize(
    ("caption", "named"),
    [
        ("A puppy and two kittens play.", {"dog", "cat"}),
        ("A woman's bike leans on the tent.", {"person", "bicycle", "tent"}),
        ("Sheep and mice; butterflies too.", {"sheep", "mouse", "butterfly"}),
        ("A teddy bear with a cup.", {"teddy bear", "mug"}),
        ("Nothing of note is present on board.", set()),
        ("A potted plant, a notebook, a flower pot.", set()),
        ("He eats a hot dog in the car park.", set()),
        ("A smartphone next to a gift box", {"telephone", "gift"}),
        ("There is no dog.", {"dog"}),
        ("", set()),
    ],
)
def test_objects_are_named_by_themselves_and_by_words_that_mean_nothing_else(caption: str, named: set[str]) -> None:
    assert mentioned(caption, ()) == named


@pytest.mark.parametrize(
    ("shown", "named"), [({"owl"}, {"owl"}), ({"swan", "mug"}, {"swan"}), ({"mug"}, {"duck"}), (set(), {"duck"})]
)
def test_a_word_for_several_means_one_that_is_there(shown: set[str], named: set[str]) -> None:
    assert mentioned("A bird.", shown) == named


def test_every_object_is_named_by_its_own_name_alone() -> None:
    for name in OBJECTS:
        assert mentioned(f"There is {with_article(name)}.", ()) == {name}


def test_objects_are_asked_about_with_their_article() -> None:
    assert with_article("apple") == "an apple"
    assert with_article("person") == "a person"
    assert with_article("mug") == "a mug"
