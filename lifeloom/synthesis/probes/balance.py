"""What must be even over a release, and what a further case would do to it."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from lifeloom.records import TaskName
from lifeloom.synthesis.probes.drafts import Draft
from lifeloom.synthesis.probes.truth import Probe
from lifeloom.synthesis.probes.visual import VisualProbe

__all__ = ["LONGEST_SHARE", "Balance"]

LONGEST_SHARE = 0.3
"""Most cases of a task whose right option is uniquely the longest."""

_LONGEST_AIM = 0.27
"""What is aimed at, so that the share holds also when a few cases of a task give way to other tasks."""


@dataclass
class Balance:
    """Counts of what has been chosen for one release."""

    made: Counter[TaskName] = field(default_factory=Counter)
    """Cases chosen, by task."""
    longest: Counter[TaskName] = field(default_factory=Counter)
    """Those of them whose right option is uniquely the longest."""
    pictured: Counter[TaskName] = field(default_factory=Counter)
    """Those of them that need pictures."""
    attributes: Counter[str] = field(default_factory=Counter)
    """Cases chosen, by attribute."""
    stem_uses: Counter[str] = field(default_factory=Counter)
    lead_ins: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By stem and lead-in."""
    carriers: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By stem and carrier."""
    _planned: Mapping[TaskName, int] = field(default_factory=dict)
    _shown: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    _right: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    _extremes: Counter[tuple[str, int, bool]] = field(default_factory=Counter)
    _right_extremes: defaultdict[tuple[str, int, bool], float] = field(default_factory=lambda: defaultdict(float))
    _option_sets: defaultdict[str, list[frozenset[str]]] = field(default_factory=lambda: defaultdict(list))

    def plan(self, cases: Mapping[TaskName, int]) -> None:
        """Take note of how many cases of each task are to be chosen."""
        self._planned = dict(cases)

    def too_long(self, draft: Draft) -> bool:
        """Say whether ``draft`` would make the right option the longest too often."""
        most = math.floor(_LONGEST_AIM * self._planned.get(draft.task, 0))
        return draft.right_is_longest and self.longest[draft.task] >= most

    def cost(self, draft: Draft, used: Counter[str], rng: random.Random) -> tuple[float, ...]:
        """Return what ``draft`` costs, the worst first; lower is better. ``used``: the offer's cases by attribute."""
        probe, options = draft.window.probe, draft.option_values
        key = (_value_scope(probe), draft.window.right)
        return (
            any(len(options & other) >= 3 for other in self._option_sets[draft.stem.stem_id]),
            self.too_long(draft),
            used[probe.attribute],
            round(self._right[key] - self._shown[key] / 4) + self._standing_out(draft),
            draft.made_up,
            self.stem_uses[draft.stem.stem_id],
            rng.random(),
        )

    def note(self, draft: Draft) -> None:
        """Count ``draft`` as chosen."""
        probe = draft.window.probe
        scope = _value_scope(probe)
        self.stem_uses[draft.stem.stem_id] += 1
        self.lead_ins[draft.stem.stem_id, draft.lead_in] += 1
        self.carriers[draft.stem.stem_id, draft.carrier] += 1
        self.made[draft.task] += 1
        self.longest[draft.task] += draft.right_is_longest
        self.pictured[draft.task] += bool(draft.pictures)
        self.attributes[probe.attribute] += 1
        self._right[scope, draft.right.values] += 1
        self._shown.update((scope, option.values) for option in (draft.right, *draft.wrong))
        for extreme, chance in _extremes(draft):
            self._extremes[extreme] += 1
            self._right_extremes[extreme] += chance
        self._option_sets[draft.stem.stem_id].append(draft.option_values)

    def _standing_out(self, draft: Draft) -> int:
        """Return how far from a quarter the right option's chance to be among those that stand out would get."""
        scope = _standing_scope(draft)
        found = dict(_extremes(draft))
        off = 0.0
        for mark in range(len(draft.right.marks)):
            for most in (True, False):
                key = (scope, mark, most)
                shown = self._extremes[key] + (key in found)
                off += abs(self._right_extremes[key] + found.get(key, 0.0) - shown / 4)
        return round(off)


def _extremes(draft: Draft) -> list[tuple[tuple[str, int, bool], float]]:
    """Return for each mark, the most and the least of it, the right option's chance when one that has it is picked."""
    found = []
    for mark, own in enumerate(draft.right.marks):
        marks = [own, *(option.marks[mark] for option in draft.wrong)]
        for most in (True, False):
            edge = max(marks) if most else min(marks)
            if marks.count(edge) < len(marks):
                chance = 1 / marks.count(edge) if own == edge else 0.0
                found.append(((_standing_scope(draft), mark, most), chance))
    return found


def _standing_scope(draft: Draft) -> str:
    probe = draft.window.probe
    return probe.attribute if isinstance(probe, VisualProbe) else f"{probe.task} {probe.pictured}"


def _value_scope(probe: Probe | VisualProbe) -> str:
    return "relations" if probe.task == "RR" else probe.attribute
