"""Readers kept from what they would need: no pictures, other users' pictures, another user's history (N3).

The policy itself is left as it is. What it is asked about is changed, and it answers under another name.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from evaluation.audit.questions import AuditedBenchmark, TurnsOf
from lifeloom.records import PictureReference, Turn
from lifeloom.scoring.policy import Answer, CaseQuestion, HistoryView, Policy
from lifeloom.streams import Streams

__all__ = [
    "BLINDED",
    "BlindedReader",
    "Blinding",
    "TooFewUsers",
    "blind_readers",
    "donors",
    "sample_cases",
    "shuffled_pictures",
    "with_words_of",
    "without_pictures",
]

CaseT = TypeVar("CaseT")

BLINDED = ("text_only", "shuffled_pictures", "other_history")
"""Names under which a reader is asked."""


_SWAPS = 8
"""Swaps tried for each picture: neighbours then end up far apart."""


class TooFewUsers(ValueError):
    """Nothing can be exchanged between users because there are fewer than two of them."""


class BlindedReader(Policy):
    """A policy under another name: it answers as always, from what it is given."""

    def __init__(self, policy: Policy, name: str, *, parameters: str = "") -> None:
        """Ask ``policy`` as ``name``; ``parameters`` say what it is shown and are part of the fingerprint."""
        self._policy = policy
        self._name = name
        joined = "\x1f".join((name, policy.fingerprint, parameters))
        self._fingerprint = hashlib.sha256(joined.encode()).hexdigest()[:16]

    @property
    def name(self) -> str:
        """The name it is asked under."""
        return self._name

    @property
    def fingerprint(self) -> str:
        """Digest of the policy's own fingerprint, the name and what is shown."""
        return self._fingerprint

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        """Return the policy's answer."""
        return self._policy.choose(question, history)

    def judge(self, question: CaseQuestion, response: str, history: HistoryView) -> Answer:
        """Return the policy's answer."""
        return self._policy.judge(question, response, history)


@dataclass(frozen=True)
class Blinding(Generic[CaseT]):
    """Whom to ask, about which cases, and with which histories."""

    policy: Policy
    cases: tuple[CaseT, ...]
    turns_of: TurnsOf


def blind_readers(
    policy: Policy,
    benchmark: AuditedBenchmark[CaseT],
    cases: Sequence[CaseT],
    turns: Mapping[str, Sequence[Turn]],
    streams: Streams,
) -> list[Blinding[CaseT]]:
    """Return what ``policy`` is asked to show that history and pictures are needed.

    ``text_only`` and ``shuffled_pictures`` are asked what needs pictures, ``other_history`` is asked everything. A
    blinding is left out where there is nothing to ask, or nobody to exchange histories or pictures with.

    Args:
        policy: who answers; any policy.
        benchmark: adapter of the cases.
        cases: of one release, or a sample of it.
        turns: whole conversations, by persona; also those of users who have no case.
        streams: decide who gets whose pictures.
    """
    pictured: list[CaseT] = []
    for case in cases:
        kinds = [question.kind for question in benchmark.questions(case) if question.needs_pictures]
        if kinds:
            pictured.append(benchmark.only(case, kinds))
    readers: list[Blinding[CaseT]] = []
    if pictured:
        text_only = BlindedReader(policy, "text_only")
        readers.append(Blinding(text_only, tuple(pictured), lambda who: without_pictures(turns[who])))
    if pictured and sum(any(turn.pictures for turn in own) for own in turns.values()) > 1:
        mixed = shuffled_pictures(turns, streams.rng("audit", "shuffled_pictures"))
        shuffled = BlindedReader(policy, "shuffled_pictures", parameters=f"seed {streams.seed}, {_digest(turns)}")
        readers.append(Blinding(shuffled, tuple(pictured), mixed.__getitem__))
    if len(turns) < 2:
        return readers
    giver = donors({persona: len(own) for persona, own in turns.items()})
    told = ", ".join(f"{who} <- {other}" for who, other in sorted(giver.items()))
    moved = tuple(
        benchmark.with_history(case, min(benchmark.history_turns(case), len(turns[giver[benchmark.persona_id(case)]])))
        for case in cases
    )
    readers.append(
        Blinding(
            BlindedReader(policy, "other_history", parameters=told),
            moved,
            lambda who: with_words_of(turns[giver[who]], turns[who]),
        )
    )
    return readers


