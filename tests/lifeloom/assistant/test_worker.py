"""The worker: updates off the path of replies, users in turn, and nothing lost when the model is away."""

from __future__ import annotations

import contextlib
import datetime as dt
import logging
import threading

import pytest

from lifeloom.assistant.jobs import enqueue, turn_jobs
from lifeloom.assistant.update import UpdateStage
from lifeloom.assistant.worker import UpdateWorker
from lifeloom.memory import DialogueTurn, UserMemory
from lifeloom.models.protocol import ModelUnavailable
from tests.remembering import MONDAY, OFFSET, FormModel, WordEncoder, attentive


@pytest.fixture
def open_memory(tmp_path):
    with contextlib.ExitStack() as stack:
        yield lambda user: stack.enter_context(UserMemory.open(tmp_path / f"{user}.sqlite", user))


def told(memory: UserMemory, *texts: str) -> None:
    """Let the user say ``texts``, and queue what is to be updated from them."""
    for text in texts:
        index = memory.turn_count()
        turn = DialogueTurn(index, 0, MONDAY + dt.timedelta(minutes=index), OFFSET, text, "I see.")
        memory.add_turn(turn)
        enqueue(memory, turn_jobs(turn, 0))


def contents(memory: UserMemory) -> list[str]:
    return [one.content for one in memory.memories("semantic")]


def test_updates_are_made_in_a_thread_of_their_own_in_order(open_memory):
    model, memory = FormModel(semantic_update=attentive), open_memory("ines")
    told(memory, "I like tea", "I like cake")
    with UpdateWorker(UpdateStage(model, WordEncoder())) as worker:
        worker.notify(memory)
        flushed = worker.flush(memory, timeout=30)
    assert (flushed.left, flushed.problem) == (0, "")
    assert contents(memory) == ["The user said: I like tea", "The user said: I like cake"]
    assert threading.current_thread().name not in model.threads


def test_notifying_returns_while_an_update_is_being_made(open_memory):
    let_go, begun = threading.Event(), threading.Event()

    def slow(task_input):
        begun.set()
        assert let_go.wait(30)
        return attentive(task_input)

    memory = open_memory("ines")
    told(memory, "I like tea")
    with UpdateWorker(UpdateStage(FormModel(semantic_update=slow), WordEncoder())) as worker:
        worker.notify(memory)
        assert begun.wait(30)
        assert worker.notify(memory)
        assert worker.flush(memory, timeout=0.01).left == 1
        assert memory.turns()[0].user == "I like tea"  # readers are not held up
        let_go.set()
        assert worker.flush(memory, timeout=30).left == 0


def test_no_user_waits_for_the_whole_queue_of_another(open_memory):
    let_go = threading.Event()

    def first_waits(task_input):
        assert let_go.wait(30)
        return attentive(task_input)

    model = FormModel(semantic_update=first_waits)
    ines, olu = open_memory("ines"), open_memory("olu")
    told(ines, *["I like tea"] * 4)
    told(olu, "I like cake")
    with UpdateWorker(UpdateStage(model, WordEncoder())) as worker:
        worker.notify(ines)
        worker.notify(olu)
        let_go.set()
        assert worker.flush(olu, timeout=30).left == 0
        assert worker.flush(ines, timeout=30).left == 0
    said = [asked.user for name, asked in model.asked if name == "semantic_update"]
    assert said.index("I like cake") <= 2
    assert contents(olu) == ["The user said: I like cake"]


def test_a_model_that_is_away_is_told_plainly_and_asked_again_later(open_memory):
    answers = iter([ModelUnavailable("the server is down"), ModelUnavailable("still down")])
    model = FormModel(semantic_update=lambda asked: next(answers, None) or attentive(asked))
    memory = open_memory("ines")
    told(memory, "I like tea")
    with UpdateWorker(UpdateStage(model, WordEncoder()), retry_seconds=3600) as worker:
        flushed = worker.flush(memory, timeout=30)
        assert (flushed.left, flushed.problem) == (1, "the server is down")
        assert worker.problem(memory) == "the server is down"
        assert worker.flush(memory, timeout=30).problem == "still down"  # a flush tries at once
        assert worker.flush(memory, timeout=30).left == 0
        assert worker.problem(memory) == ""
    assert contents(memory) == ["The user said: I like tea"]


