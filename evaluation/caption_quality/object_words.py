"""The objects that a picture may be asked about, and the words by which a caption names them (CHAIR's synonyms)."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection

from lifeloom.models.builtin.painter.vocabulary import THINGS

__all__ = ["OBJECTS", "PERSON", "mentioned", "with_article"]

PERSON = "person"
OBJECTS: tuple[str, ...] = (PERSON, *(one.name for one in THINGS))
"""What can be asked about: everything that the built-in image maker draws in front of a place."""

# Only words that mean the object wherever they stand: no "present", "board", "pot" or "notebook".
_SYNONYMS = {
    PERSON: "people man men woman women boy girl lady gentleman somebody someone child children guy pedestrian",
    "dog": "puppy pup",
    "cat": "kitten kitty",
    "horse": "pony foal",
    "rabbit": "bunny hare",
    "chipmunk": "squirrel",
    "rooster": "cockerel chicken hen",
    "cow": "cattle bull",
    "pig": "piglet",
    "sheep": "lamb",
    "turtle": "tortoise",
    "duck": "duckling bird",
    "owl": "bird",
    "penguin": "bird",
    "parrot": "budgie bird",
    "flamingo": "bird",
    "swan": "bird",
    "crocodile": "alligator",
    "violin": "fiddle",
    "bicycle": "bike",
    "football": "soccer-ball ball",
    "basketball": "ball",
    "laptop": "computer",
    "telephone": "phone smartphone cellphone",
    "television": "tv telly",
    "clock": "alarm-clock",
    "teddy bear": "teddy plush-bear stuffed-bear",
    "umbrella": "brolly parasol",
    "backpack": "rucksack",
    "hat": "cap",
    "gift": "parcel gift-box",
    "teapot": "kettle",
    "car": "automobile",
    "mug": "cup",
}
_NOT_MEANT = frozenset(("hot dog", "car park", "cup cake", "key ring", "key chain", "chair lift"))
"""Pairs of words that name something else than their last or first word does."""
_WORD = re.compile(r"[^\W\d_]+")
_ONE = {one.name: one for one in THINGS}


def with_article(name: str) -> str:
    """Return an object of ``OBJECTS`` with its article: ``an apple``."""
    return f"a {PERSON}" if name == PERSON else _ONE[name].with_article


def mentioned(text: str, shown: Collection[str]) -> frozenset[str]:
    """Return the objects that a caption names, each once.

    A word that may mean several ("ball", "bird") means one that is there, where any is; else the first of them. The
    words of a longer name ("teddy bear") count as that name alone. As in CHAIR, words are counted as they stand: "no
    dog" names a dog.

    Args:
        text: the caption.
        shown: objects that are in the picture.
    """
    words = _WORD.findall(text.lower().replace("’", "'").replace("'s", ""))
    names = _names()
    found: set[str] = set()
    place = 0
    while place < len(words):
        pair = " ".join(words[place : place + 2])
        if pair in _NOT_MEANT:
            place += 2
            continue
        name = pair if pair in names else words[place]
        if meant := names.get(name):
            found.add(next((one for one in meant if one in shown), meant[0]))
        place += 2 if name == pair and " " in pair else 1
    return frozenset(found)


@functools.cache
def _names() -> dict[str, tuple[str, ...]]:
    """Return names, one or two words each, to the objects that each may mean."""
    found: dict[str, list[str]] = {}
    for name in OBJECTS:
        own = {name, _ONE[name].plural} if name != PERSON else {name, "persons"}
        for word in _SYNONYMS.get(name, "").replace("-", "_").split():
            own |= {word.replace("_", " "), _plural(word).replace("_", " ")}
        for word in own:
            found.setdefault(word, []).append(name)
    return {word: tuple(names) for word, names in found.items()}


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"
