"""Recall and precision of memories against plans, counted by hand."""

import pytest

from evaluation.memory_quality import measure, quality_markdown, truth_of
from tests.evaluation.memory_quality.truths import a_fact, a_memory, a_plan, said

TEA = a_fact("tea", "mint tea")
COCOA = a_fact("cocoa", "cocoa", status="replaced")
WINE = a_fact("wine", "red wine", status="someone_else", holder_name="Ana Reis", holder_relation="sister")
BOAT = a_fact("boat", "build a boat", "goal", phrase="spare time goal")
KITE = a_fact("kite", "fly a kite", "goal", status="given_up", phrase="spare time goal")


def measured(plan, *memories):
    return measure([truth_of(plan)], memories, bootstrap_samples=50)


def test_what_was_said_is_right_missing_or_wrong_in_one_of_two_ways():
    plan = a_plan([TEA, WINE], [(said("tea"),), (said("tea"),), (said("wine", "other_person"),), (said("tea"),)])
    quality = measured(
        plan,
        a_memory("The user's evening drink is mint tea.", 0),
        a_memory("The user does not drink mint tea.", 1),
        a_memory("The user drinks red wine.", 2),
    )
    recall = quality.row("recall")
    assert (recall.count, recall.right) == (4, 1)
    assert recall.faults == {"missing": 1, "wrong_holder": 1, "wrong_polarity": 1}
    assert quality.row("recall", "statement", "other_person").faults == {"wrong_holder": 1}
    assert quality.row("recall", "fact", "preference").count == 4


def test_a_shift_is_right_when_the_new_value_holds():
    plan = a_plan([TEA, COCOA], [(said("tea", "shift", previous_fact_id="cocoa"),)])
    assert measured(plan, a_memory("The user switched from cocoa to mint tea.", 0)).row("recall").right == 1
    assert measured(plan, a_memory("The user switched from mint tea to cocoa.", 0)).row("recall").right == 0


def test_what_is_denied_must_be_remembered_as_denied():
    plan = a_plan([TEA], [(said("tea", "negation"),)])
    assert measured(plan, a_memory("The user doesn't drink mint tea.", 0)).row("recall").right == 1
    assert measured(plan, a_memory("The user drinks mint tea.", 0)).row("recall").faults == {"wrong_polarity": 1}


def test_a_memory_of_another_turn_does_not_count_and_a_mention_is_not_asked_for():
    plan = a_plan([TEA], [(said("tea", "mention"),), (said("tea"),)])
    quality = measured(plan, a_memory("The user drinks mint tea.", 0))
    assert (quality.row("recall").count, quality.row("recall").right) == (1, 0)
    assert quality.row("precision").right == 1


def test_a_memory_of_small_talk_is_one_too_many():
    plan = a_plan([TEA], [(said("tea"),), ()])
    quality = measured(
        plan,
        a_memory("The user drinks mint tea.", 0),
        a_memory("The user saw a cloud.", 1),
        a_memory("The user never drinks mint tea.", 0),
    )
    precision = quality.row("precision")
    assert (precision.count, precision.right, precision.faults) == (3, 1, {"false": 1, "unplanned": 1})
    assert quality.row("precision", "act", "small_talk").faults == {"unplanned": 1}


def test_goals_are_judged_at_the_end():
    plan = a_plan([BOAT, KITE], [(said("boat"),), (said("kite", "given_up"),)])
    quality = measured(
        plan,
        a_memory("The user wants to build a boat.", 0, kind="procedural"),
        a_memory("The user wants to fly a kite.", 1, kind="procedural"),
        a_memory("The user wants to sing.", 1, kind="procedural", ended_at=plan.turns[1].at),
    )
    assert quality.row("goals_recall").right == 1
    assert quality.row("goals_precision").faults == {"false": 1}
    assert quality.row("goals_precision").count == 2


def test_episodes_are_judged_by_coverage_purity_and_togetherness():
    plan = a_plan([TEA], [(said("tea"),), (said("tea"),), (), (said("tea"),)])
    quality = measured(plan, a_memory("Tea.", 0, 1, 2, kind="episodic"), a_memory("Talk.", 2, kind="episodic")).episodes
    assert (quality.turns, quality.covered, quality.repeated, quality.episodes) == (4, 3, 1, 2)
    assert quality.purity == pytest.approx(3 / 4)
    assert quality.kept_together == 1.0


def test_intervals_hold_the_share_and_users_without_memories_count():
    plans = [a_plan([TEA], [(said("tea"),)], user=f"user-{i}") for i in range(8)]
    kept = [a_memory("The user drinks mint tea.", 0, user=f"user-{i}") for i in range(6)]
    quality = measure(map(truth_of, plans), [*kept, a_memory("x", 0, user="stranger")], bootstrap_samples=200)
    row = quality.row("recall")
    assert row.value == 0.75
    assert row.low < 0.75 < row.high
    assert (quality.users, quality.memories) == (8, 6)
    assert "| all | 8 | 0.750 |" in quality_markdown(quality)


def test_a_line_that_is_not_there_is_a_key_error():
    quality = measured(a_plan([TEA], [()]))
    with pytest.raises(KeyError, match="no recall"):
        quality.row("recall")
