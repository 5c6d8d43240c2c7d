"""A memory database as a life graph."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from lifeloom.assistant.memory_graph import graph_of_memory
from lifeloom.assistant.memory_graph.people import names_in
from lifeloom.lifegraph import LifeGraph
from lifeloom.memory import DialogueTurn, EpisodeDraft, Origin, SemanticDraft, SetValue, UserMemory, erase_turn
from lifeloom.records import Moment
from tests.remembering import MONDAY, OFFSET

SAID = (
    ("My cousin Bilal sails.", ("Bilal", "sail")),
    ("I bought a kite.", ("kite",)),
    ("Bilal sold his boat, no sail any more.", ("Bilal", "sail", "boat")),
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[UserMemory]:
    with UserMemory.open(tmp_path / "ines.sqlite", "ines") as opened:
        for index, (text, keywords) in enumerate(SAID):
            at = MONDAY + dt.timedelta(days=index)
            opened.add_turn(DialogueTurn(index, index, at, OFFSET, text, "I see."))
            opened.apply(f"turn-{index}", [SemanticDraft("fact", text, keywords, (index,))], Origin(at, index + 1))
        end = Origin(MONDAY + dt.timedelta(days=2, hours=1), 3)
        name = SetValue("core", "name", "Ines Costa", (0,), "human")
        episode = EpisodeDraft("The user told of Bilal's boat.", ("boat",), (2,))
        opened.apply("session-2", [name, episode], end)
        yield opened


def edges(graph: LifeGraph, relation: str) -> list[tuple[str, str]]:
    name = {one.entity_id: one.name for one in graph.entities.values()}
    return [(name[fact.head], name[fact.tail]) for fact in graph.facts.values() if fact.relation == relation]


def test_people_days_episodes_and_matters_are_nodes_with_edges_between(memory: UserMemory) -> None:
    graph = graph_of_memory(memory)
    assert graph.entities[graph.owner_id].name == "Ines Costa"
    assert {one.name for one in graph.of_type("PersonAnimal")} == {"Ines Costa", "Bilal"}
    (event,) = graph.of_type("Event")
    assert edges(graph, "onDate") == [(event.name, "2026-01-07")]
    assert edges(graph, "involves") == [(event.name, "Bilal")]
    (part,) = edges(graph, "partOf")
    (concerns,) = edges(graph, "concerns")
    assert part == (event.name, concerns[0])
    assert concerns[1] == "Bilal"
    assert sorted(tail for _, tail in edges(graph, "told")).count(concerns[0]) == 2


def test_every_node_and_edge_cites_memories_and_turns_that_are_there(memory: UserMemory) -> None:
    graph = graph_of_memory(memory)
    known = {one.memory_id for kind in ("core", "semantic", "episodic") for one in memory.memories(kind)}  # type: ignore[arg-type]
    cited = {f"turn-{index}" for index in range(3)}
    assert graph.facts
    for one in (*graph.facts.values(), *graph.entities.values()):
        assert one.sources
        assert set(one.sources) <= known | cited
    told = [fact for fact in graph.facts.values() if fact.relation == "told"]
    assert sorted(source for fact in told for source in fact.sources if source.startswith("turn-")) == sorted(cited)


def test_a_graph_of_a_moment_knows_nothing_later(memory: UserMemory) -> None:
    graph = graph_of_memory(memory, Moment(MONDAY + dt.timedelta(days=1), 2))
    assert not graph.of_type("Event")
    assert graph.entities[graph.owner_id].name == "the user"
    assert {source for one in graph.facts.values() for source in one.sources if source.startswith("turn")} == {
        "turn-0",
        "turn-1",
    }
    assert max(one.known_turns for one in graph.facts.values()) == 2


def test_what_was_erased_is_gone_from_the_graph(memory: UserMemory) -> None:
    graph_of_memory(memory)
    erase_turn(memory, 2)
    graph = graph_of_memory(memory)
    assert "turn-2" not in {source for one in graph.facts.values() for source in one.sources}
    assert "boat" not in repr(graph)


def test_the_same_file_gives_the_same_graph(memory: UserMemory) -> None:
    first = graph_of_memory(memory)
    with UserMemory.open(memory.path, "ines", read_only=True) as again:
        assert graph_of_memory(again) == first


def test_an_empty_memory_is_a_graph_of_the_user_alone(tmp_path: Path) -> None:
    with UserMemory.open(tmp_path / "new.sqlite", "new") as memory:
        graph = graph_of_memory(memory)
    assert [one.name for one in graph.entities.values()] == ["the user"]
    assert not graph.facts


def names(tmp_path: Path, *said: tuple[str, tuple[str, ...]]) -> list[str]:
    with UserMemory.open(tmp_path / "some.sqlite", "some") as memory:
        for index, (text, keywords) in enumerate(said):
            at = MONDAY + dt.timedelta(days=index)
            memory.add_turn(DialogueTurn(index, index, at, OFFSET, text, ""))
            memory.apply(f"turn-{index}", [SemanticDraft("fact", text, keywords, (index,))], Origin(at, index + 1))
        return list(names_in(memory.memories("semantic")))


def test_a_name_that_only_begins_sentences_is_found_by_its_keyword(tmp_path: Path) -> None:
    assert names(tmp_path, ("Bilal sent a card.", ("Bilal", "card"))) == ["Bilal"]


def test_what_merely_begins_a_sentence_is_no_name(tmp_path: Path) -> None:
    said = (("Pancakes again. I met Rui's dog.", ("pancakes", "Rui")), ("Pancakes, says rui?", ("Pancakes",)))
    assert names(tmp_path, *said) == []


def test_months_and_days_are_no_names(tmp_path: Path) -> None:
    assert names(tmp_path, ("We met Ada in March on Monday.", ("Ada", "March", "Monday"))) == ["Ada"]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("We practise every Saturday in Lyon.", ["Lyon"]),
        ("Ruth moved to Bergen with Omar.", ["Bergen"]),
        ("I wrote to Ruth from Oslo.", []),  # a letter can be from anybody
        ("We went back to Oslo with Ruth.", ["Oslo"]),
        ("Dinner was in Ruth's kitchen.", []),
        ("I met Ada and Bo near Turin.", ["Turin"]),
    ],
)
def test_towns_are_no_people(tmp_path: Path, text: str, places: list[str]) -> None:
    with UserMemory.open(tmp_path / "some.sqlite", "some") as memory:
        memory.add_turn(DialogueTurn(0, 0, MONDAY, OFFSET, text, ""))
        keywords = tuple(word.strip(".'s") for word in text.split() if word[0].isupper())
        memory.apply("turn-0", [SemanticDraft("fact", text, keywords, (0,))], Origin(MONDAY, 1))
        graph = graph_of_memory(memory)
    assert [one.name for one in graph.of_type("Location")] == places
    people = {one.name for one in graph.of_type("PersonAnimal")}
    assert not people & set(places)
