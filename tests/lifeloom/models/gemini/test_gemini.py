"""The gemini backend end to end, through Google's SDK, against a real HTTP server on loopback."""

from __future__ import annotations

import base64
import concurrent.futures
import contextlib
import dataclasses
import hashlib
import json
import logging
import random
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
    InstallationBroken,
    Key,
    LanguageModel,
    ModelRefusesKey,
    ModelUnavailable,
    ResponseCache,
    RetryPolicy,
    Timing,
    Usage,
)
from lifeloom.models.gemini import GeminiModel
from lifeloom.records import PictureReference
from lifeloom.tasks import (
    CHOICE_ANSWER,
    ChoiceAnswerInput,
    ChoiceAnswerOutput,
    ContextMessage,
    GenerationTask,
    OptionText,
    TextOutput,
)
from tests.gemini_server import GeminiServer, blocked, gemini_answer, gemini_error, quota_details
from tests.servers import Received, Reply, body, drip, hang, reset

QUESTION = ChoiceAnswerInput(
    context=(),
    asked_at="2026-01-05 10:00",
    query="Which tea?",
    options=(OptionText(letter="a", text="green"), OptionText(letter="b", text="black")),
)
GOOD = '{"letter": "b"}'
KEY = "AIza-canary-5d0c71e2b94f"
PNG = b"\x89PNG\r\n\x1a\n" + b"first"
JPEG = b"\xff\xd8\xff\xe0" + b"second"
FREE = GenerationTask(
    name="free",
    version="1",
    input_type=ChoiceAnswerInput,
    output_type=TextOutput,
    instructions="Say something.",
    template="{{ input.query }}",
    temperature=0.7,
    max_tokens=100,
    stop=("END", "\n\n"),
)

Serve = Callable[..., tuple[GeminiServer, GeminiModel]]


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def serve(waits: list[float]) -> Iterator[Serve]:
    """Start a server with a script, and a model that talks to it; nothing sleeps in truth."""
    with contextlib.ExitStack() as stack:

        def start(*script: Reply, otherwise: Reply | None = None, **options: Any) -> tuple[GeminiServer, GeminiModel]:
            server = stack.enter_context(GeminiServer(*script, otherwise=otherwise))
            names = {field.name for field in dataclasses.fields(CallSettings)} & options.keys()
            calls = {name: options.pop(name) for name in names}
            settings = {"timing": Timing(sleep=waits.append), "rng": random.Random(1), **calls}
            options.setdefault("key", Key(KEY, "GEMINI_API_KEY"))
            model = GeminiModel("gemini-test", base_url=server.base_url, calls=CallSettings(**settings), **options)
            stack.callback(model.close)
            return server, model

        yield start


def reference(data: bytes) -> PictureReference:
    return PictureReference(content_hash=hashlib.sha256(data).hexdigest(), width=56, height=28)


def files(picture: PictureReference) -> bytes:
    return {hashlib.sha256(data).hexdigest(): data for data in (PNG, JPEG)}[picture.content_hash]


def looking(*messages: str) -> ChoiceAnswerInput:
    context = tuple(ContextMessage(at="2026-01-05 10:00", role="user", text=text) for text in messages)
    return QUESTION.model_copy(update={"context": context})


# --- what is sent, what comes back


def test_a_good_answer_comes_back_typed_with_its_cost_and_provenance(serve: Serve) -> None:
    server, model = serve(gemini_answer(GOOD, usage=(321, 7, 40)))

    generation = model.run(CHOICE_ANSWER, QUESTION)

    assert generation.output == ChoiceAnswerOutput(letter="b")
    assert dataclasses.replace(generation.usage, seconds=0.0) == Usage(prompt_tokens=321, completion_tokens=47, calls=1)
    assert (generation.provenance.backend, generation.provenance.model) == ("gemini", "gemini-test")
    assert generation.provenance.prompt_version == CHOICE_ANSWER.prompt_version
    assert len(server.requests) == 1
    assert isinstance(model, LanguageModel)


