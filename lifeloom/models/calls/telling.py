"""An answer passed on while it is given: what reaches the listener, joined, is the answer, whatever the weather."""

from __future__ import annotations

from collections.abc import Callable

from lifeloom.models.calls.decoding import answer_text
from lifeloom.models.calls.keys import Key
from lifeloom.models.protocol import TextListener

__all__ = ["KeylessPieces", "ListenerFailed", "Telling"]

_THINKING_BEGINS = "<think>"


class ListenerFailed(Exception):
    """A listener raised while it was told an answer: nothing is wrong with the call, so it is not made again.

    Attributes:
        error: What the listener raised.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(repr(error))
        self.error = error


class Telling:
    """Tells a listener the words of an answer, as the decoder will take them, while they come in.

    A ``TextListener`` itself, to which a wire passes what it hears: blanks around the answer and thoughts before it
    are kept back, and what turns out to be no part of the answer is taken back by a restart.

    Args:
        listener: Told the answer.
        keeps_thoughts: As the task has it.
    """

    def __init__(self, listener: TextListener, *, keeps_thoughts: bool = False) -> None:
        self._listener = listener
        self._keeps_thoughts = keeps_thoughts
        self._heard = ""
        self._told = ""

    def piece(self, text: str) -> None:
        """Take what came in."""
        self._heard += text
        self._tell(self._so_far())

    def restart(self) -> None:
        """Another attempt begins, or the same answer from the start."""
        self._heard = ""
        if self._told:
            self._told = ""
            _undisturbed(self._listener.restart)

    def finish(self, answer: str) -> None:
        """Tell the rest of ``answer``; all of it, anew, where something else was told."""
        self._tell(answer)
        if self._told != answer:
            self.restart()
            self._tell(answer)

    def _tell(self, answer: str) -> None:
        if not answer.startswith(self._told):
            if self._told.startswith(answer):
                return  # an end that may yet go on
            heard = self._heard
            self.restart()
            self._heard = heard
        new = answer[len(self._told) :]
        if new:
            self._told = answer
            _undisturbed(lambda: self._listener.piece(new))

    def _so_far(self) -> str:
        begun = self._heard.lstrip()
        if not self._keeps_thoughts and answer_text(begun) == begun.strip():
            thinks = begun.startswith(_THINKING_BEGINS) or _THINKING_BEGINS.startswith(begun)
            return "" if thinks else begun.rstrip()
        return answer_text(begun, keeps_thoughts=self._keeps_thoughts)


class KeylessPieces:
    """Passes pieces of an answer on without the key: by whole words, since a key may stand in one.

    A key in base64 or hexadecimal with breaks in it is found in the whole answer only; the listener is then told the
    answer anew.

    Args:
        key: Blotted out.
        listener: Told the words. The last one is left to ``Telling.finish``.
    """

    def __init__(self, key: Key, listener: TextListener) -> None:
        self._key = key
        self._listener = listener
        self._held = ""

    def piece(self, text: str) -> None:
        """Take what came in."""
        if not self._key.is_hidden:
            self._listener.piece(text)
            return
        held = self._held + text
        end = len(held)
        while end and held[end - 1].isascii() and not held[end - 1].isspace():
            end -= 1
        self._held = held[end:]
        if end:
            self._listener.piece(self._key.blotted(held[:end]))


def _undisturbed(tell: Callable[[], None]) -> None:
    """Call a listener; what it raises must not be taken for an error of the connection it is called from."""
    try:
        tell()
    except Exception as error:
        raise ListenerFailed(error) from error
