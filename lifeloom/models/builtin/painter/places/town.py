"""Places in town and by the water."""

from __future__ import annotations

from lifeloom.models.builtin.painter.light import mix
from lifeloom.models.builtin.painter.pen import Pen
from lifeloom.models.builtin.painter.places.art import SIDE, STRIP_TOP, PlaceArt
from lifeloom.models.builtin.painter.places.shapes import (
    awning,
    bricks,
    bush,
    house,
    palm,
    street_lamp,
    tiles,
    waves,
)

__all__ = ["ART"]

_HOUSES = ("#d98f6c", "#c9b79c", "#8fa3b5", "#b5838d", "#e0b97f", "#a3b18a")


def _house_row(pen: Pen, foot: float, low: float, high: float) -> None:
    x = pen.between(-30, 0)
    while x < SIDE:
        width = pen.between(76, 118)
        house(pen, x, foot, width, pen.between(low, high), pen.pick(*_HOUSES))
        x += width + 2


def _street(pen: Pen) -> None:
    _house_row(pen, 332, 130, 236)
    shop = pen.between(20, 330)
    pen.rect(shop, 268, 124, 64, "#6d5a50")
    lit = pen.light.dark
    pen.rect(shop + 10, 290, 62, 34, "#ffe4a3" if lit else "#e4eef2", glow=lit)
    pen.rect(shop + 84, 286, 28, 46, "#9c7a5e")
    awning(pen, shop - 6, 262, 136, pen.pick("#c0504d", "#4f8a6b", "#3f72b8"), depth=20)
    pen.rect(0, 330, SIDE, 30, pen.snowy("#cfcac2"))
    pen.rect(0, 358, SIDE, 160, pen.snowy("#7d828a", 0.5))
    for number in range(6):
        pen.rect(number * 92 + 10, 404, 50, 7, "#efe9d8")
    for number in range(8):
        pen.rect(number * 66 + 6, 462, 36, 50, "#efe9d8", opacity=0.8)
    for x in (pen.between(20, 120), pen.between(380, 490)):
        street_lamp(pen, x, 352, 150)
    hydrant = pen.between(150, 350)
    pen.rect(hydrant - 8, 322, 16, 30, "#c94c3d", corner=4)
    pen.circle(hydrant, 322, 8, "#c94c3d")
    pen.rect(hydrant - 12, 332, 24, 6, "#a83b30", corner=3)


def _street_ledge(pen: Pen, top: float) -> None:
    bricks(pen, 0, top + 4, SIDE, STRIP_TOP - top, "#96563f", "#bb7459")
    pen.rect(0, top - 4, SIDE, 13, pen.snowy("#d9cdbd", 0.9), corner=3)


def _market(pen: Pen) -> None:
    _house_row(pen, 300, 110, 190)
    pen.rect(0, 298, SIDE, 220, pen.snowy("#c8bba8", 0.6))
    for row in range(6):
        y = 318 + row * 32
        for number in range(10):
            pen.ellipse(number * 58 + (row % 2) * 28, y, 24, 9, pen.snowy("#bcae99", 0.6))
    left = pen.between(-40, -6)
    while left < SIDE:
        width = pen.between(140, 168)
        _stall(pen, left, 366, width, pen.pick("#c0504d", "#4f8a6b", "#3f72b8", "#d9903d", "#8a5fa3"))
        left += width + 22
    pen.stroke("M0 96Q128 132 256 104T512 92", "#6a6258", 2)
    for number in range(15):
        flag = number * 36 + 6
        drop = 106 + 10 * ((number % 5) - 2) / 2
        pen.polygon(
            [(flag, drop), (flag + 18, drop), (flag + 9, drop + 22)],
            pen.pick("#e9657b", "#f2b632", "#4f8ccb", "#62a257"),
        )


def _stall(pen: Pen, left: float, foot: float, width: float, colour: str) -> None:
    pen.rect(left + 4, foot - 150, 6, 150, "#8a6a48")
    pen.rect(left + width - 10, foot - 150, 6, 150, "#8a6a48")
    pen.rect(left + 8, foot - 118, width - 16, 68, "#6d5a4a")
    if pen.light.dark:
        pen.glow(left + width / 2, foot - 96, 80, "#ffdf9c", 0.85)
    pen.rect(left, foot - 54, width, 54, "#a9794e")
    crates = int(width // 40)
    for number in range(crates):
        x = left + 6 + number * (width - 8) / crates
        fruit = pen.pick("#e58a33", "#7fb04f", "#9a4f86", "#e3c14d", "#c9604a")
        for row in range(2):
            for column in range(4):
                pen.circle(x + 5 + column * 8 + row * 3, foot - 57 - row * 7, 5.5, fruit)
        pen.rect(x, foot - 54, 34, 17, "#d2a36d")
        pen.rect(x, foot - 46, 34, 2, "#a97f50")
    awning(pen, left - 6, foot - 176, width + 12, colour)


def _market_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top, SIDE, STRIP_TOP - top + 4, "#8d6440")
    for number in range(6):
        x = number * 88 - 4
        fruit = pen.pick("#e58a33", "#7fb04f", "#9a4f86", "#e3c14d", "#c9604a", "#6f9f58")
        for row in range(2):
            for column in range(6):
                pen.circle(x + 10 + column * 13 + row * 6, top + 4 - row * 9, 8.5, mix(fruit, "#ffffff", 0.12 * row))
        pen.rect(x, top + 4, 84, STRIP_TOP - top - 6, "#d2a36d", corner=3)
        for share in (0.3, 0.62):
            pen.rect(x, top + 4 + (STRIP_TOP - top) * share, 84, 4, "#a97f50")
        pen.rect(x + 30, top + 12, 24, 15, "#fdf8ea", corner=2)