def test_instructions_prompt_decoding_and_schema_are_sent(serve: Serve) -> None:
    server, model = serve(gemini_answer(GOOD))

    model.run(CHOICE_ANSWER, QUESTION)

    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/v1beta/models/gemini-test:generateContent")
    assert request.headers["x-goog-api-key"] == KEY
    sent = request.json
    assert sent["systemInstruction"]["parts"] == [{"text": CHOICE_ANSWER.instructions}]
    assert sent["contents"] == [{"role": "user", "parts": [{"text": CHOICE_ANSWER.render(QUESTION)}]}]
    decoding = sent["generationConfig"]
    assert 0 <= decoding.pop("seed") < 2**31
    assert decoding == {
        "temperature": 0.0,
        "maxOutputTokens": 64,
        "responseMimeType": "application/json",
        "responseJsonSchema": {
            "type": "object",
            "description": "The chosen letter.",
            "properties": {"letter": {"type": "string", "enum": ["a", "b", "c", "d"]}},
            "propertyOrdering": ["letter"],
            "required": ["letter"],
            "additionalProperties": False,
        },
        "thinkingConfig": {"thinking_budget": 0},
    }


def test_a_task_of_free_text_has_its_stop_sequences_and_no_schema(serve: Serve) -> None:
    server, model = serve(gemini_answer("Green tea."))

    assert model.run(FREE, QUESTION).output.text == "Green tea."

    decoding = server.requests[0].json["generationConfig"]
    assert decoding["stopSequences"] == ["END", "\n\n"]
    assert decoding["temperature"] == 0.7
    assert not {"responseMimeType", "responseJsonSchema"} & decoding.keys()


def test_another_sample_has_another_seed_and_the_same_sample_the_same(serve: Serve) -> None:
    server, model = serve(otherwise=gemini_answer("x"))
    for sample in (0, 1, 0):
        model.run(FREE, QUESTION, sample=sample)
    first, second, third = (request.json["generationConfig"]["seed"] for request in server.requests)
    assert first == third != second


def test_pictures_arrive_at_their_marks_with_their_types(serve: Serve) -> None:
    server, model = serve(gemini_answer(GOOD), pictures=files)
    asked = looking("Look: <img> That is mine.", "And this: <img>")
    before, middle, after = CHOICE_ANSWER.render(asked).split("<img>")

    model.run(CHOICE_ANSWER, asked, [reference(PNG), reference(JPEG)])

    def sent(kind: str, data: bytes) -> dict[str, Any]:
        return {"inlineData": {"mime_type": kind, "data": base64.urlsafe_b64encode(data).decode()}}

    assert server.requests[0].json["contents"][0]["parts"] == [
        {"text": before},
        sent("image/png", PNG),
        {"text": middle},
        sent("image/jpeg", JPEG),
        {"text": after},
    ]


def test_thoughts_are_no_part_of_the_answer_but_of_its_price(serve: Serve) -> None:
    server, model = serve(gemini_answer(GOOD, thoughts='{"letter": "a"}', usage=(10, 3, 500)), thinking=True)

    generation = model.run(CHOICE_ANSWER, QUESTION)

    assert generation.output.letter == "b"
    assert generation.usage.completion_tokens == 503
    decoding = server.requests[0].json["generationConfig"]
    assert decoding["thinkingConfig"] == {"thinking_budget": -1}
    assert decoding["maxOutputTokens"] > 64  # thoughts count as output: the answer must still fit


def test_an_answer_with_thinking_is_not_found_in_the_cache_of_one_without(serve: Serve, tmp_path: Path) -> None:
    with ResponseCache(tmp_path / "answers.sqlite") as cache, GeminiServer(otherwise=gemini_answer(GOOD)) as server:
        calls = CallSettings(cache=cache)
        for thinking in (False, True, False):
            with GeminiModel("m", base_url=server.base_url, thinking=thinking, calls=calls) as model:
                model.run(CHOICE_ANSWER, QUESTION)
        assert len(server.requests) == 2


