"""The openai backend end to end, against a real HTTP server on loopback."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import email.utils
import json
import logging
import random
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lifeloom.models import (
    CallSettings,
    CapabilityMissing,
    GenerationRejected,
    Key,
    LanguageModel,
    ModelRefusesKey,
    ModelUnavailable,
    OpenAiModel,
    ResponseCache,
    RetryPolicy,
    Timing,
    Usage,
)
from lifeloom.models.calls.schemas import strict_schema
from lifeloom.tasks import (
    CHOICE_ANSWER,
    PERSONA_ENRICHMENT,
    SESSION_CRITIQUE,
    SESSION_WRITING,
    ChoiceAnswerInput,
    ChoiceAnswerOutput,
    GenerationTask,
    OptionText,
    TaskOutput,
    TextOutput,
)
from tests.servers import ChatServer, Received, Reply, answer, body, drip, error, hang, reset

QUESTION = ChoiceAnswerInput(
    context=(),
    asked_at="2026-01-05 10:00",
    query="Which tea?",
    options=(OptionText(letter="a", text="green"), OptionText(letter="b", text="black")),
)
GOOD = '{"letter": "b"}'
KEY = "sk-canary-7f3b9c2e51d0"
CALLS = {"cache", "retries", "call_seconds", "timing", "rng", "gate", "meter"}


class Clock:
    """A clock that only moves when somebody sleeps on it."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    @property
    def timing(self) -> Timing:
        return Timing(monotonic=lambda: self.now, now=lambda: self.now, sleep=self.sleep)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def serve(clock: Clock) -> Iterator[Callable[..., tuple[ChatServer, OpenAiModel]]]:
    """Start a server with a script, and a model that talks to it."""
    import contextlib

    with contextlib.ExitStack() as stack:

        def start(*script: Reply, otherwise: Reply | None = None, **options: Any) -> tuple[ChatServer, OpenAiModel]:
            server = stack.enter_context(ChatServer(*script, otherwise=otherwise))
            options.setdefault("key", Key(KEY, "OPENAI_API_KEY"))
            calls = {"timing": clock.timing, "rng": random.Random(1)}
            calls |= {name: options.pop(name) for name in CALLS & options.keys()}
            model = stack.enter_context(
                OpenAiModel("test-model", base_url=server.base_url, calls=CallSettings(**calls), **options)
            )
            return server, model

        yield start


Serve = Callable[..., tuple[ChatServer, OpenAiModel]]


# --- a good answer and what is sent for it


def test_a_good_answer_comes_back_typed_with_its_cost_and_provenance(serve: Serve) -> None:
    server, model = serve(answer(GOOD, usage=(321, 7)))

    generation = model.run(CHOICE_ANSWER, QUESTION)

    assert generation.output == ChoiceAnswerOutput(letter="b")
    assert dataclasses.replace(generation.usage, seconds=0.0) == Usage(prompt_tokens=321, completion_tokens=7, calls=1)
    assert generation.provenance.backend == "openai"
    assert generation.provenance.model == "test-model"
    assert generation.provenance.prompt_version == CHOICE_ANSWER.prompt_version
    assert not generation.repaired
    assert len(server.requests) == 1
    assert isinstance(model, LanguageModel)


def test_instructions_prompt_decoding_and_schema_are_sent(serve: Serve) -> None:
    server, model = serve(answer(GOOD))

    model.run(CHOICE_ANSWER, QUESTION)

    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.json == {
        "model": "test-model",
        "messages": [
            {"role": "system", "content": CHOICE_ANSWER.instructions},
            {"role": "user", "content": CHOICE_ANSWER.render(QUESTION)},
        ],
        "temperature": 0.0,
        "max_tokens": 64,
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "choice_answer",
                "strict": True,
                "schema": {
                    "type": "object",
                    "description": "The chosen letter.",
                    "properties": {"letter": {"type": "string", "enum": ["a", "b", "c", "d"]}},
                    "required": ["letter"],
                    "additionalProperties": False,
                },
            },
        },
    }


