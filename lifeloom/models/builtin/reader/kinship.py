"""Who is meant: names, nicknames and chains of relations, from names and roles ("Owner's Mother")."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["NICKNAMES", "RELATION_WORDS", "Person", "mentions", "owner_of", "relation_of", "resolve"]

NICKNAMES: dict[str, str] = {
    **dict.fromkeys(("mom", "mum", "mama", "mommy", "mummy", "ma"), "mother"),
    **dict.fromkeys(("dad", "papa", "daddy", "pa"), "father"),
    **dict.fromkeys(("grandma", "granny", "nan", "nana", "gran"), "grandmother"),
    **dict.fromkeys(("grandpa", "gramps", "granddad", "grandad"), "grandfather"),
    **dict.fromkeys(("sis",), "sister"),
    **dict.fromkeys(("bro",), "brother"),
    **dict.fromkeys(("auntie", "aunty"), "aunt"),
    **dict.fromkeys(("hubby",), "husband"),
    **dict.fromkeys(("kitty",), "cat"),
    **dict.fromkeys(("puppy",), "dog"),
}
_PETS = (
    "dog", "cat", "rabbit", "parrot", "turtle", "tortoise", "hedgehog", "goat", "duck", "horse", "hamster", "bird",
)  # fmt: skip
_WOMEN = ("mother", "daughter", "sister", "aunt", "niece", "wife")
_MEN = ("father", "son", "brother", "uncle", "nephew", "husband")
_PATHS: dict[str, str] = {
    **dict.fromkeys(("mother", "father", "parent"), "P"),
    **dict.fromkeys(("daughter", "son", "child", "kid"), "C"),
    **dict.fromkeys(("sister", "brother", "sibling", "twin"), "S"),
    **dict.fromkeys(("grandmother", "grandfather", "grandparent"), "PP"),
    **dict.fromkeys(("granddaughter", "grandson", "grandchild"), "CC"),
    **dict.fromkeys(("great-grandmother", "great-grandfather", "great-grandparent"), "PPP"),
    **dict.fromkeys(("great-granddaughter", "great-grandson", "great-grandchild"), "CCC"),
    **dict.fromkeys(("aunt", "uncle"), "PS"),
    **dict.fromkeys(("niece", "nephew"), "SC"),
    "cousin": "PSC",
    **dict.fromkeys(("partner", "husband", "wife", "spouse"), "W"),
    **dict.fromkeys(("mother-in-law", "father-in-law", "parent-in-law"), "WP"),
    **dict.fromkeys(("daughter-in-law", "son-in-law"), "CW"),
    **dict.fromkeys(("friend", "best friend"), "F"),
}
"""Steps from somebody to who is called so: to a parent, a child, a brother or sister, a partner, a friend."""
_BACK = {"P": "C", "C": "P", "S": "S", "W": "W", "F": "F"}
_SHORTER: dict[str, tuple[tuple[str, bool], ...]] = {
    "SS": (("S", True),),
    "SP": (("P", True),),
    "CS": (("C", True),),
    "PC": (("S", True), ("", False)),
    "CP": (("", False), ("W", False)),
    "PW": (("P", False),),
    "WC": (("C", False),),
}
"""Two steps in one: for certain, or only perhaps (somebody's grandson may be their daughter's child, or her nephew)."""
_OWNER_WORDS = ("account owner", "owner", "account holder")
RELATION_WORDS = sorted({*_PATHS, *_PETS, *NICKNAMES, "pet", "owner"}, key=len, reverse=True)
"""Words for what somebody is to somebody; longer ones first."""
_CHAIN = r"(?:['’]s?\s+(?:{words}))*"


@dataclass(frozen=True)
class Person:
    """Somebody who is known."""

    name: str
    role: str
    """``Account Owner``, ``Owner's Mother``."""
    aliases: tuple[str, ...] = ()


def relation_of(role: str) -> str:
    """Return what a role says somebody is to the owner, in small letters; empty for the owner."""
    match = re.match(r"(?:the )?(?:account )?owner['’]s\s+(.+)$", role.strip(), re.IGNORECASE)
    return match[1].strip().lower() if match else ""


def owner_of(people: Sequence[Person], owner: str = "") -> Person | None:
    """Return the owner: by the role, else by name."""
    by_role = next((one for one in people if not relation_of(one.role) and "owner" in one.role.lower()), None)
    return by_role or next((one for one in people if one.name == owner), None)


def mentions(text: str, people: Sequence[Person], owner: str = "") -> list[tuple[int, int, tuple[str, ...]]]:
    """Return where ``text`` means somebody: start, end, and the names of all that the words fit, in its order.

    Chains are read as a whole: "Rylen's grandfather" is one mention. "my aunt" and "Mom" are the owner's.
    """
    pattern = _pattern(tuple(sorted({name for one in people for name in (one.name, *one.aliases) if name})))
    found = []
    for match in pattern.finditer(text):
        who = resolve(match[0], people, owner)
        if who:
            found.append((match.start(), match.end(), who))
    return found


