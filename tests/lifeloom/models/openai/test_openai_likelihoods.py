"""Choices by log-probability through the openai backend, against a real HTTP server."""

from __future__ import annotations

import json
import math
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lifeloom.models import (
    BudgetExhausted,
    CallSettings,
    CapabilityMissing,
    GenerationRejected,
    Key,
    ModelRefusesKey,
    OpenAiModel,
    ResponseCache,
)
from lifeloom.models.calls.ledger import Budget, Ledger
from lifeloom.models.protocol import ModelIdentity
from lifeloom.models.tokens import count_tokens
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, GenerationTask, OptionText, TaskInput, TextOutput
from tests.servers import ChatServer, Received, Reply, answer, body, error

QUESTION = ChoiceAnswerInput(
    context=(),
    asked_at="2026-01-05 10:00",
    query="Which tea?",
    options=(OptionText(letter="a", text="green"), OptionText(letter="b", text="black")),
)
OPTIONS = ["green", "black"]


class Weather(TaskInput):
    sky: str


JUDGING = GenerationTask("judging", "1", Weather, TextOutput, "Judge.", "The sky is {{ input.sky }}. How is it?")


def told(*alternatives: tuple[str, float], **changes: Any) -> Reply:
    """A chat completion of one token; alternatives are tokens with their probabilities."""
    completion = {
        "choices": [
            {
                "message": {"role": "assistant", "content": alternatives[0][0] if alternatives else ""},
                "finish_reason": "length",
                "logprobs": {
                    "content": [
                        {
                            "token": "?",
                            "logprob": -0.1,
                            "top_logprobs": [{"token": t, "logprob": math.log(p)} for t, p in alternatives],
                        }
                    ]
                },
                **changes,
            }
        ],
        "usage": {"prompt_tokens": 50, "completion_tokens": 1},
    }
    return body(json.dumps(completion).encode())


def model(server: ChatServer, cache: ResponseCache | None = None, **options: Any) -> OpenAiModel:
    calls = CallSettings(rng=random.Random(1), cache=cache)
    return OpenAiModel(
        "m", base_url=server.base_url, key=Key("k" * 12, "K"), scores_options=True, calls=calls, **options
    )


def scores(reply: Reply, options: Sequence[str] = OPTIONS) -> tuple[float, ...]:
    with ChatServer(reply) as server, model(server) as scorer:
        return scorer.score_options(CHOICE_ANSWER, QUESTION, options).scores


def test_one_token_with_its_alternatives_is_asked_for() -> None:
    with ChatServer(told(("a", 0.75), ("b", 0.25))) as server, model(server) as scorer:
        assert scorer.scores_options
        result = scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
    assert result.scores == pytest.approx((math.log(0.75), math.log(0.25)))
    assert (result.usage.prompt_tokens, result.usage.completion_tokens, result.usage.calls) == (50, 1, 1)
    (request,) = server.requests
    system, user = request.json.pop("messages")
    assert request.json == {"model": "m", "max_tokens": 1, "logprobs": True, "top_logprobs": 20, "temperature": 0.0}
    assert system["content"] == CHOICE_ANSWER.instructions
    assert user["content"].startswith(CHOICE_ANSWER.render(QUESTION).rstrip())
    assert user["content"].endswith("Answer with the letter of one option and nothing else.")
    assert user["content"].count("(a) green") == 1


def test_options_are_scored_in_the_order_asked() -> None:
    assert scores(told(("a", 0.75), ("b", 0.25)), ["black", "green"]) == pytest.approx((math.log(0.25), math.log(0.75)))


def test_the_ways_to_write_a_letter_are_added_up() -> None:
    given = scores(told(("b", 0.1), (" b", 0.1), ("(b", 0.1), ("B", 0.1), ('"b"', 0.05), ("▁b", 0.05), ("a", 0.3)))
    assert given == pytest.approx((math.log(0.3), math.log(0.5)))


def test_a_word_that_begins_with_a_letter_is_not_that_letter() -> None:
    given = scores(told(("black", 0.6), ("a", 0.3), ("b", 0.1)))
    assert given == pytest.approx((math.log(0.3), math.log(0.1)))


def test_an_option_that_is_not_told_of_scores_below_all_that_are() -> None:
    given = scores(told(("b", 0.9), ("the", 0.05)))
    assert given[0] == pytest.approx(math.log(0.05) - 1)
    assert given[1] == pytest.approx(math.log(0.9))


def test_an_impossible_token_has_a_finite_score() -> None:
    reply = told(("a", 0.5), ("b", 0.5))
    data = reply.body.replace(str(math.log(0.5)).encode(), b"-Infinity", 1)
    given = scores(body(data))
    assert given[0] < given[1]
    assert all(math.isfinite(score) for score in given)


