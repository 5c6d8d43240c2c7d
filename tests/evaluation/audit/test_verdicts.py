"""Verdicts of the shortcut audit, against bounds worked out by hand and on releases with and without a tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from evaluation.audit import (
    AuditAnswer,
    AuditQuestion,
    AuditRow,
    ClassifierAttack,
    LetterAttack,
    LongestAttack,
    audit,
    binomial_interval,
    blind_accuracies,
    worst,
)
from evaluation.audit_persona_mme import PersonaMmeAudit, answers_of
from evaluation.persona_mme import questions_of, run_policy
from lifeloom.records import BenchmarkCase, Prediction, TaskName
from lifeloom.scoring import binomial_lower_bound
from tests.evaluation.examples import case, prediction, turns
from tests.evaluation.releases import exchangeable, with_tell

RELEASE = "2026-01-05"


def attacked(cases: Sequence[BenchmarkCase], learnt_from: Sequence[BenchmarkCase]) -> list[Prediction]:
    reference = PersonaMmeAudit().reference(learnt_from)
    attackers = (
        LongestAttack(code="c"),
        LetterAttack(reference, code="c"),
        ClassifierAttack(reference, code="c", seed=7),
    )
    return [
        prediction
        for attacker in attackers
        for prediction in run_policy(attacker, cases, lambda persona: turns(1, persona)).predictions
    ]


def asked_of(cases: Sequence[BenchmarkCase]) -> list[AuditQuestion]:
    return [question for item in cases for question in PersonaMmeAudit().questions(item)]


def held(
    cases: Sequence[BenchmarkCase], predictions: Sequence[Prediction], *, minimum: int = 400, view: str = "question"
) -> dict[str, AuditRow]:
    rows = audit(RELEASE, asked_of(cases), answers_of(predictions), margin=0.05, minimum_cases=minimum)
    return {row.task: row for row in rows if row.view == view}


def release(sizes: Mapping[TaskName, int]) -> list[BenchmarkCase]:
    return [case(f"{task.lower()}-{n}", task=task) for task, size in sizes.items() for n in range(size)]


def answers(
    cases: Sequence[BenchmarkCase], right: Mapping[str, int], policy: str = "blind_outlier"
) -> list[Prediction]:
    """Answer so many questions of each task right; PA's are right on the chosen response first."""
    left = dict(right)
    made = []
    for item in cases:
        for question in questions_of(item):
            task = item.task if question == "choice" else "PA"
            made.append(prediction(item, question, correct=left.get(task, 0) > 0, policy=policy))
            left[task] = left.get(task, 0) - 1
    return made


def test_a_planted_tell_fails_its_task_and_the_release() -> None:
    rows = held(with_tell(400, seed=2), attacked(with_tell(400, seed=2), with_tell(400, seed=1)))
    assert rows["SIR"].policy == "blind_classifier"
    assert rows["SIR"].verdict == rows["all"].verdict == "failed"


def test_a_tell_in_a_quarter_of_the_cases_is_found() -> None:
    # A quarter is answered right, the rest at chance: 0.25 + 0.75 * 0.25 = 44 %.
    cases = with_tell(800, seed=2, share=0.25)
    rows = held(cases, attacked(cases, with_tell(800, seed=1, share=0.25)))
    assert rows["SIR"].accuracy == pytest.approx(0.44, abs=0.07)
    assert rows["SIR"].verdict == "failed"


def test_exchangeable_options_pass_with_400_cases_and_are_inconclusive_with_fewer() -> None:
    reference, cases = exchangeable(600, seed=1), exchangeable(400, seed=2)
    enough = held(cases, attacked(cases, reference))
    fewer = held(cases[:399], attacked(cases[:399], reference))
    assert enough["SIR"].verdict == enough["all"].verdict == "passed"
    assert "pooled" not in enough
    assert fewer["SIR"].verdict == fewer["pooled"].verdict == fewer["all"].verdict == "inconclusive"


def test_a_shortcut_shared_by_small_tasks_is_found_in_their_pool() -> None:
    tasks: tuple[TaskName, ...] = ("SIR", "LPR", "RR", "LGT")
    cases, reference = with_tell(200, seed=2, tasks=tasks), with_tell(200, seed=1, tasks=tasks)
    rows = held(cases, attacked(cases, reference))
    assert {rows[task].verdict for task in tasks} == {"inconclusive"}
    assert (rows["pooled"].questions, rows["pooled"].verdict, rows["all"].verdict) == (200, "failed", "failed")


