"""Indoor places where people spend an evening."""

from __future__ import annotations

from lifeloom.models.builtin.painter.light import mix
from lifeloom.models.builtin.painter.pen import Pen
from lifeloom.models.builtin.painter.places.art import SIDE, STRIP_TOP, PlaceArt
from lifeloom.models.builtin.painter.places.shapes import (
    awning,
    bricks,
    ceiling_lamp,
    planks,
    room,
)
from lifeloom.models.builtin.painter.places.sky import window

__all__ = ["ART"]


def _cafe(pen: Pen) -> None:
    room(pen, "#d9c0a3", "#a9805a")
    bricks(pen, 0, 0, SIDE, 322, "#b98a6c", "#c79a7c")
    planks(pen, 330, SIDE, "#a9805a", rows=5)
    left = pen.pick_number(20, 330)
    window(pen, left, 96, 158, 140, frame="#3f4a44", panes=2, town=True)
    awning(pen, left - 10, 78, 178, pen.pick("#3f7d60", "#a8473f"), depth=14)
    board = 236 if left < 100 else 24
    pen.rect(board - 6, 84, 172, 118, "#6b4a32", corner=3)
    pen.rect(board, 90, 160, 106, "#33383a")
    pen.stroke(f"M{board + 40} 106q40 -14 80 0", "#f6e3a8", 4)
    for row in range(4):
        y = 126 + row * 17
        pen.line(board + 14, y, board + pen.between(70, 100), y, "#e8e4da", 3.4, opacity=0.85)
        pen.line(board + 126, y, board + 146, y, "#f2b8a0", 3.4, opacity=0.85)
    pen.rect(board - 20, 246, 220, 8, "#7a5236")
    for number in range(7):
        x = board - 12 + number * 30
        pen.rect(x, 222, 20, 24, pen.pick("#6b4a32", "#a9c4b4", "#d9a066", "#efe3cf"), corner=4)
        pen.rect(x + 2, 217, 16, 6, "#8a6a48", corner=2)
    pen.rect(0, 282, SIDE, 52, "#5f7d6f")
    pen.rect(0, 276, SIDE, 11, "#8a5f42")
    machine = board + pen.between(20, 70)
    pen.rect(machine, 224, 92, 54, "#b9c1c6", corner=6)
    pen.rect(machine + 6, 258, 80, 20, "#5a6066")
    pen.circle(machine + 20, 242, 7, "#f6f4ee")
    pen.circle(machine + 44, 242, 7, "#f6f4ee")
    for spout in (machine + 24, machine + 58):
        pen.rect(spout, 252, 14, 10, "#3a3f45", corner=2)
    for x in (90, 256, 422):
        ceiling_lamp(pen, x, pen.between(28, 44), pen.pick("#c8473f", "#e0a93c", "#3f7d78"))


def _cafe_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 12, SIDE, STRIP_TOP - top, "#4f6f62")
    for number in range(16):
        pen.rect(number * 33 + 2, top + 16, 27, STRIP_TOP - top, "#5f8375", corner=3)
    pen.rect(0, top - 5, SIDE, 18, "#9c6b45", corner=5)
    x = pen.between(40, 380)
    pen.rect(x, top - 3, 70, 5, "#f4efe6", corner=2)
    for number in range(3):
        pen.circle(x + 14 + number * 20, top - 9, 8.5, pen.pick("#c98f4a", "#b5703f", "#e0b070"))


def _restaurant(pen: Pen) -> None:
    wall = pen.pick("#8c3f45", "#3f5a5c", "#6a4a6b")
    room(pen, wall, "#6f4a35", skirting="#c9a24a")
    pen.rect(0, 212, SIDE, 112, mix(wall, "#f4e2c4", 0.8))
    pen.rect(0, 208, SIDE, 7, "#c9a24a")
    for number in range(6):
        pen.rect(number * 86 + 8, 224, 70, 90, mix(wall, "#f4e2c4", 0.68), corner=3)
    planks(pen, 331, SIDE, "#6f4a35", rows=5)
    left = pen.pick_number(46, 320)
    window(pen, left, 56, 140, 128, frame="#e0c99a", town=True)
    curtain = pen.pick("#c9a24a", "#a8323c", "#d9c9b0")
    for start, lean in ((left - 26, 1), (left + 126, -1)):
        pen.path(
            f"M{start:.0f} 42h40Q{start + 20 + lean * 4:.0f} 130 {start + 20 - lean * 12:.0f} 202h-24"
            f"Q{start + 8:.0f} 130 {start:.0f} 42Z",
            curtain,
        )
    rack = 292 if left < 100 else 40
    pen.rect(rack, 60, 172, 130, "#5a3a28", corner=3)
    for row in range(4):
        for number in range(6):
            x, y = rack + 18 + number * 27, 78 + row * 31
            pen.circle(x, y, 11, "#3f2819")
            if pen.chance(0.8):
                pen.circle(x, y, 7.5, pen.pick("#4f6f4a", "#7a2f3a", "#3a4a3f", "#8a7a4a"))
                pen.circle(x, y, 3.4, "#d9c089")
    for x in (20, 492):
        if pen.light.dark:
            pen.glow(x, 110, 90, "#ffdf9c", 0.7)
        pen.rect(x - 5, 112, 10, 24, "#c9a24a", corner=3)
        pen.path(f"M{x - 14} 112L{x - 9} 88H{x + 9}L{x + 14} 112Z", "#fff0c4", glow=pen.light.dark)
    for number in range(3):
        _laid_table(pen, 40 + number * 190 + pen.between(-20, 20), 330 + pen.between(0, 12))


