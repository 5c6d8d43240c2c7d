"""Pictures in words, and votes on candidates, by what the eyes see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.life.asking import things_in
from lifeloom.models.builtin.reader.life.faces import ANYONE, name_faces
from lifeloom.models.builtin.reader.life.words import COLOURED, Thing, at_place, things_text
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.tasks.candidate_vote import CandidateProblem, CandidateVoteInput, CandidateVoteOutput
from lifeloom.tasks.picture_words import ConceptFingerprintOutput

__all__ = ["caption_of", "fingerprint_of", "vote_on"]

_MOST_ATTRIBUTES = 24
_TIMES = {"morning": "in the morning", "day": "in daylight", "sunset": "at sunset", "night": "at night"}


def caption_of(looked: Sequence[LookedAt], traits: Sequence[tuple[PersonTraits, ...]]) -> str:
    """Return a description of the one picture; who the people are it cannot know."""
    if not looked:
        return "No picture."
    sight = looked[0].sight
    people = [f"a person with {' and '.join(one.phrases())}" for one in traits[0]] if traits else []
    where = at_place(sight.place) if sight.place else "on a plain ground"
    when = _TIMES.get(sight.time_of_day, "")
    shown = things_text(_things(looked[0]))
    sentences = [f"A picture taken {where}{', ' + when if when else ''}."]
    if people:
        sentences.append(f"From left to right: {', '.join(people)}.")
    if shown != "nobody":
        sentences.append(f"It shows {shown}.")
    return " ".join(sentences)


def fingerprint_of(looked: Sequence[LookedAt], traits: Sequence[tuple[PersonTraits, ...]]) -> ConceptFingerprintOutput:
    """Return what tells the one picture apart."""
    if not looked:
        return ConceptFingerprintOutput(attributes=())
    phrases = [phrase for one in (traits[0] if traits else ()) for phrase in one.phrases()]
    phrases += [things_text([one]) for one in _things(looked[0])]
    if looked[0].sight.place:
        phrases.append(at_place(looked[0].sight.place))
    return ConceptFingerprintOutput(attributes=tuple(dict.fromkeys(phrases))[:_MOST_ATTRIBUTES])


def _things(look: LookedAt) -> list[Thing]:
    counts = Counter((one.name, one.colour if one.name in COLOURED else "") for one in look.sight.things)
    return [Thing(name, colour, count) for (name, colour), count in sorted(counts.items())]


def vote_on(asked: CandidateVoteInput, looked: Sequence[LookedAt], threshold: float) -> CandidateVoteOutput:
    """Return the candidate with the fewest problems; none where even that one lacks somebody or shows somebody else."""
    portraits, candidates = looked[: len(asked.people)], looked[len(asked.people) :]
    found = [_problems(asked, look, portraits, threshold) for look in candidates]
    problems = tuple(
        CandidateProblem(candidate=number, problem=problem)
        for number, own in enumerate(found, start=1)
        for problem in own
    )
    if not found:
        return CandidateVoteOutput(best=0, problems=problems)
    best = min(range(len(found)), key=lambda number: (len(found[number]), number))
    wrong = any(one.startswith(("missing person", "unknown person")) for one in found[best])
    return CandidateVoteOutput(best=0 if wrong else best + 1, problems=problems)


def _problems(asked: CandidateVoteInput, look: LookedAt, portraits: Sequence[LookedAt], threshold: float) -> list[str]:
    """Return what one candidate lacks or has too much of; people go by their place: two may share a name."""
    people = list(zip(map(str, range(len(asked.people))), asked.people, portraits, strict=False))
    faces = {number: shown.faces[0] for number, _, shown in people if len(shown.faces) == 1}
    known = np.array(list(faces.values()), dtype=np.float32)
    seen_people = name_faces(look.faces, known, list(faces), threshold)
    found = [f"missing person {name}" for number, name, _ in people if number in faces and number not in seen_people]
    unknown = seen_people.count(ANYONE)
    if unknown > asked.strangers:
        found.append(f"unknown person, {unknown - asked.strangers} of them")
    elif unknown < asked.strangers:
        found.append(f"missing person, {asked.strangers - unknown} whom nobody knows")
    seen = Counter(one.name for one in look.sight.things)
    for _, name, shown in people:
        if not len(shown.faces) and shown.sight.things and not seen[shown.sight.things[0].name]:
            found.append(f"missing animal {name}")
    for text in asked.things:
        for thing in things_in(text):
            count = thing.count or 1
            if seen[thing.name] != count:
                found.append(f"{seen[thing.name]} {thing.name} instead of {count}")
    return found
