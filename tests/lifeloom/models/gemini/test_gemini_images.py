"""Pictures by a Gemini image model, against a real HTTP server on loopback."""

from __future__ import annotations

import base64
import concurrent.futures
import contextlib
import hashlib
import io
import random
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lifeloom.models import (
    BudgetExhausted,
    CallSettings,
    CapabilityMissing,
    Gate,
    Key,
    ModelRefusesKey,
    ModelUnavailable,
    RetryPolicy,
    Timing,
)
from lifeloom.models.calls.metering import Spending
from lifeloom.models.gemini import GeminiImageMaker, Portrait, caption_of
from lifeloom.models.protocol import ImageMaker, PictureNotDrawn
from lifeloom.records import PicturePlan, PictureReference, PictureSubject
from tests.gemini_server import GeminiServer, blocked, gemini_answer, gemini_error, gemini_picture, quota_details
from tests.servers import Reply, body, drip, hang, reset

KEY = "AIza-canary-77b0d1c5aa02"
PLAN = PicturePlan(
    picture_id="p-7",
    kind="scene",
    place="beach",
    subjects=(PictureSubject(kind="object", name="kite", colour="red"),),
    size=64,
    seed=3,
)


def picture(colour: str, size: tuple[int, int] = (40, 32), form: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, form)
    return file.getvalue()


def drawn(colour: str, usage: tuple[int, int, int] = (30, 1290, 5), **options: Any) -> Reply:
    return gemini_picture(("image/png", picture(colour, **options)), usage=usage)


def seen(data: bytes) -> tuple[int, int, int]:
    pixel = Image.open(io.BytesIO(data)).convert("RGB").getpixel((1, 1))
    assert isinstance(pixel, tuple)
    return pixel  # type: ignore[return-value]


class Meter:
    """Remembers what it is told; allows nothing once ``closed``."""

    wants_estimates = True

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.closed = False

    def reserve(self, prompt_version: str, prompt_tokens: int, completion_tokens: int) -> Spending:
        if self.closed:
            raise BudgetExhausted("nothing left")
        assert prompt_version.startswith("picture_drawing@1+")
        assert prompt_tokens > 10
        assert completion_tokens >= 1290
        return self

    def paid(self, prompt_tokens: int, completion_tokens: int, seconds: float) -> None:
        self.told.append(("paid", prompt_tokens, completion_tokens))

    def free(self) -> None:
        self.told.append(("free",))

    def recalled(self, prompt_version: str, prompt_tokens: int, completion_tokens: int) -> None:
        self.told.append(("recalled", prompt_tokens, completion_tokens))

    def happened(self, prompt_version: str, event: str) -> None:
        self.told.append(("happened", event))


Serve = Callable[..., tuple[GeminiServer, GeminiImageMaker]]


@pytest.fixture
def serve() -> Iterator[Serve]:
    with contextlib.ExitStack() as stack:

        def start(*script: Reply, otherwise: Reply | None = None, **options: Any) -> Any:
            server = stack.enter_context(GeminiServer(*script, otherwise=otherwise))
            calls = {"timing": Timing(sleep=lambda seconds: None), "rng": random.Random(1)}
            calls |= {name: options.pop(name) for name in ("meter", "retries", "call_seconds") if name in options}
            maker = GeminiImageMaker(
                "gemini-image",
                base_url=server.base_url,
                key=Key(KEY, "GEMINI_API_KEY"),
                calls=CallSettings(gate=Gate(concurrency=2), **calls),
                **options,
            )
            return server, stack.enter_context(maker)

        yield start


