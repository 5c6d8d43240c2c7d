"""Places out in nature."""

from __future__ import annotations

from lifeloom.models.builtin.painter.light import mix
from lifeloom.models.builtin.painter.pen import Pen
from lifeloom.models.builtin.painter.places.art import SIDE, STRIP_TOP, PlaceArt
from lifeloom.models.builtin.painter.places.shapes import (
    bush,
    flowers,
    grass_tufts,
    hill,
    palm,
    pine,
    rock,
    street_lamp,
    tree,
    waves,
)

__all__ = ["ART"]


def _park(pen: Pen) -> None:
    hill(pen, 268, 16, "#a9d49a")
    for _ in range(5):
        tree(pen, pen.between(0, SIDE), pen.between(282, 300), pen.between(0.5, 0.8), "#6cae6a")
    hill(pen, 300, 9, "#86c27a")
    pond_x = pen.between(110, 400)
    pen.ellipse(pond_x, 336, 96, 15, "#6cb3d4")
    waves(pen, 332, 340, 2)
    path_x = (pond_x + 256) % SIDE
    pen.path(
        f"M{path_x - 14:.0f} 304Q{path_x + 30:.0f} 380 {path_x - 90:.0f} 512H{path_x + 90:.0f}"
        f"Q{path_x + 90:.0f} 390 {path_x + 14:.0f} 304Z",
        pen.snowy("#e7d7b0"),
    )
    for _ in range(3):
        tree(pen, pen.between(0, SIDE), pen.between(312, 345), pen.between(1.0, 1.5))
    bench_x = (path_x + pen.between(90, 140)) % SIDE
    for row in range(3):
        pen.rect(bench_x - 34, 318 + row * 8, 68, 5, "#a36b40", corner=2)
    pen.rect(bench_x - 28, 318, 4, 38, "#555b60")
    pen.rect(bench_x + 24, 318, 4, 38, "#555b60")
    street_lamp(pen, (bench_x + 60) % SIDE, 350, 104)
    grass_tufts(pen, 370, 500, 26, "#63a35c")
    flowers(pen, 0, SIDE, 380, 500, 14)


def _park_ledge(pen: Pen, top: float) -> None:
    leaf = pen.snowy("#4f8f56", 0.5)
    for number in range(14):
        pen.circle(number * 40 + pen.between(-8, 8), top + 24, pen.between(30, 38), leaf)
    pen.rect(0, top + 22, SIDE, STRIP_TOP - top, leaf)
    for _ in range(20):
        pen.circle(pen.between(0, SIDE), pen.between(top + 4, STRIP_TOP), 8, mix(leaf, "#ffffff", 0.1))
    flowers(pen, 0, SIDE, top + 14, STRIP_TOP - 4, 18)


def _beach(pen: Pen) -> None:
    pen.rect(0, 250, SIDE, 100, "#3f9fc4")
    pen.rect(0, 250, SIDE, 26, "#2f86b0")
    waves(pen, 268, 330, 16)
    sail = pen.between(70, 440)
    pen.polygon([(sail - 30, 254), (sail + 30, 254), (sail + 19, 268), (sail - 19, 268)], "#8c4a3a")
    pen.polygon([(sail, 196), (sail, 250), (sail + 32, 250)], "#fdfdfd")
    pen.polygon([(sail - 4, 206), (sail - 4, 250), (sail - 26, 250)], "#f0c9b0")
    sand = pen.snowy("#f2dfb0")
    pen.path(f"M0 338Q128 322 256 340T{SIDE} 330V{SIDE}H0Z", "#ffffff", opacity=0.8)
    pen.path(f"M0 345Q128 329 256 347T{SIDE} 337V{SIDE}H0Z", sand)
    palm(pen, pen.pick_number(24, 486) + pen.between(-14, 14), 372, pen.between(1.1, 1.35))
    for _ in range(9):
        x, y = pen.between(0, SIDE), pen.between(372, 500)
        pen.ellipse(x, y, 5, 3, pen.pick("#fff6e8", "#f3b79c", "#e7a27e"))
    towel = pen.between(60, 400)
    pen.polygon([(towel, 376), (towel + 78, 372), (towel + 92, 394), (towel + 8, 398)], pen.pick("#4f9fb5", "#d9776a"))
    pen.polygon([(towel + 30, 374), (towel + 46, 373), (towel + 58, 396), (towel + 40, 397)], "#fdf6e6")


