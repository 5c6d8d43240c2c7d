"""Scores of diagnostics, by hand, and how they stand in tables, figures and pages."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evaluation.diagnostics.case_pages import diagnostic_page, pick_diagnostics
from evaluation.diagnostics.scoring import DiagnosticScore, DiagnosticScoredBy, names_place, score_diagnostics
from evaluation.diagnostics.tables import (
    PAPER_ROWS,
    diagnostic_figure,
    diagnostic_report,
    place_table,
    recall_table,
    trigger_table,
)
from lifeloom.records import BY_CODE, DIAGNOSTIC_TASKS, DiagnosticAnswer, DiagnosticCase, DiagnosticTask
from lifeloom.store import MediaMissing
from tests.diagnosing import cases_of

CASES, PLANS = cases_of(6)
BY = DiagnosticScoredBy("r", "test/judge", "c0de", 3, 400)


def answer(case: DiagnosticCase, task: DiagnosticTask, text: str, score: float, **more: object) -> DiagnosticAnswer:
    values = {
        "case_id": case.case_id, "task": task, "mode": "direct", "policy": "p", "fingerprint": "f", "text": text,
        "score": score, "prompt_tokens": 10, "completion_tokens": 4, "made_by": BY_CODE,
    }  # fmt: skip
    return DiagnosticAnswer.model_validate({**values, **more})


def of_task(answers: list[DiagnosticAnswer], task: str, cases: list[DiagnosticCase] = CASES) -> DiagnosticScore:
    return next(one for one in score_diagnostics(cases, answers, BY) if one.task == task)


def everything() -> list[DiagnosticAnswer]:
    return [answer(case, task, "", 0.0) for case in CASES for task in DIAGNOSTIC_TASKS]


def answered(itr: Mapping[str, str], right: Mapping[str, bool]) -> list[DiagnosticAnswer]:
    rows = everything()
    return [
        one.model_copy(update={"text": itr.get(one.case_id, ""), "score": float(right[one.case_id])})
        if one.task == "itr"
        else one
        for one in rows
    ]


def test_lsd_is_the_mean_f1_and_a_missing_case_is_wrong() -> None:
    answers = [answer(case, "lsd", "x", 0.5, set_score=0.75) for case in CASES[:4]]
    answers += [one for one in everything() if one.task != "lsd"]
    score = of_task(answers, "lsd")
    assert score.score == pytest.approx(4 * 0.5 / 6)
    assert score.set_score == pytest.approx(4 * 0.75 / 6)
    assert score.low <= score.score <= score.high
    assert score.missing == 2


def test_a_place_is_named_in_however_many_words_and_with_no_other_place() -> None:
    case = CASES[0]
    other = next(one.location for one in case.entries if one.location != case.location)
    assert names_place(f"You last saw them at {case.location.upper()}, I think.", case)
    assert not names_place(f"At {case.location} or {other}", case)
    assert not names_place(case.location.split()[1], case)


def test_itr_counts_both_what_is_said_and_what_should_not_be() -> None:
    due = [one for one in CASES if one.keyword]
    free = [one for one in CASES if not one.keyword]
    assert (len(due), len(free)) == (3, 3)
    said = {due[0].case_id: due[0].keyword, due[1].case_id: due[1].keyword, free[0].case_id: free[0].keywords[0]}
    right = {one.case_id: one.case_id in said for one in due} | {one.case_id: one.case_id not in said for one in free}
    score = of_task(answered(said, right), "itr")
    assert score.due == 3
    assert score.recall == pytest.approx(2 / 3)
    assert score.false_triggers == pytest.approx(1 / 3)
    assert score.score == pytest.approx((2 / 3 + 2 / 3) / 2)


def test_always_a_keyword_and_never_one_are_at_half_of_the_balance_or_below() -> None:
    keywords = {one.case_id: " ".join({one.keyword, *one.keywords}) for one in CASES}
    always = answered(keywords, {one.case_id: keywords[one.case_id] == one.keyword for one in CASES})
    assert of_task(always, "itr").recall == 1.0
    assert of_task(always, "itr").score <= 0.5
    never = answered({}, {one.case_id: not one.keyword for one in CASES})
    assert of_task(never, "itr").score == 0.5


def test_with_instructions_in_all_cases_there_are_no_false_triggers_to_tell() -> None:
    due = [one for one in CASES if one.keyword]
    score = of_task(answered({}, {one.case_id: False for one in CASES}), "itr", due)
    assert (score.recall, score.score, score.false_triggers) == (0.0, 0.0, None)


def test_unreadable_verdicts_and_missing_answers_are_counted_apart() -> None:
    rows = everything()
    rows[1] = answer(CASES[0], "lar", "Paying.", 0.0, failure="unreadable")
    rows[4] = answer(CASES[1], "lar", "", 0.0, failure="truncated")
    score = of_task(rows, "lar")
    assert (score.unreadable, score.missing, score.judge) == (1, 1, "test/judge")


def test_answers_of_two_policies_are_not_scored_together() -> None:
    with pytest.raises(ValueError, match="not of 2"):
        score_diagnostics(CASES, [*everything(), answer(CASES[0], "lsd", "", 0.0, policy="q")], BY)


def scores() -> list[DiagnosticScore]:
    rows = [answer(case, "lsd", case.location, 1.0, set_score=1.0) for case in CASES]
    rows += [answer(case, "lar", case.action, 1.0) for case in CASES]
    rows += [answer(case, "itr", case.keyword, 1.0) for case in CASES]
    rows += [one.model_copy(update={"mode": "cag", "score": 0.0, "text": "", "set_score": 0.0}) for one in rows]
    return score_diagnostics(CASES, rows, BY)


def test_the_table_is_the_papers_with_its_own_rows_below() -> None:
    lines = recall_table(scores()).splitlines()
    assert lines[2] == (
        "| p | 100.0 [100, 100] | 0.0 [0, 0] | 100.0 [100, 100] | 0.0 [0, 0] | 100.0 [100, 100] | 0.0 [0, 0] | 6 |"
    )
    assert len(lines) == 3 + len(PAPER_ROWS)
    assert lines[-1] == "| *paper: Qwen3-VL-8B + CoViP* | 37.2 | 58.2 | 34.8 | 49.2 | 28.0 | 42.8 | 500 |"
    assert len({line.count("|") for line in lines}) == 1
    for table in (place_table(scores()), trigger_table(scores())):
        assert len({line.count("|") for line in table.splitlines()}) == 1
        assert len(table.splitlines()) == 4


def test_the_report_has_figures_and_numbers_to_compare_runs_by() -> None:
    page = diagnostic_report(scores(), "judge", "audit")
    assert page.metrics["p/direct/lar"] == 1.0
    assert page.metrics["p/cag/itr"] == 0.0  # what the table calls ITR
    figure = diagnostic_figure(scores())
    assert [axes.get_title() for axes in figure.axes] == ["LSD, word F1", "LAR, judged correct", "ITR, keyword said"]
    heights = [bar.get_height() for bar in figure.axes[0].patches]  # type: ignore[attr-defined]
    assert heights == [100.0, 0.0]


def test_worst_cases_come_first_and_none_twice() -> None:
    rows = [answer(case, "lsd", "", number / 10) for number, case in enumerate(reversed(CASES))]
    picked = pick_diagnostics(CASES, rows, worst=2, best=1)
    assert [one.case.case_id for one in picked] == [CASES[5].case_id, CASES[4].case_id, CASES[0].case_id]
    assert len(pick_diagnostics(CASES, rows, worst=5, best=5)) == 6


def test_a_page_shows_answers_truth_and_missing_pictures_and_takes_no_text_for_markup() -> None:
    def gone(reference: object) -> bytes:
        raise MediaMissing("no such file")

    rows = [answer(CASES[0], "lsd", "<b>at home</b>", 0.25, caption="<i>two people</i>")]
    html = diagnostic_page(pick_diagnostics(CASES, rows, worst=1, best=0), rows, PLANS, gone, title="T", note="N")
    assert CASES[0].case_id in html
    assert "&lt;b&gt;at home&lt;/b&gt;" in html
    assert "<i>two people" not in html
    assert CASES[0].location in html
    assert "cannot be shown" in html
    assert "the query&#39;s person, last" in html or "the query's person, last" in html
