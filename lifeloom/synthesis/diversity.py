"""The diversity report of a corpus or release: how much is said in how many ways, and how often it is repeated."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import get_args

from lifeloom.models.tokens import count_many
from lifeloom.records import AREAS, BenchmarkCase, ConversationPlan, StatementKind, Turn
from lifeloom.streams import Streams
from lifeloom.synthesis.near_duplicates import (
    THRESHOLD,
    Shingles,
    WordHasher,
    near_duplicates,
    ngrams,
    repeats,
    shingles,
)
from lifeloom.synthesis.sketches import DistinctCounter, Sample

__all__ = [
    "NGRAM_SIZES",
    "DiversityReport",
    "Repetition",
    "diversity_report",
    "near_duplicates",
]

NGRAM_SIZES = (1, 2, 3, 4)
_MOST_TEXTS = 100_000
"""Messages of a speaker that are compared with each other; of more, as many are drawn. Sessions: a quarter."""
_MOST_COUNTED = 2_000
"""Turns whose tokens are counted."""
_KINDS: tuple[str, ...] = get_args(StatementKind)


@dataclass(frozen=True)
class Repetition:
    """How often texts of one kind nearly repeat an earlier one."""

    of: str
    """``user messages``, ``assistant messages``, ``sessions`` or ``cases``."""
    repeated: int
    """Texts in the sample that nearly repeat an earlier one of it."""
    compared: int
    """Size of the sample."""
    seen: int
    """Texts there were."""

    @property
    def share(self) -> float:
        """Share of the sample, 0..1."""
        return self.repeated / self.compared if self.compared else 0.0


@dataclass(frozen=True)
class DiversityReport:
    """What was measured. Shares are 0..1."""

    conversations: int
    sessions: int
    turns: int
    distinct_user: Mapping[int, float]
    """Distinct n-grams of words / all n-grams of the user's messages, by n. Falls as a corpus grows."""
    distinct_assistant: Mapping[int, float]
    words_user: int
    words_assistant: int
    repetition: tuple[Repetition, ...]
    tokens_per_turn: float
    """User and assistant together, mean of the sample."""
    tokens_counted: int
    """Turns in that sample."""
    coverage: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Statements planned, by area and kind of statement; empty without plans."""
    personal_share: float | None = None
    """Share of turns with a statement or an occasion; None without plans."""

    @property
    def covered(self) -> float:
        """Share of the cells area x kind of statement that have at least one statement."""
        cells = [self.coverage[area].get(kind, 0) for area in self.coverage for kind in _KINDS]
        return sum(1 for cell in cells if cell) / len(cells) if cells else 0.0

    def to_metrics(self) -> dict[str, float]:
        """Return the numbers by name, for a tracker."""
        metrics: dict[str, float] = {
            "conversations": self.conversations,
            "sessions": self.sessions,
            "turns": self.turns,
            "tokens_per_turn": self.tokens_per_turn,
        }
        for size in NGRAM_SIZES:
            metrics[f"distinct_{size}_user"] = self.distinct_user[size]
            metrics[f"distinct_{size}_assistant"] = self.distinct_assistant[size]
        for repetition in self.repetition:
            metrics[f"near_duplicate_{repetition.of.replace(' ', '_')}"] = repetition.share
        if self.coverage:
            metrics["coverage"] = self.covered
        if self.personal_share is not None:
            metrics["personal_share"] = self.personal_share
        return metrics

    def to_markdown(self) -> str:
        """Return the report for people."""
        parts = self._of_turns() if self.turns else []
        parts += [
            _table(
                ("near-duplicates", "share", "repeated", "compared", "of"),
                [
                    (row.of, f"{row.share:.2%}", f"{row.repeated:,}", f"{row.compared:,}", f"{row.seen:,}")
                    for row in self.repetition
                    if row.seen
                ],
            ),
            f"A near-duplicate shares {THRESHOLD:.0%} or more of its runs of three words with an earlier text "
            "(Jaccard).",
        ]
        if self.coverage:
            parts += [
                f"Statements planned, by area and kind: {self.covered:.1%} of the cells are covered.",
                _table(
                    ("area", *(kind.replace("_", " ") for kind in _KINDS), "all"),
                    [
                        (area, *(str(row.get(kind, 0)) for kind in _KINDS), str(sum(row.values())))
                        for area, row in self.coverage.items()
                    ],
                ),
            ]
        return "\n\n".join(parts)

    def _of_turns(self) -> list[str]:
        return [
            f"{self.conversations:,} conversations, {self.sessions:,} sessions, {self.turns:,} turns. "
            f"{self.tokens_per_turn:.0f} tokens a turn (mean of {self.tokens_counted:,} turns)."
            + ("" if self.personal_share is None else f" {self.personal_share:.1%} of the turns are personal."),
            _table(
                ("distinct n-grams of words", *(f"n = {size}" for size in NGRAM_SIZES), "words"),
                [
                    _ngram_row("user", self.distinct_user, self.words_user),
                    _ngram_row("assistant", self.distinct_assistant, self.words_assistant),
                ],
            ),
        ]


class _Speaker:
    """What is gathered of one speaker's messages."""

    def __init__(self, streams: Streams, who: str) -> None:
        self.words = 0
        self.counters = {size: DistinctCounter() for size in NGRAM_SIZES}
        self.sample: Sample[Shingles] = Sample(_MOST_TEXTS, streams.rng("diversity", who))

    def add(self, hasher: WordHasher, text: str) -> Shingles:
        hashed = hasher.words(text)
        self.words += len(hashed)
        for size, counter in self.counters.items():
            counter.add(ngrams(hashed, size))
        own = shingles(hashed)
        self.sample.add(own)
        return own

    def distinct(self) -> dict[int, float]:
        return {size: counter.share() for size, counter in self.counters.items()}


