"""Counting and ordering over the graph of a small life; expected values by hand from ``searching.EVENTS``."""

from __future__ import annotations

from typing import Any

import pytest

from lifeloom.lifegraph.events import EventTable, events_of
from lifeloom.lifegraph.tools import ToolResult, run_plan
from lifeloom.tasks import GraphPlanOutput
from tests.lifeloom.lifegraph.searching import GraphMaker, fishing_graph, fishing_maker


@pytest.fixture(scope="module")
def table() -> EventTable:
    return EventTable(fishing_graph())


def _run(table: EventTable, operation: Any, **fields: Any) -> ToolResult:
    result = run_plan(table, GraphPlanOutput(operation=operation, **fields))
    assert result is not None
    return result


def _days(result: ToolResult) -> list[str]:
    return [row.day for row in result.events]


@pytest.mark.parametrize(
    ("fields", "days"),
    [
        ({"what": "fishing"}, ["2024-01-06", "2024-05-11", "2025-02-01"]),  # ice fishing is a form of fishing
        ({"what": "some form of fishing activity"}, ["2024-01-06", "2024-05-11", "2025-02-01"]),
        ({"what": "ice fishing"}, ["2024-01-06"]),
        ({"what": "ball games"}, ["2025-06-14"]),
        ({"what": "birthday cake"}, ["2024-03-02"]),
        ({"what": "sailing"}, []),
        ({"who": ("Rui",)}, ["2024-01-06", "2024-05-11", "2024-08-20", "2025-06-14"]),
        ({"who": ("Mom", "Rui")}, ["2024-05-11", "2025-06-14"]),
        ({"who": ("Nobody",)}, []),
        ({"where": "the lake"}, ["2024-05-11", "2025-02-01"]),
        ({"where": "snowy mountains"}, ["2024-01-06"]),
        ({"when_from": "2024-03-02", "when_to": "2024-08-20"}, ["2024-03-02", "2024-05-11", "2024-08-20"]),
        ({"what": "fishing", "who": ("Rui",), "where": "lake"}, ["2024-05-11"]),
    ],
)
def test_events_are_filtered_by_what_who_where_and_when(
    table: EventTable, fields: dict[str, Any], days: list[str]
) -> None:
    result = _run(table, "count", of="days", **fields)
    assert _days(result) == days
    assert result.notes[0].startswith(f"{len(days)} different days match")


def test_a_name_that_nobody_has_is_said(table: EventTable) -> None:
    assert _run(table, "count", who=("Zed",)).problems == ("nobody in the graph is called Zed",)


def test_first_last_and_list(table: EventTable) -> None:
    first = _run(table, "first", what="fishing", who=("Ana",))
    assert "The first day that matches (fishing; with Ana) is 2024-01-06" in first.notes[0]
    assert "activity: ice fishing; people: Ana, Rui; place: mountains" in first.notes[0]
    assert "2025-02-01: Fishing again" in _run(table, "last", what="fishing").notes[0]
    assert _run(table, "list", where="lake").notes == ("Days that match (place: lake): 2024-05-11, 2025-02-01.",)
    assert _run(table, "first", what="chess").notes == ("No event matches (chess).",)


@pytest.mark.parametrize(
    ("operation", "fields", "day"),
    [
        ("after", {}, "2024-08-20"),
        ("before", {}, "2024-03-02"),
        ("after", {"who": ("Lia",)}, "2025-06-14"),
        ("before", {"who": ("Rui",)}, "2024-01-06"),
        ("after", {"what": "fishing"}, "2025-02-01"),
    ],
)
def test_a_step_goes_to_the_next_event_that_fits(
    table: EventTable, operation: str, fields: dict[str, Any], day: str
) -> None:
    result = _run(table, operation, anchor_what="fishing", anchor_where="lake", anchor_who=("Rui", "Lia"), **fields)
    assert [row.day for row in result.events] == [day, "2024-05-11"]  # what is asked for, then the anchor
    assert f"is on {day}" in result.notes[0]


