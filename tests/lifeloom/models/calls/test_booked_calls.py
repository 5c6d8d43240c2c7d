"""A served model with a ledger: what is booked, and a budget that stops cleanly and resumes."""

from __future__ import annotations

import concurrent.futures
from pathlib import Path

import pytest

from lifeloom.models import CallSettings, GenerationRejected, Key, OpenAiModel, ResponseCache, RetryPolicy
from lifeloom.models.calls.ledger import Budget, Ledger, Price
from lifeloom.models.protocol import BudgetExhausted, ModelIdentity
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, OptionText
from tests.servers import ChatServer, answer, error

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
