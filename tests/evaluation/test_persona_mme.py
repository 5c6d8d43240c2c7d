"""The published accuracy, against counts made by hand, and what policies are asked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.baselines import FullContextPolicy
from evaluation.persona_mme import expected_answer, questions_of, run_policy, score_predictions
from lifeloom.models.tokens import count_tokens
from lifeloom.records import LETTERS, BenchmarkCase, Prediction, Score
from lifeloom.scoring import Answer, CaseQuestion, HistoryView
from tests.evaluation.examples import ScriptedModel, case, prediction, turns


def scored(cases: list[BenchmarkCase], predictions: list[Prediction]) -> dict[tuple[str, str, str], Score]:
    scores = score_predictions(
        cases, predictions, backend="code", model="m", code_revision="r", seed=7, bootstrap_samples=50
    )
    groups = {(score.setting, score.aspect, score.task): score for score in scores}
    assert len(groups) == len(scores)
    return groups


# The worked example. Four cases, two with a pair, so 4 + 2 * 2 = 8 questions:
#   one:   32k,  SIR (Memory),      choice right, pair: chosen right, rejected wrong
#   two:   32k,  LPR (Preference),  choice wrong
#   three: 128k, IEA (Preference),  choice right
#   four:  128k, SIR (Memory),      choice rejected by the reader, pair: chosen right, rejected never asked
ONE = case("one", task="SIR", pair=("Gladly!", "Noted."))
TWO = case("two", task="LPR")
THREE = case("three", task="IEA", setting="128k")
FOUR = case("four", task="SIR", setting="128k", pair=("Gladly!", "Noted."))
CASES = [ONE, TWO, THREE, FOUR]
PREDICTIONS = [
    prediction(ONE, prompt_tokens=100, completion_tokens=2),
    prediction(ONE, "alignment_chosen", prompt_tokens=50, completion_tokens=1),
    prediction(ONE, "alignment_rejected", correct=False, prompt_tokens=50, completion_tokens=1),
    prediction(TWO, correct=False, prompt_tokens=200, completion_tokens=2),
    prediction(THREE, prompt_tokens=1000, completion_tokens=2),
    prediction(FOUR, failure="refusal", prompt_tokens=1000, completion_tokens=0),
    prediction(FOUR, "alignment_chosen", prompt_tokens=600, completion_tokens=2),
]


def test_overall_is_micro_over_choice_and_alignment_questions() -> None:
    overall = scored(CASES, PREDICTIONS)["all", "all", "all"]
    # Right: one's choice and chosen, three's choice, four's chosen: 4 of 8. The mean over cases would be
    # (2/3 + 0 + 1 + 1/3) / 4 = 0.5 as well, so the settings below tell them apart.
    assert (overall.correct, overall.questions, overall.value) == (4, 8, 0.5)
    # Four's choice was rejected, its rejected response never asked: wrong and missing.
    assert overall.missing == 2
    # Four choices by four options, four yes-or-no questions: (4 * 0.25 + 4 * 0.5) / 8.
    assert overall.chance == 0.375
    assert overall.prompt_tokens_per_case == (100 + 50 + 50 + 200 + 1000 + 1000 + 600) / 4
    assert overall.completion_tokens_per_case == (2 + 1 + 1 + 2 + 2 + 0 + 2) / 4


@pytest.mark.parametrize(
    ("setting", "aspect", "task", "correct", "questions", "missing", "chance"),
    [
        ("32k", "all", "all", 2, 4, 0, 0.375),  # one: 2 of 3, two: 0 of 1; the mean over cases would be 1/3
        ("128k", "all", "all", 2, 4, 2, 0.375),
        ("all", "Memory", "all", 1, 2, 1, 0.25),  # pairs do not count for the aspect of their case
        ("all", "Memory", "SIR", 1, 2, 1, 0.25),
        ("all", "Preference", "all", 1, 2, 0, 0.25),
        ("all", "Preference", "LPR", 0, 1, 0, 0.25),
        ("all", "Preference", "IEA", 1, 1, 0, 0.25),
        ("all", "Alignment", "all", 2, 4, 1, 0.5),
        ("all", "Alignment", "PA", 2, 4, 1, 0.5),
        ("32k", "Memory", "SIR", 1, 1, 0, 0.25),
        ("128k", "Alignment", "PA", 1, 2, 1, 0.5),
    ],
)
def test_every_group_counts_its_own_questions(
    setting: str, aspect: str, task: str, correct: int, questions: int, missing: int, chance: float
) -> None:
    score = scored(CASES, PREDICTIONS)[setting, aspect, task]
    assert (score.correct, score.questions, score.missing) == (correct, questions, missing)
    assert score.value == correct / questions
    assert score.chance == chance


def test_groups_are_those_that_the_release_has() -> None:
    # A setting: overall + aspects + tasks. All: 1 + 3 + 4. 32k: 1 + 3 + 3 (no IEA). 128k: 1 + 3 + 3 (no LPR).
    groups = scored(CASES, PREDICTIONS)
    assert len(groups) == 8 + 7 + 7
    assert ("32k", "Preference", "IEA") not in groups


def test_tokens_a_case_of_a_task_are_those_of_its_own_questions() -> None:
    groups = scored(CASES, PREDICTIONS)
    assert groups["all", "Memory", "SIR"].prompt_tokens_per_case == (100 + 1000) / 2
    assert groups["all", "Alignment", "PA"].prompt_tokens_per_case == (100 + 600) / 2


def test_an_empty_answer_is_missing_even_without_a_reason() -> None:
    silent = prediction(TWO, correct=False).model_copy(update={"answer": ""})
    assert scored([TWO], [silent])["all", "all", "all"].missing == 1


def test_a_release_without_pairs_has_no_alignment_score() -> None:
    assert {aspect for _, aspect, _ in scored([TWO], [prediction(TWO)])} == {"all", "Preference"}


@settings(max_examples=20)
@given(st.permutations(PREDICTIONS), st.permutations(CASES))
def test_the_order_of_cases_and_predictions_does_not_matter(
    predictions: list[Prediction], cases: list[BenchmarkCase]
) -> None:
    assert scored(cases, predictions) == scored(CASES, PREDICTIONS)


@pytest.mark.parametrize(
    ("cases", "predictions", "message"),
    [
        ([], PREDICTIONS, "needs cases"),
        (CASES, [], "one policy at a time"),
        (CASES, [*PREDICTIONS, prediction(TWO, policy="other")], "one policy at a time"),
        ([ONE], [prediction(TWO)], "unknown questions"),
        ([TWO], [prediction(TWO), prediction(TWO, "alignment_chosen")], "unknown questions"),
        (CASES, [*PREDICTIONS, prediction(TWO)], "answered twice"),
        ([ONE, ONE], PREDICTIONS[:3], "there twice"),
        ([TWO, THREE.model_copy(update={"release_id": "other"})], [prediction(TWO)], "one release at a time"),
    ],
)
def test_predictions_that_do_not_belong_to_the_cases_are_refused(
    cases: list[BenchmarkCase], predictions: list[Prediction], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        scored(cases, predictions)


def test_a_pair_is_asked_twice_more() -> None:
    assert questions_of(TWO) == ("choice",)
    assert questions_of(ONE) == ("choice", "alignment_chosen", "alignment_rejected")


def test_yes_is_right_for_the_chosen_and_no_for_the_rejected_response() -> None:
    asked = case("x", answer="c", pair=("Gladly!", "Noted."))
    assert [expected_answer(asked, question) for question in questions_of(asked)] == ["c", "yes", "no"]


class Notes:
    """A policy that writes down what it is shown."""

    name = "notes"
    fingerprint = "f"

    def __init__(self) -> None:
        self.seen: list[tuple[CaseQuestion, str, tuple[str, ...]]] = []

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        self.seen.append((question, "", tuple(message.text for message in history.messages)))
        return Answer("b", 11, 3)

    def judge(self, question: CaseQuestion, response: str, history: HistoryView) -> Answer:
        self.seen.append((question, response, tuple(message.text for message in history.messages)))
        return Answer("yes", 5, 1)


def test_a_policy_sees_question_options_time_and_the_history_before_it() -> None:
    notes, asked = Notes(), case("x", answer="b", pair=("Gladly!", "Noted."), turns=2)
    run = run_policy(notes, [asked], lambda persona: turns(3, persona))
    questions, responses, histories = zip(*notes.seen, strict=True)
    assert responses == ("", "Gladly!", "Noted.")
    assert set(histories) == {("I say 0", "I answer 0", "I say 1", "I answer 1")}
    (question,) = set(questions)
    assert (question.asked_at, question.query) == ("2026-02-04 09:00", "What do I drink?")
    assert [(option.letter, option.text) for option in question.options] == [
        ("a", "mint tea"),
        ("b", "pale ale"),
        ("c", "red wine"),
        ("d", "hot cocoa"),
    ]
    assert question.query_tokens == 5  # what do i drink ?
    assert question.tokens == 5 + sum(count_tokens(option.text) for option in question.options)
    assert [(p.question, p.answer, p.correct) for p in run.predictions] == [
        ("choice", "b", True),
        ("alignment_chosen", "yes", True),
        ("alignment_rejected", "yes", False),
    ]
    assert [p.prompt_tokens for p in run.predictions] == [11, 5, 5]
    assert [(timing.case_id, timing.policy) for timing in run.timings] == [("x", "notes")]


def test_histories_are_read_once_a_user_and_progress_counts_cases() -> None:
    read: list[str] = []
    done: list[int] = []
    cases = [case("b", persona="p-2"), case("a", persona="p-1"), case("c", persona="p-1")]

    def history(persona: str) -> list[object]:
        read.append(persona)
        return turns(1, persona)  # type: ignore[return-value]

    run = run_policy(Notes(), cases, history, done.append)  # type: ignore[arg-type]
    assert read == ["p-1", "p-2"]
    assert done == [1, 2, 3]
    assert [p.case_id for p in run.predictions] == ["a", "c", "b"]


def test_a_history_shorter_than_its_case_is_a_clear_error() -> None:
    with pytest.raises(ValueError, match="late of p-1: the history has 2 turns, 3 were asked for"):
        run_policy(Notes(), [case("late", turns=3)], lambda persona: turns(2))


def test_a_rejected_answer_is_wrong_and_says_why() -> None:
    model = ScriptedModel(lambda task, task_input: "reject:wrong_schema")
    run = run_policy(FullContextPolicy(model, code="c"), [ONE], lambda persona: turns(1))
    assert [(p.answer, p.correct, p.failure) for p in run.predictions] == [("", False, "wrong_schema")] * 3
    overall = scored([ONE], run.predictions)["all", "all", "all"]
    assert (overall.value, overall.missing, overall.questions) == (0, 3, 3)


@given(
    st.lists(st.sampled_from(LETTERS), min_size=3, max_size=3),
    st.permutations(("right", "outdated", "given_up", "someone_else")),
)
def test_neither_answers_nor_sources_reach_a_policy(answers: list[str], sources: list[str]) -> None:
    # A reader that answers by all it is shown: were there any trace of the answer, its letters would follow.
    def by_everything(task: str, task_input: object) -> str:
        return LETTERS[sum(repr(task_input).encode()) % 4] if task == "choice_answer" else "yes"

    plain = [case(f"case-{number}", turns=number + 1, query=f"Which? {number}") for number in range(3)]
    other = [
        item.model_copy(
            update={
                "answer": answer,
                "options": tuple(
                    option.model_copy(update={"source": source})
                    for option, source in zip(item.options, sources, strict=True)
                ),
                "evidence_turns": (number,),
            }
        )
        for number, (item, answer) in enumerate(zip(plain, answers, strict=True))
    ]
    given_answers = [
        [
            p.answer
            for p in run_policy(
                FullContextPolicy(ScriptedModel(by_everything), code="c"), cases, lambda persona: turns(3)
            ).predictions
        ]
        for cases in (plain, other)
    ]
    assert given_answers[0] == given_answers[1]
