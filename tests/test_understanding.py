"""Nothing on the understanding side sees a plan, or the record of what was drawn, by any import."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import lifeloom.records.pictures as pictures
import lifeloom.records.plan as plan

ROOT = Path(__file__).parent.parent
SIDES = ("lifeloom/models", "lifeloom/scoring", "evaluation")
PLANNED = {
    name
    for name in plan.__all__
    if isinstance(getattr(plan, name), type) and getattr(plan, name).__module__ == plan.__name__
}
PLANLESS = {"lifeloom.synthesis.near_duplicates"}
"""Modules of synthesis that know texts and nothing else."""
JUDGES = {
    ROOT / "evaluation" / name
    for name in ("memory_quality/planned.py", "personality_recovery.py", "personality_report.py")
}
"""What compares with what was planned after the fact; no policy or model imports it."""
MAKERS = {
    ROOT / "evaluation" / name
    for name in ("caption_quality/contents.py", "caption_quality/object_words.py", "concept_grounding/sets.py")
}
"""What makes tests of captions from what was planned; who is tested never sees it."""
MODULES = sorted(path for side in SIDES for path in (ROOT / side).rglob("*.py") if path not in JUDGES | MAKERS)


def test_the_plan_has_records_to_look_for() -> None:
    assert {"ConversationPlan", "PlannedFact", "Statement", "Occasion", "TurnPlan"} <= PLANNED


@pytest.mark.parametrize("name", sorted(PLANLESS))
def test_what_is_said_to_know_no_plan_knows_none(name: str) -> None:
    path = ROOT / f"{name.replace('.', '/')}.py"
    imported = [node.module for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
    assert [module for module in imported if (module or "").startswith("lifeloom")] == ["lifeloom.streams"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_module_imports_no_plan(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.module not in ("lifeloom.records.plan", "lifeloom.synthesis")
            assert node.module in PLANLESS or not (node.module or "").startswith("lifeloom.synthesis.")
            assert not PLANNED & {alias.name for alias in node.names}
        if isinstance(node, ast.Import):
            assert not any(alias.name.startswith("lifeloom.synthesis") for alias in node.names)
        if isinstance(node, ast.Attribute):
            assert node.attr not in PLANNED


def test_only_the_measure_of_memories_imports_what_reads_plans_for_it() -> None:
    for path in MODULES:
        if path.parent.name == "memory_quality":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.module != "evaluation.memory_quality.planned", path
                assert "truth_of" not in {alias.name for alias in node.names}, path


DRAWN = {
    name
    for name in pictures.__all__
    if isinstance(getattr(pictures, name), type) and getattr(pictures, name).__module__ == pictures.__name__
}
LOOKERS = ("lifeloom/models/builtin/reader", "lifeloom/models/builtin/eyes", "lifeloom/scoring", "evaluation")


def test_pictures_have_records_to_look_for() -> None:
    assert {"Picture", "PicturePlan", "PictureSubject", "DrawnSubject", "Appearance"} <= DRAWN


@pytest.mark.parametrize(
    "path",
    sorted(path for side in LOOKERS for path in (ROOT / side).rglob("*.py") if path not in MAKERS),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_who_looks_at_pictures_imports_no_record_of_what_they_hold(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.module != "lifeloom.records.pictures"
            assert "painter" not in (node.module or "")
            assert not DRAWN & {alias.name for alias in node.names}
        if isinstance(node, ast.Import):
            assert not any("painter" in alias.name for alias in node.names)
        if isinstance(node, ast.Attribute):
            assert node.attr not in DRAWN


def test_who_describes_pictures_imports_nothing_that_makes_tests_of_descriptions() -> None:
    makers = {f"evaluation.{path.parent.name}.{path.stem}" for path in MAKERS}
    describers = [*(ROOT / "lifeloom").rglob("*.py"), *(ROOT / "evaluation" / "captioners").rglob("*.py")]
    assert len(describers) > 10
    for path in describers:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.module not in makers | {"evaluation.concept_grounding", "evaluation.caption_quality"}, path
