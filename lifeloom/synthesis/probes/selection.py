"""Which cases to ask: spread over tasks, attributes and moments, balanced over the release.

What is balanced, by preferring among what the plans offer:

- tasks: each slot goes to the task that the release has least of;
- the right option is uniquely the longest in at most 30 % of the cases of a task;
- a value is right about a quarter of the times it is shown, within its attribute;
- stems are used equally often, each with a lead-in of its own, and no two cases share stem and three option values
  where another is at hand.
"""

from __future__ import annotations

import datetime as dt
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lifeloom.records import BigFiveProfile, ConversationPlan, Persona, Rejection, Setting, TaskName
from lifeloom.synthesis.catalogue import Stem, UnknownAttributeError
from lifeloom.synthesis.probes.truth import (
    Answers,
    NoAnswers,
    Probe,
    Reason,
    answers_at,
    draw_distractors,
    moments_of_change,
    probes_of,
)
from lifeloom.synthesis.probes.wording import LEAD_INS, draw_carrier, option_text, query_text, stems_for

__all__ = ["CASE_TASKS", "LONGEST_SHARE", "Draft", "DraftOption", "Offer", "Selection", "Window", "offer_of"]

CASE_TASKS: tuple[TaskName, ...] = ("SIR", "EII", "LPR", "IEA", "LGT", "RR", "GNS")
"""Tasks with cases of their own; PA rides on them."""

LONGEST_SHARE = 0.3
"""Most cases of a task whose right option is uniquely the longest."""

_LONGEST_AIM = 0.27
"""What is aimed at, so that the share holds also when a few cases of a task give way to other tasks."""

_MOMENTS_TRIED = 3
_WINDOWS_TRIED = 3


@dataclass(frozen=True)
class Window:
    """A stretch of the conversation in which one probe has one right answer and three wrong ones."""

    probe: Probe
    right: tuple[str, ...]
    spans: tuple[range, ...]
    """Moments, disjoint and ascending."""

    def draw_moment(self, rng: random.Random) -> int:
        """Draw a moment, each equally likely."""
        index = rng.randrange(sum(len(span) for span in self.spans))
        for span in self.spans:
            if index < len(span):
                return span[index]
            index -= len(span)
        raise AssertionError("the index is below the sum of the lengths")


@dataclass(frozen=True)
class Offer:
    """All that one persona's conversation offers; small, so that the plans need not stay in memory."""

    persona_id: str
    plan_id: str
    setting: Setting
    offset_minutes: int
    clock: tuple[dt.datetime, ...]
    sessions: tuple[tuple[int, BigFiveProfile], ...]
    """Last turn and personality of each session, in order."""
    windows: tuple[Window, ...]
    probes: int
    """Probes that the plan has; each has a window or a rejection."""
    rejections: tuple[Rejection, ...]

    def big_five(self, moment: int) -> BigFiveProfile:
        """Return the personality in force in the session of the last turn before ``moment``."""
        return next(profile for last_turn, profile in self.sessions if moment - 1 <= last_turn)


@dataclass(frozen=True)
class DraftOption:
    """An option before it has a letter."""

    text: str
    source: str


@dataclass(frozen=True)
class Draft:
    """A case before letters and alignment."""

    offer: Offer
    window: Window
    moment: int
    stem: Stem
    lead_in: str
    query: str
    right: DraftOption
    wrong: tuple[DraftOption, ...]
    wrong_values: tuple[tuple[str, ...], ...]
    evidence: tuple[int, ...]

    @property
    def task(self) -> TaskName:
        """The task."""
        return self.window.probe.task

    @property
    def identity(self) -> tuple[str, str, tuple[str, ...], str]:
        """What makes two cases of one conversation the same: attribute, right answer and stem, beside the plan."""
        return (self.offer.plan_id, self.window.probe.attribute, self.window.right, self.stem.stem_id)

    @property
    def right_is_longest(self) -> bool:
        """Whether the right option is longer than every other, in characters."""
        return len(self.right.text) > max(len(option.text) for option in self.wrong)


