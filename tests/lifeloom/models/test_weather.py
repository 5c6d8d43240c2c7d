"""The weather: what can befall a call, crossed with the backends; every cell ends in a typed, counted outcome."""

from __future__ import annotations

import contextlib
import hashlib
import random
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from lifeloom.models import (
    AnsweringModel,
    CallSettings,
    GenerationRejected,
    Key,
    ModelError,
    ModelRefusesKey,
    ModelUnavailable,
    OpenAiModel,
    RetryPolicy,
    Timing,
)
from lifeloom.models.calls.metering import NoMeter
from lifeloom.models.gemini import GeminiModel
from lifeloom.records import PictureReference
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, ContextMessage, OptionText
from tests.gemini_server import GeminiServer, blocked, gemini_answer, gemini_error, quota_details
from tests.servers import ChatServer, Reply, answer, body, drip, error, hang, reset

KEY = "canary-2c86f0d9e1b7"
PNG = b"\x89PNG\r\n\x1a\n" + b"first"
PICTURE = PictureReference(content_hash=hashlib.sha256(PNG).hexdigest(), width=56, height=28)
QUESTION = ChoiceAnswerInput(
    context=(ContextMessage(at="2026-01-05 10:00", role="user", text="Mine: <img>"),),
    asked_at="2026-01-05 10:00",
    query="Which tea?",
    options=(OptionText(letter="a", text="green"), OptionText(letter="b", text="black")),
)
GOOD = '{"letter": "b"}'
WRONG = '{"letter": 2}'
DAY = quota_details("GenerateRequestsPerDayPerProjectPerModel", retry_delay="9s")
TOKENS = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."

FORECAST: Mapping[str, tuple[Reply, Reply]] = {
    # weather: (as a server of the OpenAI protocol brings it, as Google's)
    "429 with Retry-After": (error(429, headers={"Retry-After": "7"}), gemini_error(429, headers={"Retry-After": "7"})),
    "429 without Retry-After": (error(429, "slow down"), gemini_error(429, "Resource has been exhausted.")),
    "500": (error(500), gemini_error(500, "An internal error has occurred.", word="INTERNAL")),
    "502": (error(502), Reply(status=502, body=b"<html>Bad Gateway</html>")),
    "reset midway": (reset(midway=True), reset(midway=True)),
    "hang": (hang(), hang()),
    "slow drip": (drip(), drip()),
    "empty body": (body(b""), body(b"")),
    "HTML body": (body(b"<html>hello</html>", "text/html"), body(b"<html>hello</html>", "text/html")),
    "truncated JSON": (body(answer(GOOD).body[:90]), body(gemini_answer(GOOD).body[:90])),
    "JSON of the wrong schema": (answer(WRONG), gemini_answer(WRONG)),
    "refusal": (answer(None, refusal="No, thank you."), gemini_answer("No, thank you.", finish_reason="SAFETY")),
    "refused prompt": (answer("", finish_reason="content_filter"), blocked("PROHIBITED_CONTENT")),
    "wrong key": (
        error(401, f"Incorrect API key provided: {KEY}", code="invalid_api_key"),
        gemini_error(400, f"API key not valid ({KEY}). Please pass a valid API key.", word="INVALID_ARGUMENT"),
    ),
    "quota gone": (
        error(429, "You exceeded your current quota", code="insufficient_quota"),
        gemini_error(429, "You exceeded your current quota", word="RESOURCE_EXHAUSTED", details=DAY),
    ),
    "context too long": (
        error(400, "maximum context length is 4096 tokens", code="context_length_exceeded"),
        gemini_error(400, TOKENS, word="INVALID_ARGUMENT"),
    ),
    "picture refused": (
        error(400, "Failed to load image: cannot identify image file"),
        gemini_error(400, "Unable to process input image. Please retry or report.", word="INVALID_ARGUMENT"),
    ),
}


