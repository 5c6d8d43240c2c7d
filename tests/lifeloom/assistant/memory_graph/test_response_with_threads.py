"""The response stage where a retrieval brings threads too."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from lifeloom.assistant.response import Query, Response, ResponseSettings, ResponseStage
from lifeloom.memory import DialogueTurn, Origin, SemanticDraft, TopK, UserMemory
from lifeloom.records import Moment
from lifeloom.tasks.response_step import RetrievedMemory
from tests.lifeloom.assistant.test_response import ANSWER, ENCODER, Scripted, retrieve
from tests.remembering import MONDAY, OFFSET

TEA = ("I drink green tea.", "Tea again: mint this time.", "My tea is black these days.")
NOW = MONDAY + dt.timedelta(days=9)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[UserMemory]:
    """Tea on three days."""
    with UserMemory.open(tmp_path / "ines.sqlite", "ines") as opened:
        for index, text in enumerate(TEA):
            at = MONDAY + dt.timedelta(days=index)
            opened.add_turn(DialogueTurn(index, index, at, OFFSET, text, "I see."))
            draft = SemanticDraft("fact", text, ("tea",), (index,), ENCODER.encode([text])[0])
            opened.apply(f"turn-{index}", [draft], Origin(at, index + 1))
        yield opened


def ask(memory: UserMemory, model: Scripted, as_of: Moment | None = None, **settings: object) -> Response:
    one = ResponseSettings(**{"threads": 2, "top_k": TopK(1, 1, 1), **settings})  # type: ignore[arg-type]
    return ResponseStage(model, ENCODER, one).respond(memory, Query("My tea?", NOW, OFFSET), as_of=as_of)


def threads(model: Scripted) -> list[RetrievedMemory]:
    return [one for found in model.asked[-1].rounds for one in found.memories if one.kind == "thread"]


def test_a_retrieval_brings_the_matter_with_its_turns_after_the_single_memories(memory: UserMemory) -> None:
    model = Scripted(retrieve("tea"), ANSWER)
    ask(memory, model)
    (found,) = threads(model)
    assert found.key == "tea"
    assert found.content.startswith("Told 3 times on 3 days, from 2026-01-05 to 2026-01-07.")
    assert [turn.text for turn in found.turns if turn.role == "user"] == list(TEA)
    assert model.asked[-1].rounds[0].memories[-1] == found


def test_the_trace_says_which_memories_a_thread_was_made_of(memory: UserMemory) -> None:
    response = ask(memory, Scripted(retrieve("tea"), ANSWER))
    (shown,) = response.trace.steps[0].threads
    assert shown.memory_ids == tuple(one.memory_id for one in memory.memories("semantic"))
    assert "found thread tea: Told 3 times" in response.trace.as_text()


def test_a_thread_comes_once_in_a_trajectory(memory: UserMemory) -> None:
    model = Scripted(retrieve("tea"), retrieve("tea, mint"), ANSWER)
    ask(memory, model)
    assert len(threads(model)) == 1


def test_nothing_of_a_later_moment_is_in_a_thread(memory: UserMemory) -> None:
    model = Scripted(retrieve("tea"), ANSWER)
    ask(memory, model, as_of=Moment(NOW, 2))
    (found,) = threads(model)
    assert found.content.startswith("Told 2 times")
    assert TEA[2] not in model.asked[-1].model_dump_json()


def test_a_period_holds_for_threads_too(memory: UserMemory) -> None:
    model = Scripted(retrieve("tea", "2026-01-06 00:00", "2026-01-09 00:00"), ANSWER)
    ask(memory, model)
    assert threads(model)[0].content.startswith("Told 2 times on 2 days, from 2026-01-06")


def test_none_come_where_none_are_wanted(memory: UserMemory) -> None:
    model = Scripted(retrieve("tea"), ANSWER)
    response = ask(memory, model, threads=0)
    assert threads(model) == []
    assert response.trace.steps[0].threads == ()


def test_a_kind_that_is_left_out_comes_in_no_thread(memory: UserMemory) -> None:
    model = Scripted(retrieve("tea"), ANSWER)
    ask(memory, model, kinds=frozenset({"core", "procedural"}))
    assert threads(model) == []


def test_the_same_question_gets_the_same_prompt(memory: UserMemory) -> None:
    first, second = Scripted(retrieve("tea"), ANSWER), Scripted(retrieve("tea"), ANSWER)
    ask(memory, first)
    ask(memory, second)
    assert first.asked == second.asked


def test_fewer_than_no_threads_are_refused() -> None:
    with pytest.raises(ValueError, match="0 or more threads"):
        ResponseSettings(threads=-1)
