"""Tables of the memory agent's evaluation: which numbers stand in which cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluation.ablations import AGENT, ComponentRank, TopicPoint
from evaluation.big_five import judge_big_five
from evaluation.efficiency import BASELINE, Efficiency
from evaluation.memory_tables import (
    aspect_table,
    big_five_table,
    difference_table,
    efficiency_table,
    lag_table,
    personality_error_table,
    rank_lines,
    task_table,
    topics_table,
)
from evaluation.paper_shape import ShapeLine, beside_the_paper, shape_table
from evaluation.persona_mme import score_predictions
from evaluation.personality_recovery import PersonalityCurve, ShiftLag, errors_by_turn
from lifeloom.records import Score
from tests.evaluation.agents import difference
from tests.evaluation.examples import case, prediction


def cells(table: str) -> list[list[str]]:
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert set(lines[1]) == {"---"}
    assert len({len(line) for line in lines}) == 1
    return [lines[0], *lines[2:]]


def scores(policy: str, right: Sequence[bool]) -> list[Score]:
    cases = [
        case("case-a", task="SIR", pair=("Gladly!", "Noted.")),
        case("case-b", task="RR"),
        case("case-c", task="RR", setting="128k"),
    ]
    kinds = [(cases[0], "choice"), (cases[0], "alignment_chosen"), (cases[0], "alignment_rejected")]
    asked: list[Any] = [*kinds, (cases[1], "choice"), (cases[2], "choice")]
    answers = [prediction(one, kind, policy=policy, correct=ok) for (one, kind), ok in zip(asked, right, strict=True)]
    return score_predictions(cases, answers, backend="b", model="m", code_revision="r", seed=7, bootstrap_samples=100)


SCORES = [
    *scores(BASELINE, [True, True, False, True, False]),
    *scores(AGENT, [True, True, True, True, True]),
    *scores("blind", [False] * 5),
    *scores("blind_longest", [False] * 5),
]


def taken(policy: str, setting: str, against: str = BASELINE, **changes: Any) -> Efficiency:
    values: dict[str, Any] = {
        "benchmark": "persona_mme",
        "benchmark_version": "1",
        "release_id": "2026-01-05",
        "policy": policy,
        "policy_fingerprint": "p",
        "against": against,
        "setting": setting,
        "requests": 1_200,
        "failed": 0,
        "prompt_tokens": 1_234.4,
        "completion_tokens": 60.6,
        "fewer_tokens": 95.04,
        "fewer_tokens_low": 94.0,
        "fewer_tokens_high": 96.0,
        "timed_requests": 1_200,
        "seconds": 0.01234,
        "speed": 1.5,
        "speed_low": 1.4,
        "speed_high": 1.6,
        "seed": 7,
        **changes,
    }
    return Efficiency(**values)


def test_the_table_by_aspect_has_a_row_a_policy_in_per_cent_with_intervals() -> None:
    header, *rows = cells(aspect_table(SCORES, "32k"))
    assert header == [
        "policy", "Memory", "Intent", "Preference", "Behavior", "Relationship", "Growth", "Alignment", "all"
    ]  # fmt: skip
    assert [row[0] for row in rows] == [BASELINE, AGENT, "blind"]
    assert rows[0][1] == "100.0 [100, 100]"
    assert rows[0][2] == "-"  # nothing was asked of it
    assert rows[0][7] == "50.0 [50, 50]"
    assert rows[0][8].startswith("75.0 [")


def test_the_table_by_task_puts_settings_side_by_side() -> None:
    header, *rows = cells(task_table(SCORES))
    assert header == [
        "task", "aspect", f"{AGENT}, 32k", f"{BASELINE}, 32k", f"{AGENT}, 128k", f"{BASELINE}, 128k"
    ]  # fmt: skip
    by_task = {row[0]: row for row in rows}
    assert len(rows) == 15
    assert by_task["RR"] == [
        "RR",
        "Relationship",
        "100.0 [100, 100]",
        "100.0 [100, 100]",
        "100.0 [100, 100]",
        "0.0 [0, 0]",
    ]
    assert by_task["PA"][2:4] == ["100.0 [100, 100]", "50.0 [50, 50]"]
    assert by_task["VDR"][2:] == ["-"] * 4
    assert by_task["all"][3].startswith("75.0 [")


def test_differences_have_a_sign() -> None:
    rows = [
        difference("agent_without_core", "32k", -1.26, -3.0, 0.5),
        difference("agent_without_core", "32k", 2.0, 1.0, 3.0, aspect="Growth"),
        difference("agent_without_core", "32k", 9.0, 8.0, 9.5, aspect="Growth", task="TED"),
        difference("agent_without_core", "128k", 7.0, 6.0, 8.0),
    ]
    _, row = cells(difference_table(rows, "32k"))
    assert row[0] == "agent_without_core"
    assert (row[6], row[7], row[8]) == ("+2.0 [+1.0, +3.0]", "-", "-1.3 [-3.0, +0.5]")


def test_a_line_a_setting_says_which_memory_matters_most() -> None:
    def rank(setting: str, component: str, points: float, share: float) -> ComponentRank:
        return ComponentRank(
            release_id="r",
            setting=setting,
            component=component,
            policy="p",
            difference=points,
            largest_share=share,
            seed=7,
        )

    lines = rank_lines(
        [rank("32k", "episodic", -12.41, 0.97), rank("32k", "core", -0.5, 0.03), rank("128k", "core", -1, 1)]
    )
    assert lines.splitlines()[2:] == ["- 32k: episodic -12.4 (97%), core -0.5 (3%)", "- 128k: core -1.0 (100%)"]
    assert rank_lines([]) == "Too few variants to compare memories."


def test_tokens_and_seconds_stand_beside_full_context() -> None:
    rows = [taken(AGENT, "128k"), taken("agent_episodes_1", "128k"), taken("rag", "128k", seconds=None, speed=None)]
    header, first, second = cells(efficiency_table(rows))
    assert header[5] == "% fewer than full_context"
    assert first == ["128k", AGENT, "1,200", "1,234", "61", "95.0 [94.0, 96.0]", "0.0123", "1.5 [1.4, 1.6]"]
    assert second[-2:] == ["-", "-"]


def test_topics_stand_in_columns() -> None:
    points = [
        TopicPoint("32k", 1, 0.5, 0.4, 0.6),
        TopicPoint("32k", 2, 0.625, 0.5, 0.7),
        TopicPoint("128k", 2, 1, 1, 1),
    ]
    assert cells(topics_table(points)) == [
        ["setting", "1 topic", "2 topics"],
        ["32k", "50.0 [40, 60]", "62.5 [50, 70]"],
        ["128k", "-", "100.0 [100, 100]"],
    ]


def test_turns_count_from_one_in_tables_of_personality() -> None:
    curve = PersonalityCurve("p-1", "32k", ((5.0,) * 5,) * 12, ((4.0,) * 5,) * 12, ((),) * 12)
    rows = errors_by_turn([curve], seed=7, bootstrap_samples=100)
    assert cells(personality_error_table(rows))[1:] == [
        ["1 to 10", "1", "1.00 [1.00, 1.00]", "2.00", "+1.00 [+1.00, +1.00]"],
        ["11 to 12", "1", "1.00 [1.00, 1.00]", "2.00", "+1.00 [+1.00, +1.00]"],
    ]


def test_lags_are_summed_up_with_those_that_never_came() -> None:
    def lag(setting: str, turns: int | None) -> ShiftLag:
        return ShiftLag(
            user_id="u", setting=setting, trait="openness", turn_index=9, before=4, after=2, profile_before=3.5,
            turns_after=40, lag=turns, still_traits=4, still_moved=1,
        )  # fmt: skip

    table = cells(lag_table([lag("32k", 3), lag("32k", 8), lag("128k", None)]))
    assert table[1:] == [
        ["all", "3", "2", "1", "3 to 8", "8", "25% of 12"],
        ["32k", "2", "2", "0", "3 to 8", "5.5", "25% of 8"],
        ["128k", "1", "0", "1", "-", "-", "25% of 4"],
    ]
    assert cells(lag_table([]))[1:] == [["all", "0", "0", "0", "-", "-", "-"]]


def test_the_big_five_have_a_row_a_reading_and_trait() -> None:
    curve = PersonalityCurve("p-1", "32k", ((4.5, 3, 3, 3, 3),), ((3.5, 3, 3, 3, 3),), ((5, 3, 3, 3, 3),))
    table = cells(big_five_table(judge_big_five([curve], seed=7, bootstrap_samples=100)))
    assert len(table) == 1 + 12
    assert table[2] == [
        "profile", "openness", "1", "1", "1.00 [1.00, 1.00]", "1.50", "+0.50 [+0.50, +0.50]", "100.0 [100, 100]", "-"
    ]  # fmt: skip
    assert table[3][2:] == ["0", "0", "-", "-", "-", "-", "-"]


def shape(**changes: Any) -> dict[tuple[str, str], ShapeLine]:
    values: dict[str, Any] = {
        "to_agent": [],
        "to_full_context": [],
        "to_one_topic": [],
        "ranks": [],
        "efficiency": [],
        **changes,
    }
    return {(line.setting, line.finding): line for line in beside_the_paper(**values)}


def test_what_was_not_measured_is_not_said() -> None:
    assert shape() == {}


def test_an_interval_on_the_papers_side_agrees_one_on_the_other_disagrees_and_one_over_zero_cannot_tell() -> None:
    found = shape(
        to_agent=[
            difference("agent_without_episodic", "32k", -6, -9, -3),
            difference("agent_without_core", "32k", 4, 1, 7),
            difference("agent_without_semantic", "32k", -1, -3, 1),
            difference("agent_without_episodic", "32k", 8, 7, 9, aspect="Growth"),
        ]
    )
    assert found["32k", "accuracy falls without episodic memory"] == ShapeLine(
        "32k", "accuracy falls without episodic memory", "-12.41", "-6.0 [-9.0, -3.0]", "same direction"
    )
    assert found["32k", "accuracy falls without core memory"].verdict == "other direction"
    assert found["32k", "accuracy falls without semantic memory"].verdict == "cannot tell"
    assert len(found) == 3


def test_rag_is_expected_below_full_context_in_32k_and_above_it_in_128k() -> None:
    found = shape(to_full_context=[difference("rag", "32k", -6, -9, -3), difference("rag", "128k", -6, -9, -3)])
    assert found["32k", "RAG can be below full context"].verdict == "same direction"
    assert found["128k", "RAG is above full context"].verdict == "other direction"
    assert found["128k", "RAG is above full context"].paper == "+4.53"


def test_the_agent_is_slower_in_the_paper_and_faster_without_reasoning() -> None:
    found = shape(
        efficiency=[
            taken(AGENT, "128k", speed=0.8, speed_low=0.7, speed_high=0.9),
            taken("agent_without_reasoning", "128k", speed=0.8, speed_low=0.7, speed_high=0.9),
            taken(
                AGENT,
                "128k",
                "agent_without_reasoning",
                fewer_tokens=-9.0,
                fewer_tokens_low=-12.0,
                fewer_tokens_high=-6.0,
            ),
        ]
    )
    assert found["128k", "the agent is slower than full context"].verdict == "same direction"
    assert found["128k", "without reasoning a request is faster than full context"].verdict == "other direction"
    assert found["128k", "the agent takes fewer tokens than full context"].verdict == "same direction"
    tokens = found["128k", "reasoning takes fewer tokens than without"]
    assert (tokens.here, tokens.verdict) == ("-9.0 % fewer [-12.0, -6.0]", "other direction")


def test_more_topics_are_compared_with_one() -> None:
    found = shape(
        to_one_topic=[
            difference("agent_episodes_3", "32k", 9, 8, 10, against="agent_episodes_1"),
            difference("agent_episodes_2", "32k", 3, 1, 5, against="agent_episodes_1"),
        ]
    )
    (line,) = found.values()
    assert line.finding == "accuracy is higher with 2 episodic topics than with one"
    assert line.here == "+3.0 [+1.0, +5.0]"


def test_the_dearest_memory_is_sure_only_where_nearly_every_resample_says_so() -> None:
    def most(share: float, component: str = "episodic") -> str:
        rows = [
            ComponentRank(
                release_id="r", setting="32k", component=name, policy="p", difference=points, largest_share=own, seed=7
            )
            for name, points, own in ((component, -3.0, share), ("core", -1.0, 1 - share))
        ]
        (line,) = shape(ranks=rows).values()
        return line.verdict

    assert most(0.97) == "same direction"
    assert most(0.6) == "cannot tell"
    assert most(0.04) == "other direction"


def test_the_shape_is_a_table_of_four_columns() -> None:
    line = ShapeLine("32k", "RAG can be below full context", "below", "-1.0 [-2.0, -0.5]", "same direction")
    assert cells(shape_table([line]))[1] == [line.finding, line.paper, line.here, line.verdict]


def test_no_table_shows_a_number_that_is_not_one() -> None:
    curve = PersonalityCurve("p-1", "32k", ((3.0,) * 5,), ((3.0,) * 5,), ((),))
    table = big_five_table(judge_big_five([curve], seed=7, bootstrap_samples=100))
    assert "nan" not in table
