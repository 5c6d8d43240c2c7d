"""Which cases to ask: spread over tasks, attributes and moments, balanced over the release.

What is balanced, by preferring among what the plans offer:

- tasks: each slot goes to the task that the release has least of;
- a third of the cases need pictures: all of VDR, about two thirds of the tasks that can be asked either way, and what
  one of them is short of, the others make up for;
- the right option is uniquely the longest in at most 30 % of the cases of a task;
- a value is right about a quarter of the times it is shown, within its attribute;
- of the options the one stated or shown most often, last or first (or whose person was introduced last) and their
  opposites are right about a quarter of the times, as far as moments and distractors allow;
- stems are used equally often, each with lead-ins and carriers in turn, and no two cases share stem and three option
  values where another is at hand.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from lifeloom.synthesis.catalogue import Stem
from lifeloom.synthesis.probes.balance import LONGEST_SHARE, Balance
from lifeloom.synthesis.probes.drafts import Draft, draw_draft
from lifeloom.synthesis.probes.offers import Offer, Window
from lifeloom.synthesis.probes.sharing import CASE_TASKS, PICTURED_SHARE, Lane, share_out, tasks_of
from lifeloom.synthesis.probes.visual import VisualProbe
from lifeloom.synthesis.probes.wording import carriers_for, lead_ins_for, stems_for

__all__ = ["Selection"]

_MOMENTS_TRIED = 3
_WINDOWS_TRIED = 3
_VISUAL_WINDOWS_TRIED = 8
"""More, because the numbers and colours of a few pictures must come out even."""
_STEMS_TRIED = 6
_PARTS = 5
"""Of a conversation: what can be asked from an earlier one on is asked first, since most can only be asked late."""
_EVEN_ENOUGH = 0.75
"""A task with less than this part of an even share is said to be short."""
_SHARE_OFF = 0.02
"""Distance from the aimed share of pictured cases from which it is said."""


class Selection:
    """Chooses drafts for one release and keeps count of what has been chosen."""

    def __init__(self) -> None:
        """Start with nothing chosen."""
        self.balance = Balance()
        self._made: set[tuple[str, str, str, tuple[str, ...], str]] = set()

    def share_out(self, offers: Sequence[Offer], cases_per_persona: int, rng: random.Random) -> list[Counter[Lane]]:
        """Return how many cases of each task, worded and pictured, every offer is to give."""
        shares = share_out(offers, cases_per_persona, rng)
        self.balance.plan(tasks_of(shares))
        return shares

    def choose(self, offer: Offer, lane: Lane, used: Counter[str], rng: random.Random) -> Draft | None:
        """Choose the next case of ``lane`` and count it; ``used`` counts the offer's cases by attribute and handle.

        Where every case left of ``lane`` would make the right option the longest too often, one of the same task's
        other lane is taken, or one of another task. None when the conversation has no case left of any task.
        """
        draft = self._propose(offer, lane, used, rng)
        if draft is None or self.balance.too_long(draft):
            others = [Lane(lane.task, not lane.pictured)]
            tasks = sorted(CASE_TASKS, key=lambda name: (self.balance.made[name], rng.random()))
            others += [Lane(task, kind) for kind in (lane.pictured, not lane.pictured) for task in tasks]
            proposals = (self._propose(offer, other, used, rng) for other in others if other != lane)
            better = (found for found in proposals if found is not None and not self.balance.too_long(found))
            draft = next(better, draft)
        if draft is not None:
            self._note(draft, used)
        return draft

    def notes(self) -> list[str]:
        """Return in words what could not be balanced; empty when everything could."""
        balance, total = self.balance, sum(self.balance.made.values())
        even = total / len(CASE_TASKS)
        notes = [
            f"{task}: {balance.made[task]} cases, an even spread would give {even:.0f}"
            for task in CASE_TASKS
            if balance.made[task] < _EVEN_ENOUGH * even - 1
        ]
        pictured = sum(balance.pictured.values())
        # Of few cases one more or less is more than the distance.
        if total and abs(pictured - PICTURED_SHARE * total) > max(_SHARE_OFF * total, 1):
            notes.append(f"pictures: {pictured / total:.0%} of the cases need them, {PICTURED_SHARE:.0%} are aimed at")
        notes += [
            f"{task}: the right option is uniquely the longest in {balance.longest[task]} of {count} cases"
            for task, count in sorted(balance.made.items())
            if balance.longest[task] > LONGEST_SHARE * count
        ]
        return notes

    def _note(self, draft: Draft, used: Counter[str]) -> None:
        probe = draft.window.probe
        self._made.add(draft.identity)
        self.balance.note(draft)
        used[probe.attribute] += 1
        if isinstance(probe, VisualProbe):
            used[probe.phrase] += 1

    def _propose(self, offer: Offer, lane: Lane, used: Counter[str], rng: random.Random) -> Draft | None:
        windows = [window for window in offer.windows_of(lane.task) if window.probe.pictured == lane.pictured]
        stems = {id(window): self._open_stems(offer, window) for window in windows}
        open_windows = [window for window in windows if stems[id(window)]]
        open_windows.sort(
            key=lambda window: (
                *self._turn(
                    offer, window, len(stems[id(window)]), used, window.spans[0].start * _PARTS // len(offer.clock)
                ),
                rng.random(),
            ),
        )
        tried = _VISUAL_WINDOWS_TRIED if lane.task == "VDR" else _WINDOWS_TRIED
        drafts: list[tuple[tuple[float, ...], Draft]] = []
        for window in open_windows[:tried]:
            for stem in self._fresh(stems[id(window)], rng):
                for _ in range(_MOMENTS_TRIED):
                    lead_in = self._least(self.balance.lead_ins, stem, lead_ins_for(offer.edition), rng)
                    carrier = self._least(self.balance.carriers, stem, carriers_for(window.probe, stem), rng)
                    draft = draw_draft(offer, window, stem, lead_in, carrier, rng)
                    drafts.append((self.balance.cost(draft, used, rng), draft))
        return min(drafts, key=lambda item: item[0])[1] if drafts else None

    def _turn(
        self, offer: Offer, window: Window, stems_left: int, used: Mapping[str, int], opens: int
    ) -> tuple[int, ...]:
        """Return what decides whose turn it is: asked least often, then opening early; the rarest visual kind first."""
        probe = window.probe
        asked = len(stems_for(probe, offer.edition)) - stems_left
        if isinstance(probe, VisualProbe):
            return (self.balance.attributes[probe.attribute], asked, used[probe.phrase], opens)
        return (asked, used[probe.attribute], opens)

    def _fresh(self, stems: Sequence[Stem], rng: random.Random) -> list[Stem]:
        return sorted(stems, key=lambda stem: (self.balance.stem_uses[stem.stem_id], rng.random()))[:_STEMS_TRIED]

    def _least(
        self, uses: Mapping[tuple[str, str], int], stem: Stem, wordings: Sequence[str], rng: random.Random
    ) -> str:
        """Draw one of the wordings that have been least used with ``stem``, so that its cases differ."""
        counts = [uses[stem.stem_id, wording] for wording in wordings]
        return rng.choice([text for text, count in zip(wordings, counts, strict=True) if count == min(counts)])

    def _open_stems(self, offer: Offer, window: Window) -> list[Stem]:
        probe = window.probe
        key = (offer.plan_id, probe.attribute, probe.subject, window.right)
        return [stem for stem in stems_for(probe, offer.edition) if (*key, stem.stem_id) not in self._made]
