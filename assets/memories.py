"""Memories of the corpus's and a release's users: what an assistant that was there would have remembered."""

import collections
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg

from assets.figures import personality_curve
from assets.groups import Group
from assets.markdown import as_plain
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
from assets.strips import StripPicture, picture_strip
from lifeloom.assistant import (
    BuildCounts,
    ProfileValue,
    ResponseStage,
    Supervision,
    build_memories,
    give_profile,
    media_of,
)
from lifeloom.memory import (
    UserExport,
    UserMemory,
    citation_problems,
    coverage_problems,
    export_of,
    future_problems,
    profile_problems,
    user_file,
)
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.records import (
    Memory,
    MemoryOperation,
    MemoryVector,
    Persona,
    PersonalityPoint,
    Rejection,
    Turn,
)
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.tasks import (
    CORE_UPDATE,
    EPISODIC_UPDATE,
    PERSONALITY_INFERENCE,
    PROCEDURAL_UPDATE,
    RESPONSE_STEP,
    SEMANTIC_UPDATE,
    GenerationTask,
)
from resources.memories import building_folder
from resources.workbench import Workbench

__all__ = ["memories_asset"]

_MEMORY_CHECKS = {
    "episodes_cover_turns": "Every turn belongs to an episode, but for sessions whose answer was rejected.",
    "citations_resolve": "Every memory cites turns of its own conversation.",
    "profile_in_range": "Personality has one point a turn, every score within 1..5.",
    "nothing_from_the_future": "No memory is known before the turns that it follows from.",
}
_PROMPTS: tuple[GenerationTask[Any, Any], ...] = (
    PERSONALITY_INFERENCE,
    SEMANTIC_UPDATE,
    CORE_UPDATE,
    PROCEDURAL_UPDATE,
    EPISODIC_UPDATE,
)


@dataclass(frozen=True)
class _Conversation:
    """What one user's memories are made from."""

    persona: Persona
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class _Built:
    """One user's memories as they go into the data set."""

    export: UserExport
    crops: tuple[bytes, ...]
    operations: tuple[MemoryOperation, ...]
    counts: BuildCounts


def memories_asset(group: Group) -> dg.AssetsDefinition:
    """Return the memories of ``group``."""
    stage = f"{group.name}/memories"

    @dg.asset(
        key=stage.split("/"),
        deps=[dg.AssetKey([group.name, name]) for name in ("personas", "dialogues")],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(stage.split("/"), _MEMORY_CHECKS),
        description=(
            f"Memories of the {group.name}'s users, built turn by turn from their conversations: core, semantic, "
            "episodic, procedural, personality; with every question to the model and its answer."
        ),
    )
    @told_plainly
    def memories(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Run the update stage over every conversation of the partition."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        key = f"{stage}/{partition}"
        personas_key, dialogues_key = f"{group.name}/personas/{partition}", f"{group.name}/dialogues/{partition}"
        every = profile.memory.supervised_sessions if group.name == "corpus" else 0
        recipe = Recipe(
            stage=stage,
            seed=profile.seed,
            parameters={
                "partition": partition,
                "session_minutes": profile.memory.session_minutes,
                "supervised_sessions": every,
                **({"response": profile.memory.model_dump_json()} if every else {}),
            },
            models=(
                model_name(workbench.model("assistant", stage)),
                model_name(workbench.encoder),
                model_name(workbench.detector),
                model_name(workbench.crop_encoder),
            ),
            prompt_versions=tuple(task.prompt_version for task in (*_PROMPTS, *([RESPONSE_STEP] if every else []))),
            parents=parents(store, personas_key, dialogues_key),
        )
        total = sum(1 for _ in store.read(personas_key, "personas", Persona))
        counts: list[BuildCounts] = []

        def make(writer: DatasetWriter) -> None:
            conversations = _conversations(workbench, personas_key, dialogues_key)
            with building_folder(workbench.home.cache) as folder:

                def build(one: _Conversation) -> _Built:
                    return _build(workbench, stage, one, folder, every)

                # Encoding takes most of the time where rules answer, and leaves the other cores to other users.
                workers = max(workbench.callers("assistant", stage), os.cpu_count() or 1)
                built = ordered_map(build, conversations, workers=workers)
                for number, one in enumerate(built, start=1):
                    _write(writer, stage, one)
                    counts.append(one.counts)
                    workbench.watch(key, number, total)

        def read_turns() -> dict[str, list[Turn]]:
            turns: dict[str, list[Turn]] = {}
            for turn in store.read(dialogues_key, "turns", Turn):
                turns.setdefault(turn.persona_id, []).append(turn)
            return turns

        def rows(reader: DatasetReader) -> Iterable[Memory]:
            return reader.read("memories", Memory)

        def points(reader: DatasetReader) -> Iterable[PersonalityPoint]:
            return reader.read("personality", PersonalityPoint)

        def describe(reader: DatasetReader) -> dict[str, Any]:
            kinds = collections.Counter(f"{row.kind} {row.label}".strip() for row in rows(reader))
            return {
                "users": len({row.user_id for row in rows(reader)}),
                "memories by type": dg.MetadataValue.json(dict(sorted(kinds.items()))),
                LEFT_OUT: _left_out(reader),
                "what happened": _what_happened(counts),
                "personality": dg.MetadataValue.md(personality_curve(_first_user(points(reader)))),
                "some memories": _some(rows(reader)),
                "some visual concepts": dg.MetadataValue.md(_strip(reader)),
            }

        checks = {
            "episodes_cover_turns": lambda reader: coverage_problems(
                rows(reader), _without_rejected(read_turns(), reader)
            ),
            "citations_resolve": lambda reader: citation_problems(rows(reader), read_turns()),
            "profile_in_range": lambda reader: profile_problems(points(reader), read_turns()),
            "nothing_from_the_future": lambda reader: future_problems(rows(reader), read_turns()),
        }
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="memories")

    return memories


