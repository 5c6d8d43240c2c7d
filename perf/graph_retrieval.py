"""Retrieval from the graph of a 2,500-picture life, model time excluded (Life-Bench Algorithm 2 at d 3, k 5).

The graph is made here: 380 events with dates, activities, places, people, things and pictures, 9,500 facts. The
built-in model steers; its own time is measured and taken off. Times are processor time of the thread. Opening a graph
of 5,000 facts from its file as a networkx graph is wall time.
"""

from __future__ import annotations

import datetime as dt
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lifeloom.lifegraph.events import events_of
from lifeloom.lifegraph.file import LifeGraphFile, write_graph
from lifeloom.lifegraph.frontier import FactTable
from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.lifegraph.naming import names_of
from lifeloom.lifegraph.retrieval import GraphRetriever
from lifeloom.lifegraph.retrieval_types import Lookup, RetrievalSettings
from lifeloom.lifegraph.types import Attribute, Entity, EntityType, Fact
from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.protocol import Generation
from lifeloom.records import BY_CODE, Concept, Life, LifeImage
from lifeloom.tasks import GenerationTask

EVENTS = 380
OPENED_EVENTS = 200
PEOPLE = (
    ("David", "Account Owner", ()),
    ("Zosime", "Owner's Mother", ("Mom", "mother")),
    ("Rylen", "Owner's Grandson", ("grandson",)),
    ("Imke", "Owner's Aunt", ("aunt",)),
    ("Tobias", "Owner's Brother", ("brother",)),
    ("Pepper", "Owner's Dog", ("dog",)),
)
ACTIVITIES = (
    "fishing",
    "ice fishing",
    "hiking",
    "baking",
    "chess",
    "cycling",
    "birthday",
    "picnic",
    "camping",
    "tennis",
)
PLACES = ("lake", "park", "kitchen", "beach", "forest", "museum", "garden", "library", "street", "harbour")
THINGS = ("umbrella", "balloon", "chair", "guitar", "kite", "mug", "tent", "bicycle", "book", "hat", "cake", "camera")
QUESTIONS = (
    "Who attended the event on {day}?",
    "Which objects can be seen in the photos from {day}?",
    "Where was {name} on {day}, and what were they doing?",
    "In the photo from {day} with a red umbrella, who stands to the left of {name}?",
    "What is the hair of the owner's {relation} like?",
    "What does {name} do for a living?",
    "Is {name} in this picture?",
    "On how many different days did {name} go fishing at the lake?",
    "Who was with {name} right after the day of hiking in the forest with Imke and Rylen?",
    "Which two kinds of activity does {name} take part in most often?",
    "When did {name} go camping for the last time?",
)


class _Timed:
    """A model whose own time is known."""

    def __init__(self, model: BuiltinModel) -> None:
        self._model = model
        self.seconds = 0.0

    def run(self, task: GenerationTask[Any, Any], task_input: Any, *args: Any, **more: Any) -> Generation[Any]:
        started = time.thread_time()
        try:
            return self._model.run(task, task_input, *args, **more)
        finally:
            self.seconds += time.thread_time() - started


