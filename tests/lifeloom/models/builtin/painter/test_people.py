from __future__ import annotations

import random
from itertools import combinations

import pytest

from lifeloom.models.builtin.painter.people import (
    COVERS,
    DYED,
    GREYS,
    TooAlike,
    WantedPerson,
    distance,
    draw_people,
    too_alike,
)
from lifeloom.records import Appearance

PLAIN = Appearance(hair="bob", hair_colour="#211c1e", skin="#ffdbb4", brows="")


def altered(**features: str) -> Appearance:
    return PLAIN.model_copy(update=features)


@pytest.mark.parametrize(
    ("other", "apart"),
    [
        (altered(), 0.0),
        (altered(hair="fro"), 1.0),
        (altered(hair="miaWallace"), 0.5),  # another bob
        (altered(hair_colour="#3f74bd"), 1.0),
        (altered(hair_colour="#54362a"), 0.5),  # dark brown beside black
        (altered(skin="#edb98a"), 0.5),
        (altered(skin="#614335"), 1.0),
        (altered(glasses="round", rim_colour="#c0392b"), 1.0),
        (altered(beard="beardLight"), 1.0),
        (altered(brows="Natural", age="old"), 0.0),
        (altered(hair="fro", hair_colour="#3f74bd", skin="#614335", glasses="round", rim_colour="#c0392b",
                 beard="beardLight"), 5.0),
    ],
)  # fmt: skip
def test_distance_counts_what_is_plainly_seen(other: Appearance, apart: float) -> None:
    assert distance(PLAIN, other) == apart
    assert distance(other, PLAIN) == apart


def test_distance_tells_glasses_by_shape_and_rim() -> None:
    round_red = altered(glasses="round", rim_colour="#c0392b")
    assert distance(round_red, altered(glasses="round", rim_colour="#25557c")) == 0.5
    assert distance(round_red, altered(glasses="prescription01", rim_colour="#25557c")) == 1.0


def test_distance_tells_full_beards_from_moustaches() -> None:
    full = altered(beard="beardMajestic")
    assert distance(full, altered(beard="beardMedium")) == 0.5
    assert distance(full, altered(beard="moustacheFancy")) == 1.0


def test_distance_refuses_features_that_nobody_draws() -> None:
    with pytest.raises(ValueError, match="'mohawk' is no feature"):
        distance(PLAIN, altered(hair="mohawk"))


def test_three_hundred_people_keep_the_stated_distance() -> None:
    people = draw_people(random.Random(1), [WantedPerson() for _ in range(300)])
    assert len(people) == 300
    assert too_alike(people, 2.0) == []


def test_the_same_chance_draws_the_same_people() -> None:
    wanted = [WantedPerson("old"), WantedPerson(), WantedPerson("young", kin_of=0)]
    assert draw_people(random.Random(4), wanted) == draw_people(random.Random(4), wanted)
    assert draw_people(random.Random(4), wanted) != draw_people(random.Random(5), wanted)


def test_people_keep_their_distance_from_those_drawn_before() -> None:
    before = draw_people(random.Random(1), [WantedPerson() for _ in range(40)])
    after = draw_people(random.Random(2), [WantedPerson() for _ in range(40)], apart_from=before)
    assert min(distance(one, other) for one in before for other in after) >= 2.0


def test_kin_share_skin_and_brows_and_hair_colour_where_it_shows_and_stay_apart() -> None:
    sharing = 0
    for seed in range(20):
        family = draw_people(random.Random(seed), [WantedPerson(), WantedPerson("young", 0), WantedPerson("grown", 0)])
        assert {(one.skin, one.brows) for one in family} == {(family[0].skin, family[0].brows)}
        assert min(distance(one, other) for one, other in combinations(family, 2)) >= 2.0
        uncovered = [one for one in family if one.hair not in COVERS]
        sharing += len(uncovered) == 3 and len({one.hair_colour for one in uncovered}) == 1
    assert sharing >= 10


def test_ages_show_in_hair_and_beards() -> None:
    people = draw_people(random.Random(3), [WantedPerson(("young", "old")[number % 2]) for number in range(60)])
    young, old = people[::2], people[1::2]
    assert not any(one.beard for one in young)
    assert all(one.hair_colour in GREYS for one in old if one.hair not in COVERS)
    assert not any(one.hair_colour in GREYS for one in young)


def test_nobody_has_a_dyed_beard() -> None:
    people = draw_people(random.Random(6), [WantedPerson() for _ in range(200)])
    assert not any(one.beard and one.hair_colour in DYED for one in people)


def test_a_full_library_says_how_many_fit_and_what_to_do() -> None:
    with pytest.raises(TooAlike, match="ask for fewer people, more variety of age, or a smaller min_distance") as full:
        draw_people(random.Random(1), [WantedPerson() for _ in range(40)], min_distance=4.0)
    assert full.value.wanted == 40
    assert 2 < full.value.found < 40


def test_kin_must_be_drawn_before() -> None:
    with pytest.raises(ValueError, match=r"wanted\[1\] is kin of 1"):
        draw_people(random.Random(1), [WantedPerson(), WantedPerson(kin_of=1)])


def test_a_library_with_two_people_too_alike_is_found() -> None:
    people = list(draw_people(random.Random(1), [WantedPerson() for _ in range(12)]))
    people.append(people[4].model_copy(update={"brows": "", "age": "old"}))
    assert too_alike(people) == [(4, 12, 0.0)]
    assert too_alike(people[:1]) == []
    assert too_alike([]) == []
