"""LifeGraph as a policy: its name, its fingerprint, what it hands to the answering model, and what it retrieved."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from evaluation.life_graph_policy import LifeGraphPolicy
from lifeloom.lifegraph.retrieval_types import RetrievalSettings
from lifeloom.lifegraph.trace import RetrievalTrace
from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.scoring.life_policy import AskedQuestion, LifePolicy
from lifeloom.tasks import OptionText
from tests.lifeloom.lifegraph.searching import fishing_graph, fishing_life


def _policy(**settings: Any) -> LifeGraphPolicy:
    graph = fishing_graph()
    return LifeGraphPolicy(
        BuiltinModel(), {"ana": graph}.__getitem__, settings=RetrievalSettings(**settings), graphs="g1", code="c1"
    )


def _asked(question: str) -> AskedQuestion:
    return AskedQuestion(question, (), "open_generation")


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "lifegraph-d2-k3"),
        ({"depth": 3, "width": 5, "references": False}, "lifegraph-d3-k5-norefs"),
        ({"tools": True}, "lifegraph-d2-k3-tools"),
        ({"references": False, "tools": True}, "lifegraph-d2-k3-norefs-tools"),
    ],
)
def test_the_name_says_depth_width_and_what_is_on(settings: dict[str, Any], name: str) -> None:
    policy: LifePolicy = _policy(**settings)
    assert policy.name == name


def test_the_fingerprint_follows_whatever_may_change_an_answer() -> None:
    plain = _policy().fingerprint
    assert _policy().fingerprint == plain
    changed = [{"depth": 3}, {"most_candidates": 5}, {"early_stop": False}, {"visited": "node"}, {"most_references": 2}]
    assert len({plain, *(_policy(**one).fingerprint for one in changed)}) == len(changed) + 1
    other = LifeGraphPolicy(BuiltinModel(), {}.__getitem__, graphs="g2", code="c1")
    assert other.fingerprint != plain


def test_every_setting_is_among_the_parameters() -> None:
    settings = {one.name for one in dataclasses.fields(RetrievalSettings)}
    assert settings <= set(_policy().parameters())


def test_prompts_are_those_that_are_put() -> None:
    assert len(_policy().prompts()) == 5
    assert len(_policy(references=False, early_stop=False).prompts()) == 3
    assert any(one.startswith("graph_plan@") for one in _policy(tools=True).prompts())


def test_retrieved_ids_are_those_of_the_life_and_the_trace_can_be_read() -> None:
    life = fishing_life()
    answer = _policy(references=False).answer(_asked("Who was there on 2024-05-11?"), life)
    known = {one.concept_id for one in life.concepts} | {one.image_id for one in life.images}
    assert set(answer.retrieved_ids) <= known
    assert {"ana-e-2-0", "ana-e-2-1"} <= set(answer.retrieved_ids)
    assert answer.rounds == len(RetrievalTrace.model_validate_json(answer.trace).rounds)
    assert answer.prompt_tokens > 0
    assert all(name in answer.text for name in ("Ana", "Lia", "Rui"))


def test_without_references_no_picture_and_no_portrait_is_shown() -> None:
    found = _policy(references=False).look_up(_asked("Who was there on 2024-05-11?"), fishing_life())
    assert not found.shows_pictures
    assert (found.concepts, found.images) == ((), ())
    assert found.facts


def test_options_go_to_the_model_that_steers() -> None:
    asked = AskedQuestion("Is it?", (OptionText(letter="a", text="long grey hair"),), "multiple_choice")
    assert _policy(references=False).look_up(asked, fishing_life()).rounds >= 1


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("On how many different days did Ana go fishing?", "3"),
        ("What did Rui do right after the ice fishing with Ana, and where?", "lake"),
        ("When did my grandson go hiking for the first time?", "2024-08-20"),
    ],
)
def test_with_tools_counting_and_ordering_are_right(question: str, answer: str) -> None:
    assert answer in _policy(references=False, tools=True).answer(_asked(question), fishing_life()).text
