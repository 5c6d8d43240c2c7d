"""Pictures through the openai backend: what arrives at a real HTTP server, and what is said when it objects."""

from __future__ import annotations

import base64
import hashlib
import random
import traceback
from pathlib import Path
from typing import Any

import pytest

from lifeloom.models import CallSettings, CapabilityMissing, GenerationRejected, Key, OpenAiModel, ResponseCache
from lifeloom.models.calls.sent_pictures import UnknownPictureFormat, media_type
from lifeloom.models.protocol import PictureSource
from lifeloom.records import PictureReference
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, ContextMessage, OptionText
from tests.servers import ChatServer, Reply, answer, error

GOOD = '{"letter": "b"}'
KEY = "sk-canary-91c4e07ad2b8"
PNG = b"\x89PNG\r\n\x1a\n" + b"first"
JPEG = b"\xff\xd8\xff\xe0" + b"second"
WEBP = b"RIFF\x08\x00\x00\x00WEBP"
GIF = b"GIF89a.."


def reference(data: bytes, width: int = 56, height: int = 28) -> PictureReference:
    return PictureReference(content_hash=hashlib.sha256(data).hexdigest(), width=width, height=height)


class Store:
    """Gives files by content hash and counts how often it is asked."""

    def __init__(self, *files: bytes) -> None:
        self.files = {hashlib.sha256(data).hexdigest(): data for data in files}
        self.asked: list[str] = []

    def __call__(self, picture: PictureReference) -> bytes:
        self.asked.append(picture.content_hash)
        return self.files[picture.content_hash]


def question(*messages: str) -> ChoiceAnswerInput:
    context = tuple(ContextMessage(at="2026-01-05 10:00", role="user", text=text) for text in messages)
    options = (OptionText(letter="a", text="green"), OptionText(letter="b", text="black"))
    return ChoiceAnswerInput(context=context, asked_at="2026-01-05 11:00", query="Which hat?", options=options)


def model(server: ChatServer, pictures: PictureSource | None, **options: Any) -> OpenAiModel:
    calls = CallSettings(rng=random.Random(1), cache=options.pop("cache", None))
    options.setdefault("key", Key(KEY, "OPENAI_API_KEY"))
    return OpenAiModel("test-model", base_url=server.base_url, pictures=pictures, calls=calls, **options)


def url(kind: str, data: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def picture_part(kind: str, data: bytes) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url(kind, data)}}


def test_pictures_arrive_at_their_marks_with_their_types() -> None:
    asked = question("Look: <img> That is mine.", "No pictures here.", "<img><img>")
    before, middle, after = CHOICE_ANSWER.render(asked).replace("<img><img>", "<img>").split("<img>")
    with ChatServer(answer(GOOD)) as server, model(server, Store(PNG, JPEG, WEBP)) as seeing:
        generation = seeing.run(CHOICE_ANSWER, asked, [reference(PNG), reference(JPEG), reference(WEBP)])

    assert generation.output.letter == "b"
    (request,) = server.requests
    system, user = request.json["messages"]
    assert system == {"role": "system", "content": CHOICE_ANSWER.instructions}
    assert user["content"] == [
        {"type": "text", "text": before},
        picture_part("png", PNG),
        {"type": "text", "text": middle},
        picture_part("jpeg", JPEG),
        picture_part("webp", WEBP),
        {"type": "text", "text": after},
    ]


@pytest.mark.parametrize("said", ["No mark at all.", "<img> and <img> and <img>"])
def test_pictures_follow_the_text_when_the_marks_are_not_as_many(said: str) -> None:
    asked = question(said)
    with ChatServer(answer(GOOD)) as server, model(server, Store(PNG, GIF)) as seeing:
        seeing.run(CHOICE_ANSWER, asked, [reference(PNG), reference(GIF)])

    assert server.requests[0].json["messages"][1]["content"] == [
        {"type": "text", "text": CHOICE_ANSWER.render(asked)},
        picture_part("png", PNG),
        picture_part("gif", GIF),
    ]


def test_the_same_picture_shown_twice_is_sent_twice_and_read_once() -> None:
    store = Store(PNG)
    with ChatServer(answer(GOOD)) as server, model(server, store) as seeing:
        seeing.run(CHOICE_ANSWER, question("<img> <img>"), [reference(PNG), reference(PNG)])

    parts = server.requests[0].json["messages"][1]["content"]
    assert parts.count(picture_part("png", PNG)) == 2
    assert len(store.asked) == 1


def test_a_re_ask_shows_the_pictures_again() -> None:
    asked = question("Mine: <img>")
    with ChatServer(answer("hm"), answer(GOOD)) as server, model(server, Store(PNG)) as seeing:
        assert seeing.run(CHOICE_ANSWER, asked, [reference(PNG)]).output.letter == "b"
    first, second = (request.json["messages"] for request in server.requests)
    assert second[:2] == first
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]

    with ChatServer(answer(""), answer(GOOD)) as server, model(server, Store(PNG)) as seeing:
        assert seeing.run(CHOICE_ANSWER, asked, [reference(PNG)]).output.letter == "b"
    first, second = (request.json["messages"] for request in server.requests)
    assert second[1]["content"][:-1] == first[1]["content"]
    assert "not a valid answer" in second[1]["content"][-1]["text"]


