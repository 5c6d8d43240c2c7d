"""Calls that wait end when an error makes them senseless; those that wait to be repeated hold no place."""

from __future__ import annotations

import concurrent.futures
import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from lifeloom.models import (
    BudgetExhausted,
    CallSettings,
    Gate,
    Key,
    ModelError,
    ModelRefusesKey,
    ModelUnavailable,
    OpenAiModel,
    RetryPolicy,
    Timing,
)
from lifeloom.models.calls.metering import NoMeter, Spending
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.calls.stopping import CallStopped, Stop, stoppable
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, OptionText
from tests.servers import ChatServer, Received, Reply, answer, error, hang

GOOD = '{"letter": "b"}'
PATIENT = RetryPolicy(max_total_seconds=3600)
LATER = {"Retry-After": "600"}


def question(number: int) -> ChoiceAnswerInput:
    options = (OptionText(letter="a", text="green"), OptionText(letter="b", text="black"))
    return ChoiceAnswerInput(context=(), asked_at="2026-01-05 10:00", query=f"Which tea? {number}", options=options)


def model(server: ChatServer, **calls: object) -> OpenAiModel:
    calls.setdefault("retries", PATIENT)
    settings = CallSettings(rng=random.Random(1), **calls)  # type: ignore[arg-type]
    return OpenAiModel("m", base_url=server.base_url, key=Key("k" * 12, "THE_KEY"), calls=settings)


def number_of(received: Received) -> int:
    return int(received.json["messages"][1]["content"].split("Which tea? ")[1].split()[0])


def until(condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.005)


def outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except ModelError as problem:
        return type(problem).__name__
    return "answered"


class Poor(NoMeter):
    """A meter with room for so many calls."""

    def __init__(self, calls: int) -> None:
        self.left = calls
        self.lock = threading.Lock()

    def reserve(self, prompt_version: str, prompt_tokens: int, completion_tokens: int) -> Spending:
        with self.lock:
            self.left -= 1
            if self.left < 0:
                raise BudgetExhausted("no money left")
        return super().reserve(prompt_version, prompt_tokens, completion_tokens)


def test_of_64_callers_with_a_refused_key_only_those_under_way_are_sent_and_all_are_told() -> None:
    gate = Gate(concurrency=8)
    with ChatServer(otherwise=error(401, "no such key")) as server, model(server, gate=gate) as asked:
        blocks = [gate.slot() for _ in range(8)]
        for block in blocks:
            block.__enter__()
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            calls = [
                pool.submit(outcome, lambda n=number: asked.run(CHOICE_ANSWER, question(n))) for number in range(64)
            ]
            until(lambda: len(gate._queue) == 64)
            for block in blocks:
                block.__exit__(None, None, None)
            outcomes = [call.result(timeout=20) for call in calls]
        assert len(server.requests) <= 8
    assert outcomes == ["ModelRefusesKey"] * 64


def test_of_16_callers_with_one_question_and_a_refused_key_one_is_sent_and_all_are_told() -> None:
    answered = threading.Event()

    def decide(received: Received) -> Reply:
        answered.wait(20)
        return error(401, "no such key")

    with ChatServer(decide=decide) as server, model(server) as asked:
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            calls = [pool.submit(outcome, lambda: asked.run(CHOICE_ANSWER, question(1))) for _ in range(16)]
            until(lambda: sum(users for _, users in asked._flights._locks.values()) == 16)
            answered.set()
            outcomes = [call.result(timeout=20) for call in calls]
        assert len(server.requests) == 1
    assert outcomes == ["ModelRefusesKey"] * 16


def test_a_refused_key_wakes_those_who_sleep_until_they_may_ask_again() -> None:
    def decide(received: Received) -> Reply:
        return error(429, headers=LATER) if number_of(received) < 6 else error(401, "the key was withdrawn")

    with ChatServer(decide=decide) as server, model(server) as asked:
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            sleepers = [pool.submit(asked.run, CHOICE_ANSWER, question(number)) for number in range(6)]
            until(lambda: asked.tally.events.get("http_429") == 6)
            with pytest.raises(ModelRefusesKey):
                asked.run(CHOICE_ANSWER, question(6))
            for sleeper in sleepers:
                with pytest.raises(ModelRefusesKey, match="THE_KEY"):
                    sleeper.result(timeout=20)
        assert len(server.requests) == 7


def test_a_spent_budget_wakes_those_who_sleep() -> None:
    with (
        ChatServer(otherwise=error(429, headers=LATER)) as server,
        model(server, meter=Poor(4)) as asked,
        concurrent.futures.ThreadPoolExecutor(4) as pool,
    ):
        sleepers = [pool.submit(asked.run, CHOICE_ANSWER, question(number)) for number in range(4)]
        until(lambda: asked.tally.events.get("http_429") == 4)
        with pytest.raises(BudgetExhausted):
            asked.run(CHOICE_ANSWER, question(4))
        for sleeper in sleepers:
            with pytest.raises(BudgetExhausted, match="no money left"):
                sleeper.result(timeout=20)


