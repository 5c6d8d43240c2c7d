"""Wording dialogues about meeting somebody: where and when, what is to be done now, what to be reminded of."""

from __future__ import annotations

import random
from collections.abc import Hashable

from lifeloom.models.builtin.writer.concept_dialogues import said_day
from lifeloom.models.builtin.writer.spin import parse_wordings, take
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.tasks.concept_dialogue import DialogueExchange
from lifeloom.tasks.diagnostic_dialogue import (
    DiagnosticDialogueInput,
    DiagnosticDialogueOutput,
    DiagnosticStatement,
)

__all__ = ["write_diagnostic_dialogue"]

_DATA = "diagnostic_dialogues"


def write_diagnostic_dialogue(asked: DiagnosticDialogueInput, rng: random.Random) -> DiagnosticDialogueOutput:
    """Return the dialogue."""
    used: set[Hashable] = set()
    turns = []
    for number, kinds in enumerate(asked.turns):
        user = " ".join(said for kind in kinds if (said := _said(kind, asked, rng, used)))
        reply = [_take("reply", asked, rng, used)]
        if number + 1 < len(asked.turns):
            reply.append(_take("question", asked, rng, used))
        turns.append(DialogueExchange(user=user or _take("nothing_new", asked, rng, used), assistant=" ".join(reply)))
    return DiagnosticDialogueOutput(turns=tuple(turns))


def _said(kind: DiagnosticStatement, asked: DiagnosticDialogueInput, rng: random.Random, used: set[Hashable]) -> str:
    """Return a statement; empty where there is nothing of its kind to state."""
    if (kind == "action" and not asked.action) or (kind == "instruction" and not asked.keyword):
        return ""
    said = _take(kind, asked, rng, used)
    return said[:1].upper() + said[1:]


def _take(kind: str, asked: DiagnosticDialogueInput, rng: random.Random, used: set[Hashable]) -> str:
    wording = take(parse_wordings(tuple(load(_DATA)[kind])), asked.edition, rng, used)
    slots = {
        "p": asked.person,
        "l": asked.location,
        "d": said_day(asked.met_on, rng),
        "a": asked.action,
        "k": asked.keyword,
    }
    return wording.say(rng, slots)