def test_the_verdict_turns_where_the_bound_passes_the_limit() -> None:
    # Two tasks: 95 % becomes 97.5 % each. Of 400, the smallest number of right answers whose lower bound lies
    # above 30 % fails, one fewer passes.
    limit = next(right for right in range(401) if binomial_lower_bound(right, 400, confidence=0.975) > 0.30)
    assert limit == 139  # 34.75 %; normal approximation: 30 + 1.96 * 2.38 = 34.7 %
    cases = release({"SIR": 400, "RR": 400})
    at = held(cases, answers(cases, {"SIR": limit, "RR": 100}))
    below = held(cases, answers(cases, {"SIR": limit - 1, "RR": 100}))
    assert (at["SIR"].verdict, at["RR"].verdict, at["all"].verdict) == ("failed", "passed", "failed")
    assert below["SIR"].verdict == below["all"].verdict == "passed"


def test_bounds_are_bonferroni_corrected_over_the_tasks() -> None:
    one = release({"SIR": 400})
    four = release({"SIR": 400, "RR": 400, "LPR": 400, "LGT": 400})
    right = {"SIR": 120, "RR": 100, "LPR": 100, "LGT": 100}
    assert held(one, answers(one, right))["SIR"].lower_bound == binomial_lower_bound(120, 400, confidence=0.95)
    assert held(four, answers(four, right))["SIR"].lower_bound == binomial_lower_bound(120, 400, confidence=0.9875)


def test_the_best_attacker_of_each_task_counts() -> None:
    cases = release({"SIR": 400, "RR": 400})
    predictions = answers(cases, {"SIR": 200, "RR": 90}, "blind_longest") + answers(
        cases, {"SIR": 90, "RR": 200}, "blind_letter"
    )
    rows = held(cases, predictions)
    assert (rows["SIR"].policy, rows["SIR"].correct) == ("blind_longest", 200)
    assert (rows["RR"].policy, rows["RR"].correct) == ("blind_letter", 200)


def test_alignment_is_held_against_half_and_counts_pairs_as_cases() -> None:
    def paired(count: int) -> list[BenchmarkCase]:
        return [case(f"c-{n}", pair=("Gladly!", "Noted.")) for n in range(count)]

    # Yes to everything: every second question right.
    enough, fewer = paired(400), paired(399)
    rows = held(enough, answers(enough, {"SIR": 100, "PA": 400}))
    assert (rows["PA"].questions, rows["PA"].accuracy, rows["PA"].chance, rows["PA"].limit) == (800, 0.5, 0.5, 0.55)
    assert rows["PA"].verdict == "passed"
    assert held(enough, answers(enough, {"SIR": 100, "PA": 520}))["PA"].verdict == "failed"  # 65 %
    # 399 pairs are 798 questions, yet too few cases.
    assert held(fewer, answers(fewer, {"SIR": 100, "PA": 399}))["PA"].verdict == "inconclusive"


def test_the_whole_release_is_held_against_its_mean_chance() -> None:
    cases = [case(f"c-{n}", pair=("Gladly!", "Noted.")) for n in range(400)]
    row = held(cases, answers(cases, {"SIR": 100, "PA": 400}))["all"]
    # 400 choices at 25 %, 800 yes-or-no questions at 50 %.
    assert row.chance == pytest.approx((400 * 0.25 + 800 * 0.5) / 1200)
    assert (row.questions, row.correct) == (1200, 500)


def test_one_small_task_keeps_a_release_from_passing() -> None:
    cases = release({"SIR": 400, "RR": 20})
    rows = held(cases, answers(cases, {"SIR": 100, "RR": 5}))
    assert (rows["SIR"].verdict, rows["RR"].verdict, rows["all"].verdict) == ("passed", "inconclusive", "inconclusive")


def test_a_row_says_in_words_what_was_found() -> None:
    cases = release({"SIR": 400})
    row = held(cases, answers(cases, {"SIR": 200}))["SIR"]
    assert row.sentence() == (
        "SIR, question: blind_outlier answers 50.0% of 400 questions; the lower bound 45.8% is above 30.0%: failed"
    )


def pictured(count: int, *, of: int = 0) -> list[BenchmarkCase]:
    """Return cases of which the first ``of`` (0: all) need a picture."""
    return [
        case(f"vdr-{n}", task="VDR").model_copy(update={"picture_turns": (0,) if n < (of or count) else ()})
        for n in range(count)
    ]


def test_policies_without_pictures_are_held_against_questions_that_need_them_only() -> None:
    cases = pictured(500, of=400)
    seen = [item for item in cases if item.needs_pictures]
    rows = held(cases, answers(seen, {"VDR": 200}, "text_only"), view="text")
    assert (rows["VDR"].subset, rows["VDR"].questions, rows["VDR"].accuracy) == ("pictured", 400, 0.5)
    assert rows["VDR"].verdict == rows["all"].verdict == "failed"
    with pytest.raises(ValueError, match="text_only has answered 100 questions that it is not asked"):
        held(cases, answers(cases, {"VDR": 200}, "text_only"))


def test_another_users_history_is_held_against_every_question() -> None:
    cases = pictured(400, of=200)
    rows = held(cases, answers(cases, {"VDR": 100}, "other_history"), view="other")
    assert (rows["VDR"].subset, rows["VDR"].questions, rows["all"].verdict) == ("all", 400, "passed")


