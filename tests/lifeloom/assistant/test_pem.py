from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.assistant.pem import NEUTRAL_PROFILE, counted, describe, evolve, smoothing
from lifeloom.records import BigFiveProfile


@pytest.mark.parametrize(
    ("m", "expected"),
    [
        (0, 0.5),  # cos 0 = 1
        (1, 0.500395),
        (10, 0.538197),  # cos 36° = 0.809017
        (20, 0.638197),  # cos 72° = 0.309017
        (25, 0.7),  # cos 90° = 0
        (30, 0.761803),
        (40, 0.861803),
        (50, 0.9),  # cos 180° = -1
        (51, 0.9),
        (10_000, 0.9),
    ],
)
def test_lambda_follows_the_cosine_of_appendix_a1(m: int, expected: float) -> None:
    assert smoothing(m) == pytest.approx(expected, abs=5e-7)


def test_lambda_never_falls_and_a_negative_turn_is_refused() -> None:
    shares = [smoothing(m) for m in range(60)]
    assert shares == sorted(shares)
    with pytest.raises(ValueError, match="from 1"):
        smoothing(-1)


def test_a_turn_moves_the_profile_by_the_moving_average() -> None:
    evolved = evolve(NEUTRAL_PROFILE, (5, 1, 3, 4, 2), 25)  # lambda 0.7
    assert evolved.profile.vector() == pytest.approx((3.6, 2.4, 3.0, 3.3, 2.7))
    assert (evolved.applied, evolved.skipped, evolved.smoothing) == (True, "", pytest.approx(0.7))
    assert evolved.inferred == (5, 1, 3, 4, 2)


def test_three_turns_by_hand() -> None:
    profile = NEUTRAL_PROFILE
    for turn, openness in enumerate((5, 5, 1)):
        profile = evolve(profile, (openness, 3, 3, 3, 3), counted(turn, 0)).profile
    first = 3 * smoothing(1) + 5 * (1 - smoothing(1))
    second = first * smoothing(2) + 5 * (1 - smoothing(2))
    third = second * smoothing(3) + 1 * (1 - smoothing(3))
    assert profile.openness == pytest.approx(third)
    assert smoothing(2) == pytest.approx(0.7 - 0.2 * math.cos(math.pi * 2 / 50))


def test_a_turn_that_shows_nothing_is_skipped_and_keeps_its_scores() -> None:
    before = evolve(NEUTRAL_PROFILE, (5, 1, 3, 4, 2), 1).profile
    evolved = evolve(before, (3, 3, 3, 3, 3), 2)
    assert (evolved.profile, evolved.applied, evolved.skipped) == (before, False, "neutral")
    assert evolved.inferred == (3,) * 5


@pytest.mark.parametrize(
    "scores", [None, (), (1, 2, 3), (1, 2, 3, 4, 6), (0, 3, 3, 3, 3), (3.5, 3, 3, 3, 3), (True,) * 5]
)
def test_a_bad_inference_is_rejected_for_the_turn_and_the_profile_stays(scores: object) -> None:
    before = evolve(NEUTRAL_PROFILE, (5, 1, 3, 4, 2), 1).profile
    evolved = evolve(before, scores, 2)  # type: ignore[arg-type]
    assert (evolved.profile, evolved.applied, evolved.skipped, evolved.inferred) == (before, False, "rejected", ())


def test_traits_can_be_skipped_one_by_one_as_the_release_does() -> None:
    before = BigFiveProfile(openness=5, conscientiousness=5, extraversion=5, agreeableness=5, neuroticism=5)
    assert evolve(before, (1, 3, 3, 3, 3), 50, skip="trait").profile.vector() == pytest.approx((4.6, 5, 5, 5, 5))
    assert evolve(before, (1, 3, 3, 3, 3), 50).profile.vector() == pytest.approx((4.6, 4.8, 4.8, 4.8, 4.8))


def test_a_skipped_turn_counts_unless_only_updates_do() -> None:
    assert counted(9, applied_before=4) == 10
    assert counted(9, applied_before=4, count="updates") == 5


@given(st.lists(st.tuples(*[st.integers(1, 5)] * 5), max_size=80))
def test_the_profile_never_leaves_its_range(turns: list[tuple[int, ...]]) -> None:
    profile = NEUTRAL_PROFILE
    for turn, scores in enumerate(turns):
        profile = evolve(profile, scores, counted(turn, 0)).profile
        assert all(1 <= score <= 5 for score in profile.vector())


def test_somebody_extreme_stays_at_the_edge() -> None:
    edge = BigFiveProfile(openness=5, conscientiousness=1, extraversion=5, agreeableness=1, neuroticism=5)
    for m in range(1, 60):
        edge = evolve(edge, (5, 1, 5, 1, 5), m).profile
    assert edge.vector() == pytest.approx((5, 1, 5, 1, 5))


def test_the_profile_in_words_gives_score_level_and_sign_of_each_trait() -> None:
    text = describe(
        BigFiveProfile(openness=4.14, conscientiousness=2.5, extraversion=3.49, agreeableness=3.5, neuroticism=1)
    )
    parts = text.split("; ")
    assert [part.split(":")[0].rstrip(")") for part in parts] == [
        "openness 4.1 (high",
        "conscientiousness 2.5 (low",
        "extraversion 3.5 (middle",
        "agreeableness 3.5 (high",
        "neuroticism 1.0 (low",
    ]
    assert "reserved" not in text
    assert "calm" in text