def _harbour(pen: Pen) -> None:
    pen.rect(0, 238, SIDE, 200, "#3f86ad")
    pen.rect(0, 238, SIDE, 20, "#5f9cba")
    light_x = pen.pick_number(48, 452)
    pen.path(f"M{light_x - 60:.0f} 262Q{light_x:.0f} 220 {light_x + 60:.0f} 262Z", pen.snowy("#7d8a78"))
    for number in range(5):
        half = 19 - number * 1.8
        fill = "#d9473f" if number % 2 == 0 else "#fbf6ee"
        pen.polygon(
            [
                (light_x - half, 236 - number * 22),
                (light_x + half, 236 - number * 22),
                (light_x + half - 1.8, 214 - number * 22),
                (light_x - half + 1.8, 214 - number * 22),
            ],
            fill,
        )
    if pen.light.dark:
        pen.glow(light_x, 118, 90, "#fff0b8", 0.8)
    pen.rect(light_x - 9, 110, 18, 17, "#ffe9a0", glow=pen.light.dark)
    pen.polygon([(light_x - 13, 110), (light_x, 94), (light_x + 13, 110)], "#b8392f")
    waves(pen, 266, 420, 24)
    crane = (light_x + 250) % SIDE
    pen.stroke(
        f"M{crane:.0f} 262V126L{crane + 70:.0f} 100M{crane:.0f} 150L{crane + 70:.0f} 100V160"
        f"M{crane - 24:.0f} 262L{crane:.0f} 190L{crane + 24:.0f} 262",
        "#d99a3d",
        6,
    )
    for number in range(3):
        _fishing_boat(pen, 80 + number * 170 + pen.between(-30, 30), 344 + pen.between(-14, 22))
    pen.rect(0, 398, SIDE, 12, pen.snowy("#c3c6c9", 0.9))
    pen.rect(0, 408, SIDE, 104, pen.snowy("#a2a6aa", 0.5))
    tiles(pen, 0, 408, SIDE, 104, 52, "#8d9195", 0.6)
    for number in range(3):
        x = number * 170 + pen.between(50, 110)
        pen.rect(x - 10, 378, 20, 28, "#3c434b", corner=3)
        pen.ellipse(x, 378, 15, 6, "#4d555e")


def _fishing_boat(pen: Pen, x: float, foot: float) -> None:
    hull = pen.pick("#b8473a", "#3f6f9f", "#3f8a72", "#d99a3d")
    pen.rect(x - 2, foot - 132, 5, 106, "#7a5a40")
    pen.stroke(
        f"M{x:.0f} {foot - 130:.0f}L{x - 62:.0f} {foot - 30:.0f}M{x:.0f} {foot - 130:.0f}L{x + 62:.0f} {foot - 30:.0f}",
        "#e6dfd0",
        1.6,
    )
    pen.rect(x + 6, foot - 62, 34, 36, "#f6f1e6", corner=3)
    pen.rect(x + 12, foot - 54, 20, 13, "#ffdf8e" if pen.light.dark else "#9cc4d8", glow=pen.light.dark)
    pen.path(f"M{x - 68:.0f} {foot - 32:.0f}H{x + 68:.0f}L{x + 46:.0f} {foot:.0f}H{x - 46:.0f}Z", hull)
    pen.rect(x - 66, foot - 32, 132, 6, "#fbf6ee")


def _harbour_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top, SIDE, STRIP_TOP - top + 4, "#8b8f94")
    for row in range(2):
        for number in range(6):
            pen.rect(number * 96 - row * 46 + 2, top + 12 + row * 24, 90, 21, "#a0a4a8", corner=3)
    pen.rect(0, top - 2, SIDE, 12, pen.snowy("#b9bcbf", 0.9))
    for number in range(3):
        x = number * 190 + pen.between(30, 80)
        pen.rect(x - 11, top - 24, 22, 26, "#3c434b", corner=3)
        pen.ellipse(x, top - 24, 17, 7, "#4d555e")
        pen.stroke(f"M{x - 12:.0f} {top - 12:.0f}q12 10 24 0M{x + 10:.0f} {top - 10:.0f}q60 40 120 46", "#d8c08e", 5)


