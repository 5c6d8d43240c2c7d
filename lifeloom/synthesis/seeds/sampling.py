"""Drawing base personas: exactly as many as asked for, at most one of a near-duplicate cluster."""

from __future__ import annotations

from collections.abc import Iterable

from lifeloom.records import PersonaSeed, Split
from lifeloom.streams import Streams
from lifeloom.synthesis.seeds.files import SeedError

__all__ = ["NotEnoughSeeds", "sample_personas"]


class NotEnoughSeeds(SeedError):
    """A sample cannot be filled. The message says how many there are and what to do."""

    def __init__(self, *, asked: int, split: Split, clusters: int, excluded: int, seeds: int) -> None:
        self.asked = asked
        self.split = split
        self.clusters = clusters
        self.excluded = excluded
        self.seeds = seeds
        self.available = clusters - excluded
        super().__init__(
            f"{asked} {split} personas are asked for, {self.available} are there: the {seeds} persona seeds have "
            f"{clusters} near-duplicate clusters in the {split} split, of which {excluded} are used already, and a "
            f"cluster gives one. Ask for {self.available} or fewer in the profile, or give a larger PersonaHub file "
            f"({'5' if split == 'train' else '2'} in 7 of its clusters go to {split})."
        )


def sample_personas(
    seeds: Iterable[PersonaSeed],
    *,
    count: int,
    split: Split,
    streams: Streams,
    purpose: str,
    excluding: frozenset[str] = frozenset(),
) -> list[PersonaSeed]:
    """Draw ``count`` personas of a split without replacement, at most one a cluster.

    The draw depends on the seeds as a set, not on their order.

    Args:
        seeds: All seeds that there are.
        count: How many to draw, at least 0.
        split: Of which split.
        streams: Where the randomness comes from; the stream is ``sample_personas / purpose / split``.
        purpose: What the sample is for, for example a release's date: other purposes draw otherwise.
        excluding: Ids of seeds used before. Their whole clusters are left out.

    Raises:
        NotEnoughSeeds: Fewer than ``count`` clusters are left.
        ValueError: ``count`` is negative.
    """
    if count < 0:
        raise ValueError(f"count is {count}; it must not be negative")
    total = 0
    members: dict[str, list[PersonaSeed]] = {}
    used: set[str] = set()
    for seed in seeds:
        total += 1
        if seed.split == split:
            members.setdefault(seed.cluster_id, []).append(seed)
            if seed.seed_id in excluding or seed.cluster_id in excluding:
                used.add(seed.cluster_id)
    free = sorted(members.keys() - used)
    if len(free) < count:
        raise NotEnoughSeeds(asked=count, split=split, clusters=len(members), excluded=len(used), seeds=total)
    rng = streams.rng("sample_personas", purpose, split)
    return [rng.choice(sorted(members[cluster], key=lambda seed: seed.seed_id)) for cluster in rng.sample(free, count)]
