"""The built-in builder of life graphs: finds entities and facts in descriptions and pictures."""

from __future__ import annotations

from collections.abc import Sequence

from lifeloom.models.builtin.extractor.graph.happening import events_of
from lifeloom.models.builtin.extractor.graph.social import people_of
from lifeloom.models.builtin.extractor.graph.stating import GraphDraft, candidates_of
from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.tasks import (
    GraphCandidatesInput,
    GraphCandidatesOutput,
    GraphTriple,
    GraphTriplesInput,
    GraphTriplesOutput,
    TripleAttribute,
)

__all__ = ["find_candidates", "find_triples"]


def find_candidates(
    asked: GraphCandidatesInput,
    looked: Sequence[LookedAt],
    traits: Sequence[tuple[PersonTraits, ...]],
    threshold: float,
) -> GraphCandidatesOutput:
    """Return the entities of a bin.

    Args:
        asked: the sources, and who is known.
        looked: the pictures, in the order of the prompt's marks.
        traits: what the people in them look like.
        threshold: cosine from which two faces are one person's.
    """
    return GraphCandidatesOutput(entities=candidates_of(_draft_of(asked, looked, traits, threshold)))


def find_triples(
    asked: GraphTriplesInput,
    looked: Sequence[LookedAt],
    traits: Sequence[tuple[PersonTraits, ...]],
    threshold: float,
) -> GraphTriplesOutput:
    """Return the facts of a bin among the candidates that were taken; arguments as for ``find_candidates``."""
    taken = {(one.type, one.name.casefold()) for one in asked.candidates}
    draft = _draft_of(asked.turn, looked, traits, threshold)
    return GraphTriplesOutput(
        triples=tuple(
            GraphTriple(
                head=fact.head.name,
                relation=fact.relation,
                tail=fact.tail.name,
                head_type=fact.head.type,
                tail_type=fact.tail.type,
                attributes=tuple(
                    TripleAttribute(key=key, values=tuple(values)) for key, values in fact.attributes.items() if values
                ),
                sources=tuple(fact.sources),
            )
            for fact in draft.facts
            if all((end.type, end.name.casefold()) in taken for end in (fact.head, fact.tail))
        )
    )


def _draft_of(
    asked: GraphCandidatesInput,
    looked: Sequence[LookedAt],
    traits: Sequence[tuple[PersonTraits, ...]],
    threshold: float,
) -> GraphDraft:
    if asked.step == "social":
        return people_of(asked, looked, traits)
    return events_of(asked, looked, threshold)