def offer_of(persona: Persona, plan: ConversationPlan) -> Offer:
    """Look up what ``plan`` lets one ask. Every probe ends as windows or as a rejection with its reason."""
    windows: list[Window] = []
    rejections = []
    probes = probes_of(plan)
    for probe in probes:
        found, reason = _windows(probe, len(plan.turns))
        windows += found
        if not found:
            rejections.append(
                Rejection(
                    stage="persona_mme/probes",
                    item=f"{plan.plan_id} {probe.task} {probe.attribute}"[:200],
                    reason=reason,
                )
            )
    return Offer(
        persona_id=persona.persona_id,
        plan_id=plan.plan_id,
        setting=plan.setting,
        offset_minutes=plan.offset_minutes,
        clock=tuple(turn.at for turn in plan.turns),
        sessions=tuple((session.last_turn, session.big_five) for session in plan.sessions),
        windows=tuple(windows),
        probes=len(probes),
        rejections=tuple(rejections),
    )


def _windows(probe: Probe, turns: int) -> tuple[list[Window], Reason]:
    try:
        stems_for(probe)
    except UnknownAttributeError:
        return [], "unknown_attribute"
    starts = [moment for moment in moments_of_change(probe) if moment <= turns]
    spans: dict[tuple[str, ...], list[range]] = {}
    reasons: Counter[Reason] = Counter()
    for start, after in zip(starts, [*starts[1:], turns + 1], strict=True):
        answers = answers_at(probe, start)
        if isinstance(answers, NoAnswers):
            reasons[answers.reason] += 1
        else:
            spans.setdefault(answers.right, []).append(range(start, after))
    order: tuple[Reason, ...] = ("too_few_distractors", "in_doubt", "nothing_holds")
    reason: Reason = next((name for name in order if reasons[name]), "nothing_holds")
    return [Window(probe, right, tuple(ranges)) for right, ranges in spans.items()], reason


