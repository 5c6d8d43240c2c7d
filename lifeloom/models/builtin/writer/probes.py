"""Wording questions about the facts of a dialogue."""

from __future__ import annotations

import random
from collections.abc import Hashable

from lifeloom.models.builtin.writer.spin import parse_wordings, take
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.tasks.probe_writing import ProbeWritingInput, ProbeWritingOutput

__all__ = ["write_probes"]


def write_probes(asked: ProbeWritingInput, rng: random.Random) -> ProbeWritingOutput:
    """Return a question for each fact."""
    used: set[Hashable] = set()
    questions = []
    for fact in asked.facts:
        lists = load("probes")[fact.kind]
        wordings = parse_wordings(tuple(lists.get(asked.category) or lists["any"]))
        questions.append(take(wordings, asked.edition, rng, used).say(rng, {"h": asked.handle}))
    return ProbeWritingOutput(questions=tuple(questions))
