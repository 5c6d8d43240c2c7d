"""What the user is dealing with right now, by area of life, and what they ask the assistant.

Contexts say nothing that lasts: the state of a table, a noise, a queue. Nothing in them can be taken
for a taste, a fact or a plan of the user.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Hashable, Sequence

from lifeloom.models.builtin.writer.spin import Wording, parse_wordings, take
from lifeloom.models.builtin.writer.wordings import load, of_area
from lifeloom.records import Edition

__all__ = ["asks", "closing_ask", "context", "contexts", "link", "links"]

_AREA_ASKS = 0.4
"""Share of the closing asks that are about the area rather than about anything."""


@functools.cache
def contexts(area: str) -> tuple[Wording, ...]:
    """Return the context sentences of ``area``.

    Raises:
        UnknownAreaError: if there are none for ``area``.
    """
    return parse_wordings(tuple(of_area("contexts", area)))


@functools.cache
def asks(area: str) -> tuple[Wording, ...]:
    """Return the closing asks of ``area``, or those that fit anywhere for ``general``."""
    return parse_wordings(tuple(of_area("asks", area)))


@functools.cache
def links() -> tuple[Wording, ...]:
    """Return the short sentences that lead from one thing to another."""
    return parse_wordings(tuple(load("links")["links"]))


def context(area: str, edition: Edition, rng: random.Random, used: set[Hashable], avoid: Sequence[str] = ()) -> str:
    """Return a sentence or two on what is going on, without any of the lower-case texts in ``avoid``."""
    return take(contexts(area), edition, rng, used, avoid).say(rng)


def closing_ask(area: str, edition: Edition, rng: random.Random, used: set[Hashable], avoid: Sequence[str] = ()) -> str:
    """Return what the user asks the assistant for at the end of a message."""
    which = area if rng.random() < _AREA_ASKS else "general"
    return take(asks(which), edition, rng, used, avoid).say(rng)


def link(edition: Edition, rng: random.Random, used: set[Hashable]) -> str:
    """Return a short sentence that leads to another subject."""
    return take(links(), edition, rng, used).say(rng)
