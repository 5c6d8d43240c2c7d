"""Personas and dialogues of the corpus (by shard) and of a release (by date): one function makes both."""

import collections
import dataclasses
import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg

from assets.publishing import (
    LEFT_OUT,
    OWNERS,
    AssetEvents,
    check_specs,
    model_name,
    parents,
    publish,
    rows_preview,
    told_plainly,
)
from assets.seeds import CAPTIONS, PERSONAS
from lifeloom.records import (
    CaptionSeed,
    ConversationPlan,
    Edition,
    Persona,
    PersonaSeed,
    Rejection,
    ReviewItem,
    Session,
    Setting,
    Split,
    Turn,
    local_time,
)
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.disjointness import shared_clusters, shared_personas, shared_texts
from lifeloom.synthesis.diversity import diversity_report
from lifeloom.synthesis.faults import measure_checks
from lifeloom.synthesis.making import ConversationOrder, StageCounts, make_dialogues, make_personas
from lifeloom.synthesis.occasion_seeds import assign_captions
from lifeloom.synthesis.planning.shapes import ConversationShape, shape_for
from lifeloom.synthesis.review import read_answers, write_queue
from lifeloom.synthesis.seeds import sample_personas
from lifeloom.synthesis.validation import Validator, structural_problems
from lifeloom.tasks import PERSONA_ENRICHMENT, SESSION_CRITIQUE, SESSION_WRITING
from resources.profile import Profile
from resources.workbench import Workbench

__all__ = ["Group", "corpus_group", "group_assets", "release_dates", "release_group"]

_PERSONA_CHECKS = {
    "one_persona_a_cluster": "No two personas come from one near-duplicate cluster.",
    "right_split": "All personas come from seeds of the right split.",
    "disjoint_from_other_side": "Training corpus and releases share no cluster and no near-duplicate persona.",
}
_DIALOGUE_CHECKS = {
    "sessions_complete": "Sessions cover all turns, in order, with strictly ascending times.",
    "mostly_impersonal": "At least 40 % of the turns say nothing personal.",
    "disjoint_from_other_side": "Training corpus and releases share no user message of ten words or more.",
}


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
        shape = _sized("train", profile.corpus.min_turns, profile.corpus.max_turns)
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
        short = _sized("32k", sizes.min_turns_32k, sizes.max_turns_32k)
        long = _sized("128k", sizes.min_turns_128k, sizes.max_turns_128k)
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


def group_assets(group: Group) -> list[dg.AssetsDefinition]:
    """Return the personas and dialogues assets of ``group``."""
    return [_personas_asset(group), _dialogues_asset(group)]


