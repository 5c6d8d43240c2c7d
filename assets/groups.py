"""The training corpus (by shard) and a release (by date): who is in them, and how they are partitioned."""

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg

from assets.seeds import PERSONAS
from lifeloom.records import Edition, Persona, PersonaSeed, Setting, Split
from lifeloom.synthesis.planning.shapes import ConversationShape, shape_for
from lifeloom.synthesis.seeds import sample_personas
from resources.profile import Profile
from resources.workbench import Workbench

__all__ = ["Group", "corpus_group", "release_dates", "release_group"]


@dataclass(frozen=True)
class Group:
    """A corpus or release: where it lies, how it is partitioned, who is in it."""

    name: str
    """``corpus`` or ``release``: first part of the keys."""
    other: str
    """The side that it must share nothing with."""
    edition: Edition
    split: Split
    partitions: dg.PartitionsDefinition[Any]
    seeds: Callable[[Workbench, str], Sequence[PersonaSeed]]
    """Seeds of a partition."""
    settings: Callable[[Profile, Sequence[Persona]], Iterator[tuple[Persona, Setting, ConversationShape]]]
    ends_on: Callable[[Profile, str], dt.date]


def corpus_group(profile: Profile) -> Group:
    """Return the training corpus of ``profile``, by shard."""
    shards = [f"shard-{number:03d}" for number in range(profile.corpus.shards)]

    def seeds(workbench: Workbench, partition: str) -> Sequence[PersonaSeed]:
        rows = list(workbench.store.read(PERSONAS, "personas", PersonaSeed))
        sample = sample_personas(
            rows, count=profile.corpus.personas, split="train", streams=workbench.streams, purpose="corpus"
        )
        return sample[shards.index(partition) :: len(shards)]

    def settings(profile: Profile, personas: Sequence[Persona]) -> Iterator[tuple[Persona, Setting, ConversationShape]]:
        shape = _sized("train", profile.corpus.min_turns, profile.corpus.max_turns, profile)
        for persona in personas:
            yield persona, "train", shape

    return Group(
        name="corpus",
        other="release",
        edition="corpus",
        split="train",
        partitions=dg.StaticPartitionsDefinition(shards),
        seeds=seeds,
        settings=settings,
        ends_on=lambda profile, _: profile.corpus.ends_on,
    )


def release_dates(profile: Profile) -> dg.DailyPartitionsDefinition:
    """Return the dates of releases: every day from the profile's first one to today."""
    return dg.DailyPartitionsDefinition(start_date=profile.release.first_date.isoformat(), end_offset=1)


def release_group(profile: Profile) -> Group:
    """Return the benchmark releases of ``profile``, by date."""

    def seeds(workbench: Workbench, partition: str) -> Sequence[PersonaSeed]:
        rows = list(workbench.store.read(PERSONAS, "personas", PersonaSeed))
        count = profile.release.personas_32k + profile.release.personas_128k
        kept = _seeds_of_edition(workbench, partition, rows)
        if len(kept) == count:
            return kept
        used = frozenset(
            persona.seed_id
            for key in workbench.store.keys("release/personas")
            if key.rpartition("/")[2] != partition
            for persona in workbench.store.read(key, "personas", Persona)
        )
        return sample_personas(
            rows,
            count=count,
            split="benchmark",
            streams=workbench.streams,
            purpose=f"release/{partition}",
            excluding=used,
        )

    def settings(profile: Profile, personas: Sequence[Persona]) -> Iterator[tuple[Persona, Setting, ConversationShape]]:
        sizes = profile.release
        short = _sized("32k", sizes.min_turns_32k, sizes.max_turns_32k, profile)
        long = _sized("128k", sizes.min_turns_128k, sizes.max_turns_128k, profile)
        for number, persona in enumerate(personas):
            if number < sizes.personas_32k:
                yield persona, "32k", short
            else:
                yield persona, "128k", long

    return Group(
        name="release",
        other="corpus",
        edition="release",
        split="benchmark",
        partitions=release_dates(profile),
        seeds=seeds,
        settings=settings,
        ends_on=lambda _, partition: dt.date.fromisoformat(partition) - dt.timedelta(days=1),
    )


def _seeds_of_edition(workbench: Workbench, partition: str, rows: Sequence[PersonaSeed]) -> list[PersonaSeed]:
    """Return the seeds of a release that has been made from these very seed files; none otherwise.

    A dated edition keeps its personas whatever other editions are made later.
    """
    made = workbench.store.find(f"release/personas/{partition}")
    if made is None or made.recipe.seed != workbench.profile.seed:
        return []
    if made.recipe.parents.get(PERSONAS) != workbench.store.manifest(PERSONAS).content_hash:
        return []
    by_id = {seed.seed_id: seed for seed in rows}
    return [by_id[str(seed_id)] for seed_id in made.recipe.parameters["seeds"]]  # type: ignore[union-attr]


def _sized(setting: Setting, min_turns: int, max_turns: int, profile: Profile) -> ConversationShape:
    return dataclasses.replace(
        shape_for(setting), min_turns=min_turns, max_turns=max_turns, picture_share=profile.pictures.share
    )
