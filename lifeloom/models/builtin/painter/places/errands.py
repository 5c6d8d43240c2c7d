"""Indoor places where people pass through."""

from __future__ import annotations

from lifeloom.models.builtin.painter.light import mix
from lifeloom.models.builtin.painter.pen import Pen
from lifeloom.models.builtin.painter.places.art import SIDE, STRIP_TOP, PlaceArt
from lifeloom.models.builtin.painter.places.shapes import pot_plant, room, tiles
from lifeloom.models.builtin.painter.places.sky import window

__all__ = ["ART"]

_GOODS = ("#e9655a", "#f2b632", "#62a257", "#4f8ccb", "#9a6cc0", "#f28f3b", "#f6efe0", "#5fc0b0")


def _supermarket(pen: Pen) -> None:
    room(pen, "#eef1f0", "#e3e6e4", skirting="#b9c4c0")
    tiles(pen, 0, 334, SIDE, 178, 50, "#cfd5d2", 0.9)
    brand = pen.pick("#3f8a5c", "#c8473f", "#3f72b8")
    window(pen, 22, 18, 468, 46, frame="#b9c4c0", panes=7, crossbar=False, town=True)
    for number in range(3):
        left = 14 + number * 170
        pen.rect(left + 36, 80, 74, 25, brand, corner=4)
        pen.rect(left + 50, 89, 46, 6, "#ffffff", corner=2)
        pen.stroke(f"M{left + 48} 64v16M{left + 98} 64v16", "#8a949c", 2)
        _aisle(pen, left, brand)
    for x in (100, 256, 412):
        pen.rect(x - 56, 4, 112, 8, "#ffffff", corner=3, glow=pen.light.dark)
        if pen.light.dark:
            pen.glow(x, 10, 150, "#fbfbf0", 0.55)
    crate = pen.between(40, 330)
    for row in range(2):
        for number in range(3):
            left_edge, rim = crate + number * 46 + row * 20, 392 - row * 26
            for ball in range(3):
                pen.circle(left_edge + 9 + ball * 13, rim, 8, pen.pick("#7fb04f", "#e58a33", "#e3c14d"))
            pen.rect(left_edge, rim + 3, 44, 24, "#cfa06a", corner=2)


def _aisle(pen: Pen, left: float, brand: str) -> None:
    pen.rect(left - 4, 116, 152, 218, "#c9d1cf", corner=4)
    pen.rect(left, 120, 144, 210, "#dfe5e3")
    for row in range(5):
        floor = 158 + row * 42
        x = left + 4
        while x < left + 130:
            width = pen.between(11, 19)
            tall = pen.between(20, 32)
            count = pen.rng.randint(1, 3)
            colour = pen.pick(*_GOODS)
            for _ in range(count):
                if x + width > left + 141:
                    break
                pen.rect(x, floor - tall, width - 1.5, tall, colour, corner=3)
                pen.rect(x + 2, floor - tall * 0.62, width - 5.5, tall * 0.28, mix(colour, "#ffffff", 0.65))
                x += width
        pen.rect(left, floor, 144, 6, "#aab6b2")
        for number in range(4):
            pen.rect(left + 10 + number * 34, floor + 1, 18, 4, brand if number % 2 else "#f6e27a")


def _supermarket_ledge(pen: Pen, top: float) -> None:
    brand = pen.pick("#3f8a5c", "#c8473f", "#3f72b8")
    pen.rect(0, top - 4, SIDE, 16, "#dfe5e3", corner=3)
    pen.rect(0, top - 1, SIDE, 8, "#3a3f45")
    x = pen.between(0, 30)
    while x < SIDE - 30:
        colour, tall, width = pen.pick(*_GOODS), pen.between(12, 26), pen.between(18, 34)
        pen.rect(x, top - tall, width, tall, colour, corner=4)
        pen.rect(x + 3, top - tall * 0.7, width - 6, tall * 0.3, mix(colour, "#ffffff", 0.65))
        x += width + pen.between(24, 76)
    pen.rect(0, top + 12, SIDE, STRIP_TOP - top - 8, "#f4f6f5")
    pen.rect(0, top + 22, SIDE, 14, brand)
    for number in range(9):
        pen.rect(number * 60 + 14, top + 26, 28, 5, "#ffffff", corner=2)


