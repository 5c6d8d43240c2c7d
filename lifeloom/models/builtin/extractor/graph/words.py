"""Activities and places by the words of a description."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lifeloom.models.builtin.reader.activities import main_activity

__all__ = ["activity_of", "place_in"]

_PLACES: Final = (
    # words, the plain name of the place
    (r"parks?", "park"),
    (r"beach|seaside|seashore|coast", "beach"),
    (r"forest|woods|woodland", "forest"),
    (r"(?:snowy )?(?:mountains?|hills|peaks|slopes|summit|alps)", "mountains"),
    (r"farm|farmyard|barn", "farm"),
    (r"lake|lakeside|lakeshore|pond", "lake"),
    (r"desert|dunes", "desert"),
    (r"gardens?|back ?yard", "garden"),
    (r"market|fair", "market"),
    (r"harbou?r|port|docks?|marina|quay|pier", "harbour"),
    (r"playground", "playground"),
    (r"camp ?site|camping ground|campground", "campsite"),
    (r"vineyard", "vineyard"),
    (r"(?:(?:train|railway) )?station(?: platform)?|platform", "platform"),
    (r"(?:swimming )?pool", "pool"),
    (r"waterfalls?", "waterfall"),
    (r"stadium|arena", "stadium"),
    (r"living[- ]room|lounge|sitting room", "living room"),
    (r"kitchen", "kitchen"),
    (r"class ?room|school", "classroom"),
    (r"library", "library"),
    (r"office", "office"),
    (r"caf[eé]s?|coffee shop|tea ?room", "cafe"),
    (r"gym", "gym"),
    (r"bed ?room", "bedroom"),
    (r"museum|gallery", "museum"),
    (r"workshop|studio|shed", "workshop"),
    (r"restaurant|diner|pizzeria", "restaurant"),
    (r"theat(?:re|er)|opera house|concert hall", "theatre"),
    (r"supermarket|grocery", "supermarket"),
    (r"airport|terminal", "airport"),
    (r"(?:street|streets|town|city|village)(?: (?:square|centre|center))?", "street"),
)  # fmt: skip
_AT: Final = r"\b(?:in|at|by|on|near|beside|along|around|through|into|to|inside|outside|down at|up in)\s+"
_WHOSE: Final = (
    r"(?:(?:the|a|an|our|my|his|her|their|this|that|some|local|nearby|old|big|little|small|new|favou?rite)\s+)*"
)
_PLACE_PATTERNS: Final = tuple(
    (re.compile(rf"{_AT}{_WHOSE}(?:{words})\b", re.IGNORECASE), name) for words, name in _PLACES
)

_GERUND: Final = re.compile(r"\b([A-Za-z]{2,}ing)\b(?:\s+(?:the\s+)?([a-z]{3,}))?")
_NO_ACTIVITY_TEXT: Final = (
    "morning evening during nothing something everything anything being having going getting taking making "
    "looking feeling thing things king ring spring wedding amazing exciting interesting surprising relaxing "
    "charming stunning including according finally loving missing thinking trying starting ending spending "
    "enjoying sharing bring string sing wing swing ceiling building living long-standing outstanding touching "
    "exhausting tiring freezing boiling watching smiling laughing seeing using waiting doing keeping letting "
    "putting coming leaving"
)
_NO_ACTIVITY: Final = frozenset(_NO_ACTIVITY_TEXT.split())
_HEAD: Final = re.compile(
    r"^(?:(?:what|a|an|the|our|my|another|first|last|one)\s+)*((?:[a-z-]+\s+){0,3}?[a-z-]+)\s*"
    r"(?=[.,!?;:]|\s(?:with|at|in|by|on|for|near|after|before|and|together|today|this)\b|$)",
    re.IGNORECASE,
)
_TOO_PLAIN_TEXT: Final = (
    "day afternoon morning evening night time trip visit moment weekend photo picture fun memory together "
    "today everyone someone all us we it this that great good lovely perfect nice"
)
_TOO_PLAIN: Final = frozenset(_TOO_PLAIN_TEXT.split())


def place_in(text: str) -> str:
    """Return the place where ``text`` says that something was, in plain words; empty where it says none."""
    found = [(match.start(), name) for pattern, name in _PLACE_PATTERNS for match in [pattern.search(text)] if match]
    return min(found)[1] if found else ""


def activity_of(text: str, names: Sequence[str]) -> str:
    """Return what people did, or the occasion; empty where ``text`` does not say.

    What no lexicon knows is named by the text's own words: "Spelunking with Ana" is spelunking.

    Args:
        text: a description.
        names: of people: they are no activity.
    """
    known = main_activity(text)
    if known is not None:
        return known.name
    for match in _GERUND.finditer(text):
        word = match[1].lower()
        if word not in _NO_ACTIVITY and word not in (name.lower() for name in names):
            return word
    head = _HEAD.match(" ".join(text.split()))
    if head is None:
        return ""
    words = head[1].lower().split()
    named = {part for name in names for part in name.lower().split()}
    return "" if not set(words) - _TOO_PLAIN or named.intersection(words) else " ".join(words)
