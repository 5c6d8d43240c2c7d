"""How turns are shown to a model: times on the user's clock, and marks for the pictures that go beside the prompt."""

from __future__ import annotations

import datetime as dt

from lifeloom.memory import DialogueTurn
from lifeloom.records import PictureReference, local_time
from lifeloom.tasks import ContextMessage
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["clock_text", "marked", "messages_of", "shown_user", "storable", "weekday_text"]

_NO_PICTURE = "< img>"  # nobody takes it for a mark
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def clock_text(at: dt.datetime, offset_minutes: int) -> str:
    """Return ``YYYY-MM-DD HH:MM`` on the user's clock."""
    return _on_clock(at, offset_minutes).isoformat(" ", "minutes")


def weekday_text(at: dt.datetime, offset_minutes: int) -> str:
    """Return the English name of the day on the user's clock."""
    return _WEEKDAYS[_on_clock(at, offset_minutes).weekday()]


def marked(text: str, pictures: int) -> str:
    """Return ``text`` with its first ``pictures`` marks; further ones are written so that nobody takes them for one."""
    parts = text.split(PICTURE_MARK)
    shown = PICTURE_MARK.join(parts[: pictures + 1])
    return shown if len(parts) <= pictures + 1 else _NO_PICTURE.join([shown, *parts[pictures + 1 :]])


def shown_user(turn: DialogueTurn, *, pictures: bool) -> tuple[str, tuple[PictureReference, ...]]:
    """Return what the user said, and the pictures of its marks, in order; none of them where ``pictures`` is False."""
    shown = turn.pictures[: turn.user.count(PICTURE_MARK)] if pictures else ()
    return marked(turn.user, len(shown)), shown


def messages_of(turns: tuple[DialogueTurn, ...]) -> tuple[ContextMessage, ...]:
    """Return the messages of ``turns``, without pictures: the user's, and the assistant's where it answered."""
    messages = []
    for turn in turns:
        at = clock_text(turn.at, turn.offset_minutes)
        messages.append(ContextMessage(at=at, role="user", text=marked(turn.user, 0)))
        if turn.assistant:
            messages.append(ContextMessage(at=at, role="assistant", text=marked(turn.assistant, 0)))
    return tuple(messages)


def storable(text: str) -> str:
    """Return a model's ``text`` as a file can hold it: halves of surrogate pairs, as broken JSON has them, replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _on_clock(at: dt.datetime, offset_minutes: int) -> dt.datetime:
    try:
        return local_time(at, offset_minutes)
    except OverflowError:  # within a day of the first or last moment there is
        return at.astimezone(dt.UTC).replace(tzinfo=None)
