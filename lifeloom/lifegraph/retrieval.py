"""Retrieval from a life graph: beam search that a model steers, with sources on demand (Life-Bench Algorithm 2)."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from lifeloom.lifegraph.events import EventRow, events_of
from lifeloom.lifegraph.frontier import FactTable, Frontier
from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.lifegraph.kept import Kept
from lifeloom.lifegraph.naming import GraphNames, names_of
from lifeloom.lifegraph.retrieval_types import Lookup, RetrievalSettings, Retrieved
from lifeloom.lifegraph.sources import Cited, sources_of
from lifeloom.lifegraph.tools import ToolResult, run_plan
from lifeloom.lifegraph.trace import (
    CandidateTrace,
    EntityTrace,
    ReferenceTrace,
    RetrievalTrace,
    RoundTrace,
    StopReason,
    ToolTrace,
)
from lifeloom.lifegraph.types import Fact
from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import Life
from lifeloom.tasks import (
    GRAPH_PLAN,
    GRAPH_PRUNE,
    GRAPH_REFERENCES,
    GRAPH_SUFFICIENCY,
    GRAPH_TOP_ENTITIES,
    EntityLine,
    GenerationTask,
    GraphFact,
    GraphPlanInput,
    GraphPruneInput,
    GraphReferencesInput,
    GraphSufficiencyInput,
    GraphTopEntitiesInput,
    TaskInput,
    TaskOutput,
)

__all__ = ["GraphRetriever", "Lookup", "RetrievalSettings", "Retrieved"]

_InputT = TypeVar("_InputT", bound=TaskInput)
_OutputT = TypeVar("_OutputT", bound=TaskOutput)

_tables: Kept[GraphNames, FactTable] = Kept(FactTable)
_PEOPLE = 12
"""People whose kinship goes with what was counted."""


class GraphRetriever:
    """Looks things up in life graphs. Keeps nothing between lookups but what ``names_of`` keeps of a graph."""

    def __init__(self, model: LanguageModel, settings: RetrievalSettings | None = None) -> None:
        self._model = model
        self.settings = settings or RetrievalSettings()

    def retrieve(self, graph: LifeGraph, life: Life, asked: Lookup) -> Retrieved:
        """Return what ``graph`` and the sources it cites say about a question.

        Whatever the model answers, there is a result: an answer that cannot be used is replaced (numbers out of
        range are left out, a wrong count of scores counts as uniform) and said so in the trace's notes.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
        """
        return _Search(self._model, self.settings, graph, life, asked).run()


@dataclass(frozen=True)
class _Step:
    """A fact together with the entity from which it was reached."""

    fact: Fact
    start: str

    @property
    def end(self) -> str:
        return self.fact.other(self.start)


class _Search:
    """One lookup."""

    def __init__(
        self, model: LanguageModel, settings: RetrievalSettings, graph: LifeGraph, life: Life, asked: Lookup
    ) -> None:
        self._model = model
        self._settings = settings
        self._graph = graph
        self._names: GraphNames = names_of(graph)
        self._sources = sources_of(life)
        self._asked = asked
        owner = graph.entities.get(graph.owner_id)
        self._owner = owner.name if owner is not None else (life.owner.name if life.owner is not None else "")
        self._nearness = self._names.nearness(asked.question)
        self._path: dict[str, _Step] = {}
        self._nodes: dict[str, None] = {}
        self._fetched: tuple[Cited, ...] = ()
        self._notes: list[str] = []
        self._prompt_tokens = 0
        self._completion_tokens = 0

    def run(self) -> Retrieved:
        if not self._graph.entities:
            return self._result((), None, (), "empty_graph")
        tool, tool_trace = self._tools() if self._settings.tools else (None, None)
        if tool is not None:
            return self._counted(tool, tool_trace)
        starts, considered = self._top_entities()
        if not starts:
            return self._result(considered, None, (), "no_start")
        self._nodes.update(dict.fromkeys(starts))
        rounds: list[RoundTrace] = []
        frontier: list[str] = starts
        stopped: StopReason = "depth"
        for number in range(1, self._settings.depth + 1):
            shown, searched = self._candidates(frontier)
            if not shown:
                stopped = "nothing_left"
                break
            kept, traces = self._prune(shown)
            self._path.update({step.fact.fact_id: step for step in kept})
            frontier = list(dict.fromkeys(step.end for step in kept))
            self._nodes.update(dict.fromkeys(frontier))
            references = self._references() if self._settings.references else ()
            enough = self._enough() if self._settings.early_stop else None
            rounds.append(
                RoundTrace(
                    number=number,
                    searched=searched,
                    considered=len(shown),
                    candidates=traces,
                    references=references,
                    sufficient=enough,
                )
            )
            if enough:
                stopped = "enough"
                break
        return self._result(considered, None, rounds, stopped)

    @functools.cached_property
    def _frontier(self) -> Frontier:
        return Frontier(_tables.of(self._names), self._asked.question, self._nearness)

    # Steps of the algorithm

    def _top_entities(self) -> tuple[list[str], tuple[EntityTrace, ...]]:
        """TopEntities(x, G, k): recognised concepts and everybody of the life, then the nearest by name."""
        recognised = [entity for one in self._asked.recognised for entity in self._person_of(one)]
        people = [one.entity_id for one in self._graph.of_type("PersonAnimal")]
        people.sort(key=lambda one: -self._nearness.get(one, 0.0))
        # a graph may hold hundreds of people; the others need room too
        people = people[: max(1, self._settings.most_entities // 2)]
        nearest = self._names.nearest(self._nearness, self._settings.most_entities)
        offered = list(dict.fromkeys([*recognised, *people, *nearest]))[: self._settings.most_entities]
        if not offered:  # neither people nor words in common: the first entities, so that there is a start
            offered = list(self._graph.entities)[: self._settings.most_entities]
        output = self._ask(
            GRAPH_TOP_ENTITIES,
            GraphTopEntitiesInput(
                owner=self._owner,
                question=self._asked.question,
                options=self._asked.options,
                recognised=tuple(self._graph.entities[one].name for one in dict.fromkeys(recognised)),
                entities=tuple(self._entity_line(one) for one in offered),
                k=self._settings.width,
            ),
        )
        chosen = self._numbered("top entities", () if output is None else output.entities, len(offered))
        if not chosen:
            self._notes.append("no entity was chosen to start from: the nearest by name are taken")
            nearest_first = sorted(range(len(offered)), key=lambda n: (-self._nearness.get(offered[n], 0.0), n))
            chosen = nearest_first
        starts = [offered[number] for number in chosen[: self._settings.width]]
        traces = tuple(
            EntityTrace(
                entity_id=one,
                name=self._graph.entities[one].name,
                type=self._graph.entities[one].type,
                nearness=round(self._nearness.get(one, 0.0), 4),
                kept=one in starts,
            )
            for one in offered
        )
        return starts, traces

    def _candidates(self, frontier: Sequence[str]) -> tuple[list[_Step], int]:
        """Search(G, n, paths): facts at the frontier, in both directions, that are on no path, and how many there are.

        At most as many as a call scores: the nearest to the question's words, equally near ones by date, then id.
        """
        most = self._settings.most_candidates
        nodes = self._nodes if self._settings.visited == "node" else ()
        found, count = self._frontier.search(frontier, self._path, nodes, most)
        if count > most:
            self._notes.append(f"{count} facts at the frontier: the {most} nearest to the question's words were scored")
        return [_Step(self._graph.facts[fact_id], start) for fact_id, start in found], count

    def _prune(self, steps: Sequence[_Step]) -> tuple[list[_Step], tuple[CandidateTrace, ...]]:
        """Prune(F, x, paths, k, candidates): one call; ties by earlier date, then id."""
        output = self._ask(
            GRAPH_PRUNE,
            GraphPruneInput(
                owner=self._owner,
                question=self._asked.question,
                options=self._asked.options,
                recognised=self._recognised_names(),
                paths=self._path_lines(),
                candidates=tuple(self._names.line(step.fact) for step in steps),
                k=self._settings.width,
            ),
        )
        scores = self._scores(None if output is None else output.scores, len(steps))
        order = sorted(
            range(len(steps)),
            key=lambda n: (-scores[n], self._names.fact_ranks[steps[n].fact.fact_id]),
        )
        kept = order[: self._settings.width]
        last = scores[kept[-1]]
        traces = []
        for rank, number in enumerate(order):
            if rank < len(kept):
                why = f"rank {rank + 1} of the {self._settings.width} kept"
            elif scores[number] == last:
                why = "as good as the last one kept, but later in date or id"
            else:
                why = f"rank {rank + 1}, below the width"
            line = self._names.line(steps[number].fact)
            traces.append(
                CandidateTrace(
                    fact_id=steps[number].fact.fact_id,
                    fact=f"{line.head} -{line.relation}-> {line.tail}",
                    start=self._graph.entities[steps[number].start].name,
                    score=round(scores[number], 6),
                    kept=rank < len(kept),
                    why=why,
                )
            )
        return [steps[number] for number in kept], tuple(traces)

    def _scores(self, given: Sequence[float] | None, count: int) -> list[float]:
        """Return usable scores that sum to 1 (Think-on-Graph: a wrong count counts as uniform)."""
        problem = ""
        if given is None:
            problem = "there are no scores"
        elif len(given) != count:
            problem = f"{len(given)} scores for {count} candidates"
        elif not all(math.isfinite(score) and score >= 0 for score in given):
            problem = "a score is negative or no number"
        elif not math.isfinite(sum(given)):
            problem = "the scores sum to more than a number holds"
        elif (total := math.fsum(given)) <= 0:
            problem = "all scores are 0"
        else:
            if abs(total - 1) > 0.01:
                self._notes.append(f"the scores summed to {total:.3f} instead of 1: divided by it")
            return [score / total for score in given]
        self._notes.append(f"{problem}: every candidate counts the same")
        return [1 / count] * count

    def _references(self) -> tuple[ReferenceTrace, ...]:
        """fetch_reference(F, x, paths): decided anew from all paths in every round."""
        cited = self._cited()
        lines = [one for one in cited if one.found]
        chosen: list[int] = []
        if lines:
            output = self._ask(
                GRAPH_REFERENCES,
                GraphReferencesInput(
                    owner=self._owner,
                    question=self._asked.question,
                    options=self._asked.options,
                    paths=self._path_lines(),
                    references=tuple(one.line for one in lines),
                    k=self._settings.most_references,
                ),
            )
            chosen = self._numbered("references", () if output is None else output.references, len(lines))
        self._fetched = tuple(lines[number] for number in chosen[: self._settings.most_references])
        taken = {one.source_id for one in self._fetched}
        return tuple(
            ReferenceTrace(
                source_id=one.source_id,
                fetched=one.source_id in taken,
                note="" if one.found else "neither a concept nor a picture of this life",
            )
            for one in cited
        )

    def _enough(self) -> bool:
        """Reasoning(F, x, paths, references)."""
        images = [one.image for one in self._fetched if one.image is not None]
        output = self._ask(
            GRAPH_SUFFICIENCY,
            GraphSufficiencyInput(
                owner=self._owner,
                question=self._asked.question,
                options=self._asked.options,
                picture_shown=self._asked.has_picture,
                paths=self._path_lines(),
                images=tuple(self._sources.seen(one) for one in images),
                concepts=tuple(one.concept.name for one in self._fetched if one.concept is not None),
            ),
        )
        return output is not None and output.sufficient == "yes"

    # Counting and ordering

    def _tools(self) -> tuple[ToolResult | None, ToolTrace | None]:
        people = tuple(self._entity_line(one.entity_id) for one in self._graph.of_type("PersonAnimal"))
        output = self._ask(GRAPH_PLAN, GraphPlanInput(owner=self._owner, question=self._asked.question, people=people))
        if output is None:
            return None, None
        table = events_of(self._graph)
        result = run_plan(table, output)
        if result is None:
            return None, None
        self._notes += result.problems
        said = {key: _spoken(value) for key, value in output.model_dump().items() if value}
        trace = ToolTrace(
            plan=said,
            considered=len(table.rows),
            matching=tuple(row.name for row in result.events),
            notes=result.notes,
        )
        return result, trace

    def _counted(self, tool: ToolResult, trace: ToolTrace | None) -> Retrieved:
        """Return what counting came to, with the events that it follows from."""
        decisive = tool.events[: tool.decisive]
        for row in tool.events[: self._settings.most_references]:
            full = row in decisive
            for fact in self._graph.incident(row.entity_id):
                kinds = {self._graph.entities[fact.head].type, self._graph.entities[fact.tail].type}
                if full or kinds & {"Date", "Activity"}:
                    self._path[fact.fact_id] = _Step(fact, row.entity_id)
        cited = self._sources.cited([source for row in tool.events for source in self._first_of(row)])
        more = self._sources.cited([source for row in decisive for source in row.sources])
        for person in self._graph.of_type("PersonAnimal")[:_PEOPLE]:
            for fact in self._graph.incident(person.entity_id):
                if self._graph.entities[fact.other(person.entity_id)].type == "PersonAnimal":
                    self._path[fact.fact_id] = _Step(fact, person.entity_id)  # who "Rylen's grandfather" is
        asked = self._sources.cited([source for one in tool.people for source in self._graph.entities[one].sources])
        found = {one.source_id: one for one in (*asked, *cited, *more) if one.found}
        if self._settings.references:
            self._fetched = tuple(found.values())[: self._settings.most_references]
        return self._result((), trace, (), "counted", tool.notes, tuple(found))

    def _first_of(self, row: EventRow) -> tuple[str, ...]:
        return next(((one,) for one in row.sources if self._sources.is_image(one)), row.sources[:1])

    # What it comes to

    def _result(
        self,
        starts: Sequence[EntityTrace],
        tool: ToolTrace | None,
        rounds: Sequence[RoundTrace],
        stopped: StopReason,
        notes: tuple[str, ...] = (),
        cited: tuple[str, ...] = (),
    ) -> Retrieved:
        trace = RetrievalTrace(
            question=self._asked.question,
            depth=self._settings.depth,
            width=self._settings.width,
            starts=tuple(starts),
            tool=tool,
            rounds=tuple(rounds),
            stopped=stopped,
            notes=tuple(dict.fromkeys(self._notes)),
        )
        cited = cited or tuple(one.source_id for one in self._cited() if one.found)
        fetched = [one.source_id for one in self._fetched]
        return Retrieved(
            facts=self._path_lines(),
            concepts=tuple(one.concept for one in self._fetched if one.concept is not None),
            images=tuple(one.image for one in self._fetched if one.image is not None),
            notes=notes,
            retrieved_ids=tuple(dict.fromkeys([*fetched, *cited])),
            rounds=len(rounds),
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            trace=trace,
        )

    def _cited(self) -> tuple[Cited, ...]:
        """Return the sources of the paths: concepts first, then what facts cite, then what events on them cite."""
        nodes = dict(self._nodes)
        pictures: dict[str, None] = {}
        for step in self._path.values():
            pictures.update(dict.fromkeys(step.fact.sources))
            # who takes part in an n-ary fact is on the path as much as its two ends
            for attribute in step.fact.attributes:
                nodes.update(dict.fromkeys(one for value in attribute.values for one in self._names.called(value)))
        concepts: dict[str, None] = {}
        for entity_id in nodes:
            entity = self._graph.entities[entity_id]
            own = [one for one in entity.sources if self._sources.concept(one) is not None]
            concepts.update(dict.fromkeys(own))
            # a person cites the pictures of a whole life, an event its own
            if entity.type == "Event" or (entity.type == "PersonAnimal" and not own):
                pictures.update(dict.fromkeys(entity.sources))
        return self._sources.cited([*concepts, *pictures])

    # Small parts

    def _person_of(self, concept_id: str) -> tuple[str, ...]:
        """Return the entity of a concept: the one that cites it, else the one of its name."""
        concept = self._sources.concept(concept_id)
        found = self._names.citing(concept_id) or (() if concept is None else self._names.called(concept.name))
        return tuple(one for one in found if self._graph.entities[one].type == "PersonAnimal")

    def _recognised_names(self) -> tuple[str, ...]:
        ids = [entity for one in self._asked.recognised for entity in self._person_of(one)]
        return tuple(self._graph.entities[one].name for one in dict.fromkeys(ids))

    def _entity_line(self, entity_id: str) -> EntityLine:
        entity = self._graph.entities[entity_id]
        return EntityLine(name=entity.name, type=entity.type, aliases=entity.aliases[:12])

    def _path_lines(self) -> tuple[GraphFact, ...]:
        return tuple(self._names.line(step.fact) for step in self._path.values())

    def _numbered(self, what: str, given: Sequence[int], count: int) -> list[int]:
        """Return usable numbers from 0: each once, those out of range left out."""
        usable = list(dict.fromkeys(number - 1 for number in given if 1 <= number <= count))
        if len(usable) < len(given):
            self._notes.append(f"{what}: {len(given) - len(usable)} of {len(given)} numbers were doubled or unknown")
        return usable

    def _ask(self, task: GenerationTask[_InputT, _OutputT], task_input: _InputT) -> _OutputT | None:
        """Return the model's answer; None where it gave none that can be read."""
        try:
            given = self._model.run(task, task_input)
        except GenerationRejected as error:
            self._prompt_tokens += error.usage.prompt_tokens
            self._completion_tokens += error.usage.completion_tokens
            self._notes.append(f"{task.name} was not answered ({error.reason})")
            return None
        self._prompt_tokens += given.usage.prompt_tokens
        self._completion_tokens += given.usage.completion_tokens
        return given.output


def _spoken(value: object) -> str:
    return " and ".join(str(one) for one in value) if isinstance(value, tuple) else str(value)
