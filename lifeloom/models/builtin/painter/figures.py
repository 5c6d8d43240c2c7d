"""Draw people as busts: a fixed appearance with a mood, clothes and age marks."""

from __future__ import annotations

import functools
import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lifeloom.models.builtin.painter.people import BEARDS, BROWS, COVERS, GLASSES, HAIR_SHAPES
from lifeloom.models.builtin.painter.raster import package, package_text, rasterise
from lifeloom.records.pictures import Appearance

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["BUST_UNITS", "FACE", "MOODS", "Look", "bust_svg", "draw_bust", "draw_look", "unknown_feature"]

BUST_UNITS = 280
"""Side of the square that a bust is drawn in; its flat bottom is at the lower edge."""
FACE = (84, 60, 196, 182)
"""Left, top, right, bottom of the face within that square."""


@dataclass(frozen=True)
class _Mood:
    """Names of the style that make up an expression; drawn independently they look odd."""

    eyes: tuple[str, ...]
    mouths: tuple[str, ...]
    brows: tuple[str, ...]


MOODS: Mapping[str, _Mood] = {
    "happy": _Mood(("default", "happy"), ("smile", "twinkle"), ("default", "raisedExcited")),
    "neutral": _Mood(("default",), ("twinkle", "serious", "default"), ("default",)),
    "laughing": _Mood(("happy",), ("smile",), ("raisedExcited",)),
    "thinking": _Mood(("side",), ("serious", "twinkle"), ("upDown",)),
    "surprised": _Mood(("surprised",), ("disbelief",), ("raisedExcited",)),
    "sad": _Mood(("default",), ("sad",), ("sadConcerned",)),
    "cross": _Mood(("squint", "default"), ("serious", "sad"), ("angry",)),
    "winking": _Mood(("wink",), ("smile", "twinkle"), ("default",)),
    "asleep": _Mood(("closed",), ("serious", "twinkle"), ("default",)),
}
_PLEASANT = ("happy", "happy", "happy", "neutral", "neutral", "laughing", "thinking", "winking")

_CLOTHES = (
    "blazerAndShirt",
    "blazerAndSweater",
    "collarAndSweater",
    "graphicShirt",
    "hoodie",
    "overall",
    "shirtCrewNeck",
    "shirtScoopNeck",
    "shirtVNeck",
)
_GRAPHIC = "diamond"
"""The one print that shows neither words nor animals."""
_CLOTHES_COLOURS = (
    "#2f3a44",
    "#6cc3ee",
    "#2d5d86",
    "#eceae6",
    "#9fe0bd",
    "#e8578c",
    "#f0655d",
    "#efc04e",
    "#6f529b",
    "#2a9d8f",
    "#b9795c",
    "#7f8f6a",
)


@dataclass(frozen=True)
class Look:
    """What is free about a person in one picture."""

    eyes: str
    mouth: str
    brows: str
    clothes: str
    clothes_colour: str


def draw_look(rng: random.Random, appearance: Appearance, mood: str = "") -> Look:
    """Draw expression and clothes; ``mood`` is a key of ``MOODS``, empty draws a pleasant one."""
    parts = MOODS[mood or rng.choice(_PLEASANT)]
    return Look(
        eyes=rng.choice(parts.eyes),
        mouth=rng.choice(parts.mouths),
        brows=rng.choice(parts.brows) + appearance.brows,
        clothes=rng.choice(_CLOTHES),
        clothes_colour=rng.choice(_CLOTHES_COLOURS),
    )


def unknown_feature(appearance: Appearance) -> str:
    """Return the first feature of ``appearance`` that the style does not have, or an empty text."""
    for name, known in ((appearance.hair, HAIR_SHAPES), (appearance.glasses, GLASSES), (appearance.beard, BEARDS)):
        if name not in known:
            return name
    if appearance.brows not in BROWS:
        return appearance.brows
    colours = [appearance.hair_colour, appearance.skin, *([appearance.rim_colour] if appearance.glasses else [])]
    return next((colour or "a rim without colour" for colour in colours if not _COLOUR.fullmatch(colour)), "")


@functools.lru_cache(maxsize=1)
def _style() -> Any:
    definition = json.loads(package_text("dicebear_styles", "avataaars.json"))
    return package("dicebear").Style(definition)