def test_none_of_the_letters_is_a_rejection_that_is_counted_and_paid_and_not_kept(tmp_path: Path) -> None:
    with (
        ResponseCache(tmp_path / "answers.sqlite") as cache,
        ChatServer(told(("Sure", 0.9), ("The", 0.1)), told(("a", 0.9))) as server,
        model(server, cache) as scorer,
    ):
        with pytest.raises(GenerationRejected) as caught:
            scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
        assert (caught.value.reason, caught.value.raw) == ("wrong_schema", "'Sure', 'The'")
        assert scorer.tally.events == {"rejected_wrong_schema": 1}
        assert scorer.tally.usage.calls == 1
        assert cache.stats().rows == 0
        assert scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS).scores[0] == pytest.approx(math.log(0.9))


def test_scores_are_kept_and_are_not_mistaken_for_an_answer(tmp_path: Path) -> None:
    with (
        ResponseCache(tmp_path / "answers.sqlite") as cache,
        ChatServer(told(("a", 0.75), ("b", 0.25)), answer('{"letter": "b"}'), told(("b", 0.5))) as server,
        model(server, cache) as scorer,
    ):
        first = scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
        again = scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
        assert (again.scores, again.usage.cached, again.usage.calls) == (first.scores, True, 0)
        assert scorer.run(CHOICE_ANSWER, QUESTION).output.letter == "b"
        scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS[::-1])  # other options: another question
        assert len(server.requests) == 3


def test_options_that_the_prompt_does_not_show_are_listed_after_it() -> None:
    with ChatServer(told(("c", 0.9), ("a", 0.1))) as server, model(server) as scorer:
        given = scorer.score_options(JUDGING, Weather(sky="blue"), ["bad", "fair", "good"]).scores
    assert given.index(max(given)) == 2
    user = server.requests[0].json["messages"][1]["content"]
    assert user.startswith("The sky is blue. How is it?\n\n(a) bad\n(b) fair\n(c) good\n")


@pytest.mark.parametrize(
    "reply",
    [
        answer("b"),
        told(("b", 0.5), logprobs=None),
        told(("b", 0.5), logprobs={"content": []}),
        told(("b", 0.5), logprobs=[]),
        told(("b", 0.5), logprobs={"content": [{"top_logprobs": None}]}),
        told(("b", 0.5), logprobs={"content": [{"top_logprobs": [{"token": "b", "logprob": None}]}]}),
        told(),
        error(400, "Unsupported parameter: 'logprobs'", code="unsupported_parameter", param="logprobs"),
        error(400, "logprobs are not supported with reasoning models"),
        error(400, "top_logprobs is not supported", code="unsupported_parameter", param="top_logprobs"),
    ],
)
def test_a_server_that_gives_no_log_probabilities_is_told_with_what_to_set(reply: Reply) -> None:
    with (
        ChatServer(reply) as server,
        model(server) as scorer,
        pytest.raises(CapabilityMissing, match='options = "letter"'),
    ):
        scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "paid"),
    [
        (told(("b", 0.5), logprobs=None), (1, 50, 1)),
        (error(400, "logprobs are not supported with reasoning models"), (0, 0, 0)),
    ],
)
def test_an_answer_without_log_probabilities_is_booked_and_a_refusal_to_give_them_is_not(
    reply: Reply, paid: tuple[int, int, int], tmp_path: Path
) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger, ChatServer(reply) as server:
        calls = CallSettings(meter=ledger.meter("reader", ModelIdentity("openai", "m")))
        key = Key("k" * 12, "K")
        with (
            OpenAiModel("m", base_url=server.base_url, key=key, scores_options=True, calls=calls) as scorer,
            pytest.raises(CapabilityMissing, match=r'OpenAiModel.*options = "letter"'),
        ):
            scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
        lines = ledger.spent()
    assert [
        sum(column)
        for column in zip(
            (0, 0, 0), *((one.calls, one.prompt_tokens, one.completion_tokens) for one in lines), strict=True
        )
    ] == list(paid)


def test_a_server_that_tells_fewer_alternatives_is_asked_for_fewer_and_remembered() -> None:
    refusal = error(400, "top_logprobs must be at most 5", param="top_logprobs")
    with ChatServer(refusal, told(("a", 0.5)), told(("b", 0.5))) as server, model(server) as scorer:
        scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
        scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS[::-1])
    assert [request.json["top_logprobs"] for request in server.requests] == [20, 5, 5]


def test_a_filter_that_declines_is_a_refusal() -> None:
    with (
        ChatServer(error(400, "filtered", code="content_filter")) as server,
        model(server) as scorer,
        pytest.raises(GenerationRejected) as caught,
    ):
        scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
    assert (caught.value.reason, caught.value.raw) == ("refusal", "filtered")