def _platform(pen: Pen) -> None:
    _house_row(pen, 250, 60, 130)
    pen.rect(0, 248, SIDE, 270, "#8a8378")
    _train(pen)
    pen.rect(0, 340, SIDE, 22, "#56504a")
    pen.rect(0, 344, SIDE, 4, "#b9bec4")
    pen.rect(0, 354, SIDE, 4, "#b9bec4")
    pen.rect(0, 362, SIDE, 150, pen.snowy("#b7b3ac", 0.5))
    pen.rect(0, 362, SIDE, 8, "#6b6761")
    pen.rect(0, 376, SIDE, 10, "#f0c43c")
    tiles(pen, 0, 388, SIDE, 124, 42, "#9c978f", 0.6)
    pen.rect(0, 84, SIDE, 16, pen.snowy("#4a5a66", 0.8))
    for number in range(26):
        pen.polygon([(number * 20, 100), (number * 20 + 10, 114), (number * 20 + 20, 100)], "#5d6f7d")
    for x in (64, 448):
        pen.rect(x - 7, 100, 14, 266, "#4a5a66")
        pen.stroke(f"M{x} 150q-4 -44 -46 -46M{x} 150q4 -44 46 -46", "#4a5a66", 6)
    sign = pen.between(170, 290)
    pen.stroke(f"M{sign + 14:.0f} 100v26M{sign + 96:.0f} 100v26", "#4a5a66", 3)
    pen.rect(sign, 126, 110, 30, "#2d5d9f", corner=3)
    pen.rect(sign + 12, 138, 52, 6, "#ffffff", corner=2)
    pen.rect(sign + 74, 134, 22, 14, "#ffffff", corner=2)


def _train(pen: Pen) -> None:
    colour = pen.pick("#c8473f", "#3f74a8", "#3f8a72", "#d9903d")
    start = pen.between(-60, 40)
    pen.rect(start, 190, 700, 146, colour, corner=22)
    pen.rect(start, 284, 700, 14, "#f6efe0")
    pen.rect(start + 10, 184, 690, 12, mix(colour, "#1a1a22", 0.4), corner=5)
    lit = pen.light.dark
    for number in range(8):
        x = start + 26 + number * 82
        if number % 3 == 2:
            pen.rect(x, 214, 44, 118, mix(colour, "#ffffff", 0.25), corner=4)
            pen.rect(x + 6, 222, 32, 46, "#ffe9a8" if lit else "#bfdcea", glow=lit)
        else:
            pen.rect(x - 8, 222, 62, 46, "#ffe9a8" if lit else "#bfdcea", corner=6, glow=lit)
    for number in range(10):
        pen.circle(start + 50 + number * 66, 338, 12, "#33363c")


def _platform_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top, SIDE, STRIP_TOP - top + 4, "#4a5a66")
    pen.rect(0, top - 2, SIDE, 10, pen.snowy("#6d808f", 0.8), corner=3)
    for number in range(5):
        x = number * 108 + 8
        pen.rect(x, top + 16, 92, STRIP_TOP - top - 22, "#5d6f7d", corner=4)
    sign = pen.between(60, 400)
    pen.rect(sign, top + 18, 70, 22, "#f0c43c", corner=3)
    pen.rect(sign + 10, top + 26, 50, 5, "#4a5a66", corner=2)


def _pool(pen: Pen) -> None:
    for x in (pen.between(0, 90), pen.between(200, 300), pen.between(420, 500)):
        palm(pen, x, 300, pen.between(0.9, 1.15))
    for number in range(12):
        bush(pen, number * 46 + pen.between(-8, 8), 292, 0.8, "#5fa05c")
    pen.rect(0, 284, SIDE, 232, pen.snowy("#efe6d6", 0.6))
    tiles(pen, 0, 284, SIDE, 28, 28, "#d8cbb6", 0.8)
    pen.polygon([(44, 312), (468, 312), (SIDE + 90, 470), (-90, 470)], "#eef7f8")
    pen.polygon([(54, 318), (458, 318), (SIDE + 60, 464), (-60, 464)], "#46b9dc")
    pen.polygon([(54, 318), (458, 318), (470, 330), (42, 330)], "#7fd0e6")
    for share in (0.25, 0.5, 0.75):
        far, near = 54 + 404 * share, -60 + 632 * share
        for step in range(9):
            place = step / 9
            x, y = far + (near - far) * place**1.4, 322 + 140 * place**1.4
            pen.ellipse(x, y, 3 + 4 * place, 2 + 2.4 * place, "#f05f57" if step % 2 else "#ffffff")
    waves(pen, 340, 450, 20)
    tower = pen.pick_number(30, 420)
    pen.rect(tower, 196, 12, 120, "#c3ccd2")
    pen.rect(tower + 42, 196, 12, 120, "#c3ccd2")
    pen.rect(tower + 10, 204, 34, 112, "#dfe6ea")
    pen.rect(tower - 16 if tower > 200 else tower, 190, 92, 8, "#3f86c4", corner=3)
    pen.stroke(f"M{tower + 6:.0f} 190v-26h42v26", "#c3ccd2", 4)