@dataclass
class Selection:
    """Chooses drafts for one release and keeps count of what has been chosen."""

    made: Counter[TaskName] = field(default_factory=Counter)
    """Cases chosen, by task."""
    longest: Counter[TaskName] = field(default_factory=Counter)
    """Those of them whose right option is uniquely the longest."""
    _most_longest: dict[TaskName, int] = field(default_factory=dict)
    _stem_uses: Counter[str] = field(default_factory=Counter)
    _lead_ins: Counter[tuple[str, str]] = field(default_factory=Counter)
    _shown: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    _right: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    _option_sets: defaultdict[str, list[frozenset[str]]] = field(default_factory=lambda: defaultdict(list))
    _made: set[tuple[str, str, tuple[str, ...], str]] = field(default_factory=set)

    def share_out(self, offers: Sequence[Offer], cases_per_persona: int, rng: random.Random) -> list[Counter[TaskName]]:
        """Return how many cases of each task every offer gives, at most ``cases_per_persona`` each.

        Each slot goes to the task that the release, then the conversation, has least of, among those with cases left.
        """
        total: Counter[TaskName] = Counter()
        shares = []
        for offer in offers:
            left: Counter[TaskName] = Counter()
            for window in offer.windows:
                left[window.probe.task] += len(stems_for(window.probe))
            share: Counter[TaskName] = Counter()
            for _ in range(cases_per_persona):
                open_tasks = [task for task in CASE_TASKS if left[task] > share[task]]
                if not open_tasks:
                    break
                task = min(open_tasks, key=lambda name: (total[name], share[name], rng.random()))
                total[task] += 1
                share[task] += 1
            shares.append(share)
        self._most_longest = {task: math.floor(_LONGEST_AIM * total[task]) for task in CASE_TASKS}
        return shares

    def choose(self, offer: Offer, task: TaskName, used: Counter[str], rng: random.Random) -> Draft | None:
        """Choose the next case of ``task`` and count it; ``used`` counts the offer's cases by attribute.

        Where every case left of ``task`` would make the right option the longest too often, a case of another task
        is taken instead. None when the conversation has no case left of any task.
        """
        draft = self._propose(offer, task, used, rng)
        if draft is None or self._too_long(draft):
            others = sorted(CASE_TASKS, key=lambda name: (self.made[name], rng.random()))
            proposals = (self._propose(offer, name, used, rng) for name in others if name != task)
            better = (found for found in proposals if found is not None and not self._too_long(found))
            draft = next(better, draft)
        if draft is not None:
            self._note(draft)
            used[draft.window.probe.attribute] += 1
        return draft

    def _propose(self, offer: Offer, task: TaskName, used: Counter[str], rng: random.Random) -> Draft | None:
        windows = [window for window in offer.windows if window.probe.task == task]
        open_windows = [window for window in windows if self._open_stems(offer, window)]
        open_windows.sort(
            key=lambda window: (self._times(offer, window), used[window.probe.attribute], rng.random()),
        )
        drafts: list[tuple[tuple[float, ...], Draft]] = []
        for window in open_windows[:_WINDOWS_TRIED]:
            for stem in self._open_stems(offer, window):
                for _ in range(_MOMENTS_TRIED):
                    draft = _draft(offer, window, stem, self._draw_lead_in(stem, rng), rng)
                    drafts.append((self._cost(draft, used, rng), draft))
        return min(drafts, key=lambda item: item[0])[1] if drafts else None

    def _too_long(self, draft: Draft) -> bool:
        return draft.right_is_longest and self.longest[draft.task] >= self._most_longest[draft.task]

    def _draw_lead_in(self, stem: Stem, rng: random.Random) -> str:
        return min(LEAD_INS, key=lambda lead_in: (self._lead_ins[stem.stem_id, lead_in], rng.random()))

    def _open_stems(self, offer: Offer, window: Window) -> list[Stem]:
        key = (offer.plan_id, window.probe.attribute, window.right)
        return [stem for stem in stems_for(window.probe) if (*key, stem.stem_id) not in self._made]

    def _times(self, offer: Offer, window: Window) -> int:
        return len(stems_for(window.probe)) - len(self._open_stems(offer, window))

    def _cost(self, draft: Draft, used: Counter[str], rng: random.Random) -> tuple[float, ...]:
        window = draft.window
        key = (_value_scope(window.probe), window.right)
        options = _option_values(draft)
        return (
            any(len(options & other) >= 3 for other in self._option_sets[draft.stem.stem_id]),
            self._too_long(draft),
            used[window.probe.attribute],
            round(self._right[key] - self._shown[key] / 4),
            self._stem_uses[draft.stem.stem_id],
            rng.random(),
        )

    def _note(self, draft: Draft) -> None:
        scope = _value_scope(draft.window.probe)
        self._made.add(draft.identity)
        self._stem_uses[draft.stem.stem_id] += 1
        self._lead_ins[draft.stem.stem_id, draft.lead_in] += 1
        self.made[draft.task] += 1
        self.longest[draft.task] += draft.right_is_longest
        self._right[scope, draft.window.right] += 1
        self._shown.update((scope, values) for values in (draft.window.right, *draft.wrong_values))
        self._option_sets[draft.stem.stem_id].append(_option_values(draft))


def _value_scope(probe: Probe) -> str:
    return "relations" if probe.task == "RR" else probe.attribute


def _option_values(draft: Draft) -> frozenset[str]:
    values: Iterable[tuple[str, ...]] = (draft.window.right, *draft.wrong_values)
    return frozenset(value for option in values for value in option)


def _draft(offer: Offer, window: Window, stem: Stem, lead_in: str, rng: random.Random) -> Draft:
    moment = window.draw_moment(rng)
    answers = answers_at(window.probe, moment)
    if not isinstance(answers, Answers):
        raise AssertionError("a window holds only moments with answers")
    others = draw_distractors(rng, answers.others, window.probe.task)
    carrier = draw_carrier(rng, window.probe.task, stem)
    return Draft(
        offer=offer,
        window=window,
        moment=moment,
        stem=stem,
        lead_in=lead_in,
        query=query_text(window.probe, stem, lead_in),
        right=DraftOption(option_text(carrier, answers.right), "right"),
        wrong=tuple(DraftOption(option_text(carrier, other.values), other.source) for other in others),
        wrong_values=tuple(other.values for other in others),
        evidence=answers.evidence,
    )
