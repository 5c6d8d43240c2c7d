"""How well and how fast the built-in eyes see, on people, seeds, places and light that nothing was fitted on.

    nice .venv/bin/python perf/seeing.py [--sizes 40,123,300] [--out FILE] [--workers 1]

For every size a library of people is drawn, two or more attributes apart, and pictures of them until each has been
drawn some six times. Everything is measured on the pictures as drawn, as JPEG (quality 80), shifted by (7, 5)
pixels, and as other files with the same pixels. The detector's rows count only pictures in places or in a light
that it was never fitted on; the heads know every place, so theirs count all pictures.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))  # shared with what fits the eyes

from fitting.examples import Example, draw_examples
from fitting.measuring import (
    answer_rates,
    detection_rates,
    faces_of,
    identity_rates,
    open_set_rates,
    pair_rate,
)
from fitting.plans import HELD_PLACES, HELD_TIME, library, plan_pictures
from PIL import Image

from lifeloom.models.builtin.eyes import DrawnPictureDetector, Eyes, Sight
from lifeloom.models.builtin.eyes.weights import WEIGHTS_PATH, load_weights
from lifeloom.models.builtin.painter import distance
from lifeloom.models.efficientnet import EfficientNetEncoder
from lifeloom.records import PictureReference
from lifeloom.streams import Streams

SEED = 70313  # not that of scripts/fit_eyes.py
LOOKS = 6  # pictures of each person
SHIFT = (7, 5)
DISTANCE = 2.0

Column = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="40,123,300")
    parser.add_argument("--out", type=Path, help="also write the tables here")
    parser.add_argument("--workers", type=int, default=1, help="processes that draw")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    eyes = Eyes()
    columns: dict[str, dict[int, Column]] = {}
    drawn: list[Example] = []
    for size in sizes:
        people, drawn = examples(size, options.workers)
        alike = [
            (f"{one}", f"{other}")
            for one in range(size)
            for other in range(one)
            if distance(people[one], people[other]) <= DISTANCE
        ]
        for variant, change in VARIANTS.items():
            sights: list[Sight] = []
            for start in range(0, len(drawn), 32):
                sights += eyes.see([change(one.image()) for one in drawn[start : start + 32]])
            columns.setdefault(variant, {})[size] = column(drawn, sights, alike, eyes.person_threshold, size)
            print(f"{size} people, {variant}: done", file=sys.stderr, flush=True)
    text = f"eyes: {eyes.identity.model}\n" + "".join(table(variant, found) for variant, found in columns.items())
    text += copies(drawn[:200]) + speed(drawn[:200])
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def examples(size: int, workers: int) -> tuple[Sequence, list[Example]]:
    """Return a library of ``size`` people and pictures in which each comes about ``LOOKS`` times."""
    streams = Streams(SEED)
    people = library(streams, f"measure-{size}", size, DISTANCE)
    plans, looks = [], 0
    for plan in plan_pictures(streams, f"measure-{size}", people, 10 * size):
        plans.append(plan)
        looks += sum(one.kind == "person" for one in plan.subjects)
        if looks >= LOOKS * size and len(plans) >= 300:
            break
    return people, list(draw_examples(plans, workers))


def as_drawn(image: Image.Image) -> Image.Image:
    return image


def as_jpeg(image: Image.Image) -> Image.Image:
    file = io.BytesIO()
    image.save(file, "JPEG", quality=80)
    return Image.open(file).convert("RGB")


def shifted(image: Image.Image) -> Image.Image:
    """Move the picture; what was its border is repeated."""
    pixels = np.pad(np.asarray(image), ((SHIFT[1], 0), (SHIFT[0], 0), (0, 0)), mode="edge")
    return Image.fromarray(pixels[: image.height, : image.width])


VARIANTS: dict[str, Callable[[Image.Image], Image.Image]] = {
    "as drawn": as_drawn,
    "JPEG, quality 80": as_jpeg,
    f"shifted by {SHIFT} pixels": shifted,
}


def column(
    drawn: Sequence[Example], sights: Sequence[Sight], alike: Sequence[tuple[str, str]], threshold: float, size: int
) -> Column:
    """Return every measure of one library."""
    found: Column = {"pictures": f"{len(drawn)}"}
    conditions: dict[str, Callable[[Example], bool]] = {
        "new place": lambda one: one.place in HELD_PLACES and one.time_of_day != HELD_TIME,
        "new light": lambda one: one.place not in HELD_PLACES and one.time_of_day == HELD_TIME,
        "new place and light": lambda one: one.place in HELD_PLACES and one.time_of_day == HELD_TIME,
        "any new": lambda one: one.place in HELD_PLACES or one.time_of_day == HELD_TIME,
        "known place and light": lambda one: one.place not in HELD_PLACES and one.time_of_day != HELD_TIME,
    }
    for name, wanted in conditions.items():
        for kind, (precision, recall, f1, count) in detection_rates(drawn, sights, wanted).items():
            found[f"detection, {name}: {kind}"] = f"{precision:.3f} {recall:.3f} {f1:.3f} ({count})"
    faces = faces_of(drawn, sights)
    for shots, words in ((1, "one"), (3, "three")):
        rate = identity_rates(faces, shots)
        found[f"identity, {words}-shot"] = f"{rate.share:.3f} ({rate.of})"
    for shots, words in ((1, "one"), (3, "three")):
        rate = pair_rate(faces, shots, alike)
        found[f"look-alikes confused, {words}-shot"] = f"{rate.share:.3f} ({len(alike)} pairs)"
    for known in (10, 40):
        if known < size:
            accepted, rejected = open_set_rates(faces, 3, known, threshold, np.random.default_rng(size))
            found[f"{known} known: stranger accepted, own rejected"] = f"{accepted.share:.3f} {rejected.share:.3f}"
    for what, rate in answer_rates(drawn, sights).items():
        found[what] = f"{rate.share:.3f} ({rate.of})"
    return found


def table(variant: str, columns: dict[int, Column]) -> str:
    rows = list(dict.fromkeys(row for found in columns.values() for row in found))
    lines = [f"\n## {variant}", "", "| measure | " + " | ".join(f"{size} people" for size in columns) + " |"]
    lines.append("|---|" + "---|" * len(columns))
    lines += [f"| {row} | " + " | ".join(found.get(row, "") for found in columns.values()) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def copies(drawn: Sequence[Example]) -> str:
    """Look at other files with the same pixels: each must come from the cache, the same bit for bit."""
    eyes = Eyes()
    store: dict[str, bytes] = {}

    def reference(data: bytes) -> PictureReference:
        found = PictureReference(content_hash=hashlib.sha256(data).hexdigest(), width=512, height=512)
        store[found.content_hash] = data
        return found

    def source(wanted: PictureReference) -> bytes:
        return store[wanted.content_hash]

    first = eyes.look([reference(one.data) for one in drawn], source)
    seen = eyes.pictures_seen
    packed = []
    for one in drawn:
        file = io.BytesIO()
        one.image().save(file, "BMP")
        packed.append(file.getvalue())
    second = eyes.look([reference(data) for data in packed], source)
    same = sum(one is not None and repr(one) == repr(other) for one, other in zip(first, second, strict=True))
    return f"\nsame pixels as BMP files: {same} of {len(drawn)} sights equal, {eyes.pictures_seen - seen} seen anew\n"


def speed(drawn: Sequence[Example]) -> str:
    """Return speeds on this process's cores; run under ``taskset -c 0`` for one core."""
    from lifeloom.models.efficientnet import cores

    lines = [f"\n| speed, {cores()} core(s) | pictures a second |", "|---|---|"]
    images = [one.image() for one in drawn]

    def note(what: str, count: int, run: Callable[[], object]) -> None:
        start = time.perf_counter()
        run()
        lines.append(f"| {what} | {count / (time.perf_counter() - start):,.0f} |")

    encoder, detector = EfficientNetEncoder(), DrawnPictureDetector()
    encoder.encode(images[:4]), detector.detect(images[:4])
    note("features", len(images), lambda: encoder.encode(images))
    note("features, cached", len(images), lambda: encoder.encode(images))
    note("detector", len(images), lambda: detector.detect(images))
    store = {hashlib.sha256(one.data).hexdigest(): one.data for one in drawn}
    references = [PictureReference(content_hash=name, width=512, height=512) for name in store]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sights.sqlite"
        eyes = Eyes(path)
        note("whole look", len(references), lambda: eyes.look(references, lambda one: store[one.content_hash]))
        note("whole look, in memory", len(references), lambda: eyes.look(references, nothing))
        eyes.close()
        note("whole look, from the cache file", len(references), lambda: Eyes(path).look(references, nothing))
        copied = Path(shutil.copy(WEIGHTS_PATH, folder))
        start = time.perf_counter()
        load_weights(copied)
        spent = (time.perf_counter() - start) * 1e3
    lines.append(f"| weights load ({WEIGHTS_PATH.stat().st_size / 1e6:.2f} MB) | {spent:.0f} ms |")
    return "\n".join(lines) + "\n"


def nothing(wanted: PictureReference) -> bytes:
    raise AssertionError(f"a cached picture was read: {wanted.content_hash}")


if __name__ == "__main__":
    main()
