"""Figures say what the scores say."""

from __future__ import annotations

import pytest

from evaluation.life_bench.figures import accuracy_figure, depth_figure, references_figure, sweep_figure
from tests.evaluation.life_bench.asked import score


def test_each_method_has_a_point_a_task_with_its_interval():
    one = score("rap-k3", 0.6, "fine_grained_scene").model_copy(update={"low": 0.5, "high": 0.8})
    other = score("lifegraph-d2-k3", 0.7, "fine_grained_scene")
    figure = accuracy_figure([one, score("rap-k3", 0.6), other])
    (axes,), (legend,) = figure.axes, figure.legends
    assert [label.get_text() for label in axes.get_xticklabels()] == ["FGS", "all"]
    assert [text.get_text() for text in legend.get_texts()] == ["rap-k3", "lifegraph-d2-k3"]
    values, _, (bars,) = axes.containers[0]
    assert list(values.get_ydata()) == pytest.approx([0.6, 0.6])
    low, high = bars.get_segments()[0][:, 1]
    assert (low, high) == (pytest.approx(0.5), pytest.approx(0.8))


def test_scores_of_one_difficulty_are_not_drawn_as_the_tasks():
    axes = accuracy_figure([score("rap-k3", 0.9, "text_concept_qa", "easy"), score("rap-k3", 0.5, "all")]).axes[0]
    assert list(axes.containers[0][0].get_ydata()) == pytest.approx([0.5])


def test_the_sweep_draws_accuracy_by_depth_and_by_width_in_order():
    by_depth = {depth: [score(f"lifegraph-d{depth}-k3", depth / 10)] for depth in (3, 1, 2)}
    by_width = {width: [score(f"lifegraph-d2-k{width}", width / 20)] for width in (10, 1)}
    left, right = sweep_figure(by_depth, by_width).axes
    assert list(left.lines[0].get_xdata()) == [1, 2, 3]
    assert list(left.lines[0].get_ydata()) == pytest.approx([0.1, 0.2, 0.3])
    assert list(right.lines[0].get_xdata()) == [1, 10]
    assert list(right.lines[0].get_ydata()) == pytest.approx([0.05, 0.5])


def test_effective_depth_is_drawn_by_limit_beside_the_papers():
    """Table 5 of the paper: 1.00, 1.30, ... at limits 1, 2, ..."""
    limit, here, paper = depth_figure({2: 1.25, 1: 1.0}).axes[0].lines
    assert list(limit.get_ydata()) == [1, 2]
    assert list(here.get_ydata()) == pytest.approx([1.0, 1.25])
    assert list(paper.get_ydata()) == pytest.approx([1.0, 1.30])


def test_a_loss_without_references_points_down_and_tasks_of_one_run_only_are_left_out():
    before = [score("with", 0.8, "scene_and_activity"), score("with", 0.5, "concept_vqa"), score("with", 0.6)]
    after = [score("without", 0.5, "scene_and_activity"), score("without", 0.7)]
    axes = references_figure(before, after).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["SA", "all"]
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([-0.3, 0.1])
