"""Tokens and seconds a request, beside full context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from evaluation.ablations import AGENT
from evaluation.efficiency import BASELINE, Efficiency, measure_efficiency
from evaluation.persona_mme import CaseTiming
from lifeloom.records import Prediction
from tests.evaluation.examples import case, prediction

SHORT = case("case-a", pair=("Gladly!", "Noted."))
LONG = case("case-b", setting="128k")
CASES = [SHORT, LONG]

FULL = [
    prediction(SHORT, policy=BASELINE, prompt_tokens=900, completion_tokens=100),
    prediction(SHORT, "alignment_chosen", policy=BASELINE, prompt_tokens=500),
    prediction(SHORT, "alignment_rejected", policy=BASELINE, prompt_tokens=500),
    prediction(LONG, policy=BASELINE, prompt_tokens=9_900, completion_tokens=100),
]
AGENTS = [
    prediction(SHORT, policy=AGENT, prompt_tokens=250, completion_tokens=50),
    prediction(SHORT, "alignment_chosen", policy=AGENT, prompt_tokens=100, completion_tokens=50),
    prediction(SHORT, "alignment_rejected", policy=AGENT, prompt_tokens=150, failure="truncated"),
    prediction(LONG, policy=AGENT, prompt_tokens=400, completion_tokens=100),
]


def timing(case_id: str, policy: str, seconds: float) -> CaseTiming:
    return CaseTiming(case_id=case_id, policy=policy, seconds=seconds)


def measured(
    predictions: Mapping[str, Sequence[Prediction]],
    timings: Mapping[str, Sequence[CaseTiming]] = {},
    against: str = BASELINE,
) -> dict[tuple[str, str], Efficiency]:
    rows = measure_efficiency(CASES, predictions, timings, against=against, seed=7, bootstrap_samples=200)
    return {(row.policy, row.setting): row for row in rows}


def test_tokens_are_those_of_a_request_and_a_pair_is_two_of_them() -> None:
    rows = measured({BASELINE: FULL, AGENT: AGENTS})
    overall, short = rows[AGENT, "all"], rows[AGENT, "32k"]
    assert (overall.requests, short.requests) == (4, 3)
    assert (overall.prompt_tokens, overall.completion_tokens) == (900 / 4, 200 / 4)
    assert (short.prompt_tokens, short.completion_tokens) == (500 / 3, 100 / 3)


def test_fewer_tokens_are_per_cent_of_full_context() -> None:
    rows = measured({BASELINE: FULL, AGENT: AGENTS})
    assert rows[AGENT, "32k"].fewer_tokens == pytest.approx(100 * (1 - 600 / 2000))
    assert rows[AGENT, "128k"].fewer_tokens == pytest.approx(95.0)  # 500 of 10,000
    assert rows[AGENT, "all"].fewer_tokens == pytest.approx(100 * (1 - 1100 / 12_000))
    low, high = rows[AGENT, "all"].fewer_tokens_low, rows[AGENT, "all"].fewer_tokens_high
    assert (low, high) == pytest.approx((70.0, 95.0))  # either case alone, at the ends of the resamples
    assert rows[BASELINE, "all"].fewer_tokens == 0


def test_more_tokens_are_negative() -> None:
    rows = measured({AGENT: AGENTS, BASELINE: FULL}, against=AGENT)
    assert rows[BASELINE, "128k"].fewer_tokens == pytest.approx(-1900)


def test_requests_without_an_answer_are_counted_with_what_they_took() -> None:
    rows = measured({BASELINE: FULL, AGENT: AGENTS})
    assert (rows[AGENT, "all"].failed, rows[AGENT, "128k"].failed, rows[BASELINE, "all"].failed) == (1, 0, 0)


def test_only_what_both_were_asked_is_compared() -> None:
    rows = measured({BASELINE: FULL[:1], AGENT: AGENTS})
    assert rows[AGENT, "32k"].fewer_tokens == pytest.approx(70.0)  # 300 of 1,000: the choice alone
    assert rows[AGENT, "128k"].fewer_tokens is None
    assert rows[AGENT, "128k"].requests == 1


def test_seconds_are_those_of_a_request_and_speed_is_a_ratio() -> None:
    timings = {
        BASELINE: [timing("case-a", BASELINE, 6.0), timing("case-b", BASELINE, 9.0)],
        AGENT: [timing("case-a", AGENT, 1.5), timing("case-b", AGENT, 4.5)],
    }
    rows = measured({BASELINE: FULL, AGENT: AGENTS}, timings)
    assert rows[AGENT, "32k"].seconds == pytest.approx(0.5)  # three requests
    assert rows[AGENT, "all"].seconds == pytest.approx(1.5)
    assert rows[AGENT, "all"].speed == pytest.approx(15 / 6)
    assert rows[AGENT, "32k"].speed == pytest.approx(4.0)
    assert rows[BASELINE, "all"].speed == 1


def test_cases_that_were_not_timed_for_both_do_not_count_for_speed() -> None:
    timings = {
        BASELINE: [timing("case-a", BASELINE, 6.0)],
        AGENT: [timing("case-a", AGENT, 1.5), timing("case-b", AGENT, 9)],
    }
    rows = measured({BASELINE: FULL, AGENT: AGENTS}, timings)
    assert rows[AGENT, "all"].speed == pytest.approx(4.0)
    assert rows[AGENT, "128k"].speed is None
    assert (rows[BASELINE, "128k"].seconds, rows[BASELINE, "128k"].timed_requests) == (None, 0)


def test_without_full_context_nothing_is_compared() -> None:
    row = measured({AGENT: AGENTS})[AGENT, "all"]
    assert (row.fewer_tokens, row.speed, row.seconds) == (None, None, None)
    assert row.prompt_tokens == 225


def test_strange_cases_are_refused() -> None:
    with pytest.raises(ValueError, match="another case: case-z"):
        measured({AGENT: [prediction(case("case-z"), policy=AGENT)]})
    with pytest.raises(ValueError, match="timings of other cases"):
        measured({AGENT: AGENTS}, {AGENT: [timing("case-z", AGENT, 1.0)]})
    with pytest.raises(ValueError, match="need cases"):
        measure_efficiency([], {AGENT: AGENTS}, {}, seed=7, bootstrap_samples=100)
