"""Changes that must not matter: to pictures, ids, the order of options, and names (N3).

Each takes a release and gives the same release differently put, by seed. Who finds answers by what is asked, and not
by how it happens to be stored, scores the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from evaluation.audit.pictures import Overlay, reencoded, renamed, shifted
from evaluation.audit.questions import AuditedBenchmark
from lifeloom.models.protocol import PictureSource
from lifeloom.records import Turn
from lifeloom.streams import Streams

__all__ = [
    "PERTURBATIONS",
    "NamesRunOut",
    "Perturbation",
    "Perturbed",
    "Release",
    "no_pictures",
    "trimmed",
]

CaseT = TypeVar("CaseT")


class NamesRunOut(ValueError):
    """There are not enough names that a conversation does not use."""


@dataclass(frozen=True)
class Release(Generic[CaseT]):
    """What a policy is asked, with all that it may look at."""

    cases: tuple[CaseT, ...]
    turns: Mapping[str, Sequence[Turn]]
    """In order, by persona."""
    pictures: PictureSource
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Given names of the user and of the people around them, by persona."""
    spare_names: tuple[str, ...] = ()
    """Names that may be given to them instead."""


@dataclass(frozen=True)
class Perturbed(Generic[CaseT]):
    """A release differently put, and the way back from its answers."""

    release: Release[CaseT]
    case_ids: Mapping[str, str] = field(default_factory=dict)
    """New id to old; cases that are not here kept theirs."""
    orders: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By old case id: the option at place i was at this place before; cases that are not here kept theirs."""


@dataclass(frozen=True)
class Perturbation:
    """One change."""

    name: str
    what: str
    """In words, for a person."""
    apply: Callable[[Release[Any], AuditedBenchmark[Any], Streams], Perturbed[Any]]
    """Deterministic: the same release and streams give the same."""


def no_pictures(reference: object) -> bytes:
    """Stand in for the pictures of a release that has none.

    Raises:
        LookupError: always.
    """
    raise LookupError(f"this release has no pictures, {reference} was asked for")


def trimmed(release: Release[CaseT], benchmark: AuditedBenchmark[CaseT]) -> Release[CaseT]:
    """Return the release without what none of its cases may look at: other users, and turns after the last moment."""
    longest: dict[str, int] = {}
    for case in release.cases:
        persona = benchmark.persona_id(case)
        longest[persona] = max(longest.get(persona, 0), benchmark.history_turns(case))
    turns = {persona: tuple(release.turns[persona][:count]) for persona, count in sorted(longest.items())}
    return replace(release, turns=turns)


def _pictures(
    name: str, edit: Callable[[bytes, random.Random], bytes]
) -> Callable[[Release[Any], AuditedBenchmark[Any], Streams], Perturbed[Any]]:
    def apply(release: Release[CaseT], benchmark: AuditedBenchmark[CaseT], streams: Streams) -> Perturbed[CaseT]:
        overlay = Overlay(release.pictures, lambda picture: streams.rng("audit", name, picture.content_hash), edit)
        turns = {
            persona: tuple(
                turn.model_copy(update={"pictures": tuple(map(overlay.changed, turn.pictures))})
                if turn.pictures
                else turn
                for turn in own
            )
            for persona, own in release.turns.items()
        }
        return Perturbed(replace(release, turns=turns, pictures=overlay))

    return apply


def _ids_shuffled(release: Release[CaseT], benchmark: AuditedBenchmark[CaseT], streams: Streams) -> Perturbed[CaseT]:
    """Give every case, user, session and turn another id; what belongs together still does."""
    rng = streams.rng("audit", "ids_shuffled")
    personas = _fresh_ids("p", sorted(release.turns), rng)
    sessions = _fresh_ids("s", sorted({turn.session_id for own in release.turns.values() for turn in own}), rng)
    case_ids = _fresh_ids("c", sorted(benchmark.case_id(case) for case in release.cases), rng)
    turn_ids = _fresh_ids("t", sorted({turn.turn_id for own in release.turns.values() for turn in own}), rng)
    turns = {
        personas[persona]: tuple(
            turn.model_copy(
                update={
                    "turn_id": turn_ids[turn.turn_id],
                    "persona_id": personas[persona],
                    "session_id": sessions[turn.session_id],
                }
            )
            for turn in own
        )
        for persona, own in release.turns.items()
    }
    cases = tuple(
        benchmark.with_ids(
            case, case_id=case_ids[benchmark.case_id(case)], persona_id=personas[benchmark.persona_id(case)]
        )
        for case in release.cases
    )
    names = {personas[persona]: own for persona, own in release.names.items() if persona in personas}
    return Perturbed(
        replace(release, cases=cases, turns=turns, names=names), case_ids={new: old for old, new in case_ids.items()}
    )


def _fresh_ids(prefix: str, old: Sequence[str], rng: random.Random) -> dict[str, str]:
    """Return a new id for each of the ids ``old``; their order is by chance."""
    fresh: dict[str, str] = {}
    taken: set[str] = set(old)
    for name in old:
        while (made := f"{prefix}-{rng.getrandbits(48):012x}") in taken:
            pass
        taken.add(made)
        fresh[name] = made
    return fresh


def _options_reordered(
    release: Release[CaseT], benchmark: AuditedBenchmark[CaseT], streams: Streams
) -> Perturbed[CaseT]:
    """Move the options of every case, at least two of them; the answer follows its option."""
    orders: dict[str, tuple[int, ...]] = {}
    cases: list[CaseT] = []
    for case in release.cases:
        count, case_id = benchmark.options(case), benchmark.case_id(case)
        if count < 2:
            cases.append(case)
            continue
        rng = streams.rng("audit", "options_reordered", case_id)
        order = list(range(count))
        while order == list(range(count)):
            rng.shuffle(order)
        orders[case_id] = tuple(order)
        cases.append(benchmark.with_options(case, order))
    return Perturbed(replace(release, cases=tuple(cases)), orders=orders)


def _names_replaced(release: Release[CaseT], benchmark: AuditedBenchmark[CaseT], streams: Streams) -> Perturbed[CaseT]:
    """Call everybody by another name in all that is said and asked: the same one throughout a conversation."""
    by_persona: dict[str, list[CaseT]] = {}
    for case in release.cases:
        by_persona.setdefault(benchmark.persona_id(case), []).append(case)
    edits: dict[str, Callable[[str], str]] = {}
    turns: dict[str, tuple[Turn, ...]] = {}
    names = dict(release.names)
    for persona, own in release.turns.items():
        texts = [text for turn in own for text in (turn.user, turn.assistant)]
        texts += [text for case in by_persona.get(persona, ()) for text in benchmark.texts(case)]
        rng = streams.rng("audit", "names_replaced", persona)
        others = _other_names(release.names.get(persona, ()), release.spare_names, texts, rng)
        edit = _renamer(others)
        edits[persona], names[persona] = edit, tuple(others.values())
        turns[persona] = tuple(
            turn.model_copy(update={"user": edit(turn.user), "assistant": edit(turn.assistant)}) for turn in own
        )
    cases = tuple(benchmark.with_texts(case, edits[benchmark.persona_id(case)]) for case in release.cases)
    return Perturbed(replace(release, cases=cases, turns=turns, names=names))


def _other_names(
    names: Sequence[str], spare: Sequence[str], texts: Iterable[str], rng: random.Random
) -> dict[str, str]:
    """Return another name for each of ``names``, one that no text uses.

    Raises:
        NamesRunOut: there are too few.
    """
    used = {word for text in texts for word in re.findall(r"\w+", text)} | set(names)
    free = [name for name in dict.fromkeys(spare) if not used.intersection(re.findall(r"\w+", name))]
    own = list(dict.fromkeys(names))
    if len(free) < len(own):
        raise NamesRunOut(f"{len(own)} people need other names, {len(free)} of {len(spare)} are not in use")
    return dict(zip(own, rng.sample(free, len(own)), strict=True))


def _renamer(others: Mapping[str, str]) -> Callable[[str], str]:
    """Return an edit that replaces whole words; possessives (``Ana's``) and other endings after a mark stay."""
    if not others:
        return lambda text: text
    longest_first = sorted(others, key=lambda name: (-len(name), name))
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return lambda text: pattern.sub(lambda found: others[found[0]], text)


PERTURBATIONS: tuple[Perturbation, ...] = (
    Perturbation("pictures_reencoded", "every picture stored as JPEG of quality 85", _pictures("reencoded", reencoded)),
    Perturbation("pictures_shifted", "every picture moved by 3 to 8 pixels", _pictures("shifted", shifted)),
    Perturbation("pictures_renamed", "every picture's file under another name", _pictures("renamed", renamed)),
    Perturbation("ids_shuffled", "other ids for cases, users, sessions and turns", _ids_shuffled),
    Perturbation("options_reordered", "the options under other letters", _options_reordered),
    Perturbation("names_replaced", "everybody called by another name throughout", _names_replaced),
)
"""All of them."""
