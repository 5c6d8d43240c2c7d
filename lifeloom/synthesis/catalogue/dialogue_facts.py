"""What dialogues about concepts tell: made-up places, days, events, companions and things (CoViP Section 3.2.1).

The last third of every list is for releases only. All values of one kind are exchangeable: none is likelier than
another, so that a question's wrong options are as good as the right one to whoever has not read the dialogue.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Collection, Mapping

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.records import DialogueFactKind, Edition
from lifeloom.synthesis.catalogue.people import GIVEN_NAMES, RELATIONS

__all__ = ["MONTHS", "NUMBER_WORDS", "PET_NAMES", "canonical_day", "draw_value", "free_handles"]

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "eleven", "twelve")

_PLACE_HEADS = (
    "Amberley", "Birch Hollow", "Calloway", "Dunmore", "Elmsworth", "Fernhill", "Garrow", "Hazelbrook", "Ivory Gate",
    "Juniper", "Kestrel", "Larkspur", "Marlow Bend", "Northcote", "Oakhaven", "Pennywell", "Quarry Side", "Rosewick",
    "Silverford", "Thornby", "Upper Vale", "Violet Row", "Westerleigh", "Yarrow", "Ashcombe", "Bellmere", "Copperfield",
    "Driftwood", "Eastwick", "Foxglove", "Gorse Hill", "Heronsgate", "Inkwell", "Jasper", "Knighton", "Linden",
)  # fmt: skip
_PLACE_TAILS = (
    "Observatory", "Bakery", "Bookshop", "Bridge", "Tram Depot", "Aquarium", "Town Hall", "Windmill", "Greenhouse",
    "Lighthouse", "Ice Rink", "Bowling Alley", "Print Works", "Music Hall", "Botanical House", "Sailing Club",
    "Ferry House", "Clock Tower", "Riding School", "Guest House", "Viaduct", "Cinema", "Courthouse", "Boathouse",
)  # fmt: skip
_EVENTS = (
    "the pottery fair", "the lantern walk", "the regatta", "the quiz evening", "the seed swap", "the band concert",
    "the chess tournament", "the book signing", "the charity run", "the cheese auction", "the kite contest",
    "the open studio day", "the vintage bus rally", "the poetry reading", "the chilli cook-off", "the apple pressing",
    "the model railway show", "the swimming gala", "the choir rehearsal", "the street food evening", "the photo walk",
    "the bell-ringing open day", "the beekeeping course", "the sandcastle contest", "the rowing trials",
    "the antique clock sale", "the jazz brunch", "the tree planting", "the robotics demonstration", "the folk dance",
    "the sourdough workshop", "the harbour swim", "the map fair", "the puppet premiere", "the cider tasting",
    "the orchid show", "the marching drill", "the film marathon", "the ice sculpture contest", "the glass-blowing demo",
    "the yo-yo championship", "the storytelling night", "the pumpkin weighing", "the plant exchange",
    "the sheepdog trials", "the knitting marathon", "the carnival rehearsal", "the lifeboat demonstration",
    "the crossword contest", "the mushroom walk", "the barn theatre", "the stargazing evening", "the oyster tasting",
    "the calligraphy course", "the soapbox derby", "the fencing finals", "the magic evening", "the ballad contest",
    "the brass parade", "the fossil hunt", "the wine harvest", "the radio recording", "the mural unveiling",
    "the bridge opening", "the tug of war", "the maypole dance", "the perfume workshop", "the trivia final",
    "the archery contest", "the cloth sale", "the sundial tour", "the lace exhibition", "the cellar tour",
)  # fmt: skip
_OBJECTS = (
    "postcards", "candles", "marbles", "stamps", "enamel badges", "paper cranes", "seashells", "bookmarks", "ribbons",
    "copper coins", "tulip bulbs", "jam jars", "ceramic tiles", "wooden spoons", "tea towels", "fridge magnets",
    "guitar picks", "cookie cutters", "pine cones", "train tickets", "photo frames", "wool hats", "paper lanterns",
    "brass buttons", "honey pots", "pencil cases", "plant labels", "comic books", "glass beads", "spice tins",
    "dice", "tea cups", "keyrings", "flower pots", "puzzle boxes", "sketchbooks",
)  # fmt: skip
PET_NAMES = (
    "Biscuit", "Mochi", "Pepper", "Tofu", "Clover", "Waffle", "Nimbus", "Pickle", "Juno", "Ziggy", "Maple", "Rolo",
    "Basil", "Pixel", "Hazel", "Otis", "Noodle", "Marbles", "Sprout", "Comet", "Peanut", "Ginger", "Bramble", "Toffee",
    "Figaro", "Olive", "Rocket", "Truffle", "Dumpling", "Saffron", "Pip", "Cosmo", "Nutmeg", "Barley", "Echo", "Tango",
)  # fmt: skip
_CLOCK_SHARE = 0.4
"""Of the days that are told with the time of day."""


def canonical_day(day: dt.date, clock: str = "") -> str:
    """Return a day as plans have it: ``14 March 2025`` or ``14 March 2025 at 17:30``."""
    said = f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    return f"{said} at {clock}" if clock else said


def draw_value(kind: DialogueFactKind, edition: Edition, ends_on: dt.date, rng: random.Random) -> str:
    """Draw a value of ``kind``.

    Args:
        kind: what it is about.
        edition: the corpus keeps from what is for releases only.
        ends_on: the last day that can be told; values lie in the two years before.
        rng: where all chance comes from.
    """
    return _DRAWN[kind](edition, ends_on, rng)


def _place(edition: Edition, _: dt.date, rng: random.Random) -> str:
    return f"{rng.choice(for_edition(_PLACE_HEADS, edition))} {rng.choice(for_edition(_PLACE_TAILS, edition))}"


def _time(_: Edition, ends_on: dt.date, rng: random.Random) -> str:
    day = ends_on - dt.timedelta(days=rng.randrange(730))
    clock = f"{rng.randrange(7, 23)}:{rng.choice(('00', '15', '30', '45'))}"
    return canonical_day(day, clock if rng.random() < _CLOCK_SHARE else "")


def _event(edition: Edition, _: dt.date, rng: random.Random) -> str:
    return rng.choice(for_edition(_EVENTS, edition))


def _companion(edition: Edition, _: dt.date, rng: random.Random) -> str:
    return f"{rng.choice(for_edition(RELATIONS, edition))} {rng.choice(for_edition(GIVEN_NAMES, edition))}"


def _object(edition: Edition, _: dt.date, rng: random.Random) -> str:
    return f"{rng.choice(NUMBER_WORDS)} {rng.choice(for_edition(_OBJECTS, edition))}"


_DRAWN: Mapping[DialogueFactKind, Callable[[Edition, dt.date, random.Random], str]] = {
    "place": _place,
    "time": _time,
    "event": _event,
    "companion": _companion,
    "object": _object,
}


def free_handles(names: Collection[str], taken: Collection[str], edition: Edition) -> list[str]:
    """Return those of ``names`` that ``edition`` may use and that nobody has yet."""
    used = {one.lower() for one in taken}
    return [one for one in for_edition(tuple(names), edition) if one.lower() not in used]