def _personas_asset(group: Group) -> dg.AssetsDefinition:
    stage = f"{group.name}/personas"

    @dg.asset(
        key=stage.split("/"),
        deps=[dg.AssetKey(PERSONAS.split("/"))],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(stage.split("/"), _PERSONA_CHECKS),
        description=f"Personas of the {group.name}: base personas enriched with traits, people and core memory (P1).",
    )
    @told_plainly
    def personas(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Sample seeds of the partition and enrich them."""
        key = f"{stage}/{context.partition_key}"
        store, model = workbench.store, workbench.writer
        lineage = parents(store, PERSONAS)
        seeds = group.seeds(workbench, context.partition_key)
        recipe = Recipe(
            stage=stage,
            seed=workbench.profile.seed,
            parameters={"partition": context.partition_key, "seeds": tuple(seed.seed_id for seed in seeds)},
            models=(model_name(model),),
            prompt_versions=(PERSONA_ENRICHMENT.prompt_version,),
            parents=lineage,
        )

        def make(writer: DatasetWriter) -> None:
            make_personas(
                writer,
                seeds,
                edition=group.edition,
                model=model,
                streams=workbench.streams,
                workers=workbench.workers(workbench.profile.models.writer),
                progress=lambda done: workbench.watch(key, done, len(seeds)),
            )

        def read(reader: DatasetReader) -> list[Persona]:
            return list(reader.read("personas", Persona))

        def one_a_cluster(reader: DatasetReader) -> list[str]:
            clusters = collections.Counter(persona.cluster_id for persona in read(reader))
            return [f"cluster {cluster} has {count} personas" for cluster, count in clusters.items() if count > 1]

        def right_split(reader: DatasetReader) -> list[str]:
            wrong = [persona.persona_id for persona in read(reader) if persona.split != group.split]
            return [f"{persona_id} is not of the {group.split} split" for persona_id in wrong]

        def disjoint(reader: DatasetReader) -> list[str]:
            others = [p for k in store.keys(f"{group.other}/personas") for p in store.read(k, "personas", Persona)]
            return shared_clusters(read(reader), others) + shared_personas(read(reader), others)

        def describe(reader: DatasetReader) -> dict[str, Any]:
            rows = read(reader)
            return {
                **_counts(len(seeds), reader.rows("personas"), reader),
                "preview": rows_preview(
                    [{"name": p.name, "seed": p.seed_text, "role": p.role_description} for p in rows[:6]]
                ),
            }

        checks = dict(zip(_PERSONA_CHECKS, (one_a_cluster, right_split, disjoint), strict=True))
        yield from publish(context, store, key, recipe, make, checks, describe, rows_of="personas")

    return personas


def _dialogues_asset(group: Group) -> dg.AssetsDefinition:
    stage = f"{group.name}/dialogues"

    @dg.asset(
        key=stage.split("/"),
        deps=[dg.AssetKey([group.name, "personas"]), dg.AssetKey(CAPTIONS.split("/"))],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(stage.split("/"), _DIALOGUE_CHECKS),
        description=f"Conversations of the {group.name}, planned, written and validated (P2, P4), with their plans.",
    )
    @told_plainly
    def dialogues(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Plan, write and validate a conversation for every persona of the partition."""
        partition = context.partition_key
        key, personas_key = f"{stage}/{partition}", f"{group.name}/personas/{partition}"
        store, profile, model, critic = workbench.store, workbench.profile, workbench.writer, workbench.critic
        lineage = parents(store, personas_key, CAPTIONS)
        orders = _orders(group, workbench, personas_key)
        answers = read_answers(workbench.home.review, key)
        recipe = Recipe(
            stage=stage,
            seed=profile.seed,
            parameters={
                "partition": partition,
                "ends_on": group.ends_on(profile, partition).isoformat(),
                "shapes": tuple(sorted({(o.setting, o.shape.min_turns, o.shape.max_turns) for o in orders})),
                "answers": answers.digest(),
            },
            models=(model_name(model), model_name(critic)),
            prompt_versions=(SESSION_WRITING.prompt_version, SESSION_CRITIQUE.prompt_version),
            parents=lineage,
        )
        counts: list[StageCounts] = []

        def make(writer: DatasetWriter) -> None:
            counts.append(
                make_dialogues(
                    writer,
                    orders,
                    ends_on=group.ends_on(profile, partition),
                    model=model,
                    validator=Validator(critic, answers=answers, where=key),
                    streams=workbench.streams,
                    workers=workbench.workers(profile.models.writer),
                    progress=lambda done: workbench.watch(key, done, len(orders)),
                )
            )

        def complete(reader: DatasetReader) -> list[str]:
            return structural_problems(reader.read("sessions", Session), reader.read("turns", Turn))

        def impersonal(reader: DatasetReader) -> list[str]:
            acts = collections.Counter(t.act for p in reader.read("plans", ConversationPlan) for t in p.turns)
            share = (acts["small_talk"] + acts["errand"]) / max(acts.total(), 1)
            return [] if share >= 0.4 else [f"only {share:.0%} of {acts.total()} turns say nothing personal"]

        def disjoint(reader: DatasetReader) -> list[str]:
            others = (t for k in store.keys(f"{group.other}/dialogues") for t in store.read(k, "turns", Turn))
            return shared_texts(reader.read("turns", Turn), others)

        def describe(reader: DatasetReader) -> dict[str, Any]:
            write_queue(workbench.home.review, key, reader.read("review", ReviewItem))
            report = diversity_report(
                reader.read("turns", Turn), plans=reader.read("plans", ConversationPlan), seed=profile.seed
            )
            metadata = {
                **_counts(len(orders), reader.rows("plans"), reader),
                "repaired": "unchanged since it was made" if not counts else str(dict(counts[0].repaired)),
                "conversation": _excerpt(reader),
                "diversity": dg.MetadataValue.md(report.to_markdown()),
                "review queue": str(workbench.home.review / f"{key.replace('/', '.')}.jsonl"),
                "waiting for review": reader.rows("review"),
            }
            if profile.validation.injected_faults and orders and counts:  # not again when nothing has changed
                quality = measure_checks(
                    reader,
                    orders,
                    critic=critic,
                    conversations=profile.validation.injected_faults,
                    streams=workbench.streams,
                )
                metadata["checks on injected faults"] = dg.MetadataValue.md(quality.to_markdown())
            return metadata

        checks = dict(zip(_DIALOGUE_CHECKS, (complete, impersonal, disjoint), strict=True))
        yield from publish(context, store, key, recipe, make, checks, describe, rows_of="turns")

    return dialogues


def _orders(group: Group, workbench: Workbench, personas_key: str) -> list[ConversationOrder]:
    """Return the conversations to make: personas with their setting and one account's captions each.

    Raises:
        NoCaptions: there are no captions for the split.
    """
    store = workbench.store
    personas = list(store.read(personas_key, "personas", Persona))
    captions = assign_captions(
        lambda: store.read(CAPTIONS, "captions", CaptionSeed),
        [persona.persona_id for persona in personas],
        split=group.split,
        streams=workbench.streams,
    )
    return [
        ConversationOrder(persona, setting, shape, tuple(captions[persona.persona_id]))
        for persona, setting, shape in group.settings(workbench.profile, personas)
    ]


def _sized(setting: Setting, min_turns: int, max_turns: int) -> ConversationShape:
    return dataclasses.replace(shape_for(setting), min_turns=min_turns, max_turns=max_turns)


def _counts(taken: int, kept: int, reader: DatasetReader) -> Mapping[str, Any]:
    """Return what a stage took, kept and left out, by reason."""
    reasons = collections.Counter(row.reason for row in reader.read("rejections", Rejection))
    left_out = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    return {"in": taken, "out": kept, LEFT_OUT: left_out or "nothing"}


def _excerpt(reader: DatasetReader, turns: int = 4) -> dg.MetadataValue:
    """Return the first turns as readable text."""
    lines = []
    for turn in reader.read("turns", Turn):
        at = local_time(turn.at, turn.offset_minutes)
        lines += [f"**{at:%a %Y-%m-%d %H:%M} user:** {turn.user}", f"**assistant:** {turn.assistant}"]
        if turn.turn_index + 1 >= turns:
            break
    return dg.MetadataValue.md("\n\n".join(lines) or "no turns")
