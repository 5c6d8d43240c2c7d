"""A served model with a ledger: what is booked, and a budget that stops cleanly and resumes."""

from __future__ import annotations

import concurrent.futures
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lifeloom.models import CallSettings, GenerationRejected, Key, OpenAiModel, ResponseCache, RetryPolicy
from lifeloom.models.calls.ledger import Budget, Ledger, LedgerUnusable, Price
from lifeloom.models.protocol import BudgetExhausted, ModelIdentity
from lifeloom.models.tokens import count_tokens
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, OptionText
from tests.servers import ChatServer, Received, Reply, answer, body, error

GOOD = '{"letter": "b"}'
PAID = CHOICE_ANSWER.max_tokens


def _question(number: int) -> ChoiceAnswerInput:
    return ChoiceAnswerInput(
        context=(),
        asked_at="2026-01-05 10:00",
        query=f"Which tea, number {number}?",
        options=(OptionText(letter="a", text="green"), OptionText(letter="b", text="black")),
    )


def _model(server: ChatServer, ledger: Ledger, cache: ResponseCache | None = None) -> OpenAiModel:
    meter = ledger.meter("reader", ModelIdentity("openai", "m"), Price(1.0, 1.0))
    calls = CallSettings(meter=meter, cache=cache, retries=RetryPolicy(first_wait_seconds=0.0))
    return OpenAiModel("m", base_url=server.base_url, key=Key("sk-test", "OPENAI_API_KEY"), calls=calls)


def test_calls_re_asks_rejections_retries_and_answers_from_the_cache_are_on_record(tmp_path: Path) -> None:
    script = (
        error(500, "down"),
        answer("no JSON", usage=(100, 5)),  # asked once more
        answer(GOOD, usage=(120, 5)),
        answer("still none", usage=(100, 7)),
        answer("nor now", usage=(120, 7)),
    )
    with (
        ChatServer(*script) as server,
        ResponseCache(tmp_path / "responses.sqlite") as cache,
        Ledger(tmp_path / "ledger.sqlite") as ledger,
        ledger.account("scores/persona_mme", "run-1"),
        _model(server, ledger, cache) as model,
    ):
        model.run(CHOICE_ANSWER, _question(1))
        with pytest.raises(GenerationRejected):
            model.run(CHOICE_ANSWER, _question(2))
        model.run(CHOICE_ANSWER, _question(1))
        (line,) = ledger.spent()
        events = {one.event: one.times for one in ledger.events()}
        usage = model.tally.usage
    assert (line.calls, line.prompt_tokens, line.completion_tokens) == (4, 440, 24)
    assert (line.calls, line.prompt_tokens) == (usage.calls, usage.prompt_tokens)
    assert (line.cached, line.cached_prompt_tokens, line.cached_completion_tokens) == (1, 220, 10)
    assert line.usd == pytest.approx(464 / 1e6)
    assert events["http_500"] == 1
    assert events["reask_bad_json"] == 2
    assert events["rejected_bad_json"] == 1


def test_a_budget_stops_before_the_call_that_would_cost_more_and_the_next_run_goes_on(tmp_path: Path) -> None:
    questions = [_question(number) for number in range(40)]

    def run(server: ChatServer, budget: Budget) -> int:
        """Return how many were answered."""
        with (
            ResponseCache(tmp_path / "responses.sqlite") as cache,
            Ledger(tmp_path / "ledger.sqlite", budget) as ledger,
            _model(server, ledger, cache) as model,
            concurrent.futures.ThreadPoolExecutor(16) as pool,
        ):
            done = [pool.submit(model.run, CHOICE_ANSWER, question) for question in questions]
            failures = [one.exception(timeout=60) for one in done]
            assert all(failure is None or isinstance(failure, BudgetExhausted) for failure in failures)
            assert sum(line.usd for line in ledger.spent()) <= budget.usd
            return failures.count(None)

    one_call = (60 + PAID) / 1e6
    with ChatServer(otherwise=answer(GOOD, usage=(60, PAID))) as server:
        answered = run(server, Budget(usd=10 * one_call))
        assert len(server.requests) == answered
        assert 0 < answered <= 10
        assert run(server, Budget(usd=100 * one_call)) == 40
        assert len(server.requests) == 40  # what was paid is not paid again


