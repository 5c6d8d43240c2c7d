"""What an audit knows of a benchmark: its questions and their chance, and how a case may be changed.

Nothing here is of one benchmark. A benchmark joins by an adapter, ``AuditedBenchmark``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from lifeloom.records import Turn
from lifeloom.scoring.policy import Policy

__all__ = [
    "AuditAnswer",
    "AuditQuestion",
    "AuditedBenchmark",
    "ChoiceExample",
    "PairExample",
    "Reference",
    "Subset",
    "TurnsOf",
]

Subset = Literal["all", "pictured"]
"""All questions, or those whose right answer cannot be had from words alone."""

TurnsOf = Callable[[str], Iterable[Turn]]
"""Gives the whole conversation of a persona, in order."""

CaseT = TypeVar("CaseT")


@dataclass(frozen=True)
class AuditQuestion:
    """One question of a release, as statistics see it."""

    case_id: str
    """Several questions may belong to a case; cases are what a verdict needs enough of."""
    kind: str
    """Which of the case's questions, for example ``choice``."""
    task: str
    chance: float
    """Accuracy of a guess, 0..1."""
    needs_pictures: bool = False
    pool: str = "pooled"
    """Small tasks of one pool, which have one chance, are judged together; empty: never pooled."""


@dataclass(frozen=True)
class AuditAnswer:
    """What a policy answered to one question."""

    policy: str
    case_id: str
    kind: str
    answer: str
    """As given; empty when there is none."""
    correct: bool
    place: int | None = None
    """Of a chosen option: its number from 0 among those shown. None: no option was chosen."""


@dataclass(frozen=True)
class ChoiceExample:
    """A question with options, for attacks to learn from and for the report on letters and lengths."""

    task: str
    query: str
    options: tuple[str, ...]
    right: int
    """Number of the right option, from 0."""


@dataclass(frozen=True)
class PairExample:
    """Two responses to a message: one is right, one is not."""

    query: str
    chosen: str
    rejected: str


@dataclass(frozen=True)
class Reference:
    """Questions with their answers, of a release that is never scored."""

    choices: tuple[ChoiceExample, ...] = ()
    pairs: tuple[PairExample, ...] = ()
    digest: str = field(init=False, compare=False)
    """16 hexadecimal digits over all that can be learnt, in any order."""

    def __post_init__(self) -> None:
        """Work the digest out."""
        texts = ["\x1f".join(("choice", c.query, *c.options, str(c.right))) for c in self.choices]
        texts += ["\x1f".join(("pair", p.query, p.chosen, p.rejected)) for p in self.pairs]
        joined = "\x1e".join(sorted(texts)).encode("utf-8", "surrogatepass")
        object.__setattr__(self, "digest", hashlib.sha256(joined).hexdigest()[:16])


class AuditedBenchmark(Protocol[CaseT]):
    """The adapter of a benchmark: how the audit reads, changes and asks its cases."""

    def case_id(self, case: CaseT) -> str:
        """Return the case's id, unique in the release."""
        ...

    def persona_id(self, case: CaseT) -> str:
        """Return whose history it is asked about."""
        ...

    def history_turns(self, case: CaseT) -> int:
        """Return how many turns of that history come before it."""
        ...

    def questions(self, case: CaseT) -> tuple[AuditQuestion, ...]:
        """Return what is asked."""
        ...

    def reference(self, cases: Sequence[CaseT]) -> Reference:
        """Return what attacks may learn from ``cases``."""
        ...

    def texts(self, case: CaseT) -> tuple[str, ...]:
        """Return all that a policy may be shown of it: query, options, responses."""
        ...

    def only(self, case: CaseT, kinds: Collection[str]) -> CaseT:
        """Return the case with only these of its questions."""
        ...

    def with_history(self, case: CaseT, turns: int) -> CaseT:
        """Return the case asked after ``turns`` turns."""
        ...

    def with_ids(self, case: CaseT, *, case_id: str, persona_id: str) -> CaseT:
        """Return the case under other ids."""
        ...

    def with_texts(self, case: CaseT, edit: Callable[[str], str]) -> CaseT:
        """Return the case with ``edit`` applied to each of its texts."""
        ...

    def with_options(self, case: CaseT, order: Sequence[int]) -> CaseT:
        """Return the case with its options moved: the one at place i was at ``order[i]``. The answer follows."""
        ...

    def options(self, case: CaseT) -> int:
        """Return the number of options; 0 where there is nothing to choose."""
        ...

    def ask(self, policy: Policy, cases: Sequence[CaseT], turns_of: TurnsOf) -> list[AuditAnswer]:
        """Return the policy's answer to every question of ``cases``."""
        ...