@functools.lru_cache(maxsize=256)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds mentions of people with these names."""
    words = "|".join(re.escape(word) for word in RELATION_WORDS)
    chain = _CHAIN.format(words=words)
    ordered = sorted(names, key=len, reverse=True)
    starts = [rf"\b(?:{'|'.join(re.escape(name) for name in ordered)})\b"] if names else []
    starts += [
        rf"\b(?:the\s+)?(?:{'|'.join(_OWNER_WORDS)})\b",
        rf"\b(?:my|our|the owner['’]s)\s+(?:{words})\b",
        rf"\bthe\s+(?:{'|'.join(_PETS)})\b",
        rf"\b(?:{'|'.join(word for word in NICKNAMES)})\b",
    ]
    return re.compile(rf"(?:{'|'.join(starts)}){chain}", re.IGNORECASE)


def resolve(phrase: str, people: Sequence[Person], owner: str = "") -> tuple[str, ...]:
    """Return the names of everybody whom ``phrase`` may mean; empty where nobody fits.

    Args:
        phrase: a name, a nickname, a relation to the owner ("my aunt"), or a chain ("Rylen's grandfather").
        people: everybody who is known.
        owner: name of the owner, where no role says so.
    """
    plain = re.sub(r"['’]s?$", "", phrase.strip())
    parts = [part.strip() for part in re.split(r"['’]s?\s+", plain)]
    me = owner_of(people, owner)
    found = _first(parts[0], people, me)
    for part in parts[1:]:
        found = tuple(dict.fromkeys(name for one in found for name in _related(one, part, people, me)))
    return found


def _first(text: str, people: Sequence[Person], me: Person | None) -> tuple[str, ...]:
    plain = re.sub(r"^(?:the|my|our)\s+", "", text.strip(), flags=re.IGNORECASE).lower()
    if me is not None and (plain in _OWNER_WORDS or plain in ("i", "me", "myself")):
        return (me.name,)
    named = tuple(one.name for one in people if plain == one.name.lower() or plain in (a.lower() for a in one.aliases))
    if named:
        return named
    return () if me is None else _related(me.name, plain, people, me)


def _related(name: str, relation: str, people: Sequence[Person], me: Person | None) -> tuple[str, ...]:
    """Return who is ``relation`` of somebody: whoever is for certain, else whoever may be."""
    plain = relation.lower().strip(" .,?!")
    word = NICKNAMES.get(plain, plain)
    if me is None:
        return ()
    if word == "owner":
        return (me.name,) if name != me.name else ()
    certain: list[str] = []
    possible: list[str] = []
    for other in people:
        for one in people:
            if one.name == name and other is not one:
                sure = _is(one, other, word, me)
                if sure is not None:
                    (certain if sure else possible).append(other.name)
    return tuple(dict.fromkeys(certain or possible))


def _is(one: Person, other: Person, word: str, me: Person) -> bool | None:
    """Whether ``other`` is called ``word`` by ``one``: True for certain, False perhaps, None not."""
    called = relation_of(other.role)
    called = NICKNAMES.get(called, called)
    if one is me and (called == word or (word == "pet" and called in _PETS)):
        return True
    path, start, end = _PATHS.get(word), _path(one, me), _path(other, me)
    if path is None or start is None or end is None or not _fits(word, called):
        return None
    found = _shortened("".join(_BACK[step] for step in reversed(start)) + end)
    if path not in found:
        return None
    return found[path]


def _path(one: Person, me: Person) -> str | None:
    """Return the steps from the owner to somebody; None where the role says none."""
    return "" if one is me else _PATHS.get(NICKNAMES.get(relation_of(one.role), relation_of(one.role)))


def _fits(word: str, called: str) -> bool:
    """Whether a woman's word can be meant for who is called so by the owner; of the owner nothing is known."""
    woman, man = any(word.endswith(one) for one in _WOMEN), any(word.endswith(one) for one in _MEN)
    theirs = (any(called.endswith(one) for one in _WOMEN), any(called.endswith(one) for one in _MEN))
    return not (woman and theirs[1]) and not (man and theirs[0])


@functools.cache
def _shortened(path: str) -> dict[str, bool]:
    """Return what a row of steps comes to, each with whether that is certain."""
    for place in range(len(path) - 1):
        ways = _SHORTER.get(path[place : place + 2])
        if ways is None:
            continue
        found: dict[str, bool] = {}
        # of a whole path nothing is left only where both ends are one person
        ways = tuple(way for way in ways if way[0] or len(path) > 2)
        for steps, sure in ways:
            certain = sure and (len(ways) == 1)
            for rest, also in _shortened(path[:place] + steps + path[place + 2 :]).items():
                found[rest] = found.get(rest, False) or (certain and also)
        return found
    return {path: True}
