"""Places in the country and in the garden."""

from __future__ import annotations

from lifeloom.models.builtin.painter.light import mix
from lifeloom.models.builtin.painter.pen import Pen
from lifeloom.models.builtin.painter.places.art import SIDE, STRIP_TOP, PlaceArt
from lifeloom.models.builtin.painter.places.shapes import (
    bush,
    fence,
    grass_tufts,
    hill,
    pine,
    tree,
)

__all__ = ["ART"]


def _farm(pen: Pen) -> None:
    hill(pen, 266, 12, "#cfd98a")
    for number in range(7):
        x = number * 80 + pen.between(-10, 10)
        pen.line(x, 300, x + (x - 256) * 0.3, 268, pen.snowy("#b8c470"), 3)
    barn = pen.between(50, 330)
    pen.rect(barn + 122, 196, 38, 100, "#c9ced2", corner=4)
    pen.path(f"M{barn + 122:.0f} 200Q{barn + 141:.0f} 168 {barn + 160:.0f} 200Z", "#9aa4ac")
    for row in range(4):
        pen.rect(barn + 122, 214 + row * 20, 38, 3, "#aab2b8")
    pen.rect(barn, 212, 114, 86, "#b8473a")
    pen.polygon([(barn - 10, 216), (barn + 16, 176), (barn + 98, 176), (barn + 124, 216)], pen.snowy("#7f3b33", 0.8))
    pen.rect(barn + 36, 246, 42, 52, "#f3e4ca")
    pen.stroke(f"M{barn + 36:.0f} 246l42 52M{barn + 78:.0f} 246l-42 52", "#b8473a", 4)
    pen.rect(barn + 46, 222, 22, 15, "#ffdc85" if pen.light.dark else "#f3e4ca", glow=pen.light.dark)
    tree(pen, (barn + 250) % SIDE, 302, 0.95)
    hill(pen, 304, 8, "#9fc46b")
    for _ in range(3):
        bale = pen.between(10, 480)
        pen.ellipse(bale, 338, 26, 23, "#dcb35c")
        pen.stroke(f"M{bale - 14:.0f} 338a14 12 0 1 1 14 12M{bale - 6:.0f} 338a6 5 0 1 1 6 5", "#b98d3e", 2.4)
    for row in range(3):
        y = 384 + row * 38
        for number in range(13):
            bush(pen, number * 42 + (row % 2) * 20, y, 0.36 + row * 0.06, "#6fae4c")


def _farm_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 30, SIDE, STRIP_TOP - top, pen.snowy("#86b05c"))
    fence(pen, top, "#d3a56f", gap=62)


def _garden(pen: Pen) -> None:
    hill(pen, 262, 8, "#b5d99a")
    house = pen.pick_number(-30, 350)
    pen.rect(house, 170, 190, 136, "#efe2cf")
    pen.polygon([(house - 16, 174), (house + 95, 104), (house + 206, 174)], pen.snowy("#b5654a", 0.8))
    for x in (house + 26, house + 122):
        lit = pen.light.dark
        pen.rect(x, 206, 42, 46, "#ffdf8e" if lit else "#cfe3ee", glow=lit)
        pen.rect(x + 19, 206, 4, 46, "#ffffff")
        pen.rect(x - 6, 206, 8, 46, "#6d9a86")
        pen.rect(x + 40, 206, 8, 46, "#6d9a86")
    hill(pen, 300, 5, "#93cb7e")
    for number in range(22):
        pen.rect(number * 24, 268, 15, 42, pen.snowy("#fbf7ee", 0.4), corner=4)
    pen.rect(0, 282, SIDE, 6, "#f1eadb")
    glass = (house + 280) % 380
    pen.polygon(
        [(glass, 318), (glass, 262), (glass + 48, 232), (glass + 96, 262), (glass + 96, 318)], "#d8f0ec", opacity=0.9
    )
    pen.stroke(
        f"M{glass:.0f} 318V262L{glass + 48:.0f} 232L{glass + 96:.0f} 262V318ZM{glass + 48:.0f} 232V318"
        f"M{glass:.0f} 262H{glass + 96:.0f}",
        "#ffffff",
        4,
    )
    for row in range(4):
        y = 340 + row * 40
        pen.rect(0, y, SIDE, 17, pen.snowy("#8a6242", 0.5), corner=6)
        for number in range(17):
            x = number * 31 + pen.between(-5, 5)
            pen.line(x, y + 6, x, y - 12, "#5b9a50", 3)
            pen.circle(x, y - 14, 6.5, pen.snowy(pen.pick("#e9657b", "#f2b632", "#b074c9", "#f6f0f8", "#ee8f45"), 0.3))


