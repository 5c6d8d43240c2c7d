"""Rooms where people learn and work."""

from __future__ import annotations

from lifeloom.models.builtin.painter.light import mix
from lifeloom.models.builtin.painter.pen import Pen
from lifeloom.models.builtin.painter.places.art import SIDE, STRIP_TOP, PlaceArt
from lifeloom.models.builtin.painter.places.shapes import (
    ceiling_lamp,
    picture_frame,
    planks,
    pot_plant,
    room,
    tiles,
)
from lifeloom.models.builtin.painter.places.sky import window

__all__ = ["ART"]

_SPINES = ("#b5473f", "#3f6f9f", "#4f8a6b", "#d9a441", "#7d5a9a", "#8a5f42", "#e0d6c2", "#4a4f5c")


def _classroom(pen: Pen) -> None:
    room(pen, pen.pick("#e9e6d4", "#dbe8ee", "#efe2d0"), "#c9a37c")
    planks(pen, 338, SIDE, "#c9a37c", rows=5)
    board = pen.pick_number(18, 206)
    pen.rect(board - 8, 72, 304, 158, "#b98b5c", corner=3)
    pen.rect(board, 80, 288, 142, "#3b6a57")
    _chalk(pen, board)
    pen.rect(board - 2, 228, 292, 8, "#a3764b", corner=2)
    for number in range(3):
        pen.rect(board + 60 + number * 40, 224, 18, 5, pen.pick("#ffffff", "#f6d27a", "#f2a7a0"), corner=2)
    window(pen, 388 if board < 100 else 34, 84, 104, 132)
    letters = "ABCDEFGHIJKL"
    for number, _ in enumerate(letters):
        pen.rect(14 + number * 42, 20, 34, 34, pen.pick("#f6c9c0", "#cfe3b8", "#c6dcf0", "#f6e3a8"), corner=4)
        _letter(pen, 14 + number * 42, number)
    globe = board + 318 if board < 100 else board - 84
    pen.rect(globe - 26, 300, 52, 8, "#8a5f42", corner=3)
    pen.rect(globe - 4, 286, 8, 16, "#8a5f42")
    pen.circle(globe, 262, 28, "#5fa8d3")
    pen.path(f"M{globe - 18:.0f} 250q14 -14 26 -2q-4 14 -14 12q-10 4 -12 -10z", "#7fb069")
    pen.path(f"M{globe + 2:.0f} 268q12 -6 18 2q-2 14 -12 14q-8 -4 -6 -16z", "#7fb069")
    pen.rect(globe - 60, 308, 120, 24, "#a9794e", corner=2)
    for row, y in enumerate((366, 412)):
        for number in range(4 - row):
            x = number * 150 - 20 + row * 60
            pen.rect(x, y, 112 + row * 14, 13, "#d9a066", corner=3)
            pen.rect(x + 8, y + 13, 7, 40, "#8a8f95")
            pen.rect(x + 96 + row * 14, y + 13, 7, 40, "#8a8f95")


def _chalk(pen: Pen, left: float) -> None:
    """Draw sums and a triangle in chalk."""
    for row in range(3):
        pen.line(left + 20, 104 + row * 24, left + pen.between(80, 136), 104 + row * 24, "#e6f1ea", 4, opacity=0.8)
    pen.stroke(f"M{left + 168} 172l36 -66l46 66z", "#f6e3a8", 4, opacity=0.9)
    pen.stroke(f"M{left + 24} 192h26m-13 -13v26m30 -13h20m14 -7h20m-20 12h20", "#f2b8b0", 4, opacity=0.9)


def _letter(pen: Pen, left: float, number: int) -> None:
    """Draw a made-up letter on an alphabet card, as strokes: no font is needed."""
    shapes = (
        "M8 26L17 7L26 26M11 19H23",
        "M10 7V27H18Q26 26 24 20T10 17Q24 16 22 10T10 7",
        "M25 11Q10 2 10 17T25 24",
        "M10 7V27Q26 26 26 17T10 7",
        "M24 7H10V27H24M10 17H20",
        "M24 7H10V27M10 17H20",
    )
    data = shapes[number % len(shapes)]
    pen.raw(f'<g transform="translate({left:.0f} 20)">')
    pen.stroke(data, "#5a5f68", 3)
    pen.raw("</g>")


def _classroom_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top, SIDE, 18, "#dda567", corner=4)
    pen.rect(0, top + 18, SIDE, STRIP_TOP - top - 14, "#bb8551")
    for x in (14, 170, 330, 486):
        pen.rect(x, top + 18, 11, STRIP_TOP - top - 14, "#8d9298")
    for sheet in (pen.between(40, 130), pen.between(200, 290), pen.between(360, 440)):
        corners = [(sheet, top + 12), (sheet + 54, top + 12), (sheet + 46, top + 3), (sheet + 6, top + 3)]
        pen.polygon(corners, "#fdfcf6")
        pen.line(sheet + 62, top + 11, sheet + 84, top + 4, pen.pick("#d9473f", "#3f72b8", "#e0a93c"), 4)


