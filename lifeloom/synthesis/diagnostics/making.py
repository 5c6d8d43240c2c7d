"""Making diagnostic cases: planned, worded, and left out with a reason where a dialogue is missing (C10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import DiagnosticCase, DiagnosticDialoguePlan, DiagnosticEntry, Rejection
from lifeloom.streams import Streams
from lifeloom.synthesis.diagnostics.planning import PlannedDiagnostic
from lifeloom.synthesis.diagnostics.words import write_meeting

__all__ = ["DIALOGUE_MISSING", "MadeDiagnostic", "make_diagnostics"]

DIALOGUE_MISSING = "dialogue_missing"
"""Reason of a rejection: the writer did not keep to the plan of one of the ten dialogues."""


@dataclass(frozen=True)
class MadeDiagnostic:
    """A case, or the reasons why there is none."""

    case: DiagnosticCase | None
    plans: tuple[DiagnosticDialoguePlan, ...] = ()
    rejections: tuple[Rejection, ...] = ()


def make_diagnostics(
    planned: Iterable[PlannedDiagnostic],
    writer: LanguageModel,
    streams: Streams,
    *,
    release_id: str,
    stage: str,
    callers: int = 1,
) -> Iterator[MadeDiagnostic]:
    """Yield each planned case in words, in order.

    Args:
        planned: what is to be told.
        writer: words dialogues.
        streams: the profile's.
        release_id: date of the release, or shard.
        stage: whose rejections these are.
        callers: cases worded at once.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the writer stopped answering.
    """

    def made(one: PlannedDiagnostic) -> MadeDiagnostic:
        return _worded(one, writer, streams, release_id, stage)

    yield from ordered_map(made, planned, workers=callers)


def _worded(
    planned: PlannedDiagnostic, writer: LanguageModel, streams: Streams, release_id: str, stage: str
) -> MadeDiagnostic:
    entries, provenance = [], writer.identity.provenance()
    for one in planned.meetings:
        written = write_meeting(writer, one.plan, one.image, streams, stage=stage)
        if isinstance(written, Rejection):
            lost = Rejection(stage=stage, item=planned.case_id, reason=DIALOGUE_MISSING, detail=one.plan.dialogue_id)
            return MadeDiagnostic(None, rejections=(written, lost))
        turns, provenance = written
        entries.append(
            DiagnosticEntry(
                picture=one.image.picture,
                identity=one.image.identity,
                dialogue_id=one.plan.dialogue_id,
                met_on=one.plan.met_on,
                location=one.plan.location,
                turns=turns,
            )
        )
    last = planned.last
    case = DiagnosticCase(
        case_id=planned.case_id,
        release_id=release_id,
        query=planned.query.picture,
        identity=planned.query.identity,
        entries=tuple(entries),
        location=last.location,
        action=last.action,
        keyword=planned.keyword,
        keywords=planned.keywords,
        made_by=provenance,
    )
    return MadeDiagnostic(case, tuple(one.plan for one in planned.meetings))
