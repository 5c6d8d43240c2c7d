"""Rooms at home."""

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
    table_lamp,
    tiles,
)
from lifeloom.models.builtin.painter.places.sky import window

__all__ = ["ART"]


def _curtains(pen: Pen, left: float, top: float, width: float, height: float, colour: str) -> None:
    pen.rect(left - 34, top - 18, width + 68, 6, "#8a6d52", corner=3)
    dark = mix(colour, "#1c1410", 0.14)
    for start in (left - 28, left + width - 6):
        pen.rect(start, top - 14, 34, height + 34, colour, corner=4)
        for fold in (8, 20):
            pen.rect(start + fold, top - 14, 4, height + 34, dark)


def _living_room(pen: Pen) -> None:
    room(pen, pen.pick("#f1dcc8", "#d5e3da", "#ead5da", "#cfdbe8"), "#c9a37c")
    planks(pen, 338, SIDE, "#c9a37c", rows=5)
    left = pen.pick_number(56, 330)
    window(pen, left, 76, 126, 128)
    _curtains(pen, left, 76, 126, 128, pen.pick("#b96d5c", "#6f8f7d", "#7c88a8", "#c9a25a"))
    hearth = 296 if left < 200 else 50
    pen.rect(hearth, 206, 158, 126, "#b5735a")
    for row in range(8):
        for number in range(5):
            pen.rect(hearth + 3 + number * 32 - (row % 2) * 12, 210 + row * 15, 28, 11, "#c4846a", corner=2)
    pen.rect(hearth - 12, 196, 182, 13, "#8a5f42", corner=2)
    pen.rect(hearth + 34, 250, 90, 82, "#3a2c2a", corner=6)
    pen.glow(hearth + 79, 310, 70, "#ff9f45", 0.7)
    pen.path(
        f"M{hearth + 52:.0f} 330Q{hearth + 48:.0f} 300 {hearth + 74:.0f} 274Q{hearth + 76:.0f} 294 "
        f"{hearth + 88:.0f} 286Q{hearth + 112:.0f} 308 {hearth + 106:.0f} 330Z",
        "#f2822f",
        glow=True,
    )
    pen.path(
        f"M{hearth + 66:.0f} 330Q{hearth + 66:.0f} 312 {hearth + 80:.0f} 300Q{hearth + 96:.0f} 316 "
        f"{hearth + 92:.0f} 330Z",
        "#ffd45e",
        glow=True,
    )
    picture_frame(pen, hearth + 40, 100, 80, 60)
    table_lamp(pen, hearth + 8, 198, "#f6d27a")
    pot_plant(pen, hearth + 190 if hearth < 200 else hearth - 48, 336, pen.between(0.95, 1.15))
    pen.ellipse(256, 444, 240, 46, pen.pick("#b5705b", "#6f8fa3", "#8f7fa8", "#8a9a68"))
    pen.ellipse(256, 444, 206, 36, "#f0e2cb", opacity=0.5)


def _living_room_ledge(pen: Pen, top: float) -> None:
    colour = pen.pick("#5a7d9a", "#8a9a5b", "#b5705b", "#6d597a")
    dark = mix(colour, "#14141c", 0.14)
    pen.rect(-10, top - 4, 532, STRIP_TOP - top + 30, colour, corner=24)
    for left in (16, 182, 348):
        pen.rect(left, top + 10, 150, STRIP_TOP - top + 10, mix(colour, "#ffffff", 0.08), corner=14)
        pen.stroke(f"M{left + 20} {top + 18:.0f}h110", dark, 2, opacity=0.6)
    cushion = pen.between(40, 380)
    pen.rect(cushion, top + 2, 62, 50, pen.pick("#f2b632", "#e9a08a", "#a8d0c0", "#f0e2cb"), corner=12)
    pen.rect(-14, top + 8, 36, 70, dark, corner=14)
    pen.rect(490, top + 8, 36, 70, dark, corner=14)


def _kitchen(pen: Pen) -> None:
    room(pen, pen.pick("#fbeecb", "#d9eef0", "#f4e1d8", "#e3edd8"), "#d9cdb8")
    tiles(pen, 0, 338, SIDE, 174, 44, "#c6b8a0", 0.8)
    pen.rect(0, 190, SIDE, 72, "#fbfaf6")
    tiles(pen, 0, 190, SIDE, 72, 24, "#d5dfe0", 0.9)
    wood = pen.pick("#c98f62", "#7fa08a", "#8397b0", "#e6dfd2")
    sink = pen.pick_number(190, 210)
    window(pen, sink, 62, 130, 100)
    for left in (6, 92) if pen.chance(0.5) else (4, 94):
        _cupboard(pen, left, 44, 82, 122, wood)
    pen.polygon([(378, 120), (478, 120), (500, 166), (356, 166)], "#b9c1c6")
    pen.rect(402, 0, 52, 122, "#cfd6da")
    pen.rect(0, 258, SIDE, 14, "#efe9df")
    for number in range(6):
        _cupboard(pen, number * 86 - 2, 272, 84, 66, wood)
    pen.rect(368, 262, 122, 76, "#dfe3e6", corner=3)
    pen.rect(382, 290, 94, 40, "#4a4f58", corner=5)
    for number in range(4):
        pen.circle(384 + number * 30, 278, 5, "#6b727a")
    pot = pen.between(392, 420)
    pen.rect(pot, 230, 54, 30, pen.pick("#c8473f", "#3f74a8", "#e0a93c"), corner=5)
    pen.rect(pot - 4, 228, 62, 6, "#5a5f66", corner=3)
    pen.rect(pot + 22, 221, 10, 8, "#5a5f66", corner=3)
    pen.stroke(f"M{sink + 66:.0f} 258v-40q0 -16 18 -16q14 0 14 16", "#a9b3b9", 6)
    pen.rect(16, 200, 132, 5, "#8a8f95", corner=2)
    for number in range(4):
        x = 30 + number * 32
        pen.line(x, 204, x, 226, "#8a8f95", 3)
        pen.ellipse(x, 234, 9, 11, "#9aa1a7")
    if pen.light.dark:
        ceiling_lamp(pen, 256, 26, "#e0a93c")


