"""Trees, hills, walls and furniture that several places share."""

from __future__ import annotations

import math

from lifeloom.models.builtin.painter.light import mix
from lifeloom.models.builtin.painter.pen import Pen
from lifeloom.models.builtin.painter.places.art import SIDE, STRIP_TOP

__all__ = [
    "awning",
    "bricks",
    "bush",
    "ceiling_lamp",
    "fence",
    "flowers",
    "grass_tufts",
    "hill",
    "house",
    "palm",
    "picture_frame",
    "pine",
    "planks",
    "pot_plant",
    "rock",
    "room",
    "street_lamp",
    "table_lamp",
    "tiles",
    "tree",
    "waves",
]


def hill(pen: Pen, base: float, swell: float, colour: str) -> None:
    """Draw rolling ground whose crest is about ``base`` and that fills the picture below."""
    colour = pen.snowy(colour)
    first, second, third, last = (base + pen.between(-swell, swell) for _ in range(4))
    pen.path(
        f"M0 {first:.1f}Q{SIDE * 0.25:.1f} {second - swell:.1f} {SIDE * 0.5:.1f} {third:.1f}T{SIDE} {last:.1f}"
        f"V{SIDE}H0Z",
        colour,
    )


def tree(pen: Pen, x: float, foot: float, size: float, leaf: str = "#4f9a55") -> None:
    """Draw a broad-leaved tree about 110 units high at size 1."""
    leaf = pen.snowy(leaf, 0.45)
    pen.rect(x - 5 * size, foot - 50 * size, 10 * size, 50 * size, "#7a5636", corner=2)
    pen.circle(x, foot - 74 * size, 36 * size, leaf)
    pen.circle(x - 24 * size, foot - 60 * size, 24 * size, mix(leaf, "#16301c", 0.12))
    pen.circle(x + 22 * size, foot - 62 * size, 25 * size, mix(leaf, "#16301c", 0.12))
    pen.circle(x - 10 * size, foot - 86 * size, 22 * size, mix(leaf, "#ffffff", 0.14))


def pine(pen: Pen, x: float, foot: float, size: float, leaf: str = "#3f7d5a") -> None:
    """Draw a fir about 125 units high at size 1, with snow on it while it snows."""
    pen.rect(x - 4 * size, foot - 18 * size, 8 * size, 18 * size, "#6d4c33")
    for tier in range(3):
        half = (36 - 8 * tier) * size
        low, tip = foot - (16 + 28 * tier) * size, foot - (76 + 25 * tier) * size
        pen.polygon([(x - half, low), (x, tip), (x + half, low)], mix(leaf, "#ffffff", 0.05 * tier))
        if pen.light.weather == "snow":
            white = half * 0.5
            pen.polygon([(x - white, (low + tip) / 2), (x, tip), (x + white, (low + tip) / 2)], "#f2f7fb")


def palm(pen: Pen, x: float, foot: float, size: float) -> None:
    """Draw a palm about 170 units high at size 1."""
    lean = pen.between(-26, 26) * size
    top_x, top_y = x + lean, foot - 150 * size
    pen.stroke(
        f"M{x:.1f} {foot:.1f}Q{x + lean * 0.2:.1f} {foot - 90 * size:.1f} {top_x:.1f} {top_y:.1f}", "#a87c50", 10 * size
    )
    for angle in (-165, -140, -105, -70, -38, -12):
        reach = 62 * size
        end_x = top_x + math.cos(math.radians(angle)) * reach
        end_y = top_y + math.sin(math.radians(angle)) * reach * 0.5 + 24 * size
        crest_x, crest_y = (top_x + end_x) / 2, top_y - 26 * size
        pen.path(
            f"M{top_x:.1f} {top_y:.1f}Q{crest_x:.1f} {crest_y:.1f} {end_x:.1f} {end_y:.1f}"
            f"Q{crest_x:.1f} {crest_y + 22 * size:.1f} {top_x:.1f} {top_y + 7 * size:.1f}Z",
            pen.snowy("#4c9a5d" if angle % 2 else "#3c8650", 0.4),
        )


def bush(pen: Pen, x: float, foot: float, size: float, leaf: str = "#5b9c58") -> None:
    """Draw a round bush."""
    leaf = pen.snowy(leaf, 0.5)
    for shift, radius in ((-20, 17), (18, 18), (0, 23)):
        pen.circle(x + shift * size, foot - radius * size * 0.8, radius * size, mix(leaf, "#ffffff", abs(shift) / 300))


def rock(pen: Pen, x: float, foot: float, size: float, colour: str = "#8f8d8a") -> None:
    """Draw a boulder about 80 units wide at size 1."""
    wide, high = 40 * size, 38 * size
    pen.polygon(
        [
            (x - wide, foot),
            (x - wide * 0.75, foot - high * 0.7),
            (x - wide * 0.1, foot - high),
            (x + wide * 0.65, foot - high * 0.75),
            (x + wide, foot),
        ],
        pen.snowy(colour, 0.4),
    )
    pen.polygon(
        [
            (x - wide * 0.1, foot - high),
            (x + wide * 0.65, foot - high * 0.75),
            (x + wide, foot),
            (x + wide * 0.2, foot),
        ],
        mix(pen.snowy(colour, 0.4), "#20202a", 0.16),
    )