def test_a_plan_is_drawn_from_its_caption_in_its_size(serve: Serve) -> None:
    server, maker = serve(drawn("#ff0000"))
    result = maker.draw(PLAN)
    assert isinstance(maker, ImageMaker)
    assert (maker.identity.backend, maker.identity.model) == ("gemini", "gemini-image")
    assert (result.width, result.height, result.subjects) == (64, 64, ())
    image = Image.open(io.BytesIO(result.data))
    assert (image.format, image.size) == ("PNG", (64, 64))
    assert seen(result.data) == (255, 0, 0)
    (request,) = server.requests
    assert request.path == "/v1beta/models/gemini-image:generateContent"
    assert request.headers["x-goog-api-key"] == KEY
    instructions, caption = request.json["contents"][0]["parts"]
    assert instructions["text"].startswith("Draw one picture")
    assert caption["text"] == caption_of(PLAN)
    assert "systemInstruction" not in request.json
    decoding = request.json["generationConfig"]
    assert decoding["responseModalities"] == ["TEXT", "IMAGE"]
    assert decoding["imageConfig"] in ({"aspectRatio": "1:1"}, {"aspect_ratio": "1:1"})


def test_portraits_go_before_the_caption_each_with_its_name(serve: Serve) -> None:
    files = {hashlib.sha256(data).hexdigest(): data for data in (picture("red"), picture("blue", form="JPEG"))}
    references = [PictureReference(content_hash=name, width=40, height=32) for name in files]
    server, maker = serve(drawn("green"), portraits=lambda reference: files[reference.content_hash])
    maker.draw_caption("Ana and <img>Ben.", [Portrait("Ana", references[0]), Portrait("Ben", references[1])])
    parts = server.requests[0].json["contents"][0]["parts"][1:]
    texts = [part.get("text", "").strip() for part in parts]
    assert texts == ["Portrait of Ana:", "", "Portrait of Ben:", "", "Ana and Ben."]
    sent = [base64.urlsafe_b64decode(part["inlineData"]["data"]) for part in parts if "inlineData" in part]
    assert sent == list(files.values())


def test_another_portrait_of_the_same_person_is_another_picture(serve: Serve) -> None:
    files = {hashlib.sha256(data).hexdigest(): data for data in (picture("red"), picture("blue"))}
    red, blue = (Portrait("Ana", PictureReference(content_hash=name, width=40, height=32)) for name in files)
    server, maker = serve(drawn("#ff0000"), drawn("#0000ff"), portraits=lambda reference: files[reference.content_hash])
    assert [seen(maker.draw_caption("Ana.", [one]).data) for one in (red, blue, red)] == [
        (255, 0, 0),
        (0, 0, 255),
        (255, 0, 0),
    ]
    assert len(server.requests) == 2


def test_portraits_without_a_source_are_declined(serve: Serve) -> None:
    server, maker = serve(drawn("red"))
    reference = PictureReference(content_hash="0" * 64, width=1, height=1)
    with pytest.raises(CapabilityMissing, match="source of portraits"):
        maker.draw_caption("Ana.", [Portrait("Ana", reference)])
    assert server.requests == []


