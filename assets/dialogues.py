"""Conversations with their pictures, of the corpus and of a release: one function makes both."""

import collections
from collections.abc import Sequence
from typing import Any

import dagster as dg

from assets.groups import Group
from assets.markdown import as_plain
from assets.publishing import (
    OWNERS,
    AssetEvents,
    check_specs,
    model_name,
    parents,
    publish,
    stage_counts,
    told_plainly,
)
from assets.seeds import CAPTIONS
from assets.strips import StripPicture, picture_strip
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.records import CaptionSeed, ConversationPlan, Persona, Picture, ReviewItem, Session, Turn, local_time
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.disjointness import shared_texts
from lifeloom.synthesis.diversity import diversity_report
from lifeloom.synthesis.faults import measure_checks
from lifeloom.synthesis.illustrating import Illustrator
from lifeloom.synthesis.making import ConversationOrder, StageCounts, make_dialogues
from lifeloom.synthesis.occasion_seeds import assign_captions
from lifeloom.synthesis.picture_checks import picture_problems
from lifeloom.synthesis.picture_critic import PictureCritic
from lifeloom.synthesis.picture_faults import measure_picture_critic
from lifeloom.synthesis.review import read_answers, write_queue
from lifeloom.synthesis.validation import Validator, structural_problems
from lifeloom.tasks import SESSION_CRITIQUE, SESSION_WRITING
from resources.workbench import Workbench

__all__ = ["dialogues_asset"]

_DIALOGUE_CHECKS = {
    "sessions_complete": "Sessions cover all turns, in order, times ascend; every picture mark has its picture.",
    "mostly_impersonal": "At least 40 % of the turns say nothing personal.",
    "pictures_there": "Every picture that a turn refers to is stored.",
    "disjoint_from_other_side": "Training corpus and releases share no user message of ten words or more.",
}


def dialogues_asset(group: Group) -> dg.AssetsDefinition:
    """Return the conversations of ``group``."""
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
        description=f"Conversations of the {group.name}, planned, illustrated, written and validated.",
    )
    @told_plainly
    def dialogues(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Plan, write and validate a conversation for every persona of the partition."""
        partition = context.partition_key
        key, personas_key = f"{stage}/{partition}", f"{group.name}/personas/{partition}"
        store, profile = workbench.store, workbench.profile
        model, critic = workbench.model("writer", stage), workbench.model("critic", stage)
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
                "picture_share": profile.pictures.share,
                "pictures_checked": profile.pictures.check,
            },
            models=(
                model_name(model),
                model_name(critic),
                model_name(workbench.image_maker),
                model_name(workbench.eyes),
            ),
            prompt_versions=(SESSION_WRITING.prompt_version, SESSION_CRITIQUE.prompt_version),
            parents=lineage,
        )
        counts: list[StageCounts] = []

        def make(writer: DatasetWriter) -> None:
            with workbench.drawing() as draw_many:
                critics = PictureCritic(workbench.eyes) if profile.pictures.check else None
                counts.append(
                    make_dialogues(
                        writer,
                        orders,
                        ends_on=group.ends_on(profile, partition),
                        model=model,
                        validator=Validator(critic, answers=answers, where=key),
                        illustrator=Illustrator(workbench.image_maker, draw_many, critics, answers, key),
                        streams=workbench.streams,
                        workers=workbench.callers("writer", stage),
                        progress=lambda done: workbench.watch(key, done, len(orders)),
                    )
                )

        def complete(reader: DatasetReader) -> list[str]:
            return structural_problems(reader.read("sessions", Session), reader.read("turns", Turn))

        def impersonal(reader: DatasetReader) -> list[str]:
            acts = collections.Counter(t.act for p in reader.read("plans", ConversationPlan) for t in p.turns)
            if not acts:  # every conversation was left out, for reasons that stand in the rejections
                return []
            share = (acts["small_talk"] + acts["errand"]) / acts.total()
            return [] if share >= 0.4 else [f"only {share:.0%} of {acts.total()} turns say nothing personal"]

        def pictured(reader: DatasetReader) -> list[str]:
            return picture_problems(reader.read("turns", Turn), reader.media.has)

        def disjoint(reader: DatasetReader) -> list[str]:
            others = (t for k in store.keys(f"{group.other}/dialogues") for t in store.read(k, "turns", Turn))
            return shared_texts(reader.read("turns", Turn), others)

        def describe(reader: DatasetReader) -> dict[str, Any]:
            write_queue(workbench.home.review, key, reader.read("review", ReviewItem))
            report = diversity_report(
                reader.read("turns", Turn), plans=reader.read("plans", ConversationPlan), seed=profile.seed
            )
            metadata = {
                **stage_counts(len(orders), reader.rows("plans"), reader),
                "repaired": _repaired(counts),
                "conversation": _excerpt(reader),
                "diversity": dg.MetadataValue.md(report.to_markdown()),
                "review queue": str(workbench.home.review / f"{key.replace('/', '.')}.jsonl"),
                "waiting for review": reader.rows("review"),
                "pictures": reader.rows("pictures"),
                "some pictures": dg.MetadataValue.md(_strip(reader)),
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
                seen = measure_picture_critic(
                    [picture.plan for picture in reader.read("pictures", Picture)],
                    maker=workbench.image_maker,
                    eyes=workbench.eyes,
                    streams=workbench.streams,
                    most=profile.validation.injected_faults,
                )
                metadata["picture checks on injected faults"] = dg.MetadataValue.md(seen.to_markdown())
            return metadata

        checks = dict(zip(_DIALOGUE_CHECKS, (complete, impersonal, pictured, disjoint), strict=True))
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="turns")

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


def _repaired(counts: Sequence[StageCounts]) -> str:
    """Return what was repaired, by kind; ``counts`` is empty where nothing was made anew."""
    if not counts:
        return "unchanged since it was made"
    return counted_text(counts[0].repaired) or "nothing"


def _excerpt(reader: DatasetReader, turns: int = 4) -> dg.MetadataValue:
    """Return the first turns as readable text."""
    lines = []
    for turn in reader.read("turns", Turn):
        at = local_time(turn.at, turn.offset_minutes)
        lines.append(f"**{at:%a %Y-%m-%d %H:%M} user:** {as_plain(turn.user)}")
        lines.append(f"**assistant:** {as_plain(turn.assistant)}")
        if turn.turn_index + 1 >= turns:
            break
    return dg.MetadataValue.md("\n\n".join(lines) or "no turns")


def _strip(reader: DatasetReader) -> str:
    """Return the first pictures, with what their turns call them."""
    files = {picture.picture_id: picture.content_hash for picture in reader.read("pictures", Picture)}
    plan = next(reader.read("plans", ConversationPlan), None)
    shown = [] if plan is None else [picture for turn in plan.turns for picture in turn.pictures][:8]
    return picture_strip(
        [
            StripPicture(
                reader.media.get(files[item.picture.picture_id]),
                f"{item.role} {item.handle or item.picture.place or item.picture.subjects[0].name}",
            )
            for item in shown
        ]
    )