def diversity_report(
    turns: Iterable[Turn],
    *,
    plans: Iterable[ConversationPlan] = (),
    cases: Iterable[BenchmarkCase] = (),
    seed: int,
) -> DiversityReport:
    """Measure a corpus or release in one pass; all arguments are streams.

    Memory is bounded: n-grams are counted by sketches (exact up to 262,144 distinct ones, then within about
    0.2 %), near-duplicates are looked for in samples, all of it up to 100,000 messages of a speaker and 25,000
    sessions, tokens are counted in 2,000 turns.

    Args:
        turns: conversation after conversation.
        plans: their plans, for what was to be said; also of text that a model wrote.
        cases: of a release; compared by query and options together.
        seed: for the samples.
    """
    streams = Streams(seed)
    hasher = WordHasher()
    user, assistant = _Speaker(streams, "user"), _Speaker(streams, "assistant")
    sessions: Sample[Shingles] = Sample(_MOST_TEXTS // 4, streams.rng("diversity", "sessions"))
    counted: Sample[str] = Sample(_MOST_COUNTED, streams.rng("diversity", "tokens"))
    conversations = total = 0
    persona_id = ""
    for (persona, _), own in itertools.groupby(turns, key=lambda turn: (turn.persona_id, turn.session_id)):
        conversations += persona != persona_id
        persona_id = persona
        parts: list[Shingles] = []
        for turn in own:
            total += 1
            parts += (user.add(hasher, turn.user), assistant.add(hasher, turn.assistant))
            counted.add(f"{turn.user}\n{turn.assistant}")
        sessions.add(_union(parts))
    tokens = count_many(counted.items())
    coverage, personal_share = _coverage(plans)
    return DiversityReport(
        conversations=conversations,
        sessions=sessions.seen,
        turns=total,
        distinct_user=user.distinct(),
        distinct_assistant=assistant.distinct(),
        words_user=user.words,
        words_assistant=assistant.words,
        repetition=(
            _repetition("user messages", user.sample),
            _repetition("assistant messages", assistant.sample),
            _repetition("sessions", sessions),
            *_case_repetition(cases, hasher, streams),
        ),
        tokens_per_turn=sum(tokens) / len(tokens) if tokens else 0.0,
        tokens_counted=len(tokens),
        coverage=coverage,
        personal_share=personal_share,
    )


def _union(parts: list[Shingles]) -> Shingles:
    import numpy as np

    return np.unique(np.concatenate(parts))


def _repetition(of: str, sample: Sample[Shingles]) -> Repetition:
    items = sample.items()
    return Repetition(of, len(repeats(items)), len(items), sample.seen)


def _case_repetition(cases: Iterable[BenchmarkCase], hasher: WordHasher, streams: Streams) -> tuple[Repetition, ...]:
    sample: Sample[Shingles] = Sample(_MOST_TEXTS, streams.rng("diversity", "cases"))
    for case in cases:
        text = " ".join([case.query, *(option.text for option in case.options)])
        sample.add(shingles(hasher.words(text)))
    return (_repetition("cases", sample),) if sample.seen else ()


def _coverage(plans: Iterable[ConversationPlan]) -> tuple[dict[str, dict[str, int]], float | None]:
    """Count statements by area and kind, and the share of personal turns."""
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    turns = personal = 0
    for plan in plans:
        areas = {fact.fact_id: fact.area for fact in plan.facts}
        for turn in plan.turns:
            turns += 1
            personal += turn.act in ("statement", "occasion")
            counts.update((areas[statement.fact_id], statement.kind) for statement in turn.statements)
    if not turns:
        return {}, None
    return {area: {kind: counts[area, kind] for kind in _KINDS} for area in AREAS}, personal / turns


def _ngram_row(who: str, distinct: Mapping[int, float], words: int) -> tuple[str, ...]:
    return (who, *(f"{distinct[size]:.3f}" for size in NGRAM_SIZES), f"{words:,}")


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---", *("---:" for _ in head[1:])), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
