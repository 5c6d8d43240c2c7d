"""CapEval-QAs as assets: the judge is measured first, and its scores are shown only where it can be trusted."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets import caption_predictions
from assets.caption_groups import caption_release
from assets.caption_scores import caption_score_assets
from assets.mcqa_probes import mcqa_probes_asset
from assets.publishing import LEFT_OUT
from evaluation.capeval.agreement import ClassAgreement
from evaluation.capeval.audit import CaptionAuditRow
from evaluation.capeval.labelled import GATED
from lifeloom.models.builtin.reader import probing
from lifeloom.records import Caption, CaptionScore, ProbeAnswer, ProbeQuestion
from lifeloom.store import DatasetWriter, Recipe
from lifeloom.tasks.probe_judgement import ProbeJudgementInput
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.assets.test_contexts import made as contexts_made
from tests.assets.test_contexts import shown
from tests.assets.test_scenes import DATE, QUIET, bench, failure

AUDIT, SCORES = f"scores/caption_audit/{DATE}", f"scores/mcqa_probes/{DATE}"
QUESTIONS = f"release/mcqa_probes/{DATE}"
CONCEPTS = ("p0", "animal0", "object0") * 4


def materialised(workbench: Workbench, *assets: dg.AssetsDefinition) -> Any:
    return dg.materialize(
        list(assets),
        raise_on_error=False,
        partition_key=DATE,
        resources={"workbench": workbench},
        run_config=QUIET,
    )


def asked(home: Path, *concepts: str) -> None:
    """Make a home with a query picture of each of these concepts, its context and its questions."""
    workbench = bench(home)
    group = caption_release(workbench.profile)
    scenes = [shown(f"s{number}", one) for number, one in enumerate(concepts)]
    assert contexts_made(workbench, group, DATE, scenes).success
    assert materialised(workbench, mcqa_probes_asset(group)).success


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("release") / "home"
    asked(home, *CONCEPTS)
    return home


@pytest.fixture
def workbench(release: Path, tmp_path: Path) -> Workbench:
    return opened(Path(shutil.copytree(release, tmp_path / "home")))


def opened(home: Path, bootstrap: int = 100) -> Workbench:
    said = {
        "LIFELOOM_CAPTIONS__POLICIES": "zero-shot,grounded",
        "LIFELOOM_SCORING__BOOTSTRAP_SAMPLES": str(bootstrap),
    }
    return Workbench(load_profile("demo", said), home)


def audited(workbench: Workbench) -> Any:
    return materialised(workbench, caption_score_assets(caption_release(workbench.profile))[0])


def scored(workbench: Workbench) -> Any:
    return materialised(workbench, caption_score_assets(caption_release(workbench.profile))[1])


def verdicts(result: Any) -> dict[str, tuple[bool, str]]:
    return {one.check_name: (one.passed, one.severity.name) for one in result.get_asset_check_evaluations()}


def metadata(result: Any, asset: str) -> Any:
    (event,) = result.asset_materializations_for_node(f"scores__{asset}")
    return event.metadata


def judging(monkeypatch: pytest.MonkeyPatch, rule: Callable[[ProbeJudgementInput], str]) -> None:
    """Let the judge answer by ``rule``."""
    monkeypatch.setattr(probing, "judge_probe", lambda given, _: rule(given))


@pytest.mark.slow
def test_every_question_about_every_captioner_is_judged_counted_and_shown(
    workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = audited(workbench)
    assert audit.success
    # 108 questions are fewer than the audit decides on.
    assert verdicts(audit) == {"no_shortcut": (False, "WARN"), "judge_agrees": (True, "WARN")}
    result = scored(workbench)
    assert result.success
    assert all(passed for passed, _ in verdicts(result).values())

    questions = {one.question_id: one for one in workbench.store.read(QUESTIONS, "questions", ProbeQuestion)}
    assert len(questions) == len(CONCEPTS) * 3 * 3
    answers = list(workbench.store.read(SCORES, "answers", ProbeAnswer))
    for policy in ("zero-shot", "grounded"):
        assert Counter(one.question_id for one in answers if one.policy == policy) == dict.fromkeys(questions, 1)
    overall = {one.policy: one for one in workbench.store.read(SCORES, "scores", CaptionScore) if one.concepts == 0}
    assert overall.keys() == {"zero-shot", "grounded"}
    for one in overall.values():  # one of three pictures of a context is of the query's concept
        assert (one.samples, one.positive_questions, one.negative_questions) == (12, 36, 72)
        letters = [(questions[each.question_id], each.letter) for each in answers if each.policy == one.policy]
        told_rightly = sum(asked.positive and letter == asked.answer for asked, letter in letters)
        left_alone = sum(not asked.positive and letter == "D" for asked, letter in letters)
        assert (one.positive, one.negative) == pytest.approx((told_rightly / 36, left_alone / 72))
    told = metadata(result, "mcqa_probes")
    assert "| grounded |" in str([one.value for one in told.values()])
    assert "data:image/" in str(told["worst and best cases"].value)

    kept = workbench.store.keys("captions")
    assert [len(list(workbench.store.read(one, "captions", Caption))) for one in kept] == [len(CONCEPTS)] * 2

    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("captions are there already")

    monkeypatch.setattr(caption_predictions, "caption_samples", never)
    again = opened(tmp_path / "home", bootstrap=120)
    before = again.store.manifest(SCORES).content_hash
    assert scored(again).success
    assert again.store.manifest(SCORES).content_hash != before  # scored anew, and nobody was asked for a caption


def by_chance(given: ProbeJudgementInput) -> str:
    return rf"\boxed{{{random.Random(given.question + given.caption).choice('ABCD')}}}"


@pytest.mark.parametrize(
    ("rule", "doubted"),
    [
        pytest.param(lambda given: r"\boxed{D}", {"gold"}, id="always D"),
        pytest.param(lambda given: r"\boxed{A}", set(GATED), id="always A"),
        pytest.param(by_chance, set(GATED), id="by chance"),
        pytest.param(lambda given: "A", set(GATED), id="no box"),
        pytest.param(lambda given: "The first option is right.", set(GATED), id="in words"),
        pytest.param(lambda given: r"\boxed{A} or \boxed{D}", set(GATED), id="two boxes"),
    ],
)
def test_a_judge_that_cannot_be_trusted_scores_nobody(
    workbench: Workbench,
    monkeypatch: pytest.MonkeyPatch,
    rule: Callable[[ProbeJudgementInput], str],
    doubted: set[str],
) -> None:
    judging(monkeypatch, rule)
    audit = audited(workbench)
    assert audit.success
    assert verdicts(audit)["judge_agrees"] == (False, "WARN")
    rows = workbench.store.read(AUDIT, "agreement", ClassAgreement)
    assert {one.kind for one in rows if one.kind in GATED and one.share < 0.95} == doubted

    result = scored(workbench)
    assert result.success
    assert verdicts(result)["every_question_counted"] == (False, "WARN")
    reader = workbench.store.reader(SCORES)
    assert (reader.rows("scores"), reader.rows("answers")) == (0, 0)
    assert workbench.store.keys("captions") == []
    said = metadata(result, "mcqa_probes")
    assert said["scores"].value.startswith("not shown: the judge builtin/")
    assert said[LEFT_OUT].value.startswith("all scores: the judge builtin/")
    assert "choose another judge" in said["scores"].value
    assert "gold (needed)" in said["the judge on labelled captions"].value


def test_a_judge_that_answers_without_a_caption_stops_the_audit_and_so_the_scores(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = {one.question: one.answer for one in workbench.store.read(QUESTIONS, "questions", ProbeQuestion)}
    judging(monkeypatch, lambda given: rf"\boxed{{{right[given.question]}}}")
    audit = audited(workbench)
    assert not audit.success
    assert "no_caption gets " in failure(audit)
    assert workbench.store.find(AUDIT) is None
    result = scored(workbench)
    assert not result.success
    assert "caption_audit" in failure(result)
    assert workbench.store.find(SCORES) is None


def test_scores_of_a_judge_that_nobody_has_measured_are_not_shown(workbench: Workbench) -> None:
    def make(writer: DatasetWriter) -> None:
        perfect = {"captions": 50, "agreed": 50, "chose_right": 0, "chose_other": 0, "abstained": 50, "unreadable": 0}
        rows = [ClassAgreement.model_validate({"judge": "other/judge", "kind": kind, **perfect}) for kind in GATED]
        writer.write("agreement", ClassAgreement, rows)
        writer.write("audit", CaptionAuditRow, ())

    workbench.store.produce(AUDIT, Recipe(stage="scores/caption_audit", seed=1), make)
    result = scored(workbench)
    assert result.success
    assert "has not been measured, other/judge has" in metadata(result, "mcqa_probes")["scores"].value
    assert workbench.store.reader(SCORES).rows("scores") == 0


def test_without_query_pictures_there_is_nothing_to_judge_or_score(tmp_path: Path) -> None:
    asked(tmp_path)
    workbench = opened(tmp_path)
    audit, result = audited(workbench), scored(workbench)
    assert audit.success
    assert result.success
    assert all(passed for passed, _ in [*verdicts(audit).values(), *verdicts(result).values()])
    assert metadata(audit, "caption_audit")["audit"].value == "there are no questions"
    assert metadata(result, "mcqa_probes")["scores"].value == "there are no query pictures"
