"""Precision and recall of memories against what was planned to be said, by kind of statement (P7-P9).

Recall: of what a turn says, is there a semantic memory citing the turn that names the value, of the right holder, as
holding or not holding? Precision: of the semantic memories of a turn, how many are true of it? A turn that says
nothing personal should leave none. Episodes are judged by what they cover and how pure they are, procedural memory by
the goals and habits that hold at the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from evaluation.memory_quality.judging import ANYBODY, Reading, names_value, readings
from evaluation.memory_quality.planned import NEVER_COMMITTED, Claim, Truth, TurnTruth
from lifeloom.models.builtin.reader.holders import SELF, person_key
from lifeloom.models.builtin.reader.text import content_stems
from lifeloom.records import Memory
from lifeloom.scoring import bootstrap_accuracy
from lifeloom.streams import Streams

__all__ = ["EpisodeQuality", "MemoryQuality", "QualityRow", "Verdict", "judge_claim", "judge_memory", "measure"]

Verdict = Literal["right", "missing", "wrong_holder", "wrong_polarity"]
_CAPTION_SHARED: Final = 0.4
_ORDER: Final[tuple[Verdict, ...]] = ("right", "wrong_polarity", "wrong_holder", "missing")


@dataclass(frozen=True, slots=True)
class QualityRow:
    """One line of the tables: a share with its interval over users."""

    measure: Literal["recall", "precision", "goals_recall", "goals_precision"]
    by: Literal["all", "statement", "fact", "act", "label"]
    name: str
    count: int
    """recall: things said. precision: memories."""
    right: int
    value: float
    """``right / count``, 0..1."""
    low: float
    high: float
    """95 % bootstrap interval over users."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """recall: missing, wrong_holder, wrong_polarity. precision: false (names what was said, but not as it is),
    unplanned (nothing that was planned to be said)."""


@dataclass(frozen=True, slots=True)
class EpisodeQuality:
    """How episodes fit the sessions."""

    turns: int
    covered: int
    """Turns that an episode cites."""
    repeated: int
    """Turns that more than one episode cites."""
    episodes: int
    purity: float
    """Share of cited turns whose planned area is the most frequent of their episode, 0..1."""
    kept_together: float
    """Of neighbouring turns of a session that say something personal in one area, share within one episode, 0..1."""


@dataclass(frozen=True, slots=True)
class MemoryQuality:
    """All that is measured."""

    users: int
    turns: int
    memories: int
    rows: tuple[QualityRow, ...]
    episodes: EpisodeQuality

    def row(self, measure: str, by: str = "all", name: str = "all") -> QualityRow:
        """Return one line.

        Raises:
            KeyError: there is no such line.
        """
        for row in self.rows:
            if (row.measure, row.by, row.name) == (measure, by, name):
                return row
        raise KeyError(f"no {measure} by {by}: {name}")


@dataclass
class _Tally:
    """Counts of one line, a user at a time."""

    right: Counter[str] = field(default_factory=Counter)
    count: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)


_Key = tuple[str, str, str]


def measure(
    truths: Iterable[Truth], memories: Iterable[Memory], *, seed: int = 0, bootstrap_samples: int = 1_000
) -> MemoryQuality:
    """Judge ``memories`` of any number of users, told apart by ``user_id``.

    Args:
        truths: What was said, a conversation each.
        memories: All versions of all kinds. Memories of users without a truth are left aside.
        seed: Of the resampling.
        bootstrap_samples: Resamples behind an interval.
    """
    by_user: dict[str, list[Memory]] = defaultdict(list)
    for memory in memories:
        by_user[memory.user_id].append(memory)
    tallies: dict[_Key, _Tally] = defaultdict(_Tally)
    episodes = _Episodes()
    users = turns = stored = 0
    for truth in truths:
        own = by_user.get(truth.user_id, [])
        users, turns, stored = users + 1, turns + len(truth.turns), stored + len(own)
        _semantic(truth, [memory for memory in own if memory.kind == "semantic"], tallies)
        _procedural(
            truth, [memory for memory in own if memory.kind == "procedural" and memory.ended_at is None], tallies
        )
        episodes.add(truth, [memory for memory in own if memory.kind == "episodic"])
    rows = [_row(key, tally, seed, bootstrap_samples) for key, tally in sorted(tallies.items())]
    return MemoryQuality(users, turns, stored, tuple(rows), episodes.quality())


def _row(key: _Key, tally: _Tally, seed: int, samples: int) -> QualityRow:
    users = sorted(tally.count)
    found = bootstrap_accuracy(
        [tally.right[user] for user in users],
        [tally.count[user] for user in users],
        samples=samples,
        seed=Streams(seed).numpy_seed("memory-quality", *key),
    )
    measure_name, by, name = key
    return QualityRow(
        measure_name,  # type: ignore[arg-type]
        by,  # type: ignore[arg-type]
        name,
        found.questions,
        found.correct,
        found.value,
        found.low,
        found.high,
        dict(sorted(tally.faults.items())),
    )


def _count(tallies: dict[_Key, _Tally], keys: Sequence[_Key], user: str, verdict: str) -> None:
    for key in keys:
        tally = tallies[key]
        tally.count[user] += 1
        if verdict == "right":
            tally.right[user] += 1
        else:
            tally.faults[verdict] += 1


def _semantic(truth: Truth, memories: Sequence[Memory], tallies: dict[_Key, _Tally]) -> None:
    citing: dict[int, list[Memory]] = defaultdict(list)
    for memory in memories:
        for index in memory.source_turns:
            citing[index].append(memory)
    for turn in truth.turns:
        for claim in turn.claims:
            if claim.statement == NEVER_COMMITTED:
                continue
            verdict = judge_claim(claim, [memory.content for memory in citing[turn.index]], truth.names)
            fact = f"{claim.fact}, pictured" if claim.pictured else claim.fact
            keys: list[_Key] = [
                ("recall", "all", "all"),
                ("recall", "statement", claim.statement),
                ("recall", "fact", fact),
            ]
            _count(tallies, keys, truth.user_id, verdict)
    by_index = {turn.index: turn for turn in truth.turns}
    for memory in memories:
        cited = [by_index[index] for index in memory.source_turns if index in by_index]
        if not cited:
            continue
        said = judge_memory(memory.content, cited, truth.names)
        precision: list[_Key] = [
            ("precision", "all", "all"),
            ("precision", "act", cited[-1].act),
            ("precision", "label", memory.label),
        ]
        _count(tallies, precision, truth.user_id, said)


def judge_claim(claim: Claim, contents: Sequence[str], names: Collection[str]) -> Verdict:
    """Return whether one of the memories of a turn says what the turn says; the best of them counts."""
    verdicts = {_says(claim, content, names) for content in contents}
    return next((verdict for verdict in _ORDER if verdict in verdicts), "missing")


def _says(claim: Claim, content: str, names: Collection[str]) -> Verdict:
    if claim.beside and not names_value(content, claim.beside):
        return "missing"
    found = readings(content, claim.value, names)
    if not found:
        return "missing"
    of_holder = [one for one in found if claim.beside or _is_of(one, claim.holders)]
    if not of_holder:
        return "wrong_holder"
    # "I said mentor, but she is my manager": where a value comes up twice, what is said of it last counts.
    return "right" if of_holder[-1].holds == claim.holds else "wrong_polarity"


def _is_of(said: Reading, holders: frozenset[str]) -> bool:
    if not holders:
        return said.who in (SELF, ANYBODY)
    keys = {person_key(word) for word in holders} | holders
    # "I watched Ana do a bit of botany": she is not the subject, and nothing says that it is mine.
    return said.who in keys or (said.who in (SELF, ANYBODY) and bool(said.beside & holders) and not said.own)


def judge_memory(content: str, turns: Sequence[TurnTruth], names: Collection[str]) -> str:
    """Return ``right`` where a memory is true of one of the turns that it cites; else ``false`` or ``unplanned``.

    ``false``: it names what a turn says, but of somebody else, or as holding what does not hold or the reverse.
    """
    verdict = "unplanned"
    for turn in turns:
        for claim in turn.claims:
            said = _says(claim, content, names)
            if said == "right" or (said != "missing" and claim.statement == NEVER_COMMITTED):
                return "right"
            left = _says(Claim("", "", claim.left, False, claim.holders, claim.beside), content, names)
            if claim.left and left == "right":
                return "right"
            if said != "missing" or (claim.left and left != "missing"):
                verdict = "false"
        if any(_names_shown(content, text) for text in turn.shown):
            return "right"
    return verdict


def _names_shown(content: str, text: str) -> bool:
    words = text.split()
    return names_value(content, text) if len(words) <= 6 else _shares(content, text)


def _shares(content: str, text: str) -> bool:
    wanted = set(content_stems(text))
    return bool(wanted) and len(wanted & set(content_stems(content))) >= _CAPTION_SHARED * len(wanted)


def _procedural(truth: Truth, memories: Sequence[Memory], tallies: dict[_Key, _Tally]) -> None:
    contents = [memory.content for memory in memories]
    for claim in truth.goals:
        keys: list[_Key] = [("goals_recall", "all", "all"), ("goals_recall", "fact", claim.fact)]
        _count(tallies, keys, truth.user_id, judge_claim(claim, contents, truth.names))
    for memory in memories:
        if any(_says(claim, memory.content, truth.names) == "right" for claim in truth.holding):
            verdict = "right"
        else:
            named = any(readings(memory.content, claim.value, truth.names) for claim in (*truth.holding, *truth.over))
            verdict = "false" if named else "unplanned"
        _count(tallies, [("goals_precision", "all", "all")], truth.user_id, verdict)


class _Episodes:
    """Counts over all sessions."""

    def __init__(self) -> None:
        self._turns = self._covered = self._repeated = self._episodes = 0
        self._cited = self._pure = self._pairs = self._together = 0

    def add(self, truth: Truth, memories: Sequence[Memory]) -> None:
        area = {turn.index: turn.area for turn in truth.turns}
        cited = Counter(index for memory in memories for index in memory.source_turns if index in area)
        self._turns += len(truth.turns)
        self._covered += len(cited)
        self._repeated += sum(times > 1 for times in cited.values())
        self._episodes += len(memories)
        for memory in memories:
            areas = Counter(area[index] for index in memory.source_turns if index in area)
            self._cited += areas.total()
            self._pure += max(areas.values(), default=0)
        spans = [set(memory.source_turns) for memory in memories]
        ends = {last for _, last in truth.sessions}
        for before, after in zip(truth.turns, truth.turns[1:], strict=False):
            if before.index in ends or not (before.claims and after.claims) or before.area != after.area:
                continue
            self._pairs += 1
            self._together += any({before.index, after.index} <= span for span in spans)

    def quality(self) -> EpisodeQuality:
        return EpisodeQuality(
            self._turns,
            self._covered,
            self._repeated,
            self._episodes,
            self._pure / self._cited if self._cited else 0.0,
            self._together / self._pairs if self._pairs else 0.0,
        )