@pytest.mark.parametrize("task", [CHOICE_ANSWER, PERSONA_ENRICHMENT, SESSION_WRITING, SESSION_CRITIQUE])
def test_every_object_of_a_strict_schema_is_closed_and_requires_all_it_has(task: GenerationTask[Any, Any]) -> None:
    strict = strict_schema(task.output_type.model_json_schema())

    def check(node: Any) -> int:
        if isinstance(node, list):
            return sum(check(item) for item in node)
        if not isinstance(node, dict):
            return 0
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
        assert not {"default", "minLength", "maxLength"} & node.keys()
        return int(node.get("type") == "object") + sum(check(child) for child in node.values())

    assert strict is not None
    assert check(strict) >= 1


@pytest.mark.parametrize(
    "field",
    [
        {"type": "object", "additionalProperties": {"type": "string"}},  # a mapping
        {"type": "array", "prefixItems": [{"type": "string"}], "minItems": 1},  # a fixed tuple
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {},  # anything
    ],
)
def test_a_schema_outside_the_strict_subset_has_no_strict_form(field: dict[str, Any]) -> None:
    assert strict_schema({"type": "object", "properties": {"field": field}}) is None


def test_a_seed_with_broken_unicode_can_still_be_sent(serve: Serve) -> None:
    server, model = serve(answer(GOOD))

    model.run(CHOICE_ANSWER, QUESTION.model_copy(update={"query": "tea \ud83d?"}))

    assert "Question: tea ??" in server.requests[0].json["messages"][1]["content"]


def test_tokens_are_counted_here_when_the_server_does_not_count(serve: Serve) -> None:
    _, model = serve(answer(GOOD, usage=None))

    usage = model.run(CHOICE_ANSWER, QUESTION).usage

    assert usage.prompt_tokens > 30
    assert 3 <= usage.completion_tokens <= 12


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": '{"letter":'}, {"type": "text", "text": ' "b"}'}],
        [{"type": "thinking", "thinking": [{"type": "text", "text": "a?"}]}, {"type": "text", "text": GOOD}, "odd", 7],
        [{"text": GOOD}],
    ],
)
def test_an_answer_in_parts_is_joined_and_not_paid_twice(serve: Serve, content: Any) -> None:
    server, model = serve(answer(content))

    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"

    assert len(server.requests) == 1


@pytest.mark.parametrize("refusal", [{}, False, []])
def test_what_stands_beside_an_answer_does_not_lose_it(serve: Serve, refusal: Any) -> None:
    completion = json.loads(answer(GOOD).body)
    completion["choices"][0]["message"]["refusal"] = refusal
    completion["choices"][0]["finish_reason"] = 3
    server, model = serve(body(json.dumps(completion).encode()))

    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"

    assert len(server.requests) == 1


# --- bad answers


@pytest.mark.parametrize(
    ("bad", "reason", "shown"),
    [
        ("I would say b.", "bad_json", "not JSON"),
        ('{"letter": "b"', "bad_json", "not JSON"),
        ('{"letter": "z"}', "wrong_schema", "letter: Input should be 'a', 'b', 'c' or 'd'"),
        ('{"choice": "b"}', "wrong_schema", "letter: Field required"),
        ("", "empty", "empty"),
        (None, "empty", "empty"),
        (" \n", "empty", "empty"),
    ],
)
def test_a_bad_answer_is_asked_for_once_more_with_the_error_shown(
    serve: Serve, bad: str | None, reason: str, shown: str
) -> None:
    server, model = serve(answer(bad, usage=(100, 5)), answer(GOOD, usage=(150, 6)))

    generation = model.run(CHOICE_ANSWER, QUESTION)

    assert generation.output.letter == "b"
    assert generation.usage.calls == 2
    assert (generation.usage.prompt_tokens, generation.usage.completion_tokens) == (250, 11)
    second = server.requests[1].json["messages"]
    assert shown in second[-1]["content"]
    assert '"letter"' in second[-1]["content"]  # the schema
    assert model.tally.events == {f"reask_{reason}": 1}
    roles = [message["role"] for message in second]
    assert roles == ["system", "user", "assistant", "user"] if (bad or "").strip() else ["system", "user"]


