"""Recovery of the planned personality: error by turn, lag after a shift."""

from __future__ import annotations

import pytest

from evaluation.personality_recovery import (
    CurveMismatch,
    PersonalityCurve,
    errors_by_turn,
    followed,
    lags_after_shifts,
    middle_lag,
    sampled_curves,
)
from lifeloom.assistant.pem import NEUTRAL_PROFILE, evolve
from tests.evaluation.personalities import Five, curve_of, plan, point

CALM: Five = (3.0, 3.0, 4.0, 3.0, 1.0)
LOUD: Five = (3.0, 3.0, 2.0, 3.0, 1.0)


def curve(planned: list[Five], inferred: list[Five], user: str = "p-1") -> PersonalityCurve:
    return PersonalityCurve(user, "32k", tuple(planned), tuple(inferred), ((),) * len(planned))


def flat(score: float) -> Five:
    return (score, score, score, score, score)


def test_the_scores_in_force_are_those_of_the_turns_session() -> None:
    plans = [plan([(2, CALM), (1, LOUD)])]
    (found,) = followed(plans, {"p-1": curve_of({0: flat(3), 1: flat(3.5), 2: flat(2)})})
    assert found.planned == (CALM, CALM, LOUD)
    assert found.inferred == (flat(3), flat(3.5), flat(2))
    assert (found.user_id, found.setting) == ("p-1", "32k")


def test_after_a_turn_without_a_point_the_profile_is_what_it_was() -> None:
    (found,) = followed([plan([(4, CALM)])], {"p-1": [point(1, flat(4), (4, 4, 4, 4, 4)), point(3, flat(5))]})
    assert found.inferred == (flat(3), flat(4), flat(4), flat(5))
    assert found.read == ((), (4, 4, 4, 4, 4), (), ())


def test_curves_and_plans_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(CurveMismatch, match="p-1 has no personality curve"):
        followed([plan([(2, CALM)])], {"p-2": curve_of({0: flat(3)})})
    with pytest.raises(CurveMismatch, match="at turn 2, but the plan has 2 turns"):
        followed([plan([(2, CALM)])], {"p-1": curve_of({2: flat(3)})})
    with pytest.raises(CurveMismatch, match="two plans"):
        followed([plan([(2, CALM)])] * 2, {"p-1": curve_of({0: flat(3)})})


def test_errors_are_means_over_turns_and_traits_by_bins_beside_the_constant_3() -> None:
    # Planned 5 throughout. Turns 0-1 read as 3, turns 2-4 as 4 by one user; the other has two turns, read as 5.
    one = curve([flat(5)] * 5, [flat(3)] * 2 + [flat(4)] * 3)
    two = curve([flat(5)] * 2, [flat(5)] * 2, "p-2")
    first, second = errors_by_turn([one, two], seed=7, bootstrap_samples=100, bins=(0, 2, 10))
    assert (first.first_turn, first.last_turn, first.turns, first.conversations) == (0, 1, 4, 2)
    assert (first.error, first.neutral_error, first.gain) == pytest.approx((1.0, 2.0, 1.0))
    assert (first.error_low, first.error_high) == pytest.approx((0.0, 2.0))  # either user alone
    assert (second.first_turn, second.last_turn, second.turns, second.conversations) == (2, 4, 3, 1)
    assert (second.error, second.gain_low, second.gain_high) == pytest.approx((1.0, 1.0, 1.0))


def test_a_profile_worse_than_nothing_has_a_gain_below_zero() -> None:
    (row,) = errors_by_turn([curve([CALM], [flat(5)])], seed=7, bootstrap_samples=100)
    assert row.neutral_error == pytest.approx((0 + 0 + 1 + 0 + 2) / 5)
    assert row.error == pytest.approx((2 + 2 + 1 + 2 + 4) / 5)
    assert row.gain == pytest.approx(-1.6)


def test_half_a_step_is_counted_from_the_profile_before_the_shift() -> None:
    # Extraversion is planned from 4 to 2: half the step is one point down from 3.4, reached after the third turn.
    planned = [CALM] * 2 + [LOUD] * 4
    extraversion = [3.2, 3.4, 3.1, 2.6, 2.4, 2.2]
    (lag,) = lags_after_shifts([curve(planned, [(3.0, 3.0, e, 3.0, 2.0) for e in extraversion])])
    assert (lag.trait, lag.turn_index, lag.before, lag.after) == ("extraversion", 2, 4.0, 2.0)
    assert (lag.profile_before, lag.turns_after, lag.lag) == (3.4, 4, 3)
    assert (lag.still_traits, lag.still_moved) == (4, 0)


