"""Where something was, by the words of a question: places as one says them in English."""

from __future__ import annotations

import re
from typing import Final

from lifeloom.models.builtin.reader.english import lexicon

__all__ = ["place_in"]

_PLACES: Final = lexicon(
    "airport aquarium arcade attic backyard bakery balcony bank bar barn basement bay beach bedroom bookshop bridge "
    "cabin cafe café campground campsite canteen canyon castle cathedral cemetery church cinema city classroom clinic "
    "club coast cottage country countryside court courtyard desert dock fair fairground farm field fields forest "
    "fountain gallery garage garden gardens grandstand greenhouse gym hairdresser hall harbor harbour hill hills home "
    "hospital hotel house island kindergarten kitchen laboratory lake lakeside laundromat lawn library living lounge "
    "mall market meadow monument mountain mountains museum nursery ocean office orchard palace park pasture patio pier "
    "plaza platform playground pond pool port pub quarry quay ranch resort restaurant rink river riverbank riverside "
    "road roof rooftop room salon school sea seaside shed shop shore shrine ski slope slopes square stadium stage "
    "station street studio summit supermarket temple terrace theater theatre town track trail university valley "
    "veranda vineyard village waterfall woods work workshop yard zoo"
)
_NOUN: Final = "|".join(sorted(_PLACES, key=len, reverse=True))
_WHERE: Final = re.compile(
    rf"\b(?:at|in|on|by|near|inside|around|beside|to|from|through|visit(?:ed|ing)?|along|outside)\s+"
    rf"(?:(?:the|a|an|his|her|their|our|my|some)\s+)?(?P<where>(?:[a-z-]+\s+){{0,2}}?(?:{_NOUN})(?:\s+(?:{_NOUN}))*)\b"
    r"(?:\s+in\s+(?:the\s+)?(?:town|city|country))?",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"\b(?:at|in|to)\s+(?P<where>(?!(?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December|Christmas|Easter|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b)"
    r"[A-Z][\w'-]+(?:\s+[A-Z][\w'-]+)*)"
)
_NOT_THERE: Final = re.compile(r"^(?:what|which|the same|same|first|last|next|other|every|any|one)\b", re.IGNORECASE)


def place_in(text: str) -> tuple[str, str]:
    """Return the place that ``text`` says something happened at, and the text without it; empty where it says none."""
    for pattern in (_WHERE, _NAMED):
        for match in pattern.finditer(text):
            where = match["where"]
            if _NOT_THERE.match(where) or re.search(r"\b(?:and|or|with|of)\b", where):
                continue
            return where.lower(), f"{text[: match.start()]} {text[match.end() :]}"
    return "", text