@pytest.mark.parametrize(
    ("bad", "reason"), [("Sorry, b.", "bad_json"), ('{"letter": 2}', "wrong_schema"), ("", "empty")]
)
def test_a_second_bad_answer_is_rejected_with_its_raw_text(serve: Serve, bad: str, reason: str) -> None:
    server, model = serve(answer("first"), answer(bad), answer(GOOD))

    with pytest.raises(GenerationRejected) as caught:
        model.run(CHOICE_ANSWER, QUESTION)

    assert caught.value.reason == reason
    assert caught.value.raw == (bad or "first")
    assert caught.value.task == "choice_answer"
    assert len(server.requests) == 2
    assert model.tally.usage.calls == 2
    assert model.tally.events == {"reask_bad_json": 1, f"rejected_{reason}": 1}


def test_a_fenced_answer_is_repaired_flagged_and_counted(serve: Serve) -> None:
    server, model = serve(answer(f"Here it is:\n```json\n{GOOD}\n```"))

    generation = model.run(CHOICE_ANSWER, QUESTION)

    assert generation.output.letter == "b"
    assert generation.repaired
    assert len(server.requests) == 1
    assert model.tally.events == {"repaired": 1}


@pytest.mark.parametrize(
    ("reply", "reason", "raw"),
    [
        (answer(None, refusal="I cannot help with that."), "refusal", "I cannot help with that."),
        (answer("I ca", finish_reason="content_filter"), "refusal", "I ca"),
        (error(400, "the prompt was filtered", code="content_filter"), "refusal", "the prompt was filtered"),
        (answer('{"letter": ', finish_reason="length"), "truncated", '{"letter": '),
        (error(400, "maximum context length is 4096 tokens", code="context_length_exceeded"), "context_too_long", ""),
        (error(413, "too large"), "bad_request", ""),
        (error(422, "unprocessable"), "bad_request", ""),
    ],
)
def test_what_asking_again_cannot_help_is_rejected_at_once(
    serve: Serve, clock: Clock, reply: Reply, reason: str, raw: str
) -> None:
    server, model = serve(reply, answer(GOOD))

    with pytest.raises(GenerationRejected) as caught:
        model.run(CHOICE_ANSWER, QUESTION)

    assert (caught.value.reason, caught.value.raw) == (reason, raw)
    assert len(server.requests) == 1
    assert clock.waits == []


def test_a_re_ask_that_is_too_long_keeps_the_first_answer(serve: Serve) -> None:
    _, model = serve(answer("rambling"), error(400, "context too long", code="context_length_exceeded"))

    with pytest.raises(GenerationRejected) as caught:
        model.run(CHOICE_ANSWER, QUESTION)

    assert (caught.value.reason, caught.value.raw) == ("context_too_long", "rambling")
    assert "context too long" in caught.value.detail


# --- servers that take less of the protocol


def test_a_server_without_strict_schemas_is_asked_with_less_and_remembered(serve: Serve) -> None:
    refusal = error(400, "response_format of type json_schema is not supported")
    server, model = serve(refusal, refusal, answer(GOOD), answer('{"letter": "a"}'))

    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"
    assert model.run(CHOICE_ANSWER, QUESTION.model_copy(update={"query": "And coffee?"})).output.letter == "a"

    formats = [request.json.get("response_format", {}).get("json_schema", {}) for request in server.requests]
    assert [shape.get("strict") for shape in formats] == [True, False, None, None]
    for request in server.requests[2:]:
        assert '"enum":["a","b","c","d"]' in request.json["messages"][0]["content"]


def test_a_hosted_reasoning_model_gets_the_parameters_it_knows(serve: Serve) -> None:
    server, model = serve(
        error(400, "use max_completion_tokens", code="unsupported_parameter", param="max_tokens"),
        error(400, "only the default (1) is supported", code="unsupported_value", param="temperature"),
        answer(GOOD),
    )

    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"

    last = server.requests[-1].json
    assert last["max_completion_tokens"] == 64
    assert not {"max_tokens", "temperature"} & last.keys()


def test_objections_without_end_end_in_a_rejection(serve: Serve) -> None:
    server, model = serve(otherwise=error(400, "response_format"))

    with pytest.raises(GenerationRejected, match="bad_request"):
        model.run(CHOICE_ANSWER, QUESTION)

    assert len(server.requests) == 3


