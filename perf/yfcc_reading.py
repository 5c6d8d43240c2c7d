"""How fast a YFCC100M dump is read, cleaned and grouped by account, and in how much memory.

Writes a made-up dump into a temporary folder, then measures each step in a process of its own:

    .venv/bin/python perf/yfcc_reading.py [--megabytes 1000] [--gzip]

Shares follow the published dump: about 58 % of the rows have no description, a good third of the
titles are file names, under 1 % are videos.
"""

from __future__ import annotations

import argparse
import gzip
import multiprocessing
import random
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote_plus

_NOUNS = (
    "beach", "garden", "castle", "market", "birthday", "wedding", "lake", "bridge", "kitchen", "puppy", "concert",
    "harbour", "museum", "festival", "snow", "train", "picnic", "church", "mountain", "street", "café", "élève", "niño",
)  # fmt: skip
_OPENERS = ("The", "At", "My", "Our", "Old", "Red", "Sunset", "Morning", "First", "Last", "Big", "New", "Lovely")
_LICENCES = {
    "by": "Attribution License",
    "by-sa": "Attribution-ShareAlike License",
    "by-nd": "Attribution-NoDerivs License",
    "by-nc": "Attribution-NonCommercial License",
    "by-nc-sa": "Attribution-NonCommercial-ShareAlike License",
    "by-nc-nd": "Attribution-NonCommercial-NoDerivs License",
}
# Licences in about the shares of the dump: non-commercial ones lead.
_DRAWN = ("by-nc-sa", "by-nc-nd", "by-nc-sa", "by-nc-nd", "by", "by-nc", "by-sa", "by-nc-nd", "by-nc-sa", "by-nd")
_TAIL = "as we walked home and talked about the year that went by"


def _title(rng: random.Random, number: int) -> tuple[str, float]:
    """Return a title and how often rows with such a title have a description: 42 % over all."""
    kind = rng.random()
    if kind < 0.10:
        return "", 0.25
    if kind < 0.55:
        name = rng.choice((f"IMG_{number % 10_000:04d}", f"DSC{number % 100_000:05d}", f"P10{number % 100_000:05d}"))
        return name, 0.30
    if kind < 0.63:
        return rng.choice(_NOUNS), 0.30
    words = f"{rng.choice(_OPENERS)} {rng.choice(_NOUNS)} and the {rng.choice(_NOUNS)}"
    return quote_plus(words + rng.choice(("", "", ", 2009", "!", " (2)"))), 0.65


def _description(rng: random.Random, share: float) -> str:
    if rng.random() >= share:
        return ""
    kind = rng.random()
    text = (
        f"{rng.choice(_OPENERS)} {rng.choice(_NOUNS)} with Anna, "
        + " ".join(_TAIL.split()[: rng.randrange(2, 13)])
        + "."
    )
    if kind < 0.19:
        text += ' See <a href="http://www.photos.example/a/b" rel="nofollow">more of it</a> &amp; the rest.\n\nThanks!'
    elif kind < 0.33:
        text = " ".join([text] * 5)
    return quote_plus(text)


def write_dump(path: Path, megabytes: int, *, packed: bool) -> int:
    """Write a dump of about ``megabytes`` MB (before compression) and return its bytes before compression."""
    rng = random.Random(1)
    texts = []
    for n in range(20_000):
        title, share = _title(rng, n)
        texts.append((title, _description(rng, share)))
    target, written, number = megabytes * 1_000_000, 0, 0
    accounts = max(1, target // 45_000)
    with gzip.open(path, "wb", compresslevel=1) if packed else path.open("wb") as file:
        while written < target:
            lines: list[str] = []
            for _ in range(5_000):
                number += 1
                title, description = texts[rng.randrange(len(texts))]
                account, code = rng.randrange(accounts), _DRAWN[number % 10]
                nsid, photo, uploaded = f"{account:08d}@N00", 3_000_000_000 + number, 1_200_000_000 + number * 7
                secret = f"{number * 2_654_435_761 % 2**40:010x}"
                taken = time.strftime("%Y-%m-%d %H:%M:%S.0", time.gmtime(uploaded - rng.randrange(9_000_000)))
                marker = int(rng.random() < 0.008)
                tags = "holiday,summer+2009,family" if number % 3 else ""
                fields = (
                    photo, nsid, f"nick+{account}", taken, uploaded, "Canon+EOS+5D", title, description, tags, "",
                    f"-0.12{number % 97}", f"51.5{number % 89}", 16,
                    f"http://www.flickr.example/photos/{nsid}/{photo}/",
                    f"http://farm3.staticflickr.example/2411/{photo}_{secret}.jpg",
                    _LICENCES[code], f"http://creativecommons.org/licenses/{code}/2.0/",
                    2411, 3, secret, secret, "jpg", marker,
                )  # fmt: skip
                lines.append("\t".join(map(str, fields)) + "\n")
            block = "".join(lines).encode()
            written += len(block)
            file.write(block)
    return written


@dataclass(frozen=True)
class Measured:
    """One step: wall seconds, processor seconds, peak memory of its process in bytes, rows out."""

    wall: float
    cpu: float
    peak: int
    rows: int
    note: str


def _parse(path: Path) -> tuple[int, str]:
    from lifeloom.synthesis.seeds import CaptionReader

    reader = CaptionReader(path)
    rows = sum(1 for _ in reader)
    return rows, reader.report.summary()


def _group(path: Path) -> tuple[int, str]:
    from lifeloom.synthesis.seeds import CaptionReader, group_captions

    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        accounts = rows = 0
        for account in group_captions(CaptionReader(path), spill_folder=Path(folder)):
            accounts += 1
            rows += len(account.captions)
    return rows, f"{accounts} accounts"


def _run(step: Callable[[Path], tuple[int, str]], path: Path, queue: multiprocessing.Queue[Measured]) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    rows, note = step(path)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    queue.put(Measured(time.perf_counter() - wall, time.process_time() - cpu, peak, rows, note))


def _measure(step: Callable[[Path], tuple[int, str]], path: Path) -> Measured:
    context = multiprocessing.get_context("spawn")
    queue: multiprocessing.Queue[Measured] = context.Queue()
    process = context.Process(target=_run, args=(step, path, queue))
    process.start()
    measured = queue.get()
    process.join()
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--gzip", action="store_true", help="write and read the dump as gzip")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="yfcc-perf-"))
    try:
        path = folder / "dump.tsv"
        size = write_dump(path, options.megabytes, packed=options.gzip)
        print(f"dump: {size / 1e6:.0f} MB{', gzip' if options.gzip else ''}")
        print(f"{'step':<28}{'wall s':>9}{'cpu s':>9}{'MB/s':>8}{'MB/cpu s':>10}{'peak MiB':>10}{'rows out':>11}")
        for name, step in (("parse and clean", _parse), ("parse, clean and group", _group)):
            done = _measure(step, path)
            print(
                f"{name:<28}{done.wall:>9.1f}{done.cpu:>9.1f}"
                f"{size / 1e6 / done.wall:>8.1f}{size / 1e6 / done.cpu:>10.1f}"
                f"{done.peak / 2**20:>10.0f}{done.rows:>11,}"
            )
            print(f"  {done.note}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
