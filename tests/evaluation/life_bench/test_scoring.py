"""Scores of Life-Bench against what is worked out by hand."""

from __future__ import annotations

import pytest

from evaluation.life_bench import event_recall, score_life
from tests.evaluation.life_bench.asked import life, prediction, question

LIVES = {"ana": life()}


def scored(questions, predictions, samples=200):
    rows = score_life(
        questions, predictions, LIVES, backend="b", model="m", code_revision="c", seed=3, bootstrap_samples=samples
    )
    return {(row.task, row.difficulty): row for row in rows}


def test_overall_is_the_mean_over_tasks_not_over_questions():
    questions = [question(f"s{n}") for n in range(3)] + [question("v", "visual_concept_recognition")]
    predictions = [prediction(f"s{n}", right=False) for n in range(3)] + [prediction("v", right=True)]

    assert scored(questions, predictions)["all", "all"].value == 0.5  # one of four questions, one of two tasks


def test_a_task_is_counted_by_difficulty_and_over_its_questions():
    questions = [question(f"e{n}", "concept_vqa", difficulty="easy") for n in range(3)]
    questions.append(question("m", "concept_vqa"))
    rows = scored(questions, [prediction(f"e{n}", right=n < 2) for n in range(3)] + [prediction("m", right=False)])

    assert rows["concept_vqa", "easy"].value == pytest.approx(2 / 3)
    assert rows["concept_vqa", "medium"].value == 0
    assert rows["concept_vqa", "all"].value == 0.5


def test_a_missing_prediction_is_wrong_and_counted_and_so_is_one_that_cannot_be_read():
    questions = [question(name) for name in ("a", "b", "c")]
    row = scored(questions, [prediction("a", right=True), prediction("b", right=False, failure="no_letter")])

    assert row["scene_and_activity", "all"].value == pytest.approx(1 / 3)
    assert row["all", "all"].missing == 2


@pytest.mark.parametrize(
    ("retrieved", "k", "recall"),
    [
        (("ana-e-0-1", "ana-e-2-0"), 3, 1.0),
        (("ana-e-0-1", "ana-e-0-0", "ana-c-ana", "ana-e-1", "ana-e-2-0"), 3, 1.0),  # events 0, 1, 2
        (("ana-e-0", "ana-e-1", "ana-e-3", "ana-e-2"), 3, 0.5),
        (("ana-e-0", "ana-e-1", "ana-e-3", "ana-e-2"), 5, 1.0),
        (("elsewhere", "ana-c-ana"), 3, 0.0),
        (("bo-e-0-0", "bo-e-1-0", "bo-e-2", "ana-e-0"), 3, 0.0),  # what nobody knows takes a place too
        ((), 3, 0.0),
    ],
)
def test_a_picture_counts_for_its_event_and_concepts_take_no_place(retrieved, k, recall):
    asked = question("q", event_ids=("ana-e-0", "ana-e-2"))

    assert event_recall(asked, retrieved, LIVES["ana"], k) == recall


def test_counted_over_pictures_two_of_an_event_take_two_places():
    asked = question("q", event_ids=("ana-e-0", "ana-e-2"))
    retrieved = ("ana-e-0-0", "ana-e-0-1", "ana-e-1-0", "ana-e-2-0")

    assert event_recall(asked, retrieved, LIVES["ana"], 3, pictures=True) == 0.5
    assert event_recall(asked, retrieved, LIVES["ana"], 3) == 1.0


def test_recall_is_of_the_seven_tasks_and_of_questions_with_events():
    questions = [
        question("a", event_ids=("ana-e-0",)),
        question("b", event_ids=("ana-e-1",)),
        question("c"),
        question("d", "visual_concept_recognition", event_ids=("ana-e-0",)),
    ]
    rows = scored(questions, [prediction("a", right=True, retrieved_ids=("ana-e-0-1",))])

    assert rows["all", "all"].recall_3 == 0.5  # b was not answered, c has no events, d is of another task
    assert rows["visual_concept_recognition", "all"].recall_3 is None


def test_the_interval_holds_the_value_and_is_a_point_where_nothing_differs():
    questions = [question(f"q{n}") for n in range(40)]
    row = scored(questions, [prediction(f"q{n}", right=n % 2 == 0) for n in range(40)], 2000)["all", "all"]
    sure = scored(questions, [prediction(f"q{n}", right=True) for n in range(40)])["all", "all"]

    assert row.low == pytest.approx(0.35, abs=0.05)  # 0.5 - 1.96 * sqrt(0.25 / 40)
    assert row.high == pytest.approx(0.65, abs=0.05)
    assert (sure.low, sure.value, sure.high) == (1, 1, 1)


@pytest.mark.parametrize(
    ("predictions", "why"),
    [
        ([prediction("x", right=True)], "none of the questions"),
        ([prediction("a", right=True), prediction("a", right=True)], "two predictions"),
        ([prediction("a", right=True), prediction("b", right=True, policy="other")], "several policies"),
        ([], "need questions and predictions"),
    ],
)
def test_predictions_that_do_not_belong_together_are_refused(predictions, why):
    with pytest.raises(ValueError, match=why):
        scored([question("a"), question("b")], predictions)
