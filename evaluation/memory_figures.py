"""Figures of the memory agent's evaluation: what each part is worth, PersonaVLM Fig. 13 and Fig. 14."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluation.ablations import PART_VARIANTS, PolicyDifference, TopicPoint, setting_order
from evaluation.personality_recovery import PersonalityCurve, PersonalityError
from lifeloom.records import TRAITS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["difference_figure", "personality_error_figure", "personality_figure", "topics_figure"]

_SETTING_COLOURS = ("#3b6fb6", "#d9822b", "#4f9d69")
_TRAIT_COLOURS = ("#3b6fb6", "#d9822b", "#4f9d69", "#9b59b6", "#c0392b")
_PANELS = 5  # a row


def difference_figure(differences: Sequence[PolicyDifference]) -> Figure:
    """Draw what accuracy loses without each part, with 95 % intervals, in a panel a setting (PersonaVLM Table 8).

    Raises:
        ValueError: there is no variant without a part.
    """
    from matplotlib.figure import Figure

    rows = [row for row in differences if row.policy in PART_VARIANTS and row.aspect == row.task == "all"]
    settings = _settings([row.setting for row in rows])
    if not settings:
        raise ValueError("no variant without a part of the agent to draw")
    parts = [part for part in PART_VARIANTS if any(row.policy == part for row in rows)]
    figure = Figure(figsize=(3.2 * len(settings) + 1, 0.35 * len(parts) + 1.1), layout="constrained")
    panels = figure.subplots(1, len(settings), sharey=True, sharex=True, squeeze=False)[0]
    for axes, setting in zip(panels, settings, strict=True):
        own = {row.policy: row for row in rows if row.setting == setting}
        for place, part in enumerate(parts):
            row = own.get(part)
            if row is not None:
                axes.hlines(place, row.interval_low, row.interval_high, colors=_SETTING_COLOURS[0], linewidth=2)
                axes.plot([row.difference], [place], "o", color=_SETTING_COLOURS[0], markersize=5)
        axes.axvline(0, color="black", linestyle="dotted", linewidth=1)
        axes.set_title(setting, fontsize=9)
        axes.set_yticks(range(len(parts)), [f"without {PART_VARIANTS[part]}" for part in parts], fontsize=8)
        _plain(axes)
    panels[0].invert_yaxis()
    figure.supxlabel(f"points above {rows[0].against}; bars: paired 95 % intervals", fontsize=8)
    return figure


def topics_figure(points: Sequence[TopicPoint]) -> Figure:
    """Draw accuracy by number of episodic topics with 95 % intervals, a line a setting (PersonaVLM Fig. 13).

    Raises:
        ValueError: there are no points of a setting.
    """
    from matplotlib.figure import Figure

    settings = _settings([point.setting for point in points])
    if not settings:
        raise ValueError("no accuracy by number of episodic topics to draw")
    figure = Figure(figsize=(4.6, 3.0), layout="constrained")
    axes = figure.subplots()
    for number, setting in enumerate(settings):
        own = sorted((point for point in points if point.setting == setting), key=lambda point: point.topics)
        values = [100 * point.value for point in own]
        spread = [  # never below 0: a bound may miss the value it equals by a rounding
            [max(0.0, value - 100 * point.low) for value, point in zip(values, own, strict=True)],
            [max(0.0, 100 * point.high - value) for value, point in zip(values, own, strict=True)],
        ]
        places = [point.topics + 0.06 * (number - (len(settings) - 1) / 2) for point in own]
        colour = _SETTING_COLOURS[number % len(_SETTING_COLOURS)]
        axes.errorbar(places, values, yerr=spread, marker="o", markersize=4, capsize=2, label=setting, color=colour)
    axes.set_xticks(sorted({point.topics for point in points}))
    axes.set_xlabel("episodic topics that a retrieval finds at most", fontsize=8)
    axes.set_ylabel("accuracy, %; bars: 95 % intervals", fontsize=8)
    axes.legend(fontsize=8, frameon=False)
    _plain(axes)
    return figure


def personality_figure(curves: Sequence[PersonalityCurve]) -> Figure:
    """Draw planned (dashed) and inferred (solid) scores by turn, a panel a conversation (PersonaVLM Fig. 14).

    Raises:
        ValueError: there are no curves.
    """
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    if not curves:
        raise ValueError("no personality curves to draw")
    rows = -(-len(curves) // _PANELS)
    columns = min(len(curves), _PANELS)
    figure = Figure(figsize=(2.1 * columns + 0.6, 1.7 * rows + 0.9), layout="constrained")
    panels = [axes for row in figure.subplots(rows, columns, sharey=True, squeeze=False) for axes in row]
    for axes, curve in zip(panels, curves, strict=False):
        turns = range(1, len(curve.planned) + 1)
        for number, colour in enumerate(_TRAIT_COLOURS):
            axes.step(turns, [s[number] for s in curve.planned], "--", where="post", color=colour, linewidth=0.9)
            axes.plot(turns, [scores[number] for scores in curve.inferred], color=colour, linewidth=1.3)
        axes.set_title(f"{curve.user_id[-8:]}, {curve.setting}", fontsize=7)
        axes.set_ylim(0.8, 5.2)
        _plain(axes)
    for axes in panels[len(curves) :]:
        axes.set_axis_off()
    handles = [
        *(Line2D([], [], color=colour, label=trait) for trait, colour in zip(TRAITS, _TRAIT_COLOURS, strict=True)),
        Line2D([], [], color="black", linestyle="--", label="planned"),
        Line2D([], [], color="black", label="inferred"),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=min(7, 2 * columns), fontsize=7, frameon=False)
    figure.supxlabel("turn", fontsize=8)
    return figure


def personality_error_figure(rows: Sequence[PersonalityError]) -> Figure:
    """Draw the mean absolute error of the profile by turns, with its 95 % interval, beside the constant 3.

    Raises:
        ValueError: there are no rows.
    """
    from matplotlib.figure import Figure

    if not rows:
        raise ValueError("no errors of personality to draw")
    figure = Figure(figsize=(4.6, 3.0), layout="constrained")
    axes = figure.subplots()
    places = range(len(rows))
    axes.fill_between(
        places,
        [row.error_low for row in rows],
        [row.error_high for row in rows],
        color=_SETTING_COLOURS[0],
        alpha=0.2,
        linewidth=0,
    )
    axes.plot(places, [row.error for row in rows], marker="o", color=_SETTING_COLOURS[0], label="profile")
    axes.plot(places, [row.neutral_error for row in rows], "--", color="#8c8c8c", label="constant 3")
    axes.set_xticks(places, [f"{row.first_turn + 1}-{row.last_turn + 1}" for row in rows], fontsize=7)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("turns", fontsize=8)
    axes.set_ylabel("mean absolute error; band: 95 % interval", fontsize=8)
    axes.legend(fontsize=8, frameon=False)
    _plain(axes)
    return figure


def _settings(settings: Sequence[str]) -> list[str]:
    """Return the settings, or ``all`` where there is nothing else."""
    single = sorted(set(settings) - {"all"}, key=setting_order)
    return single or sorted(set(settings))


def _plain(axes: Axes) -> None:
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