def test_a_refused_key_is_not_taken_for_a_missing_capability() -> None:
    with (
        ChatServer(error(401, "logprobs need a better key")) as server,
        model(server) as scorer,
        pytest.raises(ModelRefusesKey),
    ):
        scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)


def test_a_passing_failure_is_tried_again() -> None:
    with ChatServer(body(b"{}"), told(("a", 0.5))) as server, model(server) as scorer:
        scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
        assert scorer.tally.events == {"bad_body": 1}


def test_more_options_than_alternatives_cannot_be_scored_and_nothing_is_sent() -> None:
    with ChatServer() as server, model(server) as scorer, pytest.raises(CapabilityMissing, match="ask about fewer"):
        scorer.score_options(CHOICE_ANSWER, QUESTION, [f"option {n}" for n in range(21)])
    assert server.requests == []


@pytest.mark.parametrize("broken", [b"NaN", b"Infinity", b"1e999", b'"NaN"'])
def test_scores_that_are_no_numbers_are_a_counted_rejection_and_never_kept(broken: bytes, tmp_path: Path) -> None:
    reply = told(("a", 0.5), ("b", 0.5))
    data = reply.body.replace(str(math.log(0.5)).encode(), broken, 1)
    with (
        ResponseCache(tmp_path / "answers.sqlite") as cache,
        ChatServer(body(data), reply) as server,
        model(server, cache) as scorer,
    ):
        with pytest.raises(GenerationRejected, match="no finite number") as caught:
            scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
        assert caught.value.usage.prompt_tokens == 50
        assert scorer.tally.events == {"rejected_wrong_schema": 1}
        assert cache.stats().rows == 0
        assert len(scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS).scores) == 2


def test_scores_in_the_cache_that_are_no_numbers_are_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with (
        ResponseCache(path) as cache,
        ChatServer(otherwise=told(("a", 0.75), ("b", 0.25))) as server,
        model(server, cache) as scorer,
    ):
        first = scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS)
        with closing(sqlite3.connect(path)) as other:
            other.execute("UPDATE answers SET text = '[NaN, -1.0]'")
            other.commit()
        assert scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS).scores == first.scores
        assert scorer.score_options(CHOICE_ANSWER, QUESTION, OPTIONS).usage.cached
        assert len(server.requests) == 2


def test_options_with_broken_unicode_are_asked_about_and_kept(tmp_path: Path) -> None:
    options = ["green \ud83d", "black"]
    shown = tuple(OptionText(letter=letter, text=text) for letter, text in zip("ab", options, strict=True))
    with (
        ResponseCache(tmp_path / "answers.sqlite") as cache,
        ChatServer(otherwise=told(("a", 0.75), ("b", 0.25))) as server,
        model(server, cache) as scorer,
    ):
        asked = QUESTION.model_copy(update={"options": shown})
        assert scorer.score_options(CHOICE_ANSWER, asked, options).scores[0] == pytest.approx(math.log(0.75))
        assert server.requests[0].json["messages"][1]["content"].count("(a) green ?") == 1
        assert scorer.score_options(CHOICE_ANSWER, asked, options).usage.cached
        scorer.score_options(JUDGING, Weather(sky="blue"), options)
        assert "(a) green ?\n(b) black" in server.requests[1].json["messages"][1]["content"]


def test_a_choice_without_options_is_refused_before_anything_is_sent() -> None:
    with ChatServer() as server, model(server) as scorer, pytest.raises(ValueError, match="at least one option"):
        scorer.score_options(CHOICE_ANSWER, QUESTION, [])
    assert server.requests == []


def test_options_scored_cost_no_more_than_the_budget(tmp_path: Path) -> None:
    options = [f"a long option about tea and rivers, number {n}" for n in range(10)]
    paid: list[int] = []

    def decide(received: Received) -> Reply:
        tokens = sum(count_tokens(message["content"]) for message in received.json["messages"]) + 12
        paid.append(tokens + 1)
        completion = json.loads(told(("a", 0.5)).body)
        completion["usage"]["prompt_tokens"] = tokens
        return body(json.dumps(completion).encode())

    with Ledger(tmp_path / "ledger.sqlite", Budget(tokens=1500)) as ledger, ChatServer(decide=decide) as server:
        calls = CallSettings(meter=ledger.meter("reader", ModelIdentity("openai", "m")))
        key = Key("k" * 12, "K")
        with OpenAiModel("m", base_url=server.base_url, key=key, scores_options=True, calls=calls) as scorer:

            def spend() -> None:
                for number in range(50):
                    scorer.score_options(JUDGING, Weather(sky=f"blue {number}"), options)

            with pytest.raises(BudgetExhausted):
                spend()
    assert 750 < sum(paid) <= 1500