def test_a_shift_that_is_never_followed_is_counted_and_so_is_what_drifts_by_itself() -> None:
    planned = [CALM] * 2 + [LOUD] * 3
    inferred: list[Five] = [(4.0, 3.0, 3.0, 3.0, 3.0)] * 2 + [(3.0, 3.0, 3.5, 2.0, 4.0)] * 3
    (lag,) = lags_after_shifts([curve(planned, inferred)])
    assert lag.lag is None  # it moved to the other side
    assert lag.still_moved == 2  # openness and agreeableness went down by one, neuroticism up


def test_a_trait_that_shifts_twice_is_followed_until_it_shifts_again() -> None:
    up: Five = (3.0, 3.0, 5.0, 3.0, 1.0)
    planned = [CALM] * 1 + [LOUD] * 2 + [up] * 2
    extraversion = [4.0, 4.0, 4.0, 3.5, 6.0 - 1.0]
    first, second = lags_after_shifts([curve(planned, [(3.0, 3.0, e, 3.0, 1.0) for e in extraversion])])
    assert (first.turns_after, first.lag) == (2, None)
    assert (second.before, second.after, second.lag) == (2.0, 5.0, None)  # 1 of 3 points is not half


def test_two_traits_that_shift_at_once_are_two_lags_and_not_still() -> None:
    after: Five = (3.0, 3.0, 2.0, 3.0, 3.0)
    lags = lags_after_shifts([curve([CALM, after, after], [CALM, after, after])])
    assert [(lag.trait, lag.lag, lag.still_traits) for lag in lags] == [("extraversion", 1, 3), ("neuroticism", 1, 3)]


def test_a_conversation_without_a_shift_has_no_lag() -> None:
    assert lags_after_shifts([curve([CALM] * 3, [flat(3)] * 3)]) == []


def test_the_median_takes_shifts_that_were_never_followed_as_the_latest() -> None:
    planned = [CALM, LOUD, LOUD, LOUD]

    def lag_of(turns: int) -> PersonalityCurve:
        extraversion = [4.0] * turns + [2.0] * (4 - turns)
        return curve(planned, [(3.0, 3.0, e, 3.0, 1.0) for e in extraversion])

    followed_after = {turns: lags_after_shifts([lag_of(turns)])[0] for turns in (1, 2, 4)}
    assert [followed_after[turns].lag for turns in (1, 2, 4)] == [1, 2, None]
    assert middle_lag([followed_after[n] for n in (1, 2, 4)]) == 2
    assert middle_lag([followed_after[n] for n in (1, 4, 4)]) is None
    assert middle_lag([followed_after[n] for n in (1, 4)]) is None
    assert middle_lag([]) is None


def test_a_steady_mechanism_recovers_half_a_step_when_its_smoothing_says() -> None:
    # From turn 50 on lambda is 0.9, so that after n turns 1 - 0.9 ** n of the step is done: 0.5217 after seven.
    profile, points = NEUTRAL_PROFILE, []
    for turn in range(120):
        scores = (3, 3, 5 if turn < 80 else 1, 3, 3)
        profile = evolve(profile, scores, turn + 1).profile
        points.append(point(turn, profile.vector(), scores))
    before: Five = (3.0, 3.0, 5.0, 3.0, 3.0)
    after: Five = (3.0, 3.0, 1.0, 3.0, 3.0)
    (lag,) = lags_after_shifts(followed([plan([(80, before), (40, after)])], {"p-1": points}))
    assert lag.profile_before == pytest.approx(5, abs=0.01)
    assert lag.lag == 7


def test_a_sample_of_curves_follows_from_the_seed() -> None:
    curves = [curve([CALM], [CALM], f"p-{n}") for n in range(30)]
    drawn = sampled_curves(curves, 10, seed=7)
    assert len({one.user_id for one in drawn}) == 10
    assert drawn == sampled_curves(curves, 10, seed=7)
    assert drawn != sampled_curves(curves, 10, seed=8)
    assert sampled_curves(curves[:3], 10, seed=7) == curves[:3]