def test_nothing_before_the_first_event_and_no_anchor_are_said(table: EventTable) -> None:
    before = _run(table, "before", anchor_what="ice fishing")
    assert before.notes == ("No event that matches (anything) is before 2024-01-06.",)
    assert _run(table, "after", anchor_what="opera").notes == ("No event matches the anchor (opera).",)


def test_of_anchors_the_one_with_nobody_else_there_is_meant(table: EventTable) -> None:
    result = _run(table, "before", anchor_what="fishing", anchor_where="lake", anchor_who=("Ana",))
    assert result.events[-1].day == "2025-02-01"


def test_anchors_that_fit_equally_give_the_earliest_and_say_so(table: EventTable) -> None:
    result = _run(table, "after", anchor_what="fishing")
    assert result.events[-1].day == "2024-01-06"
    assert result.problems == ("3 events fit the anchor (fishing) equally: the earliest is taken",)


def test_the_most_frequent_is_counted_by_days(table: EventTable) -> None:
    activities = _run(table, "most", of="activity")
    assert activities.notes[0].startswith("Most frequent kinds of activity (anything), by days: fishing (3 days), ")
    places = _run(table, "most", of="place", who=("Ana",))
    assert "lake (2 days), kitchen (1 days), mountains (1 days)" in places.notes[0]
    people = _run(table, "most", of="person", who=("Ana",))
    assert "Lia (2 days), Rui (2 days)" in people.notes[0]


def test_two_events_of_one_day_are_one_day_and_two_events() -> None:
    maker = fishing_maker()
    second = maker.entity("Event", "Night fishing")
    maker.fact(second, "onDate", "Date/2025-02-01")
    maker.fact(second, "hasActivity", "Activity/fishing")
    table = EventTable(maker.graph())
    assert _run(table, "count", what="fishing", of="days").notes[0].startswith("3 different days")
    assert _run(table, "count", what="fishing", of="events").notes[0].startswith("4 different events")
    step = _run(table, "after", anchor_what="fishing", anchor_from="2025-02-01")
    assert step.events[0].day == "2025-06-14"
    assert any("events of one day have no order" in problem for problem in step.problems)


def test_attendance_needs_no_relation_of_a_certain_name() -> None:
    maker = GraphMaker()
    ana, rui = maker.entity("PersonAnimal", "Ana"), maker.entity("PersonAnimal", "Rui", "grandson")
    picnic = maker.entity("Event", "Picnic")
    maker.fact(ana, "turnedUpFor", picnic)  # backwards
    maker.fact(picnic, "wasOn", maker.entity("Date", "2025-01-01"), guests=("grandson",))  # by an alias
    dance = maker.entity("Event", "Dance")
    maker.fact(rui, "danced", maker.entity("Activity", "waltz"), event=("Dance",), when=("2025-01-02",))
    rows = {row.name: row for row in EventTable(maker.graph()).rows}
    assert rows["Picnic"].people == {ana, rui}
    assert rows["Dance"].people == {rui}
    assert rows["Dance"].day == "2025-01-02"
    assert rows["Dance"].told_activities == ("waltz",)
    assert dance == rows["Dance"].entity_id


def test_events_of_a_graph_are_gathered_once() -> None:
    graph = fishing_graph()
    assert events_of(graph) is events_of(graph)
    assert events_of(graph) is not events_of(fishing_graph())


def test_a_plan_of_none_is_nothing_to_carry_out(table: EventTable) -> None:
    assert run_plan(table, GraphPlanOutput(operation="none", what="fishing")) is None


def test_a_graph_without_events_counts_nothing() -> None:
    maker = GraphMaker()
    maker.entity("PersonAnimal", "Ana")
    table = EventTable(maker.graph())
    assert _run(table, "count", of="days").notes == ("0 different days match (anything): none.",)
    assert _run(table, "most", of="activity").notes == ("Most frequent kinds of activity (anything), by days: none.",)