def test_it_tries_again_by_itself(open_memory):
    answered = threading.Event()

    def third_time(asked, times=[]):  # noqa: B006 - counts the calls
        times.append(1)
        if len(times) < 3:
            return ModelUnavailable("the server is down")
        answered.set()
        return attentive(asked)

    memory = open_memory("ines")
    told(memory, "I like tea")
    with UpdateWorker(UpdateStage(FormModel(semantic_update=third_time), WordEncoder()), retry_seconds=0.01) as worker:
        worker.notify(memory)
        assert answered.wait(30)
        assert worker.flush(memory, timeout=30).left == 0


def test_a_model_away_for_one_user_does_not_hold_up_another(open_memory):
    model = FormModel(semantic_update=lambda asked: ModelUnavailable("no") if "tea" in asked.user else attentive(asked))
    ines, olu = open_memory("ines"), open_memory("olu")
    told(ines, "I like tea")
    told(olu, "I like cake")
    with UpdateWorker(UpdateStage(model, WordEncoder()), retry_seconds=3600) as worker:
        assert worker.flush(ines, timeout=30).problem == "no"
        assert worker.flush(olu, timeout=30).left == 0
    assert contents(olu) == ["The user said: I like cake"]
    assert [job for job, _ in ines.pending()] == ["turn-0/semantic"]


def test_a_fault_of_the_program_is_told_and_logged_and_loses_nothing(open_memory, caplog):
    model = FormModel(semantic_update=RuntimeError("a fault"))
    ines, olu = open_memory("ines"), open_memory("olu")
    told(ines, "I like tea")
    told(olu, "Hello")
    with caplog.at_level(logging.ERROR), UpdateWorker(UpdateStage(model, WordEncoder()), retry_seconds=3600) as worker:
        flushed = worker.flush(ines, timeout=30)
        assert flushed.left == 1
        assert "a fault" in flushed.problem
        model.answers["semantic_update"] = attentive
        assert worker.flush(olu, timeout=30).left == 0
        assert worker.flush(ines, timeout=30).left == 0
    assert "an update of 'ines' failed" in caplog.text
    assert contents(ines) == ["The user said: I like tea"]


def test_closing_finishes_the_update_that_is_being_made_and_keeps_the_others(open_memory):
    let_go, begun = threading.Event(), threading.Event()

    def slow(task_input):
        begun.set()
        assert let_go.wait(30)
        return attentive(task_input)

    memory = open_memory("ines")
    told(memory, "I like tea", "I like cake")
    stage = UpdateStage(FormModel(semantic_update=slow), WordEncoder())
    worker = UpdateWorker(stage)
    worker.notify(memory)
    assert begun.wait(30)
    threading.Timer(0.05, let_go.set).start()
    worker.close()
    assert contents(memory) == ["The user said: I like tea"]
    assert [job for job, _ in memory.pending()] == ["turn-1/personality", "turn-1/semantic"]

    assert not worker.notify(memory)
    assert worker.flush(memory).problem == "the worker of the update stage was closed"
    with UpdateWorker(stage) as another:  # goes on where the first one was
        assert another.flush(memory, timeout=30).left == 0
    assert len(contents(memory)) == 2


def test_a_user_who_is_let_go_is_looked_after_no_longer(open_memory):
    let_go, begun = threading.Event(), threading.Event()

    def slow(task_input):
        begun.set()
        assert let_go.wait(30)
        return attentive(task_input)

    memory = open_memory("ines")
    told(memory, "I like tea", "I like cake")
    with UpdateWorker(UpdateStage(FormModel(semantic_update=slow), WordEncoder())) as worker:
        worker.notify(memory)
        assert begun.wait(30)
        threading.Timer(0.05, let_go.set).start()
        worker.release(memory)
        assert len(memory.pending()) == 2
        worker.release(memory)


def test_two_workers_on_one_file_remember_everything_once(tmp_path):
    texts = [f"I like tea number {number}" for number in range(8)]
    with contextlib.ExitStack() as stack:
        handles = [stack.enter_context(UserMemory.open(tmp_path / "ines.sqlite", "ines")) for _ in range(2)]
        told(handles[0], *texts)
        workers = [
            stack.enter_context(UpdateWorker(UpdateStage(FormModel(semantic_update=attentive), WordEncoder())))
            for _ in handles
        ]
        for worker, memory in zip(workers, handles, strict=True):
            worker.notify(memory)
        for worker, memory in zip(workers, handles, strict=True):
            assert worker.flush(memory, timeout=60).left == 0
        assert contents(handles[0]) == [f"The user said: {text}" for text in texts]
        assert len(handles[0].personality_curve()) == len(texts)
