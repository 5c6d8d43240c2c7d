"""Diagnostic cases for tests, without a picture drawn."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.records import DiagnosticCase, DiagnosticDialoguePlan, Edition, LibraryImage
from lifeloom.streams import Streams
from lifeloom.synthesis.diagnostics import (
    DiagnosticOrder,
    MadeDiagnostic,
    PlannedDiagnostic,
    make_diagnostics,
    people_of,
    plan_diagnostics,
)
from tests.scenes import library_image

__all__ = ["ENDS_ON", "STREAMS", "cases_of", "made", "people", "planned"]

ENDS_ON = dt.date(2026, 1, 4)
STREAMS = Streams(5)


def people(count: int, pictures: int = 4) -> list[LibraryImage]:
    """People of a library with several pictures each."""
    return [
        library_image(f"d{person:02}-{number}", identity=f"d{person:02}", use="diagnostic", split="benchmark")
        for person in range(count)
        for number in range(pictures)
    ]


def planned(
    wanted: int,
    *,
    of: int = 12,
    edition: Edition = "release",
    as_printed: bool = False,
    streams: Streams = STREAMS,
) -> list[PlannedDiagnostic]:
    """Plans of cases about ``of`` people."""
    enough, _ = people_of(people(of))
    order = DiagnosticOrder("2026-01-05", edition, wanted, ENDS_ON, as_printed)
    return plan_diagnostics(order, enough, streams)


def made(those: Sequence[PlannedDiagnostic]) -> list[MadeDiagnostic]:
    """The plans in the built-in writer's words."""
    return list(make_diagnostics(those, BuiltinModel(), STREAMS, release_id="2026-01-05", stage="diagnostics"))


def cases_of(
    wanted: int, *, as_printed: bool = False
) -> tuple[list[DiagnosticCase], dict[str, DiagnosticDialoguePlan]]:
    """Cases with the plans of their dialogues."""
    found = made(planned(wanted, as_printed=as_printed))
    return [one.case for one in found if one.case], {plan.dialogue_id: plan for one in found for plan in one.plans}
