"""What a server's words mean: too long, no pictures, a broken picture, a refused key, or something else."""

from __future__ import annotations

import json
import time

import pytest

from lifeloom.models.calls.objections import ServerError, objection_kind, refuses_key, server_error

TOO_LONG = [
    "This model's maximum context length is 4096 tokens. However, your messages with 3 images resulted in 5000 tokens.",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096. For image inputs, the number of "
    "image tokens depends on the number of images.",
    "the request exceeds the available context size, try increasing it",
    "Input length (5000 tokens) exceeds the maximum allowed length (4096 tokens).",
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "prompt is too long: 200251 tokens > 200000 maximum",
]
NO_PICTURES = [
    "test-model is not a multimodal model None",
    "Invalid content type. image_url is only supported by certain models.",
    "messages[1]: unknown variant `image_url`, expected `text`",
    "At most 1 image(s) may be provided in one prompt.",
    "image input is not supported - hint: you may need to provide the mmproj",
    "Too many images: 20 exceeds the maximum of 10",
    "This model does not support image input",
    "The number of images (9) exceeds the limit",
    "messages.1.content: Input should be a valid string",
    "Model foo does not have vision capabilities",
    "no image support here",
    "Multi-modal inputs are unsupported",
]
ONE_PICTURE = [
    "Failed to load image: cannot identify image file",
    "Image is too large: 9000 pixels",
    "Unsupported image format",
    "You uploaded an unsupported image. Please make sure your image has one of the following formats: png, gif",
    "The image data you provided does not represent a valid image.",
    "Invalid base64 image_url.",
    "Only PNG images are supported",
    "Unable to process input image. Please retry",
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum",
]
OTHER = [
    "Unknown parameter: seed",
    "Invalid value 'developer' for the role, in a message that speaks of an image of the world",
    "max_tokens is too large: 5000. This model supports at most 4096 completion tokens",
]


@pytest.mark.parametrize("said", TOO_LONG)
@pytest.mark.parametrize("pictures", [False, True])
def test_a_prompt_that_is_too_long_is_told_by_the_words_of_many_servers(said: str, pictures: bool) -> None:
    assert objection_kind(ServerError(said), pictures=pictures) == "context_too_long"


def test_a_prompt_that_is_too_long_is_told_by_the_code_alone() -> None:
    assert objection_kind(ServerError("no", "context_length_exceeded"), pictures=False) == "context_too_long"


@pytest.mark.parametrize("said", NO_PICTURES)
def test_a_model_that_takes_no_pictures_or_not_as_many_is_told_apart(said: str) -> None:
    assert objection_kind(ServerError(said), pictures=True) == "pictures"


@pytest.mark.parametrize("said", ONE_PICTURE)
def test_an_objection_to_one_picture_is_none_to_pictures(said: str) -> None:
    assert objection_kind(ServerError(said), pictures=True) == "picture"


@pytest.mark.parametrize("said", OTHER)
def test_a_sentence_that_only_mentions_a_picture_is_about_something_else(said: str) -> None:
    assert objection_kind(ServerError(said), pictures=True) == "other"


@pytest.mark.parametrize("said", [*NO_PICTURES, *ONE_PICTURE, *OTHER])
def test_a_question_without_pictures_is_never_refused_for_them(said: str) -> None:
    assert objection_kind(ServerError(said), pictures=False) == "other"


@pytest.mark.parametrize(
    ("status", "error", "expected"),
    [
        (401, ServerError("image input is not supported"), "key"),
        (403, ServerError("maximum context length"), "key"),
        (402, ServerError("pay"), "quota"),
        (429, ServerError("You exceeded your current quota", "insufficient_quota"), "quota"),
        (429, ServerError("slow down", type="insufficient_quota"), "quota"),
        (400, ServerError("API key not valid. Please pass a valid API key."), "key"),
        (400, ServerError("response_format: Incorrect API key provided: sk-1"), "key"),
        (400, ServerError("x", "invalid_api_key"), "key"),
        (429, ServerError("Rate limit reached", "rate_limit_exceeded"), ""),
        (400, ServerError("Unknown parameter: seed", "unknown_parameter"), ""),
        (500, ServerError("out of memory"), ""),
    ],
)
def test_what_is_about_a_key_or_money_is_never_taken_for_something_else(
    status: int, error: ServerError, expected: str
) -> None:
    assert refuses_key(status, error) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            {"error": {"message": "m", "code": "c", "type": "t", "param": "p"}},
            ServerError("m", "c", "t", "p"),
        ),
        ({"error": {"message": "m", "code": 400, "param": None}}, ServerError("m", "400")),
        ({"error": "m"}, ServerError("m")),
        ({"detail": "m"}, ServerError("m")),
        ({"object": "error", "message": "m", "type": "BadRequestError"}, ServerError("m", type="BadRequestError")),
        ([{"error": {"code": 400, "message": "m", "status": "INVALID_ARGUMENT"}}], ServerError("m", "400")),
        ([], ServerError("[]")),
        (7, ServerError("7")),
    ],
)
def test_an_error_is_read_in_the_forms_of_many_servers(body: object, expected: ServerError) -> None:
    assert server_error(json.dumps(body).encode()) == expected


@pytest.mark.parametrize("body", [b"", b"<html>Bad Gateway</html>", b"\xff\xfe", b"[" * 100_000])
def test_an_error_in_no_form_is_shown_as_it_is(body: bytes) -> None:
    assert server_error(body) == ServerError(body.decode("utf-8", "replace"))


@pytest.mark.parametrize("pictures", [False, True])
@pytest.mark.parametrize(
    "unit",
    ["exceed", "prompt a ", "token", "image !", "image a ", "not support", "content ", "cannot read ", "at most 1"],
)
def test_a_long_message_takes_no_longer_than_a_short_one(unit: str, pictures: bool) -> None:
    began = time.thread_time()
    error = ServerError(unit * 200_000)  # read to its end by a quadratic pattern, it takes hours
    objection_kind(error, pictures=pictures)
    refuses_key(400, error)
    assert time.thread_time() - began < 2


def test_what_stands_behind_the_beginning_of_a_message_decides_nothing() -> None:
    far = ServerError("The request was: " + "x" * 5_000 + " maximum context length, invalid api key")
    assert objection_kind(far, pictures=False) == "other"
    assert refuses_key(400, far) == ""
    assert objection_kind(ServerError("maximum context length. " + "x" * 5_000), pictures=False) == "context_too_long"