def _cupboard(pen: Pen, left: float, top: float, width: float, height: float, colour: str) -> None:
    pen.rect(left, top, width, height, colour, corner=3)
    pen.rect(left + 8, top + 8, width - 16, height - 16, mix(colour, "#ffffff", 0.16), corner=3)
    pen.circle(left + width - 14, top + height / 2, 4, mix(colour, "#1c1410", 0.5))


def _kitchen_ledge(pen: Pen, top: float) -> None:
    wood = pen.pick("#b57f57", "#7f9f8d", "#7d90ab")
    pen.rect(0, top + 10, SIDE, STRIP_TOP - top, wood)
    for number in range(4):
        pen.rect(number * 128 + 8, top + 22, 112, STRIP_TOP - top - 24, mix(wood, "#ffffff", 0.13), corner=5)
        pen.rect(number * 128 + 46, top + 28, 36, 5, mix(wood, "#1c1410", 0.4), corner=2)
    pen.rect(0, top - 6, SIDE, 18, "#efeae3", corner=4)
    for _ in range(40):
        pen.circle(pen.between(0, SIDE), top + pen.between(-3, 9), 1.5, "#c9c1b4")


def _bedroom(pen: Pen) -> None:
    wall = pen.pick("#dcd3ea", "#cfe0e6", "#f0dad6", "#dbe5d0")
    room(pen, wall, "#c4a183")
    for number in range(16):
        pen.rect(number * 34 + 8, 0, 7, 322, mix(wall, "#ffffff", 0.35))
    planks(pen, 338, SIDE, "#c4a183", rows=5)
    left = pen.pick_number(40, 356)
    window(pen, left, 66, 112, 132)
    _curtains(pen, left, 66, 112, 132, pen.pick("#8f7fb8", "#d08a8f", "#7fa3b8"))
    bed = 218 if left < 200 else 24
    wood = pen.pick("#8a5f42", "#a9794e", "#6f5a52")
    pen.rect(bed, 168, 270, 170, wood, corner=20)
    pen.rect(bed + 14, 184, 242, 110, mix(wood, "#ffffff", 0.14), corner=14)
    pen.rect(bed + 8, 272, 254, 90, "#fbfaf8", corner=12)
    for pillow in (bed + 28, bed + 142):
        pen.rect(pillow, 234, 100, 56, "#ffffff", corner=20)
        pen.rect(pillow + 8, 242, 84, 40, "#eef0f6", corner=16)
    quilt = pen.pick("#7c9cc4", "#c98a9a", "#86ab8f", "#d9b26a")
    pen.rect(bed - 8, 310, 286, 130, quilt, corner=18)
    for row in range(3):
        for number in range(6):
            pen.rect(
                bed + 6 + number * 44 + (row % 2) * 18, 326 + row * 36, 22, 22, mix(quilt, "#ffffff", 0.25), corner=5
            )
    table = bed - 58 if bed > 100 else bed + 288
    pen.rect(table, 280, 54, 60, mix(wood, "#ffffff", 0.1), corner=4)
    pen.rect(table + 6, 290, 42, 18, wood, corner=3)
    table_lamp(pen, table + 27, 282, "#fbe3a8")
    picture_frame(pen, bed + 95, 76, 80, 58)


def _bedroom_ledge(pen: Pen, top: float) -> None:
    wood = pen.pick("#8a5f42", "#a9794e", "#6f5a52")
    quilt = pen.pick("#7c9cc4", "#c98a9a", "#86ab8f", "#d9b26a")
    pen.rect(-8, top + 2, 528, STRIP_TOP - top, quilt, corner=16)
    for number in range(12):
        pen.rect(number * 46 + 6, top + 12, 24, 20, mix(quilt, "#ffffff", 0.28), corner=6)
    pen.rect(-8, top - 2, 528, 12, "#fbfaf8", corner=6)
    pen.rect(0, top + 36, SIDE, STRIP_TOP - top - 32, wood)
    for left in (4, 480):
        pen.rect(left, top + 14, 28, STRIP_TOP - top - 10, mix(wood, "#ffffff", 0.16), corner=5)
        pen.circle(left + 14, top + 12, 13, mix(wood, "#ffffff", 0.16))