def _beach_ledge(pen: Pen, top: float) -> None:
    stripe = pen.pick("#e2725b", "#2a9d8f", "#457b9d", "#d9a441")
    pen.rect(0, top, SIDE, STRIP_TOP - top, "#fff6e2")
    for number in range(10):
        pen.rect(number * 52, top, 26, STRIP_TOP - top, stripe)
    for number in range(5):
        pen.rect(number * 126 + 2, top - 16, 8, STRIP_TOP - top + 18, "#a87c50", corner=3)
    pen.rect(0, top - 3, SIDE, 7, "#b98b5c", corner=3)


def _forest(pen: Pen) -> None:
    hill(pen, 230, 12, "#9cc7a5")
    for _ in range(10):
        pine(pen, pen.between(0, SIDE), pen.between(262, 296), pen.between(0.9, 1.5), "#6ba387")
    hill(pen, 300, 8, "#6f9a62")
    for _ in range(6):
        pine(pen, pen.between(0, SIDE), pen.between(310, 350), pen.between(1.3, 1.9))
    for x in (pen.between(0, 70), pen.between(440, SIDE)):
        pen.rect(x - 17, 0, 34, 380, "#6a4a35")
        pen.rect(x - 8, 0, 5, 380, "#7f5c44")
    for _ in range(5):
        x, y = pen.between(0, SIDE), pen.between(385, 490)
        pen.rect(x - 4, y, 8, 12, "#f1e6d6", corner=3)
        pen.path(f"M{x - 13:.0f} {y + 2:.0f}Q{x:.0f} {y - 16:.0f} {x + 13:.0f} {y + 2:.0f}Z", "#c6533f")
    grass_tufts(pen, 360, 500, 30, "#557f4b")


def _forest_ledge(pen: Pen, top: float) -> None:
    pen.rect(-20, top, 560, STRIP_TOP - top + 6, "#7b5638", corner=24)
    for share, colour in ((0.2, "#94704d"), (0.45, "#65452c"), (0.7, "#8a6543")):
        pen.rect(-20, top + (STRIP_TOP - top) * share, 560, 4, colour, corner=2)
    for _ in range(4):
        x = pen.between(20, 490)
        pen.ellipse(x, top + pen.between(20, 40), 9, 6, "#5d3f28")
    for _ in range(12):
        pen.ellipse(pen.between(0, SIDE), top + 3, pen.between(14, 30), 7, pen.snowy("#6f9f58", 0.9))
    for _ in range(7):
        x = pen.between(0, SIDE)
        pen.stroke(
            f"M{x:.0f} {STRIP_TOP + 4}q-16 -28 -24 -32M{x:.0f} {STRIP_TOP + 4}q2 -30 0 -40"
            f"M{x:.0f} {STRIP_TOP + 4}q14 -26 24 -30",
            "#4c8a52",
            4,
        )


def _mountains(pen: Pen) -> None:
    for left, right, tip, peak, colour in (
        (-60, 250, pen.between(60, 140), pen.between(120, 150), "#9fb9d2"),
        (240, 600, pen.between(380, 470), pen.between(110, 150), "#a9c0d8"),
        (90, 430, pen.between(220, 300), pen.between(70, 105), "#8ba8c6"),
    ):
        pen.polygon([(left, 310), (tip, peak), (right, 310)], colour)
        cap = 0.30
        pen.polygon(
            [
                (tip, peak),
                (tip + (right - tip) * cap, peak + (310 - peak) * cap),
                (tip + (right - tip) * 0.14, peak + (310 - peak) * 0.24),
                (tip, peak + (310 - peak) * 0.34),
                (tip - (tip - left) * 0.14, peak + (310 - peak) * 0.22),
                (tip - (tip - left) * cap, peak + (310 - peak) * cap),
            ],
            "#fbfdff",
        )
    hill(pen, 300, 12, "#e9f2fa")
    for _ in range(6):
        pine(pen, pen.between(0, SIDE), pen.between(305, 345), pen.between(0.7, 1.2), "#4f8380")
    hill(pen, 362, 10, "#f7fbff")
    hut = pen.between(60, 400)
    pen.rect(hut, 296, 62, 40, "#8a5a3b")
    pen.polygon([(hut - 12, 300), (hut + 31, 268), (hut + 74, 300)], "#f4f9fd")
    pen.rect(hut + 24, 308, 16, 16, "#ffd97e" if pen.light.dark else "#cfe0ea", glow=pen.light.dark)


