"""Captions a second through the degeneration filter: `python -m perf.degeneration`."""

from __future__ import annotations

import random
import time

from lifeloom.scoring.degeneration import degeneration

_WORDS = tuple(f"word{number}" for number in range(60))


def main() -> None:
    rng = random.Random(1)

    def sentence() -> str:
        return " ".join(rng.choice(_WORDS) for _ in range(rng.randrange(8, 16))).capitalize() + "."

    kinds = {
        "100 words, all different sentences": [" ".join(sentence() for _ in range(8)) for _ in range(4_000)],
        "400 words, all different sentences": [" ".join(sentence() for _ in range(34)) for _ in range(1_000)],
        "100 words, half of it said twice": [" ".join([one] * 2) for one in (
            " ".join(sentence() for _ in range(4)) for _ in range(4_000)
        )],
    }  # fmt: skip
    for name, captions in kinds.items():
        started = time.perf_counter()
        found = sum(degeneration(one, tokens=200).degenerate for one in captions)
        seconds = time.perf_counter() - started
        print(f"{name}: {len(captions) / seconds:,.0f} captions a second, {found} of {len(captions)} degenerate")


if __name__ == "__main__":
    main()
