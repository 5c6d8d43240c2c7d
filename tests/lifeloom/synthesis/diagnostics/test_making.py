"""Diagnostic cases in words: what is asked for is what the plan has, and a case without a dialogue is left out."""

from __future__ import annotations

from typing import Any

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.protocol import Generation
from lifeloom.synthesis.diagnostics import make_diagnostics
from lifeloom.tasks import DiagnosticDialogueInput
from tests.diagnosing import STREAMS, made, planned


class Refuses:
    """The built-in writer, but of one place it tells something else."""

    takes_pictures = False
    window_tokens = 8192

    def __init__(self, location: str) -> None:
        self.location = location
        self.model = BuiltinModel()
        self.identity = self.model.identity

    def run(self, task: Any, asked: DiagnosticDialogueInput, *args: Any, **more: Any) -> Generation[Any]:
        given = self.model.run(task, asked, *args, **more)
        if asked.location != self.location:
            return given
        turns = tuple(one.model_copy(update={"user": "Nothing to tell."}) for one in given.output.turns)
        return Generation(given.output.model_copy(update={"turns": turns}), given.usage, given.provenance)


def test_a_case_asks_for_place_action_and_keyword_of_the_latest_meeting_with_its_person() -> None:
    plans = planned(12)
    for plan, one in zip(plans, made(plans), strict=True):
        case = one.case
        assert case is not None
        own = sorted((entry for entry in case.entries if entry.identity == case.identity), key=lambda x: str(x.met_on))
        assert case.location == own[-1].location
        last = " ".join(turn.user for turn in own[-1].turns)
        assert case.location in last
        assert case.action in last
        assert case.keyword in last
        assert case.query == plan.query.picture
        for word in case.keywords:
            assert sum(word in turn.user for entry in case.entries for turn in entry.turns) == 1


def test_a_case_is_the_same_whatever_others_are_made() -> None:
    plans = planned(6)
    assert made(plans)[4] == made(plans[4:5])[0]


def test_a_case_with_a_dialogue_that_cannot_be_had_is_left_out_with_its_reason() -> None:
    plans = planned(3)
    writer: Any = Refuses(plans[1].meetings[7].plan.location)
    found = list(make_diagnostics(plans, writer, STREAMS, release_id="r", stage="diagnostics"))
    assert [one.case is None for one in found] == [False, True, False]
    assert [(one.item, one.reason) for one in found[1].rejections] == [
        (f"{plans[1].case_id}-c7", "dialogue_not_as_planned"),
        (plans[1].case_id, "dialogue_missing"),
    ]
