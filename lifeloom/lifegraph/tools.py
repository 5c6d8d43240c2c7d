"""Counting and ordering over a life graph: events filtered by who, what, where and when (beyond the paper).

Filters look at the types of entities, never at the names of relations, which are open: somebody is at an event when
any fact links them, directly or in an attribute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lifeloom.lifegraph.events import EventRow, EventTable
from lifeloom.models.builtin.reader.activities import activities_in, family_of, main_activity
from lifeloom.models.builtin.reader.text import content_stems
from lifeloom.tasks.graph_search import GraphPlanOutput

__all__ = ["EventFilter", "ToolResult", "run_plan"]

_LISTED = 30
"""Days that a note names."""
_RANKED = 5
"""Values that a note ranks."""
_SAME = 0.5
"""Share of an anchor's words from which an event may be the one that is meant."""
_GENERIC = frozenset(
    content_stems(
        "activity event occasion outing trip day time form kind type sort some thing session family history something "
        "anything visit gathering take part photo picture feature show"
    )
)
"""Words of a question that tell no event from another."""


@dataclass(frozen=True)
class EventFilter:
    """What events must have in common; empty parts fit everything."""

    who: tuple[str, ...] = ()
    """Names or aliases of everybody who must be there."""
    what: str = ""
    """Activity, family of activities, thing or words of the event's name."""
    where: str = ""
    first: str = ""
    """``YYYY-MM-DD``, included."""
    last: str = ""

    def said(self) -> str:
        """Return the filter in words."""
        parts = [self.what] if self.what else []
        parts += [f"with {' and '.join(self.who)}"] if self.who else []
        parts += [f"place: {self.where}"] if self.where else []
        if self.first or self.last:
            parts.append(f"from {self.first or 'the start'} to {self.last or 'the end'}")
        return "; ".join(parts) or "anything"


@dataclass(frozen=True)
class ToolResult:
    """What a plan came to."""

    notes: tuple[str, ...]
    """Sentences for whoever answers."""
    events: tuple[EventRow, ...]
    """Events that it follows from, best first: what is asked for, then the anchor."""
    decisive: int
    """How many of the events are what is asked for itself; their pictures are worth a look."""
    people: tuple[str, ...] = ()
    """Ids of everybody who was asked about by name."""
    problems: tuple[str, ...] = ()
    """What did not go smoothly: unknown names, an ambiguous anchor."""


def run_plan(table: EventTable, plan: GraphPlanOutput) -> ToolResult | None:
    """Carry out ``plan`` over the events of a graph; None where it asks for nothing that can be counted or ordered."""
    wanted = EventFilter(plan.who, plan.what, plan.where, plan.when_from, plan.when_to)
    problems = [
        f"nobody in the graph is called {name}"
        for name in (*plan.who, *plan.anchor_who)
        if not table.people_called(name)
    ]
    if plan.operation == "none":
        return None
    people = tuple(dict.fromkeys(one for name in plan.who for one in table.people_called(name)))
    result = _carried_out(table, plan, wanted, problems)
    return replace(result, people=people, problems=tuple(problems))


def _carried_out(table: EventTable, plan: GraphPlanOutput, wanted: EventFilter, problems: list[str]) -> ToolResult:
    if plan.operation in ("before", "after"):
        return _step(table, plan, wanted, problems)
    found = list(filter(_Matcher(table, wanted).fits, table.rows))
    match plan.operation:
        case "count":
            notes = [_count_note(table, plan, wanted, found)]
            return ToolResult(tuple(notes), tuple(found), 0)
        case "first" | "last":
            dated = [row for row in found if row.day]
            if not dated:
                return ToolResult((f"No event matches ({wanted.said()}).",), (), 0)
            row = dated[0] if plan.operation == "first" else dated[-1]
            note = f"The {plan.operation} day that matches ({wanted.said()}) is {row.day}: {table.told(row)}."
            return ToolResult((note,), (row,), 1)
        case "most":
            return ToolResult((_most_note(table, plan, wanted, found),), tuple(found), 0)
        case _:
            days = _days(found)
            note = f"Days that match ({wanted.said()}): {_listed(days)}."
            return ToolResult((note,), tuple(found), 0)


class _Matcher:
    """A filter made ready: what its words mean is worked out once, not for every event."""

    def __init__(self, table: EventTable, wanted: EventFilter) -> None:
        self.wanted = wanted
        self.who = [frozenset(table.people_called(name)) for name in wanted.who]
        self.everybody = frozenset(one for some in self.who for one in some)
        self.stems = _telling(wanted.what)
        self.where = _telling(wanted.where)
        asked = main_activity(wanted.what)
        plain = " ".join(wanted.what.lower().split())
        family = family_of(plain)
        whole = plain == family or (asked is not None and asked.name == asked.family)
        self.family = family if whole else ""
        self.activity = "" if asked is None or whole else asked.name
        self.families = frozenset(one.family for one in activities_in(wanted.what))

    def fits(self, row: EventRow) -> bool:
        """Whether an event has everything that is wanted."""
        if not self.on_time(row) or not all(one & row.people for one in self.who):
            return False
        return (not self.wanted.what or self.is_it(row)) and (not self.wanted.where or self.is_there(row))

    def on_time(self, row: EventRow) -> bool:
        """Whether an event is within the days that are wanted; one without a day is within no days."""
        if self.wanted.first and not (row.day and row.day >= self.wanted.first):
            return False
        return not self.wanted.last or bool(row.day and row.day <= self.wanted.last)

    def is_it(self, row: EventRow) -> bool:
        """Whether an event is of the kind that is wanted: its family, its activity, or all its words."""
        if self.family:
            return self.family in row.families
        if self.activity and self.activity in row.activities:
            return True
        return bool(self.stems) and self.stems <= row.stems

    def is_there(self, row: EventRow) -> bool:
        """Whether an event is at the place that is wanted; more or fewer words for the same place are the same."""
        if not row.place_stems:
            return self.where <= row.stems
        return any(self.where <= place or (bool(place) and place <= self.where) for place in row.place_stems)

    def likeness(self, row: EventRow) -> float | None:
        """Return how well an event fits, missing parts forgiven; None where it cannot be the one that is meant."""
        if not self.on_time(row):
            return None
        score = 0.0
        if self.wanted.what:
            share = len(self.stems & row.stems) / len(self.stems) if self.stems else 0.0
            kind = 2.0 if self.is_it(row) else 1.0 if self.families & row.families else 0.0
            if not kind and share < _SAME:
                return None
            score += kind + share
        if self.wanted.where:
            score += 1.5 if self.is_there(row) else 0.0
        if self.who:
            there = sum(1 for one in self.who if one & row.people)
            score += 1.5 * there / len(self.who) - 0.2 * min(len(row.people - self.everybody), 5)
        return score