def _shelves(pen: Pen, left: float, width: float, top: float, rows: int, height: float) -> None:
    wood = "#7a5236"
    pen.rect(left, top - 8, width, rows * height + 14, wood, corner=3)
    for row in range(rows):
        y = top + row * height
        pen.rect(left + 7, y, width - 14, height - 7, "#553824")
        x = left + 10
        while x < left + width - 16:
            thick = pen.between(7, 14)
            if x + thick > left + width - 9:
                break
            tall = pen.between(0.62, 0.94) * (height - 8)
            spine = pen.pick(*_SPINES)
            pen.rect(x, y + height - 7 - tall, thick, tall, spine, corner=1.5)
            if thick > 9:
                pen.rect(x + 2, y + height - 7 - tall * 0.8, thick - 4, 4, mix(spine, "#ffffff", 0.5))
            x += thick + (pen.between(6, 20) if pen.chance(0.05) else 1.2)


def _library(pen: Pen) -> None:
    room(pen, "#e3d3b8", "#8f6a4c", skirting="#6b4a32")
    pen.rect(0, 338, SIDE, 174, "#7d4a44")
    for number in range(9):
        pen.polygon(
            [(number * 64 + 32, 362), (number * 64 + 60, 390), (number * 64 + 32, 418), (number * 64 + 4, 390)],
            "#93605a",
        )
    middle = pen.between(206, 236)
    pen.rect(middle - 16, 34, 96, 200, "#7a5236", corner=6)
    window(pen, middle, 50, 64, 160, frame="#f2e6cf")
    _shelves(pen, -6, middle - 14, 26, 6, 52)
    _shelves(pen, middle + 82, SIDE - middle - 76, 26, 6, 52)
    pen.rect(middle - 10, 252, 84, 84, "#8a5f42", corner=3)
    _shelves(pen, middle - 10, 84, 262, 1, 68)
    for x in (96, 420):
        ceiling_lamp(pen, x, 14, "#3f6b58", width=48)


def _library_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top, SIDE, 16, "#8a5a38", corner=3)
    pen.rect(0, top + 16, SIDE, STRIP_TOP - top - 12, "#6b4429")
    for number in range(4):
        pen.rect(number * 128 + 10, top + 22, 108, STRIP_TOP - top - 24, "#7d5234", corner=4)
    for x in (pen.between(30, 110), pen.between(400, 470)):
        if pen.light.dark:
            pen.glow(x, top + 4, 60, "#ffe2a0", 0.6)
        pen.rect(x - 2, top - 22, 4, 24, "#c9a24a")
        pen.rect(x - 24, top - 30, 48, 12, "#2f7d5a", corner=6)
        pen.rect(x - 14, top - 1, 28, 5, "#c9a24a", corner=2)


def _office(pen: Pen) -> None:
    room(pen, pen.pick("#e4e9ee", "#e9e6e0", "#dfe8e6"), "#8f9bab", skirting="#c9d0d8")
    tiles(pen, 0, 338, SIDE, 174, 52, "#8390a1", 0.8)
    left = pen.pick_number(24, 228)
    window(pen, left, 56, 260, 150, frame="#c3cbd3", panes=3, crossbar=False, town=True)
    for row in range(5):
        pen.rect(left, 56 + row * 7, 260, 2.6, "#eef1f4", opacity=0.9)
    side = 322 if left < 100 else 30
    pen.rect(side - 4, 74, 164, 112, "#b9c1c9", corner=3)
    pen.rect(side, 78, 156, 104, "#ffffff")
    _chart(pen, side)
    for x in (side + 4, side + 82):
        pen.rect(x, 232, 70, 104, "#9aa5b1", corner=3)
        for row in range(3):
            pen.rect(x + 6, 240 + row * 32, 58, 26, "#aeb8c3", corner=2)
            pen.rect(x + 24, 250 + row * 32, 22, 5, "#6b7580", corner=2)
    pot_plant(pen, left + pen.between(20, 90), 336, 0.95)
    for number in range(3):
        desk = left + 110 + number * 54
        pen.rect(desk, 286, 50, 50, "#c3b8a8" if number % 2 else "#b3c0cc", corner=3)
    for x in (120, 392):
        pen.rect(x - 70, 0, 140, 12, "#f6f4ea", corner=3, glow=pen.light.dark)
        if pen.light.dark:
            pen.glow(x, 12, 150, "#fdf6dc", 0.5)