def bust_svg(appearance: Appearance, look: Look) -> str:
    """Return the bust as an SVG of ``BUST_UNITS`` x ``BUST_UNITS``.

    Raises:
        InstallationBroken: dicebear or its styles are not installed.
    """
    covered = appearance.hair in COVERS
    beard_colour = "#2b2224" if covered else appearance.hair_colour
    if covered and appearance.age == "old":
        beard_colour = "#c9c8c9"
    options: dict[str, Any] = {
        "topProbability": 100,
        "topVariant": [appearance.hair],
        "hairColor": [appearance.hair_colour],
        "hatColor": [appearance.hair_colour],
        "skinColor": [appearance.skin],
        "facialHairProbability": 100 if appearance.beard else 0,
        "facialHairColor": [beard_colour],
        "accessoriesProbability": 100 if appearance.glasses else 0,
        "accessoriesColor": [appearance.rim_colour or "#262e33"],
        "eyesVariant": [look.eyes],
        "mouthVariant": [look.mouth],
        "eyebrowsVariant": [look.brows],
        "clothesVariant": [look.clothes],
        "clothesGraphicVariant": [_GRAPHIC],
        "clothesColor": [look.clothes_colour],
    }
    if appearance.beard:
        options["facialHairVariant"] = [appearance.beard]
    if appearance.glasses:
        options["accessoriesVariant"] = [appearance.glasses]
    svg = str(package("dicebear").Avatar(_style(), options))
    return _with_age(_CLIP.sub("<g>", _METADATA.sub("", svg), count=1), appearance)


_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_METADATA = re.compile(r"<metadata.*?</metadata>", re.DOTALL)
_CLIP = re.compile(r'<g clip-path="url\(#clip-[^"]*\)">')
"""Clips the bust to its square, which the raster does anyway, and takes a third of the time."""
_BELOW_HAIR = '<use transform="translate(8)"'
"""Where the hair is placed: age marks go before it, so that a fringe hides the forehead's lines."""
_EYES = '<use transform="translate(98 98)"'
_BIGGER_EYES = '<use transform="translate(140 116) scale(1.16) translate(-42 -18)"'


def _with_age(svg: str, appearance: Appearance) -> str:
    if appearance.age == "young":
        return svg.replace(_EYES, _BIGGER_EYES, 1).replace(_BELOW_HAIR, _cheeks(appearance.skin) + _BELOW_HAIR, 1)
    if appearance.age == "old":
        return svg.replace(_BELOW_HAIR, _wrinkles(appearance.skin) + _BELOW_HAIR, 1)
    return svg


def _cheeks(skin: str) -> str:
    """Return rosy cheeks and freckles."""
    rose = "#f0705f" if skin in ("#ffdbb4", "#edb98a", "#d08b5b") else "#d9583e"
    freckles = "".join(
        f'<circle cx="{x}" cy="{y}" r="1.5" fill="#7a3f22" fill-opacity=".45"/>'
        for side in (107, 173)
        for x, y in ((side - 6, 131), (side, 134), (side + 6, 130))
    )
    return (
        f'<ellipse cx="105" cy="138" rx="12" ry="8" fill="{rose}" fill-opacity=".34"/>'
        f'<ellipse cx="175" cy="138" rx="12" ry="8" fill="{rose}" fill-opacity=".34"/>{freckles}'
    )


def _wrinkles(skin: str) -> str:
    """Return lines on the forehead, beside and under the eyes and beside the mouth."""
    strength = ".34" if skin in ("#ae5d29", "#614335") else ".22"
    lines = (
        "M118 74 Q140 70 162 74",
        "M122 66 Q140 63 158 66",
        "M96 112 L89 108 M96 116 L88 116 M96 120 L90 124",
        "M184 112 L191 108 M184 116 L192 116 M184 120 L190 124",
        "M107 124 Q114 129 122 125",
        "M158 125 Q166 129 173 124",
        "M118 140 Q110 147 109 156",
        "M162 140 Q170 147 171 156",
    )
    return (
        f'<path d="{" ".join(lines)}" fill="none" stroke="#000" stroke-width="2.2" stroke-linecap="round"'
        f' stroke-opacity="{strength}"/>'
    )


def draw_bust(appearance: Appearance, look: Look, side: int) -> Image:
    """Draw a bust into a fresh transparent picture of ``side`` x ``side`` pixels, flat bottom at its lower edge."""
    return rasterise(bust_svg(appearance, look), side, side)
