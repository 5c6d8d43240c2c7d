"""Outlines of Vaccounts: people who can belong to each other."""

from __future__ import annotations

import pytest

from lifeloom.streams import Streams
from lifeloom.synthesis.vaccounts.outlines import draw_outline, slug

HUNDRED = [draw_outline(Streams(11), number) for number in range(100)]


def test_there_are_three_to_five_concepts_and_a_pet_in_about_one_vaccount_of_two():
    assert {1 + len(one.relatives) for one in HUNDRED} == {3, 4, 5}
    pets = [[other for other in one.relatives if other.kind == "animal"] for one in HUNDRED]
    assert max(map(len, pets)) == 1
    assert 30 <= sum(map(len, pets)) <= 70


def test_parents_are_a_generation_older_than_their_children():
    children = {
        "grandmother": ("mother", "father", "aunt", "uncle"),
        "mother": ("owner", "sister", "brother"),
        "owner": ("son", "daughter"),
        "son": ("grandson", "granddaughter"),
    }
    children |= {
        "grandfather": children["grandmother"],
        "father": children["mother"],
        "daughter": children["son"],
    }
    pairs = 0
    for number in range(400):
        outline = draw_outline(Streams(12), number)
        ages = {one.relation: one.age for one in outline.relatives} | {"owner": outline.age}
        for parent, names in children.items():
            for child in names:
                if parent in ages and child in ages:
                    pairs += 1
                    assert ages[parent] - ages[child] >= 18, (parent, child, outline)
    assert pairs > 300


def test_everybody_has_an_age_that_people_reach_and_a_name_that_no_slip_turns_into_another():
    for outline in HUNDRED:
        assert all(1 <= one.age <= 96 for one in outline.relatives)
        names = [outline.name, *(one.name for one in outline.relatives)]
        assert len({name[:2] for name in names}) == len(names)
        relations = [one.relation for one in outline.relatives]
        assert len(set(relations)) == len(relations)


def test_an_outline_is_the_same_whatever_others_are_drawn():
    alone = draw_outline(Streams(5), 7)
    draw_outline(Streams(5), 3)
    assert draw_outline(Streams(5), 7) == alone
    assert draw_outline(Streams(6), 7) != alone


def test_the_owner_of_a_name_that_is_taken_is_not_drawn_again():
    first = draw_outline(Streams(5), 0)
    again = draw_outline(Streams(5), 0, taken=[first.vaccount_id])
    assert again.vaccount_id != first.vaccount_id


def test_one_concept_is_an_owner_without_relatives():
    assert draw_outline(Streams(5), 0, concepts=(1, 1)).relatives == ()


def test_more_relatives_than_there_are_kinds_are_refused():
    with pytest.raises(ValueError, match="ask for fewer concepts"):
        draw_outline(Streams(5), 0, concepts=(40, 40))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ana", "ana"),
        ("Zoë-Marie O'Neill", "zoe-marie-o-neill"),
        ("  ", "x"),
        ("李", "x"),
        ("a" * 80, "a" * 24),
        ("Maximiliana Aurelia Bea Sue", "maximiliana-aurelia-bea"),
    ],
)
def test_a_name_becomes_a_short_id(name, expected):
    assert slug(name) == expected
