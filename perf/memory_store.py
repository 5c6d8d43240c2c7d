"""How fast the memory of a user is written, opened and searched, and what it takes on the disk.

    .venv/bin/python perf/memory_store.py [--users 1000] [--memories 300] [--large 100000] [--rounds 3]

Embeddings are given: random unit vectors of 384 numbers, one thread. Memories spread over a year; a search looks at
half a year of it, a turn is three searches in one call (procedural 2, semantic 4, episodic 2), as the retriever makes
it. 60 % are semantic, 25 % episodic, 15 % procedural; each has about 100 characters of text, three keywords and one to
eight cited turns. Small: the files of all users are open and taken in turn, after two turns each. ``adds`` are in the
file when the call returns and survive a killed process (write-ahead log, ``synchronous=NORMAL``: a power cut can take
the last ones). Recall is against all scores in 64 bits. Bytes are those of the file less the contents of memories and
the table of raw dialogue. ``CPU`` counts what the thread worked, whatever else the machine did meanwhile.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import os
import random
import resource
import shutil
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

from lifeloom.memory import (
    DialogueTurn,
    EpisodeDraft,
    Operation,
    Origin,
    Period,
    SemanticDraft,
    SetValue,
    UserMemory,
)
from lifeloom.records import MemoryKind

PEERS = """
measured elsewhere, earlier, on this kind of machine, by other means: one thread, 384-d, half-year window
| store | search p50, ms | turn p50, ms | 100k: search, turn, ms | adds/s | cold open, ms | bytes a memory |
|---|---|---|---|---|---|---|
| FAISS flat per user, bulk file (floor) | 0.036 | 0.088 | 5.6, 10.0 | 400k | 148 with import | 1,661 |
| sqlite-vec | 0.47 | 1.18 | 51, 120 | 35k | 4 | 5,469 |
| langgraph SqliteStore | 1.09 | 2.71 | 235, 667 | 32k | 619 | 2,336 |
| lancedb | 7.9 | 24.7 | 51, 147 | 77k | 1,708 | 3,182 |
| chroma (9,900 in all) | 21 | 69 | 310, 796 | 2,300 | 3,383 | 3,771 |
| mem0 + qdrant local (9,900 in all) | 111 | 337 | - | 450 | 3,653 | 4,734 |
| wanted of Lifeloom | 0.06 | 0.15 | 5, 6 | 60k, one by one 3,000 | 3, of 50k 200 | text + 2,100; 1,700 from 20,000 on |
"""
START = dt.datetime(2025, 1, 1, 9, tzinfo=dt.UTC)
YEAR = dt.timedelta(days=365)
KINDS: tuple[tuple[MemoryKind, int], ...] = (("procedural", 2), ("semantic", 4), ("episodic", 2))
WEIGHT = 0.15
WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("ra", "lin", "to", "mes", "nu")]


class Clock:
    """Seconds since it was started: of the wall and of the thread."""

    def __init__(self) -> None:
        self.cpu, self.wall = time.thread_time(), time.perf_counter()

    def read(self) -> tuple[float, float]:
        """Return them."""
        return time.perf_counter() - self.wall, time.thread_time() - self.cpu


Times = list[tuple[float, float]]


class Person:
    """What one user says and what is to be remembered of it, all made before anything is measured."""

    def __init__(self, seed: int, memories: int, pool: npt.NDArray[np.float32]) -> None:
        rng = random.Random(seed)
        self.user_id = f"user {seed}"
        count = max(10, memories // 3)
        self.turns = [
            DialogueTurn(number, number // 6, START + YEAR * (number / count), 60, self._words(rng, 14), "")
            for number in range(count)
        ]
        self.operations: list[tuple[int, Operation]] = []
        for number in range(memories):
            turn = number * count // memories
            vector = pool[rng.randrange(len(pool))]
            words = tuple(rng.sample(WORDS, 3))
            text, share = self._words(rng, 15), rng.random()
            if share < 0.6:
                self.operations.append((turn, SemanticDraft("fact", text, words, (turn,), vector)))
            elif share < 0.85:
                cited = tuple(range(max(0, turn - rng.randrange(8)), turn + 1))
                self.operations.append((turn, EpisodeDraft(text, words, cited, vector)))
            else:
                key = f"habit {number}"
                value = SetValue("procedural", key, text, (turn,), keywords=words, vector=vector)
                self.operations.append((turn, value))
        self.text_bytes = sum(
            len(getattr(one, "content", "") or getattr(one, "summary", "")) for _, one in self.operations
        )

    @staticmethod
    def _words(rng: random.Random, count: int) -> str:
        return " ".join(rng.choices(WORDS, k=count))

    def origin(self, turn: int) -> Origin:
        """Return the origin of what follows from a turn."""
        return Origin(self.turns[turn].at, turn + 1)

    def fill(self, memory: UserMemory, each: int) -> tuple[float, float]:
        """Write everything, ``each`` memories a job, and return the seconds that the memories took, wall and CPU."""
        with memory.transaction():
            for turn in self.turns:
                memory.add_turn(turn)
        clock = Clock()
        for first in range(0, len(self.operations), each):
            some = self.operations[first : first + each]
            memory.apply(f"job-{first}", [one for _, one in some], self.origin(some[-1][0]))
        return clock.read()


def windows(rng: random.Random) -> Period:
    start = START + YEAR / 2 * rng.random()
    return Period(start, start + YEAR / 2)


def searches(
    memories: list[UserMemory], pool: npt.NDArray[np.float32], rounds: int, weight: float
) -> tuple[Times, Times]:
    """Return seconds of single searches, and of turns, taking the users in turn."""
    rng = random.Random(5)
    single: Times = []
    turns: Times = []
    for number in range(2 * rounds):
        for memory in memories:
            query, period = pool[rng.randrange(len(pool))] + 0.1 * pool[rng.randrange(len(pool))], windows(rng)
            query /= np.linalg.norm(query)
            words = tuple(rng.sample(WORDS, 2)) if weight else ()
            if number % 2:
                clock = Clock()
                memory.search_kinds(dict(KINDS), query, period=period, keywords=words, lexical_weight=weight)
                turns.append(clock.read())
                continue
            for kind, k in KINDS:
                clock = Clock()
                memory.search(kind, query, k, period=period, keywords=words, lexical_weight=weight)
                single.append(clock.read())
    return single, turns


def recall(memory: UserMemory, pool: npt.NDArray[np.float32], person: Person, queries: int) -> float:
    """Return the share of the exact answer of all memories of a period that a search gives."""
    rng = random.Random(9)
    exact: dict[str, list[tuple[dt.datetime, dt.datetime, npt.NDArray[np.float32], str]]] = {}
    names = {SemanticDraft: "semantic", EpisodeDraft: "episodic", SetValue: "procedural"}
    for _, one in person.operations:
        cited, text = one.source_turns, getattr(one, "content", "") or getattr(one, "summary", "")
        times = person.turns[cited[0]].at, person.turns[cited[-1]].at
        exact.setdefault(names[type(one)], []).append((*times, one.vector, text))
    stacked = {
        kind: (
            np.array([entry[0].timestamp() for entry in entries]),
            np.array([entry[1].timestamp() for entry in entries]),
            np.stack([entry[2] for entry in entries]).astype(np.float64),
        )
        for kind, entries in exact.items()
    }
    right = asked = 0
    for _ in range(queries):
        query, period = pool[rng.randrange(len(pool))], windows(rng)
        query = query + 0.3 * pool[rng.randrange(len(pool))]
        query /= np.linalg.norm(query)
        for kind, k in KINDS:
            starts, ends, vectors = stacked[kind]
            inside = (starts <= period.end.timestamp()) & (ends >= period.start.timestamp())
            scores = np.where(inside, vectors @ query.astype(np.float64), -2)
            best = np.sort(scores)[::-1][:k]
            found = [hit.similarity for hit in memory.search(kind, query, k, period=period)]
            right += sum(abs(a - b) < 1e-6 for a, b in zip(best, found, strict=True))
            asked += k
    return right / asked


def cold(path: Path, user_id: str, pool: npt.NDArray[np.float32], repeats: int) -> Times:
    """Return the seconds of opening and the first turn."""
    seconds: Times = []
    for number in range(repeats):
        clock = Clock()
        with UserMemory.open(path, user_id) as memory:
            for kind, k in KINDS:
                memory.search(kind, pool[number], k)
            seconds.append(clock.read())
    return seconds


def ms(times: Times) -> str:
    wall, cpu = ([one[which] * 1e3 for one in times] for which in (0, 1))
    p95 = statistics.quantiles(wall, n=20)[18]
    return f"p50 {statistics.median(wall):.3f} ms, p95 {p95:.3f} ms, CPU p50 {statistics.median(cpu):.3f} ms"


def size_beside_text(path: Path, person: Person) -> int:
    """Return the bytes of a file less the raw dialogue's table and the contents of the memories."""
    with contextlib.closing(sqlite3.connect(path)) as sql:
        (dialogue,) = sql.execute("SELECT sum(pgsize) FROM dbstat WHERE name = 'turns'").fetchone()
    return path.stat().st_size - dialogue - person.text_bytes