# --- the weather


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_passing_failure_is_tried_again_after_growing_waits(serve: Serve, clock: Clock, status: int) -> None:
    server, model = serve(error(status), error(status), error(status), answer(GOOD))

    generation = model.run(CHOICE_ANSWER, QUESTION)

    assert generation.output.letter == "b"
    assert generation.usage.calls == 1
    assert len(server.requests) == 4
    assert model.tally.events == {f"http_{status}": 3}
    for wait, step in zip(clock.waits, [0.5, 1.0, 2.0], strict=True):
        assert step / 2 <= wait <= step


def test_retry_after_in_seconds_is_never_undercut(serve: Serve, clock: Clock) -> None:
    _, model = serve(error(429, headers={"Retry-After": "7"}), answer(GOOD))

    model.run(CHOICE_ANSWER, QUESTION)

    assert len(clock.waits) == 1
    assert 7.0 <= clock.waits[0] <= 7.75


def test_retry_after_as_a_date_is_measured_from_the_servers_own_date(serve: Serve, clock: Clock) -> None:
    # The server's clock (its Date header) is the real one here; ours is years away, and it does not matter.
    import time

    until = email.utils.formatdate(time.time() + 30, usegmt=True)
    _, model = serve(error(503, headers={"Retry-After": until}), answer(GOOD))

    model.run(CHOICE_ANSWER, QUESTION)

    assert 28.0 <= clock.waits[0] <= 31.0


def test_a_server_that_fails_for_ever_is_given_up_with_what_to_do(serve: Serve, clock: Clock) -> None:
    server, model = serve(otherwise=error(500, "out of memory"), retries=RetryPolicy(max_attempts=4))

    with pytest.raises(ModelUnavailable) as caught:
        model.run(CHOICE_ANSWER, QUESTION)

    assert len(server.requests) == 4
    assert len(clock.waits) == 3
    for part in ("4 times", "http_500", "out of memory", server.base_url, "Check that the server runs"):
        assert part in str(caught.value)


def test_no_wait_starts_that_would_end_after_the_time_in_all(serve: Serve, clock: Clock) -> None:
    server, model = serve(
        otherwise=error(429, headers={"Retry-After": "3600"}), retries=RetryPolicy(max_total_seconds=60)
    )

    with pytest.raises(ModelUnavailable, match=r"asks to wait 3600 s, longer than the 60 s"):
        model.run(CHOICE_ANSWER, QUESTION)

    assert len(server.requests) == 1
    assert clock.waits == []


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (body(b""), "bad_body"),
        (body(b"<html><body>502 Bad Gateway</body></html>", "text/html"), "bad_body"),
        (body(b'{"id": "chatcmpl-1", "choi'), "bad_body"),
        (body(b'{"choices": []}'), "bad_body"),
        (body(b'{"error": {"message": "overloaded"}}'), "bad_body"),
        (body(b"[" * 200_000), "bad_body"),
        (body(b"\xff\xfe\x00 not text"), "bad_body"),
        (reset(), "connection"),
        (reset(midway=True), "connection"),
    ],
)
def test_a_reply_that_is_no_completion_counts_as_a_passing_failure(serve: Serve, reply: Reply, kind: str) -> None:
    server, model = serve(reply, answer(GOOD))

    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"

    assert len(server.requests) == 2
    assert model.tally.events == {kind: 1}


@pytest.mark.parametrize("reply", [hang(), drip()])
def test_a_server_that_hangs_or_drips_is_cut_off(serve: Serve, clock: Clock, reply: Reply) -> None:
    server, model = serve(reply, answer(GOOD), call_seconds=0.3, timing=Timing(sleep=clock.sleep))

    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"

    assert model.tally.events == {"timeout": 1}
    assert len(server.requests) == 2