def _airport(pen: Pen) -> None:
    room(pen, "#d8e0e6", "#c3ccd4", floor_top=320, skirting="#aeb9c2")
    window(pen, 10, 78, 492, 196, frame="#b9c4cd", panes=5, crossbar=False)
    _apron(pen)
    for number in range(1, 5):
        pen.rect(10 + number * 98.4 - 3, 78, 6, 196, "#b9c4cd")
    pen.polygon([(0, 328), (SIDE, 328), (SIDE, 350), (0, 372)], "#d9e1e7", opacity=0.7)
    tiles(pen, 0, 328, SIDE, 184, 64, "#b1bcc5", 0.8)
    board = pen.between(60, 250)
    pen.stroke(f"M{board + 26} 0v14M{board + 174} 0v14", "#6b7580", 4)
    pen.rect(board, 12, 200, 56, "#252b36", corner=4)
    for row in range(4):
        y = 21 + row * 11
        pen.rect(board + 10, y, pen.between(44, 70), 5, "#f6d85c", glow=True)
        pen.rect(board + 98, y, 26, 5, "#f4f4f0", glow=True)
        pen.rect(board + 142, y, 44, 5, pen.pick("#7fd07f", "#f4f4f0", "#f28f6b"), glow=True)
    sign = (board + 250) % 440
    pen.rect(sign, 22, 62, 36, "#f2c233", corner=4)
    pen.path(f"M{sign + 14:.0f} 42l34 -10l6 -8l6 1l-6 12l-6 18l-5 1l1 -16l-14 4l-4 7l-4 1l1 -9z", "#252b36")
    for number in range(3):
        _bench(pen, 20 + number * 172 + pen.between(-8, 8), 306)
    pot_plant(pen, pen.pick_number(12, 500), 336, 0.9)


def _apron(pen: Pen) -> None:
    """Draw the runway and a plane, in the light of outdoors."""
    from lifeloom.models.builtin.painter.light import tinted

    def outside(colour: str) -> str:
        return tinted(colour, pen.light.outside)

    pen.rect(10, 232, 492, 42, outside("#eef2f6" if pen.light.weather == "snow" else "#9aa1a6"), glow=True)
    for number in range(8):
        pen.rect(24 + number * 62, 258, 34, 4, outside("#ffffff"), glow=True)
    x, y = pen.between(96, 300), 214
    tail = pen.pick("#c8473f", "#3f72b8", "#3f8a72", "#e0a93c")
    pen.polygon([(x - 66, y - 8), (x - 88, y - 54), (x - 66, y - 54), (x - 34, y - 8)], outside(tail), glow=True)
    pen.rect(x - 84, y - 18, 190, 35, outside("#fbfcfd"), corner=17, glow=True)
    pen.rect(x - 80, y + 1, 182, 6, outside(tail), glow=True)
    for number in range(10):
        lit = pen.light.dark
        pen.circle(x - 50 + number * 13, y - 5, 3.4, "#ffe9a0" if lit else outside("#7fa3bd"), glow=True)
    pen.path(f"M{x + 84:.0f} {y - 12}h12q8 2 9 9h-21z", outside("#5a7488"), glow=True)
    pen.polygon([(x - 14, y + 8), (x + 34, y + 8), (x - 26, y + 42), (x - 48, y + 42)], outside("#d3dae0"), glow=True)
    pen.rect(x - 8, y + 20, 34, 13, outside("#8d979f"), corner=6, glow=True)
    for wheel in (x - 20, x + 70):
        pen.circle(wheel, y + 26, 6, outside("#33383f"), glow=True)


def _bench(pen: Pen, left: float, top: float) -> None:
    for number in range(3):
        pen.rect(left + number * 46, top, 42, 34, "#4a6a8a", corner=7)
        pen.rect(left + number * 46, top + 32, 42, 12, "#5a7da0", corner=5)
    pen.rect(left - 4, top + 44, 146, 5, "#8a949c")
    for x in (10, 118):
        pen.rect(left + x, top + 46, 6, 20, "#8a949c")


def _airport_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 8, SIDE, STRIP_TOP - top - 4, "#5d7288")
    for number in range(3):
        left = number * 172 + 6
        pen.rect(left, top + 14, 160, STRIP_TOP - top - 14, "#6f869d", corner=4)
        pen.circle(left + 26, top + 36, 13, "#f2c233")
        pen.rect(left + 48, top + 30, 84, 6, "#eef2f5", corner=2)
        pen.rect(left + 48, top + 41, 54, 5, "#b9c9d8", corner=2)
    pen.rect(0, top - 5, SIDE, 14, "#dbe3e9", corner=4)
    for x in (pen.between(90, 150), pen.between(340, 420)):
        pen.rect(x, top - 20, 50, 16, "#252b36", corner=3)
        pen.rect(x + 8, top - 15, 34, 5, "#f6d85c", glow=True)


ART = {
    "supermarket": PlaceArt(_supermarket, _supermarket_ledge, "#d9dddb"),
    "airport": PlaceArt(_airport, _airport_ledge, "#bcc6ce"),
}
