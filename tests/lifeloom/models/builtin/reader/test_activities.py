"""What people are doing, by the words of a text."""

import pytest

from lifeloom.models.builtin.reader.activities import activities_in, family_of, main_activity


@pytest.mark.parametrize(
    ("text", "name", "family"),
    [
        ("Out ice fishing with Grandpa, so cold!", "ice fishing", "fishing"),
        ("We caught a trout at the lake.", "fishing", "fishing"),
        ("Snowshoe hiking above the valley", "snowshoe hiking", "hiking"),
        ("A long hike today.", "hiking", "hiking"),
        ("They went skating on ice", "ice skating", "winter sports"),
        ("a bike ride", "cycling", "cycling"),
        ("Playing the guitar by the fire", "playing the guitar", "music"),
        ("Grandma's birthday!", "birthday", "celebrations"),
    ],
)
def test_an_activity_is_known_by_its_words_and_belongs_to_a_family(text: str, name: str, family: str) -> None:
    found = main_activity(text)
    assert found is not None
    assert (found.name, found.family) == (name, family)


def test_the_narrowest_of_overlapping_activities_counts() -> None:
    assert [one.name for one in activities_in("ice fishing")] == ["ice fishing"]


def test_activities_come_in_the_order_of_the_text_with_their_place() -> None:
    text = "Baking first, then a swim and chess."
    found = activities_in(text)
    assert [one.name for one in found] == ["baking", "swimming", "chess"]
    assert [text[one.start : one.end] for one in found] == ["Baking", "swim", "chess"]


def test_families_are_known_by_their_own_names_and_by_their_forms() -> None:
    assert family_of("ball games") == "ball games"
    assert family_of("tea and coffee") == "tea and coffee"
    assert family_of("playing basketball in the gym") == "ball games"
    assert family_of("A lovely evening.") == ""


def test_a_text_without_an_activity_has_none() -> None:
    assert main_activity("The hall was cold and dark; Hikaru was there.") is None
