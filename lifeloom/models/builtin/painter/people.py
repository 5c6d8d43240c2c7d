"""Who people are: appearances that stay the same in every picture, drawn far enough apart to be told apart.

The names are those of the avataaars style that ``figures`` draws. An appearance fixes hair, skin, brows,
glasses, beard and age; mood, clothes, pose and light are free and change from picture to picture.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lifeloom.records.pictures import Age, Appearance

__all__ = [
    "BEARDS",
    "BROWS",
    "COVERS",
    "COVER_COLOURS",
    "DYED",
    "GLASSES",
    "GREYS",
    "HAIR_COLOURS",
    "HAIR_SHAPES",
    "RIM_COLOURS",
    "SKINS",
    "TooAlike",
    "WantedPerson",
    "distance",
    "draw_people",
    "too_alike",
]

_CROPPED = ("shortCurly", "shortFlat", "shortRound", "shortWaved", "theCaesar", "dreads01", "frizzle", "sides")
_BOBS = ("bob", "miaWallace", "longButNotTooLong")
_LONG = ("straight01", "straight02", "straightAndStrand", "bigHair", "curvy")
_CLOUDS = ("fro", "froBand", "curly")
_SHAGGY = ("shaggy", "shaggyMullet")
COVERS: tuple[str, ...] = ("hijab", "turban")
"""Head covers: they hide the hair, their own colour counts instead."""
_ALONE = ("bun", "dreads", "dreads02", "frida", "shavedSides", *COVERS)
_HAIR_FAMILIES = (_CROPPED, _BOBS, _LONG, _CLOUDS, _SHAGGY, *((name,) for name in _ALONE))
HAIR_SHAPES: tuple[str, ...] = tuple(name for family in _HAIR_FAMILIES for name in family)
_BEARDABLE = frozenset({*_CROPPED, "shaggy", "dreads02", "fro", "turban"})
"""Shapes that beards go with; a beard under long hair makes faces that nobody can read."""

_NATURAL = ("#211c1e", "#54362a", "#9a5a2e", "#c9924a", "#efd68a", "#c93f12")
DYED: tuple[str, ...] = ("#e88aa6", "#3f74bd", "#3f9472", "#8159ad")
GREYS: tuple[str, ...] = ("#85898f", "#c9c8c9", "#f3f1ec")
HAIR_COLOURS: tuple[str, ...] = (*_NATURAL, *DYED, *GREYS)
_ALIKE_HAIR = frozenset(
    frozenset(pair)
    for pair in (
        (_NATURAL[0], _NATURAL[1]),
        (_NATURAL[1], _NATURAL[2]),
        (_NATURAL[2], _NATURAL[3]),
        (_NATURAL[3], _NATURAL[4]),
        (_NATURAL[2], _NATURAL[5]),
        (GREYS[0], GREYS[1]),
        (GREYS[1], GREYS[2]),
    )
)
COVER_COLOURS: tuple[str, ...] = ("#25557c", "#7d3c98", "#b03a2e", "#1e8449", "#e0c080", "#3b4652")
SKINS: tuple[str, ...] = ("#ffdbb4", "#edb98a", "#d08b5b", "#ae5d29", "#614335")
"""From light to dark; neighbours differ by one step."""
_FADING = frozenset({("#9a5a2e", "#ae5d29"), ("#c9924a", "#d08b5b"), ("#54362a", "#614335")})
"""Hair and skin that are hard to tell from each other."""
_TOO_PALE_FOR_SIDES = frozenset({*DYED, "#efd68a", "#c9924a", "#f3f1ec"})
"""Colours in which the little hair of a bald head is not seen, or looks odd."""
BROWS: tuple[str, ...] = ("", "Natural")
_ROUND, _HORN, _SLIM = "round", "prescription01", "prescription02"
GLASSES: tuple[str, ...] = ("", _ROUND, _HORN, _SLIM)
RIM_COLOURS: tuple[str, ...] = ("#262e33", "#c0392b", "#25557c", "#f2f2f2", "#c99716")
_BEARD_FAMILIES = (("beardLight", "beardMedium", "beardMajestic"), ("moustacheFancy", "moustacheMagnum"))
BEARDS: tuple[str, ...] = ("", *(name for family in _BEARD_FAMILIES for name in family))

_TRIES = 6000
"""Candidates for one person before the library counts as full."""


class TooAlike(ValueError):
    """No further person keeps the minimum distance: ask for fewer people or a smaller distance."""

    def __init__(self, found: int, wanted: int, min_distance: float) -> None:
        super().__init__(
            f"only {found} of {wanted} people can be drawn {min_distance:g} or more apart from each other and from "
            "those given; ask for fewer people, more variety of age, or a smaller min_distance"
        )
        self.found = found
        self.wanted = wanted


@dataclass(frozen=True)
class WantedPerson:
    """What is asked of one person to be drawn."""

    age: Age = "grown"
    kin_of: int | None = None
    """Index of an earlier one of the wanted people with whom this one shares features."""


def distance(one: Appearance, other: Appearance) -> float:
    """Return by how many plainly visible attributes two people differ, 0..5; moods and clothes do not count.

    Hair shape: 1, or 0.5 within a family of look-alike shapes (cropped, bobs, long, clouds, shaggy). Colour of
    the hair or, where it hides the hair, of the head cover: 1, or 0.5 for neighbouring shades. Skin: half the
    steps on the scale of five, at most 1. Glasses: 1 with against without; otherwise 0.5 for another shape and
    0.5 for another rim colour. Beard: 1, or 0.5 within full beards and within moustaches. Brows and age
    are seen too late to count. A careful eye tells people apart from a distance of 2.
    """
    codes = np.array([_encode(one), _encode(other)])
    return float(_distances(codes[0], codes[1:])[0])


def too_alike(appearances: Sequence[Appearance], min_distance: float = 2.0) -> list[tuple[int, int, float]]:
    """Return the pairs ``(first, second, distance)`` of indices, first < second, closer than ``min_distance``."""
    codes = np.array([_encode(item) for item in appearances], dtype=np.intp).reshape(-1, len(_TABLES))
    pairs = []
    for first in range(len(codes) - 1):
        gaps = _distances(codes[first], codes[first + 1 :])
        pairs += [(first, first + 1 + int(k), float(gaps[k])) for k in np.flatnonzero(gaps < min_distance)]
    return pairs


def draw_people(
    rng: random.Random,
    wanted: Sequence[WantedPerson],
    *,
    min_distance: float = 2.0,
    apart_from: Sequence[Appearance] = (),
) -> tuple[Appearance, ...]:
    """Draw one appearance for each of ``wanted``, all ``min_distance`` or more apart (see ``distance``).

    Candidates are drawn at random and taken when they keep the distance to everyone before them and to
    ``apart_from``. Kin share skin, brows and, where age allows, hair colour; where that leaves no room,
    skin and brows alone. More than 300 people fit at a distance of 2.

    Args:
        rng: where all chance comes from.
        wanted: ages, and who is kin of whom.
        min_distance: smallest ``distance`` of any two, 0..5.
        apart_from: people drawn before, to whom the distance is kept as well.

    Raises:
        TooAlike: there is no room for another person at this distance.
        ValueError: ``kin_of`` is not the index of an earlier person.
    """
    people: list[Appearance] = []
    codes = [_encode(item) for item in apart_from]
    for index, want in enumerate(wanted):
        if want.kin_of is not None and not 0 <= want.kin_of < index:
            raise ValueError(f"wanted[{index}] is kin of {want.kin_of}: name the index of an earlier person")
        relative = None if want.kin_of is None else people[want.kin_of]
        found = _one_apart(rng, want.age, relative, min_distance, np.array(codes, dtype=np.intp))
        if found is None:
            raise TooAlike(len(people), len(wanted), min_distance)
        people.append(found)
        codes.append(_encode(found))
    return tuple(people)


def _one_apart(
    rng: random.Random, age: Age, relative: Appearance | None, min_distance: float, codes: npt.NDArray[np.intp]
) -> Appearance | None:
    for shared in (True, False) if relative is not None else (False,):
        for _ in range(_TRIES):
            candidate = _candidate(rng, age, relative, shares_hair=shared)
            if not len(codes) or _distances(np.array(_encode(candidate)), codes).min() >= min_distance:
                return candidate
    return None


def _candidate(rng: random.Random, age: Age, relative: Appearance | None, *, shares_hair: bool) -> Appearance:
    """Return a random person of ``age``, with the features of ``relative`` that kin share."""
    colours = {"young": (*_NATURAL, *_NATURAL, *DYED), "grown": (*_NATURAL, *_NATURAL, *DYED), "old": GREYS}[age]
    hair = rng.choice(HAIR_SHAPES)
    while age == "young" and hair in ("sides", "turban"):
        hair = rng.choice(HAIR_SHAPES)
    skin, brows = rng.choice(SKINS), rng.choice(BROWS)
    if relative is not None:
        skin, brows = relative.skin, relative.brows
    colour = rng.choice(COVER_COLOURS if hair in COVERS else colours)
    if relative is not None and shares_hair and hair not in COVERS and relative.hair_colour in colours:
        colour = relative.hair_colour
    while (colour, skin) in _FADING or (hair == "sides" and colour in _TOO_PALE_FOR_SIDES):
        colour = rng.choice(colours)
    beard = rng.choice(BEARDS[1:])
    bearded = hair in _BEARDABLE and colour not in DYED and age != "young" and rng.random() < 0.62
    glasses = rng.choice(GLASSES[1:]) if rng.random() < 0.48 else ""
    rim = rng.choice(RIM_COLOURS)
    return Appearance(
        hair=hair,
        hair_colour=colour,
        skin=skin,
        brows=brows,
        glasses=glasses,
        rim_colour=rim if glasses else "",
        beard=beard if bearded else "",
        age=age,
    )


def _table(names: Sequence[str], families: Sequence[Sequence[str]]) -> npt.NDArray[np.float64]:
    """Return a distance matrix over ``names``: 0 for the same, 0.5 within a family, else 1."""
    family = {name: number for number, group in enumerate(families) for name in group}
    table = np.ones((len(names), len(names)))
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            if one == other:
                table[row, column] = 0
            elif one in family and family[one] == family.get(other):
                table[row, column] = 0.5
    return table


def _colour_table(names: Sequence[str]) -> npt.NDArray[np.float64]:
    table = np.ones((len(names), len(names)))
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            if one == other:
                table[row, column] = 0
            elif frozenset((one, other)) in _ALIKE_HAIR:
                table[row, column] = 0.5
    return table


def _glasses_table() -> npt.NDArray[np.float64]:
    table = np.ones((len(_SPECTACLES), len(_SPECTACLES)))
    for row, (shape, rim) in enumerate(_SPECTACLES):
        for column, (other_shape, other_rim) in enumerate(_SPECTACLES):
            if bool(shape) == bool(other_shape):
                table[row, column] = 0.5 * (shape != other_shape) + 0.5 * (rim != other_rim)
    return table


_SPECTACLES = (("", ""), *((shape, rim) for shape in GLASSES[1:] for rim in RIM_COLOURS))
_COLOURS = (*HAIR_COLOURS, *COVER_COLOURS)
_steps = np.arange(len(SKINS))
_TABLES: tuple[npt.NDArray[np.float64], ...] = (
    _table(HAIR_SHAPES, _HAIR_FAMILIES),
    _colour_table(_COLOURS),
    np.minimum(1.0, np.abs(_steps[:, None] - _steps[None, :]) / 2),
    _glasses_table(),
    _table(BEARDS, _BEARD_FAMILIES),
)


def _index(names: Sequence[object]) -> Mapping[object, int]:
    return {name: number for number, name in enumerate(names)}


_INDICES = tuple(_index(names) for names in (HAIR_SHAPES, _COLOURS, SKINS, _SPECTACLES, BEARDS))


def _encode(person: Appearance) -> tuple[int, ...]:
    parts = (person.hair, person.hair_colour, person.skin, (person.glasses, person.rim_colour), person.beard)
    try:
        return tuple(index[part] for index, part in zip(_INDICES, parts, strict=True))
    except KeyError as missing:
        raise ValueError(
            f"{missing.args[0]!r} is no feature of the built-in people: draw them by draw_people"
        ) from None


def _distances(one: npt.NDArray[np.intp], others: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """Return the distances, shape (len(others),), of one encoded person to others, shape (n, 5)."""
    total = np.zeros(len(others))
    for column, table in enumerate(_TABLES):
        total += table[one[column], others[:, column]]
    return total
