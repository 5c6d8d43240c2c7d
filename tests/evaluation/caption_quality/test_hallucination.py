"""POPE and CHAIR against calculations by hand."""

from __future__ import annotations

import random

import pytest

from evaluation.caption_quality.hallucination import (
    PopeAnswer,
    PopeQuestion,
    ask_pope,
    chair,
    parse_yes_no,
    pope_questions,
    pope_scores,
)
from tests.evaluation.caption_quality.known import known, speaking

DOG = known("s0", "dog", "person")


def chance(picture_id: str) -> random.Random:
    return random.Random(f"1 {picture_id}")


def test_chair_counts_objects_that_are_not_there_once_each() -> None:
    captions = [
        ("A puppy and a cat near a man. The cat sleeps.", DOG),  # dog, cat, person: one is not there
        ("A red cup.", known("s1", "mug", "car")),  # mug
        ("It is night.", known("s2", "kite")),
    ]
    scores = chair(captions)
    assert (scores.captions, scores.mentions, scores.hallucinated) == (3, 4, 1)
    assert scores.chair_i == pytest.approx(1 / 4)
    assert scores.chair_s == pytest.approx(1 / 3)
    assert scores.coverage == pytest.approx(3 / 5)


def test_chair_passes_over_what_may_be_there() -> None:
    scores = chair([("A dog before shelves of books.", known("s0", "dog", unsure=["book"]))])
    assert (scores.mentions, scores.hallucinated) == (1, 0)


def test_chair_of_nothing_is_nothing() -> None:
    scores = chair([])
    assert (scores.chair_i, scores.chair_s, scores.coverage) == (0.0, 0.0, 0.0)


def test_pope_asks_as_often_for_what_is_there_as_for_what_is_not() -> None:
    pictures = [known("s0", "dog", "person", "mug", "car"), known("s1", "kite", unsure=["book"])]
    questions = pope_questions(pictures, chance)
    for picture, each in zip(pictures, (3, 1), strict=True):
        for setting in ("random", "popular", "adversarial"):
            own = [one for one in questions if (one.picture, one.setting) == (picture, setting)]
            assert [one.there for one in own] == [True] * each + [False] * each
            assert all((one.thing in picture.objects) == one.there for one in own)
            assert len({one.thing for one in own}) == 2 * each
    assert all(one.thing != "book" for one in questions if one.picture is pictures[1])


def test_popular_objects_are_those_of_most_pictures_and_adversarial_ones_stand_with_what_is_there() -> None:
    # Cars are in most pictures; with a dog there is a mug most often.
    pictures = [
        known("s0", "dog"),
        *(known(f"d{number}", "dog", "mug") for number in range(2)),
        *(known(f"c{number}", "car") for number in range(4)),
    ]
    asked = {one.setting: one.thing for one in pope_questions(pictures, chance) if one.picture.picture_id == "s0"}
    assert asked["popular"] == "car"
    assert asked["adversarial"] == "mug"


def test_questions_about_a_picture_depend_on_no_other_pictures_chance() -> None:
    alone = pope_questions([DOG], chance)
    among = [one for one in pope_questions([known("a", "kite"), DOG], chance) if one.picture is DOG]
    assert [one for one in alone if one.setting == "random"] == [one for one in among if one.setting == "random"]


def answers(*said: tuple[bool, bool | None]) -> list[PopeAnswer]:
    """Answers, put as whether the thing is there and what was said."""
    return [PopeAnswer(PopeQuestion(DOG, "random", "dog", there), yes) for there, yes in said]


def test_pope_scores_are_those_of_yes() -> None:
    # There: yes, yes, no, nothing. Not there: no, no, no, yes.
    given = answers((True, True), (True, True), (True, False), (True, None), *([(False, False)] * 3), (False, True))
    scores = pope_scores(given)
    assert scores.questions == 8
    assert scores.accuracy == pytest.approx(5 / 8)
    assert scores.precision == pytest.approx(2 / 3)
    assert scores.recall == pytest.approx(2 / 4)
    assert scores.f1 == pytest.approx(4 / 7)
    assert scores.yes == pytest.approx(3 / 8)
    assert scores.unreadable == 1


def test_who_always_says_yes_is_right_half_the_time_with_a_recall_of_one() -> None:
    questions = pope_questions([DOG, known("s1", "mug")], chance)
    scores = pope_scores(ask_pope(speaking(lambda asked: "Yes, there is."), questions))
    assert (scores.accuracy, scores.recall, scores.yes) == (0.5, 1.0, 1.0)


def test_things_are_asked_for_with_their_article_and_failures_keep_their_reason() -> None:
    heard = []

    def say(asked: object) -> str:
        heard.append(getattr(asked, "thing", ""))
        return ["No.", "maybe", "reject:bad_json"][len(heard) - 1]

    questions = [PopeQuestion(DOG, "random", thing, there=False) for thing in ("apple", "mug", "person")]
    given = ask_pope(speaking(say), questions)
    assert heard == ["an apple", "a mug", "a person"]
    assert [(one.yes, one.failure) for one in given] == [(False, ""), (None, "unreadable"), (None, "bad_json")]


@pytest.mark.parametrize(
    ("text", "said"),
    [("Yes.", True), ("**No**, there is none", False), (" yes", True), ("Not sure", None), ("", None), ("Nope", None)],
)
def test_an_answer_begins_with_yes_or_no(text: str, said: bool | None) -> None:
    assert parse_yes_no(text) is said
