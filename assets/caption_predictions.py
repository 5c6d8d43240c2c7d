"""A release of query pictures as scores see it, and captions kept by release and policy fingerprint."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assets.caption_groups import CaptionGroup
from assets.caption_keys import CAPTION_SCORES, CONTEXTS, FILTERED_SCENES, MCQA_PROBES
from assets.publishing import parents
from evaluation.capeval.running import BENCHMARK_VERSION, caption_samples
from lifeloom.records import Caption, CaptionSample, ConceptDialoguePlan, ProbeQuestion
from lifeloom.scoring.caption_policy import CaptionPolicy
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetStore, DatasetWriter, Recipe
from resources.workbench import Workbench

__all__ = ["CaptionRelease", "caption_release_of", "captions_key", "shown_captions"]


@dataclass(frozen=True)
class CaptionRelease:
    """Contexts and questions of one release."""

    partition: str
    samples: tuple[CaptionSample, ...]
    """Those that are asked about."""
    questions: tuple[ProbeQuestion, ...]
    plans: dict[str, ConceptDialoguePlan]
    """By dialogue; for labelled captions and pages alone, never for a policy or judge."""
    lineage: dict[str, str]
    """Content hashes of what it was read from."""
    scenes_key: str
    contexts_key: str
    questions_key: str


def caption_release_of(workbench: Workbench, group: CaptionGroup, partition: str) -> CaptionRelease:
    """Read a release.

    Raises:
        DatasetMissing: a part of it has not been made.
    """
    store = workbench.store
    scenes, contexts, probes = (group.key(name, partition) for name in (FILTERED_SCENES, CONTEXTS, MCQA_PROBES))
    questions = tuple(store.read(probes, "questions", ProbeQuestion))
    asked = {one.sample_id for one in questions}
    return CaptionRelease(
        partition=partition,
        samples=tuple(one for one in store.read(contexts, "samples", CaptionSample) if one.sample_id in asked),
        questions=questions,
        plans={one.dialogue_id: one for one in store.read(contexts, "plans", ConceptDialoguePlan)},
        lineage=parents(store, contexts, probes),
        scenes_key=scenes,
        contexts_key=contexts,
        questions_key=probes,
    )


def shown_captions(store: DatasetStore, partition: str) -> Iterator[Caption]:
    """Yield the captions that the release's scores are of; where nothing was scored, all that there are.

    Captions of earlier readers and code stay in the home beside them.
    """
    scored = store.find(f"{CAPTION_SCORES}/{partition}")
    keys = [] if scored is None else [key for key in scored.recipe.parents if key.startswith("captions/")]
    for key in keys or store.keys(f"captions/{partition}"):
        if store.find(key) is not None:
            yield from store.read(key, "captions", Caption)


def captions_key(
    workbench: Workbench, policy: CaptionPolicy, release: CaptionRelease, account: str, run: str, *, told: str
) -> str:
    """Caption every sample unless the policy's captions are there, and return their key.

    Args:
        workbench: gives store, books and who watches.
        policy: who captions.
        release: what is captioned.
        account: of the asset that asks; calls are booked on it with the policy's name.
        run: Dagster's id of the run, for the books.
        told: name of the work for who watches, and of the stage whose reader captions.
    """
    store = workbench.store
    key = f"captions/{release.partition}/{policy.name}-{policy.fingerprint}"
    recipe = Recipe(
        stage="captions",
        seed=workbench.profile.seed,
        parameters={
            "policy": policy.name,
            "fingerprint": policy.fingerprint,
            "benchmark": BENCHMARK_VERSION,
            **policy.parameters(),
        },
        models=tuple(policy.models()),
        prompt_versions=policy.prompts(),
        parents=release.lineage,
    )

    def make(writer: DatasetWriter) -> None:
        given = list(
            caption_samples(
                policy,
                release.samples,
                workers=workbench.callers("reader", told),
                progress=lambda done: workbench.watch(f"{told} {policy.name}", done, len(release.samples)),
            )
        )
        require_answers(policy.name, [one.failure for one in given])
        writer.write("captions", Caption, given)

    with workbench.ledger.account(f"{account}/{policy.name}", run):
        store.produce(key, recipe, make)
    return key
