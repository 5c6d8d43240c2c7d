"""CapEval-QAs as an asset: three questions a dialogue, or a reason, and what stops them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.caption_groups import CaptionGroup, caption_release
from assets.mcqa_probes import mcqa_probes_asset
from lifeloom.models.builtin.writer import probes
from lifeloom.records import CaptionSample, ProbeQuestion, Rejection
from lifeloom.tasks import ProbeWritingInput, ProbeWritingOutput
from resources.workbench import Workbench
from tests.assets.test_contexts import made as contexts_made
from tests.assets.test_contexts import shown
from tests.assets.test_scenes import DATE, QUIET, bench, failure

KEY = f"release/mcqa_probes/{DATE}"


def made(tmp_path: Path, *concepts: str) -> tuple[Workbench, Any]:
    """Materialise the questions about query pictures of one concept each."""
    workbench = bench(tmp_path)
    group: CaptionGroup = caption_release(workbench.profile)
    scenes = [shown(f"s{number}", one) for number, one in enumerate(concepts)]
    assert contexts_made(workbench, group, DATE, scenes).success
    result = dg.materialize(
        [mcqa_probes_asset(group)],
        raise_on_error=False,
        partition_key=DATE,
        resources={"workbench": workbench},
        run_config=QUIET,
    )
    return workbench, result


def test_every_dialogue_of_a_release_has_three_questions(tmp_path: Path) -> None:
    workbench, result = made(tmp_path, "p0", "animal0", "object0")
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    samples = list(workbench.store.read(f"release/contexts/{DATE}", "samples", CaptionSample))
    rows = list(workbench.store.read(KEY, "questions", ProbeQuestion))
    dialogues = [entry.dialogue_id for one in samples for entry in one.entries]
    assert Counter(one.dialogue_id for one in rows) == dict.fromkeys(dialogues, 3)
    assert sum(one.positive for one in rows) == 9
    (event,) = result.asset_materializations_for_node("release__mcqa_probes")
    assert event.metadata["in"].value == event.metadata["out"].value == 9
    assert event.metadata["right letters"].value == {"A": 9, "B": 9, "C": 9}


def test_without_contexts_there_are_no_questions_and_the_checks_pass(tmp_path: Path) -> None:
    workbench, result = made(tmp_path)
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    assert workbench.store.reader(KEY).rows("questions") == 0


def test_a_dialogue_whose_questions_could_not_be_worded_is_counted_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = probes.write_probes

    def no_things(asked: ProbeWritingInput, rng: Any) -> ProbeWritingOutput:
        if asked.category == "object":
            return ProbeWritingOutput(questions=("Where was it?",) * len(asked.facts))
        return write(asked, rng)

    monkeypatch.setattr(probes, "write_probes", no_things)
    workbench, result = made(tmp_path, "p0", "object0")
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    samples = list(workbench.store.read(f"release/contexts/{DATE}", "samples", CaptionSample))
    things = {entry.dialogue_id for one in samples for entry in one.entries if entry.identity.startswith("object")}
    lost = list(workbench.store.read(KEY, "rejections", Rejection))
    assert things
    assert {one.item for one in lost} == things
    assert {one.reason for one in lost} == {"questions_not_worded"}
    asked = {one.dialogue_id for one in workbench.store.read(KEY, "questions", ProbeQuestion)}
    assert len(asked) + len(things) == sum(len(one.entries) for one in samples)


def test_a_writer_that_words_no_question_fails_the_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = ProbeWritingOutput(questions=("Where was it?",))
    monkeypatch.setattr(probes, "write_probes", lambda asked, rng: nothing)
    workbench, result = made(tmp_path, "p0")
    assert not result.success
    assert "questions_not_worded 1" in failure(result)
    assert workbench.store.find(KEY) is None
