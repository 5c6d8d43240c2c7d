"""Where everybody of a family stands in a drawing: generations from above to below, friends and pets under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.reader.kinship import relation_of
from lifeloom.records import OWNER_ROLE, Concept

__all__ = ["FamilyTree", "TreeLine", "TreeNode", "family_tree"]

_GENERATIONS: tuple[tuple[str, ...], ...] = (
    ("great-grandmother", "great-grandfather"),
    ("grandmother", "grandfather", "great-aunt", "great-uncle"),
    ("mother", "father", "stepmother", "stepfather", "aunt", "uncle", "mother-in-law", "father-in-law"),
    (
        *("owner", "sister", "brother", "twin", "cousin", "wife", "husband", "partner", "spouse"),
        *("sister-in-law", "brother-in-law", "fiancé", "fiancée"),
    ),
    ("daughter", "son", "child", "stepdaughter", "stepson", "niece", "nephew"),
    ("granddaughter", "grandson", "grandchild"),
    ("great-granddaughter", "great-grandson"),
)
_ROW_OF = {name: row for row, names in enumerate(_GENERATIONS) for name in names}
_MOST_IN_A_ROW = 3
"""As many as a phone shows at a size that can be read."""
_COLUMN = 120
_ROW = 130
_MARGIN = 46


@dataclass(frozen=True)
class TreeNode:
    """Somebody at a place; units of the drawing, from its upper left corner."""

    concept: Concept
    relation: str
    """In small letters: ``mother``; ``owner``."""
    x: int
    y: int


@dataclass(frozen=True)
class TreeLine:
    """A line from the owner to somebody of the family."""

    x1: int
    y1: int
    x2: int
    y2: int


@dataclass(frozen=True)
class FamilyTree:
    """A drawing of ``width`` by ``height``."""

    width: int
    height: int
    nodes: tuple[TreeNode, ...]
    lines: tuple[TreeLine, ...]
    """None where nobody is the owner."""
    rule: int | None
    """Height of the rule under which friends and pets stand; None: there are none."""


def family_tree(concepts: Sequence[Concept]) -> FamilyTree:
    """Return where the concepts of a Vaccount stand; whoever is no kin by their role stands in the last rows."""
    rows: dict[int, list[Concept]] = {}
    for one in concepts:
        rows.setdefault(_ROW_OF.get(_relation(one), len(_GENERATIONS)), []).append(one)
    for own in rows.values():
        own.sort(key=lambda one: one.role != OWNER_ROLE)
    lines = [
        rows[row][first : first + _MOST_IN_A_ROW]
        for row in sorted(rows)
        for first in range(0, len(rows[row]), _MOST_IN_A_ROW)
    ]
    width = _COLUMN * _MOST_IN_A_ROW
    nodes = [
        TreeNode(
            concept=one,
            relation=_relation(one),
            x=width // 2 + round((place - (len(line) - 1) / 2) * _COLUMN),
            y=_MARGIN + number * _ROW,
        )
        for number, line in enumerate(lines)
        for place, one in enumerate(line)
    ]
    owner = next((one for one in nodes if one.concept.role == OWNER_ROLE), None)
    kin = [one for one in nodes if one.relation in _ROW_OF and one is not owner]
    others = [one.y for one in nodes if one.relation not in _ROW_OF]
    return FamilyTree(
        width=width,
        height=_ROW * len(lines),
        nodes=tuple(nodes),
        lines=() if owner is None else tuple(TreeLine(owner.x, owner.y, one.x, one.y) for one in kin),
        rule=min(others) - _MARGIN if others else None,
    )


def _relation(concept: Concept) -> str:
    return "owner" if concept.role == OWNER_ROLE else relation_of(concept.role) or concept.role.lower()