def test_a_refused_connection_is_given_up_after_the_attempts(clock: Clock) -> None:
    with ChatServer() as server:
        address = server.base_url
    calls = CallSettings(timing=clock.timing, retries=RetryPolicy(max_attempts=3))
    with (
        OpenAiModel("m", base_url=address, calls=calls) as model,
        pytest.raises(ModelUnavailable, match=r"connection.*refused"),
    ):
        model.run(CHOICE_ANSWER, QUESTION)
    assert model.tally.events == {"connection": 3}
    assert len(clock.waits) == 2


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (error(401, "invalid key", code="invalid_api_key"), "missing or refused"),
        (error(403, "not for you"), "missing or refused"),
        (error(402, "no credit"), "used up"),
        (error(429, "quota", code="insufficient_quota", type="insufficient_quota"), "used up"),
    ],
)
def test_key_and_quota_errors_stop_at_once_and_name_the_variable(
    serve: Serve, clock: Clock, reply: Reply, said: str
) -> None:
    server, model = serve(reply, answer(GOOD), key=Key(KEY, "LIFELOOM_READER_KEY"))

    with pytest.raises(ModelRefusesKey) as caught:
        model.run(CHOICE_ANSWER, QUESTION)

    assert said in str(caught.value)
    assert "LIFELOOM_READER_KEY" in str(caught.value)
    assert len(server.requests) == 1
    assert clock.waits == []


def test_a_model_that_the_server_does_not_know_is_not_asked_for_twice(serve: Serve) -> None:
    server, model = serve(error(404, "The model `test-model` does not exist"), answer(GOOD))

    with pytest.raises(ModelUnavailable, match=r"does not exist.*Check base_url"):
        model.run(CHOICE_ANSWER, QUESTION)

    assert len(server.requests) == 1


# --- keys


def test_a_missing_key_names_the_variable_to_set() -> None:
    with pytest.raises(ModelRefusesKey, match="LIFELOOM_WRITER_KEY"):
        OpenAiModel.from_environment("m", api_key_variable="LIFELOOM_WRITER_KEY", environment={})


def test_a_server_with_an_address_may_do_without_a_key() -> None:
    with (
        ChatServer(answer(GOOD)) as server,
        OpenAiModel.from_environment("m", base_url=server.base_url, environment={}) as model,
    ):
        assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"
        assert "authorization" not in server.requests[0].headers


def test_the_key_is_read_from_the_named_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIFELOOM_READER_KEY", f"{KEY}\n")
    with (
        ChatServer(answer(GOOD)) as server,
        OpenAiModel.from_environment("m", base_url=server.base_url, api_key_variable="LIFELOOM_READER_KEY") as model,
    ):
        model.run(CHOICE_ANSWER, QUESTION)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("key", [f"{KEY}\nX-Evil: 1", f"{KEY} {KEY}", f"{KEY}é"])
