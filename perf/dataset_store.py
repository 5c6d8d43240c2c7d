"""How fast the dataset store writes and reads turns, and whether its memory stays flat.

Run: ``.venv/bin/python perf/dataset_store.py [turns]``. Wants 50,000 turns a second written and
45,000 read and validated, in one process. Memory is the peak of a fresh process that streams turns in
(from a generator) and out again.
"""

from __future__ import annotations

import datetime as dt
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lifeloom.records import Turn
from lifeloom.store import DatasetStore, DatasetWriter, Recipe

_START = dt.datetime(2025, 3, 1, 8, tzinfo=dt.UTC)
_RECIPE = Recipe(stage="perf/turns", seed=1)


def _words() -> list[str]:
    rng = random.Random(1)
    return ["".join(rng.choices("aaeeiioutnsrlhdcmpgbfvwk", k=rng.randint(2, 9))) for _ in range(6000)]


def make_turns(count: int) -> Iterator[Turn]:
    """Yield turns of about 70 + 110 words (1 kB), 40 a conversation."""
    rng = random.Random(7)
    words = _words()
    for number in range(count):
        persona = f"p-{number // 40:012x}"
        yield Turn(
            turn_id=f"t-{number:012x}",
            persona_id=persona,
            session_id=f"s-{number // 8:012x}",
            turn_index=number % 40,
            at=_START + dt.timedelta(minutes=3 * number),
            offset_minutes=120,
            user=" ".join(rng.choices(words, k=rng.randint(45, 90))),
            assistant=" ".join(rng.choices(words, k=rng.randint(80, 130))),
        )


def measure_speed(count: int) -> None:
    turns = list(make_turns(count))
    size = sum(len(turn.user) + len(turn.assistant) for turn in turns) / count
    print(f"{count:,} turns of {size:,.0f} characters")
    print(f"{'':10}{'turns/s':>12}{'MB/s':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for attempt in range(3):
            store = DatasetStore(Path(folder) / str(attempt))

            def make(writer: DatasetWriter) -> None:
                writer.write("turns", Turn, turns)

            begin = time.perf_counter()
            store.produce("perf/turns", _RECIPE, make)
            wrote = time.perf_counter() - begin
            begin = time.perf_counter()
            rows = sum(1 for _ in store.read("perf/turns", "turns", Turn))
            read = time.perf_counter() - begin
            assert rows == count
            for what, seconds in (("written", wrote), ("read", read)):
                print(f"{what:10}{count / seconds:12,.0f}{count * size / seconds / 1e6:8.0f}")


def peak_memory(count: int) -> float:
    """Stream ``count`` turns in and out in this process and return its peak in MiB."""
    with tempfile.TemporaryDirectory() as folder:
        store = DatasetStore(folder)

        def make(writer: DatasetWriter) -> None:
            writer.write("turns", Turn, make_turns(count))

        store.produce("perf/turns", _RECIPE, make)
        assert sum(1 for _ in store.read("perf/turns", "turns", Turn)) == count
    # Not getrusage: its peak starts at the size of the process that started this one.
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def measure_memory() -> None:
    print(f"{'streamed':>10}{'peak MiB':>10}")
    for count in (1_000, 50_000, 200_000):
        done = subprocess.run([sys.executable, __file__, "--peak", str(count)], check=True, capture_output=True)
        print(f"{count:10,}{json.loads(done.stdout):10.0f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peak"]:
        print(json.dumps(peak_memory(int(sys.argv[2]))))
    else:
        measure_speed(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
        measure_memory()
