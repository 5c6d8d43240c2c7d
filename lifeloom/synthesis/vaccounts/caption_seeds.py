"""Captions as seeds of lives: concept seeds of one clear subject, event seeds by account and day (Section 3.2)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass

from lifeloom.records import CaptionSeed, make_id
from lifeloom.synthesis.planning.occasions import speaks_of_the_photo

__all__ = ["CaptionSplit", "EventSeed", "split_captions"]

_SUBJECT = re.compile(
    r"\b(?:man|woman|boy|girl|lady|gentleman|grandmother|grandfather|mother|father|aunt|uncle|sister|brother|daughter|son"
    r"|baby|child|teacher|fisherman|farmer|baker|singer|musician|dog|puppy|cat|kitten|horse|pony|cow|sheep|goat|parrot"
    r"|rabbit|hen|rooster|duck|owl)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:and|we|us|our|all|everybody|everyone|both|together|they|crowd|family|people)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class EventSeed:
    """Captions of one account and one day."""

    seed_id: str
    account_id: str
    day: dt.date
    captions: tuple[CaptionSeed, ...]


@dataclass(frozen=True)
class CaptionSplit:
    """Captions by what they serve as; every caption is in exactly one of the three."""

    concepts: tuple[CaptionSeed, ...]
    events: tuple[EventSeed, ...]
    left_out: tuple[tuple[CaptionSeed, str], ...]
    """With the reason: ``speaks_of_the_photo``, ``no_date``."""


def split_captions(captions: Iterable[CaptionSeed]) -> CaptionSplit:
    """Split captions: those of one clear subject are concept seeds, the others are grouped by account and day.

    One clear subject: a single person or animal is named, and nothing speaks of several. The order of the result is
    that of ids, whatever the order given.
    """
    concepts: list[CaptionSeed] = []
    days: dict[tuple[str, dt.date], list[CaptionSeed]] = {}
    left_out: list[tuple[CaptionSeed, str]] = []
    for caption in sorted(captions, key=lambda one: one.caption_id):
        if speaks_of_the_photo(caption.caption):
            left_out.append((caption, "speaks_of_the_photo"))
        elif _has_one_subject(caption.caption):
            concepts.append(caption)
        elif caption.taken_at is None:
            left_out.append((caption, "no_date"))
        else:
            days.setdefault((caption.account_id, caption.taken_at.date()), []).append(caption)
    events = tuple(
        EventSeed(make_id("event", account, day.isoformat()), account, day, tuple(own))
        for (account, day), own in sorted(days.items())
    )
    return CaptionSplit(tuple(concepts), events, tuple(left_out))


def _has_one_subject(caption: str) -> bool:
    subjects = {match[0].lower() for match in _SUBJECT.finditer(caption)}
    return len(subjects) == 1 and not _SEVERAL.search(caption)
