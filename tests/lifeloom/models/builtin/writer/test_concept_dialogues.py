"""Dialogues about a picture in words: all that is planned, nothing besides, in many forms, some for releases only."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import get_args

import pytest

from lifeloom.models.builtin.writer.concept_dialogues import said_day, write_dialogue
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.records import DIALOGUE_FACTS, Edition, LibraryCategory
from lifeloom.tasks import ConceptDialogueInput, FactBrief

LISTS = load("concept_dialogues")
VALUES = {
    "place": "Dunmore Bakery",
    "time": "14 March 2025",
    "event": "the map fair",
    "companion": "cousin Anya",
    "object": "four stamps",
}
CATEGORIES: dict[LibraryCategory, tuple[str, str]] = {
    "human": ("person", "Nadia"),
    "animal": ("owl", "Biscuit"),
    "object": ("red mug", "the mug from Petra"),
}


def asked(
    *turns: tuple[str, ...], category: LibraryCategory = "human", edition: Edition = "corpus"
) -> ConceptDialogueInput:
    noun, handle = CATEGORIES[category]
    briefs = tuple(tuple(FactBrief(kind=kind, value=VALUES[kind]) for kind in turn) for turn in turns)  # type: ignore[arg-type]
    return ConceptDialogueInput(edition=edition, category=category, noun=noun, handle=handle, turns=briefs)


def said(count: int, *turns: tuple[str, ...], edition: Edition = "corpus", category: LibraryCategory = "human") -> str:
    """All that the user says in ``count`` dialogues."""
    order = asked(*turns, category=category, edition=edition)
    return "\n".join(
        " ".join(turn.user for turn in write_dialogue(order, random.Random(seed)).turns) for seed in range(count)
    )


@pytest.mark.parametrize("kind", ["introduction", *DIALOGUE_FACTS, "reply", "question", "nothing_new"])
def test_there_are_many_ways_to_say_each_thing_and_no_two_are_the_same(kind: str) -> None:
    for wordings in LISTS[kind].values():
        assert len(wordings) >= 8
        assert len(set(wordings)) == len(wordings)


@pytest.mark.parametrize("kind", DIALOGUE_FACTS)
def test_every_wording_says_its_value_once(kind: str) -> None:
    for wordings in LISTS[kind].values():
        assert all(one.count("{v}") + one.count("{v_cap}") == 1 for one in wordings)


def test_every_introduction_says_what_the_user_calls_it() -> None:
    assert set(LISTS["introduction"]) == set(get_args(LibraryCategory))
    for wordings in LISTS["introduction"].values():
        assert all(one.count("{h}") == 1 for one in wordings)


def test_no_article_is_put_before_a_noun_that_may_start_with_a_vowel() -> None:
    assert not any(re.search(r"\ban? \{", one) for lists in LISTS.values() for those in lists.values() for one in those)


@pytest.mark.parametrize("category", CATEGORIES)
def test_facts_are_told_in_their_turns_and_the_assistant_adds_none(category: LibraryCategory) -> None:
    order = asked(("place", "companion"), ("event", "object"), ("time",), category=category)
    for seed in range(40):
        turns = write_dialogue(order, random.Random(seed)).turns
        assert len(turns) == 3
        assert CATEGORIES[category][1].lower() in turns[0].user.lower()
        assert "Dunmore Bakery" in turns[0].user
        assert "cousin Anya" in turns[0].user
        assert "the map fair" in turns[1].user.lower()
        assert re.search(r"\b(four|4) stamps\b", turns[1].user, re.IGNORECASE)
        assert "2025" in turns[2].user
        assert not any(
            word in turn.assistant for turn in turns for word in ("Dunmore", "Anya", "stamps", "2025", "fair")
        )
        assert [turn.assistant.endswith("?") for turn in turns] == [True, True, False]
        for turn in turns:
            for sentence in re.split(r"(?<=[.!?:]) (?=[A-Z])", turn.user):
                assert sentence[0].isupper() or sentence[0].isdigit()


def test_a_turn_without_facts_says_that_there_is_nothing_more() -> None:
    turns = write_dialogue(asked(("place",), ()), random.Random(1)).turns
    assert turns[1].user in LISTS["nothing_new"]["any"]


@pytest.mark.parametrize("kind", DIALOGUE_FACTS)
def test_the_last_third_of_the_wordings_is_for_releases_only(kind: str) -> None:
    wordings = LISTS[kind].get("human") or LISTS[kind]["any"]
    starts = [re.split(r"\{v(?:_cap)?\}", one.replace("{h}", "Nadia")) for one in wordings]

    def used(text: str) -> list[bool]:
        return [bool(re.search(f"{re.escape(before)}.{{5,40}}{re.escape(after)}", text)) for before, after in starts]

    corpus, release = said(200, (kind,)), said(200, (kind,), edition="release")
    assert used(corpus) == [True] * 6 + [False] * 3
    assert used(release) == [True] * 9


@pytest.mark.parametrize(
    ("value", "forms"),
    [
        ("14 March 2025", {"14 March 2025", "March 14, 2025", "the 14th of March 2025", "2025-03-14"}),
        ("1 May 2024", {"1 May 2024", "May 1, 2024", "the 1st of May 2024", "2024-05-01"}),
        ("22 June 2024", {"22 June 2024", "June 22, 2024", "the 22nd of June 2024", "2024-06-22"}),
        ("3 July 2024", {"3 July 2024", "July 3, 2024", "the 3rd of July 2024", "2024-07-03"}),
        ("12 July 2024", {"12 July 2024", "July 12, 2024", "the 12th of July 2024", "2024-07-12"}),
        (
            "14 March 2025 at 7:30",
            {
                "14 March 2025 at 7:30",
                "March 14, 2025 at 7:30",
                "the 14th of March 2025 at 7:30",
                "2025-03-14 at 7:30",
            },
        ),
        ("last spring", {"last spring"}),
    ],
)
def test_a_day_is_told_in_the_forms_that_people_write(value: str, forms: set[str]) -> None:
    rng = random.Random(3)
    assert {said_day(value, rng) for _ in range(60)} == forms


def test_numbers_are_told_as_words_and_as_digits() -> None:
    text = said(200, ("object",)).lower()
    digits = text.count("4 stamps")
    assert digits + text.count("four stamps") == 200
    assert 50 < digits < 110


def test_wordings_are_used_about_equally_and_none_twice_in_a_dialogue() -> None:
    order = asked(("place",), ("event",), ("time",))
    replies = [[turn.assistant for turn in write_dialogue(order, random.Random(seed)).turns] for seed in range(120)]
    assert all(len({re.split(r"(?<=[.]) ", one)[0] for one in three}) == 3 for three in replies)
    counts = Counter(re.split(r"(?<=[.]) ", one)[0] for three in replies for one in three)
    assert min(counts.values()) > 30
