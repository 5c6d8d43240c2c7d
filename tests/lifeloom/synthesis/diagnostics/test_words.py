"""Rules that hold a worded meeting to its plan, and what happens when a writer does not keep to it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import pytest

from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import BY_CODE, DiagnosticDialoguePlan, Rejection
from lifeloom.synthesis.diagnostics.words import diagnostic_problem, turns_of, write_meeting
from lifeloom.tasks import (
    DiagnosticDialogueInput,
    DiagnosticDialogueOutput,
    DiagnosticStatement,
    DialogueExchange,
)
from tests.diagnosing import STREAMS, made, planned
from tests.scenes import library_image

PLAN = DiagnosticDialoguePlan(
    dialogue_id="c-d0-c0",
    case_id="c-d0",
    image_id="d00-1",
    identity="d00",
    person="John",
    met_on=dt.date(2025, 9, 9),
    location="Lake Francesborough",
    action="return a package",
    keyword="SKS",
    edition="corpus",
)
TURNS: tuple[tuple[DiagnosticStatement, ...], ...] = (("meeting",), ("action", "instruction"))
MEETING = "I still remember the day I saw John at Lake Francesborough on 2025-09-09."
FURTHER = "I have to return a package. If he shows up again, say the keyword SKS."


def output(*users: str) -> DiagnosticDialogueOutput:
    return DiagnosticDialogueOutput(turns=tuple(DialogueExchange(user=one, assistant="Noted.") for one in users))


class Writer:
    """Gives one answer after the other."""

    identity = ModelIdentity("test", "writer-1")
    window_tokens = 8192
    takes_pictures = False

    def __init__(self, *answers: DiagnosticDialogueOutput | str) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[DiagnosticDialogueInput, int]] = []

    def run(
        self, task: Any, task_input: Any, images: Sequence[Any] = (), *, sample: int = 0, **_: Any
    ) -> Generation[Any]:
        self.asked.append((task_input, sample))
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            raise GenerationRejected(task.name, "bad_json", answer)
        return Generation(answer, Usage(1, 1), BY_CODE)


@pytest.mark.parametrize(
    "first",
    [
        MEETING,
        "This is John. On the 9th of September 2025 we met at Lake Francesborough.",
        "John at Lake Francesborough, September 9, 2025.",
    ],
)
def test_a_meeting_may_be_worded_in_many_ways(first: str) -> None:
    assert diagnostic_problem(output(first, FURTHER), PLAN, TURNS) == ""


@pytest.mark.parametrize(
    ("users", "problem"),
    [
        ((MEETING,), "1 turns instead of 2"),
        ((MEETING.replace("John", "Joan"), FURTHER), "does not say 'John'"),
        ((MEETING.replace("-09-09", "-09-08"), FURTHER), "does not say the day"),
        ((MEETING + " We met again on 2025-09-10.", FURTHER), "several days"),
        ((MEETING.replace("Lake", "Port"), FURTHER), "does not say the place"),
        ((MEETING, FURTHER + " Lake Francesborough!"), "says the place 2 times"),
        ((MEETING, FURTHER.replace("return", "send")), "does not say the action"),
        ((MEETING + " I have to return a package.", FURTHER), "says the action 2 times"),
        ((MEETING, FURTHER.replace("SKS", "sks")), "does not say the keyword"),
        ((MEETING, FURTHER + " Or QZT."), "another keyword"),
    ],
)
def test_a_dialogue_that_does_not_keep_to_the_plan_is_refused(users: tuple[str, ...], problem: str) -> None:
    assert problem in diagnostic_problem(output(*users), PLAN, TURNS)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("I need to buy milk.", "where nothing is to be done"),
        ("I was about to leave.", "where nothing is to be done"),
        ("Remind me of it when you see them.", "where there is no instruction"),
    ],
)
def test_where_nothing_is_planned_nothing_is_to_be_done_or_remembered(said: str, problem: str) -> None:
    plain = PLAN.model_copy(update={"action": "", "keyword": ""})
    assert diagnostic_problem(output(MEETING), plain, (("meeting",),)) == ""
    assert problem in diagnostic_problem(output(f"{MEETING} {said}"), plain, (("meeting",),))


def test_a_writer_that_fails_once_is_asked_once_more() -> None:
    turns = turns_of(PLAN, STREAMS)
    assert turns[0][0] == "meeting"
    texts = {"meeting": MEETING, "action": "I have to return a package.", "instruction": "Then say the keyword SKS."}
    good = output(*(" ".join(texts[kind] for kind in kinds) or "That is all." for kinds in turns))
    for bad in (output("nothing"), "no JSON"):
        writer = Writer(bad, good)
        written = write_meeting(writer, PLAN, library_image("d00-1"), STREAMS, stage="s")  # type: ignore[arg-type]
        assert not isinstance(written, Rejection)
        assert [one.user for one in written[0]] == [one.user for one in good.turns]
        assert [sample for _, sample in writer.asked] == [0, 1]
        assert writer.asked[0][0].met_on == "9 September 2025"


def test_a_writer_that_fails_twice_leaves_the_dialogue_out_with_the_reason() -> None:
    writer = Writer(output("nothing"), output("nothing"))
    plan = PLAN.model_copy(update={"action": "", "keyword": ""})
    written = write_meeting(writer, plan, library_image("d00-1"), STREAMS, stage="s")  # type: ignore[arg-type]
    assert isinstance(written, Rejection)
    assert (written.item, written.reason) == ("c-d0-c0", "dialogue_not_as_planned")


def test_how_many_turns_there_are_says_nothing_of_whose_dialogue_it_is() -> None:
    lengths: dict[bool, list[int]] = {True: [], False: []}
    for one in made(planned(80)):
        assert one.case is not None
        for entry in one.case.entries:
            lengths[entry.location == one.case.location].append(len(entry.turns))
    means = [sum(own) / len(own) for own in lengths.values()]
    assert abs(means[0] - means[1]) < 0.4  # four standard deviations of a mean of 80 numbers from 1 to 3


def test_the_built_in_writer_keeps_to_every_plan_in_both_editions() -> None:
    for edition in ("corpus", "release"):
        found = made(planned(60, edition=edition))  # type: ignore[arg-type]
        assert [one.rejections for one in found] == [()] * 60
