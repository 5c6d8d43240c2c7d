"""A small life with its graph by hand, and a model that steers as a test says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lifeloom.lifegraph import Attribute, Entity, EntityType, Fact, LifeGraph
from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import BY_CODE, Life
from lifeloom.tasks import (
    GRAPH_PLAN,
    GRAPH_PRUNE,
    GRAPH_REFERENCES,
    GRAPH_SUFFICIENCY,
    GRAPH_TOP_ENTITIES,
    GenerationTask,
    GraphFact,
    GraphPlanOutput,
    GraphPruneOutput,
    GraphReferencesOutput,
    GraphSufficiencyOutput,
    GraphTopEntitiesOutput,
)
from tests.lifeloom.lifegraph.scripted import concept, images

__all__ = ["GraphMaker", "Steering", "fishing_graph", "fishing_life"]


class GraphMaker:
    """Collects entities and facts; ids follow from types and names."""

    def __init__(self) -> None:
        self.entities: dict[str, Entity] = {}
        self.facts: list[Fact] = []

    def entity(self, kind: EntityType, name: str, *aliases: str, sources: Sequence[str] = ()) -> str:
        """Add an entity unless it is there; return its id."""
        entity_id = f"{kind}/{name}"
        self.entities.setdefault(entity_id, Entity(entity_id, kind, name, aliases, tuple(sources)))
        return entity_id

    def fact(self, head: str, relation: str, tail: str, *sources: str, **attributes: Sequence[str]) -> str:
        """Add a fact; return its id."""
        fact_id = f"f-{len(self.facts):03d}"
        own = tuple(Attribute(key, tuple(values)) for key, values in attributes.items())
        self.facts.append(Fact(fact_id, head, relation, tail, own, sources))
        return fact_id

    def graph(self, owner: str = "Ana") -> LifeGraph:
        """Return the graph."""
        return LifeGraph.of("ana", f"PersonAnimal/{owner}", self.entities.values(), self.facts)


EVENTS = (
    ("2024-01-06", "Ice fishing with Rui", "ice fishing", "mountains", ("Ana", "Rui")),
    ("2024-03-02", "A birthday cake for Mom", "birthday", "kitchen", ("Ana", "Lia")),
    ("2024-05-11", "Out fishing", "fishing", "lake", ("Ana", "Rui", "Lia")),
    ("2024-08-20", "Hiking the ridge", "hiking", "forest", ("Rui",)),
    ("2025-02-01", "Fishing again", "fishing", "lake", ("Ana",)),
    ("2025-06-14", "Tennis in the park", "tennis", "park", ("Lia", "Rui")),
)
"""Day, description, activity, place, who was there."""


def fishing_life() -> Life:
    """Ana, her mother Lia and her grandson Rui; six events of two pictures each."""
    concepts = [concept("Ana", shown=True), concept("Lia", "Owner's Mother"), concept("Rui", "Owner's Grandson")]
    pictures = [one for number, row in enumerate(EVENTS) for one in images(number, row[0], row[1], 2, shown=True)]
    return Life.of("ana", concepts, pictures)


def fishing_maker() -> GraphMaker:
    """What a builder makes of that life."""
    maker = GraphMaker()
    for name, aliases in (("Ana", ()), ("Lia", ("Mom", "mother")), ("Rui", ("grandson",))):
        maker.entity("PersonAnimal", name, *aliases, sources=(f"ana-c-{name.lower()}",))
    maker.fact("PersonAnimal/Lia", "motherOf", "PersonAnimal/Ana", "ana-c-lia")
    maker.fact("PersonAnimal/Rui", "grandsonOf", "PersonAnimal/Ana", "ana-c-rui")
    maker.fact("PersonAnimal/Lia", "hasHair", maker.entity("Object", "long grey hair"), "ana-c-lia")
    maker.fact("PersonAnimal/Rui", "hasCareer", maker.entity("Object", "a baker"), "ana-c-rui")
    for number, (day, text, activity, place, there) in enumerate(EVENTS):
        shots = (f"ana-e-{number}-0", f"ana-e-{number}-1")
        event = maker.entity("Event", text, sources=shots)
        maker.fact(event, "onDate", maker.entity("Date", day), shots[0])
        maker.fact(event, "hasActivity", maker.entity("Activity", activity), *shots, attendee=there, place=(place,))
        maker.fact(event, "tookPlaceAt", maker.entity("Location", place), shots[0])
    return maker


def fishing_graph() -> LifeGraph:
    """The graph of ``fishing_life``."""
    return fishing_maker().graph()


class Steering:
    """Answers as it is told; by itself it takes the first entities, scores all alike, and is never done."""

    takes_pictures = False
    scores_options = False
    window_tokens = 100_000

    def __init__(
        self,
        *,
        starts: Callable[[Any], Sequence[int]] = lambda asked: range(1, asked.k + 1),
        scores: Callable[[Sequence[GraphFact]], Sequence[float]] = lambda facts: [1 / len(facts)] * len(facts),
        references: Callable[[Any], Sequence[int]] = lambda asked: (),
        enough: Callable[[Any], bool] = lambda asked: False,
        plan: GraphPlanOutput | None = None,
        refuses: Sequence[str] = (),
    ) -> None:
        self._answers: dict[str, Callable[[Any], Any]] = {
            GRAPH_TOP_ENTITIES.name: lambda asked: GraphTopEntitiesOutput(entities=tuple(starts(asked))),
            GRAPH_PRUNE.name: lambda asked: GraphPruneOutput.model_construct(scores=tuple(scores(asked.candidates))),
            GRAPH_REFERENCES.name: lambda asked: GraphReferencesOutput(references=tuple(references(asked))),
            GRAPH_SUFFICIENCY.name: lambda asked: GraphSufficiencyOutput(sufficient="yes" if enough(asked) else "no"),
            GRAPH_PLAN.name: lambda asked: plan or GraphPlanOutput(operation="none"),
        }
        self._refuses = refuses
        self.asked: list[tuple[str, Any]] = []

    @property
    def identity(self) -> ModelIdentity:
        """A name."""
        return ModelIdentity("scripted", "steering")

    def run(self, task: GenerationTask[Any, Any], task_input: Any, *args: Any, **more: Any) -> Generation[Any]:
        """Answer, and remember what was asked."""
        self.asked.append((task.name, task_input))
        if task.name in self._refuses:
            raise GenerationRejected(task.name, "bad_json", "{", usage=Usage(prompt_tokens=7, completion_tokens=1))
        return Generation(self._answers[task.name](task_input), Usage(10, 2), BY_CODE)

    def inputs(self, name: str) -> list[Any]:
        """Return what was asked of a task."""
        return [task_input for task, task_input in self.asked if task == name]
