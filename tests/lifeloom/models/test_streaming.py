"""Answers that are told while they are given: whatever the weather, what the listener has, joined, is the answer."""

from __future__ import annotations

import contextlib
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from lifeloom.models import (
    AnsweringModel,
    CallSettings,
    GenerationRejected,
    Key,
    ModelUnavailable,
    OpenAiModel,
    ResponseCache,
    RetryPolicy,
    Timing,
)
from lifeloom.models.gemini import GeminiModel
from lifeloom.models.tokens import count_tokens
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, ContextMessage, GenerationTask, OptionText, TextOutput
from lifeloom.tasks.base import TaskInput
from tests.gemini_server import GeminiServer, gemini_answer, gemini_error, gemini_stream
from tests.servers import ChatServer, Reply, answer, body, error, event, hang, reset, streamed, streamed_answer

KEY = "canary-2c86f0d9e1b7"
WORDS = ("Green", " tea, with", "\n\nhon", "ey — 蜂蜜 🍯", " and", " lemon.")
TEXT = "".join(WORDS)


class Said(TaskInput):
    text: str


TALK: GenerationTask[Said, TextOutput] = GenerationTask(
    name="talk",
    version="1",
    input_type=Said,
    output_type=TextOutput,
    instructions="Answer the user.",
    template="{{ input.text }}",
)
THOUGHTFUL: GenerationTask[Said, TextOutput] = GenerationTask(
    name="talk_with_thoughts",
    version="1",
    input_type=Said,
    output_type=TextOutput,
    instructions="Answer the user.",
    template="{{ input.text }}",
    keeps_thoughts=True,
)
QUESTION = Said(text="Which tea?")


class Ear:
    """Keeps what it is told; ``on_piece`` is called with each piece."""

    def __init__(self, on_piece: Callable[[str], None] = lambda text: None) -> None:
        self.pieces: list[str] = []
        self.void: list[str] = []
        """What was taken back, one text a restart."""
        self._on_piece = on_piece

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def piece(self, text: str) -> None:
        self.pieces.append(text)
        self._on_piece(text)

    def restart(self) -> None:
        self.void.append(self.text)
        self.pieces = []