def without_pictures(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns with their words as they are, ``<img>`` marks included, and no pictures."""
    return [turn.model_copy(update={"pictures": ()}) if turn.pictures else turn for turn in turns]


def shuffled_pictures(turns: Mapping[str, Sequence[Turn]], rng: random.Random) -> dict[str, list[Turn]]:
    """Return every conversation with its words as they are and each picture replaced by another user's.

    All pictures change places, none within a user: a permutation, as long as no user has more than half of them. The
    pictures of who has more are replaced by the others' in turn, so that some of theirs occur several times.

    Args:
        turns: conversations by persona.
        rng: decides who gets what.

    Raises:
        TooFewUsers: only one user has pictures.
    """
    owned = {persona: [picture for turn in own for picture in turn.pictures] for persona, own in sorted(turns.items())}
    owned = {persona: pictures for persona, pictures in owned.items() if pictures}
    if len(owned) == 1:
        raise TooFewUsers("the pictures of one user cannot be exchanged with those of another")
    given = _exchanged(owned, rng)
    replaced: dict[str, list[Turn]] = {}
    for persona, own in turns.items():
        pictures = iter(given.get(persona, ()))
        replaced[persona] = [
            turn.model_copy(update={"pictures": tuple(itertools.islice(pictures, len(turn.pictures)))})
            if turn.pictures
            else turn
            for turn in own
        ]
    return replaced


def _exchanged(
    owned: Mapping[str, Sequence[PictureReference]], rng: random.Random
) -> dict[str, list[PictureReference]]:
    """Return as many pictures of others for each user as the user has."""
    order = list(owned)
    rng.shuffle(order)
    slots = [persona for persona in order for _ in owned[persona]]
    shown: list[tuple[str, PictureReference]] = []
    for persona in order:
        own = list(owned[persona])
        rng.shuffle(own)
        shown += [(persona, picture) for picture in own]
    if not slots:
        return {}
    most = max(len(own) for own in owned.values())
    given = shown[most:] + shown[:most]  # who stands together moves past the largest: nobody meets their own
    if 2 * most <= len(slots):
        # Neighbours have moved together so far; swaps that keep the rule undo that.
        for turn in range(_SWAPS * len(slots)):
            first = turn % len(slots)
            second = rng.randrange(len(slots))
            if given[second][0] != slots[first] and given[first][0] != slots[second]:
                given[first], given[second] = given[second], given[first]
    else:
        largest = next(persona for persona in order if len(owned[persona]) == most)
        others = itertools.cycle([pair for pair in shown if pair[0] != largest])
        theirs = iter([pair for pair in shown if pair[0] == largest])
        given = [next(others) if persona == largest else next(theirs) for persona in slots]
    result: dict[str, list[PictureReference]] = {}
    for persona, (_, picture) in zip(slots, given, strict=True):
        result.setdefault(persona, []).append(picture)
    return result


def _digest(turns: Mapping[str, Sequence[Turn]]) -> str:
    """Return a digest of who shows which pictures."""
    shown = [f"{persona}:{p.content_hash}" for persona in sorted(turns) for t in turns[persona] for p in t.pictures]
    return hashlib.sha256("\n".join(shown).encode()).hexdigest()[:16]


def donors(lengths: Mapping[str, int]) -> dict[str, str]:
    """Return whose history each user is given: that of the next longer one, so that it is long enough and no more.

    The user with the longest history gets that of the next shorter one. Of equals, ids decide.

    Args:
        lengths: turns, by user.

    Raises:
        TooFewUsers: there is one user only.
    """
    order = sorted(lengths, key=lambda persona: (lengths[persona], persona))
    if len(order) < 2:
        raise TooFewUsers("another user's history needs at least two users")
    return {persona: order[min(place + 1, len(order) - 1)] for place, persona in enumerate(order[:-1])} | {
        order[-1]: order[-2]
    }


def with_words_of(other: Sequence[Turn], own: Sequence[Turn]) -> list[Turn]:
    """Return the other's turns, words and pictures, at the moments of the user's own: as many as both have.

    The question is then asked after the history and not in the middle of it.
    """
    return [
        theirs.model_copy(update={"at": mine.at, "offset_minutes": mine.offset_minutes})
        for theirs, mine in zip(other, own, strict=False)
    ]


def sample_cases(
    cases: Sequence[CaseT], count: int, persona_of: Callable[[CaseT], str], rng: random.Random
) -> tuple[CaseT, ...]:
    """Return at most ``count`` cases in their order, of few users: a history costs more than a question.

    Args:
        cases: of one release.
        count: how many at most; 0 gives none.
        persona_of: whose history a case is asked about.
        rng: decides whose.
    """
    if count >= len(cases):
        return tuple(cases)
    users = sorted({persona_of(case) for case in cases})
    rng.shuffle(users)
    taken: list[int] = []
    for user in users:
        if len(taken) >= count:
            break
        taken += [place for place, case in enumerate(cases) if persona_of(case) == user]
    kept = set(rng.sample(sorted(taken), count))
    return tuple(case for place, case in enumerate(cases) if place in kept)
