"""Diagnostic cases and their scores as assets: made, scored, left out, and what stops them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.caption_groups import caption_release
from assets.caption_keys import IMAGE_LIBRARY
from assets.diagnostic_scores import diagnostic_scores_asset
from assets.diagnostics import diagnostics_asset
from evaluation.diagnostics.audit import DiagnosticAuditRow
from evaluation.diagnostics.scoring import DiagnosticScore
from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.models.builtin.writer import diagnostic_dialogues
from lifeloom.records import (
    DiagnosticAnswer,
    DiagnosticCase,
    DiagnosticDialoguePlan,
    LibraryImage,
    PictureReference,
    Rejection,
)
from lifeloom.store import DatasetWriter, Recipe
from lifeloom.streams import Streams
from lifeloom.synthesis.image_library import LibraryOrder, plan_library
from lifeloom.tasks import DiagnosticDialogueOutput
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.assets.test_scenes import DATE, QUIET, failure
from tests.scenes import library_image

KEY = f"release/diagnostics/{DATE}"


def bench(home: Path, people: int = 5, **settings: Any) -> Workbench:
    """A home with a library of people with four pictures each."""
    said = {f"LIFELOOM_CAPTIONS__{name.upper()}": str(value) for name, value in settings.items()}
    workbench = Workbench(load_profile("demo", said), home)
    painter = BuiltinPainter()

    def make(writer: DatasetWriter) -> None:
        writer.write("images", LibraryImage, ())
        for plan in plan_library(LibraryOrder(0, people), Streams(3)):
            drawn = painter.draw(plan.picture)
            picture = PictureReference(
                content_hash=writer.put_media(drawn.data), width=drawn.width, height=drawn.height
            )
            image = library_image(
                plan.image_id, identity=plan.identity, use=plan.use, split=plan.split, picture=picture
            )
            writer.write("images", LibraryImage, [image])

    workbench.store.produce(IMAGE_LIBRARY, Recipe(stage=IMAGE_LIBRARY, seed=1), make)
    return workbench


def materialised(workbench: Workbench, *, scores: bool = False) -> Any:
    group = caption_release(workbench.profile)
    asset = diagnostic_scores_asset(group) if scores else diagnostics_asset(group)
    return dg.materialize(
        [asset],
        raise_on_error=False,
        partition_key=DATE,
        resources={"workbench": workbench},
        run_config=QUIET,
    )


def rows(workbench: Workbench, table: str, kind: Any) -> list[Any]:
    return list(workbench.store.read(KEY, table, kind))


def verdicts(result: Any) -> dict[str, tuple[bool, str]]:
    return {one.check_name: (one.passed, one.severity.name) for one in result.get_asset_check_evaluations()}


@pytest.mark.slow
def test_a_release_has_its_cases_with_plans_and_scores_by_task_and_mode(tmp_path: Path) -> None:
    workbench = bench(tmp_path, diagnostic_contexts=12, policies="zero-shot,grounded")
    result = materialised(workbench)
    assert result.success
    cases = rows(workbench, "cases", DiagnosticCase)
    assert [one.case_id for one in cases] == [f"{DATE}-d{number:04d}" for number in range(12)]
    plans = rows(workbench, "plans", DiagnosticDialoguePlan)
    assert [one.dialogue_id for one in plans] == [entry.dialogue_id for case in cases for entry in case.entries]
    checks = verdicts(result)
    assert checks.pop("no_shortcut") == (False, "WARN")  # too few cases to decide
    assert all(passed for passed, _ in checks.values())
    (event,) = result.asset_materializations_for_node("release__diagnostics")
    assert (event.metadata["in"].value, event.metadata["out"].value) == (12, 12)
    assert event.metadata["with an instruction about the query's person"].value == 6
    assert "data:image/" in str(event.metadata["cases"].value)

    scored = materialised(workbench, scores=True)
    assert scored.success
    assert all(passed for passed, _ in verdicts(scored).values())
    scores = list(workbench.store.read(f"scores/diagnostics/{DATE}", "scores", DiagnosticScore))
    assert [(one.policy, one.task, one.mode) for one in scores] == [
        (policy, task, mode)
        for policy in ("zero-shot", "grounded")
        for task in ("lsd", "lar", "itr")
        for mode in ("direct", "cag")
    ]
    assert {one.cases for one in scores} == {12}
    by_name = {(one.policy, one.task, one.mode): one.score for one in scores}
    # Recognising faces must help: the query's person is told by the picture alone.
    assert by_name["grounded", "itr", "direct"] > by_name["zero-shot", "itr", "direct"]
    assert by_name["grounded", "lar", "direct"] > by_name["zero-shot", "lar", "direct"]
    (event,) = scored.asset_materializations_for_node("scores__diagnostics")
    shown = str(event.metadata["Diagnostics (Table 3)"].value)
    assert "| grounded |" in shown
    assert "*paper: Gemini-3.0-Pro*" in shown
    assert "data:image/" in str(event.metadata["worst and best cases"].value)

    answers = workbench.store.keys("diagnostic_answers")
    assert len(answers) == 2
    assert len(list(workbench.store.read(answers[0], "answers", DiagnosticAnswer))) == 12 * 6


def test_the_papers_contexts_are_made_and_the_audit_says_what_is_wrong_with_them(tmp_path: Path) -> None:
    workbench = bench(tmp_path, 8, diagnostic_contexts=24, diagnostic_contexts_as_printed="true")
    result = materialised(workbench)
    assert result.success
    assert verdicts(result)["no_shortcut"] == (False, "WARN")
    audit = {(one.policy, one.task): one for one in rows(workbench, "audit", DiagnosticAuditRow)}
    assert audit["text_only", "lar"].verdict == "failed"


def test_a_shortcut_stops_a_release_of_our_own_contexts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workbench = bench(tmp_path, diagnostic_contexts=12)

    def found(release: str, cases: Sequence[Any], *_: Any, **more: Any) -> list[DiagnosticAuditRow]:
        row = DiagnosticAuditRow(
            release_id=release, policy="text_only", task="lsd", cases=12, score=1.0, lower_bound=0.7, limit=0.4,
            verdict="failed",
        )  # fmt: skip
        return [row]

    monkeypatch.setattr("assets.diagnostics.audit_diagnostics", found)
    result = materialised(workbench)
    assert not result.success
    assert "no_shortcut: text_only reaches 100.0% on lsd" in failure(result)
    assert workbench.store.find(KEY) is None


def test_a_case_whose_dialogue_cannot_be_had_is_left_out_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workbench = bench(tmp_path, diagnostic_contexts=6)
    write = diagnostic_dialogues.write_diagnostic_dialogue
    refused: list[str] = []

    def sometimes(asked: Any, rng: Any) -> DiagnosticDialogueOutput:
        given = write(asked, rng)
        refused.append(refused[0] if refused else asked.location)
        if asked.location != refused[0]:
            return given
        turns = tuple(one.model_copy(update={"user": "Nothing."}) for one in given.turns)
        return given.model_copy(update={"turns": turns})

    monkeypatch.setattr(diagnostic_dialogues, "write_diagnostic_dialogue", sometimes)
    result = materialised(workbench)
    assert result.success
    assert len(rows(workbench, "cases", DiagnosticCase)) == 5
    reasons = [(one.item, one.reason) for one in rows(workbench, "rejections", Rejection)]
    assert reasons == [(f"{DATE}-d0000-c0", "dialogue_not_as_planned"), (f"{DATE}-d0000", "dialogue_missing")]


def test_without_cases_tables_are_empty_and_there_is_nothing_to_score(tmp_path: Path) -> None:
    workbench = bench(tmp_path, 0, diagnostic_contexts=0)
    result = materialised(workbench)
    assert result.success
    assert all(passed for passed, _ in verdicts(result).values())
    assert [workbench.store.reader(KEY).rows(one) for one in ("cases", "plans", "rejections", "audit")] == [0] * 4
    scored = materialised(workbench, scores=True)
    assert scored.success
    assert all(passed for passed, _ in verdicts(scored).values())
    (event,) = scored.asset_materializations_for_node("scores__diagnostics")
    assert event.metadata["scores"].value == "there are no diagnostic cases"


def test_a_library_without_enough_people_fails_in_words_that_say_what_to_do(tmp_path: Path) -> None:
    result = materialised(bench(tmp_path, 3, diagnostic_contexts=6))
    assert not result.success
    assert "the image library has 3 people with 4 pictures each" in failure(result)
    assert "captions.diagnostic_contexts = 0" in failure(result)
