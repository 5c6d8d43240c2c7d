"""What a question about a life asks: who, when, which things, and what about them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.reader.kinship import Person, mentions

__all__ = [
    "COLOUR_WORDS",
    "MONTH_NAMES",
    "NUMBER_WORDS",
    "PHOTO",
    "AskedThing",
    "Understood",
    "anchor_span",
    "dates_in",
    "things_in",
    "understand",
    "without_dates",
]

NUMBER_WORDS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "no": 0, "zero": 0, "none": 0, "once": 1, "twice": 2,
}  # fmt: skip
COLOUR_WORDS = (
    "red", "orange", "yellow", "green", "blue", "purple", "pink", "black", "white", "brown", "grey", "gray", "blond",
    "sandy",
)  # fmt: skip
_MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sep sept", "october oct", "november nov", "december dec",
        ), start=1,
    )
    for name in names.split()
}  # fmt: skip
MONTH_NAMES = frozenset(_MONTHS)
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?({_MONTH})\.?,? (\d{{4}})\b", re.IGNORECASE)
_DOTTED = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b")
_OTHER_NAMES = {
    "fiddle": "violin", "bike": "bicycle", "soccer ball": "football", "computer": "laptop", "phone": "telephone",
    "tv": "television", "telly": "television", "tv set": "television", "teddy": "teddy bear", "brolly": "umbrella",
    "rucksack": "backpack", "present": "gift", "cup": "mug", "automobile": "car",
}  # fmt: skip
_THING_NAMES = (
    "guitar", "violin", "trumpet", "drum", "bicycle", "football", "basketball", "book", "laptop", "telephone", "camera",
    "television", "clock", "cake", "pizza", "apple", "banana", "key", "skateboard", "ladder", "broom", "teddy bear",
    "umbrella", "balloon", "backpack", "hat", "kite", "gift", "teapot", "chair", "tent", "car", "mug", "scarf",
)  # fmt: skip
_THING = re.compile(
    r"\b(?:(a|an|the|one|two|three|four|five|six|seven|eight|nine|\d)\s+)?"
    rf"((?:(?:{'|'.join(COLOUR_WORDS)})\s+)?)"
    rf"(scarves|(?:{'|'.join(sorted((*_THING_NAMES, *_OTHER_NAMES), key=len, reverse=True))})s?)\b(?!-|['’]s)",
    re.IGNORECASE,
)
PHOTO = r"(?:photo|picture|image|photograph|shot)"
_ORDINALS = {
    word: number
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), start=1
    )
}
_STEP = re.compile(
    r"\b(?:(?P<before>(?:followed|succeeded) by|before|preceding|preceded(?! by)|precedes|prior to|previous to|ahead of"
    r"|(?:led|leading|leads) up to|earlier than|in the run-up to)"
    r"|(?P<after>preceded by|after|afterwards?|following|followed|follows|succeeded|succeeding|subsequent to|later than"
    r"|in the wake of|on the heels of|once(?= the| that)))\b",
    re.IGNORECASE,
)
_ANCHOR_ENDS = re.compile(
    r"[?;]|,\s*(?:and\s+)?(?:who|whom|what|which|where|when|how|in|at|with whom|did|was|were|the next|name|tell)\b"
    r"|\s+(?:was|were|is|had|has) (?:over|done|finished|ended|past|through|behind)\b"
    r"|\s+and\s+(?:who|what|where|which|when|with whom|in what|in which|at what)\b|\s+in the history\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class AskedThing:
    """A thing as words say it."""

    name: str
    colour: str
    count: int
    """0: not said."""
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Understood:
    """A question taken apart."""

    text: str
    """In small letters."""
    people: tuple[tuple[str, ...], ...]
    """For each mention, the names that it fits."""
    anchor: str
    """What the question starts from: "... after the day of fishing by the lake"; empty where there is nothing such."""
    backwards: bool
    """Whether what came before the anchor is asked for."""
    anchor_people: tuple[tuple[str, ...], ...]
    """Of ``people`` those that the anchor mentions."""
    dates: tuple[dt.date, ...]
    things: tuple[AskedThing, ...]
    year: int | None
    number: int | None
    """Of a photo."""

    def has(self, *patterns: str) -> bool:
        """Whether any of ``patterns`` is found in the question."""
        return any(re.search(pattern, self.text) for pattern in patterns)


def understand(question: str, people: Sequence[Person], owner: str) -> Understood:
    """Take ``question`` apart among ``people``."""
    dates = dates_in(question)
    without = without_dates(question)
    year = re.search(r"\b(?:19|20)\d\d\b", without)
    number = re.search(
        rf"\b{PHOTO} (?:number |no\.? |#)?(\d{{1,3}})\b|\b(\d{{1,2}})(?:st|nd|rd|th) {PHOTO}\b", without.lower()
    )
    ordinal = re.search(rf"\b({'|'.join(_ORDINALS)}) {PHOTO} (?:of|from|on|taken)\b", question.lower())
    start, end, backwards = _stepped(question)
    found = mentions(question, people, owner)
    return Understood(
        text=" ".join(question.lower().replace("’", "'").split()),
        people=tuple(names for _, _, names in found),
        anchor=question[start:end],
        backwards=backwards,
        anchor_people=tuple(names for begins, _, names in found if start <= begins < end),
        dates=dates,
        things=things_in(question),
        year=int(year[0]) if year else None,
        number=int(number[1] or number[2]) if number else _ORDINALS[ordinal[1]] if ordinal else None,
    )


def anchor_span(question: str) -> tuple[int, int]:
    """Return where the words of the anchor begin and end; nothing where nothing is stepped from."""
    return _stepped(question)[:2]


def _stepped(question: str) -> tuple[int, int, bool]:
    """Return where the anchor begins and ends, and whether what came before it is asked for."""
    match = _STEP.search(question)
    if match is None:
        return 0, 0, False
    rest = question[match.end() :]
    passive = match[0].lower().endswith(" by")
    if passive and re.match(r"\s+(?:which|what|who|whom)\b", rest):  # "A was followed by what?" starts from A
        return 0, match.start(), match["after"] is not None
    ends = _ANCHOR_ENDS.search(rest)
    return match.end(), match.end() + (ends.start() if ends else len(rest)), match["before"] is not None


def dates_in(text: str) -> tuple[dt.date, ...]:
    """Return the days that ``text`` names, in order; impossible ones are left out."""
    found: list[tuple[int, dt.date]] = []
    for pattern, order in ((_ISO, "ymd"), (_MONTH_FIRST, "mdy"), (_DAY_FIRST, "dmy"), (_DOTTED, "dmy")):
        for match in pattern.finditer(text):
            parts = dict(zip(order, match.groups(), strict=True))
            month = _MONTHS.get(parts["m"].lower(), 0) or (int(parts["m"]) if parts["m"].isdigit() else 0)
            try:
                found.append((match.start(), dt.date(int(parts["y"]), month, int(parts["d"]))))
            except ValueError:
                continue  # no such day: then none is named
    return tuple(day for _, day in sorted(found))


def without_dates(text: str) -> str:
    """Return ``text`` with a blank for each day that it names."""
    for pattern in (_ISO, _MONTH_FIRST, _DAY_FIRST, _DOTTED):
        text = pattern.sub(" ", text)
    return text


def things_in(text: str) -> tuple[AskedThing, ...]:
    """Return the things that ``text`` names, with colour and number where they are said."""
    found = []
    for match in _THING.finditer(text):
        number = (match[1] or "").lower()
        count = 0 if number in ("the", "") else NUMBER_WORDS.get(number, int(number) if number.isdigit() else 0)
        colour = match[2].strip().lower().replace("gray", "grey")
        found.append(AskedThing(_singular(match[3]), colour, count, match.start(), match.end()))
    return tuple(found)


def _singular(word: str) -> str:
    """Return the singular of a thing's name."""
    plain = word.lower()
    if plain == "scarves":
        return "scarf"
    plain = plain[:-1] if plain.endswith("s") else plain
    return _OTHER_NAMES.get(plain, plain)
