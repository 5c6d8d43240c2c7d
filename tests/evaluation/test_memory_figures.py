"""Figures of the memory agent's evaluation: what is drawn, and small enough for an asset's metadata."""

from __future__ import annotations

import random
from typing import Any

import pytest
from matplotlib.figure import Figure

from evaluation.ablations import PART_VARIANTS, PolicyDifference, TopicPoint
from evaluation.memory_figures import difference_figure, personality_error_figure, personality_figure, topics_figure
from evaluation.personality_recovery import PersonalityCurve, errors_by_turn
from evaluation.reports import INLINE_BYTES, inlined, inlined_together
from tests.evaluation.agents import difference
from tests.evaluation.personalities import Five


def lines(figure: Figure, panel: int = 0) -> list[Any]:
    return list(figure.axes[panel].lines)


def wandering(turns: int, seed: int) -> PersonalityCurve:
    rng = random.Random(seed)

    def five() -> Five:
        return (rng.uniform(1, 5), rng.uniform(1, 5), rng.uniform(1, 5), rng.uniform(1, 5), rng.uniform(1, 5))

    inferred = tuple(five() for _ in range(turns))
    return PersonalityCurve(f"persona-{seed:012d}", "128k", (five(),) * turns, inferred, ((),) * turns)


def parts(setting: str) -> list[PolicyDifference]:
    return [difference(name, setting, -2.0 * n, -2.0 * n - 3, -2.0 * n + 3) for n, name in enumerate(PART_VARIANTS)]


def test_each_setting_has_a_panel_with_a_dot_a_part() -> None:
    rows = [*parts("all"), *parts("32k"), *parts("128k"), difference("agent_episodes_1", "32k", 9, 8, 10)]
    figure = difference_figure(rows)
    assert [axes.get_title() for axes in figure.axes] == ["32k", "128k"]
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == [
        f"without {part}" for part in PART_VARIANTS.values()
    ]
    dots = [line.get_xdata()[0] for line in lines(figure) if line.get_marker() == "o"]
    assert dots == [0, -2, -4, -6, -8, -10]


def test_without_settings_the_whole_is_drawn() -> None:
    assert [axes.get_title() for axes in difference_figure(parts("all")).axes] == ["all"]


def test_topics_are_a_line_a_setting() -> None:
    points = [
        TopicPoint(setting, count, 0.5 + count / 100, 0.4, 0.6)
        for setting in ("all", "32k", "128k")
        for count in (1, 2, 5)
    ]
    figure = topics_figure(points)
    _, labels = figure.axes[0].get_legend_handles_labels()
    assert labels == ["32k", "128k"]
    assert list(lines(figure)[0].get_ydata()) == pytest.approx([51, 52, 55])
    assert list(figure.axes[0].get_xticks()) == [1, 2, 5]


def test_ten_conversations_are_ten_panels_of_planned_and_inferred_scores() -> None:
    curves = [wandering(40, seed) for seed in range(10)]
    figure = personality_figure(curves)
    assert len(figure.axes) == 10
    drawn = lines(figure, 3)
    assert len(drawn) == 10  # five traits, planned and inferred
    assert list(drawn[1].get_ydata()) == [scores[0] for scores in curves[3].inferred]
    assert (drawn[0].get_linestyle(), drawn[1].get_linestyle()) == ("--", "-")
    assert list(drawn[1].get_xdata())[:2] == [1, 2]


def test_the_error_stands_beside_that_of_the_constant_3() -> None:
    rows = errors_by_turn([wandering(40, 1), wandering(15, 2)], seed=7, bootstrap_samples=100)
    figure = personality_error_figure(rows)
    profile, constant = lines(figure)
    assert list(profile.get_ydata()) == [row.error for row in rows]
    assert list(constant.get_ydata()) == [row.neutral_error for row in rows]
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["1-10", "11-20", "21-30", "31-40"]


def test_figures_fit_into_an_assets_metadata_together_however_wild_the_curves_are() -> None:
    curves = [wandering(300, seed) for seed in range(10)]
    figures = {
        "personality over time": lambda: personality_figure(curves),
        "parts": lambda: difference_figure([*parts("32k"), *parts("128k")]),
    }
    together = inlined_together(figures)
    assert sum(map(len, together.values())) <= INLINE_BYTES
    assert together["parts"] == inlined(figures["parts"], "parts")  # only the larger one was made smaller
    assert together["personality over time"].startswith("![personality over time](data:image/png;base64,")
    with pytest.raises(ValueError, match="do not fit"):
        inlined_together({"parts": figures["parts"]}, 1_000)


def test_nothing_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="to draw"):
        difference_figure([difference("agent_episodes_1", "32k", 9, 8, 10)])
    with pytest.raises(ValueError, match="to draw"):
        topics_figure([])
    with pytest.raises(ValueError, match="to draw"):
        personality_figure([])
    with pytest.raises(ValueError, match="to draw"):
        personality_error_figure([])
