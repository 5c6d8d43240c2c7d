"""What an error of the generateContent protocol means: a key, a quota, weather, or the request itself.

The words and reasons are those of https://ai.google.dev/gemini-api/docs/troubleshooting and of
https://cloud.google.com/apis/design/errors (``google.rpc.Status`` with its details).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from lifeloom.models.calls.http import HttpReply
from lifeloom.models.calls.objections import ServerError, objection_kind, opening
from lifeloom.models.calls.retries import TransientFailure
from lifeloom.models.calls.wire import BadRequest

__all__ = ["Trouble", "error_code", "read_trouble"]


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="ignore")


class _Violation(_Part):
    quota_id: str = ""
    quota_value: str = ""


class _Detail(_Part):
    reason: str = ""
    retry_delay: str = ""
    violations: list[_Violation] = Field(default_factory=list)


class _Error(_Part):
    message: str = ""
    status: str = ""
    details: list[_Detail] = Field(default_factory=list)


Kind = Literal["key", "quota", "missing", "passing", "request"]


@dataclass(frozen=True)
class Trouble:
    """An error as it was read."""

    status: int
    """HTTP status."""
    kind: Kind
    """``key``: missing, refused or not allowed here; ``quota``: used up for longer than waiting is worth; ``missing``:
    no such model or path; ``passing``: worth another attempt; ``request``: wrong as it is."""
    message: str
    """The server's words."""
    retry_after: float | None
    """Seconds that it asks to wait; None when it does not say."""

    def as_transient(self, said: str) -> TransientFailure:
        """Return it as weather. ``said``: the message, fit to be shown."""
        return TransientFailure(f"http_{self.status}", said, self.retry_after)

    def as_bad_request(self, said: str, *, pictures: bool) -> BadRequest:
        """Return it as a wrong request.

        Args:
            said: The message, fit to be shown.
            pictures: Whether the request has any.
        """
        kind = objection_kind(ServerError(self.message), pictures=pictures)
        if kind == "other" and (self.status == 413 or _TOO_LARGE.search(opening(self.message))):
            kind = "picture" if pictures else "context_too_long"
        return BadRequest(said, kind)


_KEY_REASONS = {"API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_SERVICE_BLOCKED", "SERVICE_DISABLED"}
_ABOUT_KEY = re.compile(r"api[ _]key (?:not (?:valid|found)|expired|invalid)|valid api key", re.IGNORECASE)
_NOT_HERE = re.compile(r"location is not supported", re.IGNORECASE)
_NO_SUCH_NAME = re.compile(r"unexpected model name", re.IGNORECASE)
_SPENT = re.compile(
    r"billing (?:account|details|is)|enable billing|credits? (?:are|is|balance)|prepa(?:id|yment)|spend(?:ing)? cap|"
    r"limit: 0\b",
    re.IGNORECASE,
)
_NOTHING_ALLOWED = re.compile(r"limit: 0\b", re.IGNORECASE)
_A_DAY = re.compile(r"per_?(?:day|month)", re.IGNORECASE)
_TRY_AGAIN = re.compile(r"retry in (\d+(?:\.\d+)?) ?(ms|s)\b", re.IGNORECASE)
_DURATION = re.compile(r"(\d+(?:\.\d+)?)s")
_PASSING = {408, 409, 425, 429, 499}  # and every 5xx

_TOO_LARGE = re.compile(r"payload size exceeds|request (?:is )?too large", re.IGNORECASE)


def error_code(data: str) -> int:
    """Return the status of the error that an event of a stream is; 0 where it is none."""
    if '"error"' not in data:
        return 0
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return 0
    error = told.get("error") if isinstance(told, dict) else None
    if not error:
        return 0
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 500


def read_trouble(reply: HttpReply) -> Trouble:
    """Return what a reply other than 200 means."""
    error = _read(reply.body)
    status, message = reply.status, error.message
    reasons = {detail.reason for detail in error.details}
    asked = [seconds for detail in error.details if (seconds := _seconds(detail.retry_delay)) is not None]
    if reply.retry_after is not None:
        asked.append(reply.retry_after)
    if not asked and (found := _TRY_AGAIN.search(opening(message))):
        asked.append(float(found[1]) / (1000 if found[2].lower() == "ms" else 1))
    return Trouble(status, _kind(status, error, reasons, waits=bool(asked)), message, max(asked) if asked else None)


def _kind(status: int, error: _Error, reasons: set[str], *, waits: bool) -> Kind:
    message = opening(error.message)
    if status == 402 or (status == 429 and _is_used_up(error, waits=waits)):
        return "quota"
    if status == 400 and error.status == "FAILED_PRECONDITION" and _SPENT.search(message):
        return "quota"
    if status in {401, 403} or reasons & _KEY_REASONS:
        return "key"
    if status == 400 and (_ABOUT_KEY.search(message) or _NOT_HERE.search(message)):
        return "key"
    if _NO_SUCH_NAME.search(message):
        return "missing"
    if status in _PASSING or status >= 500:
        return "passing"
    return "request" if status in {400, 413, 422} else "missing"


def _is_used_up(error: _Error, *, waits: bool) -> bool:
    """Return whether a 429 will last: a day's or month's quota, one of nothing, or a bill that is not paid.

    The words "check your plan and billing details" stand in messages about a minute's quota too, so they only count
    where the server neither names a quota nor asks to wait.
    """
    message = opening(error.message)
    violations = [violation for detail in error.details for violation in detail.violations]
    if any(_A_DAY.search(opening(one.quota_id)) or one.quota_value == "0" for one in violations):
        return True
    if _NOTHING_ALLOWED.search(message):
        return True
    return not violations and not waits and bool(_SPENT.search(message))


def _seconds(duration: str) -> float | None:
    found = _DURATION.fullmatch(duration)
    return float(found[1]) if found else None


def _read(body: bytes) -> _Error:
    """Return the error in a body; the body's own text where it is worded in another way."""
    text = body.decode("utf-8", "replace")
    try:
        found: Any = json.loads(text)
        if isinstance(found, list) and found:
            found = found[0]
        if isinstance(found, Mapping):
            found = found.get("error", found)
        if isinstance(found, str):
            found = {"message": found}
        error = _Error.model_validate(found)
    except (ValidationError, ValueError, RecursionError):
        return _Error(message=text)  # a proxy's page, say; the status still tells what it is
    return error if error.message else error.model_copy(update={"message": text})