def test_a_model_whose_key_was_refused_is_asked_again_by_later_calls() -> None:
    with ChatServer(error(401), answer(GOOD)) as server, model(server) as asked:
        assert outcome(lambda: asked.run(CHOICE_ANSWER, question(1))) == "ModelRefusesKey"
        assert outcome(lambda: asked.run(CHOICE_ANSWER, question(1))) == "answered"


def test_a_call_that_waits_to_be_repeated_holds_no_place() -> None:
    between: list[str] = []

    def sleep(seconds: float) -> None:  # while the first call waits, the only place is free for another
        if not between:
            between.append("")
            between.append(asked.run(CHOICE_ANSWER, question(2)).output.letter)

    gate = Gate(concurrency=1)
    with ChatServer(error(429, headers=LATER), answer(GOOD), answer('{"letter": "a"}')) as server:
        asked = model(server, gate=gate, timing=Timing(sleep=sleep))
        assert asked.run(CHOICE_ANSWER, question(1)).output.letter == "a"
        asked.close()
    assert between == ["", "b"]


def test_waiting_for_a_place_counts_towards_no_calls_time() -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    timing = Timing(monotonic=lambda: now[0], sleep=sleep)
    gate = Gate(requests_per_minute=1, timing=timing)
    policy = RetryPolicy(max_attempts=3, max_total_seconds=30)
    with (
        ChatServer(error(500), error(500), answer(GOOD)) as server,
        model(server, gate=gate, timing=timing, retries=policy) as asked,
    ):
        assert asked.run(CHOICE_ANSWER, question(1)).output.letter == "b"
    assert now[0] == pytest.approx(120, abs=1)  # twice a minute's wait for the gate, within 30 s of trying


def test_the_time_in_all_bounds_a_server_that_hangs_at_every_attempt() -> None:
    policy = RetryPolicy(max_attempts=100, max_total_seconds=1.5, first_wait_seconds=0.01)
    with ChatServer(otherwise=hang()) as server, model(server, retries=policy, call_seconds=1.0) as asked:
        began = time.monotonic()
        with pytest.raises(ModelUnavailable, match="timeout"):
            asked.run(CHOICE_ANSWER, question(1))
        assert time.monotonic() - began < 15
        server.closing.set()


# --- batches


def test_an_error_in_a_batch_ends_its_sleepers_and_begins_no_more() -> None:
    begun: list[int] = []

    def call(number: int) -> str:
        begun.append(number)
        if number == 3:
            until(lambda: asked.tally.events.get("http_429") == 3)
            raise ValueError("a bug")
        return asked.run(CHOICE_ANSWER, question(number)).output.letter

    with ChatServer(otherwise=error(429, headers=LATER)) as server, model(server) as asked:
        with pytest.raises(ValueError, match="a bug"):
            list(ordered_map(call, range(100), workers=4))
        assert sorted(begun) == [0, 1, 2, 3]
        assert len(server.requests) == 3


def test_a_caller_that_wants_no_more_results_does_not_wait_for_sleepers() -> None:
    def call(number: int) -> str:
        if number == 0:
            until(lambda: asked.tally.events.get("http_429") == 3)
            return "first"
        return asked.run(CHOICE_ANSWER, question(number)).output.letter

    with ChatServer(otherwise=error(429, headers=LATER)) as server, model(server) as asked:
        results = ordered_map(call, range(4), workers=4)
        assert next(results) == "first"
        results.close()  # type: ignore[attr-defined]
        assert len(server.requests) == 3


def test_stops_of_one_batch_leave_other_calls_of_the_model_alone() -> None:
    stop = Stop()
    stop.throw(RuntimeError("over"))
    with ChatServer(otherwise=answer(GOOD)) as server, model(server) as asked:
        with stoppable(stop), pytest.raises(CallStopped, match="over"):
            asked.run(CHOICE_ANSWER, question(1))
        assert server.requests == []
        assert asked.run(CHOICE_ANSWER, question(1)).output.letter == "b"


INTERRUPTED = """
import sys
from lifeloom.models import CallSettings, Gate, OpenAiModel, RetryPolicy
from lifeloom.models.calls import connections
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput
questions = [ChoiceAnswerInput.model_validate_json(line) for line in sys.stdin]
connections._GRACE_SECONDS = 0.5
calls = CallSettings(gate=Gate(concurrency=4), retries=RetryPolicy(max_total_seconds=3600))
model = OpenAiModel("m", base_url=sys.argv[1], calls=calls)
for answer in ordered_map(lambda one: model.run(CHOICE_ANSWER, one), questions, workers=16):
    pass
"""


@pytest.mark.parametrize(("reply", "under_way"), [(error(429, headers=LATER), 16), (hang(), 4)])
def test_an_interrupt_ends_a_process_whose_calls_sleep_or_wait(reply: Reply, under_way: int) -> None:
    with ChatServer(otherwise=reply) as server:
        with subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED, server.base_url],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin is not None
            process.stdin.writelines(json.dumps(question(n).model_dump(mode="json")) + "\n" for n in range(40))
            process.stdin.close()
            process.stdin = None
            until(lambda: len(server.requests) >= under_way)
            process.send_signal(signal.SIGINT)
            _, complaints = process.communicate(timeout=20)
        assert process.returncode != 0
        assert "KeyboardInterrupt" in complaints
        assert len(server.requests) == under_way
        server.closing.set()
