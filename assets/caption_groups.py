"""Personalised captioning in the corpus (by shard) and in a release (by date): how many query pictures, and of whom."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import dagster as dg

from assets.groups import corpus_group, release_dates
from lifeloom.records import Edition, Split
from resources.profile import Profile

__all__ = ["CaptionGroup", "caption_corpus", "caption_release"]


@dataclass(frozen=True)
class CaptionGroup:
    """A corpus or release of query pictures."""

    name: str
    """``corpus`` or ``release``: first part of the keys."""
    edition: Edition
    split: Split
    """Whose identities."""
    partitions: dg.PartitionsDefinition[Any]
    wanted: Callable[[Profile, str], int]
    """Query pictures that a partition is to have after the filter."""

    def key(self, stage: str, partition: str = "") -> str:
        """Return the key of ``stage``, ``corpus/scenes`` or with a partition ``corpus/scenes/shard-000``."""
        return f"{self.name}/{stage}/{partition}" if partition else f"{self.name}/{stage}"


def caption_corpus(profile: Profile) -> CaptionGroup:
    """Return the training side, by the shards of the corpus."""
    group = corpus_group(profile)
    shards = group.partitions.get_partition_keys()

    def wanted(profile: Profile, partition: str) -> int:
        number = shards.index(partition)
        return len(range(number, profile.captions.train_scenes, len(shards)))

    return CaptionGroup("corpus", "corpus", "train", group.partitions, wanted)


def caption_release(profile: Profile) -> CaptionGroup:
    """Return the benchmark side, by date."""
    return CaptionGroup(
        "release", "release", "benchmark", release_dates(profile), lambda own, _: own.captions.test_scenes
    )