class Backend:
    """A backend and the words of its protocol."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.waits: list[float] = []

    def serve(self, *script: Reply, **options: Any) -> ChatServer:
        return (ChatServer if self.name == "openai" else GeminiServer)(*script, **options)

    def stream(self, *pieces: str, **options: Any) -> Reply:
        if self.name == "openai":
            return streamed_answer(*pieces, **options)
        reasons = {"stop": "STOP", "length": "MAX_TOKENS"}
        if "finish_reason" in options and options["finish_reason"] is not None:
            options["finish_reason"] = reasons[options["finish_reason"]]
        if options.get("usage") is not None:
            options["usage"] = (*options["usage"], 0)
        options.pop("done", None)
        return gemini_stream(*pieces, **options)

    def unfinished(self, *pieces: str, **options: Any) -> Reply:
        return self.stream(*pieces, finish_reason=None, usage=None, done=False, **options)

    def at_once(self, text: str) -> Reply:
        return answer(text) if self.name == "openai" else gemini_answer(text)

    def error(self, status: int, message: str = "busy") -> Reply:
        return error(status, message) if self.name == "openai" else gemini_error(status, message)

    @contextlib.contextmanager
    def model(
        self, server: ChatServer, *, key: str = "", attempts: int = 4, call_seconds: float = 10.0, **calls: Any
    ) -> Iterator[AnsweringModel]:
        settings = CallSettings(
            timing=Timing(sleep=self.waits.append),
            retries=RetryPolicy(max_attempts=attempts),
            call_seconds=call_seconds,
            **calls,
        )
        kind = OpenAiModel if self.name == "openai" else GeminiModel
        with kind("m", base_url=server.base_url, key=Key(key, "SOME_KEY"), calls=settings) as model:
            yield model


@pytest.fixture(params=["openai", "gemini"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return Backend(request.param)


def test_the_listener_has_the_first_words_before_the_last_ones_are_sent(backend: Backend) -> None:
    heard = threading.Event()  # the server sends the second piece only when the first one was told
    ear = Ear(lambda text: heard.set())
    with backend.serve(backend.stream(*WORDS, heard=heard)) as server, backend.model(server) as model:
        generation = model.run(TALK, QUESTION, listener=ear)
    assert heard.is_set()
    assert generation.output.text == ear.text == TEXT
    assert len(ear.pieces) == len(WORDS)
    assert not ear.void
    assert (generation.usage.prompt_tokens, generation.usage.completion_tokens) == (100, 10)
    assert generation.usage.calls == model.tally.usage.calls == 1


def test_only_a_question_that_is_listened_to_is_streamed(backend: Backend) -> None:
    with backend.serve(backend.at_once(TEXT), backend.stream(*WORDS)) as server, backend.model(server) as model:
        model.run(TALK, QUESTION)
        model.run(TALK, QUESTION, sample=1, listener=Ear())
    plain, listened = server.requests
    if backend.name == "openai":
        assert "stream" not in plain.json
        assert listened.json.pop("stream") is True
        assert listened.json.pop("stream_options") == {"include_usage": True}
    else:
        assert plain.path.endswith(":generateContent")
        assert listened.path.endswith(":streamGenerateContent?alt=sse")
        assert plain.json["generationConfig"].pop("seed") != listened.json["generationConfig"].pop("seed")
    assert plain.json == listened.json


def test_an_answer_of_a_schema_is_not_listened_to(backend: Backend) -> None:
    question = ChoiceAnswerInput(
        context=(ContextMessage(at="2026-01-05 10:00", role="user", text="Tea."),),
        asked_at="2026-01-05 10:00",
        query="Which?",
        options=(OptionText(letter="a", text="green"), OptionText(letter="b", text="black")),
    )
    ear = Ear()
    with backend.serve(backend.at_once('{"letter": "b"}')) as server, backend.model(server) as model:
        assert model.run(CHOICE_ANSWER, question, listener=ear).output.letter == "b"
    assert "stream" not in server.requests[0].json
    assert "stream" not in server.requests[0].path
    assert ear.pieces == []


def test_a_server_that_answers_all_at_once_is_told_all_at_once(backend: Backend) -> None:
    ear = Ear()
    with backend.serve(backend.at_once(TEXT)) as server, backend.model(server) as model:
        assert model.run(TALK, QUESTION, listener=ear).output.text == TEXT
    assert ear.pieces == [TEXT]


def test_a_kept_answer_comes_as_one_piece_and_costs_nothing(backend: Backend, tmp_path: Path) -> None:
    ear, later = Ear(), Ear()
    with (
        ResponseCache(tmp_path / "cache.sqlite") as cache,
        backend.serve(backend.stream(*WORDS)) as server,
        backend.model(server, cache=cache) as model,
    ):
        model.run(TALK, QUESTION, listener=ear)
        again = model.run(TALK, QUESTION, listener=later)
        assert model.run(TALK, QUESTION).output.text == TEXT  # the same answer as without a listener
    assert (again.output.text, again.usage.calls, again.usage.cached) == (TEXT, 0, True)
    assert later.pieces == [TEXT]
    assert len(server.requests) == 1


def test_two_who_ask_the_same_at_once_pay_once_and_both_hear_the_answer(backend: Backend, tmp_path: Path) -> None:
    ears = [Ear(), Ear()]
    with (
        ResponseCache(tmp_path / "cache.sqlite") as cache,
        backend.serve(backend.stream(*WORDS)) as server,
        backend.model(server, cache=cache) as model,
        ThreadPoolExecutor(2) as pool,
    ):
        list(pool.map(lambda ear: model.run(TALK, QUESTION, listener=ear), ears))
    assert [ear.text for ear in ears] == [TEXT, TEXT]
    assert len(server.requests) == 1


BEFORE = {
    "a busy server": lambda backend: backend.error(503),
    "a reset": lambda backend: reset(),
    "an empty body": lambda backend: body(b""),
    "an empty stream": lambda backend: streamed(),
    "HTML": lambda backend: body(b"<html>hello</html>", "text/html"),
    "a hang": lambda backend: hang(),
}


@pytest.mark.parametrize("weather", BEFORE)
def test_weather_before_the_first_word_is_not_heard_of(backend: Backend, weather: str) -> None:
    ear = Ear()
    script = BEFORE[weather](backend), backend.stream(*WORDS)
    with backend.serve(*script) as server, backend.model(server, call_seconds=1.0) as model:
        assert model.run(TALK, QUESTION, listener=ear).output.text == TEXT
    assert ear.text == TEXT
    assert ear.void == []
    assert len(backend.waits) == 1


AMID = {
    "a cut connection": ("connection", lambda backend: backend.unfinished("Black tea", " it", manner="chunks cut")),
    "an end without an ending": ("bad_body", lambda backend: backend.unfinished("Black tea", " it")),
    "a stream that stands still": (
        "timeout",
        lambda backend: backend.unfinished("Black tea", " it", manner="chunks open"),
    ),
    "a drip": ("timeout", lambda backend: backend.unfinished("Black tea", " it", manner="chunks drip")),
    "an event of garbage": ("bad_body", lambda backend: garbled(backend, b"data: {]\n\n")),
    "an event of another shape": ("bad_body", lambda backend: garbled(backend, event([1, 2]))),
    "an event cut short": ("bad_body", lambda backend: garbled(backend, b'data: {"choices": [{"del')),
}


def garbled(backend: Backend, data: bytes) -> Reply:
    good = backend.unfinished("Black tea", " it")
    return streamed(*good.chunks, data)


@pytest.mark.parametrize("weather", AMID)
def test_weather_amid_the_words_takes_them_back_and_the_answer_begins_anew(backend: Backend, weather: str) -> None:
    kind, make = AMID[weather]
    ear = Ear()
    with (
        backend.serve(make(backend), backend.stream(*WORDS)) as server,
        backend.model(server, call_seconds=1.0) as model,
    ):
        generation = model.run(TALK, QUESTION, listener=ear)
    assert generation.output.text == ear.text == TEXT
    assert ear.void in (["Black tea it"], ["Black tea"])
    assert model.tally.events == {kind: 1}
    assert model.tally.usage.calls == 1


def test_an_error_amid_the_words_is_weather(backend: Backend) -> None:
    told = event({"error": {"message": f"overloaded {KEY}", "code": 503}})
    broken = garbled(backend, told)
    ear = Ear()
    with backend.serve(broken, backend.stream(*WORDS)) as server, backend.model(server, key=KEY) as model:
        assert model.run(TALK, QUESTION, listener=ear).output.text == TEXT
        assert model.tally.events == {"bad_body" if backend.name == "openai" else "http_503": 1}
    with (
        backend.serve(otherwise=broken) as server,
        backend.model(server, key=KEY, attempts=2) as model,
        pytest.raises(ModelUnavailable, match="overloaded") as caught,
    ):
        model.run(TALK, QUESTION, listener=Ear())
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_weather_that_lasts_is_given_up_and_nothing_is_counted_as_paid(backend: Backend) -> None:
    cut = backend.unfinished("Black tea", " it", manner="chunks cut")
    ear = Ear()
    with (
        backend.serve(otherwise=cut) as server,
        backend.model(server, attempts=3) as model,
        pytest.raises(ModelUnavailable, match="3 times"),
    ):
        model.run(TALK, QUESTION, listener=ear)
    assert len(ear.void) == 2
    assert model.tally.usage.calls == 0


def test_an_answer_at_the_limit_of_its_length_is_rejected_with_its_words_and_paid_for(backend: Backend) -> None:
    ear = Ear()
    with (
        backend.serve(backend.stream(*WORDS, finish_reason="length")) as server,
        backend.model(server) as model,
        pytest.raises(GenerationRejected) as caught,
    ):
        model.run(TALK, QUESTION, listener=ear)
    assert (caught.value.reason, caught.value.raw) == ("truncated", TEXT)
    assert caught.value.usage.calls == model.tally.usage.calls == 1


def test_an_answer_without_words_is_asked_for_again_and_heard(backend: Backend) -> None:
    ear = Ear()
    with backend.serve(backend.stream(), backend.stream(*WORDS)) as server, backend.model(server) as model:
        generation = model.run(TALK, QUESTION, listener=ear)
    assert generation.output.text == ear.text == TEXT
    assert generation.usage.calls == 2
    assert model.tally.events == {"reask_empty": 1}


def test_tokens_are_counted_here_where_the_server_counts_none(backend: Backend) -> None:
    with backend.serve(backend.stream(*WORDS, usage=None)) as server, backend.model(server) as model:
        usage = model.run(TALK, QUESTION, listener=Ear()).usage
    assert usage.completion_tokens == count_tokens(TEXT)
    assert usage.prompt_tokens > 0


@pytest.mark.parametrize("raised", [ValueError("no more"), BrokenPipeError("closed"), TimeoutError("late")])
def test_what_a_listener_raises_ends_the_call_and_is_no_weather(backend: Backend, raised: Exception) -> None:
    def fail(text: str) -> None:
        raise raised

    with backend.serve(otherwise=backend.stream(*WORDS)) as server, backend.model(server) as model:
        with pytest.raises(type(raised)) as caught:
            model.run(TALK, QUESTION, listener=Ear(fail))
        assert caught.value is raised
        assert model.tally.events == {}
        assert len(server.requests) == 1
        assert model.run(TALK, QUESTION, listener=Ear()).output.text == TEXT  # the model goes on


def test_an_interrupt_while_it_listens_passes_through(backend: Backend) -> None:
    def interrupt(text: str) -> None:
        raise KeyboardInterrupt

    with (
        backend.serve(otherwise=backend.stream(*WORDS)) as server,
        backend.model(server) as model,
        pytest.raises(KeyboardInterrupt),
    ):
        model.run(TALK, QUESTION, listener=Ear(interrupt))
    assert len(server.requests) == 1


def test_blanks_around_the_answer_are_not_told(backend: Backend) -> None:
    ear = Ear()
    with (
        backend.serve(backend.stream("\n ", " Green", " ", "tea.", " \n", "\n")) as server,
        backend.model(server) as model,
    ):
        assert model.run(TALK, QUESTION, listener=ear).output.text == ear.text == "Green tea."
    assert ear.void == []


@pytest.mark.parametrize(
    ("pieces", "void"),
    [
        (("<thi", "nk>Black", "?</thi", "nk>\n\n", "Green."), []),
        (("Black?", "</think>", "Green."), ["Black?"]),  # the template had begun the thought
    ],
)
def test_thoughts_before_the_answer_are_not_told_or_taken_back(
    backend: Backend, pieces: Sequence[str], void: Sequence[str]
) -> None:
    ear = Ear()
    with backend.serve(backend.stream(*pieces)) as server, backend.model(server) as model:
        assert model.run(TALK, QUESTION, listener=ear).output.text == ear.text == "Green."
    assert [text for text in ear.void if text] == [*void]


def test_a_task_may_keep_the_thoughts_as_part_of_the_answer(backend: Backend) -> None:
    ear = Ear()
    with (
        backend.serve(backend.stream("<think>Black?", "</think>\n", "<answer>Green.</answer>")) as server,
        backend.model(server) as model,
    ):
        generation = model.run(THOUGHTFUL, QUESTION, listener=ear)
    assert generation.output.text == ear.text == "<think>Black?</think>\n<answer>Green.</answer>"
    assert len(ear.pieces) > 1


def test_a_key_in_the_answer_is_told_to_nobody_however_it_is_cut(backend: Backend) -> None:
    pieces = ["The key is canary-2c", "86f0d", "9e1b7, I", " think."]
    ear = Ear()
    with backend.serve(backend.stream(*pieces)) as server, backend.model(server, key=KEY) as model:
        generation = model.run(TALK, QUESTION, listener=ear)
    assert generation.output.text == ear.text == "The key is [key], I think."
    assert not any("canary" in text for text in [*ear.pieces, *ear.void])


def test_what_keeps_a_connection_open_is_no_part_of_the_answer(backend: Backend) -> None:
    first, *others = backend.stream(*WORDS).chunks
    kept_open = streamed(b": waiting\n\n", b"data:\n\n", first, b"event: ping\r\n\r\n", *others)
    ear = Ear()
    with backend.serve(kept_open) as server, backend.model(server) as model:
        assert model.run(TALK, QUESTION, listener=ear).output.text == ear.text == TEXT
    assert ear.void == []


def test_a_connection_that_streamed_an_answer_is_used_again() -> None:
    backend = Backend("openai")
    with backend.serve(otherwise=backend.stream(*WORDS)) as server, backend.model(server) as model:
        for sample in range(3):
            model.run(TALK, QUESTION, sample=sample, listener=Ear())
        ports = {received.headers["x-port"] for received in server.requests}
    assert len(ports) == 1


def test_a_server_that_says_all_and_does_not_end_is_not_waited_for() -> None:
    backend = Backend("openai")
    ear = Ear()
    with (
        backend.serve(backend.stream(*WORDS, manner="chunks open"), backend.at_once("Tea.")) as server,
        backend.model(server, call_seconds=10.0) as model,
    ):
        generation = model.run(TALK, QUESTION, listener=ear)
        assert model.run(TALK, QUESTION, sample=1).output.text == "Tea."  # over another connection
    assert generation.output.text == ear.text == TEXT
    assert generation.usage.seconds < 8.0
    assert model.tally.events == {}


def test_a_server_of_the_openai_protocol_that_knows_less_of_streams_is_asked_in_less(caplog: Any) -> None:
    def decide(received: Any) -> Reply:
        if "stream_options" in received.json:
            return error(400, "Unrecognized request argument supplied: stream_options", param="stream_options")
        return streamed_answer(*WORDS, usage=None) if received.json.get("stream") else answer(TEXT)

    backend, ear, later = Backend("openai"), Ear(), Ear()
    with backend.serve(decide=decide) as server, backend.model(server) as model:
        model.run(TALK, QUESTION, listener=ear)
        model.run(TALK, QUESTION, sample=1, listener=later)
    assert ear.text == later.text == TEXT
    assert [("stream_options" in received.json) for received in server.requests] == [True, False, False]


def test_a_server_of_the_openai_protocol_that_streams_nothing_is_asked_at_once() -> None:
    def decide(received: Any) -> Reply:
        return error(400, "Streaming is not supported") if received.json.get("stream") else answer(TEXT)

    backend, ear = Backend("openai"), Ear()
    with backend.serve(decide=decide) as server, backend.model(server) as model:
        assert model.run(TALK, QUESTION, listener=ear).output.text == TEXT
    assert ear.pieces == [TEXT]


def test_a_refusal_that_is_streamed_is_one() -> None:
    backend = Backend("openai")
    with (
        backend.serve(streamed_answer(refusal="No, thank you.")) as server,
        backend.model(server) as model,
        pytest.raises(GenerationRejected) as caught,
    ):
        model.run(TALK, QUESTION, listener=Ear())
    assert (caught.value.reason, caught.value.raw) == ("refusal", "No, thank you.")


def test_thoughts_that_gemini_streams_are_paid_for_and_not_told() -> None:
    backend, ear = Backend("gemini"), Ear()
    with (
        backend.serve(gemini_stream(*WORDS, thoughts="Black?", usage=(100, 10, 5))) as server,
        backend.model(server) as model,
    ):
        generation = model.run(TALK, QUESTION, listener=ear)
    assert generation.output.text == ear.text == TEXT
    assert generation.usage.completion_tokens == 15


def test_a_prompt_that_gemini_blocks_is_a_refusal_in_a_stream_too() -> None:
    backend = Backend("gemini")
    blocked = streamed(event({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 9}}))
    with backend.serve(blocked) as server, backend.model(server) as model, pytest.raises(GenerationRejected) as caught:
        model.run(TALK, QUESTION, listener=Ear())
    assert caught.value.reason == "refusal"
    assert caught.value.usage.prompt_tokens == 9
