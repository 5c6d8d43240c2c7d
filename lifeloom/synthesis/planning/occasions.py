"""Occasions: events of the user's life that come from captions, with a day that fits the calendar."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Sequence

from lifeloom.records import Area, CaptionSeed, Occasion
from lifeloom.synthesis.planning.spoken_dates import spoken_dates

__all__ = [
    "FALLBACK_AREA",
    "area_of_caption",
    "choose_captions",
    "names_a_time",
    "same_occasion",
    "speaks_of_the_photo",
    "tell_of",
]

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

_BOILERPLATE = re.compile(
    r"\b(?:see|view|find|click for|here is) (?:the |an? |my |our )?(?:original|larger?|full[- ]?size|high[- ]?res)\w*"
    r"|\b(?:1st|first) comment\b|\bfull (?:story|post|set|album|gallery|article|size)\b"
    r"|(?:^|[.!?\n] *)created (?:with|by|using|in)\b(?! (?:love|care|my|our))"
    r"|\b(?:follow|find|add|contact|visit) (?:me|us) (?:on|at|for|via)\b|(?:^|[.!?\n] *)follow (?:me|us)\b"
    r"|\ball rights\b|©|\bcopyright\b|\bcreative commons\b|\bunder (?:a |the )?cc\b|\blicen[cs]ed? (?:under|for)\b"
    r"|\b(?:view(?:ed)?|look|seen?|best|better) (?:it )?(?:on black|large|bigger|in full)\b|\bpress (?:l|f)\b"
    r"|\b(?:uploaded|posted|shared|sent|taken|scanned|edited|processed|photographed|shot) (?:by|with|from|via|using|on)"
    r" (?:an? |the |my )?(?:iphone|ipad|android|flickr\w*|instagram|facebook|photoshop|lightroom|picasa|camera|phone"
    r"|canon|nikon|sony|olympus|pentax|fuji\w*|lumix|panasonic|hipstamatic)\b"
    r"|\bmore (?:photos|pictures|info(?:rmation)?|pics)\b|\b(?:flickr|instagram|photobucket|photoshop|lightroom"
    r"|hdr|bokeh|hipstamatic|photomatix|explored?[ !#:]+\d|my photostream|photostream)\b"
    r"|https?:|\bwww\.|\b\w+\.(?:com|org|net|co\.uk)\b|\b(?:f/\d|iso ?\d{2,}|\d+ ?mm\b)",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"\b(?:img|dsc[nf]?|p|pict|photo|image|picture|scan|foto|untitled|gopr|mvi|_mg)[ _-]*\d*\b", re.IGNORECASE
)
_LETTER = re.compile(r"[^\W\d_]")
_SAME_WORDS = 0.6
"""Captions that share so much of their words (Jaccard) tell of one occasion."""


def speaks_of_the_photo(caption: str) -> bool:
    """Say whether a caption speaks of the photo, the camera or the site, so that nobody would tell it of their life."""
    return _BOILERPLATE.search(caption) is not None or _LETTER.search(_FILE_NAME.sub("", caption)) is None


def same_occasion(one: CaptionSeed, other: CaptionSeed) -> bool:
    """Say whether two captions tell of one occasion, which a user tells once.

    They do if the account took both photos on the same day, gave both the same title but for a number
    ("Harbour 3", "Harbour (4)"), or wrote nearly the same: the same words, a Jaccard index of the words of
    0.6 or more, or one text within the other. Every script counts alike.
    """
    if one.account_id == other.account_id:
        if one.taken_at and other.taken_at and one.taken_at.date() == other.taken_at.date():
            return True
        title = _series(one.title)
        if title and title == _series(other.title):
            return True
    ours, theirs = _said(one.caption), _said(other.caption)
    if not ours or not theirs:
        return one.caption == other.caption
    if f" {' '.join(ours)} " in f" {' '.join(theirs)} " or f" {' '.join(theirs)} " in f" {' '.join(ours)} ":
        return True
    shared = set(ours) & set(theirs)
    return len(shared) >= _SAME_WORDS * len({*ours, *theirs})


def _said(text: str) -> list[str]:
    """Return the words of a text in any script, without numbers."""
    return re.findall(r"[^\W\d_]+", text.casefold())


def _series(title: str) -> tuple[str, ...]:
    """Return what the titles of a series have in common: their words without numbers and counting words."""
    return tuple(word for word in _said(title) if word not in {"part", "no", "nr", "of", "i", "ii", "iii", "iv", "v"})


def area_of_caption(caption: str) -> Area:
    """Return the area of life a caption belongs to: by its first known kind of word, else the fallback."""
    words = set(_WORD.findall(caption.lower()))
    return next((area for area, known in _WORD_AREAS if words & known), FALLBACK_AREA)


def names_a_time(caption: str) -> bool:
    """Say whether a caption names a date, weekday, season or feast, which the plan's calendar could contradict."""
    return _TIME_WORDS.search(caption) is not None


def choose_captions(rng: random.Random, captions: Sequence[CaptionSeed], count: int) -> tuple[CaptionSeed, ...]:
    """Draw up to ``count`` captions, event seeds before concept seeds, no occasion twice.

    Captions that name a time are passed over: told as "yesterday" they would be untrue; so are those that speak
    of the photo itself. Of captions of one occasion (see ``same_occasion``) one is drawn, so that an event has
    one date in the user's life. There may be fewer than ``count``.
    """
    usable = [
        caption
        for caption in captions
        if not names_a_time(caption.caption) and not speaks_of_the_photo(caption.caption)
    ]
    rng.shuffle(usable)
    usable.sort(key=lambda caption: caption.use != "event")
    picked: list[CaptionSeed] = []
    for caption in usable:
        if len(picked) >= count:
            break
        if not any(caption.caption_id == told.caption_id or same_occasion(caption, told) for told in picked):
            picked.append(caption)
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
