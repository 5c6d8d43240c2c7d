"""The memory agent's results beside the shape that the paper reports (PersonaVLM Section 5, Appendices E and F).

A report, not a pass mark: the paper's figures come from another model on another data set. Each line says what the
paper found, what is found here with its 95 % interval, and whether the interval lies on the paper's side of zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.ablations import (
    AGENT,
    EPISODE_VARIANTS,
    MEMORY_VARIANTS,
    PART_VARIANTS,
    ComponentRank,
    PolicyDifference,
)
from evaluation.efficiency import BASELINE, Efficiency
from evaluation.memory_tables import markdown_table, signed

__all__ = ["ShapeLine", "beside_the_paper", "shape_table"]

Verdict = Literal["same direction", "other direction", "cannot tell"]

_PLAIN = "agent_without_reasoning"
_SETTINGS = ("32k", "128k")
_WITHOUT_EPISODIC: Mapping[str, str] = {"32k": "-12.41", "128k": "-5.19"}
_WITHOUT_REASONING: Mapping[str, str] = {"32k": "-2.75", "128k": "-3.73"}
_WITHOUT_OTHERS = "down by less than 2"


@dataclass(frozen=True)
class ShapeLine:
    """One finding of the paper beside ours."""

    setting: str
    finding: str
    paper: str
    here: str
    verdict: Verdict


def beside_the_paper(
    to_agent: Sequence[PolicyDifference],
    to_full_context: Sequence[PolicyDifference],
    to_one_topic: Sequence[PolicyDifference],
    ranks: Sequence[ComponentRank],
    efficiency: Sequence[Efficiency],
) -> list[ShapeLine]:
    """Return the paper's findings with what is found here, by setting; those that were not measured are left out.

    Args:
        to_agent: differences of the ablations to the whole agent.
        to_full_context: differences of agent and RAG to full context.
        to_one_topic: differences of the variants with more episodic topics to the one with a single topic.
        ranks: how often each memory matters most.
        efficiency: tokens and seconds beside full context, and of the agent beside itself without reasoning.
    """
    return [
        line
        for setting in _SETTINGS
        for part in (
            _policies(to_full_context, setting),
            _parts(to_agent, setting),
            _most(ranks, setting),
            _topics(to_one_topic, setting),
            _tokens(efficiency, setting),
            _seconds(efficiency, setting),
        )
        for line in part
    ]


def shape_table(lines: Sequence[ShapeLine]) -> str:
    """Return the findings of one setting as a Markdown table."""
    return markdown_table(
        ("finding", "paper", "here", "direction"),
        [(line.finding, line.paper, line.here, line.verdict) for line in lines],
    )


def _overall(rows: Sequence[PolicyDifference], setting: str, policy: str) -> PolicyDifference | None:
    return next((r for r in rows if r.setting == setting and r.policy == policy and r.aspect == r.task == "all"), None)


def _points(row: PolicyDifference) -> str:
    return signed(row.difference, row.interval_low, row.interval_high)


def _policies(rows: Sequence[PolicyDifference], setting: str) -> Iterator[ShapeLine]:
    agent, rag = _overall(rows, setting, AGENT), _overall(rows, setting, "rag")
    if agent is not None:
        yield ShapeLine(setting, "the agent is above full context", "above", _points(agent), _up(agent))
    if rag is not None and setting == "32k":
        yield ShapeLine(setting, "RAG can be below full context", "below", _points(rag), _down(rag))
    if rag is not None and setting == "128k":
        yield ShapeLine(setting, "RAG is above full context", "+4.53", _points(rag), _up(rag))


def _parts(rows: Sequence[PolicyDifference], setting: str) -> Iterator[ShapeLine]:
    paper = dict.fromkeys(MEMORY_VARIANTS, _WITHOUT_OTHERS) | {
        "agent_without_episodic": _WITHOUT_EPISODIC[setting],
        "agent_without_reasoning": _WITHOUT_REASONING[setting],
    }
    for policy, told in paper.items():
        row = _overall(rows, setting, policy)
        if row is not None:
            part = f"{MEMORY_VARIANTS[policy]} memory" if policy in MEMORY_VARIANTS else PART_VARIANTS[policy]
            yield ShapeLine(setting, f"accuracy falls without {part}", told, _points(row), _down(row))


def _most(ranks: Sequence[ComponentRank], setting: str) -> Iterator[ShapeLine]:
    own = [row for row in ranks if row.setting == setting]
    episodic = next((row for row in own if row.component == "episodic"), None)
    if episodic is None:
        return
    share = episodic.largest_share
    verdict: Verdict = "same direction" if share >= 0.95 else "other direction" if share <= 0.05 else "cannot tell"
    here = f"{own[0].component}; episodic in {share:.0%} of resamples"
    yield ShapeLine(setting, "episodic memory matters most", "episodic", here, verdict)


def _topics(rows: Sequence[PolicyDifference], setting: str) -> Iterator[ShapeLine]:
    found = {EPISODE_VARIANTS[r.policy]: r for r in rows if r.policy in EPISODE_VARIANTS}
    for count in sorted(found)[:1]:  # two topics: the paper's choice, from which on little is won
        row = _overall(rows, setting, found[count].policy)
        if row is not None:
            finding = f"accuracy is higher with {count} episodic topics than with one"
            yield ShapeLine(setting, finding, "rises, then saturates", _points(row), _up(row))


def _tokens(rows: Sequence[Efficiency], setting: str) -> Iterator[ShapeLine]:
    for policy, against, finding, paper in (
        (_PLAIN, BASELINE, "without reasoning a request takes fewer tokens than full context", "93.7 % fewer"),
        (AGENT, _PLAIN, "reasoning takes fewer tokens than without", "20.4 % fewer"),
        (AGENT, BASELINE, "the agent takes fewer tokens than full context", "95.0 % fewer"),
    ):
        row = _taken(rows, setting, policy, against)
        if row is None or row.fewer_tokens is None or row.fewer_tokens_low is None or row.fewer_tokens_high is None:
            continue
        here = f"{row.fewer_tokens:.1f} % fewer [{row.fewer_tokens_low:.1f}, {row.fewer_tokens_high:.1f}]"
        yield ShapeLine(setting, finding, paper, here, _side(row.fewer_tokens_low, row.fewer_tokens_high))


def _seconds(rows: Sequence[Efficiency], setting: str) -> Iterator[ShapeLine]:
    for policy, finding, paper, faster in (
        (_PLAIN, "without reasoning a request is faster than full context", "4.8 times as fast", True),
        (AGENT, "the agent is slower than full context", "0.83 times as fast", False),
    ):
        row = _taken(rows, setting, policy, BASELINE)
        if row is None or row.speed is None or row.speed_low is None or row.speed_high is None:
            continue
        here = f"{row.speed:.2g} times as fast [{row.speed_low:.2g}, {row.speed_high:.2g}]"
        low, high = (row.speed_low - 1, row.speed_high - 1) if faster else (1 - row.speed_high, 1 - row.speed_low)
        yield ShapeLine(setting, finding, paper, here, _side(low, high))


def _taken(rows: Sequence[Efficiency], setting: str, policy: str, against: str) -> Efficiency | None:
    return next((r for r in rows if (r.policy, r.setting, r.against) == (policy, setting, against)), None)


def _up(row: PolicyDifference) -> Verdict:
    return _side(row.interval_low, row.interval_high)


def _down(row: PolicyDifference) -> Verdict:
    return _side(-row.interval_high, -row.interval_low)


def _side(low: float, high: float) -> Verdict:
    """Return what an interval says of a number that the paper found above zero."""
    return "same direction" if low > 0 else "other direction" if high < 0 else "cannot tell"
