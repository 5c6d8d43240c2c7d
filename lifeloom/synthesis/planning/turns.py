"""Which turns are personal, and in what way: occasions, portraits, album pictures, statements."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lifeloom.records import CaptionSeed, Occasion
from lifeloom.synthesis.planning.occasions import choose_captions, tell_of
from lifeloom.synthesis.planning.shapes import ConversationShape

__all__ = ["ChosenTurns", "PictureAmounts", "choose_turns", "picture_amounts"]

_MOST_OCCASIONS = 5
"""At most one personal turn without a picture in so many tells of an occasion."""
_FEWEST_WORDED = 6
"""Personal turns that pictures leave to words: four introductions and a constellation, two statements a turn."""
_STATEMENTS_FROM = 8
"""Pictures from which on half of them show the values of facts: enough for one attribute with its four values."""
_PORTRAITS_IN_SHORT, _PORTRAITS = 3, 4
"""One picture in three is a portrait until four people are introduced, enough for four options; later one in four."""
_OPTIONS = 4
_EARLY = 0.3
"""Part of the conversation in which people are introduced by portraits."""


@dataclass(frozen=True)
class PictureAmounts:
    """How many pictures of each role a conversation has."""

    portraits: int
    albums: int
    statements: int

    @property
    def total(self) -> int:
        """Pictures in all."""
        return self.portraits + self.albums + self.statements


@dataclass(frozen=True)
class ChosenTurns:
    """The personal turns of a conversation by what they are for, ascending; no turn twice."""

    occasions: Mapping[int, Occasion]
    portraits: tuple[int, ...]
    albums: tuple[int, ...]
    """All after the last portrait."""
    statements: tuple[int, ...]
    """Open for statements, in words or pictures."""
    pictured: int
    """Statements that pictures shall show, each in a turn of its own among ``statements``."""


def picture_amounts(shape: ConversationShape, turns: int, people: int, handles: int) -> PictureAmounts:
    """Return how many pictures a conversation of ``turns`` turns has.

    Half of them show the values of facts once there are enough for one attribute. A third to a quarter are portraits,
    at least one and at most one a person. The rest come from an album, at most one a handle.

    Args:
        shape: the shares.
        turns: length of the conversation.
        people: size of the circle.
        handles: names of events that there are.
    """
    personal = int(shape.personal_share * turns)
    pictures = max(0, min(round(shape.picture_share * turns), personal - _FEWEST_WORDED))
    statements = pictures // 2 if pictures >= _STATEMENTS_FROM else 0
    first_four = min(_OPTIONS, max(1, pictures // _PORTRAITS_IN_SHORT))
    portraits = min(people, max(first_four, pictures // _PORTRAITS)) if pictures else 0
    return PictureAmounts(portraits, min(handles, pictures - statements - portraits), statements)


def choose_turns(
    rng: random.Random,
    clock: Sequence[dt.datetime],
    captions: Sequence[CaptionSeed],
    shape: ConversationShape,
    amounts: PictureAmounts,
) -> ChosenTurns:
    """Choose the personal turns and what each is for; the rest says nothing personal.

    Portraits fall into the first third, album pictures anywhere after the last portrait, so that everyone in an
    album has been introduced and all of them have been before any appears.

    Args:
        rng: the stream to draw from.
        clock: wall-clock time of every turn.
        captions: seeds of occasions.
        shape: the shares.
        amounts: pictures wanted; where no turn is left after the portraits there are fewer album pictures.
    """
    turns = len(clock)
    free = rng.sample(range(turns), int(shape.personal_share * turns))
    early = [turn for turn in free if turn < _EARLY * turns]
    if len(early) < amounts.portraits:
        early = sorted(free)[: amounts.portraits]
    portraits = sorted(early[: amounts.portraits])
    after = portraits[-1] if portraits else -1
    albums = sorted([turn for turn in free if turn > after][: amounts.albums])
    free = [turn for turn in free if turn not in portraits and turn not in albums]
    most = (len(free) - amounts.statements) // _MOST_OCCASIONS
    chosen = choose_captions(rng, captions, min(shape.occasions, most))
    occasions = {turn: tell_of(rng, caption, clock[turn]) for turn, caption in zip(free, chosen, strict=False)}
    statements = sorted(turn for turn in free if turn not in occasions)
    return ChosenTurns(occasions, tuple(portraits), tuple(albums), tuple(statements), amounts.statements)