def test_a_key_that_cannot_be_a_header_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ModelRefusesKey) as caught:
        OpenAiModel.from_environment("m", environment={"OPENAI_API_KEY": key})
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["127.0.0.1:8000/v1", "ftp://host/v1", "http://me:secret@host/v1", "me:secret@host/v1", "http://h/v1?key=s"]
)
def test_an_address_that_is_none_or_holds_credentials_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="base_url") as caught:
        OpenAiModel("m", base_url=url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://host:99999/v1", "http://[::1/v1"])
def test_an_address_with_a_broken_host_or_port_is_refused_when_the_model_is_made(url: str) -> None:
    with pytest.raises(ValueError, match=r"[Pp]ort|IPv6"):
        OpenAiModel("m", base_url=url)


def test_the_key_is_in_no_exception_no_repr_no_log_and_no_cache(
    serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = f"your key {KEY} and Bearer {KEY}"
    scripts = [
        [error(401, echo)],
        [error(403, echo)],
        [error(404, echo)],
        [error(400, echo)],
        [error(429, echo, code="insufficient_quota")],
        [error(429, echo), error(500, echo)],
        [error(400, f"response_format {echo}"), error(401, echo)],
        [body(json.dumps({"error": echo}).encode())] * 2,
        [answer(f"bad {KEY}"), answer(f"bad {KEY}")],
        [answer(None, refusal=echo)],
        [reset()] * 2,
    ]
    texts: list[str] = []
    path = tmp_path / "answers.sqlite"
    with ResponseCache(path) as cache:
        for script in scripts:
            _, model = serve(*script, cache=cache, retries=RetryPolicy(max_attempts=2))
            with pytest.raises(Exception) as caught:  # noqa: PT011 - any of them
                model.run(CHOICE_ANSWER, QUESTION)
            shown: BaseException | None = caught.value
            texts += ["".join(traceback.format_exception(caught.value)), repr(caught.value), str(vars(caught.value))]
            texts += [repr(model), repr(vars(model)), str(model.tally)]
            while shown is not None:  # also what a debugger or a log collector would find behind it
                assert not type(shown).__module__.startswith(("openai", "httpx", "urllib3", "http"))
                shown = shown.__cause__ or shown.__context__
        _, model = serve(
            answer(json.dumps({"role_description": echo, "human": [echo], "persona": [echo]})), cache=cache
        )
        from lifeloom.tasks import PersonaEnrichmentInput, TraitScores

        traits = TraitScores(openness=1, conscientiousness=1, extraversion=1, agreeableness=1, neuroticism=1)
        model.run(
            PERSONA_ENRICHMENT, PersonaEnrichmentInput(base_persona="a baker", name="Ana", people=(), traits=traits)
        )
        assert cache.stats().rows == 1
        files = [file.read_bytes() for file in tmp_path.iterdir()]

    assert KEY not in "\n".join(texts)
    assert KEY not in caplog.text
    assert not any(KEY.encode() in data for data in files)


def test_the_key_is_found_in_an_answer_however_json_spells_it(serve: Serve, tmp_path: Path) -> None:
    spelt = "".join(f"\\u{ord(one):04x}" for one in KEY)
    reply = answer("SPELT")
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        _, model = serve(dataclasses.replace(reply, body=reply.body.replace(b"SPELT", spelt.encode())), cache=cache)
        task = dataclasses.replace(CHOICE_ANSWER, output_type=TextOutput)
        assert model.run(task, QUESTION).output.text == "[key]"  # type: ignore[attr-defined]


# --- the cache


def test_a_cached_answer_makes_no_request_and_costs_no_call(serve: Serve, tmp_path: Path) -> None:
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        server, model = serve(answer(GOOD, usage=(321, 7)), cache=cache)
        first = model.run(CHOICE_ANSWER, QUESTION)
        second = model.run(CHOICE_ANSWER, QUESTION)

    assert len(server.requests) == 1
    assert second.output == first.output
    assert second.provenance == first.provenance
    assert dataclasses.replace(second.usage, seconds=0.0) == Usage(
        prompt_tokens=321, completion_tokens=7, calls=0, cached=True
    )
    assert model.tally.usage.calls == 1
    assert model.tally.events == {"from_cache": 1}


def test_another_question_parameter_version_model_or_sample_is_not_found_in_the_cache(
    serve: Serve, tmp_path: Path
) -> None:
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        server, model = serve(otherwise=answer(GOOD), cache=cache)
        model.run(CHOICE_ANSWER, QUESTION)
        model.run(CHOICE_ANSWER, QUESTION.model_copy(update={"query": "Which coffee?"}))
        model.run(dataclasses.replace(CHOICE_ANSWER, temperature=0.5), QUESTION)
        model.run(dataclasses.replace(CHOICE_ANSWER, max_tokens=65), QUESTION)
        model.run(dataclasses.replace(CHOICE_ANSWER, version="other"), QUESTION)
        model.run(dataclasses.replace(CHOICE_ANSWER, instructions="Other."), QUESTION)
        model.run(CHOICE_ANSWER, QUESTION, sample=1)
        with OpenAiModel("another", base_url=server.base_url, calls=CallSettings(cache=cache)) as another:
            another.run(CHOICE_ANSWER, QUESTION)
        assert len(server.requests) == 8
        assert cache.stats().rows == 8
        for sample in (0, 1):
            model.run(CHOICE_ANSWER, QUESTION, sample=sample)
        assert len(server.requests) == 8


def test_rejected_answers_are_not_kept(serve: Serve, tmp_path: Path) -> None:
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        server, model = serve(answer("bad"), answer("bad"), answer(GOOD), cache=cache)
        with pytest.raises(GenerationRejected):
            model.run(CHOICE_ANSWER, QUESTION)
        assert cache.stats().rows == 0
        assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"
    assert len(server.requests) == 3


def test_an_answer_of_a_re_ask_and_a_repaired_one_are_found_again_as_they_were(serve: Serve, tmp_path: Path) -> None:
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        server, model = serve(answer("bad", usage=(10, 1)), answer(f"```json\n{GOOD}\n```", usage=(20, 2)), cache=cache)
        first = model.run(CHOICE_ANSWER, QUESTION)
        second = model.run(CHOICE_ANSWER, QUESTION)
    assert len(server.requests) == 2
    assert first.repaired
    assert second.repaired
    assert (second.usage.prompt_tokens, second.usage.completion_tokens) == (30, 3)


ANOTHER_PROCESS = """
import sys
from lifeloom.models import CallSettings, OpenAiModel, ResponseCache
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, OptionText
question = ChoiceAnswerInput.model_validate_json(sys.argv[3])
with ResponseCache(sys.argv[1]) as cache:
    with OpenAiModel("test-model", base_url=sys.argv[2], calls=CallSettings(cache=cache)) as model:
        generation = model.run(CHOICE_ANSWER, question)
        print(generation.output.letter, generation.usage.cached)
"""


def test_another_process_finds_the_answer(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with ResponseCache(path) as cache:
        server, model = serve(answer(GOOD), cache=cache)
        model.run(CHOICE_ANSWER, QUESTION)
        command = [sys.executable, "-c", ANOTHER_PROCESS, str(path), server.base_url, QUESTION.model_dump_json()]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["b", "True"]
    assert len(server.requests) == 1


# --- the rest of the protocol


def test_a_pool_of_threads_shares_one_model(tmp_path: Path) -> None:
    def decide(received: Received) -> Reply:
        letter = "abcd"[int(received.json["messages"][1]["content"].split("Number ")[1][:2]) % 4]
        return answer(json.dumps({"letter": letter}))

    def ask(number: int) -> str:
        query = f"Number {number:02d}?"
        return model.run(CHOICE_ANSWER, QUESTION.model_copy(update={"query": query})).output.letter

    with (
        ChatServer(decide=decide) as server,
        ResponseCache(tmp_path / "answers.sqlite") as cache,
        OpenAiModel("m", base_url=server.base_url, calls=CallSettings(cache=cache)) as model,
        concurrent.futures.ThreadPoolExecutor(16) as pool,
    ):
        letters = list(pool.map(ask, list(range(40)) * 2))
        assert letters == ["abcd"[number % 4] for number in range(40)] * 2
        assert cache.stats().rows == 40
        tally = model.tally
        assert tally.usage.calls + tally.events.get("from_cache", 0) == 80


def test_option_likelihoods_are_declined_clearly(serve: Serve) -> None:
    server, model = serve(answer(GOOD))

    with pytest.raises(CapabilityMissing, match=r"run\(\)"):
        model.score_options(CHOICE_ANSWER, QUESTION, ["a", "b"])
    assert not model.scores_options
    assert server.requests == []


def test_the_declared_window_and_identity_are_as_configured(serve: Serve) -> None:
    _, model = serve(window_tokens=131072)
    assert model.window_tokens == 131072
    assert (model.identity.backend, model.identity.model) == ("openai", "test-model")


def test_check_says_in_one_line_that_the_model_answers(serve: Serve) -> None:
    server, model = serve(answer("OK", finish_reason="length"))
    line = model.check()
    assert line.startswith(f"test-model at {server.base_url} answers")
    assert "\n" not in line
    assert server.requests[0].json["max_tokens"] == 16


@pytest.mark.parametrize(
    ("reply", "expected"),
    [(error(500), ModelUnavailable), (error(401), ModelRefusesKey), (error(400, "no such model"), ModelUnavailable)],
)
def test_check_fails_fast_with_a_typed_error(
    serve: Serve, clock: Clock, reply: Reply, expected: type[Exception]
) -> None:
    server, model = serve(otherwise=reply)
    with pytest.raises(expected):
        model.check()
    assert len(server.requests) == 1
    assert clock.waits == []


class Part(TaskOutput):
    position: int
    text: str


class Parts(TaskOutput):
    parts: tuple[Part, ...]


def test_a_long_output_of_many_parts_is_read_whole(serve: Serve) -> None:
    parts = [{"position": n, "text": f"message {n} é {'x' * 500}"} for n in range(1, 101)]
    _, model = serve(answer(json.dumps({"parts": parts})))
    output = model.run(dataclasses.replace(CHOICE_ANSWER, output_type=Parts), QUESTION).output  # type: ignore[arg-type]
    assert isinstance(output, Parts)
    assert output.parts[99].text.startswith("message 100 é")
