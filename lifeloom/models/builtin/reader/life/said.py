"""What an answer or a ground truth states: days, numbers, names, things, activities, places, and what is left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.activities import ActivityMention, activities_in
from lifeloom.models.builtin.reader.english import lexicon
from lifeloom.models.builtin.reader.kinship import NICKNAMES, RELATION_WORDS
from lifeloom.models.builtin.reader.life.asking import (
    COLOUR_WORDS,
    MONTH_NAMES,
    NUMBER_WORDS,
    AskedThing,
    dates_in,
    things_in,
    without_dates,
)
from lifeloom.models.builtin.reader.text import content_stems

__all__ = ["Said", "asks_who", "denies", "left_over", "names_in", "said", "says_none"]

_DENIAL: Final = re.compile(
    r"^\s*no\b|\b(?:not|never|nowhere|absent|neither)\b|n['’]t\b|\bwithout\b|\bno (?:sign|trace)\b", re.IGNORECASE
)
_NAME: Final = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]+")
_NOBODY: Final = re.compile(
    r"\b(?:nobody|no one|no-one|none|alone)\b|\bon (?:their|her|his|its) own\b|\bby (?:them|her|him)sel", re.IGNORECASE
)
_WHO: Final = re.compile(r"\b(?:who|whom|whose|which (?:person|people)|name of|anybody|anyone)\b", re.IGNORECASE)
_PLACES: Final = re.compile(
    r"\b(parks?|beach|streets?|forests?|woods|mountains?|farms?|lakes?|deserts?|gardens?|markets?|harbou?rs?|playgrounds?"
    r"|campsites?|vineyards?|platforms?|stations?|pools?|waterfalls?|stadiums?|living rooms?|kitchens?|classrooms?"
    r"|librar(?:y|ies)|offices?|caf[eé]s?|gyms?|bedrooms?|museums?|workshops?|restaurants?|theat(?:re|er)s?"
    r"|supermarkets?|airports?)\b(?! (?:party|night))",
    re.IGNORECASE,
)
_SAME_PLACE: Final = {
    "mountain": "mountains", "harbor": "harbour", "station": "platform", "café": "cafe", "theater": "theatre",
    "woods": "forest", "libraries": "library",
}  # fmt: skip
_TIMES: Final = {
    "morning": r"\b(?:morning|dawn|sunrise)\b", "day": r"\b(?:daytime|midday|noon|middle of the day|by day)\b",
    "sunset": r"\b(?:sunset|dusk|evening)\b", "night": r"\b(?:night|night-?time|midnight)\b",
}  # fmt: skip
_COUNTED: Final = r"(?:photos?|pictures?|images?|(?:\w+ )?days?|times?|events?|people|occasions?)"
_COMMON: Final = lexicon(
    """
    most with there from it the on in at by photo photos picture pictures christmas yes no none nobody alone based next
    he she they his her their this that these those one first second last both either only two three four five six your
    my our its and besides
    """
)
"""Words that often begin a sentence and name nobody."""
_CARRIERS: Final = frozenset(
    content_stems(
        """
        answer name people person photo picture image event day date take taken place most often then first second thing
        object activity kind form type follow happen include attend attended present appear appears show shown shows
        provide provided base based likes like fond enjoy love history profile nearest closest left right stand standing
        came come also else besides other different there number snowy town swimming station play go went going have had
        having make made do did together quite some several
        """
    )
)
"""Stems that carry what is said and say nothing themselves."""


@dataclass(frozen=True)
class Said:
    """What a text states."""

    text: str
    dates: frozenset[str]
    """``YYYY-MM-DD``."""
    numbers: frozenset[int]
    """That count neither things nor days of a month."""
    names: tuple[str, ...]
    """In order; those that it denies are left out."""
    denied: frozenset[str]
    nobody: bool
    activities: tuple[ActivityMention, ...]
    places: tuple[str, ...]
    things: tuple[AskedThing, ...]
    colours: frozenset[str]
    times: frozenset[str]
    denies: bool
    stems: frozenset[str]
    """Of all its words."""


def asks_who(question: str) -> bool:
    """Whether a question asks for people."""
    return bool(_WHO.search(question))


def denies(text: str) -> bool:
    """Whether a text says no, or that something is not so."""
    return bool(_DENIAL.search(text))


def names_in(question: str, truth: str, answer: str) -> frozenset[str]:
    """Return the names that the three texts give people and animals.

    A capital letter within a sentence makes a name. At the start of a sentence it may be any word: there it is one when
    it is one elsewhere, or where people are asked for and it is no word for an activity, a thing or a place.
    """
    found: set[str] = set()
    starts: set[str] = set()
    for text in (question, truth, answer):
        for match in _NAME.finditer(text):
            before = text[: match.start()].rstrip()
            word = match[0]
            if word.lower() in _COMMON or word.lower() in MONTH_NAMES or word.isupper():
                continue
            if before and before[-1] not in ".!?:;":
                found.add(word)
            elif asks_who(question) and _may_name(word, match.start(), text):
                starts.add(word)
    found |= starts
    return frozenset(word for word in found if word.lower() not in NICKNAMES)


def _may_name(word: str, start: int, text: str) -> bool:
    """Whether a word at the start of a sentence may be a name."""
    plain = word.lower()
    spans = [(one.start, one.end) for one in activities_in(text)]
    spans += [(one.start, one.end) for one in things_in(text)]
    return not (
        plain.endswith("ing")
        or plain in NUMBER_WORDS
        or plain in COLOUR_WORDS
        or any(begin <= start < end for begin, end in spans)
        or _PLACES.fullmatch(word)
        or not content_stems(word)
    )


def said(text: str, names: frozenset[str]) -> Said:
    """Return what ``text`` states, where ``names`` are those of people and animals."""
    rest = without_dates(text)
    mentioned, things = _apart(activities_in(rest), things_in(rest))
    places = [_place(match[0]) for match in _PLACES.finditer(rest)]
    given: list[str] = []
    denied: set[str] = set()
    for clause in re.split(r"[,;.]\s+(?=but|although|though|while|and not)|\bbut\b|\bwithout\b", text):
        own = [word for word in re.findall(r"[\w-]+", clause) if word in names]
        if given and denies(clause):
            denied |= set(own)
        else:
            given += own
    return Said(
        text=text,
        dates=frozenset(day.isoformat() for day in dates_in(text)),
        numbers=_numbers(rest, things),
        names=_by_side(text, tuple(dict.fromkeys(given))),
        denied=frozenset(denied),
        nobody=bool(_NOBODY.search(text)),
        activities=mentioned,
        places=tuple(dict.fromkeys(places)),
        things=things,
        colours=frozenset(
            "grey" if word == "gray" else word for word in COLOUR_WORDS if re.search(rf"\b{word}\b", text.lower())
        ),
        times=frozenset(name for name, pattern in _TIMES.items() if re.search(pattern, text.lower())),
        denies=denies(text),
        stems=frozenset(content_stems(text.replace("gray", "grey"))),
    )


def _apart(
    activities: Sequence[ActivityMention], things: Sequence[AskedThing]
) -> tuple[tuple[ActivityMention, ...], tuple[AskedThing, ...]]:
    """Return what is done and what is there, each word as one of them: "a guitar" is a thing, "a bike ride" none."""
    counted = [one for one in things if one.count]
    kept = tuple(one for one in activities if not any(o.start <= one.start and one.end <= o.end for o in counted))
    left = (one for one in things if not any(o.start < one.end and one.start < o.end for o in kept))
    return kept, tuple(left)


def _place(word: str) -> str:
    plain = word.lower()
    plain = _SAME_PLACE.get(plain, plain)
    if plain.endswith("s") and plain != "mountains":
        plain = plain[:-1]
    return _SAME_PLACE.get(plain, plain)


def _numbers(text: str, things: Sequence[AskedThing]) -> frozenset[int]:
    """Return the numbers of a text, without those of things and of lists (``1. climbing``)."""
    plain = text.lower()
    for one in reversed(things):
        plain = plain[: one.start] + " " + plain[one.end :]
    plain = re.sub(r"(?:^|\s)\d\s?[.)](?=\s*[a-z])", " ", plain)
    found = {int(one) for one in re.findall(r"(?<![\w-])\d{1,3}\b(?!-)", plain)}
    found |= {
        NUMBER_WORDS[word]
        for word in re.findall(r"\b[a-z]+\b", plain)
        if word in NUMBER_WORDS and word not in ("a", "an", "no", "none", "one")
    }
    if re.search(rf"\b(?:one|a single|single) (?:single |different )?{_COUNTED}\b", plain) or re.fullmatch(
        r"\W*(?:only |just )?one\W*", plain
    ):
        found.add(1)
    return frozenset(found)


def says_none(given: Said) -> bool:
    """Whether an answer to a question for a number says that there is none."""
    return not given.numbers and bool(given.denies or re.search(r"\b(?:no|none|zero)\b", given.text.lower()))


def _by_side(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names from left to right where a text says on which side each is, else as they come."""
    sides: dict[str, int] = {}
    for clause in re.split(r"[,;.]|\band\b", text):
        side = re.search(r"\b(left|middle|centre|center|right)\b", clause.lower())
        own = [word for word in re.findall(r"[\w-]+", clause) if word in names]
        if side is not None and len(own) == 1:
            sides[own[0]] = {"left": 0, "right": 2}.get(side[1], 1)
    return tuple(sorted(names, key=lambda name: sides[name])) if len(sides) == len(names) else names


