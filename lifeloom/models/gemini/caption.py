"""A picture's plan in plain words, for image makers that read instead of being told in fields."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lifeloom.records.pictures import Appearance, PicturePlan, PictureSubject, TimeOfDay, Weather

__all__ = ["caption_of", "person_words", "sky_phrase", "time_phrase"]

_TIMES: Mapping[TimeOfDay, str] = {
    "morning": "in the morning",
    "day": "in the daytime",
    "sunset": "at sunset",
    "night": "at night",
}
_WEATHERS: Mapping[Weather, str] = {
    "clear": "under a clear sky",
    "clouds": "under a cloudy sky",
    "rain": "in the rain",
    "snow": "while it snows",
    "fog": "in the fog",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five")

_HAIR: Mapping[str, str] = {
    "shortCurly": "short curly {} hair",
    "shortFlat": "short flat {} hair",
    "shortRound": "short round {} hair",
    "shortWaved": "short wavy {} hair",
    "theCaesar": "very short {} hair",
    "dreads01": "short {} dreadlocks",
    "frizzle": "short frizzy {} hair",
    "sides": "a bald head with some {} hair at the sides",
    "bob": "{} hair in a bob",
    "miaWallace": "{} hair in a straight bob with a fringe",
    "longButNotTooLong": "{} hair down to the shoulders",
    "straight01": "long straight {} hair",
    "straight02": "long straight {} hair",
    "straightAndStrand": "long straight {} hair with a loose strand",
    "bigHair": "long full {} hair",
    "curvy": "long wavy {} hair",
    "fro": "a round {} afro",
    "froBand": "a round {} afro with a headband",
    "curly": "thick curly {} hair",
    "shaggy": "shaggy {} hair",
    "shaggyMullet": "a shaggy {} mullet",
    "bun": "{} hair in a bun",
    "dreads": "long {} dreadlocks",
    "dreads02": "{} dreadlocks",
    "frida": "{} hair in a braided crown with flowers",
    "shavedSides": "{} hair with shaved sides",
    "hijab": "a {} hijab",
    "turban": "a {} turban",
}
_GLASSES: Mapping[str, str] = {
    "round": "round glasses with {} rims",
    "prescription01": "glasses with thick {} rims",
    "prescription02": "glasses with thin {} rims",
}
_BEARDS: Mapping[str, str] = {
    "beardLight": "a short beard",
    "beardMedium": "a beard",
    "beardMajestic": "a big full beard",
    "moustacheFancy": "a curled moustache",
    "moustacheMagnum": "a thick moustache",
}
_AGES = {"young": "a young person", "grown": "a grown person", "old": "an old person"}
_MOODS = {"thinking": "thoughtful"}

_COLOURS: Mapping[str, str] = {
    "#211c1e": "black",
    "#54362a": "dark brown",
    "#9a5a2e": "brown",
    "#c9924a": "dark blond",
    "#efd68a": "blond",
    "#c93f12": "ginger",
    "#e88aa6": "pink",
    "#3f74bd": "blue",
    "#3f9472": "green",
    "#8159ad": "purple",
    "#85898f": "grey",
    "#c9c8c9": "light grey",
    "#f3f1ec": "white",
    "#25557c": "dark blue",
    "#b03a2e": "red",
    "#e0c080": "sand-coloured",
    "#3b4652": "slate grey",
    "#c99716": "golden",
}
_SKINS: Mapping[str, str] = {
    "#ffdbb4": "very light",
    "#edb98a": "light",
    "#d08b5b": "tan",
    "#ae5d29": "brown",
    "#614335": "dark brown",
}


def caption_of(plan: PicturePlan) -> str:
    """Return what ``plan`` must show, in words: people by their looks, things, place, time of day, weather.

    People are not called by name: a name says nothing about a look, and image models like to write it into the
    picture. Names that the built-in image maker does not have are said as they are, in words.
    """
    if plan.kind == "portrait":
        shown = _subject(plan.subjects[0]) if plan.subjects else "nobody"
        return f"A square portrait: head and shoulders of {shown}, on a plain ground."
    where, outdoor = _place(plan.place)
    when = f" {time_phrase(plan.time_of_day)}"
    sky = f", {sky_phrase(plan.weather, outdoor)}"
    shown = "; ".join(_subject(subject) for subject in plan.subjects) or "nobody and nothing in particular"
    return f"A square picture of a scene {where}{when}{sky}. It shows: {shown}."


def time_phrase(time_of_day: TimeOfDay) -> str:
    """Return how one says when it is: ``at sunset``."""
    return _TIMES[time_of_day]


def sky_phrase(weather: Weather, outdoor: bool) -> str:
    """Return how one says what the weather is like, or how it looks through windows: ``in the rain``."""
    return _WEATHERS[weather] if outdoor else f"{_WEATHERS[weather]} outside the windows"


def _place(name: str) -> tuple[str, bool]:
    """Return how one says to be at a place, and whether it is outdoors."""
    from lifeloom.models.builtin.painter.vocabulary import PLACES  # here: its package loads the painter

    known = next((place for place in PLACES if place.name == name), None)
    return (known.phrase, known.outdoor) if known else (f"at this place: {_words(name)}" if name else "anywhere", True)


def _subject(subject: PictureSubject) -> str:
    if subject.kind == "person":
        return person_words(subject)
    from lifeloom.models.builtin.painter.vocabulary import THINGS

    known = next((thing for thing in THINGS if thing.name == subject.name), None)
    singular = known.name if known else _words(subject.name)
    plural = known.plural if known else f"{singular}s"
    coloured = f"{subject.colour} " if subject.colour else ""
    if subject.count > 1:
        return f"{_NUMBERS[subject.count]} {coloured}{plural}"
    return _with_article(f"{coloured}{singular}")


def person_words(subject: PictureSubject) -> str:
    """Return a person by looks and mood, without a name."""
    look = subject.appearance
    person = _AGES[look.age] if look is not None else "a person"
    features = _features(look) if look is not None else []
    mood = f", who looks {_MOODS.get(subject.mood, _words(subject.mood))}" if subject.mood else ""
    return f"{person}{' with ' + _listed(features) if features else ''}{mood}"


def _features(look: Appearance) -> list[str]:
    hair = _HAIR.get(look.hair, f"{{}} hair ({_words(look.hair)})").format(_nearest(look.hair_colour, _COLOURS))
    features = [f"{_nearest(look.skin, _SKINS)} skin", _article_mended(hair)]
    if look.glasses:
        glasses = _GLASSES.get(look.glasses, f"{{}} glasses ({_words(look.glasses)})")
        features.append(glasses.format(_nearest(look.rim_colour, _COLOURS)))
    if look.beard:
        features.append(_BEARDS.get(look.beard, _with_article(_words(look.beard))))
    return features


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _with_article(words: str) -> str:
    return f"{'an' if words[:1].lower() in set('aeiou') else 'a'} {words}"


def _article_mended(words: str) -> str:
    return re.sub(r"\ba (?=[aeiou])", "an ", words)


def _words(name: str) -> str:
    """Return a name of a vocabulary as words: ``teddyBear`` as ``teddy bear``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])|_", " ", name).lower().strip()


def _nearest(colour: str, named: Mapping[str, str]) -> str:
    """Return the name of the colour of ``named`` that is nearest to ``colour``, ``#rrggbb``; else its own words."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        return _words(colour)
    return named[min(named, key=lambda other: _distance(colour, other))]


def _distance(one: str, other: str) -> int:
    return sum((int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) ** 2 for at in (1, 3, 5))