def _conversations(workbench: Workbench, personas_key: str, dialogues_key: str) -> Iterator[_Conversation]:
    """Yield the conversations; turns of one persona stand together."""
    personas = {row.persona_id: row for row in workbench.store.read(personas_key, "personas", Persona)}
    turns: list[Turn] = []
    for turn in workbench.store.read(dialogues_key, "turns", Turn):
        if turns and turn.persona_id != turns[0].persona_id:
            yield _Conversation(personas[turns[0].persona_id], tuple(turns))
            turns = []
        turns.append(turn)
    if turns:
        yield _Conversation(personas[turns[0].persona_id], tuple(turns))


def _build(workbench: Workbench, stage: str, one: _Conversation, folder: Path, every: int) -> _Built:
    """Build one user's memories in a file of its own, and take them out of it."""
    user_id, operations = one.persona.persona_id, list[MemoryOperation]()
    path = user_file(folder, user_id)
    with UserMemory.open(path, user_id) as memory:
        # Crops are in the user's own file until they are published, all other pictures in the home.
        pictures = media_of(memory, workbench.picture)
        supervision = None
        if every:
            model = workbench.model("assistant", stage, pictures)
            response = ResponseStage(model, workbench.encoder, workbench.response_settings, pictures=pictures)
            rng = random.Random(workbench.streams.numpy_seed("supervision", user_id))  # noqa: S311 - not for secrets
            supervision = Supervision(response, rng, every)
        # Only what an assistant is told by whoever sets it up: the rest must be heard.
        give_profile(memory, [ProfileValue("human", "name", one.persona.name)], at=one.turns[0].at)
        update = workbench.update_stage(stage, operations.append, pictures)
        counts = build_memories(memory, one.turns, update, pictures=workbench.picture, supervision=supervision)
        export = export_of(memory)
        crops = tuple(memory.media(picture.content_hash) for picture in export.media)
    path.unlink()
    return _Built(export, crops, tuple(operations), counts)


def _write(writer: DatasetWriter, stage: str, built: _Built) -> None:
    writer.write("memories", Memory, built.export.memories)
    writer.write("vectors", MemoryVector, built.export.vectors)
    writer.write("personality", PersonalityPoint, built.export.personality)
    writer.write("operations", MemoryOperation, built.operations)
    user_id = built.export.user_id
    writer.write(
        "rejections",
        Rejection,
        [
            Rejection(stage=stage, item=f"{user_id} {row.job}"[:200], reason=row.reason, detail=row.detail[:500])
            for row in built.export.rejections
        ],
    )
    for data in built.crops:
        writer.put_media(data)


def _without_rejected(turns: dict[str, list[Turn]], reader: DatasetReader) -> dict[str, list[Turn]]:
    """Return the turns but for those of sessions whose episodes could not be made: they are among the rejections."""
    rejected: dict[str, set[int]] = collections.defaultdict(set)
    for row in reader.read("operations", MemoryOperation):
        if row.kind == "episodic" and row.outcome == "rejected":
            rejected[row.user_id].update(range(row.first_turn, row.last_turn + 1))
    return {
        user_id: [turn for turn in own if turn.turn_index not in rejected[user_id]] for user_id, own in turns.items()
    }


def _left_out(reader: DatasetReader) -> str:
    return counted_text(collections.Counter(row.reason for row in reader.read("rejections", Rejection))) or "nothing"


def _what_happened(counts: Sequence[BuildCounts]) -> str:
    """Return the updates by kind and outcome; ``counts`` is empty where nothing was made anew."""
    if not counts:
        return "unchanged since it was made"
    whole = BuildCounts()
    for one in counts:
        whole.add(one)
    return counted_text(whole.outcomes + whole.notes + whole.replies)


def _first_user(points: Iterable[PersonalityPoint]) -> list[PersonalityPoint]:
    """Return the curve of the first user."""
    curve: list[PersonalityPoint] = []
    for point in points:
        if curve and point.user_id != curve[0].user_id:
            break
        curve.append(point)
    return curve


def _some(rows: Iterable[Memory], most: int = 3) -> dg.MetadataValue:
    """Return a few memories of each type."""
    shown: dict[str, list[Memory]] = {}
    for row in rows:
        own = shown.setdefault(row.kind, [])
        if len(own) < most:
            own.append(row)
    return rows_preview(
        [
            {"type": f"{row.kind} {row.label}".strip(), "what": f"{row.key}: {row.content}" if row.key else row.content,
             "turns": ", ".join(map(str, row.source_turns))}
            for own in shown.values() for row in own
        ]
    )  # fmt: skip


def _strip(reader: DatasetReader) -> str:
    """Return the first visual concepts with their descriptions."""
    concepts = [row for row in reader.read("memories", Memory) if row.crop is not None][:8]
    return picture_strip(
        [
            StripPicture(reader.media.get(row.crop.content_hash), as_plain(row.content))
            for row in concepts
            if row.crop is not None
        ]
    )
