"""Server-sent events as bytes come in, in time that grows with their number and no faster.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html, Section 9.2.6, of which models use the data.
"""

from __future__ import annotations

import re

__all__ = ["EventReader"]

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\n|\r")


class EventReader:
    """Gives the data of events as soon as they are complete."""

    def __init__(self) -> None:
        self._line: list[bytes] = []
        """Parts of the line that has not ended yet."""
        self._after_return = False
        self._first = True
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[str]:
        """Return the data of the events that ``chunk`` completes; lines of one event are joined by line breaks."""
        events: list[str] = []
        rest = chunk[1:] if self._after_return and chunk.startswith(b"\n") else chunk
        if chunk:
            self._after_return = chunk.endswith(b"\r")
        *lines, last = _LINE_END.split(rest)
        for line in lines:
            self._take(b"".join([*self._line, line]), events)
            self._line = []
        self._line.append(last)
        return events

    def end(self) -> list[str]:
        """Return the data of an event that the end of the stream, in place of an empty line, has completed."""
        events: list[str] = []
        self._take(b"".join(self._line), events)
        self._line = []
        self._take(b"", events)
        return events

    def _take(self, line: bytes, events: list[str]) -> None:
        if self._first:
            line = line.removeprefix(_BOM)
            self._first = False
        if not line:
            if self._data:
                events.append("\n".join(self._data))
                self._data = []
            return
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" ").decode("utf-8", "replace"))
