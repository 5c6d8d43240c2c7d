"""Construction of a life graph: two steps of two turns each, bin by bin (Life-Bench Sections 4.3 and 8.1).

Step 1 makes the social scaffold out of the concepts. Step 2 goes through the events in the order of time, in bins of
what one prompt can hold, with the scaffold as context. In each step a model first finds candidates, then states facts
among those that were taken. Whatever does not fit the schema is rejected with its reason and counted.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from pydantic import ValidationError

from lifeloom.lifegraph.acceptance import Acceptance, Shown, Tally
from lifeloom.lifegraph.bins import binned
from lifeloom.lifegraph.file import LifeGraphFile, LifeGraphFileBroken, LifeGraphFileOther
from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.lifegraph.reports import BinReport, BuiltGraph, GraphSettings, Repair, Step
from lifeloom.lifegraph.resolution import Resolver, display_names
from lifeloom.models.protocol import GenerationRejected, LanguageModel, Usage
from lifeloom.models.tokens import count_tokens, picture_tokens
from lifeloom.records import Concept, Life, LifeImage, PictureReference, Rejection
from lifeloom.tasks import (
    GRAPH_CANDIDATES,
    GRAPH_TRIPLES,
    CandidateLine,
    GenerationTask,
    GraphCandidatesInput,
    GraphSource,
    GraphTriplesInput,
    ScaffoldLine,
)
from lifeloom.tasks.base import InputT, OutputT
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["BinReport", "BuiltGraph", "GraphSettings", "Repair", "build_graph"]

_BUILDER = "1"
"""Raised when the same answers make another graph."""
_KNOWN_TOKENS = 4
"""About what a name of an entity takes in a prompt."""


def build_graph(
    path: str | os.PathLike[str],
    life: Life,
    model: LanguageModel,
    settings: GraphSettings | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> BuiltGraph:
    """Build the graph of ``life`` in the file ``path``, or go on where it was interrupted.

    A file that is finished is only read. The same answers give the same bytes.

    Args:
        path: the file; its folder is made where it is missing.
        life: concepts and pictures; pictures that are not at hand are told by their text.
        model: asked twice a bin.
        settings: sizes of bins and answers.
        progress: told after each bin how many are done, and of how many.

    Raises:
        LifeGraphFileOther: the file was made from another life, by another model, or with other settings.
        LifeGraphFileError: the file cannot be used.
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering; what is done is kept.
    """
    settings = settings or GraphSettings()
    made_from = _digest(life, model, settings)
    place = Path(path)
    if place.exists():
        file = LifeGraphFile.open(place, read_only=False)
        if file.made_from != made_from or file.life_id != life.vaccount_id:
            file.close()
            raise LifeGraphFileOther(
                f"{place} is the graph of {file.life_id!r} as it was made from another history, by another model or "
                "with other settings: remove it, or give another path"
            )
    else:
        file = LifeGraphFile.create(place, life.vaccount_id, made_from=made_from)
    with file:
        return _Builder(file, life, model, settings).build(progress)


class _Builder:
    def __init__(self, file: LifeGraphFile, life: Life, model: LanguageModel, settings: GraphSettings) -> None:
        self._file = file
        self._life = life
        self._model = model
        self._settings = settings
        graph = file.graph()
        self._resolver = Resolver(life, graph.entities.values())
        self._accepted = Acceptance(self._resolver, graph.facts.values())
        self._shows = model.takes_pictures
        self._names = display_names(life.concepts)
        try:
            self._reports = {number: BinReport.model_validate_json(text) for number, text in file.reports().items()}
        except ValidationError as error:
            raise LifeGraphFileBroken(f"a report in {file.path} cannot be read ({error}): remove the file") from error

    def build(self, progress: Callable[[int, int], None] | None) -> BuiltGraph:
        social, events = self._bins()
        for number in range(len(social) + len(events)):
            if number not in self._reports:
                scaffolding = number < len(social)
                report = (
                    self._social(number, social[number])
                    if scaffolding
                    else self._events(number, events[number - len(social)])
                )
                self._keep(report)
            if progress is not None:
                progress(number + 1, len(social) + len(events))
        if not self._file.finished:
            self._file.finish()
        graph = LifeGraph.of(
            self._life.vaccount_id,
            self._file.owner_id,
            self._resolver.entities.values(),
            self._accepted.facts.values(),
        )
        return BuiltGraph(graph, tuple(self._reports[number] for number in sorted(self._reports)), self._missing())

    def _bins(self) -> tuple[list[list[Concept]], list[list[LifeImage]]]:
        settings = self._settings
        scaffold = sum(
            count_tokens(f"- {self._names[one.concept_id]} ({one.role})") + 12 for one in self._life.concepts
        )
        portraits = [one.portrait for one in self._life.concepts if one.portrait is not None] if self._shows else []
        fixed = count_tokens(GRAPH_CANDIDATES.instructions) + 60
        room = settings.bin_tokens - fixed
        social = binned(
            [[one] for one in self._life.concepts],
            tokens=room,
            pictures=settings.bin_pictures,
            cost=lambda one: self._cost(_about(one, self._names), one.portrait),
        )
        room -= scaffold + sum(picture_tokens(one.width, one.height) for one in portraits)
        room -= _KNOWN_TOKENS * settings.known_names
        events = binned(
            [event.images for event in self._life.events],
            tokens=room,
            pictures=settings.bin_pictures - len(portraits),
            cost=lambda one: self._cost(f"{one.image_id} {one.event_id} {one.event_description}", one.picture),
        )
        return social, events

    def _cost(self, text: str, picture: PictureReference | None) -> tuple[int, int]:
        if picture is None or not self._shows:
            return count_tokens(text) + 10, 0
        return count_tokens(text) + 12 + picture_tokens(picture.width, picture.height), 1

    def _social(self, number: int, concepts: Sequence[Concept]) -> BinReport:
        sources = tuple(
            GraphSource(
                source_id=one.concept_id,
                text=_unmarked(_about(one, self._names)),
                shown=self._shows and one.portrait is not None,
            )
            for one in concepts
        )
        scaffold = self._scaffold()
        images = [*self._portraits(scaffold), *(one.portrait for one in concepts if one.portrait is not None)]
        turn = GraphCandidatesInput(
            step="social", owner=self._owner, scaffold=tuple(scaffold.values()), sources=sources
        )
        done = self._ask(number, turn, images if self._shows else [])
        for one in concepts:
            entity_id = self._resolver.concept_entity(one.concept_id)
            if entity_id not in self._resolver.entities:
                done.repairs.append(Repair(kind="person_added", item=one.concept_id))
            self._resolver.take_concept(one)
        return done.report(number, "social", [one.concept_id for one in concepts], [])

    def _events(self, number: int, images: Sequence[LifeImage]) -> BinReport:
        sources = tuple(
            GraphSource(
                source_id=one.image_id,
                event_id=one.event_id,
                date=one.event_date.isoformat(),
                text=_unmarked(one.event_description),
                shown=self._shows and one.picture is not None,
            )
            for one in images
        )
        scaffold = self._scaffold()
        pictures = [*self._portraits(scaffold), *(one.picture for one in images if one.picture is not None)]
        turn = GraphCandidatesInput(
            step="events",
            owner=self._owner,
            scaffold=tuple(scaffold.values()),
            known=self._known(),
            sources=sources,
        )
        done = self._ask(number, turn, pictures if self._shows else [])
        events = list(dict.fromkeys(one.event_id for one in images))
        for event_id in events:
            entity_id = self._resolver.event_entity(event_id)
            if entity_id is not None and self._accepted.add_date(entity_id):
                done.repairs.append(Repair(kind="date_added", item=event_id))
        return done.report(number, "events", [one.image_id for one in images], events)

    def _ask(self, number: int, turn: GraphCandidatesInput, images: Sequence[PictureReference]) -> _Asked:
        """Put both turns; an answer that cannot be read is counted, and building goes on."""
        done = _Asked()
        shown = Shown(f"bin {number}", {one.source_id: one.text for one in turn.sources})
        found = done.run(self._model, GRAPH_CANDIDATES, turn, images, shown.label)
        if found is None:
            return done
        taken = self._accepted.candidates(found.entities, shown, done.tally, self._settings.most_candidates)
        if not taken.given:
            return done
        lines = tuple(CandidateLine(name=_unmarked(name), type=kind) for name, kind in taken.given)
        stated = done.run(
            self._model, GRAPH_TRIPLES, GraphTriplesInput(turn=turn, candidates=lines), images, shown.label
        )
        if stated is not None:
            self._accepted.triples(stated.triples, taken, shown, done.tally, self._settings.most_triples)
        return done

    def _keep(self, report: BinReport) -> None:
        resolver, accepted = self._resolver, self._accepted
        owner = resolver.owner_id if resolver.owner_id in resolver.entities else ""
        self._file.finish_bin(
            report.number,
            report.model_dump_json(),
            [resolver.entities[one] for one in resolver.changed],
            [accepted.facts[one] for one in accepted.changed],
            owner_id=owner,
        )
        resolver.changed.clear()
        accepted.changed.clear()
        self._reports[report.number] = report

    @property
    def _owner(self) -> str:
        owner = self._life.owner
        return "" if owner is None else self._names[owner.concept_id]

    def _scaffold(self) -> dict[str, ScaffoldLine]:
        """Return who is known so far, by concept."""
        lines = {}
        for one in self._life.concepts:
            entity = self._resolver.entities.get(self._resolver.concept_entity(one.concept_id))
            if entity is not None:
                lines[one.concept_id] = ScaffoldLine(
                    name=_unmarked(entity.name),
                    aliases=tuple(_unmarked(alias) for alias in entity.aliases),
                    role=_unmarked(one.role),
                    shown=self._shows and one.portrait is not None,
                )
        return lines

    def _portraits(self, scaffold: dict[str, ScaffoldLine]) -> list[PictureReference]:
        concepts = [one for one in self._life.concepts if one.concept_id in scaffold]
        return [one.portrait for one in concepts if one.portrait is not None]

    def _known(self) -> tuple[str, ...]:
        """Return the names found last of what comes again: places, activities, things."""
        kinds = ("Location", "Activity", "Object")
        latest = (one.name for one in reversed(self._resolver.entities.values()) if one.type in kinds)
        return tuple(_unmarked(name) for name in itertools.islice(latest, self._settings.known_names))[::-1]

    def _missing(self) -> tuple[Rejection, ...]:
        unread = {event for report in self._reports.values() if report.failure for event in report.events}
        return tuple(
            Rejection(
                stage="life_graphs/events",
                item=event.event_id,
                reason="answer_rejected" if event.event_id in unread else "not_found",
                detail=event.description[:500],
            )
            for event in self._life.events
            if self._resolver.event_entity(event.event_id) is None
        )


class _Asked:
    """What one bin brought."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.repairs: list[Repair] = []
        self._failure = ""
        self._prompt_tokens = 0
        self._completion_tokens = 0

    def run(
        self,
        model: LanguageModel,
        task: GenerationTask[InputT, OutputT],
        task_input: InputT,
        images: Sequence[PictureReference],
        label: str,
    ) -> OutputT | None:
        """Ask, and count what it cost; None where the answer could not be read."""
        self.tally.came["answers"] += 1
        try:
            given = model.run(task, task_input, images)
        except GenerationRejected as error:
            self._count(error.usage)
            self._failure = f"{task.name}: {error.reason}"
            self.tally.reject("answers", f"{label}: {task.name}", error.reason, error.detail)
            return None
        self._count(given.usage)
        self.tally.taken["answers"] += 1
        return given.output

    def _count(self, usage: Usage) -> None:
        self._prompt_tokens += usage.prompt_tokens
        self._completion_tokens += usage.completion_tokens

    def report(self, number: int, step: Step, sources: Sequence[str], events: Sequence[str]) -> BinReport:
        """Return the bin's report."""
        tally = self.tally
        return BinReport(
            number=number,
            step=step,
            sources=tuple(sources),
            events=tuple(events),
            candidates=tally.came["candidates"],
            candidates_taken=tally.taken["candidates"],
            triples=tally.came["triples"],
            triples_taken=tally.taken["triples"],
            values=tally.came["values"],
            values_taken=tally.taken["values"],
            rejected=tally.counts(),
            samples=tuple(tally.samples),
            repairs=tuple(self.repairs),
            failure=self._failure,
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
        )


def _about(concept: Concept, names: dict[str, str]) -> str:
    lines = [f"Name: {names[concept.concept_id]}", f"Role: {concept.role}"]
    return "\n".join([*lines, *([f"Persona: {concept.persona}"] if concept.persona else [])])


def _unmarked(text: str) -> str:
    """Return ``text`` without the mark of pictures: each mark of a prompt stands for one that comes with it."""
    return text.replace(PICTURE_MARK, "< img>")


def _digest(life: Life, model: LanguageModel, settings: GraphSettings) -> str:
    """Return a digest of all that decides the graph."""
    parts = [
        _BUILDER,
        life.vaccount_id,
        [(one.concept_id, one.name, one.role, one.persona, _hash(one.portrait)) for one in life.concepts],
        [
            (one.image_id, one.event_id, one.event_description, one.event_date.isoformat(), _hash(one.picture))
            for one in life.images
        ],
        [model.identity.backend, model.identity.model, model.takes_pictures],
        [GRAPH_CANDIDATES.prompt_version, GRAPH_TRIPLES.prompt_version],
        asdict(settings),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _hash(picture: PictureReference | None) -> str:
    return "" if picture is None else picture.content_hash