def test_tokens_are_counted_here_when_the_server_does_not_count(serve: Serve) -> None:
    _, model = serve(gemini_answer(GOOD, usage=None))
    usage = model.run(CHOICE_ANSWER, QUESTION).usage
    assert usage.prompt_tokens > 30
    assert 3 <= usage.completion_tokens <= 12


def test_broken_unicode_can_still_be_sent(serve: Serve) -> None:
    server, model = serve(gemini_answer(GOOD))
    model.run(CHOICE_ANSWER, QUESTION.model_copy(update={"query": "tea \ud83d?"}))
    assert "Question: tea ??" in server.requests[0].json["contents"][0]["parts"][0]["text"]


def test_check_says_in_one_line_that_the_model_answers(serve: Serve) -> None:
    server, model = serve(gemini_answer("OK", finish_reason="MAX_TOKENS"))
    assert model.check().startswith(f"gemini-test at {server.base_url} answers")


# --- bad answers


def test_a_bad_answer_is_asked_for_again_as_a_conversation_with_the_error_shown(serve: Serve) -> None:
    server, model = serve(gemini_answer('{"letter": "z"}', usage=(100, 5, 0)), gemini_answer(GOOD, usage=(150, 6, 0)))

    generation = model.run(CHOICE_ANSWER, QUESTION)

    assert generation.output.letter == "b"
    assert (generation.usage.calls, generation.usage.prompt_tokens, generation.usage.completion_tokens) == (2, 250, 11)
    first, second = (request.json["contents"] for request in server.requests)
    assert second[:1] == first
    assert [content["role"] for content in second] == ["user", "model", "user"]
    assert second[1]["parts"] == [{"text": '{"letter": "z"}'}]
    assert "letter: Input should be 'a', 'b', 'c' or 'd'" in second[2]["parts"][0]["text"]
    assert model.tally.events == {"reask_wrong_schema": 1}


def test_an_empty_answer_is_asked_for_again_in_the_same_message(serve: Serve) -> None:
    server, model = serve(gemini_answer(None), gemini_answer(GOOD))
    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"
    (content,) = server.requests[1].json["contents"]
    prompt, note = (part["text"] for part in content["parts"])
    assert prompt == CHOICE_ANSWER.render(QUESTION)
    assert "the answer is empty" in note


REFUSALS = [
    (blocked("PROHIBITED_CONTENT"), "PROHIBITED_CONTENT"),
    (blocked("SOMETHING_NEW"), "SOMETHING_NEW"),
    (gemini_answer(None, finish_reason="SAFETY", finish_message="too rude"), "SAFETY: too rude"),
    (gemini_answer("I ca", finish_reason="RECITATION"), "RECITATION: I ca"),
    (gemini_answer(None, finish_reason="BLOCKLIST"), "BLOCKLIST"),
    (gemini_answer(None, finish_reason="SPII"), "SPII"),
    (gemini_answer(None, finish_reason="PROHIBITED_CONTENT"), "PROHIBITED_CONTENT"),
    (gemini_answer(None, finish_reason="IMAGE_SAFETY"), "IMAGE_SAFETY"),
    (gemini_answer(None, finish_reason="SOMETHING_NEW"), "SOMETHING_NEW"),
]


@pytest.mark.parametrize(("reply", "words"), REFUSALS)
def test_a_filter_or_a_model_that_declines_is_a_refusal_with_its_words(serve: Serve, reply: Reply, words: str) -> None:
    server, model = serve(reply, gemini_answer(GOOD))
    with pytest.raises(GenerationRejected) as caught:
        model.run(CHOICE_ANSWER, QUESTION)
    assert (caught.value.reason, caught.value.raw) == ("refusal", words)
    assert len(server.requests) == 1
    assert model.tally.usage.prompt_tokens == 100  # a blocked prompt is paid for


def test_an_answer_at_its_limit_is_truncated(serve: Serve) -> None:
    _, model = serve(gemini_answer('{"letter": ', finish_reason="MAX_TOKENS"))
    with pytest.raises(GenerationRejected) as caught:
        model.run(CHOICE_ANSWER, QUESTION)
    assert (caught.value.reason, caught.value.raw) == ("truncated", '{"letter": ')