def left_over(text: str, names: frozenset[str]) -> tuple[frozenset[str], ...]:
    """Return, for each part of what ``text`` lists, the stems that no other kind of statement covers.

    What a relative clause adds ("..., who was moving abroad") is left out.
    """
    rest = without_dates(text)
    rest = re.sub(r",\s*(?:who|which|where|whose)\b[^,.;]*", "", rest)
    if names:  # "his mother, Ana": the name says it
        named = "|".join(re.escape(name) for name in sorted(names))
        rest = re.sub(rf"\b(?:{'|'.join(RELATION_WORDS)}),?\s+(?=(?:{named})\b)", " ", rest, flags=re.IGNORECASE)
    letters = list(rest)
    spans = [(one.start, one.end) for one in activities_in(rest)]
    spans += [(one.start, one.end) for one in things_in(rest)]
    for start, end in [*spans, *(match.span() for match in _PLACES.finditer(rest))]:
        letters[start:end] = " " * (end - start)
    rest = "".join(letters).replace("gray", "grey")
    parts = []
    for part in re.split(r"[,;.]|\band\b", rest):
        words = " ".join(word for word in re.findall(r"[^\W\d_]+(?:['’]\w+)?", part) if _base(word) not in names)
        stems = {one for one in content_stems(words) if one not in _CARRIERS}
        stems -= _STEMS_OF_NUMBERS
        if stems:
            parts.append(frozenset(stems))
    return tuple(parts)


def _base(word: str) -> str:
    return re.sub(r"['’]\w*$", "", word)


_STEMS_OF_NUMBERS: Final = frozenset(content_stems(" ".join((*NUMBER_WORDS, "nobody", "alone"))))
