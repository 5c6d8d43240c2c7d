"""Checks of memories find what is wrong, and nothing where all is right."""

import dataclasses
import datetime as dt

import pytest

from lifeloom.memory.checks import citation_problems, coverage_problems, future_problems, profile_problems
from lifeloom.records import BY_CODE, BigFiveProfile, Memory, PersonalityPoint

START = dt.datetime(2026, 3, 1, 10, 0, tzinfo=dt.UTC)


@dataclasses.dataclass(frozen=True)
class Said:
    turn_index: int
    at: dt.datetime


TURNS = {"ana": [Said(index, START + dt.timedelta(minutes=10 * index)) for index in range(4)]}


def memory(**changes) -> Memory:
    fields = {
        "user_id": "ana",
        "memory_id": "memory-1",
        "kind": "episodic",
        "content": "Tea and trains.",
        "source_turns": (0, 1, 2, 3),
        "happened_from": START,
        "happened_to": START + dt.timedelta(minutes=30),
        "known_at": START + dt.timedelta(minutes=90),
        "known_turns": 4,
        "made_by": BY_CODE,
    }
    return Memory(**{**fields, **changes})


def point(turn: int, **changes) -> PersonalityPoint:
    threes = BigFiveProfile(openness=3, conscientiousness=3, extraversion=3, agreeableness=3, neuroticism=3)
    fields = {
        "user_id": "ana", "turn_index": turn, "at": START, "inferred": (3, 3, 3, 3, 3), "applied": False,
        "skipped": "neutral", "smoothing": 0.5, "profile": threes, "made_by": BY_CODE,
    }  # fmt: skip
    return PersonalityPoint(**{**fields, **changes})


def test_memories_as_they_should_be_have_no_problems():
    name = memory(memory_id="core-1", kind="core", label="human", key="name", content="Ana", source_turns=(),
                  known_at=START, known_turns=0, happened_to=START)  # fmt: skip
    rows = [memory(), name]

    assert coverage_problems(rows, TURNS) == []
    assert citation_problems(rows, TURNS) == []
    assert future_problems(rows, TURNS) == []
    assert profile_problems([point(turn) for turn in range(4)], TURNS) == []


def test_a_turn_in_no_episode_is_named():
    assert coverage_problems([memory(source_turns=(0, 1, 3))], TURNS) == ["ana: no episode covers turns 2"]


def test_other_kinds_do_not_cover_turns():
    problems = coverage_problems([memory(kind="semantic", label="fact")], TURNS)

    assert problems == ["ana: no episode covers turns 0, 1, 2, 3"]


@pytest.mark.parametrize("changes", [{"source_turns": (0, 9)}, {"source_turns": ()}, {"user_id": "bob"}])
def test_citations_that_lead_nowhere_are_found(changes):
    assert len(citation_problems([memory(**changes)], TURNS)) == 1


def test_a_value_taken_back_by_a_turn_that_there_is_not_is_found():
    assert len(citation_problems([memory(ended_by_turns=(7,), ended_at=START)], TURNS)) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"known_at": START + dt.timedelta(minutes=29)},
        {"known_turns": 3},
        {"ended_at": START, "ended_by_turns": (3,)},
    ],
)
def test_memories_from_the_future_are_found(changes):
    assert len(future_problems([memory(**changes)], TURNS)) == 1


def test_a_gap_in_the_personality_curve_is_found():
    assert len(profile_problems([point(0), point(1), point(3)], TURNS)) == 1


def test_inferred_scores_outside_of_the_scale_are_found():
    points = [point(0, inferred=(3, 3, 6, 3, 3)), point(1), point(2), point(3)]

    assert profile_problems(points, TURNS) == ["turn 0 of ana: a score outside of 1..5"]
