"""Who a text speaks of."""

import pytest

from lifeloom.synthesis.vaccounts.mentions import mention_problem, names_in, unknown_names, ways_to_call
from tests.lifewords import FAMILY, MINA, REX, SAM_AUNT, SAM_COUSIN, YARA, concept

MOTHER, AUNT, DOG = MINA.concept_id, SAM_AUNT.concept_id, REX.concept_id


def test_somebody_is_called_by_name_nickname_and_relation_and_the_owner_by_the_name():
    assert ways_to_call(MINA, FAMILY) == ("Mina", "Mom", "Mum", "my mother")
    assert ways_to_call(YARA, FAMILY) == ("Yara",)


def test_of_two_of_one_name_each_is_called_by_what_they_are_to_the_owner():
    assert ways_to_call(SAM_AUNT, FAMILY) == ("my aunt",)
    assert ways_to_call(SAM_COUSIN, FAMILY) == ("my cousin",)
    twins = tuple(concept("Kim", "aunt", "Owner's Aunt", concept_id=f"yara-c-kim-{n}") for n in (1, 2))
    assert ways_to_call(twins[0], twins) == ("Kim", "my aunt")


@pytest.mark.parametrize("text", ["With Mina.", "Mom and I", "my mum again", "My mother!", "Mina's day", "(Mum)"])
def test_every_way_to_call_somebody_names_them(text):
    assert mention_problem(text, FAMILY, [MOTHER]) == ""
    assert "Mina, who is not to be named" in mention_problem(text, FAMILY, [])


@pytest.mark.parametrize("text", ["A day alone.", "Minaret tour.", "Mina-Lou came.", "Momentum", "my mothers' club"])
def test_words_that_only_look_alike_name_nobody(text):
    assert mention_problem(text, FAMILY, [MOTHER]) == "does not name Mina"


def test_a_name_that_two_share_is_allowed_where_one_of_them_is_to_be_named():
    assert mention_problem("With Sam.", FAMILY, [AUNT]) == ""
    assert mention_problem("With my cousin.", FAMILY, [AUNT]) == "does not name Sam"
    assert mention_problem("With Sam and my cousin.", FAMILY, [AUNT]) == "names Sam, who is not to be named"


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("Fishing with Zebulon and Mom.", "Zebulon"),
        ("Fishing with Mom, Tamsin and Rex.", "Tamsin"),
        ("Fishing with Dad.", "Dad"),
        ("My uncle came too.", "my uncle"),
        ("Here is Aaliyah.", "Aaliyah"),
        ("We met Mr-T there.", "Mr-T"),
    ],
)
def test_people_whom_nobody_planned_are_found(text, unknown):
    assert unknown in unknown_names(text, FAMILY)
    assert f"names {unknown}, whom nobody knows" in mention_problem(text, FAMILY, [], [MOTHER, DOG])


@pytest.mark.parametrize(
    "text", ["Fishing with Mom on Sunday.", "With Christmas near, I stayed.", "My day. Pepper on everything.", "my dog"]
)
def test_days_feasts_and_plain_words_are_nobody(text):
    assert unknown_names(text, FAMILY) == []


def test_of_names_that_overlap_the_longer_one_stands_there():
    assert names_in("Ana Lou and Ana", ["Ana", "Ana Lou"]) == {"Ana Lou", "Ana"}
    assert names_in("Ana Lou", ["Ana", "Ana Lou"]) == {"Ana Lou"}
    assert names_in("anything", []) == set()
