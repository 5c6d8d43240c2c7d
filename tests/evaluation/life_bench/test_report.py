"""The report: which tables and figures there are for what was run, and the numbers it logs."""

from __future__ import annotations

import re
from typing import Any

from evaluation.life_bench import LifeTiming, life_report
from evaluation.life_bench.report import leads
from evaluation.report_runs import ReportPage
from lifeloom.records import LifeScore
from tests.evaluation.life_bench.asked import prediction, question, score


def _report(scores: list[LifeScore], **told: Any) -> ReportPage:
    settings: dict[str, Any] = {"by_depth": {}, "by_width": {}, "agreement": "| judge |", "seed": 1}
    questions = [question("q1")]
    predictions = {one.policy: [prediction("q1", right=True, policy=one.policy)] for one in scores}
    return life_report(questions, predictions, scores, told.pop("timings", {}), **{**settings, **told})


def test_depths_and_width_are_shown_where_they_were_swept():
    plain = _report([score("rap-k3", 0.5)])
    assert set(plain.figures) == {"accuracy"}
    assert not any("Table 5" in name for name in plain.tables)
    deep = {
        depth: [score(f"lifegraph-d{depth}-k3", 0.5).model_copy(update={"mean_rounds": rounds})]
        for depth, rounds in ((1, 1.0), (2, 1.25))
    }
    swept = _report([score("rap-k3", 0.5)], by_depth=deep)
    assert "depth and width" in swept.figures
    table = next(text for name, text in swept.tables.items() if "Table 5" in name)
    assert "| 2 | 1.25 | 1.30 |" in table


def test_the_change_without_references_is_shown_where_both_were_run():
    both = [score("lifegraph-d3-k5", 0.6), score("lifegraph-d3-k5-norefs", 0.4)]
    assert "without references" in _report(both).figures
    assert "without references" not in _report(both[:1]).figures


def test_every_figure_can_be_drawn():
    scores = [score("lifegraph-d3-k5", 0.6), score("lifegraph-d3-k5-norefs", 0.4)]
    page = _report(scores, by_depth={1: scores[:1]}, by_width={3: scores[:1]})
    assert {name: len(draw().axes) for name, draw in page.figures.items()} == {
        "accuracy": 1,
        "depth and width": 2,
        "without references": 1,
    }


def test_metrics_are_by_method_and_task_over_all_difficulties():
    scores = [
        score("rap-k3", 0.9, "text_concept_qa", "easy"),
        score("rap-k3", 0.7, "text_concept_qa"),
        score("rap-k3", 0.6),
    ]
    assert dict(_report(scores).metrics) == {"rap-k3/text_concept_qa": 0.7, "rap-k3/all": 0.6}


def test_seconds_are_a_mean_where_measured_and_a_dash_where_not():
    timings = {"rap-k3": [LifeTiming(question_id=f"q{n}", policy="rap-k3", seconds=n) for n in (1, 2)]}
    text = _report([score("rap-k3", 0.5), score("r2p-k3", 0.5)], timings=timings).text()
    assert re.search(r"\| rap-k3 \|.*\| 1\.500 \|", text)
    assert re.search(r"\| r2p-k3 \|.*\| - \|", text)
    assert "| judge |" in text


def test_a_lead_counts_unanswered_questions_as_wrong_and_its_interval_holds_it():
    questions = [question(f"q{number}") for number in range(20)]
    graph = [prediction(one.question_id, right=True, policy="lifegraph-d2-k3") for one in questions]
    rap = [prediction(one.question_id, right=True) for one in questions[:5]]  # fifteen without an answer
    table = leads(questions, {"lifegraph-d2-k3": graph, "rap-k3": rap}, seed=1)
    gap, low, high = map(float, re.search(r"([+-][\d.]+) \[([+-][\d.]+), ([+-][\d.]+)\]", table).groups())
    assert "| lifegraph-d2-k3 | ahead of rap-k3 |" in table
    assert "| 1.000 | +0.750 [" in table
    assert "], 1 of 1 |" in table
    assert gap == 0.75
    assert 0.5 < low < gap < high <= 1.0


def test_a_lead_picks_nothing_by_its_score():
    """The widest graph and the baseline at its k are compared, though narrower ones did better."""
    questions = [question(f"q{number}") for number in range(4)]
    names = {
        "lifegraph-d3-k5": 1,
        "lifegraph-d2-k3": 4,
        "rap-k5": 2,
        "rap-k3": 4,
        "rag-cap-k3": 1,
        "lifegraph-d3-k5-tools": 4,
    }
    told = {
        name: [prediction(one.question_id, right=at < count, policy=name) for at, one in enumerate(questions)]
        for name, count in names.items()
    }
    head, _, row = leads(questions, told, seed=1).split("\n")
    assert [cell.strip() for cell in head.split("|")[2:-1]] == [
        "lifegraph-d3-k5",
        "ahead of rag-cap-k3",
        "ahead of rap-k5",
        "ahead of lifegraph-d3-k5-tools",
    ]
    assert re.findall(r"\| ([+-]?[\d.]+)", row) == ["0.250", "+0.000", "-0.250", "-0.750"]


def test_a_lead_says_on_how_many_lives_it_holds():
    questions = [
        question("q1").model_copy(update={"vaccount_id": "one"}),
        question("q2").model_copy(update={"vaccount_id": "two"}),
    ]
    told = {
        name: [prediction(one.question_id, right=flag, policy=name) for one, flag in zip(questions, flags, strict=True)]
        for name, flags in (("lifegraph-d2-k3", (True, True)), ("rap-k3", (False, True)))
    }
    assert leads(questions, told, seed=1).endswith("| 1.000 | +0.500 [+0.50, +0.50], 1 of 2 |")


def test_a_lead_needs_both_kinds_of_method():
    own = {"rap-k3": [prediction("q1", right=True)]}
    assert leads([question("q1")], own, seed=1) == "needs a LifeGraph policy and a baseline"
