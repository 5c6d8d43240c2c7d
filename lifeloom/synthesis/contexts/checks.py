"""Are contexts sound: negatives that are none, identities of the right side, dialogues that say their facts (C4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from lifeloom.records import CaptionSample, ConceptDialoguePlan, LibraryImage, Rejection, ScenePlan, Split
from lifeloom.synthesis.contexts.words import TURNS, says_fact

__all__ = [
    "account_problems",
    "dialogue_problems",
    "entry_problems",
    "handle_problems",
    "leak_problems",
    "position_shares",
    "positive_problems",
]


def entry_problems(samples: Iterable[CaptionSample], negatives: int) -> list[str]:
    """Return what is wrong with entries: no positive, an identity twice, too few negatives, wrong ids."""
    problems = []
    for sample in samples:
        positives = [one for one in sample.entries if one.positive]
        others = [one for one in sample.entries if not one.positive]
        if not positives:
            problems.append(f"{sample.sample_id} has no positive")
        if len({one.identity for one in sample.entries}) != len(sample.entries):
            problems.append(f"{sample.sample_id} shows an identity twice")
        if len(others) != negatives * len(positives):
            problems.append(f"{sample.sample_id} has {len(others)} negatives for {len(positives)} positives")
        wrong = [i for i, one in enumerate(sample.entries) if one.dialogue_id != f"{sample.sample_id}-c{i}"]
        if wrong:
            problems.append(f"{sample.sample_id}: entry {wrong[0]} is called {sample.entries[wrong[0]].dialogue_id}")
        if any(len(one.turns) != TURNS for one in sample.entries):
            problems.append(f"{sample.sample_id} has a dialogue without {TURNS} turns")
        if any(one.picture.content_hash == sample.query.content_hash for one in sample.entries):
            problems.append(f"{sample.sample_id} has its query picture in its context")
    return problems


def positive_problems(samples: Iterable[CaptionSample], scenes: Mapping[str, ScenePlan]) -> list[str]:
    """Return the contexts whose positives are not what was planned into their query picture, or whose negatives are."""
    problems = []
    for sample in samples:
        scene = scenes[sample.sample_id]
        positives = {one.image_id for one in sample.entries if one.positive}
        if positives != set(scene.image_ids):
            problems.append(f"{sample.sample_id} has other positives than its query picture has concepts")
        shown = [one.identity for one in sample.entries if not one.positive and one.identity in scene.identities]
        problems += [f"{sample.sample_id} has {one} as a negative, which its query picture shows" for one in shown]
    return problems


def leak_problems(
    samples: Iterable[CaptionSample], library: Mapping[str, LibraryImage], split: Split, *, disjoint: bool
) -> list[str]:
    """Return the contexts that show an identity of the other split, or a picture that the library does not have."""
    problems = []
    for sample in samples:
        for one in sample.entries:
            image = library.get(one.image_id)
            if image is None:
                problems.append(f"{sample.sample_id} shows {one.image_id}, which is not in the library")
            elif image.identity != one.identity:
                problems.append(f"{sample.sample_id} calls {one.image_id} {one.identity}, which is {image.identity}")
            elif disjoint and image.split != split:
                problems.append(f"{sample.sample_id} shows {one.identity}, which is for {image.split}: it leaks")
    return problems


def handle_problems(plans: Iterable[ConceptDialoguePlan]) -> list[str]:
    """Return the contexts in which two things are called the same."""
    counts = Counter((plan.sample_id, plan.handle.lower()) for plan in plans)
    return [f"{sample} calls two of its pictures {handle!r}" for (sample, handle), count in counts.items() if count > 1]


def dialogue_problems(samples: Iterable[CaptionSample], plans: Mapping[str, ConceptDialoguePlan]) -> list[str]:
    """Return the dialogues that do not state a planned fact in its turn, or have no plan."""
    problems = []
    for sample in samples:
        for one in sample.entries:
            plan = plans.get(one.dialogue_id)
            if plan is None:
                problems.append(f"{one.dialogue_id} has no plan")
                continue
            if plan.image_id != one.image_id:
                problems.append(f"{one.dialogue_id} was planned for {plan.image_id} and stands beside {one.image_id}")
            problems += [
                f"{one.dialogue_id} does not say {fact.value!r}"
                for fact in plan.facts
                if not says_fact(one.turns[fact.turn].user, fact)
            ]
    return problems


def account_problems(
    scenes: Iterable[str], samples: Iterable[CaptionSample], rejections: Iterable[Rejection]
) -> list[str]:
    """Return the query pictures that have neither a context nor a reason why not."""
    told = {one.sample_id for one in samples} | {one.item for one in rejections}
    return [f"{one} is lost" for one in scenes if one not in told]


def position_shares(samples: Iterable[CaptionSample]) -> dict[str, float]:
    """Return the share of positives in the first, middle and last third of their contexts: even where shuffled."""
    counts = {"first third": 0, "middle third": 0, "last third": 0}
    for sample in samples:
        for index in sample.positives:
            third = min(2, 3 * index // len(sample.entries))
            counts[list(counts)[third]] += 1
    total = max(1, sum(counts.values()))
    return {name: count / total for name, count in counts.items()}