def test_a_call_that_fails_for_good_gives_its_room_back(tmp_path: Path) -> None:
    with (
        ChatServer(error(400, "bad request"), otherwise=answer(GOOD, usage=(10, 5))) as server,
        Ledger(tmp_path / "ledger.sqlite", Budget(tokens=400 + PAID)) as ledger,
        _model(server, ledger) as model,
    ):
        with pytest.raises(GenerationRejected):
            model.run(CHOICE_ANSWER, _question(1))
        assert model.run(CHOICE_ANSWER, _question(2)).output.letter == "b"


def _with_usage(usage: Any) -> Reply:
    completion = json.loads(answer(GOOD).body)
    completion["usage"] = usage
    return body(json.dumps(completion).encode())


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 1e18, "completion_tokens": 1e18},
        {"prompt_tokens": 10**25, "completion_tokens": 10**25},
        {"prompt_tokens": -1_000_000, "completion_tokens": -10},
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"prompt_tokens": 1.5, "completion_tokens": "many"},
        {"prompt_tokens": True, "completion_tokens": None},
        "many",
        [1],
        None,
    ],
)
def test_an_answer_whose_cost_is_told_wrongly_is_taken_once_and_counted_here(usage: Any, tmp_path: Path) -> None:
    with (
        ChatServer(otherwise=_with_usage(usage)) as server,
        Ledger(tmp_path / "ledger.sqlite", Budget(tokens=2000)) as ledger,
        _model(server, ledger) as model,
    ):
        given = [model.run(CHOICE_ANSWER, _question(number)) for number in range(2)]
        assert [one.output.letter for one in given] == ["b", "b"]
        assert len(server.requests) == 2
        assert all(100 < one.usage.prompt_tokens < 400 for one in given)
        assert all(one.usage.completion_tokens == count_tokens(GOOD) for one in given)
        (line,) = ledger.spent()
        assert line.prompt_tokens == sum(one.usage.prompt_tokens for one in given)


def test_an_answer_whose_cost_cannot_be_written_down_is_an_error_and_in_the_cache(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with (
        ChatServer(answer(GOOD), answer(GOOD, usage=(60, 5))) as server,
        ResponseCache(tmp_path / "responses.sqlite") as cache,
        Ledger(path, Budget(tokens=2000)) as ledger,
        _model(server, ledger, cache) as model,
    ):
        model.run(CHOICE_ANSWER, _question(0))
        with closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TRIGGER full BEFORE UPDATE ON lines BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
            other.commit()
            with pytest.raises(LedgerUnusable, match="disk is full"):
                model.run(CHOICE_ANSWER, _question(1))
            assert model.tally.usage.calls == 2
            other.execute("DROP TRIGGER full")
            other.commit()
        again = model.run(CHOICE_ANSWER, _question(1))
        assert (again.output.letter, again.usage.cached, again.usage.prompt_tokens) == ("b", True, 60)
        ledger.flush()
        assert sum(line.calls for line in ledger.spent()) == 2


@pytest.mark.parametrize("dialect", ["strict", "prompt"])
def test_the_budget_holds_while_the_server_counts_what_it_is_sent(dialect: str, tmp_path: Path) -> None:
    told: list[int] = []

    def decide(received: Received) -> Reply:
        sent = received.json
        if dialect == "prompt" and "response_format" in sent:
            return error(400, "response_format json_schema is not supported")
        words = [message["content"] for message in sent["messages"]]
        if "response_format" in sent:
            words.append(json.dumps(sent["response_format"]["json_schema"]["schema"]))
        tokens = sum(map(count_tokens, words)) + 12  # its template
        bad = len(told) % 2 == 0  # asked once more
        told.append(tokens + 5)
        return answer("no JSON" if bad else GOOD, usage=(tokens, 5))

    with (
        ChatServer(decide=decide) as server,
        Ledger(tmp_path / "ledger.sqlite", Budget(tokens=2000)) as ledger,
        _model(server, ledger) as model,
    ):

        def spend() -> None:
            for number in range(50):
                model.run(CHOICE_ANSWER, _question(number))

        with pytest.raises(BudgetExhausted):
            spend()
    assert 1000 < sum(told) <= 2000


def test_an_answer_that_costs_more_than_its_reserve_is_booked_in_full_and_stops_the_next(tmp_path: Path) -> None:
    with (
        ChatServer(otherwise=answer(GOOD, usage=(5000, 5))) as server,
        Ledger(tmp_path / "ledger.sqlite", Budget(tokens=1000)) as ledger,
        _model(server, ledger) as model,
    ):
        assert model.run(CHOICE_ANSWER, _question(1)).output.letter == "b"
        with pytest.raises(BudgetExhausted, match="5,005 tokens are spent"):
            model.run(CHOICE_ANSWER, _question(2))
        assert len(server.requests) == 1
