"""A model that answers what a test says, and small lives by hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, OptionScores, Usage
from lifeloom.records import BY_CODE, Concept, Life, LifeImage, PictureReference
from lifeloom.tasks import (
    GRAPH_CANDIDATES,
    CandidateEntity,
    GraphCandidatesInput,
    GraphCandidatesOutput,
    GraphTriple,
    GraphTriplesInput,
    GraphTriplesOutput,
    TripleAttribute,
)

Candidates = Callable[[GraphCandidatesInput], Sequence[CandidateEntity]]
Triples = Callable[[GraphTriplesInput], Sequence[GraphTriple]]

OWNER_ROLE = "Account Owner"


def picture(name: str) -> PictureReference:
    """A reference of its own for each name; there is no file behind it."""
    return PictureReference(content_hash=name.encode().hex().ljust(64, "0")[-64:], width=280, height=280)


def concept(name: str, role: str = OWNER_ROLE, *, number: str = "", persona: str = "", shown: bool = False) -> Concept:
    """A concept of the life ``ana``."""
    concept_id = f"ana-c-{name.lower()}{number}"
    return Concept(
        concept_id=concept_id,
        vaccount_id="ana",
        name=name,
        role=role,
        kind="person",
        persona=persona,
        portrait=picture(concept_id) if shown else None,
        made_by=BY_CODE,
    )


def images(event: int, day: str, text: str, count: int = 1, *, shown: bool = False) -> list[LifeImage]:
    """Pictures of one event of the life ``ana``."""
    return [
        LifeImage(
            image_id=f"ana-e-{event}-{number}",
            vaccount_id="ana",
            event_id=f"ana-e-{event}",
            event_description=text,
            event_date=dt.date.fromisoformat(day),
            picture=picture(f"{event}-{number}") if shown else None,
        )
        for number in range(count)
    ]


def life(concepts: Sequence[Concept], *events: Sequence[LifeImage]) -> Life:
    """The life ``ana``."""
    return Life.of("ana", concepts, [one for event in events for one in event])


def entity(name: str, kind: str, *sources: str, aliases: Sequence[str] = ()) -> CandidateEntity:
    """A candidate."""
    return CandidateEntity(name=name, type=kind, sources=sources, aliases=tuple(aliases))


def triple(head: str, relation: str, tail: str, *sources: str, **attributes: Sequence[str]) -> GraphTriple:
    """A triple."""
    parts = tuple(TripleAttribute(key=key, values=tuple(values)) for key, values in attributes.items())
    return GraphTriple(head=head, relation=relation, tail=tail, attributes=parts, sources=sources)


class ScriptedModel:
    """Answers both turns by a function each; keeps what it was asked.

    A turn whose function gives None is rejected, as an answer that cannot be read.
    """

    window_tokens = 32_768
    scores_options = False

    def __init__(
        self,
        candidates: Callable[[GraphCandidatesInput], Sequence[CandidateEntity] | None],
        triples: Callable[[GraphTriplesInput], Sequence[GraphTriple] | None] = lambda asked: (),
        *,
        takes_pictures: bool = True,
    ) -> None:
        self.takes_pictures = takes_pictures
        self.identity = ModelIdentity("scripted", "1")
        self.asked: list[tuple[str, Any, int]] = []
        """Task, input, and how many pictures came with it."""
        self._candidates = candidates
        self._triples = triples

    def run(
        self,
        task: Any,
        task_input: Any,
        images: Sequence[PictureReference] = (),
        *,
        sample: int = 0,
        listener: Any = None,
    ) -> Any:
        assert task.render(task_input).count("<img>") == len(images)
        self.asked.append((task.name, task_input, len(images)))
        output: Any
        if task.name == GRAPH_CANDIDATES.name:
            entities = self._candidates(task_input)
            output = None if entities is None else GraphCandidatesOutput(entities=tuple(entities))
        else:
            triples = self._triples(task_input)
            output = None if triples is None else GraphTriplesOutput(triples=tuple(triples))
        if output is None:
            raise GenerationRejected(task.name, "bad_json", "{", usage=Usage(7, 3))
        return Generation(output, Usage(100, 10), self.identity.provenance(task))

    def score_options(self, *args: Any, **kwargs: Any) -> OptionScores:
        raise NotImplementedError

    def check(self) -> str:
        return "scripted"

    @property
    def bins(self) -> list[GraphCandidatesInput]:
        """Inputs of the first turns of step 2."""
        return [asked for name, asked, _ in self.asked if name == GRAPH_CANDIDATES.name and asked.step == "events"]
