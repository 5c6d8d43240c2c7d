"""Supervision of the corpus, by shard (P13)."""

import collections
import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import dagster as dg

from assets.answer_checking import right_answer
from assets.caption_groups import CaptionGroup
from assets.caption_keys import CONTEXTS
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
from assets.training_keys import QUESTIONS, SFT_EXAMPLES
from assets.training_questions import left_out, released_cases
from lifeloom.assistant import ResponseStage
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import (
    BenchmarkCase,
    CaptionSample,
    MemoryOperation,
    Rejection,
    RlPrompt,
    SftExample,
)
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.supervision import (
    MEMORY_SHARES,
    SFT_SHARES,
    Teacher,
    asks_nothing,
    caption_example,
    compose,
    example_tokens,
    is_for_rl,
    length_lines,
    operation_example,
    presence_examples,
    reasoning_example,
    repeated_ids,
    rl_prompts,
    share_problems,
    shared_questions,
    trajectory_problems,
)
from lifeloom.tasks import GROUNDED_CAPTION, RESPONSE_STEP
from resources.captioners import caption_teacher
from resources.workbench import Workbench

__all__ = ["sft_examples_asset"]

_FEW = 40
"""Of fewer examples shares cannot be told."""

_SFT_CHECKS = {
    "trajectories_read": "Every step of a trajectory is read by the assistant's own parser without a repair.",
    "composition": "Reasoning, personality and memory operations have the paper's shares.",
    "within_length": "No example is longer than the profile allows; what was is among the rejections.",
    "ids_unique": "No example is there twice.",
    "disjoint_from_releases": "No question of a release is among the examples.",
}


