"""The text of an answer while its tokens come: only what no later token can change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["TokenPieces"]

_BROKEN = "\ufffd"


class TokenPieces:
    """Turns tokens into pieces of text.

    Held back are characters of which a token has only some bytes, what may be the beginning of a stop, and, while the
    model thinks by itself, everything.

    Args:
        decode: From tokens to text.
        stops: Texts at which the answer ends.
        thinking_ends: The text at which the answer begins; empty: at once.
    """

    def __init__(self, decode: Callable[[Sequence[int]], str], stops: Sequence[str], thinking_ends: str = "") -> None:
        self._decode = decode
        self._stops = tuple(stops)
        self._thinking_ends = thinking_ends
        self._before: list[int] = []
        """Tokens whose text is out: what the next one reads like depends on them."""
        self._new: list[int] = []
        self._held = ""

    def add(self, token: int) -> str:
        """Return the text that ``token`` completes; may be empty."""
        self._new.append(token)
        told = self._decode(self._before)
        text = self._decode([*self._before, *self._new])
        if text.endswith(_BROKEN) or len(text) <= len(told):
            return ""
        self._before, self._new = self._new, []
        return self._released(text[len(told) :])

    def _released(self, text: str) -> str:
        self._held += text
        if self._thinking_ends:
            _, end, after = self._held.rpartition(self._thinking_ends)
            if not end:
                return ""
            self._held, self._thinking_ends = after, ""
        places = [place for stop in self._stops if (place := self._held.find(stop)) >= 0]
        if places:
            end_of_answer = min(places)
        else:
            end_of_answer = len(self._held) - max((_overlap(self._held, stop) for stop in self._stops), default=0)
        piece, self._held = self._held[:end_of_answer], self._held[end_of_answer:]
        return piece


def _overlap(text: str, stop: str) -> int:
    """Return how many letters at the end of ``text`` are the beginning of ``stop``."""
    return next((size for size in range(min(len(text), len(stop) - 1), 0, -1) if text.endswith(stop[:size])), 0)