def flowers(pen: Pen, left: float, right: float, top: float, bottom: float, count: int, *colours: str) -> None:
    """Strew blossoms over a rectangle."""
    if pen.light.weather == "snow":
        count //= 4
    palette = colours or ("#f7a8b8", "#ffe08a", "#ffffff", "#c9a0e0")
    for _ in range(count):
        x, y, radius = pen.between(left, right), pen.between(top, bottom), pen.between(3, 5)
        pen.circle(x, y, radius, pen.pick(*palette))
        pen.circle(x, y, radius * 0.4, "#f2b632")


def grass_tufts(pen: Pen, top: float, bottom: float, count: int, colour: str) -> None:
    """Strew tufts of grass over the width."""
    blades = []
    for _ in range(count):
        x, y = pen.between(0, SIDE), pen.between(top, bottom)
        blades.append(f"M{x:.1f} {y:.1f}l-3 -8M{x:.1f} {y:.1f}l1 -10M{x:.1f} {y:.1f}l5 -7")
    pen.stroke("".join(blades), pen.snowy(colour, 0.5), 1.8)


def waves(pen: Pen, top: float, bottom: float, count: int, colour: str = "#ffffff", opacity: float = 0.55) -> None:
    """Strew short wave lines over water."""
    lines = []
    for _ in range(count):
        x, y = pen.between(0, SIDE), pen.between(top, bottom)
        lines.append(f"M{x:.1f} {y:.1f}q8 -5 16 0t16 0")
    pen.stroke("".join(lines), colour, 2, opacity=opacity)


def fence(pen: Pen, top: float, colour: str, *, gap: float = 60, rails: int = 2) -> None:
    """Draw a wooden fence in front of planks of shade, from ``top`` to the strip."""
    height = STRIP_TOP - top
    for number in range(rails):
        pen.rect(
            0, top + 6 + number * (height - 14) / rails, SIDE, (height - 14) / rails - 4, mix(colour, "#ffffff", 0.1)
        )
    x = pen.between(4, gap * 0.6)
    while x < SIDE:
        pen.rect(x, top - 14, 18, height + 18, mix(colour, "#1c1410", 0.12), corner=4)
        if pen.light.weather == "snow" and not pen.light.indoor:
            pen.rect(x - 1, top - 16, 20, 7, "#f5f9fc", corner=3)
        x += gap