def _laid_table(pen: Pen, x: float, top: float) -> None:
    pen.polygon([(x - 70, top), (x + 70, top), (x + 82, top + 62), (x - 82, top + 62)], "#e9e2d6")
    pen.ellipse(x, top, 70, 13, "#fbf8f2")
    pen.ellipse(x - 36, top, 15, 4.4, "#dfe6ea")
    pen.ellipse(x + 36, top, 15, 4.4, "#dfe6ea")
    pen.rect(x - 4, top - 25, 8, 25, "#f6ecd2")
    pen.glow(x, top - 31, 24, "#ffd98a", 0.9)
    pen.ellipse(x, top - 30, 3.4, 6.4, "#ffb84a", glow=True)


def _restaurant_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top, SIDE, STRIP_TOP - top + 6, "#f4efe6")
    for number in range(11):
        x = number * 50 + 10
        pen.path(
            f"M{x} {STRIP_TOP + 6}Q{x + 6} {top + 30:.0f} {x + 14} {top + 12:.0f}Q{x + 14} {top + 36:.0f} {x + 20} "
            f"{STRIP_TOP + 6}Z",
            "#e0d8ca",
        )
    pen.rect(0, top - 4, SIDE, 10, "#ffffff", corner=4)
    cloth = pen.pick("#a8323c", "#3f5a5c", "#c9a24a")
    pen.rect(0, top + 12, SIDE, 5, cloth)
    for plate in (pen.between(50, 120), pen.between(370, 450)):
        pen.ellipse(plate, top - 3, 36, 6, "#dfe6ea")
        pen.ellipse(plate, top - 4, 24, 3.6, "#f6f9fa")
        pen.rect(plate - 52, top - 6, 4, 9, "#b9c1c6")
        pen.rect(plate + 47, top - 6, 4, 9, "#b9c1c6")


def _theatre(pen: Pen) -> None:
    pen.rect(0, 0, SIDE, SIDE, "#4a2530")
    pen.rect(52, 60, 408, 274, "#7d5a6b")
    window(pen, 196, 118, 120, 108, frame="#d9c49a", panes=2)
    pen.rect(70, 244, 64, 60, "#6b8a5c", corner=26)
    pen.rect(376, 236, 68, 68, "#6b8a5c", corner=30)
    pen.rect(96, 292, 12, 34, "#6b4a32")
    pen.rect(404, 292, 12, 34, "#6b4a32")
    red = "#b02a37"
    dark = "#8a1f2b"
    for start, width in ((0, 104), (408, 104)):
        pen.rect(start, 40, width, 300, red)
        for number in range(5):
            pen.rect(start + 8 + number * 20, 40, 8, 300, dark)
    pen.rect(0, 0, SIDE, 54, red)
    for number in range(9):
        pen.ellipse(number * 64, 54, 34, 26, red)
        pen.stroke(f"M{number * 64 - 33} 56a34 26 0 0 0 66 0", "#e0b84a", 4)
    for number in range(13):
        pen.rect(number * 42 + 6, 0, 7, 52, dark)
    pen.rect(88, 214, 18, 12, "#e0b84a", corner=3)
    pen.rect(406, 214, 18, 12, "#e0b84a", corner=3)
    pen.rect(0, 326, SIDE, 52, "#a8743f")
    pen.rect(0, 326, SIDE, 7, "#c98f52")
    for number in range(13):
        x = 24 + number * 39
        pen.glow(x, 372, 20, "#ffe9a8", 0.7)
        pen.ellipse(x, 378, 9, 6, "#fff0b8", glow=True)
    for x, foot in ((150, 190), (362, 322)):
        pen.polygon([(x - 8, 0), (x + 8, 0), (foot + 62, 330), (foot - 62, 330)], "#fff6d0", opacity=0.16, glow=True)
    pen.rect(0, 382, SIDE, 130, "#3a1d26")
    for row in range(3):
        _seats(pen, 396 + row * 36, row * 22, 0.86 + row * 0.1)


def _seats(pen: Pen, top: float, shift: float, size: float) -> None:
    x = -shift
    while x < SIDE:
        pen.rect(x, top, 46 * size, 56 * size, "#9c2733", corner=13)
        pen.rect(x + 6 * size, top + 6 * size, 34 * size, 40 * size, "#b53542", corner=9)
        x += 51 * size


def _theatre_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 20, SIDE, STRIP_TOP - top - 14, "#3a1d26")
    for number in range(8):
        x = number * 68 - 14
        pen.rect(x, top - 6, 62, STRIP_TOP - top + 8, "#9c2733", corner=16)
        pen.rect(x + 7, top + 1, 48, STRIP_TOP - top - 8, "#b53542", corner=11)
        pen.circle(x + 31, top + 16, 6, "#e0b84a")
        pen.rect(x + 60, top + 20, 9, STRIP_TOP - top - 16, "#6b4a32", corner=3)