def _pool_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 8, SIDE, STRIP_TOP - top, "#4fb3cf")
    for row in range(3):
        for number in range(24):
            if (number + row) % 2:
                pen.rect(number * 22, top + 12 + row * 17, 21, 16, "#8fd6e6", corner=2)
    pen.rect(0, top - 6, SIDE, 16, pen.snowy("#f7f2e8", 0.8), corner=6)
    for x in (pen.between(60, 200), pen.between(300, 440)):
        pen.circle(x, top + 28, 19, "#f05f57")
        for angle in range(4):
            pen.rect(x - 19 + angle * 11, top + 24, 5, 8, "#ffffff")
        pen.circle(x, top + 28, 9, "#5fbdd6")


def _stadium(pen: Pen) -> None:
    for x in (pen.between(40, 90), pen.between(420, 470)):
        pen.rect(x - 4, 70, 8, 150, "#8d959c")
        pen.rect(x - 32, 44, 64, 34, "#6b737a", corner=3)
        for row in range(2):
            for column in range(4):
                lamp_x, lamp_y = x - 23 + column * 15, 53 + row * 15
                pen.circle(lamp_x, lamp_y, 5.5, "#fffbe0", glow=pen.light.dark)
        if pen.light.dark:
            pen.glow(x, 60, 120, "#fffbe0", 0.7)
    pen.path("M0 150Q256 104 512 150V300H0Z", "#8b94a3")
    pen.path("M0 138Q256 92 512 138V158Q256 112 0 158Z", pen.snowy("#e7ebee", 0.8))
    for row in range(6):
        y = 164 + row * 21
        for number in range(34):
            x = number * 15.6 + (row % 2) * 7 + pen.between(-1.5, 1.5)
            bend = -20 * (1 - ((x - 256) / 256) ** 2)
            pen.circle(x, y + bend + 8, 5.4, pen.pick("#d9573f", "#f2d25c", "#4f8ccb", "#f6f1e6", "#5a5f68", "#9a6cc0"))
    pen.rect(0, 284, SIDE, 20, "#3d4a5c")
    for number in range(5):
        pen.rect(number * 104 + 4, 287, 96, 14, pen.pick("#3f72b8", "#c8473f", "#e0a93c", "#3f8a72"), corner=2)
    for number in range(7):
        mown, height = 304 + number * number * 4.4, 12 + number * 8.8
        pen.rect(0, mown, SIDE, height + 2, pen.snowy("#62ab57" if number % 2 else "#70b963", 0.6))
    pen.stroke("M0 330H512M256 330V512M176 420a80 34 0 1 0 160 0a80 34 0 1 0 -160 0", "#ffffff", 4, opacity=0.9)
    goal = pen.pick_number(30, 372)
    tiles(pen, goal, 246, 110, 62, 10, "#e6ebee", 0.7)
    pen.stroke(f"M{goal} 310V244H{goal + 110}V310", "#ffffff", 6)


def _stadium_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top, SIDE, STRIP_TOP - top + 4, "#2f3b4c")
    x = pen.between(-60, 0)
    while x < SIDE:
        width = pen.between(120, 170)
        colour = pen.pick("#3f72b8", "#c8473f", "#e0a93c", "#3f8a72", "#8a5fa3")
        pen.rect(x, top + 4, width - 4, STRIP_TOP - top - 6, colour, corner=3)
        pen.rect(x + 18, top + 20, width * 0.45, 9, "#ffffff", corner=3)
        pen.circle(x + width - 34, top + 25, 11, "#ffffff", opacity=0.9)
        x += width
    pen.rect(0, top - 5, SIDE, 9, "#c9d1d8", corner=3)


ART = {
    "street": PlaceArt(_street, _street_ledge, "#b9b4ab"),
    "market": PlaceArt(_market, _market_ledge, "#c8bba8"),
    "harbour": PlaceArt(_harbour, _harbour_ledge, "#a9adb1"),
    "platform": PlaceArt(_platform, _platform_ledge, "#bdb8b0"),
    "pool": PlaceArt(_pool, _pool_ledge, "#efe2cd"),
    "stadium": PlaceArt(_stadium, _stadium_ledge, "#72b566"),
}
