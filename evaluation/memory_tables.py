"""Tables of the memory agent's evaluation as Markdown: PersonaVLM Tables 1, 8 and 11, Fig. 13, and personality.

Accuracies and differences are in per cent and points, with 95 % intervals in brackets. Tables hold what they are
given: what is too much for an asset's metadata is for its caller to leave out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import get_args

from evaluation.ablations import AGENT, GRAPH_VARIANT, ComponentRank, PolicyDifference, TopicPoint, setting_order
from evaluation.big_five import BigFiveAccuracy
from evaluation.efficiency import BASELINE, Efficiency
from evaluation.personality_recovery import PersonalityError, ShiftLag, middle_lag
from lifeloom.records import ASPECT_OF, Aspect, Score, TaskName

__all__ = [
    "COMPARED",
    "aspect_table",
    "big_five_table",
    "difference_table",
    "efficiency_table",
    "graph_table",
    "lag_table",
    "markdown_table",
    "personality_error_table",
    "rank_lines",
    "signed",
    "task_table",
    "topics_table",
]

COMPARED = (AGENT, "rag", BASELINE)
"""Policies of the table by task."""

EFFICIENCY_ROWS = (BASELINE, "rag", "agent_without_reasoning", AGENT)
"""Policies of PersonaVLM Table 11, with retrieval of messages beside them."""

GRAPH_TASKS: tuple[TaskName, ...] = ("LPR", "IEA", "LGT", "RR", "RDC")
"""Tasks on what changes over time: of tastes and pastimes, goals, and people."""

_ASPECTS: tuple[str, ...] = (*get_args(Aspect), "all")
_NOTHING = "-"


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; the texts must hold no markup of their own."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def aspect_table(scores: Sequence[Score], setting: str) -> str:
    """Return accuracy by policy and aspect in ``setting``, as PersonaVLM Tables 1 and 8 (their Persona-MME half).

    Of the blind attackers only the best is shown.
    """
    found = {(row.policy, row.aspect): row for row in scores if row.setting == setting and row.task == "all"}
    policies = dict.fromkeys(policy for policy, _ in found if not policy.startswith("blind_"))
    return markdown_table(
        ("policy", *_ASPECTS),
        [(policy, *(_accuracy(found.get((policy, aspect))) for aspect in _ASPECTS)) for policy in policies],
    )


def task_table(scores: Sequence[Score], policies: Collection[str] = COMPARED) -> str:
    """Return accuracy by task, in the paper's order, for some policies in each setting."""
    settings = sorted({row.setting for row in scores if row.setting != "all"}, key=setting_order)
    found = {(row.policy, row.setting, row.task): row for row in scores if row.task != "all" or row.aspect == "all"}
    shown = [(name, setting) for setting in settings for name in policies if (name, setting, "all") in found]
    return markdown_table(
        ("task", "aspect", *(f"{name}, {setting}" for name, setting in shown)),
        [
            (
                task,
                ASPECT_OF.get(task, "all"),
                *(_accuracy(found.get((name, setting, task))) for name, setting in shown),
            )
            for task in (*get_args(TaskName), "all")
        ],
    )


def difference_table(differences: Sequence[PolicyDifference], setting: str) -> str:
    """Return points above the policy compared with, by policy and aspect in ``setting`` (PersonaVLM Table 8)."""
    found = {(row.policy, row.aspect): row for row in differences if row.setting == setting and row.task == "all"}
    policies = dict.fromkeys(policy for policy, _ in found)
    return markdown_table(
        ("policy", *_ASPECTS),
        [
            (
                policy,
                *(
                    signed(row.difference, row.interval_low, row.interval_high)
                    if (row := found.get((policy, aspect))) is not None
                    else _NOTHING
                    for aspect in _ASPECTS
                ),
            )
            for policy in policies
        ],
    )


def rank_lines(ranks: Sequence[ComponentRank]) -> str:
    """Say in a line a setting which memory matters most, and how often it does among the resamples."""
    lines = []
    for setting in dict.fromkeys(row.setting for row in ranks):
        parts = [
            f"{row.component} {row.difference:+.1f} ({row.largest_share:.0%})"
            for row in ranks
            if row.setting == setting
        ]
        lines.append(f"- {setting}: " + ", ".join(parts))
    told = "Points that taking a memory away makes, and how often it is the one that costs most among the resamples:"
    return "\n".join([told, "", *lines]) if lines else "Too few variants to compare memories."


def efficiency_table(rows: Sequence[Efficiency], policies: Collection[str] = EFFICIENCY_ROWS) -> str:
    """Return tokens and seconds a request, beside those of the policy compared with (PersonaVLM Table 11)."""
    against = rows[0].against if rows else BASELINE
    return markdown_table(
        (
            "setting",
            "policy",
            "requests",
            "prompt tokens",
            "completion tokens",
            f"% fewer than {against}",
            "seconds",
            "times as fast",
        ),
        [
            (
                row.setting,
                row.policy,
                f"{row.requests:,}",
                f"{row.prompt_tokens:,.0f}",
                f"{row.completion_tokens:,.0f}",
                _with_interval(row.fewer_tokens, row.fewer_tokens_low, row.fewer_tokens_high, ".1f", ".1f"),
                _NOTHING if row.seconds is None else f"{row.seconds:.3g}",
                _with_interval(row.speed, row.speed_low, row.speed_high, ".2g", ".2g"),
            )
            for row in rows
            if row.policy in policies
        ],
    )