def _gym(pen: Pen) -> None:
    room(pen, pen.pick("#d3dbe0", "#dfe0d6", "#d8d6e2"), "#5a6470", skirting="#4a525c")
    pen.rect(0, 226, SIDE, 20, pen.pick("#f28f3b", "#3fa7a0", "#d9473f"))
    for row in range(4):
        for number in range(7):
            colour = "#5a6470" if (row + number) % 2 else "#525b66"
            pen.rect(number * 76, 338 + row * 44, 76, 44, colour)
    left = pen.pick_number(22, 330)
    window(pen, left, 52, 160, 84, frame="#8a949c", panes=3, crossbar=False, town=True)
    bars = 250 if left < 100 else 30
    _power_rack(pen, bars)
    bag = (bars + 176) % 480
    pen.rect(bag - 2, 0, 4, 96, "#6b727a")
    pen.rect(bag - 24, 94, 48, 142, "#c8473f", corner=15)
    pen.rect(bag - 24, 126, 48, 9, "#9c352f")
    pen.rect(bag - 24, 196, 48, 9, "#9c352f")
    rack = left if left > 200 else 40
    pen.rect(rack - 4, 262, 176, 8, "#3a4048", corner=2)
    pen.rect(rack - 4, 306, 176, 8, "#3a4048", corner=2)
    pen.rect(rack, 256, 8, 80, "#3a4048")
    pen.rect(rack + 160, 256, 8, 80, "#3a4048")
    for row, y in enumerate((250, 294)):
        for number in range(4):
            _dumbbell(pen, rack + 10 + number * 40, y, 0.9 + 0.1 * row)
    for number, colour in enumerate(("#3fa7a0", "#f28f3b", "#8a5fa3")):
        x = 40 + number * 176 + pen.between(-20, 30)
        pen.ellipse(x, 446, 62, 17, colour)
        pen.ellipse(x, 442, 62, 17, mix(colour, "#ffffff", 0.2))
    for x in (128, 384):
        pen.rect(x - 60, 0, 120, 9, "#fbf9ee", corner=3, glow=pen.light.dark)
        if pen.light.dark:
            pen.glow(x, 8, 130, "#fdf6dc", 0.5)


def _power_rack(pen: Pen, left: float) -> None:
    """Draw a rack with a loaded barbell, in front of a mirror."""
    pen.rect(left - 14, 60, 132, 160, "#aab6be", corner=3)
    pen.rect(left - 8, 66, 120, 148, "#dceaf0", corner=2)
    pen.polygon([(left + 6, 66), (left + 44, 66), (left + 4, 190), (left - 8, 190)], "#eff6f9")
    for x in (left + 2, left + 92):
        pen.rect(x, 110, 11, 224, "#3a4048", corner=2)
        pen.rect(x - 12, 328, 36, 8, "#3a4048", corner=3)
    pen.rect(left + 2, 106, 101, 10, "#3a4048", corner=2)
    pen.rect(left - 34, 196, 174, 6, "#aab3ba", corner=3)
    for x, tall in ((left - 22, 58), (left - 12, 44), (left + 114, 44), (left + 124, 58)):
        pen.rect(x - 4, 199 - tall / 2, 9, tall, "#d9473f" if tall > 50 else "#3f72b8", corner=3)


def _dumbbell(pen: Pen, left: float, top: float, size: float) -> None:
    pen.rect(left + 6 * size, top + 5 * size, 22 * size, 5 * size, "#aab3ba")
    for x in (0, 26):
        pen.rect(left + x * size, top, 9 * size, 15 * size, "#2f343b", corner=3)


def _gym_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 16, SIDE, STRIP_TOP - top - 8, "#3f4751")
    colour = pen.pick("#c8473f", "#3fa7a0", "#3f72b8")
    for number in range(3):
        pen.rect(number * 172 + 3, top - 4, 165, 27, colour, corner=9)
        pen.rect(number * 172 + 12, top, 147, 5, mix(colour, "#ffffff", 0.3), corner=3)
        for x in (18, 136):
            pen.rect(number * 172 + x, top + 23, 12, STRIP_TOP - top - 20, "#8a949c")
    for number in range(4):
        bar = number * 130 + pen.between(20, 60)
        pen.rect(bar + 8, top + 42, 40, 7, "#aab3ba")
        for shift in (0, 44):
            pen.circle(bar + shift + 4, top + 45, 13, "#23272d")
            pen.circle(bar + shift + 4, top + 45, 5, "#8a949c")


ART = {
    "cafe": PlaceArt(_cafe, _cafe_ledge, "#a47d59"),
    "restaurant": PlaceArt(_restaurant, _restaurant_ledge, "#6f4a35"),
    "theatre": PlaceArt(_theatre, _theatre_ledge, "#5a2f3a"),
    "gym": PlaceArt(_gym, _gym_ledge, "#626c78"),
}
