"""What a server's error says, by its code and its words: servers word the same thing in many ways."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["ObjectionKind", "ServerError", "objection_kind", "opening", "refuses_key", "server_error"]

ObjectionKind = Literal["context_too_long", "pictures", "picture", "other"]

_LETTERS_READ = 2_000

_KEY_CODES = {
    *("invalid_api_key", "invalid_authentication", "authentication_error", "authentication_failed"),
    *("account_deactivated", "permission_denied", "unauthenticated"),
}
_KEY_WORDS = re.compile(
    r"(?:invalid|incorrect|missing|wrong|no|expired) api[- ]?key|api[- ]?key (?:is |was )?(?:not valid|invalid|missing|"
    r"required|expired|not found|not provided)|pass a valid api key",
    re.IGNORECASE,
)
_QUOTA_CODES = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"}

_TOO_LONG = re.compile(
    r"context.{0,12}(?:length|window|size)|maximum (?:context|prompt|input|model) length|"
    r"(?:prompt|inputs?|messages?|request)(?: \w{1,30}){0,4} too long|prompt(?: \w{1,30}){0,4} too large|"
    r"too many tokens|exceed\w{0,9} .{0,60}tokens|token.{0,20} limit|less than .{0,12}tokens|tokens.{0,24} must be <=",
    re.IGNORECASE,
)
_GAP = r"\W{1,8}"  # between two words
_PICTURE = r"(?:images?|image url|pictures?|vision|visual|multi-?modal)"
_TOO_MANY = re.compile(
    rf"(?:at most|up to|maximum of|more than|only) (?:\d{{1,9}}|one) {_PICTURE}|too many {_PICTURE}|"
    rf"(?:number|count) of {_PICTURE}",
    re.IGNORECASE,
)
_ONE_PICTURE = re.compile(
    rf"(?:could not|cannot|can't|unable to|failed to|error)(?: be)? (?:load|decod|download|fetch|pars|process|read|"
    rf"identif|open)\w{{0,9}}.{{0,30}}{_PICTURE}|"
    rf"{_PICTURE}.{{0,40}}(?:too (?:large|small|big|long)|larger|bigger|smaller|"
    rf"exceed|dimension|resolution|corrupt|truncat|not valid|invalid|broken|could not be|cannot be|bytes|pixels|aspect|"
    rf"does not represent)|(?:invalid|corrupt\w{{0,9}}|broken|unsupported) (?:{_PICTURE}|base64)|"
    rf"{_PICTURE}.{{0,20}} (?:format|type|mime)|mime type|\b(?:png|jpe?g|webp|gif)\b",
    re.IGNORECASE,
)
_NO_PICTURES = re.compile(
    rf"not (?:a )?(?:multi-?modal|vision)|text[- ]only|mmproj|unknown variant .{{0,3}}image|"
    rf"no {_PICTURE}.{{0,12}}support|"
    rf"{_PICTURE}(?:{_GAP}\w{{1,30}}){{0,6}}?{_GAP}(?:not|only|un)\W{{0,4}}(?:support|available|enabled|allowed|accept)|"
    rf"(?:not|n't|cannot) (?:support|accept|take|handle|process|have|see)\w{{0,9}}"
    rf"(?:{_GAP}\w{{1,30}}){{0,5}}?{_GAP}{_PICTURE}|"
    rf"content\W.{{0,40}}(?:must|should) be a (?:valid )?string",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ServerError:
    """An error as a server words it; fields that it does not give are empty."""

    message: str
    """The body itself where the server words it in a way of its own."""
    code: str = ""
    """For example ``context_length_exceeded``."""
    type: str = ""
    parameter: str = ""
    """What it objects to, for example ``temperature``."""


def server_error(body: bytes) -> ServerError:
    """Return the error in the body of a reply other than 200."""
    text = body.decode("utf-8", "replace")
    found: Any = None
    with contextlib.suppress(ValueError, RecursionError):  # then the text itself is shown
        found = json.loads(text)
    if isinstance(found, list) and found:  # Google's servers
        found = found[0]
    if isinstance(found, dict):
        found = found.get("error", found)
    if isinstance(found, str):
        found = {"message": found}
    if not isinstance(found, dict):
        return ServerError(text)

    def given(name: str) -> str:
        value = found.get(name)
        return "" if value is None else str(value)

    message = found.get("message") or found.get("detail") or text
    return ServerError(str(message), given("code"), given("type"), given("param"))


def opening(message: str) -> str:
    """Return as much of a message as is read for its meaning: a server may send megabytes."""
    return message[:_LETTERS_READ]


def refuses_key(status: int, error: ServerError) -> Literal["key", "quota", ""]:
    """Return whether a reply is about the key or about money, whatever else its words touch; empty when neither.

    Args:
        status: Of the reply.
        error: In its body.
    """
    names = {error.code.lower(), error.type.lower()}
    if status == 402 or names & _QUOTA_CODES:
        return "quota"
    wrong = status in {400, 422} and _KEY_WORDS.search(opening(error.message)) is not None
    return "key" if status in {401, 403} or names & _KEY_CODES or wrong else ""


def objection_kind(error: ServerError, *, pictures: bool) -> ObjectionKind:
    """Return what a server objects to in a request that it finds wrong.

    "is not a multimodal model", "image_url is only supported by certain models", "unknown variant `image_url`,
    expected `text`", "At most 1 image(s) may be provided" say that a model takes no pictures, or not as many; an error
    about one picture's data or size is another matter, and so is a sentence that only mentions pictures.

    Args:
        error: What the server said.
        pictures: Whether the request has any.
    """
    said = opening(error.message).replace("_", " ").replace("(s)", "s")
    if error.code == "context_length_exceeded" or _TOO_LONG.search(said):
        return "context_too_long"
    if not pictures:
        return "other"
    if _ONE_PICTURE.search(said) and not _TOO_MANY.search(said):
        return "picture"
    return "pictures" if _TOO_MANY.search(said) or _NO_PICTURES.search(said) else "other"
