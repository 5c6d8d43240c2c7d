from __future__ import annotations

import random

import pytest

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.replies import reply
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.records import AREAS
from lifeloom.tasks.session_writing import StatementBrief, TurnBrief

KINDS = ("direct", "indirect", "mention", "anaphora", "negation", "correction", "shift", "given_up", "other_person")
FACT_KINDS = ("preference", "detail", "interest", "goal", "intent", "relationship")


def _turn(kind="direct", fact_kind="preference", area="drink", statements=1):
    aim = fact_kind in ("goal", "intent")
    said = StatementBrief(
        fact_kind=fact_kind,
        statement_kind=kind,
        phrase="Zelda" if fact_kind == "relationship" else "evening drink",
        value="cross the Gobi" if aim else "qvass",
        previous_value=("swim to Malta" if aim else "mezcal") if kind in ("shift", "correction") else "",
        holder_name="Oyelaran" if kind == "other_person" else "",
        holder_relation="stepbrother" if kind == "other_person" else "",
    )
    return TurnBrief(position=1, local_time="20:15", act="statement", area=area, statements=(said,) * statements)


def _replies(turn, count=400, edition="release", seed=1):
    rng = random.Random(seed)
    return [reply(turn, "", edition, rng) for _ in range(count)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fact_kind", FACT_KINDS)
def test_every_kind_of_statement_gets_an_answer_of_the_right_length(kind, fact_kind):
    for area in AREAS:
        for text in _replies(_turn(kind, fact_kind, area), 4):
            assert 80 <= len(text.split()) <= 130, text
            assert "{" not in text


def test_a_turn_with_several_statements_still_gets_an_answer_of_the_right_length():
    for count in (0, 2, 3, 4):
        for text in _replies(_turn("correction", "goal", statements=count), 100):
            assert 80 <= len(text.split()) <= 130, text


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "mention"])
def test_the_value_is_said_again_in_about_three_answers_of_ten_whoever_holds_it(kind):
    echoed = sum("qvass" in text.lower() for text in _replies(_turn(kind), 1500))
    assert 0.25 <= echoed / 1500 <= 0.35


@pytest.mark.parametrize("fact_kind", ["preference", "detail", "interest", "goal", "intent"])
def test_another_persons_value_is_never_given_to_the_user(fact_kind):
    for text in _replies(_turn("other_person", fact_kind), 1500):
        for sentence in text.split(". "):
            if "qvass" in sentence.lower() or "Gobi" in sentence:
                assert "Oyelaran" in sentence
                assert "your evening drink" not in sentence
                assert "you want" not in sentence


@pytest.mark.parametrize("kind", ["negation", "given_up"])
def test_what_the_user_does_not_hold_is_never_confirmed(kind):
    denials = ("not", "no ", "off", "out", "other than", "was an idea", "goodbye")
    for text in _replies(_turn(kind), 1500):
        for sentence in text.split(". "):
            if "qvass" in sentence.lower():
                assert any(word in sentence.lower() for word in denials), sentence


@pytest.mark.parametrize("kind", ["shift", "correction"])
def test_the_value_that_was_left_behind_is_not_said_to_hold(kind):
    wrong = ("mezcal it is", "your evening drink is mezcal", "from qvass", "not qvass", "mezcal instead of qvass")
    for text in _replies(_turn(kind), 1500):
        for phrase in wrong:
            assert phrase not in text.lower()


def test_a_mention_is_not_taken_for_a_commitment():
    for text in _replies(_turn("mention"), 800):
        assert "your evening drink" not in text


def test_advice_is_long_enough_concrete_and_about_nobody():
    advice = load("advice")
    assert set(advice) == set(AREAS)
    for entries in advice.values():
        assert len(set(entries)) >= 30
        for sentence in entries:
            assert 12 <= len(sentence.split()) <= 28, sentence
            assert not {"you", "your", "you're", "i"} & set(sentence.lower().replace(",", "").split()) or (
                "your own words" in sentence
            ), sentence


def test_advice_that_the_user_has_just_heard_is_not_given_again():
    heard = load("advice")["drink"][0]
    rng = random.Random(5)
    assert all(heard not in reply(_turn(), f"You said: {heard}", "corpus", rng) for _ in range(300))


def test_the_corpus_never_uses_what_is_for_releases_only():
    kept_back = [
        text for area in AREAS for text in load("advice")[area][len(for_edition(load("advice")[area], "corpus")) :]
    ]
    said = "\n".join(text for area in AREAS for text in _replies(_turn(area=area), 80, "corpus"))
    assert not [text for text in kept_back if text in said]


def test_the_same_random_stream_gives_the_same_answer():
    assert _replies(_turn("shift"), 20) == _replies(_turn("shift"), 20)


def test_a_holder_without_a_name_leaves_no_gap():
    said = StatementBrief(fact_kind="detail", statement_kind="other_person", phrase="home town", value="Qaanaaq")
    turn = TurnBrief(position=1, local_time="20:15", act="statement", area="home", statements=(said,))
    for text in _replies(turn):
        assert "  " not in text
        assert " ," not in text
        assert not text.startswith(" ")


def test_a_value_of_endless_length_is_not_repeated():
    said = StatementBrief(fact_kind="goal", statement_kind="direct", phrase="goal", value="swim " * 300)
    turn = TurnBrief(position=1, local_time="20:15", act="statement", area="sport", statements=(said,))
    assert all(80 <= len(text.split()) <= 130 for text in _replies(turn))


@pytest.mark.parametrize("edition", ["corpus", "release"])
def test_no_advice_is_given_twice_in_a_session_also_if_it_stays_with_one_area(edition):
    every = [*load("advice")["drink"], *load("replies")["general"]["advice"]]
    rng = random.Random(3)
    for _ in range(20):
        used: set[str] = set()
        said = [reply(_turn(), "", edition, rng, used) for _ in range(6)]
        counts = [sum(advice in text for text in said) for advice in every]
        assert sum(counts) >= 12
        assert max(counts) == 1


def test_acknowledgements_bridges_and_questions_do_not_recur_while_there_are_others():
    parts = load("replies")
    rng = random.Random(4)
    for _ in range(30):
        used: set[str] = set()
        said = [reply(_turn("shift"), "", "corpus", rng, used) for _ in range(6)]
        for item in (*parts["acknowledgements"]["shift"], *parts["general"]["bridges"], *parts["general"]["questions"]):
            assert sum(item in text for text in said) <= 1, item


def test_statements_of_several_kinds_are_acknowledged_in_words_that_suit_any():
    one, other = (_turn(kind).statements[0] for kind in ("correction", "other_person"))
    turn = TurnBrief(position=1, local_time="20:15", act="statement", area="drink", statements=(one, other))
    neutral = tuple(load("replies")["acknowledgements"]["none"])
    assert all(text.startswith(neutral) for text in _replies(turn, 100))


def test_general_advice_is_long_enough_and_about_nobody():
    advice = load("replies")["general"]["advice"]
    assert len(set(advice)) == len(advice) >= 24
    for sentence in advice:
        assert 12 <= len(sentence.split()) <= 28, sentence
        assert not {"you", "your", "you're", "i"} & set(sentence.lower().replace(",", "").split())
