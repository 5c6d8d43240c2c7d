"""Draw the contact sheets in docs/pictures/: people, one person in many scenes, all places, all things.

Run: ``.venv/bin/python scripts/contact_sheet.py [folder]``. The sheets are the same for the same painter.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from lifeloom.models.builtin.painter import BuiltinPainter, WantedPerson, draw_people
from lifeloom.models.builtin.painter.things import draw_thing
from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS, thing
from lifeloom.records.pictures import Age, Appearance, PicturePlan, PictureSubject, TimeOfDay, Weather
from lifeloom.streams import Streams

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
LARGEST = 350_000
"""Bytes of a sheet."""
STREAMS = Streams(20)
AGES: tuple[Age, ...] = ("grown", "grown", "old", "grown", "young")
TIMES: tuple[TimeOfDay, ...] = ("day", "morning", "sunset", "night")
WEATHERS: tuple[Weather, ...] = ("clear", "clear", "clouds", "rain", "snow", "fog")


def person(number: int, appearance: Appearance) -> PictureSubject:
    return PictureSubject(kind="person", name=f"Person {number}", identity=f"person-{number}", appearance=appearance)


def item(name: str, colour: str = "", count: int = 1) -> PictureSubject:
    return PictureSubject(kind=thing(name).kind, name=name, colour=colour, count=count)


def scene(
    number: int, place: str, time_of_day: TimeOfDay, weather: Weather, subjects: Sequence[PictureSubject]
) -> PicturePlan:
    return PicturePlan(
        picture_id=f"sheet-{number}",
        kind="scene",
        place=place,
        time_of_day=time_of_day,
        weather=weather,
        subjects=tuple(subjects),
        seed=number,
    )


def drawn(plans: Iterable[PicturePlan], side: int) -> list[Image.Image]:
    painter = BuiltinPainter()
    pictures = []
    for plan in plans:
        with Image.open(io.BytesIO(painter.draw(plan).data)) as opened:
            pictures.append(opened.convert("RGB").resize((side, side), Image.Resampling.LANCZOS))
    return pictures


def grid(pictures: Sequence[Image.Image], columns: int, captions: Sequence[str] = (), gap: int = 6) -> Image.Image:
    """Set pictures of one size side by side, with captions below them where given."""
    width, height = pictures[0].size
    line = 13 if captions else 0
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (columns * (width + gap) + gap, rows * (height + line + gap) + gap), "#ffffff")
    pen = ImageDraw.Draw(sheet)
    for number, picture in enumerate(pictures):
        left = gap + number % columns * (width + gap)
        top = gap + number // columns * (height + line + gap)
        sheet.paste(picture, (left, top))
        if captions:
            pen.text((left + 2, top + height), captions[number], fill="#333333")
    return sheet


def save(sheet: Image.Image, path: Path) -> None:
    """Write a sheet in full colour where that fits, else with a palette of 256."""
    sheet.save(path, optimize=True)
    if path.stat().st_size > LARGEST:
        palette = sheet.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=4)
        sheet.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)
    size = path.stat().st_size
    sys.stdout.write(f"{path}: {sheet.width} x {sheet.height}, {size // 1000} kB\n")
    if size > LARGEST:
        raise SystemExit(f"{path} is larger than {LARGEST // 1000} kB: draw fewer or smaller pictures")


def portraits(people: Sequence[Appearance]) -> Image.Image:
    plans = [
        PicturePlan(picture_id=f"portrait-{number}", kind="portrait", subjects=(person(number, one),), seed=number)
        for number, one in enumerate(people)
    ]
    return grid(drawn(plans, 150), 6)


def same_person(people: Sequence[Appearance]) -> Image.Image:
    who, friends = person(0, people[0]), [person(number, one) for number, one in enumerate(people)]
    scenes: list[tuple[str, TimeOfDay, Weather, list[PictureSubject]]] = [
        ("park", "day", "clear", [item("dog"), item("kite", "red")]),
        ("beach", "sunset", "clear", [friends[4], item("umbrella", "yellow")]),
        ("living room", "night", "rain", [friends[7], friends[2], item("cat"), item("guitar")]),
        ("street", "night", "clear", [friends[9], item("bicycle")]),
        ("mountains", "day", "snow", [item("penguin", count=3)]),
        ("classroom", "morning", "clear", [friends[3], friends[12], item("book"), item("apple", count=2)]),
        ("market", "morning", "clouds", [friends[5], item("backpack", "blue"), item("rooster")]),
        ("campsite", "sunset", "clear", [friends[6], friends[8], friends[10], item("tent", "green")]),
        ("harbour", "morning", "fog", [item("swan", count=2), item("mug", "purple")]),
    ]
    plans = [
        scene(number, place, time, weather, [who, *others])
        for number, (place, time, weather, others) in enumerate(scenes)
    ]
    return grid(drawn(plans, 330), 3)


def places(people: Sequence[Appearance]) -> Image.Image:
    plans = [
        scene(
            number,
            place.name,
            TIMES[number % 4],
            WEATHERS[(number // 4 + number) % 6],
            [person(k, people[(number * 2 + k) % len(people)]) for k in range(number % 3)]
            + [item(THINGS[(number * 7 + 3) % len(THINGS)].name, count=1 + number % 2)],
        )
        for number, place in enumerate(PLACES)
    ]
    captions = [f"{plan.place}, {plan.time_of_day}, {plan.weather}" for plan in plans]
    return grid(drawn(plans, 164), 7, captions)


def things() -> Image.Image:
    side = 66
    cells, captions = [], []
    for one in THINGS:
        for colour in COLOURS if one.coloured else ("",):
            cell = Image.new("RGB", (side, side), "#eef1ee")
            icon = draw_thing(one.name, colour, side - 8)
            cell.paste(icon, ((side - icon.width) // 2, (side - icon.height) // 2), icon)
            cells.append(cell)
            captions.append("" if colour not in ("", COLOURS[0]) else one.name)
    return grid(cells, 16, captions, gap=4)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    people = draw_people(STREAMS.rng("people"), [WantedPerson(AGES[number % len(AGES)]) for number in range(30)])
    save(portraits(people), folder / "portraits.png")
    save(same_person(people), folder / "same_person.png")
    save(places(people), folder / "places.png")
    save(things(), folder / "things.png")


if __name__ == "__main__":
    main()
