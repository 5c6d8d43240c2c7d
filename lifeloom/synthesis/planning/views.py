"""Ways to look at a finished plan."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from lifeloom.records import ConversationPlan, PlannedFact

__all__ = ["Constellation", "bond_id", "catalogue_id", "constellations"]

_JOINT = "_"
"""Between the catalogue's id and the person's: no id of the catalogue holds one."""


def bond_id(attribute_id: str, person_id: str) -> str:
    """Return the attribute of how things stand with one person, from the catalogue's id and the person's."""
    return f"{attribute_id}{_JOINT}{person_id}"


def catalogue_id(attribute_id: str) -> str:
    """Return the catalogue's id of a planned fact's ``attribute``: itself, but for bonds with a person."""
    return attribute_id.split(_JOINT, 1)[0]


@dataclass(frozen=True)
class Constellation:
    """An attribute with its four values, all said in the conversation (not interests, bonds, relationships)."""

    attribute: str
    current: PlannedFact
    previous: PlannedFact
    someone_else: PlannedFact
    given_up: PlannedFact
    settled_after: int
    """Last turn that had to be said before all four values are known and only the current one holds."""


def constellations(plan: ConversationPlan) -> tuple[Constellation, ...]:
    """Return the complete constellations of ``plan``, by the turn in which each is settled, then by attribute."""
    by_attribute: dict[str, dict[str, PlannedFact]] = defaultdict(dict)
    for fact in plan.facts:
        if fact.kind not in ("interest", "bond", "relationship"):
            role = "previous" if fact.status in ("replaced", "corrected") else fact.status
            by_attribute[fact.attribute][role] = fact
    mentions = {
        (statement.fact_id, turn.turn_index)
        for turn in plan.turns
        for statement in turn.statements
        if statement.kind == "mention"
    }
    found = []
    for attribute, roles in by_attribute.items():
        if len(roles) < 4:
            continue
        # A value that is only mentioned becomes the user's one turn later, with the anaphora.
        known = [fact.stated_in[0] + ((fact.fact_id, fact.stated_in[0]) in mentions) for fact in roles.values()]
        ended = [fact.ended_in for fact in roles.values() if fact.ended_in is not None]
        found.append(
            Constellation(
                attribute=attribute,
                current=roles["current"],
                previous=roles["previous"],
                someone_else=roles["someone_else"],
                given_up=roles["given_up"],
                settled_after=max([*known, *ended]),
            )
        )
    return tuple(sorted(found, key=lambda item: (item.settled_after, item.attribute)))
