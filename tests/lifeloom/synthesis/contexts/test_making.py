"""Contexts in words: complete, sound, the same whatever else is made, and left out where a dialogue is missing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import numpy as np

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.protocol import Generation
from lifeloom.records import Edition, LibraryImage, SceneImage, ScenePlan
from lifeloom.streams import Streams
from lifeloom.synthesis.contexts import ContextOrder, MadeContext, NearestPictures, make_contexts
from lifeloom.synthesis.contexts.checks import (
    dialogue_problems,
    entry_problems,
    handle_problems,
    leak_problems,
    position_shares,
    positive_problems,
)
from lifeloom.tasks import ConceptDialogueInput
from tests.scenes import image_of, library_image, scene

NOUNS = ("person",) * 12 + ("dog", "cat", "owl", "black dog") * 3 + ("red mug", "blue mug", "guitar", "kite") * 3
POOL = [library_image(f"i{number:02}", noun) for number, noun in enumerate(NOUNS)]
ORDER = ContextOrder(release_id="shard-000", negatives=2, ends_on=dt.date(2025, 12, 31))


def near(pool: Sequence[LibraryImage]) -> NearestPictures:
    vectors = np.random.default_rng(4).standard_normal((len(pool), 8)).astype(np.float32)
    return NearestPictures([one.image_id for one in pool], vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def scenes(count: int, edition: Edition = "corpus") -> list[tuple[ScenePlan, SceneImage]]:
    plans = [
        scene(
            f"s{number:03}",
            *(f"i{(number * 7 + 9 * one) % len(POOL):02}" for one in range(1 + number % 4)),
            edition=edition,
        )
        for number in range(count)
    ]
    return [(plan, image_of(plan)) for plan in plans]


def make(those: Sequence[tuple[ScenePlan, SceneImage]], writer: Any = None, callers: int = 1) -> list[MadeContext]:
    made = make_contexts(
        those, POOL, near(POOL), writer or BuiltinModel(), ORDER, Streams(5), stage="contexts", callers=callers
    )
    return list(made)


class Refuses:
    """The built-in writer, but for one handle's dialogue it tells something else."""

    takes_pictures = False
    window_tokens = 8192

    def __init__(self, handle: str) -> None:
        self.handle = handle
        self.model = BuiltinModel()
        self.identity = self.model.identity

    def run(self, task: Any, asked: ConceptDialogueInput, *args: Any, **more: Any) -> Generation[Any]:
        given = self.model.run(task, asked, *args, **more)
        if asked.handle != self.handle:
            return given
        turns = tuple(one.model_copy(update={"user": "Nothing to tell."}) for one in given.output.turns)
        return Generation(given.output.model_copy(update={"turns": turns}), given.usage, given.provenance)


def test_the_built_in_writer_keeps_to_every_plan_in_both_editions() -> None:
    for edition in ("corpus", "release"):
        those = scenes(80, edition)  # type: ignore[arg-type]
        made = make(those)
        assert [one.rejections for one in made] == [()] * 80
        samples = [one.sample for one in made if one.sample is not None]
        plans = {plan.dialogue_id: plan for one in made for plan in one.plans}
        assert entry_problems(samples, 2) == []
        assert positive_problems(samples, {plan.scene_id: plan for plan, _ in those}) == []
        assert leak_problems(samples, {one.image_id: one for one in POOL}, "train", disjoint=True) == []
        assert handle_problems(plans.values()) == []
        assert dialogue_problems(samples, plans) == []
        assert all(0.2 < share < 0.47 for share in position_shares(samples).values())
        assert [one.concepts for one in samples] == [1, 2, 3, 4] * 20
        assert [len(one.entries) for one in samples] == [3, 6, 9, 12] * 20


def test_a_sample_is_its_query_picture_with_the_librarys_own_pictures() -> None:
    ((plan, image),) = scenes(1)
    (made,) = make([(plan, image)])
    sample = made.sample
    assert sample is not None
    assert (sample.sample_id, sample.query, sample.split) == (plan.scene_id, image.picture, "train")
    assert sample.release_id == "shard-000"
    pictures = {one.image_id: one.picture for one in POOL}
    assert all(one.picture == pictures[one.image_id] for one in sample.entries)
    assert sample.made_by.backend == "builtin"


def test_one_context_alone_is_the_one_made_among_others() -> None:
    those = scenes(6)
    together = make(those)
    assert make(those[4:5]) == together[4:5]
    assert make(those, callers=3) == together


def test_a_context_with_a_dialogue_that_could_not_be_worded_is_left_out_and_both_reasons_are_kept() -> None:
    those = scenes(3)
    whole = make(those)
    lost = whole[1].plans[2]
    made = make(those, Refuses(lost.handle))
    kept = [one.sample is not None for one in made]
    assert not kept[1]
    assert made[1].plans == ()
    assert [(one.item, one.reason) for one in made[1].rejections] == [
        (lost.dialogue_id, "dialogue_not_as_planned"),
        ("s001", "dialogue_missing"),
    ]
    assert made[1].rejections[1].detail == lost.dialogue_id


def test_what_cannot_be_planned_is_a_rejection_and_the_others_go_on() -> None:
    strange = scene("s900", "nobody")
    made = make([(strange, image_of(strange)), *scenes(1)])
    assert [one.reason for one in made[0].rejections] == ["concept_not_in_library"]
    assert made[1].sample is not None
