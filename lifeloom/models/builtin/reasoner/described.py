"""Pictures that a memory tells of in words: "The picture shows two people, a black dog, a museum (sunset)".

Such a memory brings no picture. Its words are read as the reader reads what eyes see, faces aside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.english import PEOPLE, lexicon
from lifeloom.models.builtin.reader.looking import LookedAt, looked_at

__all__ = ["described_picture"]

_SHOWS: Final = re.compile(r"\s*\b[Tt]he (?:picture|photo)s? shows? ([^.]+)\.?")
_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
}  # fmt: skip
_COLOURS: Final = frozenset(
    {"red", "orange", "yellow", "green", "blue", "purple", "violet", "pink", "brown", "black", "white", "grey", "gray",
     "beige", "turquoise", "golden", "silver"}
)  # fmt: skip
_ANIMALS: Final = lexicon(
    """
    dog puppy cat kitten rabbit hare hamster mouse rat squirrel chipmunk hedgehog fox wolf bear panda koala lion tiger
    leopard elephant giraffe zebra hippo rhino camel horse donkey cow bull goat sheep lamb pig deer monkey ape gorilla
    kangaroo bat bird parrot owl eagle duck goose swan hen rooster chicken turkey pigeon penguin flamingo peacock snake
    lizard crocodile turtle tortoise frog fish shark whale dolphin octopus crab lobster snail bee butterfly ladybird
    spider ant seal otter beaver raccoon skunk sloth llama alpaca ox buffalo boar badger mole
    """
)
_MOST: Final = 20


@dataclass(frozen=True)
class _Thing:
    kind: str
    name: str
    colour: str


@dataclass(frozen=True)
class _Told:
    people: tuple[()]
    things: tuple[_Thing, ...]
    place: str
    time_of_day: str


def described_picture(content: str) -> tuple[str, LookedAt] | None:
    """Return ``content`` without the words for its picture, and what they say it shows; None where there are none.

    A part with a time of day behind it is the place; people are left out, since words show no face.
    """
    match = _SHOWS.search(content)
    if match is None:
        return None
    things: list[_Thing] = []
    place = light = ""
    for part in re.split(r", | and ", match[1]):
        read = re.fullmatch(r"(?:(\d{1,2}|[a-z]+) (?:times )?)?(.+?)(?: \(([a-z]+)\))?", part.strip())
        if read is None:
            continue
        count = int(read[1]) if (read[1] or "").isdigit() else _NUMBERS.get(read[1] or "", 0)
        what = read[2] if count else f"{read[1] or ''} {read[2]}".strip()
        if read[3]:
            place, light = what, read[3]
            continue
        first, _, rest = what.partition(" ")
        colour, name = (first, rest) if rest and first in _COLOURS else ("", what)
        name = _singular(name, count)
        if name not in PEOPLE and name not in ("person", "people"):
            things += [_Thing("animal" if name in _ANIMALS else "object", name, colour)] * min(max(count, 1), _MOST)
    said = " ".join((content[: match.start()] + content[match.end() :]).split())
    return said, looked_at(_Told((), tuple(things), place, light))


def _singular(name: str, count: int) -> str:
    return name[:-1] if count > 1 and name.endswith("s") and not name.endswith("ss") else name
