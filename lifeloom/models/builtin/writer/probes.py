"""Wording questions about the facts of a dialogue."""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import cast

from lifeloom.models.builtin.writer.concept_dialogues import FactNotWorded
from lifeloom.models.builtin.writer.spin import parse_wordings, take
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.records import Edition
from lifeloom.tasks.probe_writing import ProbeWritingInput, ProbeWritingOutput

__all__ = ["write_probes"]


def write_probes(asked: ProbeWritingInput, rng: random.Random) -> ProbeWritingOutput:
    """Return a question for each fact.

    Raises:
        FactNotWorded: a fact is of no known kind.
    """
    edition = cast("Edition", asked.edition)
    used: set[Hashable] = set()
    questions = []
    for fact in asked.facts:
        lists = load("probes").get(fact.kind)
        if lists is None:
            raise FactNotWorded(f"no questions about a fact of the kind {fact.kind!r}")
        wordings = parse_wordings(tuple(lists.get(asked.category) or lists["any"]))
        questions.append(take(wordings, edition, rng, used).say(rng, {"h": asked.handle}))
    return ProbeWritingOutput(questions=tuple(questions))