def bricks(pen: Pen, left: float, top: float, width: float, height: float, wall: str, brick: str) -> None:
    """Draw a brick wall."""
    pen.rect(left, top, width, height, wall)
    rows, step = int(height // 14), 40
    for row in range(rows + 1):
        y = top + 3 + row * 14
        tall = min(10.0, top + height - y)
        if tall <= 2:
            continue
        x = left - (row % 2) * step / 2
        while x < left + width:
            start, end = max(left, x + 2), min(left + width, x + step - 2)
            if end - start > 3:
                pen.rect(start, y, end - start, tall, brick, corner=1.5)
            x += step


def tiles(
    pen: Pen, left: float, top: float, width: float, height: float, size: float, colour: str, opacity: float = 0.6
) -> None:
    """Draw the grid of a tiled wall or floor as lines."""
    lines = [f"M{left + k * size:.1f} {top:.1f}v{height:.1f}" for k in range(1, int(width // size) + 1)]
    lines += [f"M{left:.1f} {top + k * size:.1f}h{width:.1f}" for k in range(1, int(height // size) + 1)]
    pen.stroke("".join(lines), colour, 2, opacity=opacity)


def planks(pen: Pen, top: float, bottom: float, colour: str, *, rows: int = 4) -> None:
    """Draw a wooden floor or front."""
    pen.rect(0, top, SIDE, bottom - top, colour)
    height = (bottom - top) / rows
    dark = mix(colour, "#1c1410", 0.16)
    for row in range(rows):
        y = top + row * height
        pen.line(0, y, SIDE, y, dark, 1.6)
        for _ in range(3):
            x = pen.between(0, SIDE)
            pen.line(x, y, x, y + height, dark, 1.6)


def house(pen: Pen, left: float, foot: float, width: float, height: float, wall: str) -> None:
    """Draw a town house with windows; some are lit at night."""
    pen.rect(left, foot - height, width, height, wall)
    pen.rect(left - 2, foot - height - 5, width + 4, 8, pen.snowy(mix(wall, "#1c1410", 0.25), 0.9))
    columns, rows = max(1, int((width - 12) // 28)), max(1, int((height - 46) // 36))
    margin = (width - columns * 28) / 2 + 6
    for row in range(rows):
        for column in range(columns):
            x, y = left + margin + column * 28, foot - height + 14 + row * 36
            lit = pen.light.dark and pen.chance(0.6)
            pen.rect(x, y, 16, 22, "#ffdf8e" if lit else "#d6e6ee", corner=1, glow=lit)
            pen.rect(x - 2, y + 21, 20, 3, mix(wall, "#ffffff", 0.45))


def street_lamp(pen: Pen, x: float, foot: float, height: float) -> None:
    """Draw a street lamp, lit at night."""
    pen.rect(x - 3, foot - height, 6, height, "#444b55", corner=2)
    pen.rect(x - 9, foot - height - 4, 18, 5, "#444b55", corner=2)
    if pen.light.dark:
        pen.glow(x, foot - height - 14, 62, "#ffe2a0", 0.75)
    pen.circle(x, foot - height - 13, 10, "#ffe9b0" if pen.light.dark else "#f6f3e6", glow=pen.light.dark)


def awning(pen: Pen, left: float, top: float, width: float, colour: str, *, depth: float = 34) -> None:
    """Draw a striped awning with a scalloped edge."""
    count = max(4, round(width / 20))
    step = width / count
    for number in range(count):
        fill = colour if number % 2 == 0 else "#fbf4e6"
        pen.rect(left + number * step, top, step + 0.4, depth, fill)
        pen.circle(left + (number + 0.5) * step, top + depth, step / 2, fill)


def room(pen: Pen, wall: str, floor: str, *, floor_top: float = 330, skirting: str = "#f7f2ea") -> None:
    """Fill the picture with a wall and a floor."""
    pen.rect(0, 0, SIDE, floor_top, wall)
    pen.rect(0, floor_top, SIDE, SIDE - floor_top, floor)
    pen.rect(0, floor_top - 8, SIDE, 9, skirting)


def picture_frame(pen: Pen, left: float, top: float, width: float, height: float, frame: str = "#8d6e52") -> None:
    """Draw a framed picture of hills or shapes."""
    pen.rect(left - 6, top - 6, width + 12, height + 12, frame, corner=2)
    pen.rect(left, top, width, height, pen.pick("#cfe3ea", "#f0dcc3", "#d9cfe6", "#dfe8cf"))
    pen.circle(left + width * pen.between(0.25, 0.75), top + height * 0.35, min(width, height) * 0.14, "#f0b35c")
    pen.polygon(
        [(left, top + height), (left + width * 0.4, top + height * 0.5), (left + width * 0.75, top + height)],
        pen.pick("#6f9f8c", "#a37f9b", "#7f97b8"),
    )
    pen.polygon(
        [
            (left + width * 0.4, top + height),
            (left + width * 0.75, top + height * 0.62),
            (left + width, top + height * 0.85),
            (left + width, top + height),
        ],
        pen.pick("#557f70", "#87648a"),
    )


def ceiling_lamp(pen: Pen, x: float, drop: float, shade: str, *, width: float = 54) -> None:
    """Draw a lamp that hangs from the ceiling, lit at night."""
    pen.rect(x - 1.5, 0, 3, drop, "#4c4650")
    if pen.light.dark:
        pen.glow(x, drop + 26, 120, "#ffe0a0", 0.6)
    pen.path(
        f"M{x - width * 0.2:.1f} {drop:.1f}H{x + width * 0.2:.1f}L{x + width / 2:.1f} {drop + 26:.1f}"
        f"H{x - width / 2:.1f}Z",
        shade,
    )
    pen.ellipse(x, drop + 27, width * 0.24, 6, "#fff1c4", glow=pen.light.dark)


def table_lamp(pen: Pen, x: float, foot: float, shade: str) -> None:
    """Draw a small lamp, lit at night."""
    if pen.light.dark:
        pen.glow(x, foot - 48, 90, "#ffdf9c", 0.7)
    pen.rect(x - 3, foot - 34, 6, 34, "#7b6a58")
    pen.ellipse(x, foot - 2, 14, 5, "#7b6a58")
    pen.path(
        f"M{x - 13:.1f} {foot - 66:.1f}H{x + 13:.1f}L{x + 24:.1f} {foot - 32:.1f}H{x - 24:.1f}Z",
        shade,
        glow=pen.light.dark,
    )


def pot_plant(pen: Pen, x: float, foot: float, size: float) -> None:
    """Draw a plant in a pot about 100 units high at size 1."""
    leaf = pen.pick("#4d8a5a", "#5f9d63", "#3f7d60")
    for angle in (-64, -36, -10, 14, 40, 66):
        reach = 62 * size
        tip_x = x + math.sin(math.radians(angle)) * reach
        tip_y = foot - 36 * size - math.cos(math.radians(angle)) * reach
        side = 12 * size
        pen.path(
            f"M{x:.1f} {foot - 34 * size:.1f}Q{(x + tip_x) / 2 - side:.1f} {(foot - 34 * size + tip_y) / 2:.1f} "
            f"{tip_x:.1f} {tip_y:.1f}Q{(x + tip_x) / 2 + side:.1f} {(foot - 34 * size + tip_y) / 2:.1f} "
            f"{x:.1f} {foot - 34 * size:.1f}Z",
            mix(leaf, "#ffffff", (angle + 70) / 900),
        )
    pen.polygon(
        [
            (x - 20 * size, foot - 36 * size),
            (x + 20 * size, foot - 36 * size),
            (x + 14 * size, foot),
            (x - 14 * size, foot),
        ],
        "#c4704f",
    )
