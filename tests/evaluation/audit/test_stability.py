"""Whether scores move: statistics by hand, and policies that hang on what must not matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from evaluation.audit import AuditAnswer, Release, StabilityRow, measure_stability, stability
from evaluation.audit_persona_mme import PersonaMmeAudit
from lifeloom.records import BenchmarkCase
from lifeloom.scoring import Answer, CaseQuestion, HistoryView, Policy
from lifeloom.streams import Streams
from tests.evaluation.audit.pictured import ColourReader, balloons, stored

RELEASE = "2026-01-05"


def answer(number: int, *, correct: bool, place: int | None = 0, case_id: str = "", text: str = "a") -> AuditAnswer:
    return AuditAnswer("p", case_id or f"c-{number}", "choice", text, correct=correct, place=place)


def compared(both: int, lost: int, gained: int, neither: int) -> StabilityRow:
    before = [True] * both + [True] * lost + [False] * gained + [False] * neither
    after = [True] * both + [False] * lost + [True] * gained + [False] * neither
    return stability(
        RELEASE,
        "x",
        [answer(n, correct=right) for n, right in enumerate(before)],
        [answer(n, correct=right, place=0 if right == before[n] else 1) for n, right in enumerate(after)],
    )


def test_no_change_is_no_difference() -> None:
    row = compared(10, 0, 0, 10)
    assert (row.difference, row.interval_low, row.interval_high, row.changed, row.verdict) == (0, 0, 0, 0, "passed")


def test_a_loss_within_two_points_passes() -> None:
    row = compared(60, 2, 0, 38)
    assert (row.accuracy_before, row.accuracy_after, row.difference, row.verdict) == (0.62, 0.60, -2.0, "passed")
    assert (row.changed, row.lost, row.gained) == (2, 2, 0)


def test_few_changes_of_few_questions_are_inconclusive_more_fail() -> None:
    # Of n changes all are losses: the share gained reaches up to u = 1 - 0.025 ** (1 / n), the difference up to
    # (2 u - 1) n / 24: +0.9 points for five (u = 0.522), -2.04 for six (u = 0.459).
    five, six = compared(19, 5, 0, 0), compared(18, 6, 0, 0)
    assert (five.difference, five.interval_low) == (pytest.approx(-500 / 24), pytest.approx(-500 / 24))
    assert five.interval_high == pytest.approx(100 * (1 - 2 * 0.025 ** (1 / 5)) * 5 / 24)
    assert five.verdict == "inconclusive"
    assert six.interval_high == pytest.approx(100 * (1 - 2 * 0.025 ** (1 / 6)) * 6 / 24)
    assert six.interval_high == pytest.approx(-2.04, abs=0.01)
    assert six.verdict == "failed"


def test_a_gain_beyond_two_points_fails_as_a_loss_does() -> None:
    assert compared(0, 0, 60, 340).verdict == "failed"


def test_losses_and_gains_that_balance_pass_and_are_counted_as_changes() -> None:
    row = compared(50, 25, 25, 0)
    assert (row.difference, row.changed, row.verdict) == (0, 50, "passed")
    assert row.interval_low == pytest.approx(-row.interval_high)


def test_another_wrong_answer_is_a_change() -> None:
    row = stability(RELEASE, "x", [answer(0, correct=False, place=1)], [answer(0, correct=False, place=2)])
    assert (row.changed, row.lost, row.gained) == (1, 0, 0)


def test_an_option_that_moved_is_the_same_answer() -> None:
    before = [answer(0, correct=True, place=2)]
    after = [answer(0, correct=True, place=0, case_id="new", text="b")]
    ids, orders = {"new": "c-0"}, {"c-0": (2, 0, 1, 3)}
    assert stability(RELEASE, "x", before, after, case_ids=ids, orders=orders).changed == 0
    assert stability(RELEASE, "x", before, after, case_ids=ids).changed == 1


def test_yes_and_no_are_compared_as_they_are() -> None:
    before = [answer(0, correct=True, place=None, text="yes"), answer(1, correct=False, place=None, text="")]
    after = [answer(0, correct=False, place=None, text="no"), answer(1, correct=False, place=None, text="")]
    assert stability(RELEASE, "x", before, after).changed == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([], []),
        ([answer(0, correct=True)], [answer(1, correct=True)]),
        ([answer(0, correct=True)] * 2, [answer(0, correct=True)]),
    ],
)
def test_only_the_same_questions_can_be_compared(before: list[AuditAnswer], after: list[AuditAnswer]) -> None:
    with pytest.raises(ValueError, match="the same questions before and after"):
        stability(RELEASE, "x", before, after)


def test_a_finding_is_told_in_words() -> None:
    assert compared(18, 6, 0, 0).sentence() == (
        "x: p goes from 100.0% to 75.0% of 24 questions (6 answers changed; difference -25.0 points, "
        "95 % interval -25.0 to -2.0): failed"
    )


class FirstOption(Policy):
    """Takes the first option: hangs on the order alone."""

    name = fingerprint = "first"

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        return Answer("a", 1, 1)

    def judge(self, question: CaseQuestion, response: str, history: HistoryView) -> Answer:
        return Answer("yes", 1, 1)


class KnowsFiles(ColourReader):
    """Knows pictures by their files: right as long as the file is the one it has learnt."""

    name = fingerprint = "files"

    def __init__(self, known: dict[str, str]) -> None:
        super().__init__()
        self.known = known

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        content = history.pictures_of(range(history.count))[0].content_hash
        letters = [option.letter for option in question.options if option.text == self.known.get(content)]
        return Answer(letters[0] if letters else "a", 1, 1)


class KnowsNames(FirstOption):
    """Knows the right option by heart where somebody is called Ana."""

    name = fingerprint = "names"

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        knows = any("Ana" in message.text for message in history.messages)
        right = [option.letter for option in question.options if option.text == "red"] if knows else []
        return Answer(right[0] if right else "", 1, 1)


def measured(policy_of: Any, cases: Sequence[BenchmarkCase], histories: Any) -> dict[str, StabilityRow]:
    release = Release(tuple(cases), histories, stored, dict.fromkeys(histories, ("Ana",)), ("Bo", "Cy"))
    told: list[int] = []
    rows = measure_stability(policy_of, PersonaMmeAudit(), release, RELEASE, Streams(7), progress=told.append)
    assert told == list(range(1, 8))
    return {row.perturbation: row for row in rows}


def test_a_policy_that_looks_is_stable() -> None:
    cases, histories = balloons(30, each=2)
    rows = measured(ColourReader, cases, histories)
    assert len(rows) == 6
    assert all((row.accuracy_before, row.changed, row.verdict) == (1.0, 0, "passed") for row in rows.values())
    assert all(row.questions == 60 for row in rows.values())


def test_a_policy_that_knows_files_falls_when_they_are_stored_otherwise() -> None:
    cases, histories = balloons(30, each=2)
    known = {
        own[0].pictures[0].content_hash: next(
            option.text
            for item in cases
            if item.persona_id == persona
            for option in item.options
            if option.letter == item.answer
        )
        for persona, own in histories.items()
    }
    rows = measured(lambda pictures: KnowsFiles(known), cases, histories)
    failed = {name for name, row in rows.items() if row.verdict == "failed"}
    assert failed == {"pictures_reencoded", "pictures_shifted", "pictures_renamed"}


def test_a_policy_that_takes_a_letter_gives_other_answers_when_options_move() -> None:
    cases, histories = balloons(30, each=2)
    cases = [
        item.model_copy(update={"answer": "a"}) for item in cases
    ]  # the first option is always right: what moves loses
    rows = measured(lambda pictures: FirstOption(), cases, histories)
    assert rows["options_reordered"].verdict == "failed"
    assert {row.verdict for name, row in rows.items() if name != "options_reordered"} == {"passed"}


def test_a_policy_that_knows_somebody_by_name_falls_when_names_change() -> None:
    cases, histories = balloons(30, each=2)
    histories = {
        persona: [own[0].model_copy(update={"user": "I am Ana, look <img>"}), own[1]]
        for persona, own in histories.items()
    }
    cases = [
        item.model_copy(update={"answer": next(o.letter for o in item.options if o.text == "red")}) for item in cases
    ]
    rows = measured(lambda pictures: KnowsNames(), cases, histories)
    assert (rows["names_replaced"].accuracy_before, rows["names_replaced"].accuracy_after) == (1.0, 0.0)
    assert {name for name, row in rows.items() if row.verdict == "failed"} == {"names_replaced"}
