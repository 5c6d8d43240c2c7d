"""Small talk: exchanges that say nothing personal about the user."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.exchange import Exchange
from lifeloom.models.builtin.writer.wordings import Piece, compose, fill, fresh, load, note_said, of_area
from lifeloom.records import Edition

__all__ = ["small_talk"]

USER_WORDS = (45, 85)
ASSISTANT_WORDS = (80, 130)

# How often the talk leaves the area for something that fits anywhere.
_JOKES, _WEATHER, _WORLD = 0.1, 0.1, 0.1


def small_talk(area: str, edition: Edition, rng: random.Random, used: set[Hashable] | None = None) -> Exchange:
    """Return a curious question, a request for jokes, or talk of the weather or the wide world.

    Args:
        area: Area of life that the talk is near; one in ten is about the weather, one in ten about the world.
        edition: Which wordings and topics may be used.
        rng: The only source of chance.
        used: What was said in this session; topics and remarks are not said again as long as there are others,
            and what is said is added.

    Raises:
        UnknownAreaError: if there are no topics for ``area``.
    """
    used = set() if used is None else used
    topics = of_area("topics", area)
    draw = rng.random()
    if draw < _JOKES and sum(joke not in used for joke in for_edition(of_area("jokes", area)["jokes"], edition)) >= 3:
        return _jokes(area, edition, rng, used)
    if _JOKES <= draw < _JOKES + _WEATHER:
        topics = load("topics")["weather"]
    elif _JOKES <= draw < _JOKES + _WEATHER + _WORLD:
        topics = load("topics")["world"]
    told, following = fresh([topic[0] for topic in topics], 2, edition, rng, used)
    used.add(told)
    topic = next(topic for topic in topics if topic[0] == told)
    return _curious(topic, following, edition, rng, used)


def _curious(
    topic: Sequence[str], following: str, edition: Edition, rng: random.Random, used: set[Hashable]
) -> Exchange:
    about, hook, *facts = topic  # the facts build on each other, so their order stays
    parts = load("small_talk")

    def draw(name: str, count: int = 1) -> list[str]:
        return fresh(parts[name], count, edition, rng, used)

    (ask,), (opener,), (answer,), (follow,), (closing,) = map(draw, ("asks", "openers", "answers", "nexts", "closings"))
    wishes, tails, views = draw("wishes", 2), draw("tails", 2), draw("views", 2)
    ending = [Piece(wishes[0]), Piece(tails[0], needed=False)]
    rng.shuffle(ending)
    user = [
        Piece(opener, needed=rng.random() < 0.6),
        Piece(fill(ask, {"about": about})),
        Piece(hook),
        *ending,
        Piece(wishes[1], needed=False),
        Piece(tails[1], needed=False),
    ]
    announced = fill(follow, {"about": following})
    last = [Piece(views[0], needed=False), Piece(announced, needed=False)]
    rng.shuffle(last)
    assistant = [
        Piece(answer, needed=rng.random() < 0.8),
        *(Piece(fact) for fact in facts),
        *last,
        Piece(views[1], needed=False),
        Piece(closing, needed=rng.random() < 0.6),
    ]
    exchange = Exchange(compose(user, *USER_WORDS, rng), compose(assistant, *ASSISTANT_WORDS, rng))
    used.add(ask)
    if announced in exchange.assistant:
        used.add(follow)
    note_said(exchange.user, [opener, *wishes, *tails], used)
    note_said(exchange.assistant, [answer, *views, closing], used)
    return exchange


def _jokes(area: str, edition: Edition, rng: random.Random, used: set[Hashable]) -> Exchange:
    parts = load("small_talk")

    def draw(name: str, count: int = 1) -> list[str]:
        return fresh(parts[name], count, edition, rng, used)

    theme = of_area("jokes", area)
    (ask,), (opener,), (answer,) = map(draw, ("joke_asks", "joke_openers", "joke_answers"))
    wishes, closings = draw("joke_wishes", 4), draw("joke_closings", 4)
    user = [
        Piece(opener),
        Piece(fill(ask, {"area": theme["name"]})),
        *(Piece(wish, needed=index < 2) for index, wish in enumerate(wishes)),
    ]
    jokes = fresh(theme["jokes"], 3, edition, rng, used)
    assistant = [
        Piece(answer),
        *(Piece(joke) for joke in jokes),
        *(Piece(closing, needed=index == 0) for index, closing in enumerate(closings)),
    ]
    exchange = Exchange(compose(user, *USER_WORDS, rng), compose(assistant, *ASSISTANT_WORDS, rng))
    used.add(ask)
    note_said(exchange.user, [opener, *wishes], used)
    note_said(exchange.assistant, [answer, *jokes, *closings], used)
    return exchange
