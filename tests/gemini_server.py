"""A real HTTP server on loopback that speaks the generateContent protocol and follows a script."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from tests.servers import ChatServer, Reply, body, event, streamed

__all__ = [
    "GeminiServer",
    "blocked",
    "gemini_answer",
    "gemini_error",
    "gemini_picture",
    "gemini_stream",
    "quota_details",
]


class GeminiServer(ChatServer):
    """A ``ChatServer`` at the addresses of the Gemini API: ``/v1beta/models/NAME:generateContent``."""

    @property
    def base_url(self) -> str:
        return super().base_url.removesuffix("/v1")


def gemini_answer(
    content: str | None,
    *,
    finish_reason: str = "STOP",
    finish_message: str | None = None,
    thoughts: str = "",
    usage: tuple[int, int, int] | None = (100, 10, 0),
    logprobs: Any = None,
) -> Reply:
    """A response with one candidate; ``usage`` is prompt, candidate and thought tokens."""
    parts = [{"text": thoughts, "thought": True}] if thoughts else []
    if content is not None:
        parts.append({"text": content})
    candidate: dict[str, Any] = {"finishReason": finish_reason, "index": 0}
    if parts:
        candidate["content"] = {"parts": parts, "role": "model"}
    if finish_message is not None:
        candidate["finishMessage"] = finish_message
    if logprobs is not None:
        candidate["logprobsResult"] = logprobs
    return _response({"candidates": [candidate]}, usage)


def gemini_stream(
    *pieces: str,
    finish_reason: str | None = "STOP",
    thoughts: str = "",
    usage: tuple[int, int, int] | None = (100, 10, 0),
    then: Sequence[bytes] = (),
    manner: str = "chunks",
    heard: threading.Event | None = None,
) -> Reply:
    """A response in pieces; why it ended and the usage come with the last one, and ``then`` after it."""
    parts = [*([{"text": thoughts, "thought": True}] if thoughts else []), *({"text": piece} for piece in pieces)]
    answers: list[dict[str, Any]] = [
        {"candidates": [{"content": {"parts": [part], "role": "model"}, "index": 0}]} for part in parts
    ] or [{"candidates": [{"index": 0}]}]
    if finish_reason is not None:
        answers[-1]["candidates"][0]["finishReason"] = finish_reason
    bodies = [_response(one, usage if one is answers[-1] else None).body for one in answers]
    chunks = [event(data.decode()) for data in bodies]
    return streamed(*chunks, *then, manner=manner, heard=heard)


def gemini_picture(
    *files: tuple[str, bytes], text: str = "", finish_reason: str = "STOP", usage: tuple[int, int, int] | None = None
) -> Reply:
    """A response with pictures: their MIME types and files."""
    parts: list[dict[str, Any]] = [{"text": text}] if text else []
    for kind, data in files:
        parts.append({"inlineData": {"mimeType": kind, "data": base64.b64encode(data).decode()}})
    candidate = {"content": {"parts": parts, "role": "model"}, "finishReason": finish_reason, "index": 0}
    return _response({"candidates": [candidate]}, usage)


def blocked(reason: str, usage: tuple[int, int, int] | None = (100, 0, 0)) -> Reply:
    """A response without candidates, since the prompt was blocked."""
    return _response({"promptFeedback": {"blockReason": reason}}, usage)


def gemini_error(
    status: int,
    message: str = "something went wrong",
    *,
    word: str = "",
    details: Sequence[Mapping[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """An error as Google's servers word it; ``word`` is its status in words."""
    error: dict[str, Any] = {"code": status, "message": message, "status": word}
    if details:
        error["details"] = list(details)
    data = json.dumps({"error": error}).encode()
    return Reply(status=status, body=data, headers={"Content-Type": "application/json", **(headers or {})})


def quota_details(*quota_ids: str, retry_delay: str = "") -> list[dict[str, Any]]:
    """Details of a 429: which quotas, and how long to wait."""
    violations = [
        {"quotaMetric": "generativelanguage.googleapis.com/generate_content_requests", "quotaId": quota_id}
        for quota_id in quota_ids
    ]
    details: list[dict[str, Any]] = [{"@type": "type.googleapis.com/google.rpc.Help", "links": [{"url": "https://x"}]}]
    if violations:
        details.append({"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": violations})
    if retry_delay:
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": retry_delay})
    return details


def _response(content: dict[str, Any], usage: tuple[int, int, int] | None) -> Reply:
    content |= {"modelVersion": "gemini-test", "responseId": "r1"}
    if usage is not None:
        prompt, candidates, thoughts = usage
        counts: dict[str, Any] = {"promptTokenCount": prompt, "totalTokenCount": sum(usage)}
        if candidates:
            counts["candidatesTokenCount"] = candidates
        if thoughts:
            counts["thoughtsTokenCount"] = thoughts
        content["usageMetadata"] = counts
    return body(json.dumps(content).encode())