def test_tokens_counted_here_include_the_pictures() -> None:
    asked = question("Mine: <img>")
    with ChatServer(otherwise=answer(GOOD, usage=None)) as server, model(server, Store(PNG, JPEG)) as seeing:
        small = seeing.run(CHOICE_ANSWER, asked, [reference(PNG, 28, 28)]).usage.prompt_tokens
        large = seeing.run(CHOICE_ANSWER, asked, [reference(JPEG, 280, 281)]).usage.prompt_tokens
    assert large - small == 10 * 11 - 1


def test_answers_are_kept_by_the_pictures_contents_and_their_order(tmp_path: Path) -> None:
    store = Store(PNG, JPEG)
    asked = question("<img> or <img>")
    with (
        ResponseCache(tmp_path / "answers.sqlite") as cache,
        ChatServer(otherwise=answer(GOOD)) as server,
        model(server, store, cache=cache) as seeing,
    ):
        pair = [reference(PNG), reference(JPEG)]
        assert not seeing.run(CHOICE_ANSWER, asked, pair).usage.cached
        assert not seeing.run(CHOICE_ANSWER, asked, pair[::-1]).usage.cached
        assert not seeing.run(CHOICE_ANSWER, asked, pair[:1] * 2).usage.cached
        assert not seeing.run(CHOICE_ANSWER, asked).usage.cached
        read = len(store.asked)
        assert seeing.run(CHOICE_ANSWER, asked, pair).usage.cached
        assert len(server.requests) == 4
        assert len(store.asked) == read  # a kept answer needs no file
    assert b"base64" not in (tmp_path / "answers.sqlite").read_bytes()


@pytest.mark.parametrize(("sees", "with_source"), [(False, True), (True, False), (False, False)])
def test_a_model_that_does_not_see_or_has_no_pictures_declines_them(sees: bool, with_source: bool) -> None:
    store = Store(PNG) if with_source else None
    with ChatServer(answer(GOOD)) as server, model(server, store, takes_pictures=sees) as blind:
        assert not blind.takes_pictures
        with pytest.raises(CapabilityMissing, match="takes no pictures"):
            blind.run(CHOICE_ANSWER, question("<img>"), [reference(PNG)])
        assert server.requests == []
        assert blind.run(CHOICE_ANSWER, question("<img>")).output.letter == "b"
    assert isinstance(server.requests[0].json["messages"][1]["content"], str)


REFUSALS = [
    error(400, "test-model is not a multimodal model None"),
    error(400, "Invalid content type. image_url is only supported by certain models.", code="invalid_value"),
    error(422, "messages[1]: unknown variant `image_url`, expected `text`"),
    error(400, "At most 1 image(s) may be provided in one prompt."),
    error(500, "image input is not supported - hint: you may need to provide the mmproj"),
]


@pytest.mark.parametrize("reply", REFUSALS)
def test_a_server_that_takes_no_pictures_is_told_at_once_and_without_the_key(reply: Reply) -> None:
    with ChatServer(reply) as server, model(server, Store(PNG)) as seeing:
        with pytest.raises(CapabilityMissing, match=r"pictures \(it has 1\).*pictures = false") as caught:
            seeing.run(CHOICE_ANSWER, question("<img>"), [reference(PNG)])
        assert len(server.requests) == 1
        assert seeing.tally.events["pictures_refused"] == 1
    assert KEY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("This model's maximum context length is 4096 tokens.", "context_too_long"),
        ("Failed to load image: cannot identify image file", "picture_refused"),
        ("Image is too large: 9000 pixels", "picture_refused"),
        ("Unknown parameter: seed", "bad_request"),
    ],
)
def test_other_objections_reject_the_one_question(said: str, reason: str) -> None:
    with (
        ChatServer(error(400, f"{said} ({KEY})")) as server,
        model(server, Store(PNG)) as seeing,
        pytest.raises(GenerationRejected) as caught,
    ):
        seeing.run(CHOICE_ANSWER, question("<img>"), [reference(PNG)])
    assert caught.value.reason == reason
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_a_question_without_pictures_is_never_told_about_them() -> None:
    with (
        ChatServer(error(400, "no image support here")) as server,
        model(server, Store(PNG)) as seeing,
        pytest.raises(GenerationRejected),
    ):
        seeing.run(CHOICE_ANSWER, question("Hello."))


def test_a_file_that_no_server_takes_is_named_before_anything_is_sent() -> None:
    strange = b"BM bitmap"
    with ChatServer(answer(GOOD)) as server, model(server, Store(strange)) as seeing:
        with pytest.raises(UnknownPictureFormat, match=reference(strange).content_hash):
            seeing.run(CHOICE_ANSWER, question("<img>"), [reference(strange)])
        assert server.requests == []


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (JPEG, "image/jpeg"),
        (WEBP, "image/webp"),
        (GIF, "image/gif"),
        (b"", ""),
        (b"RIFFxxxxWAVE", ""),
    ],
)
def test_the_type_of_a_file_is_told_by_its_first_bytes(data: bytes, kind: str) -> None:
    assert media_type(data) == kind
