"""Drafts: cases before they get letters and alignment pairs."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from lifeloom.records import TaskName
from lifeloom.synthesis.catalogue import Stem
from lifeloom.synthesis.probes.offers import Offer, Window
from lifeloom.synthesis.probes.truth import Answers, draw_distractors
from lifeloom.synthesis.probes.wording import option_text, query_text

__all__ = ["Draft", "DraftOption", "draw_draft"]


@dataclass(frozen=True)
class DraftOption:
    """An option before it has a letter."""

    text: str
    source: str
    values: tuple[str, ...]
    marks: tuple[int, ...] = ()


@dataclass(frozen=True)
class Draft:
    """A case before letters and alignment."""

    offer: Offer
    window: Window
    moment: int
    stem: Stem
    lead_in: str
    carrier: str
    query: str
    right: DraftOption
    wrong: tuple[DraftOption, ...]
    evidence: tuple[int, ...]
    pictures: tuple[int, ...]

    @property
    def task(self) -> TaskName:
        """The task."""
        return self.window.probe.task

    @property
    def identity(self) -> tuple[str, str, str, tuple[str, ...], str]:
        """What makes two cases the same: plan, attribute, subject, right answer and stem."""
        probe = self.window.probe
        return (self.offer.plan_id, probe.attribute, probe.subject, self.window.right, self.stem.stem_id)

    @property
    def right_is_longest(self) -> bool:
        """Whether the right option is longer than every other, in characters."""
        return len(self.right.text) > max(len(option.text) for option in self.wrong)

    @property
    def option_values(self) -> frozenset[str]:
        """All values that the options name."""
        values: Iterable[tuple[str, ...]] = (self.right.values, *(option.values for option in self.wrong))
        return frozenset(value for option in values for value in option)

    @property
    def made_up(self) -> int:
        """Wrong options that no picture of the history shows."""
        return sum(option.source == "never_shown" for option in self.wrong)


def draw_draft(offer: Offer, window: Window, stem: Stem, lead_in: str, carrier: str, rng: random.Random) -> Draft:
    """Draw a moment of ``window`` and three wrong answers."""
    probe, moment = window.probe, window.draw_moment(rng)
    answers = probe.answers(moment)
    if not isinstance(answers, Answers):
        raise AssertionError("a window holds only moments with answers")
    others = draw_distractors(rng, answers.others, probe.task)
    return Draft(
        offer=offer,
        window=window,
        moment=moment,
        stem=stem,
        lead_in=lead_in,
        carrier=carrier,
        query=query_text(probe, stem, lead_in),
        right=DraftOption(option_text(carrier, probe, answers.right), "right", answers.right, answers.marks),
        wrong=tuple(
            DraftOption(option_text(carrier, probe, other.values), other.source, other.values, other.marks)
            for other in others
        ),
        evidence=answers.evidence,
        pictures=answers.pictures,
    )
