"""A generateContent response that comes in pieces, as server-sent events."""

from __future__ import annotations

from lifeloom.models.calls.events import EventReader
from lifeloom.models.calls.http import HttpReply
from lifeloom.models.calls.keys import Key
from lifeloom.models.calls.retries import TransientFailure
from lifeloom.models.calls.telling import KeylessPieces
from lifeloom.models.gemini.problems import error_code
from lifeloom.models.gemini.replies import GeminiResponse, joined_responses, read_piece
from lifeloom.models.protocol import TextListener

__all__ = ["GeminiStream"]


class GeminiStream:
    """Reads one streamed response as its bytes come in.

    Args:
        key: Blotted out of what the listener is told.
        listener: Told the words, without the model's thoughts.
    """

    def __init__(self, key: Key, listener: TextListener) -> None:
        self._pieces = KeylessPieces(key, listener)
        self._events = EventReader()
        self._head = b""
        self._is_stream: bool | None = None
        self._responses: list[GeminiResponse] = []

    @property
    def is_stream(self) -> bool:
        """Whether events came; False for a server that answers all at once."""
        return bool(self._is_stream)

    def feed(self, chunk: bytes) -> bool:
        """Take the next bytes of a 200. The protocol has no sign of the end but the end: False.

        Raises:
            TransientFailure: ``bad_body``: an event is nothing of the protocol.
            Unsuccessful: an event is an error; it counts as if it had come in place of the stream.
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
        return False

    def response(self) -> GeminiResponse:
        """Return the response when everything has come in.

        Raises:
            TransientFailure: ``bad_body``: it ended before the answer did.
        """
        for data in self._events.end():
            self._take(data)
        response = joined_responses(self._responses)
        if not response.is_finished:
            raise TransientFailure("bad_body", "the stream ended before the answer was complete")
        return response

    def _take(self, data: str) -> None:
        if not data.strip():  # nothing, to keep the connection
            return
        code = error_code(data)
        if code:
            from lifeloom.models.gemini.transport import Unsuccessful  # here: it needs the SDK's HTTP library

            raise Unsuccessful(HttpReply(code, data.encode("utf-8", "replace"), None))
        response = read_piece(data)
        self._responses.append(response)
        if response.text:
            self._pieces.piece(response.text)
