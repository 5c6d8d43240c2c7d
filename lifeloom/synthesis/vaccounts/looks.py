"""What people look like in words, from the appearance that they are drawn with."""

from __future__ import annotations

from lifeloom.records import Appearance

__all__ = ["beard_of", "glasses_of", "hair_colour_of", "hair_of", "traits_of"]

_HAIR = {
    "short hair": ("shortCurly", "shortFlat", "shortRound", "shortWaved", "theCaesar", "dreads01", "frizzle", "sides"),
    "chin-length hair": ("bob", "miaWallace", "longButNotTooLong"),
    "long hair": ("straight01", "straight02", "straightAndStrand", "bigHair", "curvy"),
    "curly hair": ("fro", "froBand", "curly"),
    "shaggy hair": ("shaggy", "shaggyMullet"),
    "hair in a bun": ("bun",),
    "dreadlocks": ("dreads", "dreads02"),
    "pinned-up hair": ("frida",),
    "hair shaved at the sides": ("shavedSides",),
    "a hijab": ("hijab",),
    "a turban": ("turban",),
}
_HAIR_NAME = {shape: name for name, shapes in _HAIR.items() for shape in shapes}
_COLOURS = {
    "#211c1e": "black",
    "#54362a": "brown",
    "#9a5a2e": "brown",
    "#c9924a": "sandy",
    "#efd68a": "blond",
    "#c93f12": "red",
    "#e88aa6": "pink",
    "#3f74bd": "blue",
    "#3f9472": "green",
    "#8159ad": "purple",
    "#85898f": "grey",
    "#c9c8c9": "grey",
    "#f3f1ec": "white",
    "#25557c": "blue",
    "#7d3c98": "purple",
    "#b03a2e": "red",
    "#1e8449": "green",
    "#e0c080": "sandy",
    "#3b4652": "grey",
}


def hair_of(look: Appearance) -> str:
    """Return the hair, or the head cover, in words: ``long hair``, ``a hijab``."""
    return _HAIR_NAME[look.hair]


def hair_colour_of(look: Appearance) -> str:
    """Return the colour of the hair, or of the head cover that hides it."""
    return _COLOURS[look.hair_colour.lower()]


def glasses_of(look: Appearance) -> str:
    """Return ``glasses`` or ``no glasses``."""
    return "glasses" if look.glasses else "no glasses"


def beard_of(look: Appearance) -> str:
    """Return ``a beard``, ``a moustache`` or ``no beard``."""
    if not look.beard:
        return "no beard"
    return "a moustache" if look.beard.startswith("moustache") else "a beard"


def traits_of(look: Appearance) -> tuple[str, ...]:
    """Return everything that a portrait shows of somebody, in words."""
    hair, colour = hair_of(look), hair_colour_of(look)
    words = hair.split(" ", 1)
    dressed = f"{'an' if colour[0] in 'aeiou' else 'a'} {colour} {words[1]}" if words[0] == "a" else f"{colour} {hair}"
    extra = [item for item in (glasses_of(look), beard_of(look)) if not item.startswith("no ")]
    return (dressed, *extra)
