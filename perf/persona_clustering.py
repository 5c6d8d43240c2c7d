"""How long near-duplicate personas take to cluster as their number grows.

    .venv/bin/python perf/persona_clustering.py [--sizes 12500,25000,50000,100000]

Made-up personas; a tenth are edits of another (a word changed or dropped). The last column is the
share of those edits that landed in the cluster of their original.
"""

from __future__ import annotations

import argparse
import random
import resource
import time

from lifeloom.synthesis.seeds import cluster_texts, persona_id

_WORK = ("teacher", "nurse", "baker", "pilot", "farmer", "lawyer", "painter", "plumber", "chemist", "driver", "tailor")
_TRAITS = ("retired", "young", "restless", "patient", "left-handed", "cheerful", "stubborn", "shy", "proud", "thrifty")
_DEEDS = ("restores", "collects", "paints", "repairs", "studies", "sells", "photographs", "builds", "sorts", "trades")
_ENDS = ("on Sundays", "before dawn", "for the village", "with two sons", "near the harbour", "against all advice")


def personas(count: int) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return texts by id, and the pairs (original, edit) among them."""
    rng = random.Random(7)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "or")]
    invented = ["".join(rng.choices(syllables, k=rng.randrange(2, 4))) for _ in range(20_000)]
    texts: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []
    while len(texts) < count:
        first, second, third, place_name, town = rng.choices(invented, k=5)
        trait, work, end = rng.choice(_TRAITS), rng.choice(_WORK), rng.choice(_ENDS)
        deed, other_deed = rng.choice(_DEEDS), rng.choice(_DEEDS)
        town, place_name = town.title(), place_name.title()
        text = rng.choice(
            (
                f"A {trait} {work} from {town} who {deed} {first} {second} and {third} {end} in {place_name}",
                f"{town}'s {trait} {work}, whose family {deed} {first}, {other_deed} {second} {third} {end}",
                f"Born in {town}, this {work} {deed} {first} {second} {end} and {other_deed} {third}",
                f"{trait.title()} since {place_name}, she {deed} {first} beside a {work} called {town} {second} {end}",
                f"My {work} neighbour {town} {deed} old {first} {second} {third}, {trait} as ever, {end}",
            )
        )
        one = persona_id(text)
        texts[one] = text
        if rng.random() < 0.11:
            words = text.split()
            place = rng.randrange(1, len(words))
            words[place : place + 1] = rng.choice(([], [rng.choice(invented)]))
            edit = " ".join(words)
            texts[persona_id(edit)] = edit
            pairs.append((one, persona_id(edit)))
    return texts, pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="12500,25000,50000,100000")
    options = parser.parse_args()
    cluster_texts({"a": "warm up", "b": "the imports"})
    print(f"{'personas':>9}{'cpu s':>8}{'us each':>9}{'clusters':>10}{'peak MiB':>10}{'edits found':>13}")
    for size in map(int, options.sizes.split(",")):
        texts, pairs = personas(size)
        start = time.process_time()
        belongs = cluster_texts(texts)
        spent = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        found = sum(belongs[one].cluster_id == belongs[other].cluster_id for one, other in pairs) / len(pairs)
        clusters = len({member.cluster_id for member in belongs.values()})
        print(
            f"{len(texts):>9,}{spent:>8.1f}{spent / len(texts) * 1e6:>9.0f}{clusters:>10,}{peak:>10.0f}{found:>13.2%}"
        )


if __name__ == "__main__":
    main()
