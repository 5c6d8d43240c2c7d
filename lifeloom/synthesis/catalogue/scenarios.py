"""Scenarios of query pictures: what people, animals and objects do together, and where (CoViP Section 3.2.1).

The last third is for releases only.
"""

from __future__ import annotations

from dataclasses import dataclass

from lifeloom.records import TimeOfDay

__all__ = ["SCENARIOS", "Scenario"]

_ANYWHERE = (
    "park beach street living_room kitchen library cafe garden office museum lake market harbour farm bedroom "
    "classroom workshop restaurant airport platform playground campsite vineyard forest"
)


_TIMES: tuple[TimeOfDay, ...] = ("day", "day", "day", "morning", "sunset", "night")
_OWN_TIMES: dict[str, tuple[TimeOfDay, ...]] = {
    "picnic": ("day",),
    "market_morning": ("morning",),
    "lesson": ("day", "morning"),
    "swim": ("day", "morning", "sunset"),
    "harvest": ("day", "morning", "sunset"),
    "breakfast": ("morning",),
    "sunset": ("sunset",),
    "feeding": ("day", "morning", "sunset"),
    "flea_market": ("day", "morning"),
    "night_walk": ("night",),
    "stargazing": ("night",),
    "parade": ("day", "sunset"),
}
"""Of scenarios that do not go with every light."""


@dataclass(frozen=True)
class Scenario:
    """One way to be in a picture together."""

    name: str
    people: str
    """What people do, after "are": ``having a picnic``; one person "is" doing it."""
    others: str
    """How animals and objects, one or several, are there where no people are: ``on a picnic blanket``."""
    places: tuple[str, ...]
    """Words of the built-in image maker's vocabulary."""
    times: tuple[TimeOfDay, ...] = _TIMES
    """Light in which it may be; what is there twice is twice as likely."""


def _scenarios(lines: str) -> tuple[Scenario, ...]:
    found = []
    for line in lines.strip().splitlines():
        name, people, others, places = (part.strip() for part in line.split("|"))
        where = (_ANYWHERE if places == "anywhere" else places).replace(",", " ").split()
        times = _OWN_TIMES.get(name, _TIMES)
        found.append(Scenario(name, people, others, tuple(place.replace("_", " ") for place in where), times))
    return tuple(found)


SCENARIOS = _scenarios(
    """
    picnic | having a picnic | on a picnic blanket | park, lake, garden, beach, vineyard
    group_photo | posing for a photograph | set up for a photograph | anywhere
    waiting | waiting for somebody | left waiting for somebody | platform, airport, street, cafe, harbour
    farewell | saying goodbye | left behind for a moment | platform, airport, harbour, street
    arrival | just arriving | just brought in | platform, airport, campsite, farm, harbour
    market_morning | looking around the stalls | on show between the stalls | market, street, supermarket, harbour
    coffee | having coffee | beside the coffee cups | cafe, kitchen, restaurant, office, living_room
    cooking | cooking a meal | on the way while somebody cooks | kitchen, campsite, restaurant
    reading | reading | beside a pile of books | library, living_room, bedroom, garden, cafe
    lesson | taking a lesson | at the front of the lesson | classroom, museum, workshop, gym
    repair | repairing something | waiting to be repaired | workshop, garden, farm, street
    exhibition | visiting an exhibition | as part of an exhibition | museum, library, theatre
    birthday | celebrating a birthday | among the birthday presents | living_room, garden, restaurant, kitchen, park
    walk | out for a walk | by the side of the path | park, forest, lake, mountains, beach, garden
    swim | drying off after a swim | beside the water | pool, lake, beach, waterfall
    harvest | helping with the harvest | between the harvest baskets | farm, vineyard, garden
    camping | setting up camp | at the camp | campsite, forest, lake, mountains
    office_break | taking a break from work | forgotten at work | office, workshop, library, cafe
    game | playing a game | set out for a game | park, playground, living_room, gym, beach
    match | watching a match | at the edge of the match | stadium, park, gym
    rehearsal | rehearsing a piece | on the stage | theatre, classroom, living_room
    shopping | doing the shopping | among the shopping | supermarket, market, street
    moving | moving house | between the boxes | living_room, bedroom, kitchen, street
    breakfast | having breakfast | at breakfast | kitchen, cafe, garden, restaurant
    tour | on a guided tour | along the tour | museum, vineyard, harbour, desert, waterfall
    drawing | drawing what is in front of them | set up to be drawn | garden, museum, harbour, lake, classroom
    rest | resting for a moment | at rest | anywhere
    cleaning | tidying up | in the middle of a tidied room | kitchen, bedroom, workshop, living_room, office
    meeting | stopping by chance | in the same spot by chance | street, park, supermarket, airport, library
    sunset | watching the light change | in the last light | beach, lake, mountains, desert, harbour
    feeding | feeding the animals | close to the feeding trough | farm, park, garden, lake
    expedition | getting ready for an expedition | packed for an expedition | desert, mountains, campsite, airport
    wedding_guests | arriving as wedding guests | among the wedding presents | garden, vineyard, restaurant, beach
    flea_market | selling old things | for sale at the flea market | market, street, park
    night_walk | walking home late | under a street lamp | street, harbour, park
    stargazing | looking at the stars | under the stars | campsite, mountains, desert, beach, lake
    recording | recording a little film | in front of the camera | street, theatre, museum, waterfall, farm
    volunteering | helping at a charity day | laid out for a charity day | park, market, classroom, street
    puppet_show | watching a puppet show | in a puppet show | playground, theatre, park, library
    science_day | trying out experiments | as part of an experiment | classroom, workshop, museum
    fitness | warming up | beside the mats | gym, park, stadium, beach
    tasting | tasting what is on the table | on the tasting table | vineyard, restaurant, market, kitchen
    ferry | waiting for the ferry | on the quay | harbour, lake
    nap | trying not to fall asleep | in a quiet corner | bedroom, living_room, airport, library
    parade | watching a parade | carried in a parade | street, park, stadium
    """
)