def _telling(text: str) -> frozenset[str]:
    return frozenset(content_stems(text)) - _GENERIC


def _days(rows: Sequence[EventRow]) -> list[str]:
    return sorted({row.day for row in rows if row.day})


def _listed(days: Sequence[str]) -> str:
    more = len(days) - _LISTED
    return (", ".join(days[:_LISTED]) or "none") + (f" and {more} more" if more > 0 else "")


def _count_note(table: EventTable, plan: GraphPlanOutput, wanted: EventFilter, found: Sequence[EventRow]) -> str:
    days = _days(found)
    if plan.of in ("activity", "place", "person", "thing"):
        values = sorted({value for row in found for value in _values(table, row, plan, wanted)})
        return f"{len(values)} different {_PLURAL[plan.of]} match ({wanted.said()}): {', '.join(values) or 'none'}."
    undated = sum(1 for row in found if not row.day)
    number = len(days) + undated if plan.of == "days" else len(found)
    return f"{number} different {plan.of} match ({wanted.said()}): {_listed(days)}."


_PLURAL = {"activity": "kinds of activity", "place": "places", "person": "people", "thing": "things"}


def _values(table: EventTable, row: EventRow, plan: GraphPlanOutput, wanted: EventFilter) -> set[str]:
    """Return what an event has of the kind that is counted or ranked."""
    match plan.of:
        case "place":
            return set(row.places)
        case "person":
            asked = {one for name in wanted.who for one in table.people_called(name)}
            return {table.name(one) for one in row.people - asked}
        case "thing":
            return set(row.things)
        case _:
            return set(row.families) or set(row.activities)


def _most_note(table: EventTable, plan: GraphPlanOutput, wanted: EventFilter, found: Sequence[EventRow]) -> str:
    days: dict[str, set[str]] = {}
    for row in found:
        for value in _values(table, row, plan, wanted):
            days.setdefault(value, set()).add(row.day or row.entity_id)
    counts = Counter({value: len(own) for value, own in days.items()})
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:_RANKED]
    kinds = _PLURAL.get(plan.of, "kinds of activity")
    said = ", ".join(f"{value} ({number} days)" for value, number in ranked)
    return f"Most frequent {kinds} ({wanted.said()}), by days: {said or 'none'}."


def _step(table: EventTable, plan: GraphPlanOutput, wanted: EventFilter, problems: list[str]) -> ToolResult:
    dated = [row for row in table.rows if row.day]
    anchor = EventFilter(plan.anchor_who, plan.anchor_what, plan.anchor_where, plan.anchor_from, plan.anchor_to)
    at = _anchor(table, dated, anchor, problems)
    if at is None:
        return ToolResult((f"No event matches the anchor ({anchor.said()}).",), (), 0)
    forwards = plan.operation == "after"
    if any(row.day == at.day and row is not at for row in dated):
        problems.append(f"another event is on the anchor's day, {at.day}: events of one day have no order")
    rest = [row for row in dated if (row.day > at.day if forwards else row.day < at.day)]
    matching = list(filter(_Matcher(table, wanted).fits, rest if forwards else rest[::-1]))
    where = f"right {plan.operation} the anchor, {at.name} ({at.day})"
    if not matching:
        note = f"No event that matches ({wanted.said()}) is {plan.operation} {at.day}."
        return ToolResult((note,), (at,), 0)
    row = matching[0]
    note = f"The event {where}, that matches ({wanted.said()}) is on {row.day}: {table.told(row)}."
    return ToolResult((note,), (row, at), 1)


def _anchor(table: EventTable, rows: Sequence[EventRow], wanted: EventFilter, problems: list[str]) -> EventRow | None:
    """Return the event that is meant: the one that has most of what is said of it, and nobody else there.

    Not a filter: what was said of an event need not be in the graph word by word.
    """
    likeness = _Matcher(table, wanted).likeness
    scored = [(score, row) for row in rows if (score := likeness(row)) is not None]
    if not scored:
        return None
    best = max(score for score, _ in scored)
    alike = [row for score, row in scored if score > best - 1e-9]
    if len(alike) > 1:
        problems.append(f"{len(alike)} events fit the anchor ({wanted.said()}) equally: the earliest is taken")
    return alike[0]
