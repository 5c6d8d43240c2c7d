"""Checks of diagnostic cases find what they are for, and pass what is sound."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from lifeloom.records import Rejection
from lifeloom.synthesis.diagnostics.checks import (
    account_problems,
    balance_problems,
    context_problems,
    truth_problems,
    worded_problems,
)
from tests.diagnosing import STREAMS, cases_of


@pytest.mark.parametrize("as_printed", [False, True])
def test_what_is_made_passes(as_printed: bool) -> None:
    cases, plans = cases_of(24, as_printed=as_printed)
    people = [f"d{number:02}" for number in range(12)]
    assert context_problems(cases, plans, as_printed=as_printed) == []
    assert truth_problems(cases, plans) == []
    assert worded_problems(cases, plans, STREAMS) == []
    assert balance_problems(cases, people, rejected=0, as_printed=as_printed) == []
    assert account_problems(cases, [], 24) == []


def test_the_papers_contexts_are_no_sound_contexts_of_ours() -> None:
    cases, plans = cases_of(1, as_printed=True)
    assert any("3, 1, 1, 1, 1, 1, 1, 1" in one for one in context_problems(cases, plans, as_printed=False))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"met_on": dt.date(2025, 1, 1)}, "two meetings on one day"),
        ({"location": "Lake Samebury"}, "two meetings at one place"),
        ({"action": "bake a cake"}, "two meetings with one action"),
        ({"keyword": "SKS"}, "two meetings with one keyword"),
        ({"person": "Ana"}, "calls two people the same"),
        ({"action": ""}, "a last dialogue without an action"),
    ],
)
def test_dialogues_that_share_what_they_must_not_share_are_found(change: dict[str, Any], problem: str) -> None:
    cases, plans = cases_of(1)
    own = [plans[one.dialogue_id] for one in cases[0].entries]
    others = [one for one in own if one.identity != cases[0].identity]
    for one in (others[0], next(two for two in others if two.identity != others[0].identity)):
        last = max((two for two in own if two.identity == one.identity), key=lambda two: two.met_on)
        plans[last.dialogue_id] = last.model_copy(update=change)
    assert any(problem in one for one in context_problems(cases, plans, as_printed=False))


def test_a_query_picture_in_its_context_is_found() -> None:
    cases, plans = cases_of(1)
    case = cases[0].model_copy(update={"query": cases[0].entries[3].picture})
    assert any("query picture in its context" in one for one in context_problems([case], plans, as_printed=False))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"location": "Lake Elsewhere"}, "latest meeting"),
        ({"action": "bake a cake"}, "latest meeting"),
        ({"keyword": "WRONG"}, "another instruction"),
        ({"keywords": ()}, "list the keywords"),
    ],
)
def test_answers_that_are_not_the_plans_are_found(change: dict[str, Any], problem: str) -> None:
    cases, plans = cases_of(1)
    assert any(problem in one for one in truth_problems([cases[0].model_copy(update=change)], plans))


def test_a_dialogue_that_does_not_say_its_plan_is_found() -> None:
    cases, plans = cases_of(1)
    name = cases[0].entries[0].dialogue_id
    plans[name] = plans[name].model_copy(update={"location": "Lake Elsewhere"})
    (problem,) = worded_problems(cases, plans, STREAMS)
    assert problem.startswith(f"{name}: turn 1 does not say the place")


def test_people_who_are_asked_about_oftener_and_too_few_instructions_are_found() -> None:
    cases, _ = cases_of(24)
    people = [f"d{number:02}" for number in range(12)]
    often = [one.model_copy(update={"identity": "d00", "keyword": ""}) for one in cases]
    problems = balance_problems(often, people, rejected=0, as_printed=False)
    assert "d00 is asked about 24 times" in problems[0]
    assert "0 of 24 cases have an instruction" in problems[1]
    assert balance_problems(cases[:23], people, rejected=1, as_printed=False) == []


def test_cases_that_are_gone_without_a_reason_are_found() -> None:
    cases, _ = cases_of(3)
    assert "4 cases were wanted, 3 are there and 0 are left out" in account_problems(cases, [], 4)[0]
    lost = Rejection(stage="diagnostics", item="x-d0003", reason="dialogue_missing", detail="x-d0003-c1")
    assert account_problems(cases, [lost], 4) == []
