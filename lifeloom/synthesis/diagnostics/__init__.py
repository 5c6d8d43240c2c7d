"""Diagnostic tasks: last-seen detection, last-action recall, instruction-triggered recall (CoViP Section 4)."""

from lifeloom.synthesis.diagnostics.making import MadeDiagnostic, make_diagnostics
from lifeloom.synthesis.diagnostics.planning import (
    DiagnosticOrder,
    PlannedDiagnostic,
    PlannedMeeting,
    people_of,
    plan_diagnostics,
)

__all__ = [
    "DiagnosticOrder",
    "MadeDiagnostic",
    "PlannedDiagnostic",
    "PlannedMeeting",
    "make_diagnostics",
    "people_of",
    "plan_diagnostics",
]
