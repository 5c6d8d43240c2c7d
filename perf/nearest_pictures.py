"""Look-alikes among the pictures of a large library: exact cosine over all of them, and whole contexts planned.

Vectors are random, since the time does not depend on what they hold; one picture in a thousand is a near copy of
another, so that the answers can be held to a search in double precision. Times are wall time, one query after the other
and in batches. Contexts have four concepts and two negatives of each.

Run: ``.venv/bin/python perf/nearest_pictures.py [--pictures 100000] [--dimensions 1280]``. Wants 35 ms a query.
"""

from __future__ import annotations

import argparse
import datetime as dt
import resource
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from lifeloom.records import BY_CODE, LibraryImage, PictureReference, ScenePlan
from lifeloom.streams import Streams
from lifeloom.synthesis.contexts import NearestPictures, PlannedContext, plan_context

QUERIES = 200
CONTEXTS = 50
BATCHES = (1, 8, 64, 256)
COUNT = 10
CHECKED = 40
CONCEPTS = 4


def make_vectors(pictures: int, dimensions: int) -> npt.NDArray[np.float32]:
    """Return unit vectors, one in a thousand near to the one before it."""
    rng = np.random.default_rng(7)
    vectors = rng.standard_normal((pictures, dimensions), dtype=np.float32)
    copies = np.arange(1000, pictures, 1000)
    vectors[copies] = vectors[copies - 1] + 0.1 * vectors[copies]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def check(nearest: NearestPictures, ids: list[str], vectors: npt.NDArray[np.float32]) -> None:
    """Compare answers with those of a search in double precision, a block at a time."""
    rows = np.linspace(0, len(ids) - 1, CHECKED).astype(int)
    cosines = np.concatenate(
        [block.astype(np.float64) @ vectors[rows].T.astype(np.float64) for block in np.array_split(vectors, 50)]
    )
    right = 0
    for column, row in enumerate(rows):
        best = [ids[one] for one in np.argsort(-cosines[:, column])[: COUNT + 1] if one != row][:COUNT]
        right += nearest.of(ids[row], COUNT) == best
    print(f"{right} of {CHECKED} answers are those of a search in double precision")


def timed(name: str, times: int, run: Callable[[int], object]) -> None:
    """Print what one of ``times`` runs takes."""
    taken = []
    for number in range(times):
        started = time.perf_counter()
        run(number)
        taken.append((time.perf_counter() - started) * 1000)
    print(f"{name}: median {np.median(taken):.1f} ms, p95 {np.percentile(taken, 95):.1f} ms, most {max(taken):.1f} ms")


def library(ids: list[str]) -> dict[str, LibraryImage]:
    """Return a person's picture for each id."""
    picture = PictureReference(content_hash="0" * 64, width=512, height=512)
    return {
        one: LibraryImage(
            image_id=one,
            identity=one,
            category="human",
            noun="person",
            use="captioning",
            split="train",
            picture=picture,
            licence="CC0",
            source="builtin",
            made_by=BY_CODE,
        )
        for one in ids
    }


def plan(number: int, ids: list[str], pool: dict[str, LibraryImage], nearest: NearestPictures) -> PlannedContext:
    """Plan the context of a query picture of four concepts."""
    concepts = tuple(ids[(number * 977 + one * 13) % len(ids)] for one in range(CONCEPTS))
    scene = ScenePlan(
        scene_id=f"s{number}",
        split="train",
        edition="corpus",
        scenario="picnic",
        instruction="They are having a picnic.",
        image_ids=concepts,
        identities=concepts,
        place="park",
        picture=None,
    )
    planned = plan_context(
        scene, pool, nearest, Streams(7), negatives=2, ends_on=dt.date(2025, 12, 31), stage="contexts"
    )
    if not isinstance(planned, PlannedContext):
        raise SystemExit(f"no context: {planned.reason} {planned.detail}")
    return planned


def main() -> None:
    """Measure, and print a line for each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=100_000)
    parser.add_argument("--dimensions", type=int, default=1280)
    arguments = parser.parse_args()
    vectors = make_vectors(arguments.pictures, arguments.dimensions)
    ids = [f"lib-human-{number:06}" for number in range(len(vectors))]
    nearest = NearestPictures(ids, vectors)
    print(f"{len(ids):,} pictures, {vectors.shape[1]} dimensions, {vectors.nbytes / 2**20:.0f} MiB of vectors")
    check(nearest, ids, vectors)
    out = ids[:4]
    step = max(1, len(ids) // QUERIES)
    timed("one query", QUERIES, lambda number: nearest.of(ids[(number * step) % len(ids)], COUNT, excluding=out))
    for size in BATCHES:
        started = time.perf_counter()
        rounds = max(1, 256 // size)
        for number in range(rounds):
            nearest.search(vectors[number * size : (number + 1) * size], COUNT, excluding=out)
        print(f"batches of {size}: {(time.perf_counter() - started) / rounds / size * 1000:.1f} ms a query")
    pool = library(ids)
    timed("a context of four concepts, planned", CONTEXTS, lambda number: plan(number, ids, pool, nearest))
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