@pytest.mark.parametrize("reason", ["OTHER", "MALFORMED_FUNCTION_CALL"])
def test_an_answer_that_ended_for_another_reason_is_read_as_it_is(serve: Serve, reason: str) -> None:
    _, model = serve(gemini_answer(GOOD, finish_reason=reason))
    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"


@pytest.mark.parametrize(
    ("said", "pictures", "reason"),
    [
        (
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            True,
            "context_too_long",
        ),
        (
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            False,
            "context_too_long",
        ),
        ("Unable to process input image. Please retry or report in the forum", True, "picture_refused"),
        ("Unsupported MIME type: image/gif", True, "picture_refused"),
        ("Request payload size exceeds the limit: 20971520 bytes.", True, "picture_refused"),
        ("Request payload size exceeds the limit: 20971520 bytes.", False, "context_too_long"),
        ("Request contains an invalid argument.", True, "bad_request"),
        ("Unable to process input image.", False, "bad_request"),
    ],
)
def test_a_request_that_the_server_finds_wrong_rejects_the_one_question(
    serve: Serve, said: str, pictures: bool, reason: str
) -> None:
    server, model = serve(gemini_error(400, said, word="INVALID_ARGUMENT"), pictures=files)
    with pytest.raises(GenerationRejected) as caught:
        model.run(CHOICE_ANSWER, looking("<img>"), [reference(PNG)] if pictures else [])
    assert caught.value.reason == reason
    assert said in caught.value.detail
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "said", ["Image input modality is not enabled for models/gemini-test", "Too many images in request: 3601"]
)
def test_a_model_that_takes_no_pictures_or_not_as_many_says_so(serve: Serve, said: str) -> None:
    _, model = serve(gemini_error(400, said, word="INVALID_ARGUMENT"), pictures=files)
    with pytest.raises(CapabilityMissing, match="pictures"):
        model.run(CHOICE_ANSWER, looking("<img>"), [reference(PNG)])
    assert model.tally.events == {"pictures_refused": 1}


# --- models that understand less


def test_a_model_that_cannot_stop_thinking_is_asked_for_as_little_as_it_can_and_has_room_for_it(serve: Serve) -> None:
    server, model = serve(
        gemini_error(400, "Budget 0 is invalid. This model only works in thinking mode.", word="INVALID_ARGUMENT"),
        gemini_error(400, "The thinking budget (128) is invalid.", word="INVALID_ARGUMENT"),
        gemini_error(400, "Thinking level is not supported for this model.", word="INVALID_ARGUMENT"),
        gemini_answer(GOOD),
        gemini_answer('{"letter": "a"}'),
    )

    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"
    assert model.run(CHOICE_ANSWER, QUESTION, sample=1).output.letter == "a"

    decoding = [request.json["generationConfig"] for request in server.requests]
    assert [one.get("thinkingConfig") for one in decoding] == [
        {"thinking_budget": 0},
        {"thinking_budget": 128},
        {"thinking_level": "LOW"},
        None,
        None,
    ]
    assert decoding[0]["maxOutputTokens"] == 64
    assert all(one["maxOutputTokens"] > 1000 for one in decoding[1:])


def test_a_model_that_knows_no_thinking_gets_no_room_for_it(serve: Serve) -> None:
    server, model = serve(gemini_error(400, "Thinking is not supported by this model."), gemini_answer(GOOD))
    model.run(CHOICE_ANSWER, QUESTION)
    decoding = server.requests[1].json["generationConfig"]
    assert "thinkingConfig" not in decoding
    assert decoding["maxOutputTokens"] == 64


def test_a_model_that_takes_no_schema_is_told_it_in_words(serve: Serve) -> None:
    server, model = serve(
        gemini_error(400, "The specified schema produces a constraint that has too many states for serving."),
        gemini_error(400, "JSON mode is not enabled for models/gemini-test"),
        gemini_answer(GOOD),
    )
    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"
    decoding = [request.json["generationConfig"] for request in server.requests]
    assert ["responseJsonSchema" in one for one in decoding] == [True, False, False]
    assert ["responseMimeType" in one for one in decoding] == [True, True, False]
    for request in server.requests[1:]:
        assert '"enum":["a","b","c","d"]' in request.json["systemInstruction"]["parts"][0]["text"]


