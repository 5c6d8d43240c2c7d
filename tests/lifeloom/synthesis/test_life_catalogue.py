"""What lives are made of: everything can be drawn, and no way to say one activity means another."""

from __future__ import annotations

from collections import Counter

import pytest

from lifeloom.models.builtin.painter.vocabulary import ANIMALS, OBJECTS, PLACES
from lifeloom.synthesis.catalogue.life_activities import activities_for, activity
from lifeloom.synthesis.catalogue.life_people import (
    CAREERS,
    PET_NAMES,
    PETS,
    RELATIONS_OF_LIVES,
    TASTES,
    relation,
)

ALL = activities_for("release")


def test_places_and_things_of_activities_can_be_drawn_and_no_thing_is_an_animal():
    assert {name for one in ALL for name in one.places} <= {one.name for one in PLACES}
    assert {name for one in ALL for name in one.things} <= {one.name for one in OBJECTS}
    assert all(one.places and len(one.things) >= 2 for one in ALL)


def test_there_are_dozens_of_activities_in_families_of_which_some_have_several():
    assert len({one.activity_id for one in ALL}) == len(ALL) >= 36
    sizes = Counter(one.family for one in ALL)
    assert len(sizes) >= 15
    assert sum(size > 1 for size in sizes.values()) >= 8


def test_every_activity_has_four_ways_to_say_it_and_no_two_activities_share_one():
    words = Counter(text for one in ALL for text in one.words)
    assert [text for text, count in words.items() if count > 1] == []
    assert all(len(one.words) >= 4 for one in ALL)


def test_months_are_months():
    assert {month for one in ALL for month in one.months} <= set(range(1, 13))


def test_an_activity_is_found_by_its_id_and_an_unknown_one_is_an_error():
    assert activity(ALL[0].activity_id) is ALL[0]
    with pytest.raises(KeyError):
        activity("knitting-on-mars")


def test_pets_can_be_drawn_and_nothing_is_listed_twice():
    assert set(PETS) <= {one.name for one in ANIMALS}
    for names in (CAREERS, PET_NAMES, PETS, TASTES, [one.name for one in RELATIONS_OF_LIVES]):
        assert len(set(names)) == len(names)
    assert all(career.startswith(("a ", "an ")) for career in CAREERS)
    nicknames = Counter(name for one in RELATIONS_OF_LIVES for name in one.nicknames)
    assert max(nicknames.values()) == 1


def test_kin_are_older_or_younger_as_their_relation_says():
    for name in ("mother", "father", "grandmother", "grandfather"):
        assert relation(name).ages[0] >= 18
    for name in ("son", "daughter", "grandson", "granddaughter"):
        assert relation(name).ages[1] <= -18
    assert relation("dog") is None