@dataclass(frozen=True)
class Outcome:
    """What becomes of a question when this weather comes once, and a good answer would follow."""

    events: Mapping[str, int]
    error: type[ModelError] | None = None
    """None: the good answer."""
    reason: str = ""
    """Of a rejection; for other errors, words of the message."""
    requests: int = 2
    waits: tuple[tuple[float, float], ...] = ((0.25, 0.5),)
    """Bounds of each wait, in seconds."""


def passes(event: str, *wait: tuple[float, float]) -> Outcome:
    return Outcome({event: 1}, waits=wait or ((0.25, 0.5),))


def ends(error: type[ModelError], reason: str, event: str) -> Outcome:
    return Outcome({event: 1}, error, reason, requests=1, waits=())


OUTCOMES: Mapping[str, Outcome] = {
    "429 with Retry-After": passes("http_429", (7.0, 7.75)),
    "429 without Retry-After": passes("http_429"),
    "500": passes("http_500"),
    "502": passes("http_502"),
    "reset midway": passes("connection"),
    "hang": passes("timeout"),
    "slow drip": passes("timeout"),
    "empty body": passes("bad_body"),
    "HTML body": passes("bad_body"),
    "truncated JSON": passes("bad_body"),
    "JSON of the wrong schema": Outcome({"reask_wrong_schema": 1}, waits=()),
    "refusal": ends(GenerationRejected, "refusal", "rejected_refusal"),
    "refused prompt": ends(GenerationRejected, "refusal", "rejected_refusal"),
    "wrong key": ends(ModelRefusesKey, "the key is missing or refused", "key_refused"),
    "quota gone": ends(ModelRefusesKey, "the quota or credit is used up", "key_refused"),
    "context too long": ends(GenerationRejected, "context_too_long", "rejected_context_too_long"),
    "picture refused": ends(GenerationRejected, "picture_refused", "rejected_picture_refused"),
}
LASTING = [weather for weather, outcome in OUTCOMES.items() if outcome.waits and weather not in {"hang", "slow drip"}]


class CountingMeter(NoMeter):
    def __init__(self) -> None:
        self.events: Counter[str] = Counter()

    def happened(self, prompt_version: str, event: str) -> None:
        assert prompt_version == CHOICE_ANSWER.prompt_version
        self.events[event] += 1


@dataclass
class Asking:
    """A backend with a server for it, or none."""

    name: str
    serve: Callable[..., ChatServer]
    good: Reply
    waits: list[float] = field(default_factory=list)
    meter: CountingMeter = field(default_factory=CountingMeter)

    def reply(self, weather: str) -> Reply:
        return FORECAST[weather][0 if self.name == "openai" else 1]

    @contextlib.contextmanager
    def model(self, base_url: str, attempts: int = 8, sleep: Callable[[float], None] | None = None) -> Iterator[Any]:
        calls = CallSettings(
            timing=Timing(sleep=sleep or self.waits.append),
            retries=RetryPolicy(max_attempts=attempts),
            call_seconds=1.0,
            rng=random.Random(1),
            meter=self.meter,
        )
        options: dict[str, Any] = {"key": Key(KEY, "SOME_KEY"), "pictures": lambda reference: PNG, "calls": calls}
        made: AnsweringModel = (
            OpenAiModel("m", base_url=base_url, **options)
            if self.name == "openai"
            else GeminiModel("m", base_url=base_url, **options)
        )
        with made as model:
            yield model


@pytest.fixture(params=["openai", "gemini"])
def asking(request: pytest.FixtureRequest) -> Asking:
    if request.param == "openai":
        return Asking("openai", ChatServer, answer(GOOD))
    return Asking("gemini", GeminiServer, gemini_answer(GOOD))


def check_counted(asking: Asking, model: AnsweringModel, events: Mapping[str, int]) -> None:
    assert model.tally.events == events
    assert asking.meter.events == events  # the books say the same


