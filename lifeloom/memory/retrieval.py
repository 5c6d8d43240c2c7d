"""Retrieval: the period first, then the best of each kind (PersonaVLM Appendix A.2, B.2)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from lifeloom.memory.types import DialogueTurn, Hit, Period, Vector
from lifeloom.models.protocol import TextEncoder
from lifeloom.records import MemoryKind, Moment

if TYPE_CHECKING:
    from lifeloom.memory.database import UserMemory

__all__ = ["LEXICAL_WEIGHT", "RetrievalRequest", "Retrieved", "Retriever", "TopK", "sampled_top_k"]

LEXICAL_WEIGHT: Final = 0.15
"""What a full match of the keywords adds to a cosine; 0 searches by vectors alone.

Chosen on conversations of the corpus kind that were made for it (``perf/memory_retrieval.py``): there it finds 2.0
points more of the facts within four semantic memories and 3.6 within two episodes than vectors alone; anything in
0.1..0.3 is about as good."""


@dataclass(frozen=True)
class TopK:
    """How many memories of each kind a retrieval brings at most; 0 leaves a kind out.

    The defaults are the paper's (PersonaVLM Appendix A.2).

    Raises:
        ValueError: a number below 0.
    """

    procedural: int = 2
    semantic: int = 4
    episodic: int = 2

    def __post_init__(self) -> None:
        if min(self.procedural, self.semantic, self.episodic) < 0:
            raise ValueError(f"a retrieval brings 0 or more memories of a kind, not {self}")


def sampled_top_k(rng: random.Random) -> TopK:
    """Return numbers as they are sampled in training: episodic 2..5, semantic 3..6 (PersonaVLM Appendix B.2)."""
    return TopK(semantic=rng.randint(3, 6), episodic=rng.randint(2, 5))


@dataclass(frozen=True)
class RetrievalRequest:
    """What is looked for."""

    text: str
    """Compared with the contents by meaning. Empty: the keywords are. With neither, the newest of the period come."""
    keywords: tuple[str, ...] = ()
    """Compared with the keywords of memories as words; may be empty."""
    period: Period | None = None
    """Only memories whose turns overlap it."""
    as_of: Moment | None = None
    """Only what was known then. None: everything."""
    exclude: frozenset[str] = frozenset()
    """Ids found earlier in the trajectory: no memory comes twice."""
    context_turns: frozenset[int] = frozenset()
    """Turns in the context: a memory that follows from these alone does not come."""


@dataclass(frozen=True)
class Retrieved:
    """What was found, each kind best first; equal scores newer first, then by id."""

    procedural: tuple[Hit, ...]
    semantic: tuple[Hit, ...]
    episodic: tuple[Hit, ...]
    turns: Mapping[str, tuple[DialogueTurn, ...]] = field(default_factory=dict)
    """The raw dialogue of each episode, by memory id, oldest first."""

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Everything: procedural, semantic, episodic."""
        return (*self.procedural, *self.semantic, *self.episodic)

    @property
    def memory_ids(self) -> tuple[str, ...]:
        """Ids of everything found, in the order of ``hits``."""
        return tuple(hit.memory.memory_id for hit in self.hits)


class Retriever:
    """Searches one user's memory.

    The score of a memory is the cosine of its content with the request's text, plus ``lexical_weight`` times the share
    of the request's keywords that it is filed under, rare words weighing more (``LexicalIndex``).

    Args:
        memory: The user's memory.
        encoder: What its vectors were made with.
        top_k: How many of each kind.
        lexical_weight: 0 or more.

    Raises:
        ValueError: ``lexical_weight`` is below 0.
    """

    def __init__(
        self,
        memory: UserMemory,
        encoder: TextEncoder,
        top_k: TopK = TopK(),
        lexical_weight: float = LEXICAL_WEIGHT,
    ) -> None:
        if not lexical_weight >= 0:
            raise ValueError(f"the lexical weight is 0 or more, not {lexical_weight}")
        self.memory = memory
        self._encoder = encoder
        self._top_k = top_k
        self._lexical_weight = lexical_weight
        self._bound = False

    def retrieve(self, request: RetrievalRequest, top_k: TopK | None = None) -> Retrieved:
        """Return the best memories of each kind, and the dialogue of the episodes.

        Args:
            request: What is looked for.
            top_k: Instead of the retriever's own.

        Raises:
            MemoryFailure: the memory cannot be read.
            OtherEncoder: its vectors are another encoder's.
        """
        k = top_k or self._top_k
        if not self._bound:
            identity = self._encoder.identity
            self.memory.use_encoder(f"{identity.backend}/{identity.model}", self._encoder.dimensions)
            self._bound = True
        vector = self._vector(request)
        wanted: dict[MemoryKind, int] = {"procedural": k.procedural, "semantic": k.semantic, "episodic": k.episodic}
        hits = self.memory.search_kinds(
            wanted,
            vector,
            period=request.period,
            as_of=request.as_of,
            exclude=request.exclude,
            keywords=request.keywords,
            context_turns=request.context_turns,
            lexical_weight=self._lexical_weight,
        )
        return Retrieved(
            procedural=hits["procedural"],
            semantic=hits["semantic"],
            episodic=hits["episodic"],
            turns={
                hit.memory.memory_id: self._turns(hit.memory.source_turns, request.as_of)
                for hit in hits["episodic"]
                if hit.memory.source_turns
            },
        )

    def _vector(self, request: RetrievalRequest) -> Vector:
        text = request.text.strip() or ", ".join(word.strip() for word in request.keywords if word.strip())
        if not text:
            return np.zeros(self._encoder.dimensions, dtype=np.float32)
        vector: Vector = self._encoder.encode([text])[0]
        return vector

    def _turns(self, indices: Iterable[int], as_of: Moment | None) -> tuple[DialogueTurn, ...]:
        wanted = frozenset(indices)
        between = self.memory.turns(min(wanted), max(wanted), as_of=as_of)
        return tuple(turn for turn in between if turn.index in wanted)
