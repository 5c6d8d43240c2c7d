"""Constellations and sequences whose values only pictures show."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lifeloom.records import Acquaintance, Edition, FactKind
from lifeloom.synthesis.catalogue import Attribute, attributes
from lifeloom.synthesis.planning.board import Board
from lifeloom.synthesis.planning.constellations import (
    ConstellationDraft,
    draft_constellation,
    draw_stretch,
    place_constellation,
)
from lifeloom.synthesis.planning.shapes import ConversationShape

__all__ = ["PICTURED_KINDS", "PicturedFacts", "place_pictured"]

PICTURED_KINDS: tuple[FactKind, ...] = ("hidden_intent", "hidden_taste", "pattern", "bond")
"""Kinds told in words in some conversations, or for some attributes, and in pictures in others."""

_FEWEST_BEATS = 3
_DRAFTS = 8


@dataclass(frozen=True)
class PicturedFacts:
    """What pictures tell of the user."""

    drafts: tuple[ConstellationDraft, ...]
    left: int
    """Pictures that were wanted and are not used."""


def place_pictured(
    rng: random.Random,
    board: Board,
    plan_id: str,
    edition: Edition,
    holders: Sequence[Acquaintance],
    known: Sequence[Acquaintance],
    *,
    known_from: int,
    pictures: int,
    most: int,
    shape: ConversationShape,
    turns: int,
) -> PicturedFacts:
    """Place pictured attributes, kinds in turn, as long as ``pictures`` last; the rest says some values once more.

    Args:
        rng: the stream to draw from.
        board: where to put the statements, each alone in its turn.
        plan_id: part of the facts' ids.
        edition: which attributes may be used.
        holders: people whom statements may name with their relation.
        known: people introduced by portraits, who can be told by face.
        known_from: first turn after the last portrait.
        pictures: statements to show at most.
        most: attributes at most.
        shape: probabilities.
        turns: length of the conversation.
    """
    placed: list[ConstellationDraft] = []
    taken: set[str] = set()
    left = pictures
    for attribute in _in_turn(rng, edition, known):
        if left < _FEWEST_BEATS or len(placed) == most:
            break
        low = known_from if attribute.pictured == "person" else 0
        window = draw_stretch(rng, turns, low)
        for start, end in (window, *[(low, turns)] * _DRAFTS):
            draft = draft_constellation(
                rng, plan_id, attribute, holders, preference_shift=shape.preference_shift, taken_values=taken
            )
            fits = len(draft.beats) <= left
            if fits and place_constellation(rng, board, draft, low=start, high=end, reserve=0):
                placed.append(draft)
                left -= len(draft.beats)
                if attribute.pictured != "person":
                    taken.update(fact.value for fact in draft.facts)
                break
    return PicturedFacts(tuple(placed), left)


def _in_turn(rng: random.Random, edition: Edition, known: Sequence[Acquaintance]) -> list[Attribute]:
    """All pictured attributes in random order, kinds taken in turn; who is meant is one of ``known``."""
    kinds = rng.sample(PICTURED_KINDS, len(PICTURED_KINDS))
    names = tuple(person.name for person in known)
    stacks = []
    for kind in kinds:
        stack = [
            replace(item, values=names) if item.pictured == "person" else item
            for item in attributes(edition, kind, pictured=True)
            if item.pictured != "person" or len(names) >= _FEWEST_BEATS
        ]
        rng.shuffle(stack)
        stacks.append(stack)
    rows = max(map(len, stacks))
    return [stack[row] for row in range(rows) for stack in stacks if row < len(stack)]
