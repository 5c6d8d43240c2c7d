"""What a message says its picture is: somebody or something of the user's, and what can be seen in it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.extractor.wording import sentences_of
from lifeloom.models.builtin.reader.english import PEOPLE
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.builtin.reader.pointing import MARK, introduced
from lifeloom.models.builtin.reader.text import base
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["Concept", "concept_of", "describe"]

_MY_THING: Final = re.compile(
    r"\b(?i:this|that|these|here|it|meet|there)(?:'s| is| are| was|,)? (?:also |finally |now )?(?:my|our) "
    r"(?P<thing>(?!favou?rite\b|usual\b|idea\b|new favou?rite\b|kind\b|sort\b|style\b|taste\b|choice\b|pick\b)"
    r"(?!(?:[\w-]+ ){0,3}(?:colou?rs?|style|taste|choice|pick|idea|way|view|place|spot|go-to|order|usual|answer)\b)"
    r"(?:[\w-]+ ){0,3}?[\w-]+)"
    r"(?:,? (?:called|named|by the name of) (?P<called>\w+)|,? (?P<name>[A-Z][\w-]+))?"
    r"(?= ?(?:[.,!;:?]|imgmark|and\b|who\b|that\b|with\b|from\b|in\b|on\b|at\b|$))",
)
_REMEMBER: Final = re.compile(
    r"\b(?:remember|memori[sz]e|don't forget|do not forget|recogni[sz]e|keep in mind|note)\b (?:that )?"
    r"(?P<what>(?:the|this|that|these|those|my|our|his|her|their) [\w' -]{2,60}?)"
    r"(?: (?:in|on|from|of) (?:this|the|that|my) (?:picture|photo|photograph|image|shot|one|snap)|(?= ?imgmark)|"
    r"[.,!?:;])",
    re.IGNORECASE,
)
_NAMED_RELATION: Final = re.compile(
    r"\b(?i:this is|that is|that's|it is|it's|he is|he's|she is|she's|they are) (?:my|"
    r"our) (?:[\w-]+ )?(?P<who>[a-z-]+),? "
    r"(?P<name>[A-Z][\w-]+)"
)
_ANYBODY: Final = re.compile(
    r"^(?:the|this|that|these|those) (?:[\w-]+ )?(?:person|boy|girl|man|woman|guy|lady|baby|child|kid|face|people|"
    r"one|dog|cat|"
    r"animal|pet)\b",
    re.IGNORECASE,
)
_SPEAKS_OF: Final = re.compile(r"^(?:this|that|these|those)$")


@dataclass(frozen=True, slots=True)
class Concept:
    """Whom or what a picture introduces."""

    phrase: str = ""
    """``Ana``, ``Tom, the user's nephew``, ``Rex, the user's dog``, ``the boy``; empty for nothing."""
    picture: int = 1
    """Number of the picture, from 1."""
    reason: str = ""
    tells_more: bool = False
    """Whether its sentence also says who that is to the user."""


def concept_of(text: str, names: frozenset[str]) -> Concept:
    """Return what a message says one of its pictures is.

    Args:
        text: The message, with its marks.
        names: Lower-case names of people in the session.
    """
    marked = [i for i, one in enumerate(sentences_of(text)) if MARK in one.words]
    near = " ".join(one.text for one in sentences_of(text)[max(0, marked[0] - 1) : marked[-1] + 2]) if marked else ""
    asked = _REMEMBER.search(near)
    told = _NAMED_RELATION.search(near)
    if asked and not _SPEAKS_OF.match(asked["what"].strip()):
        if told is not None and _ANYBODY.match(asked["what"]):
            phrase = f"{told['name']}, the user's {told['who']}"
            return Concept(phrase, 1, "The user asked for somebody in a picture to be remembered.", True)
        phrase = re.sub(r"^(?:my|our)\b", "the user's", " ".join(asked["what"].split()), flags=re.IGNORECASE)
        phrase = re.sub(r"^(?:this|that|these|those)\b", "the", phrase, flags=re.IGNORECASE)
        return Concept(phrase, 1, "The user asked for what the picture shows to be remembered.")
    name = introduced(text, names)
    if name:
        relation = _relation(near, name)
        written = _as_written(text, name)
        phrase = f"{written}, the user's {relation}" if relation else written
        return Concept(phrase, 1, "The user introduced somebody by a picture.", bool(relation))
    thing = _MY_THING.search(near)
    if thing and text.count(PICTURE_MARK) == 1:
        called = thing["called"] or thing["name"] or ""
        what = f"the user's {thing['thing']}"
        return Concept(f"{called}, {what}" if called else what, 1, "The user showed something of theirs.", bool(called))
    return Concept()


def _as_written(text: str, name: str) -> str:
    for match in re.finditer(r"[^\W_]+(?:[-'’][^\W_]+)*", text):
        if base(match.group().replace("’", "'")).lower() == name:
            return base(match.group().replace("’", "'"))
    return name.capitalize()


def _relation(near: str, name: str) -> str:
    """Return the word for what somebody named is to the user: "my cousin Ana", "Ana, my cousin"; empty without one."""
    match = re.search(
        rf"\b(?:my|our) (?P<before>(?:[\w-]+ ){{0,3}}?[\w-]+),? {re.escape(name)}\b|"
        rf"\b{re.escape(name)},? (?:is |who is |that is )?(?:my|our) (?P<after>[\w-]+(?: [\w-]+){{0,2}})",
        near,
        re.IGNORECASE,
    )
    if match is None:
        return ""
    return next((word for word in (match["before"] or match["after"]).lower().split() if word in PEOPLE), "")


def describe(picture: LookedAt) -> str:
    """Return what a picture shows in words: people, things with their colours, the place and the light."""
    sight = picture.sight
    parts: list[str] = []
    if sight.people:
        parts.append("a person" if len(sight.people) == 1 else f"{len(sight.people)} people")
    named = Counter((thing.name, thing.colour) for thing in sight.things)
    for (name, colour), count in named.items():
        what = f"{colour} {name}".strip()
        parts.append(f"{_article(what)} {what}" if count == 1 else f"{count} times {what}")
    if sight.place:
        parts.append(f"{_article(sight.place)} {sight.place} ({sight.time_of_day})")
    return ", ".join(parts)


def _article(phrase: str) -> str:
    return "an" if phrase[:1] in "aeiou" else "a"