def graph_table(differences: Sequence[PolicyDifference], taken: Sequence[Efficiency]) -> str:
    """Return the agent without and with the memory graph: tasks on what changes, all of them, tokens and seconds.

    Args:
        differences: of the variant to the agent.
        taken: tokens and seconds of both.
    """
    found = {
        row.task: row
        for row in differences
        if (row.policy, row.setting) == (GRAPH_VARIANT, "all") and (row.task != "all" or row.aspect == "all")
    }
    rows: list[tuple[str, ...]] = [
        (
            f"{task}, %",
            str(row.questions),
            f"{100 * row.against_value:.1f}",
            f"{100 * row.value:.1f}",
            signed(row.difference, row.interval_low, row.interval_high),
        )
        for task in (*GRAPH_TASKS, "all")
        if (row := found.get(task)) is not None
    ]
    costs = {row.policy: row for row in taken if row.setting == "all"}
    without, beside = costs.get(AGENT), costs.get(GRAPH_VARIANT)
    if without is not None and beside is not None:
        tokens = [row.prompt_tokens + row.completion_tokens for row in (without, beside)]
        rows.append(
            (
                "tokens a request",
                f"{beside.requests:,}",
                *(f"{one:,.0f}" for one in tokens),
                f"{tokens[1] - tokens[0]:+,.0f}",
            )
        )
        if without.seconds is not None and beside.seconds is not None:
            more = beside.seconds - without.seconds
            rows.append(
                (
                    "seconds a request",
                    f"{beside.timed_requests:,}",
                    f"{without.seconds:.3g}",
                    f"{beside.seconds:.3g}",
                    f"{more:+.3g}",
                )
            )
    return markdown_table(("", "asked", "without the graph", "with it", "difference"), rows)


def topics_table(points: Sequence[TopicPoint]) -> str:
    """Return accuracy by number of episodic topics (PersonaVLM Fig. 13)."""
    topics = sorted({point.topics for point in points})
    found = {(point.setting, point.topics): point for point in points}
    return markdown_table(
        ("setting", *(f"{count} topic" if count == 1 else f"{count} topics" for count in topics)),
        [
            (
                setting,
                *(
                    _percent(point.value, point.low, point.high)
                    if (point := found.get((setting, count))) is not None
                    else _NOTHING
                    for count in topics
                ),
            )
            for setting in dict.fromkeys(point.setting for point in points)
        ],
    )


def personality_error_table(rows: Sequence[PersonalityError]) -> str:
    """Return the error of the profile by turns, beside the constant 3."""
    return markdown_table(
        ("turns", "conversations", "mean absolute error", "constant 3", "better by"),
        [
            (
                f"{row.first_turn + 1} to {row.last_turn + 1}",
                str(row.conversations),
                _with_interval(row.error, row.error_low, row.error_high, ".2f", ".2f"),
                f"{row.neutral_error:.2f}",
                _with_interval(row.gain, row.gain_low, row.gain_high, "+.2f", "+.2f"),
            )
            for row in rows
        ],
    )


def lag_table(lags: Sequence[ShiftLag]) -> str:
    """Return how soon the profile followed planned shifts, over all and by setting."""
    rows = []
    settings = sorted({lag.setting for lag in lags}, key=setting_order)
    for setting in ("all", *settings) if len(settings) != 1 else settings:
        own = [lag for lag in lags if setting in ("all", lag.setting)]
        waits = [lag.lag for lag in own if lag.lag is not None]
        middle = middle_lag(own)
        still = sum(lag.still_traits for lag in own)
        rows.append(
            (
                setting,
                str(len(own)),
                str(len(waits)),
                str(len(own) - len(waits)),
                f"{min(waits)} to {max(waits)}" if waits else _NOTHING,
                _NOTHING if middle is None else f"{middle:g}",
                f"{sum(lag.still_moved for lag in own) / still:.0%} of {still}" if still else _NOTHING,
            )
        )
    return markdown_table(
        ("setting", "traits shifted", "followed", "never", "lag in turns", "median", "still traits that moved as far"),
        rows,
    )


def big_five_table(rows: Sequence[BigFiveAccuracy]) -> str:
    """Return error, direction and correlation by reading and trait, beside the constant 3."""
    return markdown_table(
        (
            "reading",
            "trait",
            "judged",
            "conversations",
            "error",
            "constant 3",
            "better by",
            "% right side",
            "correlation",
        ),
        [
            (
                row.reading,
                row.trait,
                f"{row.judged:,}",
                str(row.conversations),
                _with_interval(row.error, row.error_low, row.error_high, ".2f", ".2f"),
                _NOTHING if row.neutral_error is None else f"{row.neutral_error:.2f}",
                _with_interval(row.gain, row.gain_low, row.gain_high, "+.2f", "+.2f"),
                _NOTHING
                if row.direction is None or row.direction_low is None or row.direction_high is None
                else _percent(row.direction, row.direction_low, row.direction_high),
                _with_interval(row.correlation, row.correlation_low, row.correlation_high, ".2f", ".2f"),
            )
            for row in rows
        ],
    )


def signed(value: float, low: float, high: float) -> str:
    """Return a difference with its interval."""
    return _with_interval(value, low, high, "+.1f", "+.1f")


def _accuracy(row: Score | None) -> str:
    return _NOTHING if row is None else _percent(row.value, row.interval_low, row.interval_high)


def _percent(value: float, low: float, high: float) -> str:
    return f"{100 * value:.1f} [{100 * low:.0f}, {100 * high:.0f}]"


def _with_interval(value: float | None, low: float | None, high: float | None, form: str, ends: str) -> str:
    if value is None or low is None or high is None:
        return _NOTHING
    return f"{value:{form}} [{low:{ends}}, {high:{ends}}]"