def rate(count: int, seconds: tuple[float, float]) -> str:
    return f"{count / seconds[0]:,.0f} adds/s, {count / seconds[1]:,.0f} of CPU"


def small(folder: Path, users: int, count: int, rounds: int, pool: npt.NDArray[np.float32]) -> None:
    people = [Person(seed, count, pool) for seed in range(users)]
    memories = [UserMemory.open(folder / f"{person.user_id}.sqlite", person.user_id) for person in people]
    seconds = [person.fill(memory, 30) for person, memory in zip(people, memories, strict=True)]
    together = sum(one[0] for one in seconds), sum(one[1] for one in seconds)
    print(f"{users} users of {count} memories: {rate(users * count, together)} in jobs of 30")
    for weight in (0.0, WEIGHT):
        how = "with keywords" if weight else "vectors"
        searches(memories, pool, 2, weight)
        single, turns = searches(memories, pool, rounds, weight)
        print(f"  {how}: search {ms(single)}; turn {ms(turns)}")
    print(f"  recall {recall(memories[0], pool, people[0], 100):.4f}")
    for memory in memories:
        memory.close()
    size = sum(size_beside_text(folder / f"{person.user_id}.sqlite", person) for person in people)
    print(f"  {size / users / count:,.0f} bytes a memory beside its content")
    path = folder / f"{people[0].user_id}.sqlite"
    print(f"  cold open and first turn: {ms(cold(path, people[0].user_id, pool, 50))}")


