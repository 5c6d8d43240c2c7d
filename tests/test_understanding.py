"""Nothing on the understanding side sees a plan, by any import."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import lifeloom.records.plan as plan

ROOT = Path(__file__).parent.parent
SIDES = ("lifeloom/models", "lifeloom/scoring", "evaluation")
PLANNED = {
    name
    for name in plan.__all__
    if isinstance(getattr(plan, name), type) and getattr(plan, name).__module__ == plan.__name__
}
MODULES = sorted(path for side in SIDES for path in (ROOT / side).rglob("*.py"))


def test_the_plan_has_records_to_look_for() -> None:
    assert {"ConversationPlan", "PlannedFact", "Statement", "Occasion", "TurnPlan"} <= PLANNED


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_module_imports_no_plan(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.module not in ("lifeloom.records.plan", "lifeloom.synthesis")
            assert not (node.module or "").startswith("lifeloom.synthesis.")
            assert not PLANNED & {alias.name for alias in node.names}
        if isinstance(node, ast.Import):
            assert not any(alias.name.startswith("lifeloom.synthesis") for alias in node.names)
        if isinstance(node, ast.Attribute):
            assert node.attr not in PLANNED
