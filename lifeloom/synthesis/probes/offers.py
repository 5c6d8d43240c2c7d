"""What one persona's conversation offers to ask: windows of moments in which a probe has one right answer."""

from __future__ import annotations

import datetime as dt
import functools
import random
from dataclasses import dataclass

from lifeloom.records import BigFiveProfile, ConversationPlan, Edition, Persona, Rejection, Setting, TaskName
from lifeloom.synthesis.catalogue import UnknownAttributeError
from lifeloom.synthesis.probes.truth import Probe, Reason, probes_of
from lifeloom.synthesis.probes.visual import VisualProbe, visual_probes_of
from lifeloom.synthesis.probes.wording import stems_for

__all__ = ["Offer", "Window", "offer_of"]

_DRAWS = 3


@dataclass(frozen=True)
class Window:
    """A stretch of the conversation in which one probe has one right answer and three wrong ones."""

    probe: Probe | VisualProbe
    right: tuple[str, ...]
    spans: tuple[range, ...]
    """Moments, disjoint and ascending."""

    def draw_moment(self, rng: random.Random) -> int:
        """Draw a moment: the earliest of three, each equally likely.

        Most windows only open late, when all four values have been said; early questions are worth more.
        """
        total = sum(len(span) for span in self.spans)
        index = min(rng.randrange(total) for _ in range(_DRAWS))
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
    edition: Edition
    """Whose question wordings it is asked in."""
    offset_minutes: int
    clock: tuple[dt.datetime, ...]
    sessions: tuple[tuple[int, BigFiveProfile], ...]
    """Last turn and personality of each session, in order."""
    windows: tuple[Window, ...]
    probes: int
    """Probes that the plan has; each has a window or a rejection."""
    rejections: tuple[Rejection, ...]

    @functools.cached_property
    def _by_task(self) -> dict[TaskName, list[Window]]:
        found: dict[TaskName, list[Window]] = {}
        for window in self.windows:
            found.setdefault(window.probe.task, []).append(window)
        return found

    def windows_of(self, task: TaskName) -> list[Window]:
        """Return the windows of one task, in order."""
        return self._by_task.get(task, [])

    def big_five(self, moment: int) -> BigFiveProfile:
        """Return the personality in force in the session of the last turn before ``moment``."""
        return next(profile for last_turn, profile in self.sessions if moment - 1 <= last_turn)


def offer_of(persona: Persona, plan: ConversationPlan) -> Offer:
    """Look up what ``plan`` lets one ask. Every probe ends as windows or as a rejection with its reason."""
    windows: list[Window] = []
    rejections = []
    probes: tuple[Probe | VisualProbe, ...] = (*probes_of(plan), *visual_probes_of(plan))
    for probe in probes:
        found, reason = _windows(probe, len(plan.turns), persona.edition)
        windows += found
        if not found:
            rejections.append(
                Rejection(
                    stage="persona_mme/probes",
                    item=f"{plan.plan_id} {probe.task} {probe.attribute} {probe.subject}".strip()[:200],
                    reason=reason,
                )
            )
    return Offer(
        persona_id=persona.persona_id,
        plan_id=plan.plan_id,
        setting=plan.setting,
        edition=persona.edition,
        offset_minutes=plan.offset_minutes,
        clock=tuple(turn.at for turn in plan.turns),
        sessions=tuple((session.last_turn, session.big_five) for session in plan.sessions),
        windows=tuple(windows),
        probes=len(probes),
        rejections=tuple(rejections),
    )


def _windows(probe: Probe | VisualProbe, turns: int, edition: Edition) -> tuple[list[Window], Reason]:
    try:
        stems_for(probe, edition)
    except UnknownAttributeError:
        return [], "unknown_attribute"
    spans, reason = probe.spans(turns)
    return [Window(probe, right, tuple(ranges)) for right, ranges in spans.items()], reason