def _workshop(pen: Pen) -> None:
    room(pen, "#c8b08e", "#9d9a94")
    for number in range(9):
        pen.rect(number * 58, 0, 3, 322, "#b39a76")
    tiles(pen, 0, 338, SIDE, 174, 64, "#8b8781", 0.7)
    board = pen.pick_number(20, 196)
    pen.rect(board, 70, 296, 156, "#8a6a48", corner=3)
    pen.rect(board + 8, 78, 280, 140, "#b58e62")
    for row in range(6):
        for number in range(13):
            pen.circle(board + 20 + number * 21, 90 + row * 23, 2, "#8a6a48")
    _tools(pen, board + 24)
    window(pen, (board + 330) % 512 if board < 100 else 46, 76, 116, 104, frame="#d8c8ae", panes=3)
    pen.rect(0, 262, SIDE, 17, "#b07d4f")
    pen.rect(0, 279, SIDE, 56, "#7d5a3c")
    for number in range(5):
        pen.rect(number * 104 + 10, 286, 86, 42, "#8f6845", corner=3)
        pen.rect(number * 104 + 42, 302, 22, 6, "#d9c9a8", corner=3)
    vice = pen.between(60, 420)
    pen.rect(vice, 238, 46, 24, "#4f6f8f", corner=3)
    pen.rect(vice + 10, 226, 26, 14, "#5f829f", corner=2)
    pen.line(vice - 16, 250, vice, 250, "#9aa5ad", 5)
    for _ in range(7):
        x = pen.between(10, 500)
        pen.stroke(f"M{x:.0f} {pen.between(400, 490):.0f}q6 -12 12 -4t10 -4", "#e6c896", 4)
    for number in range(4):
        pen.rect(
            8 + number * 10 + (440 if vice < 250 else 0), 210 - number * 14, 9, 126, pen.pick("#d3a56f", "#b98b5c")
        )
    if pen.light.dark:
        ceiling_lamp(pen, 256, 20, "#3f5f52", width=70)


def _tools(pen: Pen, left: float) -> None:
    """Draw a hammer, a saw, a wrench, a screwdriver and pliers on their board."""
    pen.rect(left + 8, 106, 8, 92, "#c98f52", corner=3)
    pen.rect(left - 8, 92, 42, 18, "#5f666e", corner=4)
    saw = left + 52
    pen.polygon([(saw, 100), (saw + 88, 112), (saw + 88, 122), (saw, 130)], "#c5ccd2")
    pen.rect(saw - 14, 94, 28, 40, "#b5603f", corner=8)
    wrench = left + 168
    pen.rect(wrench, 104, 10, 90, "#8f99a2", corner=4)
    pen.circle(wrench + 5, 100, 13, "#8f99a2")
    pen.rect(wrench, 84, 10, 14, "#b58e62")
    driver = left + 200
    pen.rect(driver, 90, 13, 40, "#d9473f", corner=5)
    pen.rect(driver + 4.5, 130, 4, 56, "#8f99a2")
    pliers = left + 232
    pen.stroke(f"M{pliers} 188q-4 -46 10 -70M{pliers + 22} 188q4 -46 -10 -70", "#3f72b8", 8)
    pen.stroke(f"M{pliers + 10} 120l-5 -26M{pliers + 12} 120l7 -26", "#8f99a2", 7)
    pen.rect(left + 56, 152, 82, 12, "#e0b04a", corner=3)
    for number in range(8):
        pen.rect(left + 60 + number * 10, 152, 2, 6, "#6a5420")
    pen.circle(left + 98, 190, 14, "#6b6f75")
    pen.circle(left + 98, 190, 6, "#b58e62")


def _workshop_ledge(pen: Pen, top: float) -> None:
    pen.rect(0, top, SIDE, 19, "#c08a55", corner=3)
    for _ in range(9):
        x = pen.between(0, 460)
        pen.line(x, top + pen.between(5, 15), x + pen.between(20, 50), top + pen.between(5, 15), "#a8743f", 1.6)
    pen.rect(0, top + 19, SIDE, STRIP_TOP - top - 15, "#8a6242")
    for number in range(5):
        pen.rect(number * 106 + 4, top + 19, 13, STRIP_TOP - top - 15, "#6f4d33")
    for _ in range(5):
        x = pen.between(20, 480)
        pen.stroke(f"M{x:.0f} {top - 2:.0f}q5 -12 11 -4t9 -4", "#ecd2a2", 4)


ART = {
    "living room": PlaceArt(_living_room, _living_room_ledge, "#b88f68"),
    "kitchen": PlaceArt(_kitchen, _kitchen_ledge, "#d8c7b0"),
    "bedroom": PlaceArt(_bedroom, _bedroom_ledge, "#c9a98c"),
    "workshop": PlaceArt(_workshop, _workshop_ledge, "#a5a19a"),
}