def make_life(rng: np.random.Generator, events: int = EVENTS) -> tuple[Life, LifeGraph, list[str]]:
    """Return a life, its graph, and the days of its events."""
    entities: dict[str, Entity] = {}
    facts: list[Fact] = []

    def entity(kind: EntityType, name: str, aliases: tuple[str, ...] = (), sources: tuple[str, ...] = ()) -> str:
        entity_id = f"{kind}-{name}"
        entities.setdefault(entity_id, Entity(entity_id, kind, name, aliases, sources))
        return entity_id

    def fact(head: str, relation: str, tail: str, sources: Sequence[str], **values: Sequence[str]) -> None:
        attributes = tuple(Attribute(key, tuple(own)) for key, own in values.items() if own)
        facts.append(Fact(f"f-{len(facts):06d}", head, relation, tail, attributes, tuple(sources)))

    concepts, images, days = [], [], []
    for name, role, aliases in PEOPLE:
        concept_id = f"david-c-{name.lower()}"
        kind = "animal" if name == "Pepper" else "person"
        concepts.append(
            Concept(concept_id=concept_id, vaccount_id="david", name=name, role=role, kind=kind, made_by=BY_CODE)
        )
        person = entity("PersonAnimal", name, aliases, (concept_id,))
        if aliases:
            fact(person, f"{aliases[-1]}Of", "PersonAnimal-David", (concept_id,))
        fact(person, "hasHair", entity("Object", f"hair of {name}"), (concept_id,))
        fact(person, "hasCareer", entity("Object", f"work of {name}"), (concept_id,))
    for number in range(events):
        day = (dt.date(2011, 1, 1) + dt.timedelta(days=9 * number)).isoformat()
        days.append(day)
        activity, place = rng.choice(ACTIVITIES), rng.choice(PLACES)
        there = [PEOPLE[int(one)][0] for one in rng.permutation(len(PEOPLE))[: int(rng.integers(1, 5))]]
        ids = [f"david-e-{number}-{shot}" for shot in range(7 if number % 2 else 6)]
        text = f"A day of {activity} in the {place} with {there[0]}"
        images += [
            LifeImage(
                image_id=one,
                vaccount_id="david",
                event_id=f"david-e-{number}",
                event_description=text,
                event_date=dt.date.fromisoformat(day),
            )
            for one in ids
        ]
        event = entity("Event", f"{text} ({day})", (), tuple(ids))
        fact(event, "onDate", entity("Date", day), ids[:1])
        fact(event, "hasActivity", entity("Activity", str(activity)), ids, attendee=there, place=[str(place)])
        fact(event, "tookPlaceAt", entity("Location", str(place)), ids[:1])
        for name in there:
            fact(event, "attendedBy", f"PersonAnimal-{name}", ids[:3], image=ids[:3])
        for one in ids:
            for thing in rng.choice(THINGS, 3, replace=False):
                colour = str(rng.choice(("red", "blue", "green")))
                thing_id = entity("Object", str(thing))
                fact(event, "shows", thing_id, [one], colour=[colour], count=["1"], beside=there[:1], image=[one])
    graph = LifeGraph.of("david", "PersonAnimal-David", entities.values(), facts)
    return Life.of("david", concepts, images), graph, days


def measure_opening(times: int = 31) -> None:
    """Open the graph of half a life from its file, and print how long it takes."""
    _, graph, _ = make_life(np.random.default_rng(8), OPENED_EVENTS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "life.sqlite"
        write_graph(path, graph)
        read, linked = [], []
        for _ in range(times):
            started = time.perf_counter()
            with LifeGraphFile.open(path) as file:
                opened = file.graph()
            read.append((time.perf_counter() - started) * 1000)
            graph_of_it = opened.networkx()
            linked.append((time.perf_counter() - started) * 1000)
            del opened, graph_of_it  # or the next time would hold what it takes to free them
    print(
        f"{len(graph.entities)} entities, {len(graph.facts)} facts opened: median {np.median(read):.1f} ms, most "
        f"{max(read):.1f} ms; as a networkx graph median {np.median(linked):.1f} ms, most {max(linked):.1f} ms"
    )


def main() -> None:
    """Measure, and print a line for each setting."""
    measure_opening()
    rng = np.random.default_rng(7)
    life, graph, days = make_life(rng)
    started = time.thread_time()
    FactTable(names_of(graph))
    words = time.thread_time() - started
    started = time.thread_time()
    events_of(graph)
    table = time.thread_time() - started
    print(
        f"{len(life.images)} pictures, {len(life.events)} events, {len(graph.entities)} entities, "
        f"{len(graph.facts)} facts; once a graph: words and facts {words * 1000:.0f} ms, events {table * 1000:.0f} ms"
    )
    asked = [
        QUESTIONS[number % len(QUESTIONS)].format(
            day=days[int(rng.integers(len(days)))],
            name=PEOPLE[int(rng.integers(len(PEOPLE)))][0],
            relation=("mother", "grandson", "aunt")[number % 3],
        )
        for number in range(550)
    ]
    for depth, width, tools in ((2, 3, False), (3, 5, False), (5, 10, False), (3, 5, True)):
        model = _Timed(BuiltinModel())
        settings = RetrievalSettings(depth=depth, width=width, tools=tools)
        retriever = GraphRetriever(model, settings)  # type: ignore[arg-type]
        own, asking, rounds = [], [], []
        for question in asked:
            model.seconds = 0.0
            started = time.thread_time()
            found = retriever.retrieve(graph, life, Lookup(question, has_picture="this picture" in question))
            own.append((time.thread_time() - started - model.seconds) * 1000)
            asking.append(model.seconds * 1000)
            rounds.append(found.rounds)
        print(
            f"d {depth}, k {width}{', tools' if tools else ''}: median {np.median(own):.2f} ms, "
            f"p95 {np.percentile(own, 95):.2f} ms, most {max(own):.2f} ms; the model besides "
            f"{np.median(asking):.2f} ms; {np.mean(rounds):.2f} rounds"
        )


if __name__ == "__main__":
    main()
