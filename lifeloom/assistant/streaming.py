"""Passing an answer on while a model still writes: of its words, only those of the answer."""

from __future__ import annotations

import re

from lifeloom.models.protocol import TextListener

__all__ = ["AnswerFilter", "Both"]

_TAG = re.compile(r"<[ \t]{0,4}(/?)[ \t]{0,4}(think|answer|retrieve)[ \t]{0,4}>", re.IGNORECASE)
_TAG_BEGUN = re.compile(r"<[ \t]{0,4}/?[ \t]{0,4}[a-z]{0,8}[ \t]{0,4}$", re.IGNORECASE)


class AnswerFilter:
    """A ``TextListener`` that passes on what stands inside ``<answer>``, as it comes, without tags.

    It goes the way that ``parse_step`` goes, as far as can be known before the end. ``settle`` makes good what could
    not: what the listener heard since its last restart is then exactly the answer.

    Args:
        listener: Hears the answer.
    """

    def __init__(self, listener: TextListener) -> None:
        self._listener = listener
        self._told = ""
        self._begin()

    def _begin(self) -> None:
        self._pending = ""
        self._state = "start"
        self._depth = 0
        self._blanks = ""

    def next_step(self) -> None:
        """Another step begins."""
        self.restart()

    def piece(self, text: str) -> None:
        """Take the next words of the model."""
        self._pending += text
        while True:
            match = _TAG.search(self._pending)
            if match is None:
                break
            self._pass_on(self._pending[: match.start()])
            self._pending = self._pending[match.end() :]
            self._enter(match[2].lower(), bool(match[1]))
        begun = _TAG_BEGUN.search(self._pending, max(0, self._pending.rfind("<")))
        sure = len(self._pending) if begun is None else begun.start()
        self._pass_on(self._pending[:sure])
        self._pending = self._pending[sure:]

    def restart(self) -> None:
        """The model begins its answer anew."""
        self._begin()
        self._take_back()

    def settle(self, answer: str) -> None:
        """The reply is known: let the listener hear exactly ``answer``."""
        if not answer.startswith(self._told):
            self._take_back()
        rest = answer[len(self._told) :]
        if rest:
            self._told = answer
            self._listener.piece(rest)

    def _take_back(self) -> None:
        if self._told:
            self._told = ""
            self._listener.restart()

    def _enter(self, name: str, closing: bool) -> None:
        if self._state == "start":
            self._state = "thought" if name == "think" and not closing else "between"
        elif self._state == "thought" and name == "think" and closing:
            self._state = "between"
            return
        if self._state == "between" and not closing and name != "think":
            self._state, self._depth = name, 1
        elif self._state == name:
            self._depth += -1 if closing else 1
            if self._depth == 0:
                self._state = "done"

    def _pass_on(self, text: str) -> None:
        if self._state != "answer":
            return
        text = self._blanks + text if self._told else text.lstrip()
        words = text.rstrip()
        self._blanks = text[len(words) :]  # blanks at the end belong to the answer only if words follow
        if words:
            self._told += words
            self._listener.piece(words)


class Both:
    """A ``TextListener`` that passes everything on to two."""

    def __init__(self, first: TextListener, second: TextListener) -> None:
        self._listeners = (first, second)

    def piece(self, text: str) -> None:
        """Take the next piece."""
        for listener in self._listeners:
            listener.piece(text)

    def restart(self) -> None:
        """Begin anew."""
        for listener in self._listeners:
            listener.restart()
