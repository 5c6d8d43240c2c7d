"""Big Five inference on traits planned away from the middle, beside a constant 3."""

from __future__ import annotations

import pytest

from evaluation.big_five import BigFiveAccuracy, judge_big_five
from evaluation.personality_recovery import NEUTRAL, PersonalityCurve
from tests.evaluation.personalities import Five


def curve(
    planned: Five, inferred: Five, read: tuple[tuple[int, ...], ...] = ((),), user: str = "p-1"
) -> PersonalityCurve:
    return PersonalityCurve(user, "32k", (planned,) * len(read), (inferred,) * len(read), read)


def judged(*curves: PersonalityCurve) -> dict[tuple[str, str], BigFiveAccuracy]:
    return {(row.reading, row.trait): row for row in judge_big_five(curves, seed=7, bootstrap_samples=200)}


# Openness and neuroticism are away from 3; conscientiousness is exactly at the edge; the others are near 3.
ONE = curve((4.5, 3.5, 3.4, 2.6, 1.0), (3.5, 3.0, 5.0, 1.0, 1.5))
# Extraversion and agreeableness are away from 3; agreeableness is read on the wrong side.
TWO = curve((3.0, 3.0, 1.0, 5.0, 3.2), (5.0, 5.0, 2.0, 2.5, 5.0), user="p-2")


def test_only_traits_planned_away_from_3_are_judged() -> None:
    rows = judged(ONE, TWO)
    assert rows["profile", "all"].judged == 5
    assert {trait: rows["profile", trait].judged for _, trait in rows} == {
        "all": 5,
        "openness": 1,
        "conscientiousness": 1,
        "extraversion": 1,
        "agreeableness": 1,
        "neuroticism": 1,
    }
    assert rows["profile", "all"].conversations == 2


def test_errors_stand_beside_those_of_a_constant_3() -> None:
    row = judged(ONE, TWO)["profile", "all"]
    assert row.error == pytest.approx((1.0 + 0.5 + 0.5 + 1.0 + 2.5) / 5)
    assert row.neutral_error == pytest.approx((1.5 + 0.5 + 2.0 + 2.0 + 2.0) / 5)
    assert row.gain == pytest.approx((8 - 5.5) / 5)
    one, two = (4.0 - 2.0) / 3, (4.0 - 3.5) / 2  # either conversation alone, at the ends of the resamples
    assert (row.gain_low, row.gain_high) == pytest.approx((two, one))


def test_the_right_direction_is_the_planned_side_of_3_and_3_itself_is_undecided() -> None:
    row = judged(ONE, TWO)["profile", "all"]
    assert row.direction == pytest.approx(3 / 5)
    assert row.undecided == 1


def test_a_constant_3_gains_nothing_and_has_no_direction_and_no_correlation() -> None:
    neutral = (NEUTRAL,) * 5
    row = judged(curve(ONE.planned[0], neutral), curve(TWO.planned[0], neutral, user="p-2"))["profile", "all"]  # type: ignore[arg-type]
    assert (row.gain, row.gain_low, row.gain_high) == (0, 0, 0)
    assert (row.direction, row.undecided) == (0, 5)
    assert (row.correlation, row.correlation_low, row.correlation_high) == (None, None, None)


def test_a_trait_is_correlated_over_conversations() -> None:
    # Openness planned 1, 2, 4, 5 and inferred 2, 1, 5, 4: Pearson's 0.8 by hand (covariance 8, both spreads 10).
    curves = [
        curve((planned, 3.0, 3.0, 3.0, 3.0), (inferred, 3.0, 3.0, 3.0, 3.0), user=f"p-{planned}")
        for planned, inferred in ((1.0, 2.0), (2.0, 1.0), (4.0, 5.0), (5.0, 4.0))
    ]
    row = judged(*curves)["profile", "openness"]
    assert row.correlation == pytest.approx(0.8)
    assert row.correlation_low is not None
    assert row.correlation_high is not None
    assert row.correlation_low <= 0.8 <= row.correlation_high
    assert judged(*curves)["profile", "neuroticism"].judged == 0


def test_what_was_never_judged_has_no_numbers() -> None:
    row = judged(curve((3.0,) * 5, (5.0,) * 5))["profile", "all"]
    assert (row.judged, row.conversations, row.error, row.gain, row.direction) == (0, 0, None, None, None)


def test_single_turns_are_judged_by_the_scores_that_say_something() -> None:
    read = ((3, 3, 3, 3, 3), (5, 3, 3, 3, 1), (), (1, 3, 3, 3, 3))
    rows = judged(curve((4.0, 3.0, 3.0, 3.0, 1.5), (3.0,) * 5, read))
    openness, neuroticism = rows["turn", "openness"], rows["turn", "neuroticism"]
    assert openness.judged == 2  # neither the neutral turn nor the rejected one
    assert openness.error == pytest.approx((1 + 3) / 2)
    assert openness.neutral_error == 1
    assert openness.direction == 0.5
    assert (neuroticism.judged, neuroticism.direction, neuroticism.error) == (1, 1, 0.5)
    assert rows["turn", "all"].judged == 3


def test_the_profile_is_judged_against_what_is_in_force_at_the_end() -> None:
    shifted = PersonalityCurve("p-1", "32k", ((5.0,) * 5, (1.0,) * 5), ((5.0,) * 5, (2.0,) * 5), ((), ()))
    row = judged(shifted)["profile", "all"]
    assert (row.error, row.direction) == (1.0, 1.0)
