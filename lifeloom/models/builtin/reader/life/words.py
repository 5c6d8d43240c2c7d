"""How places and things are said, and found in what others say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["COLOURED", "Thing", "at_place", "listed", "place_in", "plural", "things_text"]

COLOURED: Final = frozenset(
    {"umbrella", "balloon", "backpack", "hat", "kite", "gift", "teapot", "chair", "tent", "car", "mug", "scarf"}
)
"""Things that come in colours: of others the nearest colour says nothing."""
_PLURALS: Final = {"scarf": "scarves"}
_NUMBERS: Final = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PHRASES: Final = {
    "park": "in the park", "beach": "at the beach", "street": "in a street in town", "forest": "in the forest",
    "mountains": "in the snowy mountains", "farm": "on a farm", "lake": "by the lake", "desert": "in the desert",
    "garden": "in a garden", "market": "at the market", "harbour": "in the harbour", "playground": "at the playground",
    "campsite": "at the campsite", "vineyard": "in a vineyard", "platform": "on a station platform",
    "pool": "at the swimming pool", "waterfall": "by the waterfall", "stadium": "in the stadium",
    "living room": "in a living room", "kitchen": "in a kitchen", "classroom": "in a classroom",
    "library": "in the library", "office": "in an office", "cafe": "in a cafe", "gym": "in the gym",
    "bedroom": "in a bedroom", "museum": "in the museum", "workshop": "in a workshop", "restaurant": "in a restaurant",
    "theatre": "in the theatre", "supermarket": "in the supermarket", "airport": "at the airport",
}  # fmt: skip
_ALSO: Final = {
    "mountain": "mountains", "harbor": "harbour", "station": "platform", "café": "cafe", "theater": "theatre",
    "woods": "forest", "seaside": "beach", "lounge": "living room", "sitting room": "living room",
}  # fmt: skip
_PLACE: Final = re.compile(
    rf"\b({'|'.join(sorted((*_PHRASES, *_ALSO), key=len, reverse=True))})s?\b(?! (?:party|bench|chair|book)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Thing:
    """A kind of thing in a picture."""

    name: str
    colour: str
    count: int


def place_in(text: str) -> str:
    """Return the place that a text names; of several the last, since English says where after what."""
    found = ""
    for match in _PLACE.finditer(text):
        word = match[1].lower()
        found = _ALSO.get(word, word)
    return found


def at_place(place: str) -> str:
    """Return how one says to be at a place; a place that is not known is said to be unclear."""
    if not place:
        return "in an unclear place"
    return place if re.match(r"(?:at|in|on|by) ", place) else _PHRASES.get(place, f"in the {place}")


def things_text(things: Sequence[Thing]) -> str:
    """Return things with number and colour: ``two red balloons and an umbrella``."""
    phrases = []
    for one in things:
        name = one.name if one.count == 1 else plural(one.name)
        words = f"{one.colour} {name}".strip()
        number = _NUMBERS[one.count] if one.count < len(_NUMBERS) else str(one.count)
        phrases.append(f"{'an' if number == 'a' and words[0] in 'aeiou' else number} {words}")
    return listed(phrases)


def plural(name: str) -> str:
    """Return the plural of a thing's name."""
    return _PLURALS.get(name, f"{name}s")


def listed(items: Sequence[str]) -> str:
    """Return ``a, b and c``; ``nobody`` for nothing."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else "nobody"
