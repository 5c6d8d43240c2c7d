"""Who is meant by names, nicknames and chains of relations."""

import pytest

from lifeloom.models.builtin.reader.kinship import Person, mentions, owner_of, relation_of, resolve

FAMILY = (
    Person("David", "Account Owner"),
    Person("Rylen", "Owner's Grandson"),
    Person("Zosime", "Owner's Mother"),
    Person("Ana", "Owner's Aunt"),
    Person("Bo", "Owner's Sister"),
    Person("Ivo", "Owner's Daughter"),
    Person("Lee", "Owner's Best Friend", ("Lulu",)),
    Person("Mary Ann", "Owner's Cousin"),
    Person("Rex", "Owner's Dog"),
    Person("Kim", "Owner's Partner"),
)


@pytest.mark.parametrize(
    ("phrase", "who"),
    [
        ("David", ["David"]),
        ("the account owner", ["David"]),
        ("me", ["David"]),
        ("Lulu", ["Lee"]),
        ("Mom", ["Zosime"]),
        ("my aunt", ["Ana"]),
        ("the owner's dog", ["Rex"]),
        ("David's pet", ["Rex"]),
        ("Rex's owner", ["David"]),
        ("David's spouse", ["Kim"]),
        ("Kim's husband", ["David"]),
        ("Mary Ann's cousin", ["David", "Bo"]),
        ("my friend", ["Lee"]),
    ],
)
def test_names_nicknames_and_relations_to_the_owner_are_understood(phrase: str, who: list[str]) -> None:
    assert list(resolve(phrase, FAMILY)) == who


@pytest.mark.parametrize(
    ("phrase", "who"),
    [
        ("Rylen's grandfather", ["David"]),
        ("Rylen's grandparent's mother", ["Zosime"]),
        ("David's mother's son", ["David"]),
        ("David’s mother’s daughter", ["David", "Bo"]),  # of David nobody has said that he is a man
        ("Bo's mother", ["Zosime"]),
        ("Ivo's grandmother", ["Zosime"]),
        ("Ivo's aunt", ["Bo"]),
        ("Zosime's granddaughter", ["Ivo"]),
        ("Ana's nephew", ["David"]),
    ],
)
def test_chains_are_followed_through_the_owner(phrase: str, who: list[str]) -> None:
    assert list(resolve(phrase, FAMILY)) == who


def test_what_is_only_possible_is_said_where_nothing_is_certain() -> None:
    # A grandson's mother may be the daughter, and an aunt may be the sister of the mother.
    assert resolve("Rylen's mother", FAMILY) == ("Ivo",)
    assert resolve("Ana's sister", FAMILY) == ("Zosime",)
    # The owner is their parent for certain, the partner perhaps.
    assert resolve("Ivo's parent", FAMILY) == ("David",)


@pytest.mark.parametrize(
    "phrase", ["David's uncle", "Rylen's dog", "Rylen's sister", "my horse", "Ottilie", "David's mother's grandson", ""]
)
def test_who_is_not_known_is_nobody(phrase: str) -> None:
    assert resolve(phrase, FAMILY) == ()


def test_two_of_one_name_are_both_returned() -> None:
    people = (Person("Sam", "Account Owner"), Person("Kai", "Owner's Brother"), Person("Kai", "Owner's Dog"))
    assert resolve("Kai", people) == ("Kai", "Kai")
    assert resolve("my brother", people) == ("Kai",)


def test_mentions_are_found_as_whole_chains_in_the_order_of_the_text() -> None:
    text = "A picnic with Rylen's grandfather, Mom and the dog; Mary Ann could not come."
    found = mentions(text, FAMILY)
    assert [(text[start:end], names) for start, end, names in found] == [
        ("Rylen's grandfather", ("David",)),
        ("Mom", ("Zosime",)),
        ("the dog", ("Rex",)),
        ("Mary Ann", ("Mary Ann",)),
    ]


def test_without_a_role_the_owner_is_known_by_name() -> None:
    people = (Person("David", ""), Person("Zosime", "Owner's Mother"))
    assert owner_of(people) is None
    assert resolve("my mother", people) == ()
    assert resolve("my mother", people, "David") == ("Zosime",)


def test_roles_are_read_in_any_case() -> None:
    assert relation_of("Owner's Best Friend") == "best friend"
    assert relation_of("the account owner’s MOTHER") == "mother"
    assert relation_of("Account Owner") == ""
