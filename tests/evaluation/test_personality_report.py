"""The report on personality."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.big_five import BigFiveAccuracy
from evaluation.personality_recovery import PersonalityError, ShiftLag
from evaluation.personality_report import PersonalityReport, make_personality_report, personality_page
from lifeloom.store import DatasetStore, DatasetWriter, Recipe
from tests.evaluation.personalities import PLANS, perfect


@pytest.fixture(scope="module")
def report() -> PersonalityReport:
    points = {one.persona_id: perfect(one) for one in PLANS}
    return make_personality_report(PLANS, points, seed=7, bootstrap_samples=100)


def test_a_reader_that_sees_every_score_is_near_after_a_while(report: PersonalityReport) -> None:
    early, later, shifted, end = report.errors
    assert later.error < early.error < early.neutral_error
    assert later.error < 0.05
    assert shifted.error > end.error > later.error  # the shift costs for a while
    assert {lag.lag for lag in report.lags} == {2}  # lambda is 0.65 at turns 21 and 22: 0.35 is done, then 0.58
    assert len(report.shown) == 10


def test_scores_are_judged_at_the_end_and_by_turns(report: PersonalityReport) -> None:
    rows = {(row.reading, row.trait): row for row in report.big_five}
    assert rows["turn", "all"].error == 0
    assert rows["turn", "all"].direction == 1
    assert rows["profile", "openness"].error == pytest.approx(0, abs=0.01)
    assert rows["profile", "conscientiousness"].judged == 0


def test_rows_are_kept_as_records(report: PersonalityReport, tmp_path: Path) -> None:
    def make(writer: DatasetWriter) -> None:
        writer.write("errors", PersonalityError, report.errors)
        writer.write("lags", ShiftLag, report.lags)
        writer.write("big_five", BigFiveAccuracy, report.big_five)

    store = DatasetStore(tmp_path)
    store.produce("scores/memory_quality/2026-01-05", Recipe(stage="memory_quality", seed=7), make)
    assert tuple(store.read("scores/memory_quality/2026-01-05", "errors", PersonalityError)) == report.errors
    assert tuple(store.read("scores/memory_quality/2026-01-05", "lags", ShiftLag)) == report.lags
    assert tuple(store.read("scores/memory_quality/2026-01-05", "big_five", BigFiveAccuracy)) == report.big_five


def test_without_conversations_there_is_a_page_without_figures() -> None:
    page = personality_page(make_personality_report([], {}, seed=7, bootstrap_samples=100), "None")
    assert page.figures == {}
    assert page.text().startswith("# None")
