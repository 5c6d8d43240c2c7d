"""Labelled answers by which a judge of actions is measured."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.diagnostics.action_labels import (
    action_labels,
    agreement_share,
    agreement_table,
    measure_action_judge,
)
from lifeloom.models.protocol import Generation, ModelIdentity, Usage
from lifeloom.records import BY_CODE
from lifeloom.tasks import ActionJudgementOutput


class Says:
    """Always the same verdict."""

    identity = ModelIdentity("test", "says")
    window_tokens = 8192
    takes_pictures = False

    def __init__(self, verdict: str) -> None:
        self.verdict = verdict

    def run(self, *_: Any, **more: Any) -> Generation[Any]:
        return Generation(ActionJudgementOutput(verdict=self.verdict), Usage(1, 1), BY_CODE)


def test_there_are_enough_labelled_answers_of_every_kind_and_half_of_them_are_held_out() -> None:
    labels = action_labels()
    assert len(labels) >= 120
    assert len(set(labels)) == len(labels)
    held_out = sum(one.held_out for one in labels)
    assert 0.4 < held_out / len(labels) < 0.6
    assert {one.kind for one in labels} == {one.kind for one in labels if one.held_out}
    assert not {one.action for one in labels if one.held_out} & {one.action for one in labels if not one.held_out}
    assert 0.35 < sum(one.correct for one in labels) / len(labels) < 0.65


@pytest.mark.parametrize("verdict", ["Correct", "Wrong"])
def test_a_judge_that_always_says_the_same_does_not_look_good(verdict: str) -> None:
    rows = measure_action_judge(Says(verdict), action_labels())  # type: ignore[arg-type]
    share = sum(one.correct == (verdict == "Correct") for one in action_labels()) / len(action_labels())
    assert agreement_share(rows) == pytest.approx(share)
    assert agreement_share(rows) < 0.65


def test_unreadable_verdicts_are_no_agreement_and_counted() -> None:
    rows = measure_action_judge(Says("Correct, I think"), action_labels())  # type: ignore[arg-type]
    assert agreement_share(rows) == 0.0
    assert sum(one.unreadable for one in rows) == len(action_labels())
    table = agreement_table(rows).splitlines()
    assert table[2].startswith("| said | Correct | no |")
    assert table[-1].startswith("| all | | yes |")
