"""Captioners on sets of concepts: what the context holds, and which names captions hold."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.concept_grounding import (
    GroundedCaption,
    GroundingConcept,
    GroundingSet,
    GroundingTest,
    ground,
    named_in,
)
from evaluation.concept_grounding.running import Setting
from lifeloom.records import PictureReference
from lifeloom.scoring.caption_policy import ContextView, Told
from lifeloom.store import MediaMissing
from tests.scenes import reference

NAMES = ("Nadia", "Omar", "Biscuit")
SET = GroundingSet(
    "rap",
    tuple(GroundingConcept(name, reference(name), f"This is {name}.") for name in NAMES),
    (
        GroundingTest("a.png", reference("a"), ("Nadia", "Biscuit")),
        GroundingTest("b.png", reference("b"), ("Omar",)),
        GroundingTest("c.png", reference("c"), ("Biscuit",)),
    ),
    (),
)


class Repeats:
    """Says whatever the user said of the context."""

    name = "repeats"

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.views: list[ContextView] = []
        self.prepared: list[PictureReference] = []

    def prepare(self, views: Sequence[ContextView]) -> None:
        self.prepared += [one.query for one in views]

    def caption(self, view: ContextView) -> Told:
        self.views.append(view)
        if view.query == reference(self.broken or "nobody"):
            return Told(text="", failure="refused")
        return Told(text=" ".join(turn.user for part in view.parts for turn in part.turns))


class Nearest:
    """Retrieves the last two concepts, and fails for one picture."""

    def nearest_by_part(self, query: PictureReference, context: Sequence[PictureReference], each: int) -> list[int]:
        if query == reference("c"):
            raise MediaMissing("gone")
        assert list(context) == [reference(name) for name in NAMES]
        assert each == 2
        return [2, 1]


def run(setting: Setting, policy: Repeats, workers: int = 1) -> list[GroundedCaption]:
    return list(ground(policy, SET, setting, Nearest(), workers=workers))  # type: ignore[arg-type]


def test_without_retrieval_the_context_is_who_is_in_the_picture() -> None:
    policy = Repeats()
    rows = run("skip_retrieval", policy)
    assert [row.given for row in rows] == [("Nadia", "Biscuit"), ("Omar",), ("Biscuit",)]
    assert [row.named for row in rows] == [("Nadia", "Biscuit"), ("Omar",), ("Biscuit",)]
    assert [(row.set_name, row.setting, row.policy) for row in rows] == [("rap", "skip_retrieval", "repeats")] * 3
    assert [part.picture for part in policy.views[0].parts] == [reference("Nadia"), reference("Biscuit")]
    assert policy.prepared == [reference("a"), reference("b"), reference("c")]


def test_with_retrieval_the_context_is_what_was_found_and_a_picture_that_is_gone_has_its_reason() -> None:
    rows = run("retrieval", Repeats())
    assert [row.given for row in rows] == [("Biscuit", "Omar"), ("Biscuit", "Omar"), ()]
    assert [row.named for row in rows] == [("Omar", "Biscuit"), ("Omar", "Biscuit"), ()]
    assert [row.failure for row in rows] == ["", "", "picture_missing"]


def test_a_caption_that_is_missing_names_nobody() -> None:
    rows = run("skip_retrieval", Repeats(broken="b"))
    assert [(row.text, row.named, row.failure) for row in rows][1] == ("", (), "refused")


def test_several_captions_at_once_come_in_order() -> None:
    assert run("skip_retrieval", Repeats(), workers=3) == run("skip_retrieval", Repeats())


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Here is Nadia's dog.", ("Nadia",)),
        ("NADIA and <omar> wave.", ("Nadia", "Omar")),
        ("Nadiana and Omaru wave.", ()),
        ("A brown-duck swims.", ("brown-duck",)),
        ("A brown duck swims.", ("brown-duck",)),
        ("A duck swims.", ("duck",)),
        ("<brown_duck>, a duck.", ("brown-duck", "duck")),
        ("", ()),
    ],
)
def test_a_name_is_a_word_of_its_own_and_the_longer_name_counts(text: str, named: tuple[str, ...]) -> None:
    assert named_in(text, ("Nadia", "Omar", "brown-duck", "duck")) == named


def test_where_there_are_no_names_none_is_found() -> None:
    assert named_in("Nadia", ()) == ()
