"""Occasions: events of the user's life that come from captions, with a day that fits the calendar."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Sequence

from lifeloom.records import Area, CaptionSeed, Occasion
from lifeloom.synthesis.planning.spoken_dates import spoken_dates

__all__ = ["FALLBACK_AREA", "area_of_caption", "choose_captions", "names_a_time", "tell_of"]

FALLBACK_AREA: Area = "friends"
"""Area of a caption with no known word: it is told as one tells a friend."""

_AREA_WORDS: tuple[tuple[Area, str], ...] = (
    # The first area whose word occurs in the caption wins, so the narrow ones stand first.
    ("pets", "dog dogs puppy puppies cat cats kitten kittens parrot rabbit hamster pet pets goldfish pony"),
    ("garden", "garden gardens gardening allotment greenhouse tomatoes roses seedlings tulips compost"),
    ("music", "concert band choir guitar piano violin orchestra gig festival drummer singing songs busker"),
    ("sport", "match marathon race football soccer cricket tennis rugby cycling climbing swim swimming goal stadium"),
    ("sport", "run runners league tournament surfing skiing yoga"),
    ("drink", "coffee tea beer wine brewery pub cocktail espresso brewing cellar"),
    ("food", "dinner lunch breakfast cake bread cooking barbecue soup pizza baked baking dumplings kitchen meal"),
    ("food", "picnic recipe market pancakes pie curry noodles restaurant"),
    ("learning", "school graduation university exam class lecture museum exhibition lesson library course"),
    ("work", "office colleagues colleague conference workshop meeting shift job desk factory retirement boss"),
    ("family", "mother father mum mom dad grandmother grandma grandfather grandpa sister brother daughter son"),
    ("family", "aunt uncle cousin cousins niece nephew baby wedding anniversary family birthday reunion"),
    ("family", "wife husband child children kids twins grandson granddaughter granny nan gran engaged bride"),
    ("crafts", "kiln mugs glaze yarn loom stitches lathe chisel clay varnish"),
    ("learning", "teacher teachers pupils essays students student"),
    ("friends", "friend friends party neighbours neighbors housewarming"),
    ("crafts", "knitting pottery quilt woodwork carving sewing painting crochet loom handmade sketch drawing"),
    ("technology", "computer robot laptop camera phone drone telescope gadget"),
    ("reading", "book books novel bookshop poetry"),
    ("screen", "film movie cinema television"),
    ("home", "house flat apartment moving roof sofa kitchen balcony porch renovation shelf"),
    ("health", "hospital clinic dentist doctor recovery"),
    ("money", "savings bank auction bargain"),
    ("travel", "trip holiday beach train airport island harbour harbor mountain mountains hike hotel ferry castle"),
    ("travel", "river lake summit ridge hut border boat ship bridge tram bus road village coast glacier valley"),
)
_WORD_AREAS: tuple[tuple[Area, frozenset[str]], ...] = tuple(
    (area, frozenset(words.split())) for area, words in _AREA_WORDS
)
_WORD = re.compile(r"[a-z]+")

_TIME_WORDS = re.compile(
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march (?:of|\d\w*)|april"
    r"|may (?:of|\d\w*)|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|christmas|xmas|easter|halloween|thanksgiving|new year'?s?|hogmanay|valentine'?s?|diwali|ramadan|eid|hanukkah"
    r"|spring|summer|autumn|winter|today|tonight|yesterday|tomorrow|last (?:night|week|weekend|month|year)"
    r"|this (?:morning|afternoon|evening|week|weekend|month|year)|\d+ (?:days?|weeks?|months?|years?) ago"
    r"|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def area_of_caption(caption: str) -> Area:
    """Return the area of life a caption belongs to: by its first known kind of word, else the fallback."""
    words = set(_WORD.findall(caption.lower()))
    return next((area for area, known in _WORD_AREAS if words & known), FALLBACK_AREA)


def names_a_time(caption: str) -> bool:
    """Say whether a caption names a date, weekday, season or feast, which the plan's calendar could contradict."""
    return _TIME_WORDS.search(caption) is not None


def choose_captions(rng: random.Random, captions: Sequence[CaptionSeed], count: int) -> tuple[CaptionSeed, ...]:
    """Draw up to ``count`` captions, event seeds before concept seeds, none twice.

    Captions that name a time are passed over: told as "yesterday" they would be untrue.
    """
    usable = [caption for caption in captions if not names_a_time(caption.caption)]
    rng.shuffle(usable)
    usable.sort(key=lambda caption: caption.use != "event")
    chosen: dict[str, CaptionSeed] = {}
    for caption in usable:
        if len(chosen) >= count:
            break
        chosen.setdefault(caption.caption_id, caption)
    picked = list(chosen.values())
    rng.shuffle(picked)
    return tuple(picked)


def tell_of(rng: random.Random, caption: CaptionSeed, said_at: dt.datetime) -> Occasion:
    """Place a caption in the user's life, seen from ``said_at`` (local wall clock of the turn)."""
    spoken = rng.choice(spoken_dates(said_at))
    return Occasion(
        caption_id=caption.caption_id,
        title=caption.title,
        caption=caption.caption,
        taken_at=caption.taken_at,
        happened_on=spoken.happened_on,
        when_phrase=spoken.phrase,
    )