@pytest.mark.parametrize("weather", OUTCOMES)
def test_weather_that_comes_once_has_a_typed_and_counted_outcome(asking: Asking, weather: str) -> None:
    outcome = OUTCOMES[weather]
    with asking.serve(asking.reply(weather), asking.good) as server, asking.model(server.base_url) as model:
        if outcome.error is None:
            assert model.run(CHOICE_ANSWER, QUESTION, [PICTURE]).output.letter == "b"
        else:
            with pytest.raises(outcome.error) as caught:
                model.run(CHOICE_ANSWER, QUESTION, [PICTURE])
            assert KEY not in "".join(traceback.format_exception(caught.value))
            said = caught.value.reason if isinstance(caught.value, GenerationRejected) else str(caught.value)
            assert outcome.reason in said
            assert "SOME_KEY" in said or outcome.error is not ModelRefusesKey
    check_counted(asking, model, outcome.events)
    assert len(server.requests) == outcome.requests
    assert len(asking.waits) == len(outcome.waits)
    assert all(low <= wait <= high for wait, (low, high) in zip(asking.waits, outcome.waits, strict=True))


@pytest.mark.parametrize("weather", LASTING)
def test_weather_that_lasts_is_given_up_after_the_attempts_and_every_one_is_counted(
    asking: Asking, weather: str
) -> None:
    (event,) = OUTCOMES[weather].events
    with asking.serve(otherwise=asking.reply(weather)) as server, asking.model(server.base_url, attempts=3) as model:
        with pytest.raises(ModelUnavailable, match=rf"(?s)3 times.*{event}.*is kept"):
            model.run(CHOICE_ANSWER, QUESTION, [PICTURE])
        check_counted(asking, model, {event: 3})
        assert len(server.requests) == 3
        assert model.tally.usage.calls == 0


def test_a_wrong_schema_that_lasts_is_rejected_with_the_raw_text_and_paid_for(asking: Asking) -> None:
    wrong = asking.reply("JSON of the wrong schema")
    with asking.serve(otherwise=wrong) as server, asking.model(server.base_url) as model:
        with pytest.raises(GenerationRejected) as caught:
            model.run(CHOICE_ANSWER, QUESTION, [PICTURE])
        assert (caught.value.reason, caught.value.raw) == ("wrong_schema", WRONG)
        assert caught.value.usage.calls == model.tally.usage.calls == len(server.requests) == 2
        check_counted(asking, model, {"reask_wrong_schema": 1, "rejected_wrong_schema": 1})


def test_a_refused_connection_is_tried_again_until_somebody_listens(asking: Asking) -> None:
    with asking.serve() as server:
        address, port = server.base_url, int(server.base_url.split(":")[2].split("/")[0])
    with contextlib.ExitStack() as stack:

        def sleep(seconds: float) -> None:
            asking.waits.append(seconds)
            if len(asking.waits) == 2:
                stack.enter_context(asking.serve(asking.good, port=port))

        with asking.model(address, sleep=sleep) as model:
            assert model.run(CHOICE_ANSWER, QUESTION, [PICTURE]).output.letter == "b"
    check_counted(asking, model, {"connection": 2})
    assert all(low <= wait <= 2 * low for wait, low in zip(asking.waits, (0.25, 0.5), strict=True))


def test_a_refused_connection_that_lasts_is_given_up(asking: Asking) -> None:
    with asking.serve() as server:
        address = server.base_url
    with asking.model(address, attempts=3) as model, pytest.raises(ModelUnavailable, match=r"3 times.*refused"):
        model.run(CHOICE_ANSWER, QUESTION, [PICTURE])
    check_counted(asking, model, {"connection": 3})


def test_all_of_it_on_one_day_leaves_the_answers_right(asking: Asking) -> None:
    once = [w for w in LASTING if OUTCOMES[w].error is None]
    script = [reply for weather in once for reply in (asking.reply(weather), asking.good)]
    with asking.serve(*script) as server, asking.model(server.base_url) as model:
        for sample in range(len(once)):
            assert model.run(CHOICE_ANSWER, QUESTION, [PICTURE], sample=sample).output.letter == "b"
        assert len(server.requests) == 2 * len(once)
        assert model.tally.usage.calls == len(once)
        check_counted(asking, model, Counter(event for weather in once for event in OUTCOMES[weather].events))