def test_a_model_without_instructions_of_their_own_finds_them_in_the_prompt(serve: Serve) -> None:
    server, model = serve(
        gemini_error(400, "Developer instruction is not enabled for models/gemma-test"), gemini_answer(GOOD)
    )
    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"
    sent = server.requests[1].json
    assert "systemInstruction" not in sent
    texts = [part["text"] for part in sent["contents"][0]["parts"]]
    assert texts == [CHOICE_ANSWER.instructions, CHOICE_ANSWER.render(QUESTION)]


def test_objections_without_end_end_in_a_rejection(serve: Serve) -> None:
    server, model = serve(otherwise=gemini_error(400, "schema"))
    with pytest.raises(GenerationRejected, match="bad_request"):
        model.run(CHOICE_ANSWER, QUESTION)
    assert len(server.requests) == 3


# --- the weather; the rest of it is in test_weather.py


def test_the_longest_wait_that_the_server_asks_for_is_honoured(serve: Serve, waits: list[float]) -> None:
    details = quota_details("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", retry_delay="36.5s")
    said = "You exceeded your current quota, please check your plan and billing details."
    _, model = serve(
        gemini_error(429, said, details=details, headers={"Retry-After": "7"}),
        gemini_error(429, f"{said}\nPlease retry in 45.25s."),
        gemini_answer(GOOD),
    )
    model.run(CHOICE_ANSWER, QUESTION)
    assert 36.5 <= waits[0] <= 37.0
    assert 45.25 <= waits[1] <= 46.0
    assert model.tally.events == {"http_429": 2}


