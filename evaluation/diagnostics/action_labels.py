"""How far a judge of actions can be trusted: its agreement with answers whose right verdicts are known (LAR)."""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import ClassVar, Literal, get_args

from pydantic import Field

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import Record
from lifeloom.scoring.diagnostic_scoring import judge_action

__all__ = [
    "ActionAgreement",
    "ActionLabel",
    "ActionLabelKind",
    "action_labels",
    "agreement_share",
    "agreement_table",
    "measure_action_judge",
]

ActionLabelKind = Literal["said", "paraphrased", "other", "lacking", "denied", "several", "unknown"]
_KINDS: tuple[ActionLabelKind, ...] = get_args(ActionLabelKind)
_CORRECT = frozenset({"said", "paraphrased"})


@dataclass(frozen=True)
class ActionLabel:
    """An answer whose right verdict is known."""

    action: str
    answer: str
    kind: ActionLabelKind
    """How the answer stands to the action; nobody who judges sees it."""
    held_out: bool
    """Not looked at while the built-in judge was written."""

    @property
    def correct(self) -> bool:
        """The right verdict."""
        return self.kind in _CORRECT


class ActionAgreement(Record):
    """A judge on one kind of answers."""

    KIND: ClassVar[str] = "action_agreement"

    judge: str
    """``backend/model``."""
    kind: ActionLabelKind
    held_out: bool
    answers: int = Field(ge=0)
    agreed: int = Field(ge=0)
    unreadable: int = Field(ge=0)
    """Verdicts that are neither Correct nor Wrong; no agreement."""


@functools.cache
def action_labels() -> tuple[ActionLabel, ...]:
    """Return the labelled answers."""
    text = files("evaluation.diagnostics").joinpath("labelled_actions.toml").read_text(encoding="utf-8")
    return tuple(
        ActionLabel(row["action"], answer, kind, row.get("held_out", False))
        for row in tomllib.loads(text)["action"]
        for kind in _KINDS
        for answer in row.get(kind, ())
    )


def measure_action_judge(
    judge: LanguageModel, labels: Sequence[ActionLabel], *, callers: int = 1
) -> list[ActionAgreement]:
    """Ask ``judge`` about answers whose verdicts are known; it is told neither kind nor verdict.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """

    def judged(one: ActionLabel) -> bool | None:
        return judge_action(judge, one.action, one.answer).correct

    verdicts = list(ordered_map(judged, labels, workers=callers))
    name = f"{judge.identity.backend}/{judge.identity.model}"
    rows = []
    for kind in _KINDS:
        for held_out in (False, True):
            own = [
                (one, verdict)
                for one, verdict in zip(labels, verdicts, strict=True)
                if one.kind == kind and one.held_out == held_out
            ]
            if own:
                rows.append(
                    ActionAgreement(
                        judge=name,
                        kind=kind,
                        held_out=held_out,
                        answers=len(own),
                        agreed=sum(verdict is one.correct for one, verdict in own),
                        unreadable=sum(verdict is None for _, verdict in own),
                    )
                )
    return rows


def agreement_share(rows: Sequence[ActionAgreement]) -> float:
    """Return the share of all answers on which the judge agrees, 0..1; NaN where there are none."""
    answers = sum(one.answers for one in rows)
    return sum(one.agreed for one in rows) / answers if answers else math.nan


def agreement_table(rows: Sequence[ActionAgreement]) -> str:
    """Return agreement by kind of answer as Markdown."""
    lines = ["| answers | right verdict | held out | asked | agree | unreadable |", "|---|---|---|---|---|---|"]
    for one in rows:
        verdict = "Correct" if one.kind in _CORRECT else "Wrong"
        held = "yes" if one.held_out else "no"
        lines.append(
            f"| {one.kind} | {verdict} | {held} | {one.answers} | {100 * one.agreed / one.answers:.0f} % | "
            f"{one.unreadable} |"
        )
    for held_out in (False, True):
        own = [one for one in rows if one.held_out == held_out]
        if own:
            held = "yes" if held_out else "no"
            asked, unreadable = (sum(getattr(one, name) for one in own) for name in ("answers", "unreadable"))
            lines.append(f"| all | | {held} | {asked} | {100 * agreement_share(own):.0f} % | {unreadable} |")
    return "\n".join(lines)