def _mountains_ledge(pen: Pen, top: float) -> None:
    pen.path(
        f"M0 {top + 10:.0f}Q100 {top - 18:.0f} 210 {top + 4:.0f}T400 {top - 4:.0f}T512 {top + 6:.0f}V{SIDE}H0Z",
        "#f7fbff",
    )
    pen.path(f"M0 {top + 36:.0f}Q140 {top + 12:.0f} 300 {top + 34:.0f}T512 {top + 26:.0f}V{SIDE}H0Z", "#dfeaf5")


def _lake(pen: Pen) -> None:
    for base, colour in ((196, "#a7c3bd"), (224, "#86b08f")):
        hill(pen, base, 18, colour)
    for _ in range(9):
        pine(pen, pen.between(0, SIDE), pen.between(248, 262), pen.between(0.35, 0.6), "#5a8d70")
    pen.rect(0, 258, SIDE, 160, "#5ea7cc")
    pen.rect(0, 258, SIDE, 22, "#86b9b4", opacity=0.7)
    waves(pen, 284, 400, 22)
    boat = pen.between(90, 420)
    pen.path(f"M{boat - 36:.0f} 300H{boat + 36:.0f}Q{boat + 28:.0f} 318 {boat:.0f} 318T{boat - 36:.0f} 300Z", "#a8553d")
    pen.line(boat - 10, 304, boat + 44, 290, "#d8b27c", 3)
    pen.path(f"M0 420Q150 400 300 424T{SIDE} 414V{SIDE}H0Z", pen.snowy("#8fb56b"))
    for _ in range(16):
        x = pen.pick_number(pen.between(0, 130), pen.between(382, SIDE))
        foot, height = pen.between(400, 440), pen.between(46, 92)
        pen.line(x, foot, x + pen.between(-6, 6), foot - height, "#6b8f4e", 3)
        if pen.chance(0.5):
            pen.rect(x - 3.5, foot - height - 4, 7, 22, "#7a5236", corner=3)


def _lake_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top, SIDE, 16, "#b08a5e", corner=3)
    pen.rect(0, top + 16, SIDE, STRIP_TOP - top, "#7d5f42")
    for number in range(18):
        pen.rect(number * 29 + 26, top, 2.4, 16, "#8d6c48")
    for number in range(5):
        x = number * 120 + 10
        pen.rect(x, top - 26, 17, STRIP_TOP - top + 30, "#8a6a48", corner=4)
        pen.rect(x - 2, top - 28, 21, 8, pen.snowy("#a58460", 0.9), corner=3)
        pen.stroke(f"M{x + 8} {top - 12:.0f}q60 22 120 0", "#e2d3b0", 4)


def _desert(pen: Pen) -> None:
    for left, width, height in ((pen.between(-20, 90), 150, 104), (pen.between(270, 380), 110, 70)):
        top = 288 - height
        pen.polygon(
            [(left, 290), (left + 22, top), (left + width - 22, top), (left + width, 290)], pen.snowy("#c9825a", 0.3)
        )
        pen.polygon([(left + 6, 256), (left + 12, 236), (left + width - 12, 236), (left + width - 6, 256)], "#b46f4b")
    hill(pen, 286, 15, "#ecc98a")
    hill(pen, 330, 15, "#e3b872")
    pen.path("M0 396Q160 366 330 398T512 384V512H0Z", pen.snowy("#efcf94"))
    for _ in range(3):
        _cactus(pen, pen.between(20, 492), pen.between(330, 385), pen.between(0.8, 1.3))
    for _ in range(4):
        rock(pen, pen.between(0, SIDE), pen.between(350, 470), pen.between(0.2, 0.45), "#c08a62")
    for _ in range(6):
        x, y = pen.between(0, 440), pen.between(400, 490)
        pen.stroke(f"M{x:.0f} {y:.0f}q22 -8 44 0t44 0", "#d2a866", 2, opacity=0.7)