def test_each_view_has_verdicts_of_its_own() -> None:
    cases = pictured(400)
    predictions = answers(cases, {"VDR": 100}, "blind_longest") + answers(cases, {"VDR": 300}, "shuffled_pictures")
    rows = audit(RELEASE, asked_of(cases), answers_of(predictions), margin=0.05, minimum_cases=400)
    assert {(row.view, row.task): row.verdict for row in rows} == {
        ("question", "VDR"): "passed",
        ("question", "all"): "passed",
        ("options", "VDR"): "passed",
        ("options", "all"): "passed",
        ("shuffled", "VDR"): "failed",
        ("shuffled", "all"): "failed",
    }
    assert worst(row.verdict for row in rows) == "failed"


def test_what_sees_the_question_counts_for_that_view_alone_and_options_count_for_both() -> None:
    cases = release({"SIR": 400})
    told = answers(cases, {"SIR": 300}, "blind_classifier") + answers(cases, {"SIR": 100}, "blind_options")
    assert held(cases, told)["SIR"].verdict == "failed"
    assert held(cases, told, view="options")["SIR"].verdict == "passed"
    longest = answers(cases, {"SIR": 300}, "blind_longest")
    assert held(cases, longest)["SIR"].verdict == held(cases, longest, view="options")["SIR"].verdict == "failed"


def test_a_sample_may_leave_questions_out_and_decides_by_its_own_size() -> None:
    cases = release({"SIR": 400})
    given = answers_of(answers(cases[:60], {"SIR": 15}, "other_history"))
    asked = asked_of(cases)
    with pytest.raises(ValueError, match="other_history has answered 60 of 400 questions"):
        audit(RELEASE, asked, given, margin=0.05, minimum_cases=60)
    enough = audit(RELEASE, asked, given, margin=0.05, minimum_cases=60, sampled=["other_history"])
    fewer = audit(RELEASE, asked, given, margin=0.05, minimum_cases=61, sampled=["other_history"])
    assert [(row.task, row.questions, row.verdict) for row in enough] == [("SIR", 60, "passed"), ("all", 60, "passed")]
    assert {row.verdict for row in fewer} == {"inconclusive"}


def test_tasks_of_different_chance_are_not_pooled() -> None:
    asked = [AuditQuestion("c-1", "choice", "A", 0.25), AuditQuestion("c-2", "choice", "B", 0.5)]
    given = [AuditAnswer("blind_letter", question.case_id, "choice", "a", correct=True) for question in asked]
    with pytest.raises(ValueError, match="different chance"):
        audit(RELEASE, asked, given, margin=0.05, minimum_cases=10)


def test_intervals_are_those_of_clopper_and_pearson() -> None:
    # Of n of n right, the lower end is (1 - 0.95) / 2 to the power of 1 / n: 0.025 ** (1 / 10) = 0.6915.
    assert binomial_interval(10, 10) == pytest.approx((0.6915, 1.0), abs=1e-4)
    assert binomial_interval(0, 10) == pytest.approx((0.0, 0.3085), abs=1e-4)
    # One of two: the lower end p solves 1 - (1 - p)**2 = 0.025, the upper one is its mirror image.
    assert binomial_interval(1, 2) == pytest.approx((1 - 0.975**0.5, 0.975**0.5), abs=1e-6)


def test_accuracies_are_given_by_policy_and_task_and_over_all() -> None:
    cases = [case("c-1", task="SIR", pair=("Gladly!", "Noted.")), case("c-2", task="RR")]
    rows = blind_accuracies(RELEASE, asked_of(cases), answers_of(answers(cases, {"SIR": 1, "PA": 1})))
    assert [(row.task, row.correct, row.questions, row.chance) for row in rows] == [
        ("PA", 1, 2, 0.5),
        ("RR", 0, 1, 0.25),
        ("SIR", 1, 1, 0.25),
        ("all", 2, 4, (0.25 + 0.25 + 0.5 + 0.5) / 4),
    ]
    assert (rows[0].interval_low, rows[0].interval_high) == pytest.approx((0.0126, 0.9874), abs=1e-4)


def test_an_audit_needs_questions_and_every_answer_once() -> None:
    cases = release({"SIR": 3})
    full = answers(cases, {"SIR": 1})
    with pytest.raises(ValueError, match="needs questions"):
        held([], full)
    with pytest.raises(ValueError, match="needs questions and blind answers"):
        held(cases, [])
    with pytest.raises(ValueError, match="blind_outlier has answered 2 of 3 questions"):
        held(cases, full[:2])
    with pytest.raises(ValueError, match="twice"):
        held(cases, [*full, full[0]])
    with pytest.raises(ValueError, match="no view says what rag sees"):
        held(cases, answers(cases, {"SIR": 1}, "rag"))
