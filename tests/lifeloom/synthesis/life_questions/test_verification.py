"""Several rounds of a critic with and without the ground truth, and people's last word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lifeloom.models.builtin import BuiltinModel
from lifeloom.models.protocol import ModelUnavailable
from lifeloom.streams import Streams
from lifeloom.synthesis.life_questions import MadeQuestion, counts_for, make_questions
from lifeloom.synthesis.life_questions.reviewing import question_review_items, review_id
from lifeloom.synthesis.life_questions.verification import Verified, Verifier
from lifeloom.synthesis.review import ReviewAnswers, queue_path, read_answers, write_queue
from lifeloom.tasks import LIFE_ANSWER, LIFE_JUDGEMENT, QUESTION_CRITIQUE
from tests.lifeloom.synthesis.life_questions.scripted import Scripted
from tests.lifeloom.synthesis.life_questions.worlds import planned

KEY = "release/life_bench/2026-01-05"
LIFE = planned(31)
MADE = make_questions(LIFE, "release-1", counts_for(200), Streams(1), edition="corpus").questions
OPEN = [one for one in MADE if one.question.answer_type == "open_generation"]


def verified(
    model: Scripted, made: Sequence[MadeQuestion] = MADE, answers: ReviewAnswers | None = None, **more: Any
) -> Verified:
    verifier = Verifier(model, model, model, Streams(1), answers=answers or ReviewAnswers(), **more)  # type: ignore[arg-type]
    out = verifier.verify(made)
    assert len(made) == len(out.kept) + len(out.rejections)
    return out


@pytest.mark.parametrize("verdict", ["wrong", "ambiguous", "unanswerable"])
def test_what_the_critic_finds_wanting_in_every_round_is_dropped_with_its_reason(verdict: str) -> None:
    bad = MADE[5].question.question
    out = verified(Scripted(critic=lambda asked, sample: verdict if asked.question == bad else "good"))
    dropped = [one for one in MADE if one.question.question == bad]
    assert [one for one in MADE if one not in dropped] == out.kept
    assert [one.item for one in out.rejections] == [
        f"{one.question.task} {one.question.question_id}" for one in dropped
    ]
    for rejection in out.rejections:
        assert rejection.reason == verdict
        assert bad in rejection.detail
        assert f"it is {verdict}" in rejection.detail
    assert out.verdicts[verdict] == 2 * len(dropped)
    assert out.doubts == {}


def test_what_only_some_rounds_find_wanting_is_kept_and_a_person_is_asked() -> None:
    out = verified(Scripted(critic=lambda asked, sample: "ambiguous" if sample == 1 else "good"), MADE[:4])
    assert out.kept == MADE[:4]
    assert out.doubts == {one.question.question_id: "ambiguous: it is ambiguous" for one in MADE[:4]}


def test_a_critic_that_says_nothing_readable_leaves_a_doubt_and_drops_nothing() -> None:
    out = verified(Scripted(critic=lambda asked, sample: "nonsense"), MADE[:4])
    assert out.kept == MADE[:4]
    assert set(out.doubts) == {one.question.question_id for one in MADE[:4]}
    assert out.verdicts == {"no_verdict": 8}


def test_each_round_reads_the_same_truth_in_another_order() -> None:
    model = Scripted()
    one = next(one for one in MADE if len(one.truth) > 10)
    verified(model, [one], rounds=3)
    truths = [asked.truth for name, asked, _ in model.asked if name == QUESTION_CRITIQUE.name]
    assert truths[0] == (*one.people, *one.truth)
    assert all(truth[: len(one.people)] == one.people for truth in truths)
    assert all(sorted(truth) == sorted(truths[0]) for truth in truths)
    assert len(set(truths)) == 3


def test_an_open_question_answered_right_without_the_life_in_every_round_is_dropped() -> None:
    known = OPEN[0].question
    by_words = Scripted(reader=lambda asked, sample: known.answer.upper())
    out = verified(by_words, OPEN[:1])
    assert [one.reason for one in out.rejections] == ["answered_without_context"]
    assert out.alone == {"right": 2}
    assert not [name for name, _, _ in by_words.asked if name == LIFE_JUDGEMENT.name]  # the words are the same
    by_judge = Scripted(reader=lambda asked, sample: "A guess.", judge=lambda asked, sample: "Correct")
    assert [one.reason for one in verified(by_judge, OPEN[:1]).rejections] == ["answered_without_context"]


def test_the_reader_is_told_nothing_but_the_question() -> None:
    model = Scripted()
    verified(model, OPEN[:3])
    for name, asked, _ in model.asked:
        if name == LIFE_ANSWER.name:
            assert asked.question in {one.question.question for one in OPEN[:3]}
            assert (asked.owner, asked.concepts, asked.images, asked.facts, asked.notes) == ("", (), (), (), ())


def test_an_open_question_guessed_in_one_round_only_stays() -> None:
    answer = OPEN[0].question.answer
    out = verified(Scripted(reader=lambda asked, sample: answer if sample == 0 else "No idea."), OPEN[:1])
    assert out.kept == OPEN[:1]
    assert out.alone == {"right": 1, "not_right": 1}


def test_answers_without_the_life_that_cannot_be_read_or_judged_are_counted_and_drop_nothing() -> None:
    out = verified(Scripted(reader=lambda asked, sample: "nonsense"), OPEN[:2])
    assert (len(out.kept), out.alone) == (2, {"no_answer": 2})
    out = verified(Scripted(judge=lambda asked, sample: "nonsense"), OPEN[:2])
    assert (len(out.kept), out.alone) == (2, {"not_judged": 2})


def test_chance_on_choices_and_yes_or_no_drops_nothing() -> None:
    closed = [one for one in MADE if one.question.answer_type != "open_generation"]
    model = Scripted(reader=lambda asked, sample: "yes", judge=lambda asked, sample: "Correct")
    assert verified(model, closed).kept == closed
    assert {name for name, _, _ in model.asked} == {QUESTION_CRITIQUE.name}


def test_a_model_that_stops_answering_is_not_taken_for_a_verdict() -> None:
    def gone(asked: Any, sample: int) -> str:
        raise ModelUnavailable("the server is gone")

    with pytest.raises(ModelUnavailable):
        verified(Scripted(critic=gone))


def test_threads_give_the_same_as_one_after_another() -> None:
    def critic(asked: Any, sample: int) -> str:
        return "wrong" if len(asked.question) % 5 == 0 else "ambiguous" if len(asked.answer) % 7 == sample else "good"

    assert verified(Scripted(critic=critic)) == verified(Scripted(critic=critic), workers=4)


def test_no_rounds_are_refused() -> None:
    with pytest.raises(ValueError, match="one round or more"):
        verified(Scripted(), rounds=0)


def test_people_have_the_last_word_and_nobody_is_asked_again(tmp_path: Path) -> None:
    doubting = Scripted(critic=lambda asked, sample: "ambiguous" if sample else "good")
    first = verified(doubting, MADE[:4])
    items = question_review_items(first.kept, first.doubts, key=KEY)
    assert [item.item_id for item in items] == [review_id(one.question) for one in MADE[:4]]
    write_queue(tmp_path, KEY, items)
    path = queue_path(tmp_path, KEY)
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    entries[0] |= {"answer": "accept"}
    entries[1] |= {"answer": "reject", "note": "two photos fit"}
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    harsh = Scripted(critic=lambda asked, sample: "wrong")
    second = verified(harsh, MADE[:4], read_answers(tmp_path, KEY))
    assert second.kept == MADE[:1]
    assert [one.reason for one in second.rejections] == ["rejected_by_reviewer", "wrong", "wrong"]
    assert "two photos fit" in second.rejections[0].detail
    assert second.doubts == {}
    asked = {task_input.question for _, task_input, _ in harsh.asked}
    assert asked == {one.question.question for one in MADE[2:4]}


def test_an_answer_is_not_taken_for_another_question_of_the_same_id() -> None:
    question = MADE[0].question
    for fields in ({"answer": "b"}, {"question": "Who?"}, {"options": question.options[::-1]}):
        assert review_id(question.model_copy(update=fields)) != review_id(question)
    assert review_id(question.model_copy(update={"question_id": "renamed"})) == review_id(question)


def test_an_entry_shows_all_that_is_needed_to_judge_a_question() -> None:
    for made, item in zip(MADE, question_review_items(MADE, {}, key=KEY, sample=len(MADE)), strict=True):
        question = made.question
        assert question.question in item.what
        for option in question.options:
            mark = "->" if option.letter == question.answer else "  "
            assert f"{mark} ({option.letter}) {option.text} [{option.source}]" in item.what
        assert question.options or f"Answer: {question.answer}" in item.what
        assert all(line in item.what for line in (*made.people, *made.truth[:50]))
        assert KEY in item.where
        assert question.question_id in item.where
        assert (question.picture_id in item.where) if question.has_picture else ("picture" not in item.where)


def test_a_sample_takes_all_tasks_in_turn_after_the_doubts_and_is_the_same_every_time() -> None:
    doubts = {MADE[0].question.question_id: "ambiguous: two fit"}
    items = question_review_items(MADE, doubts, key=KEY, sample=10)
    assert len(items) == 11
    assert "two fit" in items[0].why
    task_of = {review_id(one.question): one.question.task for one in MADE}
    assert len({task_of[item.item_id] for item in items[1:]}) == 10
    assert question_review_items(MADE, doubts, key=KEY, sample=10) == items


def test_the_built_in_critic_lets_nearly_every_planned_question_pass() -> None:
    model = BuiltinModel()
    out = Verifier(model, model, model, Streams(1)).verify(MADE)
    assert len(out.kept) >= 0.95 * len(MADE)
    assert len(MADE) == len(out.kept) + len(out.rejections)