def _cactus(pen: Pen, x: float, foot: float, size: float) -> None:
    green = pen.snowy("#5d9560", 0.35)
    pen.rect(x - 10 * size, foot - 96 * size, 20 * size, 96 * size, green, corner=10 * size)
    for side, level in ((-1, 46), (1, 60)):
        arm = x + side * 28 * size
        pen.stroke(
            f"M{x:.1f} {foot - (level - 16) * size:.1f}H{arm:.1f}V{foot - (level + 14) * size:.1f}", green, 13 * size
        )
    pen.line(x - 3 * size, foot - 84 * size, x - 3 * size, foot - 8 * size, mix(green, "#ffffff", 0.2), 2 * size)


def _desert_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 14, SIDE, STRIP_TOP - top, "#c58a5c")
    x = -10.0
    while x < SIDE:
        width = pen.between(70, 120)
        pen.rect(
            x, top + pen.between(-4, 8), width, 70, pen.snowy(pen.pick("#cf9868", "#c58a5c", "#d8a878"), 0.3), corner=16
        )
        x += width - 12
    pen.rect(0, top + 34, SIDE, 4, "#a8714a", opacity=0.6)


def _waterfall(pen: Pen) -> None:
    hill(pen, 110, 10, "#7fae7c")
    for _ in range(7):
        pine(pen, pen.between(0, SIDE), pen.between(110, 130), pen.between(0.5, 0.8), "#4f8764")
    pen.polygon([(0, 120), (SIDE, 112), (SIDE, 350), (0, 350)], "#77716f")
    for _ in range(16):
        x, y = pen.between(-20, SIDE), pen.between(130, 320)
        pen.polygon(
            [(x, y), (x + 26, y - 14), (x + 70, y - 8), (x + 60, y + 26), (x + 12, y + 24)],
            pen.pick("#858080", "#6a6563"),
        )
    fall = pen.between(150, 360)
    pen.polygon([(fall - 52, 116), (fall + 52, 114), (fall + 66, 352), (fall - 66, 352)], "#bfe4f2")
    for _ in range(11):
        x = fall + pen.between(-50, 50)
        pen.line(x, 122, x + (x - fall) * 0.2, 340, "#ffffff", pen.between(2, 5), opacity=0.8)
    pen.path(f"M0 350Q140 340 256 348T{SIDE} 346V{SIDE}H0Z", "#5fb0c4")
    for _ in range(9):
        pen.circle(fall + pen.between(-84, 84), pen.between(344, 356), pen.between(10, 20), "#eaf7fb", opacity=0.8)
    waves(pen, 372, 420, 10)
    pen.path(f"M0 438Q150 416 300 440T{SIDE} 430V{SIDE}H0Z", pen.snowy("#7d9b67"))
    for _ in range(4):
        rock(pen, pen.between(0, SIDE), pen.between(392, 436), pen.between(0.5, 0.9))
    for x in (pen.between(0, 40), pen.between(470, SIDE)):
        bush(pen, x, 372, 1.7, "#4f8f56")


def _waterfall_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 20, SIDE, STRIP_TOP - top, "#6b6765")
    for number in range(9):
        rock(
            pen,
            number * 64 + pen.between(-10, 10),
            STRIP_TOP + 4,
            pen.between(1.25, 1.55),
            pen.pick("#8a8684", "#7a7674"),
        )
    for _ in range(14):
        x = pen.between(0, SIDE)
        pen.ellipse(x, top + pen.between(6, 16), pen.between(12, 24), 6, pen.snowy("#6f9f58", 0.9))


ART = {
    "park": PlaceArt(_park, _park_ledge, "#dcc9a0"),
    "beach": PlaceArt(_beach, _beach_ledge, "#ecd6a2"),
    "forest": PlaceArt(_forest, _forest_ledge, "#7fae6d"),
    "mountains": PlaceArt(_mountains, _mountains_ledge, "#eef5fb"),
    "lake": PlaceArt(_lake, _lake_ledge, "#c3a579"),
    "desert": PlaceArt(_desert, _desert_ledge, "#ecca8e"),
    "waterfall": PlaceArt(_waterfall, _waterfall_ledge, "#93a57c"),
}
