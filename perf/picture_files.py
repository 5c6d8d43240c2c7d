"""How fast pictures and published releases are read, and what hostile files cost.

    .venv/bin/python perf/picture_files.py [--pictures 200]

Hostile files are those of the tests; seconds and peak memory are of refusing one, each in a process of its own.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import io
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

from evaluation.persona_mme_files import export_release, read_release
from lifeloom.records import PictureReference, Turn
from lifeloom.store.pictures import PictureRejected, decode_picture, encode_png, picture_hash

sys.path.insert(0, str(Path(__file__).parent.parent))  # for the hostile files of the tests

from tests.evaluation.examples import case
from tests.lifeloom.store.pictures_made import bombs, saved, scene


def refuse(data: bytes) -> tuple[float, float, str]:
    """Return seconds, MiB of new memory and the reason of refusing ``data``."""
    for form in ("PNG", "JPEG", "WEBP", "GIF", "BMP"):
        decode_picture(saved(scene(), form))  # decoders are loaded before anything is measured
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    try:
        decode_picture(data)
        reason = "read"
    except PictureRejected as error:
        reason = error.reason
    seconds = time.perf_counter() - started
    return seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024, reason


def picture(number: int) -> Image.Image:
    """Return a picture of 512 x 512 pixels with areas and edges, as drawn ones have."""
    rng = np.random.default_rng(number)
    blocks = rng.integers(0, 256, (16, 16, 3), dtype=np.uint8)
    return Image.fromarray(np.kron(blocks, np.ones((32, 32, 1), dtype=np.uint8)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=200)
    count = parser.parse_args().pictures
    print(f"{'hostile file':52} {'bytes':>10} {'seconds':>8} {'MiB':>6}  refused as")
    context = multiprocessing.get_context("spawn")
    for name, (data, _) in bombs().items():
        with context.Pool(1) as pool:
            seconds, memory, reason = pool.apply(refuse, (data,))
        print(f"{name:52} {len(data):>10,} {seconds:>8.3f} {memory:>6.1f}  {reason}")

    images = [picture(number) for number in range(count)]
    print(f"\n{'512 x 512 pictures, one core':52} {'a second':>10}")
    for what, run in (
        ("encoded as PNG", encode_png),
        ("hashed by their pixels", picture_hash),
    ):
        started = time.perf_counter()
        for image in images:
            run(image)
        print(f"{what:52} {count / (time.perf_counter() - started):>10,.0f}")
    files = {}
    for form in ("PNG", "JPEG", "WEBP"):
        files[form] = []
        for image in images:
            file = io.BytesIO()
            image.save(file, form)
            files[form].append(file.getvalue())
        started = time.perf_counter()
        for data in files[form]:
            decode_picture(data)
        print(f"{f'{form} decoded':52} {count / (time.perf_counter() - started):>10,.0f}")

    shelf = {hashlib.sha256(data).hexdigest(): data for data in files["PNG"]}
    start = dt.datetime(2026, 1, 5, 8, tzinfo=dt.UTC)
    turns = [
        Turn(
            turn_id=f"turn-{index}",
            persona_id="p-1",
            session_id=f"s-{index // 6}",
            turn_index=index,
            at=start + dt.timedelta(minutes=5 * index),
            offset_minutes=0,
            user="Look at this one, I have to show you <img>. " + "What do you say to it? " * 10,
            assistant="Nice of you to show it. " * 20,
            pictures=(PictureReference(content_hash=content, width=512, height=512),),
        )
        for index, content in enumerate(shelf)
    ]
    cases = [case(f"c-{number}", turns=number + 1, setting="128k") for number in range(0, len(turns), 20)]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "release"
        started = time.perf_counter()
        export_release(folder, cases, lambda persona: turns, {"p-1": {}}, lambda shown: shelf[shown.content_hash])
        written = time.perf_counter() - started
        started = time.perf_counter()
        assert len(read_release(folder).cases) == len(cases)
        read = time.perf_counter() - started
    print(f"\n{'published release, turns with a picture each':52} {'a second':>10}")
    print(f"{'written':52} {len(turns) / written:>10,.0f}")
    print(f"{'read, every picture decoded':52} {len(turns) / read:>10,.0f}")


if __name__ == "__main__":
    main()
