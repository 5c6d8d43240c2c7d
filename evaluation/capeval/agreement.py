"""How far a judge of captions can be trusted: its agreement with captions whose right answers are known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from evaluation.capeval.labelled import GATED, LABELLED_CLASSES, LabelledCaption, LabelledClass
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import Record
from lifeloom.scoring.probe_judging import judge_probe

__all__ = ["LEAST_AGREEMENT", "ClassAgreement", "JudgeAgreement", "measure_judge"]

LEAST_AGREEMENT = 0.95
"""In each of the gated classes, before a judge's scores are shown."""
_LEAST_CAPTIONS = 10
"""Of a class, below which nothing is known of it."""
_Z = 1.959964


class ClassAgreement(Record):
    """A judge on one class of captions."""

    KIND: ClassVar[str] = "class_agreement"

    judge: str
    """``backend/model``."""
    kind: LabelledClass
    captions: int = Field(ge=0)
    agreed: int = Field(ge=0)
    chose_right: int = Field(ge=0)
    """The dialogue's option."""
    chose_other: int = Field(ge=0)
    """Another of A to C."""
    abstained: int = Field(ge=0)
    """D."""
    unreadable: int = Field(ge=0)

    @property
    def share(self) -> float:
        """Agreement, 0..1; NaN where there is no caption."""
        return self.agreed / self.captions if self.captions else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval; (0, 1) where there is no caption."""
        if not self.captions:
            return 0.0, 1.0
        n, p = self.captions, self.share
        middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z * math.sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
        return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class JudgeAgreement:
    """A judge on all classes."""

    classes: tuple[ClassAgreement, ...]

    @property
    def problems(self) -> list[str]:
        """Why the judge's scores must not be shown; none: they may be."""
        found = []
        for one in self.classes:
            if one.kind not in GATED:
                continue
            if one.captions < _LEAST_CAPTIONS:
                found.append(
                    f"{one.kind}: only {one.captions} labelled captions, at least {_LEAST_CAPTIONS} are needed"
                )
            elif one.share < LEAST_AGREEMENT:
                found.append(f"{one.kind}: {one.agreed} of {one.captions} agree ({100 * one.share:.1f} %)")
        return found

    @property
    def trusted(self) -> bool:
        """Whether the judge agrees in each of the gated classes."""
        return not self.problems

    def table(self) -> str:
        """Return agreement and confusion as Markdown."""
        lines = [
            "| captions | expected | asked | agree | 95 % interval | chose the dialogue's option | another | D | "
            "unreadable |",
            "|---|---|---|---|---|---|---|---|---|",
        ]
        for one in self.classes:
            low, high = one.interval
            expected = "the dialogue's option" if one.kind in ("gold", "whole_context") else "D"
            share = f"{100 * one.share:.1f} %" if one.captions else "-"
            gated = " (needed)" if one.kind in GATED else ""
            cells = f"{one.chose_right} | {one.chose_other} | {one.abstained} | {one.unreadable}"
            lines.append(
                f"| {one.kind.replace('_', ' ')}{gated} | {expected} | {one.captions} | {share} | "
                f"{100 * low:.0f}-{100 * high:.0f} % | {cells} |"
            )
        return "\n".join(lines)


def measure_judge(judge: LanguageModel, labelled: Sequence[LabelledCaption], *, callers: int = 1) -> JudgeAgreement:
    """Ask ``judge`` about captions whose right answers are known. It is told neither the class nor the answer.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """

    def chosen(one: LabelledCaption) -> str:
        return judge_probe(judge, one.question, one.caption, policy="labelled", fingerprint="").letter

    letters = list(ordered_map(chosen, labelled, workers=callers))
    name = f"{judge.identity.backend}/{judge.identity.model}"
    given = list(zip(labelled, letters, strict=True))
    return JudgeAgreement(tuple(_of_class(name, kind, given) for kind in LABELLED_CLASSES))


def _of_class(judge: str, kind: LabelledClass, given: Iterable[tuple[LabelledCaption, str]]) -> ClassAgreement:
    own = [(one, letter) for one, letter in given if one.kind == kind]
    return ClassAgreement(
        judge=judge,
        kind=kind,
        captions=len(own),
        agreed=sum(letter == one.letter for one, letter in own),
        chose_right=sum(letter == one.question.answer for one, letter in own),
        chose_other=sum(letter not in ("", "D", one.question.answer) for one, letter in own),
        abstained=sum(letter == "D" for _, letter in own),
        unreadable=sum(letter == "" for _, letter in own),
    )
