"""Who a text speaks of: names, nicknames and relations of a Vaccount's concepts, and people whom nobody planned."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from lifeloom.records import OWNER_ROLE, PlannedConcept
from lifeloom.synthesis.catalogue import GIVEN_NAMES
from lifeloom.synthesis.catalogue.life_people import PET_NAMES, PETS, RELATIONS_OF_LIVES

__all__ = ["mention_problem", "names_in", "unknown_names", "ways_to_call"]

_MORE_RELATIONS = ("wife", "husband", "boyfriend", "girlfriend", "stepmother", "stepfather", "godmother", "godfather")
_NICKNAMES = frozenset(name for one in RELATIONS_OF_LIVES for name in one.nicknames)
_RELATIONS = frozenset(
    {*(one.name for one in RELATIONS_OF_LIVES), *PETS, *_MORE_RELATIONS, *(name.lower() for name in _NICKNAMES)}
)
_MY = re.compile(r"\b[Mm]y ([a-z]+(?: friend)?)(?![\w-])")
_CAPITALISED = r"[A-Z][\w'’]*(?:-[A-Z]\w*)*"
_COMPANY = re.compile(
    rf"\b(?:[Ww]ith|called|named|[Mm]et|[Jj]oined by) ({_CAPITALISED}(?:(?:, and |, | and | & ){_CAPITALISED})*)"
)
_NO_NAMES = frozenset(
    {"I", "I'm", "I'd", "I've", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
    | {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"}
    | {"December", "Christmas", "Easter", "Halloween", "New"}
)
"""Words that begin with a capital letter and are nobody's name."""


def ways_to_call(concept: PlannedConcept, concepts: Sequence[PlannedConcept]) -> tuple[str, ...]:
    """Return how the owner may speak of ``concept`` so that nobody else is meant: name, nicknames, ``my aunt``.

    Where two concepts share every one of them (two aunts of one name), all of the concept's own are returned: it
    cannot be said more clearly.
    """
    counts = Counter(way for one in concepts for way in _ways(one))
    own = _ways(concept)
    return tuple(way for way in own if counts[way] == 1) or own


def mention_problem(
    text: str,
    concepts: Sequence[PlannedConcept],
    wanted: Iterable[str],
    allowed: Iterable[str] = (),
) -> str:
    """Return who a text names or does not name against what was wanted; empty where it is as wanted.

    Args:
        text: what was written.
        concepts: all of the Vaccount.
        wanted: concept ids that must be named, by name, nickname or relation.
        allowed: concept ids that may be named as well.
    """
    found = _ways_in(text, concepts)
    by_id = {one.concept_id: one for one in concepts}
    must = [by_id[one] for one in wanted]
    may = [*must, *(by_id[one] for one in allowed)]
    for one in must:
        if not found & _said(one):
            return f"does not name {one.name}"
    sayable = {way for one in may for way in _said(one)}
    for one in concepts:
        if (found & _said(one)) - sayable:
            return f"names {one.name}, who is not to be named"
    unknown = unknown_names(text, concepts)
    return f"names {unknown[0]}, whom nobody knows" if unknown else ""


def names_in(text: str, names: Iterable[str]) -> set[str]:
    """Return those of ``names`` that stand in a text as whole words; of two that overlap the longer one."""
    longest = sorted(set(names), key=lambda name: (-len(name), name))
    if not longest:
        return set()
    pattern = "|".join(re.escape(name) for name in longest)
    return {match.group(0) for match in re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", text)}


def unknown_names(text: str, concepts: Sequence[PlannedConcept]) -> list[str]:
    """Return names, nicknames and relations in a text that belong to no concept, in the order of the text.

    Found are given names, names of pets within a sentence, what only relatives are called, ``my`` with a relation, and
    whatever stands with a capital letter where company is spoken of.
    """
    known = {word for one in concepts for way in _ways(one) for word in (way, *way.split())}
    said = {way for one in concepts for way in _said(one)}
    found: dict[str, int] = {}
    for name in names_in(text, {*GIVEN_NAMES, *_NICKNAMES} - known):
        found[name] = text.index(name)
    for name in names_in(text, set(PET_NAMES) - known):
        match = re.search(rf"[a-z,] {re.escape(name)}(?![\w-])", text)  # first in a sentence it may be a plain word
        if match:
            found[name] = match.start()
    for match in _COMPANY.finditer(text):
        for name in re.findall(_CAPITALISED, match.group(1)):
            bare = re.sub(r"['’]s?$", "", name)
            if bare not in known and bare not in _NO_NAMES:
                found.setdefault(bare, match.start())
    for match in _MY.finditer(text):
        relation = match.group(1)
        if relation in _RELATIONS and f"my {relation}" not in said:
            found[f"my {relation}"] = match.start()
    return sorted(found, key=lambda name: (found[name], name))


def _ways(concept: PlannedConcept) -> tuple[str, ...]:
    if concept.role == OWNER_ROLE:
        return (concept.name,)
    return (concept.name, *concept.nicknames, f"my {concept.relation}")


def _said(concept: PlannedConcept) -> set[str]:
    """Return what names a concept in a text, in lower case: ``my mom`` as well as ``Mom``."""
    own = _ways(concept)
    return {way.lower() for way in own} | {f"my {way.lower()}" for way in own[1:] if not way.startswith("my ")}


def _ways_in(text: str, concepts: Sequence[PlannedConcept]) -> set[str]:
    """Return the ways to call somebody that stand in a text, in lower case."""
    ways = {way for one in concepts for way in _ways(one)}
    mine = {way for one in concepts for way in _said(one) if way.startswith("my ")}
    return {found.lower() for found in names_in(text, ways | mine | {f"M{way[1:]}" for way in mine})}