def _garden_ledge(pen: Pen, top: float) -> None:
    for number in range(26):
        x = number * 20 + pen.between(-5, 5)
        pen.line(x, top + 20, x + pen.between(-4, 4), top - 10, "#5b9a50", 4)
        colour = pen.snowy(pen.pick("#e9657b", "#f2b632", "#b074c9", "#fdf6fb", "#ee8f45"), 0.3)
        for shift_x, shift_y in ((-5, 0), (5, 0), (0, -5), (0, 5)):
            pen.circle(x + shift_x, top - 8 + shift_y + pen.between(-3, 3), 5, colour)
        pen.circle(x, top - 8, 3.4, "#fbe49a")
    for number in range(14):
        pen.circle(number * 40, top + 14, 20, pen.snowy("#62a257", 0.5))
    pen.rect(0, top + 18, SIDE, STRIP_TOP - top, "#a8714a")
    pen.rect(0, top + 18, SIDE, 9, "#c18a5f")
    for number in range(5):
        pen.rect(number * 120 + 30, top + 18, 4, STRIP_TOP - top, "#8a5a3b")


def _vineyard(pen: Pen) -> None:
    hill(pen, 214, 18, "#b7cf9b")
    house = pen.between(70, 380)
    pen.rect(house, 176, 70, 46, "#ecd9b6")
    pen.polygon([(house - 8, 178), (house + 35, 152), (house + 78, 178)], pen.snowy("#b5654a", 0.8))
    pen.rect(house + 52, 140, 22, 82, "#e3cda6")
    pen.polygon([(house + 48, 142), (house + 63, 122), (house + 78, 142)], pen.snowy("#a3573f", 0.8))
    for number in range(3):
        x = house - 20 - number * 16
        pen.ellipse(x, 202, 6, 25, "#4d7f55")
    hill(pen, 244, 12, "#a9c97a")
    for row in range(6):
        y, size = 268 + row * row * 6.4, 0.34 + row * 0.15
        pen.rect(0, y + 4, SIDE, 10 + row * 5, pen.snowy("#b79a68", 0.6))
        step = 44 * size + 8
        for number in range(int(SIDE / step) + 2):
            x = number * step + (row % 2) * step / 2
            pen.line(x, y + 6 * size, x, y - 30 * size, "#80603e", 4 * size)
            bush(pen, x, y - 10 * size, size * 0.8, "#5f9a4a")
            if row > 1:
                for shift in (-12, 6):
                    for dx, dy in ((0, 0), (5, 0), (2.5, 5), (0, -5), (5, -5)):
                        pen.circle(x + (shift + dx) * size, y + (dy - 12) * size, 3.4 * size, "#6d3f7d")


def _vineyard_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 14, SIDE, STRIP_TOP - top, pen.snowy("#4f8a45", 0.4))
    for number in range(16):
        x = number * 34 + pen.between(-6, 6)
        bush(pen, x, top + 26 + pen.between(-4, 4), 0.95, pen.pick("#5f9a4a", "#4f8a45", "#6ba653"))
    for number in range(9):
        x, y = number * 60 + pen.between(10, 40), top + pen.between(12, 26)
        for row, count in enumerate((4, 3, 2, 1)):
            for column in range(count):
                pen.circle(
                    x + (column - count / 2) * 7.4, y + row * 6.6, 4.4, pen.pick("#6d3f7d", "#7d4f90", "#5b3169")
                )
    for number in range(4):
        pen.rect(number * 160 + 14, top - 22, 11, STRIP_TOP - top + 26, "#8a6a48", corner=3)
    pen.line(0, top - 10, SIDE, top - 10, "#777c80", 2)


def _campsite(pen: Pen) -> None:
    hill(pen, 232, 10, "#8fb58f")
    for number in range(11):
        pine(pen, number * 50 + pen.between(-14, 14), pen.between(268, 292), pen.between(0.9, 1.5), "#4b8266")
    hill(pen, 298, 7, "#a8b873")
    for x, shift in ((60, 10), (310, -10)):
        pine(pen, x + shift + pen.between(-26, 26), 322, 1.7, "#3c7054")
    pen.stroke("M0 150Q130 210 256 170T512 150", "#5c5348", 2)
    for number in range(12):
        x = number * 46 + 4
        y = 170 + 16 * ((number % 4) - 1.5) / 1.5
        if pen.light.dark:
            pen.glow(x, y, 26, "#ffe09a", 0.8)
        pen.circle(x, y, 6, pen.pick("#ffd76b", "#ffb86b", "#fff0b8"), glow=pen.light.dark)
    fire = pen.between(120, 400)
    pen.glow(fire, 352, 110 if pen.light.dark else 60, "#ffb04a", 0.75 if pen.light.dark else 0.4)
    for number in range(7):
        pen.ellipse(fire - 42 + number * 14, 378 + 3 * (number % 2), 10, 7, "#8a8a8a")
    pen.line(fire - 28, 374, fire + 26, 362, "#7a5236", 9)
    pen.line(fire + 28, 374, fire - 26, 362, "#6a452c", 9)
    flame = f"M{fire - 22:.0f} 368Q{fire - 30:.0f} 340 {fire - 4:.0f} 314Q{fire - 2:.0f} 334 {fire + 10:.0f} 322"
    pen.path(f"{flame}Q{fire + 30:.0f} 346 {fire + 20:.0f} 368Z", "#f2822f", glow=True)
    pen.path(
        f"M{fire - 11:.0f} 368Q{fire - 12:.0f} 350 {fire + 2:.0f} 338Q{fire + 16:.0f} 354 {fire + 10:.0f} 368Z",
        "#ffd45e",
        glow=True,
    )
    for log in ((fire + 110) % 440, (fire + 290) % 440):
        pen.rect(log, 362, 74, 22, "#8a6039", corner=11)
        pen.ellipse(log + 68, 373, 8, 11, "#d9b078")
        pen.ellipse(log + 68, 373, 4, 6, "#b98b55")
    grass_tufts(pen, 396, 500, 26, "#7d9350")


