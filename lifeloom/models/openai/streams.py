"""A chat completion that comes in pieces, as server-sent events."""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ValidationError

from lifeloom.models.calls.events import EventReader
from lifeloom.models.calls.keys import Key
from lifeloom.models.calls.retries import TransientFailure
from lifeloom.models.calls.telling import KeylessPieces
from lifeloom.models.calls.wire import Reply
from lifeloom.models.openai.chat import ReplyText, TokenUsage, UsageTold, fields, reply_of
from lifeloom.models.protocol import TextListener

__all__ = ["ChatStream"]

_END = "[DONE]"


class _Delta(BaseModel):
    content: ReplyText = ""
    refusal: ReplyText = ""


class _Choice(BaseModel):
    index: int = 0
    delta: Annotated[_Delta, BeforeValidator(fields)] = _Delta()
    finish_reason: ReplyText = ""


def _choices(value: object) -> object:
    return [] if value is None else value  # beside the usage some servers send none at all


class _Piece(BaseModel):
    choices: Annotated[list[_Choice], BeforeValidator(_choices)]
    usage: UsageTold = TokenUsage()


class ChatStream:
    """Reads one streamed answer as its bytes come in.

    Args:
        key: Blotted out of what is read.
        listener: Told the words.
    """

    def __init__(self, key: Key, listener: TextListener) -> None:
        self._key = key
        self._pieces = KeylessPieces(key, listener)
        self._events = EventReader()
        self._head = b""
        self._is_stream: bool | None = None
        self._is_over = False
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._finish = ""
        self._usage = TokenUsage()

    @property
    def is_stream(self) -> bool:
        """Whether events came; False for a server that answers all at once."""
        return bool(self._is_stream)

    def feed(self, chunk: bytes) -> bool:
        """Take the next bytes of a 200; return whether the answer is complete.

        Raises:
            TransientFailure: ``bad_body``: an event is an error, or nothing of the protocol.
        """
        if self._is_stream is None:
            self._head += chunk
            start = self._head.removeprefix(b"\xef\xbb\xbf").lstrip()
            if start:
                self._is_stream = start[:1] not in b"{[<"
                chunk, self._head = self._head, b""
        if self._is_stream:
            for data in self._events.feed(chunk):
                self._take(data)
        return self._is_over

    def reply(self) -> Reply:
        """Return the answer when everything has come in.

        Raises:
            TransientFailure: ``bad_body``: it ended before the answer did.
        """
        for data in self._events.end():
            self._take(data)
        if not self._is_over and not self._finish:
            raise TransientFailure("bad_body", "the stream ended before the answer was complete")
        content, refusal = "".join(self._content), "".join(self._refusal)
        return reply_of(content, refusal, self._finish, self._usage, self._key.blotted)

    def _take(self, data: str) -> None:
        if self._is_over or not data.strip():  # nothing, to keep the connection
            return
        if data.strip() == _END:
            self._is_over = True
            return
        problem = "an event of the stream is not JSON"
        try:
            told = json.loads(data)
            problem = "an event of the stream is no piece of a chat completion"
            if isinstance(told, dict) and told.get("error"):
                problem = f"the stream holds an error: {told['error']}"
            piece = _Piece.model_validate(told)
        except (ValidationError, ValueError, RecursionError):
            piece = None
        if piece is None or problem.startswith("the stream holds"):
            # Raised here: what was caught holds the data, and with it perhaps the key.
            raise TransientFailure("bad_body", self._key.blotted(problem)[:300])
        if piece.usage.prompt_tokens is not None or piece.usage.completion_tokens is not None:
            self._usage = piece.usage  # some count along: the last one holds
        for choice in piece.choices:
            if choice.index == 0:
                self._hear(choice)

    def _hear(self, choice: _Choice) -> None:
        self._finish = choice.finish_reason or self._finish
        self._refusal.append(choice.delta.refusal)
        if choice.delta.content:
            self._content.append(choice.delta.content)
            self._pieces.piece(choice.delta.content)
