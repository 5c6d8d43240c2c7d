"""What a question about a life asks for, and who is meant in it."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lifeloom.models.builtin.reader.kinship import NICKNAMES, RELATION_WORDS, Person
from lifeloom.models.builtin.reader.life.asking import dates_in
from lifeloom.models.builtin.reader.text import content_stems
from lifeloom.tasks.graph_search import EntityLine
from lifeloom.tasks.life_answer import GraphFact

__all__ = ["OF_PEOPLE", "Asked", "Want", "asked_in", "people_in", "people_of_facts", "stems_of"]

Want = Literal["who", "where", "doing", "thing", "looks", "career", "tastes", "when", "number"]

_PATTERNS: Final[tuple[tuple[Want, str], ...]] = (
    ("who", r"\bwho(?:m|se)?\b|\battend|\bcompany\b|\baccompan|\bpeople\b|\bpersons?\b|\bpresent (?:in|at|on)\b"
            r"|\balone\b|\bnobody\b|\bno ?(?:one|body) (?:but|else)\b|\bby (?:themselves|himself|herself)\b"),
    ("where", r"\bwhere\b|\b(?:what|which) (?:\w+ )?(?:place|location|setting|venue|spot|room)s?\b"),
    ("doing", r"\bactivit|\bpurpose\b|\boccasion\b|\bgoing on\b|\bdoing\b|\bhappen|\bcelebrat"
              r"|\b(?:what|which) (?:did|event|kind of event|was the (?:event|reason|theme))\b|\btheme\b"
              r"|\btak(?:e|ing) place\b"),
    ("thing", r"\bobjects?\b|\bthings?\b|\bitems?\b|\bcolou?rs?\b|\bbeside\b|\bnext to\b|\bnear|\bclose|\bhold"
              r"|\bcarr(?:y|ies|ying)\b|\bseen\b|\bbackground\b|\bphotos?\b.{0,40}\bshow|\bto the (?:left|right)\b"
              r"|\bleft to right\b"),
    ("looks", r"\bhair|\beyes?\b|\bglasses\b|\bbeard|\bmoustache|\bmustache|\bface\b|\bfacial|\bskin\b|\blooks?\b"
              r"|\bappearance\b|\bage\b|\bold\b|\bwear|\bhead ?(?:wear|cover|gear)|\bhat\b|\bbuild\b|\btall\b"),
    ("career", r"\bcareer|\bjobs?\b|\bprofession|\bliving\b|\boccupation|\bworks?\b|\bpersona\b"),
    ("tastes", r"\blikes?\b|\bfond\b|\bhobb|\btaste|\bpersonality|\bfavou?rite|\benjoy|\bkeen\b|\bprofile\b"
               r"|\bpersona\b|\binterests?\b|\bprefer"),
    ("when", r"\bwhen\b|\b(?:what|which) (?:day|date|month|year)s?\b"),
    ("number", r"\bhow (?:many|often)\b|\bnumber of\b|\bcount\b"),
)  # fmt: skip
_WANTS: Final = tuple((want, re.compile(pattern)) for want, pattern in _PATTERNS)
_IN_PICTURE: Final = re.compile(
    r"\b(?:this|the (?:given|shown|attached)) (?:picture|photo|image|photograph|scene)\b"
    r"|\bin the (?:picture|photo|image|photograph)\b(?! (?:from|of|taken|on)\b)|\b(?:depicted|visible|shown)\b"
)


OF_PEOPLE: Final[frozenset[Want]] = frozenset({"looks", "career", "tastes"})
"""What holds of somebody as such."""
_RELATIONS: Final = frozenset(word.casefold() for word in RELATION_WORDS)
_BY_RELATION: Final = re.compile(rf"(?:'s?|\bmy|\bour) (?:{'|'.join(re.escape(word) for word in RELATION_WORDS)})\b")


@dataclass(frozen=True)
class Asked:
    """A question taken apart."""

    wants: frozenset[Want]
    days: frozenset[str]
    """``YYYY-MM-DD``."""
    stems: frozenset[str]
    by_relation: bool
    """Whether somebody is named by what they are to somebody."""
    in_picture: bool
    """Whether it is about a picture that comes with it, not about the history."""

    @property
    def of_people(self) -> bool:
        """Whether it asks what somebody is like, not what happened."""
        return not self.days and bool(self.wants & OF_PEOPLE)


@functools.lru_cache(maxsize=65_536)
def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the content words of a name, a relation or a value."""
    return frozenset(content_stems(text))


@functools.lru_cache(maxsize=2048)
def asked_in(question: str) -> Asked:
    """Take ``question`` apart."""
    text = " ".join(question.lower().replace("’", "'").split())
    days = frozenset(day.isoformat() for day in dates_in(question))
    return Asked(
        wants=frozenset(want for want, pattern in _WANTS if pattern.search(text)),
        days=days,
        stems=frozenset(content_stems(question)),
        by_relation=bool(_BY_RELATION.search(text)),
        in_picture=not days and bool(_IN_PICTURE.search(text)),
    )


def people_in(lines: Sequence[EntityLine], owner: str) -> tuple[Person, ...]:
    """Return the people among entities; what they are to the owner is read from their aliases."""
    return tuple(
        Person(one.name, _role(one.name, one.aliases, owner), one.aliases)
        for one in lines
        if one.type == "PersonAnimal"
    )


def people_of_facts(facts: Sequence[GraphFact], owner: str) -> tuple[Person, ...]:
    """Return the people whom facts name; what they are to the owner is read from the facts between them."""
    roles: dict[str, str] = {owner: "Account Owner"} if owner else {}
    for fact in facts:
        for name, kind in ((fact.head, fact.head_type), (fact.tail, fact.tail_type)):
            if kind == "PersonAnimal":
                roles.setdefault(name, "")
        if fact.head_type == fact.tail_type == "PersonAnimal" and fact.tail == owner and fact.relation.endswith("Of"):
            words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", fact.relation[:-2])
            roles[fact.head] = f"Owner's {words}"
    return tuple(Person(name, role) for name, role in roles.items())


def _role(name: str, aliases: Sequence[str], owner: str) -> str:
    if owner and name == owner:
        return "Account Owner"
    for alias in aliases:
        words = alias.casefold().replace("’", "'").removeprefix("the ").removeprefix("my ")
        for holder in (owner.casefold(), "owner", "account owner"):
            words = words.removeprefix(f"{holder}'s ").removeprefix(f"{holder}' ")
        if words in _RELATIONS:
            return f"Owner's {NICKNAMES.get(words, words)}"
    return ""