def _campsite_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top + 24, SIDE, STRIP_TOP - top, "#5f4630")
    for number in range(10):
        x = number * 56 + 4
        pen.circle(x, top + 40, 25, "#a67c4e")
        pen.circle(x, top + 40, 19, "#d7b07c")
        for radius in (14, 8):
            pen.stroke(
                f"M{x - radius} {top + 40:.0f}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0"
                f" {-2 * radius} 0",
                "#b98f5c",
                1.6,
            )
    pen.rect(-10, top, 532, 24, pen.snowy("#8a6039", 0.6), corner=12)
    pen.rect(0, top + 8, SIDE, 3, "#a4784c")


def _playground(pen: Pen) -> None:
    hill(pen, 262, 8, "#b5dca0")
    for _ in range(5):
        tree(pen, pen.between(0, SIDE), pen.between(280, 296), pen.between(0.6, 0.9), "#74b06c")
    hill(pen, 296, 5, "#9fd08a")
    pen.path(f"M0 340Q140 322 300 338T{SIDE} 332V{SIDE}H0Z", pen.snowy("#f0d9a8"))
    slide = pen.between(10, 70)
    _slide(pen, slide)
    swing = slide + pen.between(210, 250)
    for foot, head in (
        (swing, swing + 30),
        (swing + 60, swing + 30),
        (swing + 130, swing + 160),
        (swing + 190, swing + 160),
    ):
        pen.line(foot, 372, head, 196, "#d9573f", 8)
    pen.line(swing + 30, 196, swing + 160, 196, "#d9573f", 9)
    for seat in (swing + 62, swing + 112):
        lean = pen.between(-14, 14)
        pen.stroke(f"M{seat:.0f} 198l{lean:.0f} 118M{seat + 24:.0f} 198l{lean:.0f} 118", "#5f666e", 2.4)
        pen.rect(seat + lean - 5, 314, 34, 8, "#3f72b8", corner=3)
    pen.polygon([(150, 452), (330, 452), (350, 482), (130, 482)], "#e3c48a")
    pen.rect(124, 478, 232, 10, "#4f8ccb", corner=4)


def _slide(pen: Pen, left: float) -> None:
    pen.rect(left, 216, 10, 156, "#3f72b8")
    pen.rect(left + 56, 216, 10, 156, "#3f72b8")
    for number in range(6):
        pen.rect(left + 6, 248 + number * 20, 54, 6, "#6d97cf")
    pen.polygon([(left - 8, 206), (left + 33, 166), (left + 74, 206)], "#f2b632")
    pen.rect(left, 204, 66, 30, "#e9657b")
    pen.path(
        f"M{left + 62:.0f} 226Q{left + 96:.0f} 250 {left + 118:.0f} 316T{left + 172:.0f} 366H{left + 196:.0f}"
        f"V376H{left + 160:.0f}Q{left + 118:.0f} 362 {left + 102:.0f} 318T{left + 60:.0f} 244Z",
        "#f28f3b",
    )


def _playground_ledge(pen: Pen, top: float) -> None:
    colours = ("#e9657b", "#f2b632", "#4f8ccb", "#62a257", "#9a6cc0")
    first = int(pen.between(0, 5))
    pen.rect(0, top + 14, SIDE, STRIP_TOP - top, pen.snowy("#8fc47c"))
    for number in range(20):
        colour = colours[(number + first) % 5]
        x = number * 26 + 1
        pen.rect(x, top, 22, STRIP_TOP - top + 4, colour)
        pen.circle(x + 11, top, 11, colour)
        pen.circle(x + 11, top + 4, 3, mix(colour, "#ffffff", 0.5))
    pen.rect(0, top + 22, SIDE, 8, "#fff6e2")


ART = {
    "farm": PlaceArt(_farm, _farm_ledge, "#8fbd66"),
    "garden": PlaceArt(_garden, _garden_ledge, "#b9d491"),
    "vineyard": PlaceArt(_vineyard, _vineyard_ledge, "#c7a877"),
    "campsite": PlaceArt(_campsite, _campsite_ledge, "#a9a06c"),
    "playground": PlaceArt(_playground, _playground_ledge, "#d98d6c"),
}
