"""Contact sheets of lives: everybody's portraits on one small picture, and the pictures of one event on another."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lifeloom.models.protocol import PictureSource
from lifeloom.records import Life, LifeEvent, PictureReference
from lifeloom.store import StoreError
from lifeloom.store.pictures import PictureRejected, decode_picture

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["SHEET_BYTES", "event_sheet", "portrait_sheet"]

SHEET_BYTES = 22_000
"""Largest sheet; as text in an asset's metadata it takes a third more, 30 kB."""
_SHAPES = ((112, 128), (96, 96), (96, 64), (80, 64), (80, 40), (64, 40), (64, 24), (48, 24), (40, 16))
"""Side of a picture and number of colours, the best first."""
_LINE = 14
_GAP = 4
_IN_A_ROW = 5


@dataclass(frozen=True)
class _Cell:
    caption: str
    image: Image | None
    """None: it is not at hand, or cannot be read."""


@dataclass(frozen=True)
class _Row:
    title: str
    cells: tuple[_Cell, ...]


def portrait_sheet(lives: Sequence[Life], source: PictureSource, limit: int = SHEET_BYTES) -> bytes:
    """Return a PNG with a row of portraits for each Vaccount, each with its name; at most ``limit`` bytes.

    Pictures get smaller, then rows are left out at the end, as a last line says, until the sheet fits.

    Raises:
        ValueError: there is nothing to show, or not even one row fits.
    """
    rows = []
    for life in lives:
        cells = tuple(_Cell(one.name, _image(one.portrait, source)) for one in life.concepts)
        rows += _rows(life.vaccount_id, cells)
    return _sheet(rows, limit)


def event_sheet(event: LifeEvent, source: PictureSource, limit: int = SHEET_BYTES) -> bytes:
    """Return a PNG with the pictures of one event under its date and description; at most ``limit`` bytes.

    Raises:
        ValueError: not even one row fits.
    """
    cells = tuple(_Cell(one.image_id, _image(one.picture, source)) for one in event.images)
    return _sheet(_rows(f"{event.date}: {event.description}", cells), limit)


def _rows(title: str, cells: Sequence[_Cell]) -> list[_Row]:
    """Return rows that are not too long; the first has the title."""
    firsts = range(0, len(cells), _IN_A_ROW)
    return [_Row(title if first == 0 else "", tuple(cells[first : first + _IN_A_ROW])) for first in firsts]


def _image(picture: PictureReference | None, source: PictureSource) -> Image | None:
    if picture is None:
        return None
    try:
        return decode_picture(source(picture))
    except (StoreError, PictureRejected):
        return None  # its place on the sheet says so


def _sheet(rows: Sequence[_Row], limit: int) -> bytes:
    if not rows:
        raise ValueError("a contact sheet needs at least one picture")
    for kept in range(len(rows), 0, -1):
        left_out = len(rows) - kept
        # Fewer rows are tried at the smallest size only: a sheet of everybody says more than one of large pictures.
        for side, colours in _SHAPES if not left_out else _SHAPES[-1:]:
            made = _png(rows[:kept], f"{left_out} more rows are not shown" if left_out else "", side, colours)
            if len(made) <= limit:
                return made
    raise ValueError(f"not even one row of pictures fits into {limit} bytes")


def _png(rows: Sequence[_Row], note: str, side: int, colours: int) -> bytes:
    from PIL import Image, ImageDraw, ImageFont, ImageOps

    width = max(len(row.cells) for row in rows) * (side + _GAP) - _GAP
    letters = max(8, width // 6)  # a letter of the font is about six pixels wide
    titles = [textwrap.wrap(row.title, letters)[:3] if row.title else [] for row in rows]
    heights = [len(title) * _LINE + side + _LINE + _GAP for title in titles]
    sheet = Image.new("RGB", (width, sum(heights) + (_LINE if note else 0)), "white")
    pen, font, y = ImageDraw.Draw(sheet), ImageFont.load_default(size=10), 0
    for row, title, height in zip(rows, titles, heights, strict=True):
        for number, line in enumerate(title):
            pen.text((0, y + number * _LINE), line, fill="black", font=font)
        top = y + len(title) * _LINE
        for place, cell in enumerate(row.cells):
            left = place * (side + _GAP)
            if cell.image is None:
                pen.rectangle((left, top, left + side - 1, top + side - 1), outline="grey")
                pen.text((left + 4, top + 4), "missing", fill="grey", font=font)
            else:
                sheet.paste(ImageOps.fit(cell.image, (side, side)), (left, top))
            pen.text((left, top + side), _cut(cell.caption, side // 6), fill="black", font=font)
        y += height
    if note:
        pen.text((0, y), note, fill="black", font=font)
    out = io.BytesIO()
    sheet.quantize(colours, dither=Image.Dither.NONE).save(out, format="PNG", optimize=True)
    return out.getvalue()


def _cut(text: str, most: int) -> str:
    """Return the end of a long id, the beginning of a long name."""
    if len(text) <= most:
        return text
    return f"..{text[-(most - 2) :]}" if "-" in text else f"{text[: most - 2]}.."
