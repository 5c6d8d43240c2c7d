"""How many cases of each task every conversation gives, worded and pictured.

Short conversations offer few tasks. They give what they can first, the tasks that many can give are taken from those
that can give little else, and longer conversations make up for what is then short, so that the tasks of a release
come out even and a third of its cases needs pictures.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lifeloom.records import TaskName
from lifeloom.synthesis.probes.offers import Offer
from lifeloom.synthesis.probes.wording import stems_for

__all__ = ["CASE_TASKS", "MIXED_TASKS", "PICTURED_SHARE", "Lane", "share_out", "tasks_of"]

CASE_TASKS: tuple[TaskName, ...] = (
    *("VDR", "SIR", "EII", "IIR", "LPR", "IEA", "IPR", "BPR", "LGT", "RR", "RDC", "TED", "GNS"),
)
"""Tasks with cases of their own; PA rides on them."""

MIXED_TASKS: tuple[TaskName, ...] = ("IIR", "IPR", "BPR", "RR", "RDC")
"""Tasks with worded and pictured cases; of VDR all need pictures, of the others none do."""

PICTURED_SHARE = 0.34
"""Share of a release's cases that need pictures (PersonaVLM Appendix D: 34.02 %)."""

_MIXED_SHARE = (PICTURED_SHARE * len(CASE_TASKS) - 1) / len(MIXED_TASKS)
"""Share of a mixed task's cases that need pictures when all tasks are even: 0.68."""


class Lane(NamedTuple):
    """A task, worded or pictured."""

    task: TaskName
    pictured: bool


@dataclass
class _Giver:
    """A conversation with the cases that it still can give."""

    left: Counter[Lane]
    slots: int
    share: Counter[Lane] = field(default_factory=Counter)
    given: Counter[TaskName] = field(default_factory=Counter)
    lanes: int = 0
    """Lanes that it offered to begin with."""

    def gives(self, lane: Lane) -> bool:
        return self.slots > 0 and self.left[lane] > 0

    def take(self, lane: Lane) -> None:
        self.left[lane] -= 1
        self.slots -= 1
        self.share[lane] += 1
        self.given[lane.task] += 1

    def swap(self, old: Lane, new: Lane) -> None:
        """Give one of ``new`` in place of one of ``old``, a lane of the same task."""
        self.left[old] += 1
        self.left[new] -= 1
        self.share[old] -= 1
        self.share[new] += 1


def share_out(offers: Sequence[Offer], cases_per_persona: int, rng: random.Random) -> list[Counter[Lane]]:
    """Return how many cases of each lane each of ``offers`` gives, in order, at most ``cases_per_persona`` each."""
    givers = [_giver(offer, cases_per_persona) for offer in offers]
    total: Counter[Lane] = Counter()
    by_setting: dict[str, list[int]] = {}
    for index, offer in enumerate(offers):
        by_setting.setdefault(offer.setting, []).append(index)
    # The setting with the shorter conversations first: the other can make up for what it lacks.
    for indices in sorted(by_setting.values(), key=lambda own: sum(len(offers[i].clock) for i in own) / len(own)):
        _fill([givers[index] for index in indices], total, rng)
    _even_out_pictures(givers, total, rng)
    return [+giver.share for giver in givers]


def _giver(offer: Offer, slots: int) -> _Giver:
    left: Counter[Lane] = Counter()
    for window in offer.windows:
        left[Lane(window.probe.task, window.probe.pictured)] += len(stems_for(window.probe, offer.edition))
    return _Giver(left, slots, lanes=len(left))


def _fill(givers: Sequence[_Giver], total: Counter[Lane], rng: random.Random) -> None:
    """Fill the slots of ``givers``: each goes to the task that the release has least of, of those still at hand."""
    own: Counter[TaskName] = Counter()
    open_lanes = {Lane(task, pictured) for task in CASE_TASKS for pictured in (True, False)}
    while True:
        open_lanes = {lane for lane in open_lanes if any(giver.gives(lane) for giver in givers)}
        tasks = [task for task in CASE_TASKS if not open_lanes.isdisjoint(_lanes(task))]
        if not tasks:
            return
        task = min(tasks, key=lambda name: (_of_task(total, name), own[name], rng.random()))
        lane = _lane(task, total, open_lanes)
        giver = min(
            (giver for giver in givers if giver.gives(lane)),
            key=lambda giver: (giver.given[task], giver.lanes, -giver.slots, rng.random()),
        )
        giver.take(lane)
        total[lane] += 1
        own[task] += 1


def _lane(task: TaskName, total: Counter[Lane], open_lanes: set[Lane]) -> Lane:
    worded, pictured = _lanes(task)
    wanted = pictured if total[pictured] < _MIXED_SHARE * (_of_task(total, task) + 1) else worded
    other = worded if wanted is pictured else pictured
    return wanted if wanted in open_lanes else other


def _even_out_pictures(givers: Sequence[_Giver], total: Counter[Lane], rng: random.Random) -> None:
    """Swap worded for pictured cases of mixed tasks, or the other way, until their share is right or none are left."""
    wanted = round(PICTURED_SHARE * total.total())
    while (short := wanted - sum(count for lane, count in total.items() if lane.pictured)) != 0:
        places = [
            (giver, task)
            for giver in givers
            for task in MIXED_TASKS
            if giver.share[Lane(task, short < 0)] > 0 and giver.left[Lane(task, short > 0)] > 0
        ]
        if not places:
            return
        giver, task = min(
            places, key=lambda place: (total[Lane(place[1], short > 0)] / _of_task(total, place[1]), rng.random())
        )
        old, new = Lane(task, short < 0), Lane(task, short > 0)
        giver.swap(old, new)
        total[old] -= 1
        total[new] += 1


def _lanes(task: TaskName) -> tuple[Lane, Lane]:
    return Lane(task, False), Lane(task, True)


def _of_task(total: Counter[Lane], task: TaskName) -> int:
    return sum(total[lane] for lane in _lanes(task))


def tasks_of(lanes: Iterable[Counter[Lane]]) -> Counter[TaskName]:
    """Return the cases of each task over all ``lanes``."""
    found: Counter[TaskName] = Counter()
    for share in lanes:
        for lane, count in share.items():
            found[lane.task] += count
    return found
