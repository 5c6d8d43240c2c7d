"""Occasions: the user tells of an event from a photo's caption."""

from __future__ import annotations

import random
from collections.abc import Hashable

from lifeloom.models.builtin.writer.exchange import Exchange
from lifeloom.models.builtin.writer.wordings import (
    Piece,
    clean,
    compose,
    cut_words,
    fill,
    fresh,
    load,
    note_said,
    of_area,
    words,
)
from lifeloom.records import Edition

__all__ = ["tell_occasion"]

USER_WORDS = (45, 85)
ASSISTANT_WORDS = (80, 130)
CAPTION_WORDS, CAPTION_CHARACTERS = 40, 400
"""Longer captions are shortened at a word boundary."""

_ECHO_WORDS, _ECHO_CHARACTERS = 7, 60
_QUOTES = str.maketrans({"“": "'", "”": "'", "„": "'", '"': "'", "«": "'", "»": "'"})


def tell_occasion(
    caption: str, when: str, area: str, edition: Edition, rng: random.Random, used: set[Hashable] | None = None
) -> Exchange:
    """Return a turn in which the user tells what happened ``when``, in the words of ``caption``.

    Args:
        caption: Free text of any language. It is quoted, so it can say anything without steering the rest.
        when: How the time is said, used as it is: ``last Friday``, ``yesterday``.
        area: Area of life that the occasion belongs to; the assistant may add advice from it.
        edition: Which wordings may be used.
        rng: The only source of chance.
        used: What was said in this session; none of it is said again as long as there is something else, and what
            is said is added.

    Raises:
        UnknownAreaError: if there are no texts for ``area``.
    """
    used = set() if used is None else used
    parts = load("occasions")

    def draw(name: str, count: int = 1) -> list[str]:
        return fresh(parts[name], count, edition, rng, used)

    quoted = cut_words(clean(caption.translate(_QUOTES)), CAPTION_WORDS, CAPTION_CHARACTERS).rstrip(".…")
    slots = {"when": when, "caption": quoted, "short": cut_words(quoted, _ECHO_WORDS, _ECHO_CHARACTERS)}
    (telling,) = draw("tellings" if quoted else "untitled_tellings")
    told = fill(telling, slots)
    feelings, wants = draw("feelings", 4), draw("wants", 2)
    short = words(told) < 45  # a long caption leaves little room for more
    user = [
        Piece(told),
        Piece(feelings[0], needed=short and rng.random() < 0.5),
        *(Piece(feeling, needed=False) for feeling in feelings[1:]),
        Piece(wants[0], needed=short and rng.random() < 0.7),
        Piece(wants[1], needed=False),
    ]
    ideas = draw("ideas", 5)
    if rng.random() < 0.5:
        ideas[rng.randrange(3)] = fresh(of_area("advice", area), 1, edition, rng, used)[0]
    (greeting,), (echo,) = draw("greetings"), draw("echoes")
    assistant = [Piece(greeting)]
    if quoted and rng.random() < 0.6:
        assistant.append(Piece(fill(echo, slots)))
        used.add(echo)
    assistant += [Piece(idea, needed=index < 3) for index, idea in enumerate(ideas)]
    questions = draw("follow_ups", 2)
    assistant += [Piece(questions[0]), Piece(questions[1], needed=False)]
    exchange = Exchange(compose(user, *USER_WORDS, rng), compose(assistant, *ASSISTANT_WORDS, rng))
    used.add(telling)
    note_said(exchange.user, [*feelings, *wants], used)
    note_said(exchange.assistant, [greeting, *ideas, *questions], used)
    return exchange