def one_by_one(folder: Path, pool: npt.NDArray[np.float32]) -> None:
    person = Person(12345, 3000, pool)
    with UserMemory.open(folder / "one.sqlite", person.user_id) as memory:
        seconds = person.fill(memory, 1)
    print(f"one by one, a job and a transaction each: {rate(len(person.operations), seconds)}")


def large(folder: Path, count: int, rounds: int, pool: npt.NDArray[np.float32]) -> None:
    person = Person(999, count, pool)
    path = folder / "large.sqlite"
    with UserMemory.open(path, person.user_id) as memory:
        seconds = person.fill(memory, 1000)
        print(f"one user of {count:,} memories: {rate(count, seconds)} in jobs of 1,000")
        for weight in (0.0, WEIGHT):
            searches([memory], pool, 3, weight)
            single, turns = searches([memory], pool, 20 * rounds, weight)
            semantic = single[1::3]
            how = "with keywords" if weight else "vectors"
            print(f"  {how}: search {ms(single)} (semantic: {ms(semantic)}); turn {ms(turns)}")
        print(f"  recall {recall(memory, pool, person, 20):.4f}")
    print(f"  {size_beside_text(path, person) / count:,.0f} bytes a memory beside its content")
    print(f"  cold open and first turn: {ms(cold(path, person.user_id, pool, 5))}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--users", type=int, default=1000)
    parser.add_argument("--memories", type=int, default=300)
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4 * arguments.users + 200), hard))
    pool = np.random.default_rng(3).standard_normal((20_000, 384)).astype(np.float32)
    pool /= np.linalg.norm(pool, axis=1, keepdims=True)
    print(PEERS)
    folder = Path(tempfile.mkdtemp())
    try:
        small(folder, arguments.users, arguments.memories, arguments.rounds, pool)
        one_by_one(folder, pool)
        large(folder, arguments.large, arguments.rounds, pool)
        large(folder / "half", arguments.large // 2, arguments.rounds, pool)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