KEY_ERRORS = [
    (gemini_error(400, "API key not valid. Please pass a valid API key."), "missing or refused"),
    (
        gemini_error(400, "Bad.", details=[{"@type": "x/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]),
        "missing or refused",
    ),
    (gemini_error(401, "no credentials", word="UNAUTHENTICATED"), "missing or refused"),
    (gemini_error(403, "Method doesn't allow unregistered callers", word="PERMISSION_DENIED"), "missing or refused"),
    (gemini_error(400, "User location is not supported for the API use.", word="FAILED_PRECONDITION"), "location"),
    (
        gemini_error(
            429,
            "You exceeded your current quota.",
            details=quota_details(
                "GenerateRequestsPerMinutePerProjectPerModel",
                "GenerateRequestsPerDayPerProjectPerModel",
                retry_delay="9s",
            ),
        ),
        "used up",
    ),
    (gemini_error(429, "You exceeded your current quota, please check your plan and billing details."), "used up"),
    (gemini_error(429, "* Quota exceeded for metric: requests, limit: 0\nPlease retry in 45s."), "used up"),
    (gemini_error(429, "Your prepayment credits are depleted."), "used up"),
    (gemini_error(402, "pay"), "used up"),
    (gemini_error(400, "Please enable billing on project x.", word="FAILED_PRECONDITION"), "used up"),
]


@pytest.mark.parametrize(("reply", "said"), KEY_ERRORS)
def test_key_and_quota_errors_stop_at_once_and_name_the_variable(
    serve: Serve, waits: list[float], reply: Reply, said: str
) -> None:
    server, model = serve(reply, gemini_answer(GOOD), key=Key(KEY, "LIFELOOM_WRITER_KEY"))
    with pytest.raises(ModelRefusesKey, match="LIFELOOM_WRITER_KEY") as caught:
        model.run(CHOICE_ANSWER, QUESTION)
    assert said in str(caught.value)
    assert len(server.requests) == 1
    assert waits == []
    assert model.tally.events == {"key_refused": 1}


@pytest.mark.parametrize(
    "reply",
    [
        gemini_error(429, "Resource has been exhausted (e.g. check quota).", word="RESOURCE_EXHAUSTED"),
        gemini_error(429, "slow down", details=quota_details("GenerateContentInputTokensPerModelPerMinute-FreeTier")),
        gemini_error(503, "The model is overloaded. Please try again later.", word="UNAVAILABLE"),
        gemini_error(504, "Deadline expired", word="DEADLINE_EXCEEDED"),
        Reply(status=500, body=b"<html>no JSON</html>"),
        body(b'{"candidates": []}'),
        body(b"{}"),
        body(b"[]"),
        body(b'{"candidates": 7}'),
        body(b"[" * 200_000),
        body(b"\xff\xfe\x00 not text"),
        body(b'{"error": {"message": "overloaded"}}'),
        reset(),
    ],
)
def test_what_may_pass_is_tried_again(serve: Serve, reply: Reply) -> None:
    server, model = serve(reply, gemini_answer(GOOD))
    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"
    assert len(server.requests) == 2
    (event,) = model.tally.events
    assert event in {"http_429", "http_500", "http_503", "http_504", "bad_body", "connection"}


def test_the_sdk_does_not_repeat_by_itself(serve: Serve) -> None:
    server, model = serve(otherwise=gemini_error(503, "overloaded"), retries=RetryPolicy(max_attempts=2))
    with pytest.raises(ModelUnavailable, match=r"2 times.*http_503.*overloaded"):
        model.run(CHOICE_ANSWER, QUESTION)
    assert len(server.requests) == 2


@pytest.mark.parametrize("reply", [gemini_error(404, "models/x is not found", word="NOT_FOUND"), Reply(status=302)])
def test_a_model_or_path_that_is_not_there_is_not_asked_for_twice(serve: Serve, reply: Reply) -> None:
    server, model = serve(reply, gemini_answer(GOOD))
    with pytest.raises(ModelUnavailable, match="Check that it knows the model gemini-test"):
        model.run(CHOICE_ANSWER, QUESTION)
    assert len(server.requests) == 1


def test_a_pool_of_threads_shares_one_model_and_its_answers(tmp_path: Path) -> None:
    def decide(received: Received) -> Reply:
        said = received.json["contents"][0]["parts"][0]["text"]
        return gemini_answer(json.dumps({"letter": "abcd"[int(said.split("Number ")[1][:2]) % 4]}))

    def ask(number: int) -> str:
        query = f"Number {number:02d}?"
        return model.run(CHOICE_ANSWER, QUESTION.model_copy(update={"query": query})).output.letter

    with (
        GeminiServer(decide=decide) as server,
        ResponseCache(tmp_path / "answers.sqlite") as cache,
        GeminiModel("m", base_url=server.base_url, calls=CallSettings(cache=cache)) as model,
        concurrent.futures.ThreadPoolExecutor(16) as pool,
    ):
        letters = list(pool.map(ask, list(range(40)) * 2))
        assert letters == ["abcd"[number % 4] for number in range(40)] * 2
        assert len(server.requests) == 40


# --- likelihoods of options


def told(*alternatives: tuple[str, float]) -> Reply:
    candidates = [{"token": token, "logProbability": score} for token, score in alternatives]
    return gemini_answer("b", finish_reason="MAX_TOKENS", logprobs={"topCandidates": [{"candidates": candidates}]})


def test_options_are_scored_by_the_log_probabilities_of_their_letters(serve: Serve) -> None:
    server, model = serve(told(("b", -0.5), ("a", -2.0), ("the", -3.0)), scores_options=True)
    assert model.scores_options
    scores = model.score_options(CHOICE_ANSWER, QUESTION, ["green", "black"])
    assert scores.scores == pytest.approx((-2.0, -0.5))
    sent = server.requests[0].json
    decoding = sent["generationConfig"]
    assert (decoding["responseLogprobs"], decoding["logprobs"], decoding["maxOutputTokens"]) == (True, 20, 1)
    assert "responseJsonSchema" not in decoding
    assert sent["contents"][0]["parts"][0]["text"].endswith("Answer with the letter of one option and nothing else.")


def test_a_model_that_tells_fewer_alternatives_is_asked_for_fewer(serve: Serve) -> None:
    refusal = gemini_error(400, "logprobs value of 20 but the supported range is from 1 (inclusive) to 6 (exclusive)")
    server, model = serve(refusal, told(("a", -0.1)), scores_options=True)
    model.score_options(CHOICE_ANSWER, QUESTION, ["green", "black"])
    assert [request.json["generationConfig"]["logprobs"] for request in server.requests] == [20, 5]


@pytest.mark.parametrize(
    "reply", [gemini_answer("b"), gemini_error(400, "Logprobs is not enabled for models/gemini-test")]
)
def test_a_model_without_log_probabilities_is_told_with_what_to_set(serve: Serve, reply: Reply) -> None:
    _, model = serve(reply, scores_options=True)
    with pytest.raises(CapabilityMissing, match='options = "letter"'):
        model.score_options(CHOICE_ANSWER, QUESTION, ["green", "black"])
    assert model.tally.usage.calls == (1 if reply.status == 200 else 0)  # what is answered has to be paid


# --- keys and the environment


def test_a_missing_key_names_the_variable_to_set() -> None:
    with pytest.raises(ModelRefusesKey, match="GEMINI_API_KEY"):
        GeminiModel.from_environment("m", environment={})


def test_the_key_is_read_from_the_named_variable_or_file(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n")
    for environment in ({"MY_KEY": KEY}, {"MY_KEY_FILE": str(path)}):
        with (
            GeminiServer(gemini_answer(GOOD)) as server,
            GeminiModel.from_environment(
                "m", base_url=server.base_url, api_key_variable="MY_KEY", environment=environment
            ) as model,
        ):
            model.run(CHOICE_ANSWER, QUESTION)
            assert server.requests[0].headers["x-goog-api-key"] == KEY


def test_nothing_that_the_sdk_finds_in_the_environment_counts(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "GOOGLE_API_KEY": "another-key",
        "GEMINI_API_KEY": "yet-another-key",
        "GOOGLE_GENAI_USE_VERTEXAI": "true",
        "GOOGLE_GENAI_API_VERSION": "v7",
        "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:1",
        "GOOGLE_CLOUD_PROJECT": "p",
        "HTTP_PROXY": "http://127.0.0.1:1",
        "ALL_PROXY": "http://127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    server, model = serve(gemini_answer(GOOD), key=Key("", "GEMINI_API_KEY"))
    assert model.run(CHOICE_ANSWER, QUESTION).output.letter == "b"
    assert server.requests[0].path == "/v1beta/models/gemini-test:generateContent"
    assert "x-goog-api-key" not in server.requests[0].headers
    assert not any("another-key" in value for value in server.requests[0].headers.values())


@pytest.mark.parametrize("model", ["", "gemini?key=x", "../secrets", "a:b", "a#b", "a%2f"])
def test_a_name_that_would_lead_elsewhere_is_refused(model: str) -> None:
    with pytest.raises(ValueError, match="not the name of a Gemini model"):
        GeminiModel(model)


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "http://me:secret@host", "http://h/?key=secret"])
def test_an_address_that_is_none_or_holds_credentials_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="base_url") as caught:
        GeminiModel("m", base_url=url)
    assert "secret" not in str(caught.value)


def test_a_server_behind_a_path_is_asked_there(serve: Serve) -> None:
    with (
        GeminiServer(gemini_answer(GOOD)) as server,
        GeminiModel("m", base_url=f"{server.base_url}/proxy/") as model,
    ):
        model.run(CHOICE_ANSWER, QUESTION)
        assert server.requests[0].path == "/proxy/v1beta/models/m:generateContent"


def test_a_missing_sdk_says_what_to_install(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server, model = serve(gemini_answer(GOOD))
    monkeypatch.setitem(sys.modules, "google.genai", None)
    monkeypatch.delattr("google.genai", raising=False)
    with pytest.raises(InstallationBroken, match="pip install google-genai"):
        model.run(CHOICE_ANSWER, QUESTION)
    assert server.requests == []


def test_the_key_is_in_no_exception_no_repr_no_log_and_no_cache(
    serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = f"your key {KEY} and ?key={KEY}"
    scripts = [
        [gemini_error(status, echo, details=quota_details(f"PerDay {KEY}"))] * 2
        for status in (400, 401, 403, 404, 413, 429, 500)
    ]
    scripts += [
        [gemini_error(429, echo)] * 2,
        [body(echo.encode())] * 2,
        [body(json.dumps({"error": echo}).encode())] * 2,
        [gemini_answer(f"bad {KEY}")] * 2,
        [gemini_answer(None, finish_reason="SAFETY", finish_message=echo)],
        [gemini_error(400, f"schema {echo}"), gemini_error(401, echo)],
        [reset()] * 2,
        [hang()],
        [drip()],
    ]
    spelt = "".join(f"\\u{ord(sign):04x}" if at % 3 else sign for at, sign in enumerate(KEY))  # as JSON may spell it
    parted = f'{KEY[:9]}"}}, {{"text": "{KEY[9:]}'  # over two parts of an answer
    scripts += [
        [dataclasses.replace(reply, body=reply.body.replace(b"KEY", put.encode()))] * 2
        for reply, put in (
            (gemini_error(400, "bad KEY"), spelt),
            (gemini_error(403, "bad KEY"), spelt),
            (gemini_answer("bad KEY"), spelt),
            (gemini_answer(None, finish_reason="SAFETY", finish_message="KEY"), spelt),
            (gemini_answer("bad KEY"), parted),
            (gemini_answer("bad KEY", finish_reason="SAFETY"), parted),
        )
    ]
    texts: list[str] = []
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        for script in scripts:
            _, model = serve(*script, cache=cache, retries=RetryPolicy(max_attempts=len(script)), call_seconds=1.0)
            with pytest.raises(Exception) as caught:  # noqa: PT011 - any of them
                model.run(CHOICE_ANSWER, QUESTION)
            texts += [repr(model), repr(vars(model)), repr(vars(model._wire)), str(model.tally)]
            shown: BaseException | None = caught.value
            while shown is not None:  # also what a debugger or a log collector would find behind it
                assert not type(shown).__module__.startswith(("google", "httpx", "urllib3", "pydantic"))
                texts += ["".join(traceback.format_exception(shown)), repr(shown), str(vars(shown))]
                for frame, _ in traceback.walk_tb(shown.__traceback__):
                    texts.append("" if "/tests/" in frame.f_code.co_filename else repr(frame.f_locals))
                shown = shown.__cause__ or shown.__context__
        stored = [file.read_bytes() for file in tmp_path.iterdir()]

    assert KEY not in "\n".join(texts)
    assert KEY not in caplog.text
    assert not any(KEY.encode() in data for data in stored)


@pytest.mark.parametrize(
    "usage",
    [
        {"promptTokenCount": 1e18, "candidatesTokenCount": 10**25},
        {"promptTokenCount": -5, "candidatesTokenCount": -5, "thoughtsTokenCount": 1},
        {"promptTokenCount": 1.5, "candidatesTokenCount": "many"},
        {"promptTokenCount": 0},
        "many",
        [1],
        None,
    ],
)
def test_an_answer_whose_cost_is_told_wrongly_is_taken_once_and_counted_here(serve: Serve, usage: Any) -> None:
    response = json.loads(gemini_answer(GOOD).body)
    response["usageMetadata"] = usage
    server, model = serve(body(json.dumps(response).encode()))
    given = model.run(CHOICE_ANSWER, QUESTION)
    assert given.output.letter == "b"
    assert 100 < given.usage.prompt_tokens < 400
    assert 3 < given.usage.completion_tokens < 12
    assert len(server.requests) == 1


@pytest.mark.parametrize("broken", [b"NaN", b"Infinity"])
def test_scores_that_are_no_numbers_are_rejected(serve: Serve, broken: bytes) -> None:
    data = told(("b", -0.5), ("a", -2.25)).body.replace(b"-2.25", broken)
    _, model = serve(body(data), scores_options=True)
    with pytest.raises(GenerationRejected, match="no finite number"):
        model.score_options(CHOICE_ANSWER, QUESTION, ["green", "black"])