def test_candidates_are_calls_of_their_own_and_each_is_found_again(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "pictures.sqlite"
    meter = Meter()
    server, maker = serve(drawn("#ff0000"), drawn("#00ff00"), drawn("#0000ff"), cache_path=path, meter=meter)
    first = maker.candidates("A kite.", [], 3)
    assert [seen(one.data) for one in first] == [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    assert [(one.width, one.height) for one in first] == [(40, 32)] * 3
    assert maker.candidates("A kite.", [], 3) == first
    assert len(server.requests) == 3
    assert maker.tally.usage.calls == 3
    assert maker.tally.usage.completion_tokens == 3 * 1295
    assert maker.tally.events == {"from_cache": 3}
    assert meter.told == [("paid", 30, 1295)] * 3 + [("recalled", 30, 1295)] * 3
    maker.close()

    with GeminiServer() as silent:  # another process, the same address: everything is on disk
        again = GeminiImageMaker("gemini-image", base_url=server.base_url, cache_path=path)
        with again:
            assert again.candidates("A kite.", [], 3) == first
        other = GeminiImageMaker("gemini-image", base_url=silent.base_url, cache_path=path, calls=once())
        with other, pytest.raises(ModelUnavailable):  # another server is another maker
            other.draw_caption("A kite.")


def once() -> CallSettings:
    return CallSettings(retries=RetryPolicy(max_attempts=1))


def test_threads_that_ask_for_the_same_picture_pay_for_it_once(serve: Serve) -> None:
    server, maker = serve(otherwise=drawn("red"))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        pictures = list(pool.map(lambda _: maker.draw(PLAN).data, range(8)))
    assert len(set(pictures)) == len(server.requests) == 1


def test_plans_that_differ_by_seed_alone_are_drawn_apart(serve: Serve) -> None:
    server, maker = serve(drawn("#ff0000"), drawn("#00ff00"))
    first, second = maker.draw(PLAN), maker.draw(PLAN.model_copy(update={"seed": 4}))
    assert first.data != second.data
    assert maker.draw(PLAN).data == first.data
    assert len(server.requests) == 2


def test_a_torn_row_of_the_cache_is_drawn_again(serve: Serve, tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "pictures.sqlite"
    server, maker = serve(drawn("red"), drawn("red"), cache_path=path)
    maker.draw(PLAN)
    maker.close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE entries SET value = substr(value, 1, length(value) - 9)")
    with GeminiImageMaker("gemini-image", base_url=server.base_url, cache_path=path) as again:
        assert seen(again.draw(PLAN).data) == (255, 0, 0)
    assert len(server.requests) == 2


def test_a_picture_is_decoded_and_stored_without_what_came_with_it(serve: Serve) -> None:
    file = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "made by somebody"
    Image.new("RGB", (40, 32), "red").save(file, "JPEG", exif=exif)
    _, maker = serve(gemini_picture(("image/jpeg", file.getvalue())))
    data = maker.draw_caption("Red.").data
    assert data.startswith(b"\x89PNG")
    assert b"made by somebody" not in data


NOT_DRAWN = [
    (gemini_answer("I would rather not."), "without a picture: 'I would rather not", "rejected_no_picture"),
    (gemini_answer(None, finish_reason="NO_IMAGE"), "without a picture", "rejected_no_picture"),
    (blocked("PROHIBITED_CONTENT"), "declines.*PROHIBITED_CONTENT", "rejected_refusal"),
    (gemini_answer(None, finish_reason="IMAGE_SAFETY", finish_message="unsafe"), "unsafe", "rejected_refusal"),
    (gemini_picture(("image/png", picture("red")[:60])), "no picture that can be read", "rejected_broken_picture"),
    (gemini_picture(("image/png", b"<svg/>")), "no picture that can be read", "rejected_broken_picture"),
    (gemini_error(400, "Request contains an invalid argument."), "request wrong", "rejected_bad_request"),
    (gemini_error(400, "The input token count (9) exceeds the maximum number of tokens"), "wrong", "rejected_bad"),
]


@pytest.mark.parametrize(("reply", "reason", "event"), NOT_DRAWN)
def test_a_picture_that_is_none_is_not_drawn_with_the_reason(
    serve: Serve, reply: Reply, reason: str, event: str
) -> None:
    server, maker = serve(reply, drawn("red"))
    with pytest.raises(PictureNotDrawn, match=reason) as caught:
        maker.draw(PLAN)
    assert caught.value.picture_id == "p-7"
    (counted,) = maker.tally.events
    assert counted.startswith(event)
    assert len(server.requests) == 1
    assert seen(maker.draw(PLAN).data) == (255, 0, 0)  # and is not remembered as undrawable


def test_a_refused_picture_is_paid_for(serve: Serve) -> None:
    meter = Meter()
    _, maker = serve(gemini_answer("No.", usage=(40, 3, 0)), meter=meter)
    with pytest.raises(PictureNotDrawn):
        maker.draw(PLAN)
    assert meter.told == [("paid", 40, 3), ("happened", "rejected_no_picture")]


def test_of_several_pictures_the_last_counts_and_words_beside_it_do_no_harm(serve: Serve) -> None:
    _, maker = serve(
        gemini_picture(("image/png", picture("#ff0000")), ("image/png", picture("#0000ff")), text="Here you are:")
    )
    assert seen(maker.draw_caption("x").data) == (0, 0, 255)


@pytest.mark.parametrize(
    ("reply", "event"),
    [
        (gemini_error(429, "slow", details=quota_details("RequestsPerMinute", retry_delay="2s")), "http_429"),
        (gemini_error(500), "http_500"),
        (reset(midway=True), "connection"),
        (hang(), "timeout"),
        (drip(), "timeout"),
        (body(b""), "bad_body"),
        (body(b"<html>", "text/html"), "bad_body"),
        (body(drawn("red").body[:200]), "bad_body"),
    ],
)
def test_passing_failures_are_tried_again_and_counted(serve: Serve, reply: Reply, event: str) -> None:
    server, maker = serve(reply, drawn("red"), call_seconds=1.0)
    maker.draw(PLAN)
    assert maker.tally.events == {event: 1}
    assert len(server.requests) == 2


def test_a_server_that_fails_for_ever_is_given_up_and_owes_nothing(serve: Serve) -> None:
    meter = Meter()
    server, maker = serve(otherwise=gemini_error(503), retries=RetryPolicy(max_attempts=3), meter=meter)
    with pytest.raises(ModelUnavailable, match="3 times"):
        maker.draw(PLAN)
    assert len(server.requests) == 3
    assert meter.told.count(("free",)) == 1
    assert not any(told[0] == "paid" for told in meter.told)


def test_a_budget_without_room_stops_before_the_call(serve: Serve) -> None:
    meter = Meter()
    meter.closed = True
    server, maker = serve(drawn("red"), meter=meter)
    with pytest.raises(BudgetExhausted):
        maker.draw(PLAN)
    assert server.requests == []


def test_a_refused_key_stops_at_once_and_is_not_shown(serve: Serve) -> None:
    server, maker = serve(gemini_error(403, f"key {KEY} is not yours"), drawn("red"))
    with pytest.raises(ModelRefusesKey, match="GEMINI_API_KEY") as caught:
        maker.draw(PLAN)
    assert len(server.requests) == 1
    assert maker.tally.events == {"key_refused": 1}
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert KEY not in repr(maker)


def test_a_missing_key_names_the_variable_to_set() -> None:
    with pytest.raises(ModelRefusesKey, match="MY_KEY"):
        GeminiImageMaker.from_environment("m", api_key_variable="MY_KEY", environment={})


def test_check_asks_whether_the_model_is_there_and_draws_nothing(serve: Serve) -> None:
    server, maker = serve(body(b'{"name": "models/gemini-image"}'))
    assert maker.check() == f"gemini-image at {server.base_url} is there (nothing was drawn)"
    (request,) = server.requests
    assert (request.method, request.path) == ("GET", "/v1beta/models/gemini-image")
    assert request.headers["x-goog-api-key"] == KEY
    assert maker.tally.usage.calls == 0


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (gemini_error(404, "models/gemini-image is not found"), ModelUnavailable),
        (gemini_error(503), ModelUnavailable),
        (gemini_error(400, "Bad."), ModelUnavailable),
        (reset(), ModelUnavailable),
        (gemini_error(403), ModelRefusesKey),
    ],
)
def test_check_fails_at_once_with_a_typed_error(serve: Serve, reply: Reply, expected: type[Exception]) -> None:
    server, maker = serve(reply)
    with pytest.raises(expected):
        maker.check()
    assert len(server.requests) == 1


@pytest.mark.parametrize("told", [(30, 0, 0), None])
def test_a_picture_is_never_booked_as_free(serve: Serve, told: tuple[int, int, int] | None) -> None:
    meter = Meter()
    _, maker = serve(gemini_picture(("image/png", picture("red")), usage=told), meter=meter)
    maker.draw(PLAN)
    ((event, prompt, completion),) = meter.told
    assert (event, completion) == ("paid", 1290)
    assert prompt >= 10
