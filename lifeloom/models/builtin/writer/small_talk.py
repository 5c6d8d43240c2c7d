"""Small talk: exchanges that say nothing personal about the user."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.exchange import Exchange
from lifeloom.models.builtin.writer.wordings import Piece, compose, fill, load, of_area, pick
from lifeloom.records import Edition

__all__ = ["small_talk"]

USER_WORDS = (45, 85)
ASSISTANT_WORDS = (80, 130)

# How often the talk leaves the area for something that fits anywhere.
_JOKES, _WEATHER, _WORLD = 0.1, 0.1, 0.1


def small_talk(area: str, edition: Edition, rng: random.Random) -> Exchange:
    """Return a curious question, a request for jokes, or talk of the weather or the wide world.

    Args:
        area: Area of life that the talk is near; one in ten is about the weather, one in ten about the world.
        edition: Which wordings and topics may be used.
        rng: The only source of chance.

    Raises:
        UnknownAreaError: if there are no topics for ``area``.
    """
    topics = of_area("topics", area)
    draw = rng.random()
    if draw < _JOKES:
        return _jokes(area, edition, rng)
    if draw < _JOKES + _WEATHER:
        topics = load("topics")["weather"]
    elif draw < _JOKES + _WEATHER + _WORLD:
        topics = load("topics")["world"]
    topic, following = rng.sample(for_edition(topics, edition), 2)
    return _curious(topic, following[0], edition, rng)


def _curious(topic: Sequence[str], following: str, edition: Edition, rng: random.Random) -> Exchange:
    about, hook, *facts = topic  # the facts build on each other, so their order stays
    parts = load("small_talk")
    ask = Piece(fill(pick(parts["asks"], edition, rng), {"about": about}))
    wish, other_wish = rng.sample(for_edition(parts["wishes"], edition), 2)
    tail, other_tail = rng.sample(for_edition(parts["tails"], edition), 2)
    opener = Piece(pick(parts["openers"], edition, rng), needed=rng.random() < 0.6)
    ending = [Piece(wish), Piece(tail, needed=False)]
    rng.shuffle(ending)
    user = [opener, ask, Piece(hook), *ending, Piece(other_wish, needed=False), Piece(other_tail, needed=False)]
    view, other_view = rng.sample(for_edition(parts["views"], edition), 2)
    last = [
        Piece(view, needed=False),
        Piece(fill(pick(parts["nexts"], edition, rng), {"about": following}), needed=False),
    ]
    rng.shuffle(last)
    assistant = [
        Piece(pick(parts["answers"], edition, rng), needed=rng.random() < 0.8),
        *(Piece(fact) for fact in facts),
        *last,
        Piece(other_view, needed=False),
        Piece(pick(parts["closings"], edition, rng), needed=rng.random() < 0.6),
    ]
    return Exchange(compose(user, *USER_WORDS, rng), compose(assistant, *ASSISTANT_WORDS, rng))


def _jokes(area: str, edition: Edition, rng: random.Random) -> Exchange:
    parts = load("small_talk")
    told = of_area("jokes", area)
    ask = fill(pick(parts["joke_asks"], edition, rng), {"area": told["name"]})
    wish, other_wish, *spare_wishes = rng.sample(for_edition(parts["joke_wishes"], edition), 4)
    user = [
        Piece(pick(parts["joke_openers"], edition, rng)),
        Piece(ask),
        Piece(wish),
        Piece(other_wish),
        *(Piece(spare, needed=False) for spare in spare_wishes),
    ]
    jokes = rng.sample(for_edition(told["jokes"], edition), 3)
    closing, *spare_closings = rng.sample(for_edition(parts["joke_closings"], edition), 4)
    assistant = [
        Piece(pick(parts["joke_answers"], edition, rng)),
        *(Piece(joke) for joke in jokes),
        Piece(closing),
        *(Piece(spare, needed=False) for spare in spare_closings),
    ]
    return Exchange(compose(user, *USER_WORDS, rng), compose(assistant, *ASSISTANT_WORDS, rng))
