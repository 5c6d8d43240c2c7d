"""Without the query picture nobody does better than chance in our contexts, and everybody does in the paper's."""

from __future__ import annotations

import pytest

from evaluation.diagnostics.audit import (
    CHANCE,
    DiagnosticAuditRow,
    audit_diagnostics,
    blind_answers,
    diagnostic_audit_markdown,
)
from tests.diagnosing import STREAMS, cases_of


def audit(wanted: int, *, as_printed: bool = False) -> dict[tuple[str, str], DiagnosticAuditRow]:
    cases, plans = cases_of(wanted, as_printed=as_printed)
    rows = audit_diagnostics("2026-01-05", cases, plans, STREAMS, margin=0.05, minimum=100)
    return {(one.policy, one.task): one for one in rows}


@pytest.fixture(scope="module")
def ours() -> dict[tuple[str, str], DiagnosticAuditRow]:
    return audit(360)


def test_no_policy_beats_chance_in_our_contexts(ours: dict[tuple[str, str], DiagnosticAuditRow]) -> None:
    assert {one.verdict for one in ours.values()} <= {"passed", "inconclusive"}
    assert not [one.sentence() for one in ours.values() if one.verdict == "failed"]


def test_policies_stand_where_they_stand_by_hand(ours: dict[tuple[str, str], DiagnosticAuditRow]) -> None:
    deviation = 4 * (1 / 4 / 360) ** 0.5  # four standard deviations of a share of 360 cases, at most
    for policy in ("text_only", "most_frequent"):
        assert ours[policy, "lsd"].score == pytest.approx(1 / 3, abs=deviation)
        assert ours[policy, "lar"].score == pytest.approx(1 / 3, abs=deviation)
    # Three of the ten dialogues are about the query's person, and the latest of all is then their last.
    assert ours["latest_dialogue", "lsd"].score == pytest.approx(0.3, abs=deviation)
    assert ours["every_recurring", "lsd"].score == pytest.approx(0.5)
    assert ours["every_recurring", "lar"].score == 0.0
    assert ours["no_keyword", "itr"].score == pytest.approx(0.5)


def test_no_choice_between_silence_and_keywords_beats_half() -> None:
    """The best that text alone can do in each situation, counted over all that a block of six cases holds."""
    cases, plans = cases_of(360)
    best: dict[int, list[int]] = {}
    for case in cases:
        told = [plans[one.dialogue_id] for one in case.entries]
        counts = {one.person: sum(two.person == one.person for two in told) for one in told}
        recurring = [one for one in told if one.keyword and counts[one.person] == 3]
        silent, spoken = best.setdefault(len(recurring), [0, 0])
        best[len(recurring)] = [silent + (not case.keyword), spoken + (case.keyword == recurring[0].keyword)]
    assert sorted(best) == [1, 2]
    assert best[1][0] == 120  # one has left an instruction, in 180 cases: silence is right in two thirds
    assert best[2][0] == 60  # two have, in 180 cases: in one third
    assert best[1][1] == 60
    assert best[2][1] == pytest.approx(60, abs=26)  # either of the two: a third, four standard deviations
    assert CHANCE["itr"] == (120 + 60) / 360


def test_the_papers_contexts_are_given_away_by_their_text() -> None:
    printed = audit(120, as_printed=True)
    for policy in ("text_only", "most_frequent", "only_action", "action_and_instruction"):
        for task in ("lsd", "lar", "itr"):
            assert printed[policy, task].score == 1.0
            assert printed[policy, task].verdict == "failed"
    assert printed["always_the_keyword", "itr"].verdict == "failed"
    assert printed["no_keyword", "itr"].score == 0.0


def test_few_cases_decide_nothing_unless_it_is_plain() -> None:
    few = audit(12)
    assert {one.verdict for one in few.values()} == {"inconclusive"}
    assert "inconclusive" in diagnostic_audit_markdown(few.values())
    assert audit(24, as_printed=True)["most_frequent", "lar"].verdict == "failed"


def test_policies_of_keywords_alone_have_nothing_to_say_of_places(
    ours: dict[tuple[str, str], DiagnosticAuditRow],
) -> None:
    assert {task for policy, task in ours if policy == "always_the_keyword"} == {"itr"}


def test_policies_see_what_is_told_and_not_who_is_asked_about() -> None:
    cases, plans = cases_of(1)
    told = [plans[one.dialogue_id].model_copy(update={"identity": "x", "image_id": "x"}) for one in cases[0].entries]
    known = [plans[one.dialogue_id] for one in cases[0].entries]
    assert blind_answers(told, STREAMS.rng("a")) == blind_answers(known, STREAMS.rng("a"))
