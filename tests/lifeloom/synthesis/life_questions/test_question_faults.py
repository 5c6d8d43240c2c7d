"""Planted faults of questions, and the account of what a critic finds of them."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin import BuiltinModel
from lifeloom.streams import Streams
from lifeloom.synthesis.life_questions import counts_for, make_questions
from lifeloom.synthesis.life_questions.question_faults import (
    QUESTION_FAULTS,
    faulty_question,
    measure_question_critic,
)
from tests.lifeloom.synthesis.life_questions.scripted import Scripted
from tests.lifeloom.synthesis.life_questions.worlds import planned

MADE = make_questions(planned(41), "release-1", counts_for(300), Streams(1), edition="corpus").questions


@pytest.mark.parametrize("kind", QUESTION_FAULTS)
def test_a_fault_changes_just_what_it_says(kind) -> None:
    found = 0
    for one in MADE:
        faulty = faulty_question(kind, one, MADE, Streams(1).rng("fault", one.question.question_id))
        if faulty is None:
            continue
        found += 1
        before, after = one.question, faulty.question
        assert before.question == after.question
        if kind == "truth_of_another":
            assert after == before
            assert not set(one.truth) & set(faulty.truth)
        elif kind == "two_right_options":
            texts = [option.text for option in after.options]
            assert len(set(texts)) == 3
            assert after.answer == before.answer
        else:
            assert after.answer != before.answer
            assert (after.options, faulty.truth) == (before.options, one.truth)
            if before.options:
                assert after.answer in "abcd"
            if before.answer_type == "binary":
                assert {before.answer, after.answer} == {"yes", "no"}
    expected = {
        "wrong_option": {"multiple_choice"},
        "two_right_options": {"multiple_choice"},
        "wrong_yes_or_no": {"binary"},
        "wrong_text": {"open_generation"},
    }
    if kind in expected:
        possible = sum(one.question.answer_type in expected[kind] for one in MADE)
        assert 0.9 * possible <= found <= possible
    assert found > 50 or kind == "truth_of_another"


def test_a_critic_that_finds_everything_and_one_that_finds_nothing_are_told_apart() -> None:
    good = {(one.question.question, one.question.answer, (*one.people, *one.truth)): one for one in MADE}

    def knows(asked, sample: int) -> str:
        known = good.get((asked.question, asked.answer, asked.truth))
        texts = [option.text for option in asked.options]
        if len(set(texts)) < len(texts):
            return "ambiguous"
        return "good" if known else "wrong"

    perfect = measure_question_critic(MADE, critic=Scripted(critic=knows), streams=Streams(1), most=100)  # type: ignore[arg-type]
    assert perfect.good == 100
    assert (perfect.good_doubted, perfect.unread) == (0, 0)
    assert perfect.recall == 1
    assert all(one.injected == one.doubted == one.named for one in perfect.faults)
    blind = measure_question_critic(MADE, critic=Scripted(), streams=Streams(1), most=100)  # type: ignore[arg-type]
    assert blind.recall == 0
    assert [one.injected for one in blind.faults] == [one.injected for one in perfect.faults]


def test_a_critic_that_doubts_everything_doubts_good_questions_too() -> None:
    harsh = Scripted(critic=lambda asked, sample: "wrong")
    quality = measure_question_critic(MADE, critic=harsh, streams=Streams(1), most=50)  # type: ignore[arg-type]
    assert (quality.recall, quality.good_doubted) == (1, 50)
    named = {one.kind: one.named for one in quality.faults}
    assert named["two_right_options"] == 0  # found, but for another reason
    assert "| none (good questions) | 50 | 100.0% wrongly | |" in quality.to_markdown()


def test_answers_of_the_critic_that_cannot_be_read_are_counted() -> None:
    mute = Scripted(critic=lambda asked, sample: "nonsense")
    quality = measure_question_critic(MADE, critic=mute, streams=Streams(1), most=20)  # type: ignore[arg-type]
    assert quality.recall == 0
    assert quality.unread == 20 + sum(one.injected for one in quality.faults)


def test_the_built_in_critic_finds_doubled_options_and_foreign_truth() -> None:
    quality = measure_question_critic(MADE, critic=BuiltinModel(), streams=Streams(1), most=200)
    doubted = {one.kind: one.doubted / one.injected for one in quality.faults}
    assert doubted["two_right_options"] == 1
    assert quality.good_doubted <= 0.05 * quality.good