def _chart(pen: Pen, left: float) -> None:
    """Draw bars, a curve and notes on the whiteboard."""
    for number, colour in enumerate(("#4f8ccb", "#e0a93c", "#62a257", "#d9573f")):
        tall = pen.between(16, 54)
        pen.rect(left + 14 + number * 17, 166 - tall, 12, tall, colour)
    pen.line(left + 10, 168, left + 84, 168, "#5a6068", 2)
    pen.stroke(f"M{left + 94} 160l16 -24l14 10l22 -36", "#d9573f", 3)
    for number, colour in enumerate(("#f6e27a", "#f2b8c6", "#b8e0c2")):
        pen.rect(left + 16 + number * 30, 86, 22, 20, colour)


def _office_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 8, SIDE, STRIP_TOP - top, "#7f8fa3")
    for number in range(3):
        pen.rect(number * 172 + 6, top + 14, 160, STRIP_TOP - top - 16, "#93a3b6", corner=5)
    pen.rect(0, top - 5, SIDE, 14, "#dfe4e9", corner=4)
    for _ in range(5):
        x = pen.between(10, 470)
        pen.rect(x, top + pen.between(18, 26), 19, 17, pen.pick("#f6e27a", "#f2b8c6", "#b8e0c2", "#bfd8f0"))


def _museum(pen: Pen) -> None:
    wall = pen.pick("#c9b8c4", "#b7c4c9", "#c7bfae", "#b9bfd0")
    room(pen, wall, "#d9cbb2", skirting="#efe6d6")
    pen.rect(0, 0, SIDE, 66, "#efe9dd")
    window(pen, 156, 8, 200, 44, frame="#d8cfbf", panes=5, crossbar=False)
    tiles(pen, 0, 338, SIDE, 174, 58, "#c3b296", 0.8)
    for x in (-8, 462):
        pen.rect(x, 78, 58, 256, "#f3eee2")
        for fold in range(4):
            pen.rect(x + 8 + fold * 12, 90, 4, 234, "#ddd4c2")
        pen.rect(x - 8, 66, 74, 16, "#e6decd", corner=3)
        pen.rect(x - 8, 322, 74, 14, "#e6decd", corner=3)
    for left, wide, tall in ((78, 108, 84), (326, 108, 84)):
        picture_frame(pen, left, 112 + pen.between(-6, 6), wide, tall, "#c9a24a")
        pen.rect(left + wide / 2 - 18, 214, 36, 12, "#f7f3ea")
    pen.rect(212, 250, 88, 86, "#efe8da")
    pen.rect(204, 244, 104, 12, "#f9f5ec", corner=3)
    _exhibit(pen)
    for number in range(5):
        x = 88 + number * 84
        pen.rect(x - 3, 306, 6, 54, "#c9a24a")
        pen.circle(x, 304, 6, "#c9a24a")
        pen.ellipse(x, 361, 13, 4, "#a8863a")
        if number < 4:
            pen.stroke(f"M{x} 316q42 30 84 0", "#a8323c", 5)
    for x in (132, 380):
        pen.glow(x, 84, 80, "#fff3cf", 0.55 if pen.light.dark else 0.3)
        pen.rect(x - 8, 66, 16, 12, "#5a5f68", corner=2)


def _exhibit(pen: Pen) -> None:
    """Draw a vase or a marble head on the plinth."""
    if pen.chance(0.5):
        pen.path("M238 244Q218 206 244 184Q234 168 238 158H274Q278 168 268 184Q294 206 274 244Z", "#b5603f")
        pen.stroke("M231 204q8 -10 16 0t16 0t16 0", "#3a2c2a", 4)
        pen.rect(233, 220, 46, 6, "#3a2c2a")
        pen.stroke("M238 166q-20 6 -8 26M274 166q20 6 8 26", "#b5603f", 5)
        return
    marble = "#f4f1ea"
    pen.path("M222 244Q224 222 246 218V200H266V218Q288 222 290 244Z", marble)
    pen.ellipse(256, 182, 23, 28, marble)
    pen.path("M232 180Q228 148 256 148T280 180Q272 162 256 164T232 180Z", "#ddd7ca")
    pen.stroke("M247 180h5m9 0h5M256 182v8M250 198h12", "#b9b2a3", 2.4)


def _museum_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top, SIDE, STRIP_TOP - top + 4, "#efe8da")
    pen.rect(0, top - 5, SIDE, 12, "#fbf8f0", corner=3)
    for number in range(4):
        left = number * 128 + 8
        pen.rect(left, top + 14, 112, STRIP_TOP - top - 16, "#d9cfbc", corner=3)
        pen.rect(left + 6, top + 18, 100, STRIP_TOP - top - 24, "#e6decd", corner=2)
        pen.rect(left + 38, top + 24, 36, 12, "#c9a24a", corner=2)


ART = {
    "classroom": PlaceArt(_classroom, _classroom_ledge, "#b78f66"),
    "library": PlaceArt(_library, _library_ledge, "#8a554e"),
    "office": PlaceArt(_office, _office_ledge, "#95a1b1"),
    "museum": PlaceArt(_museum, _museum_ledge, "#d4c5ab"),
}
