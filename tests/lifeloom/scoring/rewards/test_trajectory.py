"""What rewards look at is taken from a reply or from a model's outputs alike."""

from __future__ import annotations

from lifeloom.assistant.response_types import Response
from lifeloom.assistant.trace import Step, Trace
from lifeloom.records import BY_CODE
from lifeloom.scoring.rewards import Trajectory, format_reward

LOOK = '<think>I look.</think><retrieve>\n"keywords": "tea"\n"start_time": "null"\n"end_time": "null"\n</retrieve>'
SAY = "<think>It is tea.</think><answer>Tea.</answer>"


def test_outputs_are_read_as_steps() -> None:
    found = Trajectory.of_outputs([LOOK, SAY])
    assert found == Trajectory(("I look.", "It is tea."), "Tea.", (True, True), 1)
    assert format_reward(found.well_formed) == 1.0


def test_a_step_that_breaks_the_format_costs_the_format_and_keeps_the_answer() -> None:
    found = Trajectory.of_outputs([LOOK, "<answer>Tea.</answer>"])
    assert (found.answer, found.well_formed, found.thoughts[-1]) == ("Tea.", (True, False), "")
    assert format_reward(found.well_formed) == 0.0


def test_plain_words_at_the_end_are_the_answer_without_format() -> None:
    found = Trajectory.of_outputs(["Just tea."])
    assert (found.answer, found.well_formed, found.retrievals) == ("Just tea.", (False,), 0)


def test_who_looks_up_last_has_not_answered_and_not_looked() -> None:
    found = Trajectory.of_outputs([LOOK, LOOK])
    assert (found.answer, found.retrievals) == ("", 1)


def test_without_outputs_there_is_nothing() -> None:
    found = Trajectory.of_outputs([])
    assert found == Trajectory((), "", (), 0)
    assert format_reward(found.well_formed) == 0.0


def test_a_reply_gives_the_same_as_its_outputs() -> None:
    steps = (
        Step(number=0, thought="I look.", action="retrieve", retrieved=True, well_formed=True, output=LOOK),
        Step(number=1, thought="It is tea.", action="answer", well_formed=True, output=SAY),
    )
    trace = Trace(query="What do I drink?", asked_at="2025-03-14 08:00", steps=steps, stopped="answered")
    response = Response("Tea.", trace, 10, 10, 0.1, True, "answered", BY_CODE)
    assert Trajectory.of_response(response) == Trajectory.of_outputs([step.output for step in steps])
