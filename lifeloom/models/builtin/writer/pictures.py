"""What is said around pictures: introductions, pointers, small remarks, and the assistant's answers.

A question about a picture must need the picture, so no text of these turns names anything that a picture can show.
The user's message holds ``<img>`` once for every picture, inside the sentence that points to it.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS
from lifeloom.models.builtin.writer.areas import asks, contexts
from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.manner import PLACES as MANNER_PLACES
from lifeloom.models.builtin.writer.manner import POLES, devices
from lifeloom.models.builtin.writer.spin import Wording, parse_wordings, take
from lifeloom.models.builtin.writer.wordings import Piece, clean, compose, fresh, load, note_said
from lifeloom.records import TRAITS, Edition
from lifeloom.tasks.choice_answer import PICTURE_MARK as MARK
from lifeloom.tasks.session_writing import PictureBrief, TurnBrief

__all__ = [
    "MARK",
    "Aside",
    "PicturesUnfit",
    "check_pictures",
    "names_what_pictures_show",
    "picture_ask",
    "picture_reply",
    "picture_scene",
    "point_to",
    "telling_habits",
]

ASSISTANT_WORDS = (80, 130)

_SCENES, _AREA_ASKS = 0.45, 0.2
"""Shares of the sentences around a picture, and of the closing asks, that are about the area."""

_ALSO = ("bike", "kitten", "puppy", "pony", "bunny", "cockerel", "teddy", "phone", "smartphone", "tv", "telly")
"""Other words for what pictures show."""


_OF_PICTURES = re.compile(
    r"\b(?:photo|picture|selfie|snapshot|portrait|album|image)(?:s|graphs?|grapher)?\b", re.IGNORECASE
)
"""Scenes that tell of some picture would be taken to tell of the one that is shown."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A sentence beside a picture."""

    text: str
    before: bool
    """A scene that has nothing to do with the picture: it stands before it, or it would seem to tell of it."""


class PicturesUnfit(ValueError):
    """A turn's pictures do not suit its act. The message says which do; plan the turn so."""

    def __init__(self, turn: TurnBrief, told: str) -> None:
        super().__init__(f"Turn {turn.position} ({turn.act}): {told}")
        self.position = turn.position


def check_pictures(turn: TurnBrief) -> None:
    """Make sure that the pictures of ``turn`` suit its act.

    Raises:
        PicturesUnfit: they do not, or one lacks the words that introduce it.
    """
    stating = [picture for picture in turn.pictures if picture.role == "statement"]
    if turn.act == "picture":
        if not turn.pictures or stating or turn.statements:
            raise PicturesUnfit(turn, "plan it with album pictures or portraits only, at least one, and no statements")
        for picture in turn.pictures:
            if not _shown_as(picture):
                raise PicturesUnfit(turn, "give each album picture its handle and each portrait its name")
    elif turn.act == "statement":
        pictured = sum(statement.pictured for statement in turn.statements)
        if len(stating) != len(turn.pictures) or len(stating) != pictured:
            raise PicturesUnfit(turn, "plan one picture of role statement for each pictured statement, and no other")
    elif turn.pictures:
        raise PicturesUnfit(turn, "only pictures and pictured statements come with pictures; plan it without")


@functools.cache
def _vocabulary() -> re.Pattern[str]:
    names = {*COLOURS, *(item.name for item in PLACES), *_ALSO, *(f"{word}s" for word in _ALSO)}
    names |= {name for item in THINGS for name in (item.name, item.plural)}
    return re.compile(rf"\b(?:{'|'.join(sorted(names, key=lambda name: (-len(name), name)))})\b", re.IGNORECASE)


def names_what_pictures_show(text: str) -> bool:
    """Say whether ``text`` has a word for a thing, a colour or a place that pictures can show."""
    return _vocabulary().search(text) is not None


@functools.cache
def telling_habits() -> tuple[str, ...]:
    """Return, in lower case, the habits of speech that name what pictures can show."""
    return tuple(
        habit.source.lower()
        for trait in TRAITS
        for pole in POLES
        for place in MANNER_PLACES
        for habit in devices(trait, pole, place)
        if names_what_pictures_show(habit.source)
    )


@functools.cache
def _wordings(name: str) -> tuple[Wording, ...]:
    return parse_wordings(tuple(load("pictures")[name]))


@functools.cache
def _discreet(items: tuple[Wording, ...], edition: Edition) -> tuple[Wording, ...]:
    """Return those wordings for ``edition`` that name no picture and nothing that one can show."""
    return tuple(
        item
        for item in for_edition(items, edition)
        if not names_what_pictures_show(item.source) and not _OF_PICTURES.search(item.source)
    )


def _shown_as(picture: PictureBrief) -> str:
    return clean(picture.handle if picture.role == "album" else picture.name)


def point_to(picture: PictureBrief, edition: Edition, rng: random.Random, used: set[Hashable]) -> str:
    """Return a sentence or two that introduce an album picture by its handle or a portrait by its name.

    The text has one ``MARK``.
    """
    slots = {"handle" if picture.role == "album" else "name": _shown_as(picture)}
    return take(_wordings(picture.role), edition, rng, used).say(rng, slots)


def picture_scene(turn: TurnBrief, edition: Edition, rng: random.Random, used: set[Hashable]) -> Aside:
    """Return a sentence that stands beside a picture and tells nothing of it.

    Beside a pictured statement it does not say either whether the user likes the picture: that would mix with how
    the statement is meant.

    Raises:
        UnknownAreaError: if there are no texts for the turn's area.
    """
    around = _discreet(contexts(turn.area), edition)
    if around and rng.random() < _SCENES:
        return Aside(take(around, "release", rng, used).say(rng), before=True)
    remarks = _wordings("beside" if turn.act == "statement" else "follow")
    return Aside(take(remarks, edition, rng, used).say(rng), before=False)


def picture_ask(area: str, edition: Edition, rng: random.Random, used: set[Hashable]) -> str:
    """Return what the user asks for at the end of a message with a picture.

    Raises:
        UnknownAreaError: if there are no texts for ``area``.
    """
    near = _discreet(asks(area), edition)
    if near and rng.random() < _AREA_ASKS:
        return take(near, "release", rng, used).say(rng)
    return take(_wordings("asks"), edition, rng, used).say(rng)


def picture_reply(turn: TurnBrief, edition: Edition, rng: random.Random, used: set[Hashable]) -> str:
    """Return the assistant's answer to a message with pictures: thanks, remarks on pictures as such, a question.

    It describes nothing and claims nothing about what a picture shows.

    Args:
        turn: The turn, with at least one picture.
        edition: Which wordings may be used.
        rng: The only source of chance.
        used: What was said in this session; what is said is added.
    """
    parts = load("pictures")
    role = rng.choice(turn.pictures).role
    (thanks,) = fresh(parts["acknowledgements"][role], 1, edition, rng, used)
    remarks = fresh(parts["replies"]["remarks"], 6, edition, rng, used)
    remarks[rng.randrange(4)] = fresh(_plain_advice(), 1, edition, rng, used)[0]
    questions = fresh(parts["replies"]["questions"], 2, edition, rng, used)
    pieces = [
        Piece(thanks),
        *(Piece(remark, needed=number < 3) for number, remark in enumerate(remarks)),
        Piece(questions[0]),
        Piece(questions[1], needed=False),
    ]
    text = compose(pieces, *ASSISTANT_WORDS, rng)
    note_said(text, [thanks, *remarks, *questions], used)
    return text


@functools.cache
def _plain_advice() -> Sequence[str]:
    return tuple(text for text in load("replies")["general"]["advice"] if not names_what_pictures_show(text))