def sft_examples_asset(group: Group, captions: CaptionGroup) -> dg.AssetsDefinition:
    """Return the examples, by shard."""
    contexts_stage = captions.key(CONTEXTS)

    @dg.asset(
        key=SFT_EXAMPLES.split("/"),
        deps=[dg.AssetKey(name.split("/")) for name in (QUESTIONS, f"{group.name}/memories", contexts_stage)],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(SFT_EXAMPLES.split("/"), _SFT_CHECKS),
        description=(
            "Supervision (P13): whole trajectories that answered rightly, personality inferences, the four memory "
            "operations, concept samples; answers follow from the query and what was retrieved alone."
        ),
    )
    @told_plainly
    def sft_examples(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Let the teacher answer, keep what is right and well formed, and compose the set."""
        partition, store, settings = context.partition_key, workbench.store, workbench.profile.training
        key = f"{SFT_EXAMPLES}/{partition}"
        questions_key, memories_key = f"{QUESTIONS}/{partition}", f"{group.name}/memories/{partition}"
        contexts_key = f"{contexts_stage}/{partition}"
        teacher, judge = workbench.model("assistant", SFT_EXAMPLES), workbench.model("judge", SFT_EXAMPLES)
        described = settings.concept_samples > 0 and store.reader(contexts_key).rows("samples") > 0
        captioner = caption_teacher(workbench, SFT_EXAMPLES) if described else None
        recipe = Recipe(
            stage=SFT_EXAMPLES,
            seed=workbench.profile.seed,
            parameters={
                "partition": partition,
                "rl_share": settings.rl_share,
                "most_tokens": settings.most_tokens,
                "concept_samples": settings.concept_samples,
                "response": workbench.profile.memory.model_dump_json(),
            },
            models=tuple(model_name(one) for one in (teacher, judge, captioner, workbench.encoder) if one is not None),
            prompt_versions=(RESPONSE_STEP.prompt_version, GROUNDED_CAPTION.prompt_version),
            parents=parents(store, questions_key, memories_key, contexts_key),
        )
        taken: collections.Counter[str] = collections.Counter()

        def make(writer: DatasetWriter) -> None:
            made: list[SftExample | Rejection] = [
                *_reasoning(workbench, key, questions_key, memories_key),
                *(operation_example(one) for one in store.read(memories_key, "operations", MemoryOperation)),
            ]
            found, rejected = _sorted_out(made, settings.most_tokens)
            rng = workbench.streams.rng("training", "composition", partition)
            operations = compose(
                [one for one in found if one.family == "memory_operation"],
                MEMORY_SHARES,
                part_of=lambda one: one.kind,
                stratum_of=lambda one: str(asks_nothing(one)),
                id_of=lambda one: one.example_id,
                rng=rng,
            )
            others = [one for one in found if one.family != "memory_operation"]
            composed = compose(
                [*others, *operations.kept],
                SFT_SHARES,
                part_of=lambda one: one.family,
                stratum_of=lambda one: f"{one.kind} {one.retrievals} {asks_nothing(one)}",
                id_of=lambda one: one.example_id,
                rng=rng,
            )
            wanted = round(settings.concept_samples * len(composed.kept))
            found_concepts = () if captioner is None else _concepts(workbench, captioner, key, contexts_key, wanted)
            concepts, without = _sorted_out(found_concepts, settings.most_tokens)
            taken.update(collections.Counter(one.family for one in found))
            writer.write("examples", SftExample, (*composed.kept, *concepts))
            writer.write("rejections", Rejection, (*rejected, *operations.left_out, *composed.left_out, *without))

        def read(reader: DatasetReader) -> list[SftExample]:
            return list(reader.read("examples", SftExample))

        def composition(reader: DatasetReader) -> list[str]:
            families = [one.family for one in read(reader)]
            return share_problems(families, SFT_SHARES) if len(families) >= _FEW else []

        def too_long(reader: DatasetReader) -> list[str]:
            tokens = {one.example_id: example_tokens(one) for one in read(reader)}
            return [f"{name} has {count} tokens" for name, count in tokens.items() if count > settings.most_tokens]

        def disjoint(reader: DatasetReader) -> list[str]:
            asked = {one.case_id for one in read(reader) if one.family == "reasoning_qa"}
            cases = [one for one in store.read(questions_key, "cases", BenchmarkCase) if one.case_id in asked]
            return shared_questions(cases, released_cases(store))

        def describe(reader: DatasetReader) -> dict[str, Any]:
            examples = read(reader)
            tokens: dict[str, list[int]] = {}
            for one in examples:
                tokens.setdefault(one.family, []).append(example_tokens(one))
            return {
                "found before composing": counted_text(taken) or "unchanged since it was made",
                "examples by family": dg.MetadataValue.json(dict(collections.Counter(one.family for one in examples))),
                "examples by kind": dg.MetadataValue.json(
                    dict(sorted(collections.Counter(f"{one.family} {one.kind}" for one in examples).items()))
                ),
                "retrievals of trajectories": dg.MetadataValue.json(
                    {
                        str(number): count
                        for number, count in sorted(
                            collections.Counter(
                                one.retrievals for one in examples if one.family == "reasoning_qa"
                            ).items()
                        )
                    }
                ),
                "lengths": rows_preview(list(length_lines(tokens))),
                LEFT_OUT: left_out(reader),
                "a trajectory": dg.MetadataValue.md(_shown(examples)),
            }

        checks = {
            "trajectories_read": lambda reader: trajectory_problems(read(reader)),
            "composition": composition,
            "within_length": too_long,
            "ids_unique": lambda reader: repeated_ids(one.example_id for one in read(reader)),
            "disjoint_from_releases": disjoint,
        }
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="examples")

    return sft_examples


def _reasoning(
    workbench: Workbench, key: str, questions_key: str, memories_key: str
) -> Iterator[SftExample | Rejection]:
    """Put the questions of SFT to the teacher, as a choice, openly and as binary ones, and yield what came of them."""
    settings = workbench.profile.training
    cases = [
        one
        for one in workbench.store.read(questions_key, "cases", BenchmarkCase)
        if not is_for_rl(one, settings.rl_share)
    ]
    dialogues_key = memories_key.replace("/memories/", "/dialogues/", 1)
    prompts = list(rl_prompts(cases, memories=memories_key, dialogues=dialogues_key))
    library = workbench.memories(memories_key)
    model, judge = workbench.model("assistant", SFT_EXAMPLES), workbench.model("judge", SFT_EXAMPLES)
    response = workbench.response_settings
    teacher = Teacher(
        ResponseStage(model, workbench.encoder, response, pictures=workbench.picture),
        ResponseStage(model, workbench.encoder, dataclasses.replace(response, steps=1), pictures=workbench.picture),
    )

    def ask(prompt: RlPrompt) -> SftExample | Rejection:
        def right(text: str) -> bool:
            return right_answer(prompt, text, judge)

        rng = workbench.streams.rng("training", "top_k", prompt.prompt_id)
        return reasoning_example(teacher.asked(prompt, library.of(prompt.user_id), rng, right), right)

    answers = ordered_map(ask, prompts, workers=workbench.callers("assistant", SFT_EXAMPLES))
    for done, made in enumerate(answers, start=1):
        workbench.watch(key, done, len(prompts))
        yield made


def _concepts(
    workbench: Workbench, captioner: LanguageModel, key: str, contexts_key: str, wanted: int
) -> Iterator[SftExample | Rejection]:
    """Yield ``wanted`` concept samples, or as many as the contexts give: two of presence to one of a caption."""

    def made(sample: CaptionSample) -> Iterator[SftExample | Rejection]:
        yield from presence_examples(sample, workbench.streams.rng("training", "presence", sample.sample_id))
        yield caption_example(sample, captioner)

    samples = workbench.store.read(contexts_key, "samples", CaptionSample)
    every = itertools.chain.from_iterable(map(made, samples))
    for done, one in enumerate(itertools.islice(every, wanted), start=1):
        workbench.watch(f"{key} concepts", done, wanted)
        yield one


def _sorted_out(made: Iterable[SftExample | Rejection], most_tokens: int) -> tuple[list[SftExample], list[Rejection]]:
    """Return what is an example of a length that fits, and what is not, with the reason."""
    examples: list[SftExample] = []
    rejections: list[Rejection] = []
    for one in made:
        if isinstance(one, Rejection):
            rejections.append(one)
        elif (tokens := example_tokens(one)) > most_tokens:
            rejections.append(
                Rejection(stage=SFT_EXAMPLES, item=one.example_id, reason="too_long", detail=f"{tokens} tokens")
            )
        else:
            examples.append(one)
    return examples, rejections


def _shown(examples: Sequence[SftExample]) -> str:
    """Return a trajectory for a person to read, one that retrieves where there is one."""
    trajectories = [one for one in examples if one.family == "reasoning_qa"]
    chosen = next((one for one in trajectories if one.retrievals), next(iter(trajectories), None))
    if chosen is None:
        return "there is none"
    return "\n\n".join(f"**{one.role}:** {as_plain(one.text[:1500])}" for one in chosen.messages[1:])
