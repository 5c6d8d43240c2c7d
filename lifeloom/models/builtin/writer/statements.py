"""Statements: one fact in one or two sentences, in the way its kind says.

The wordings stand in ``data/statements_{fact kind}.toml``, a list for each kind of statement, and those
that point to a picture in ``data/pictured_{fact kind}.toml``; what the kinds mean is told in
``lifeloom.tasks.session_writing``. All lists are drawn from alike, so that how a thing is said tells
nothing about whether it still holds but what the words themselves tell.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Hashable
from typing import get_args

from lifeloom.models.builtin.writer.spin import Wording, parse_wordings, take
from lifeloom.models.builtin.writer.wordings import clean, load
from lifeloom.records import Edition
from lifeloom.tasks.session_writing import StatementBrief

__all__ = [
    "FACT_KINDS",
    "PICTURED_KINDS",
    "STATEMENT_KINDS",
    "NoWordings",
    "StatementIncomplete",
    "named",
    "put_into_words",
    "said_kinds",
    "statement_wordings",
]

FACT_KINDS: tuple[str, ...] = get_args(StatementBrief.model_fields["fact_kind"].annotation)
STATEMENT_KINDS: tuple[str, ...] = get_args(StatementBrief.model_fields["statement_kind"].annotation)
PICTURED_KINDS: tuple[str, ...] = ("hidden_intent", "hidden_taste", "pattern", "bond")
"""Kinds of fact whose value a picture can show."""

_SHOWN_KINDS = (*PICTURED_KINDS, "expertise")
_PAIRED = ("mention", "anaphora")
_VOWELS = "aeiou"


def said_kinds(fact_kind: str) -> tuple[str, ...]:
    """Return the kinds of statement that there are wordings for: what is only shown is never mentioned and taken up."""
    return tuple(kind for kind in STATEMENT_KINDS if fact_kind not in _SHOWN_KINDS or kind not in _PAIRED)


class NoWordings(ValueError):
    """There are no wordings for a kind of statement. Plan another kind, or without a picture."""

    def __init__(self, fact_kind: str, statement_kind: str, pictured: bool) -> None:
        way = "pictured " if pictured else ""
        super().__init__(
            f"No wordings for a {way}{statement_kind} statement of {fact_kind}; use one of: "
            f"{', '.join(said_kinds(fact_kind))}" + (f", of {', '.join(PICTURED_KINDS)}." if pictured else ".")
        )


class StatementIncomplete(ValueError):
    """A brief lacks a field that its kind of statement names. Plan it with that field, or as another kind."""

    def __init__(self, brief: StatementBrief, field: str) -> None:
        super().__init__(
            f"A {brief.statement_kind} statement about {brief.phrase!r} needs {field}; plan it with that field."
        )
        self.field = field


@functools.cache
def statement_wordings(fact_kind: str, statement_kind: str, pictured: bool = False) -> tuple[Wording, ...]:
    """Return all wordings of a kind, or those that point to a picture; the last third is for releases only.

    Raises:
        NoWordings: there are none.
    """
    if statement_kind not in said_kinds(fact_kind) or (pictured and fact_kind not in PICTURED_KINDS):
        raise NoWordings(fact_kind, statement_kind, pictured)
    file = f"{'pictured' if pictured else 'statements'}_{fact_kind}"
    return parse_wordings(tuple(load(file)[statement_kind]))


def put_into_words(brief: StatementBrief, edition: Edition, rng: random.Random, used: set[Hashable]) -> str:
    """Return one or two sentences of the user that state the fact; pictured ones hold one ``<img>`` and no value.

    Args:
        brief: The fact and the kind of statement.
        edition: Which wordings may be used.
        rng: Where the choice comes from.
        used: Wordings used in this session; the one chosen is added.

    Raises:
        StatementIncomplete: if a field that the kind names is empty.
        NoWordings: if statements of this kind are never said of such a fact.
    """
    wordings = statement_wordings(brief.fact_kind, brief.statement_kind, brief.pictured)
    slots = _slots(brief)
    wording = take(wordings, edition, rng, used)
    return wording.say(rng, slots)


def named(brief: StatementBrief) -> tuple[str, ...]:
    """Return in lower case what only the statement itself should name: the text around it keeps off these."""
    holder = brief.holder_name if brief.statement_kind == "other_person" else ""
    return tuple(clean(text).lower() for text in (brief.value, brief.previous_value, holder) if clean(text))


def _slots(brief: StatementBrief) -> dict[str, str]:
    slots = {"phrase": clean(brief.phrase)}
    if not brief.pictured:
        slots["value"] = clean(brief.value)
    # The prompt shows a relation only together with a name, so nothing else may be read.
    if brief.statement_kind == "other_person":
        slots["holder"] = clean(brief.holder_name)
        slots["relation"] = clean(brief.holder_relation) if slots["holder"] else ""
    if brief.statement_kind in ("correction", "shift") and not brief.pictured:
        slots["previous"] = clean(brief.previous_value)
    for field, text in slots.items():
        if not text:
            raise StatementIncomplete(brief, {"previous": "previous_value", "holder": "holder_name"}.get(field, field))
    if not brief.pictured:
        slots["a_value"] = f"{'an' if slots['value'][0].lower() in _VOWELS else 'a'} {slots['value']}"
    return slots
