"""Scores of the diagnostics: every captioner, directly and with its own caption in the prompt (CoViP Table 3)."""

import collections
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg

from assets.audit import run_tags
from assets.caption_groups import CaptionGroup
from assets.caption_keys import DIAGNOSTIC_SCORES, DIAGNOSTICS
from assets.figures import report_metadata
from assets.publishing import (
    LEFT_OUT,
    OWNERS,
    AssetEvents,
    account_of,
    check_specs,
    model_name,
    parents,
    publish,
    rows_preview,
    told_plainly,
)
from assets.strips import StripPicture, picture_strip
from evaluation.diagnostics.action_labels import (
    ActionAgreement,
    action_labels,
    agreement_share,
    agreement_table,
    measure_action_judge,
)
from evaluation.diagnostics.audit import DiagnosticAuditRow, diagnostic_audit_markdown
from evaluation.diagnostics.case_pages import PickedDiagnostic, diagnostic_page, pick_diagnostics
from evaluation.diagnostics.running import (
    BENCHMARK,
    BENCHMARK_VERSION,
    MODES,
    diagnostic_fingerprint,
    run_diagnostics,
)
from evaluation.diagnostics.scoring import DiagnosticScore, DiagnosticScoredBy, score_diagnostics
from evaluation.diagnostics.tables import diagnostic_report
from evaluation.report_runs import log_report_run
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import DIAGNOSTIC_TASKS, DiagnosticAnswer, DiagnosticCase, DiagnosticDialoguePlan
from lifeloom.scoring.caption_policy import CaptionPolicy
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetWriter, Recipe, code_revision
from lifeloom.tasks import ACTION_JUDGEMENT
from lifeloom.tracking import NOTE
from resources.captioners import captioners_of
from resources.workbench import Workbench

__all__ = ["diagnostic_scores_asset"]

_CHECKS = {
    "every_case_counted": "Every case has an answer to each task in each mode, or a counted failure.",
    "judge_agrees": "The judge of actions agrees with labelled answers. Warns where not.",
}
_LEAST_AGREEMENT = 0.9
"""Of the labelled answers, below which LAR is doubtful."""
_MOST_MISSING = 0.02
_SHOWN_WORST, _SHOWN_BEST = 16, 6


@dataclass(frozen=True)
class _Release:
    partition: str
    key: str
    cases: tuple[DiagnosticCase, ...]
    lineage: Mapping[str, str]


def diagnostic_scores_asset(group: CaptionGroup) -> dg.AssetsDefinition:
    """Return the scores of the diagnostics, by release date."""

    @dg.asset(
        key=DIAGNOSTIC_SCORES.split("/"),
        deps=[dg.AssetKey(DIAGNOSTICS.split("/"))],
        partitions_def=group.partitions,
        group_name="scores",
        kinds={"parquet", "mlflow"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(DIAGNOSTIC_SCORES.split("/"), _CHECKS),
        description="Diagnostics: LSD, LAR and ITR of every captioner, with and without its own caption, and cases.",
    )
    @told_plainly
    def diagnostic_scores(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Let every captioner answer every case in both modes, and score what it says."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        cases_key = f"{DIAGNOSTICS}/{partition}"
        release = _Release(
            partition, cases_key, tuple(store.read(cases_key, "cases", DiagnosticCase)), parents(store, cases_key)
        )
        judge = workbench.model("judge", DIAGNOSTIC_SCORES)
        policies = captioners_of(workbench, DIAGNOSTIC_SCORES) if release.cases else []
        keys = {
            one.name: _answers_key(workbench, one, judge, release, account_of(context), context.run.run_id)
            for one in policies
        }
        recipe = Recipe(
            stage=DIAGNOSTIC_SCORES,
            seed=profile.seed,
            parameters={
                "benchmark": BENCHMARK_VERSION,
                "bootstrap": profile.scoring.bootstrap_samples,
                "policies": profile.captions.policies,
            },
            models=(model_name(judge),),
            prompt_versions=(ACTION_JUDGEMENT.prompt_version,),
            parents={**release.lineage, **parents(store, *keys.values())},
        )

        def answers_of(name: str) -> list[DiagnosticAnswer]:
            return list(store.read(keys[name], "answers", DiagnosticAnswer))

        def make(writer: DatasetWriter) -> None:
            writer.write("scores", DiagnosticScore, ())  # there also where nothing is to be scored
            writer.write("agreement", ActionAgreement, ())
            if not release.cases:
                return
            callers = workbench.callers("judge", DIAGNOSTIC_SCORES)
            writer.write("agreement", ActionAgreement, measure_action_judge(judge, action_labels(), callers=callers))
            by = DiagnosticScoredBy(
                release_id=partition,
                judge=model_name(judge),
                code_revision=code_revision(),
                seed=profile.seed,
                bootstrap_samples=profile.scoring.bootstrap_samples,
            )
            for name in keys:
                writer.write("scores", DiagnosticScore, score_diagnostics(release.cases, answers_of(name), by))

        def counted(_: DatasetReader) -> list[str]:
            expected = len(release.cases) * len(MODES) * len(DIAGNOSTIC_TASKS)
            given = {name: len(answers_of(name)) for name in keys}
            return [f"{name} has {count} answers, not {expected}" for name, count in given.items() if count != expected]

        def doubtful(reader: DatasetReader) -> list[str]:
            found = []
            for one in reader.read("scores", DiagnosticScore):
                if one.missing > _MOST_MISSING * one.cases:
                    found.append(f"{one.policy}, {one.task} {one.mode}: {one.missing} of {one.cases} have no answer")
                if one.unreadable > _MOST_MISSING * one.cases:
                    found.append(f"{one.policy}, {one.mode}: {one.unreadable} of {one.cases} verdicts cannot be read")
            return found

        def distrusted(reader: DatasetReader) -> list[str]:
            rows = list(reader.read("agreement", ActionAgreement))
            share = agreement_share(rows)
            if not rows or share >= _LEAST_AGREEMENT:
                return []
            return [f"the judge {rows[0].judge} agrees with {share:.0%} of the labelled answers: LAR is doubtful"]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            if not release.cases:
                return {"scores": "there are no diagnostic cases"}
            return _described(context, workbench, release, reader, {name: answers_of(name) for name in keys})

        yield from publish(
            context,
            workbench,
            f"{DIAGNOSTIC_SCORES}/{partition}",
            recipe,
            make,
            {"every_case_counted": counted, "judge_agrees": lambda _: []},
            describe,
            rows_of="scores",
            doubts={"every_case_counted": doubtful, "judge_agrees": distrusted},
        )

    return diagnostic_scores


def _answers_key(
    workbench: Workbench, policy: CaptionPolicy, judge: LanguageModel, release: _Release, account: str, run: str
) -> str:
    """Let a policy answer all cases unless its answers are there, and return their key."""
    store, fingerprint = workbench.store, diagnostic_fingerprint(policy, judge)
    key = f"diagnostic_answers/{release.partition}/{policy.name}-{fingerprint}"
    recipe = Recipe(
        stage="diagnostic_answers",
        seed=workbench.profile.seed,
        parameters={
            "policy": policy.name,
            "fingerprint": fingerprint,
            "benchmark": BENCHMARK_VERSION,
            **policy.parameters(),
        },
        models=(*policy.models(), model_name(judge)),
        prompt_versions=(*policy.prompts(), ACTION_JUDGEMENT.prompt_version),
        parents=release.lineage,
    )

    def make(writer: DatasetWriter) -> None:
        told = f"{DIAGNOSTIC_SCORES} {policy.name}"
        given = list(
            run_diagnostics(
                policy,
                release.cases,
                judge,
                workers=workbench.callers("reader", DIAGNOSTIC_SCORES),
                progress=lambda done: workbench.watch(told, done, len(release.cases)),
            )
        )
        require_answers(policy.name, [one.failure for one in given])
        writer.write("answers", DiagnosticAnswer, given)

    with workbench.ledger.account(f"{account}/{policy.name}", run):
        store.produce(key, recipe, make)
    return key


def _described(
    context: dg.AssetExecutionContext,
    workbench: Workbench,
    release: _Release,
    reader: DatasetReader,
    answers: Mapping[str, Sequence[DiagnosticAnswer]],
) -> dict[str, Any]:
    """Return the report as metadata, after logging it and the page of cases."""
    store, tracker, profile = workbench.store, workbench.tracker, workbench.profile
    scores = list(reader.read("scores", DiagnosticScore))
    agreement = agreement_table(list(reader.read("agreement", ActionAgreement)))
    audit = diagnostic_audit_markdown(store.read(release.key, "audit", DiagnosticAuditRow))
    page = diagnostic_report(scores, agreement, audit)
    scored_by = model_name(workbench.model("reader", DIAGNOSTIC_SCORES))
    tags, server = run_tags(context, workbench, DIAGNOSTIC_SCORES, release.partition), workbench.mlflow_server
    run_id = log_report_run(
        tracker,
        page,
        experiment=BENCHMARK,
        kind="diagnostics",
        release=release.partition,
        dataset=store.manifest(release.key),
        table="cases",
        parameters={
            "bootstrap_samples": profile.scoring.bootstrap_samples,
            "reader": scored_by,
            "judge": model_name(workbench.model("judge", DIAGNOSTIC_SCORES)),
            "policies": " ".join(answers),
        },
        subject=scored_by,
        tags=tags,
        now_ms=int(time.time() * 1000),
    )
    shown = "grounded" if "grounded" in answers else next(iter(answers))
    picked = pick_diagnostics(release.cases, answers[shown], worst=_SHOWN_WORST, best=_SHOWN_BEST)
    cases = _log_cases(workbench, release, picked, answers, tags, shown)
    failures = collections.Counter(one.failure for own in answers.values() for one in own if one.failure)
    return {
        LEFT_OUT: counted_text(failures) or "nothing",
        "scores": rows_preview(
            [
                one.model_dump(include={"policy", "task", "mode", "score", "named", "recall", "false_triggers"})
                for one in scores
            ]
        ),
        **report_metadata(page),
        "worst and best cases": dg.MetadataValue.md(_strip(workbench, picked)),
        "MLflow run": dg.MetadataValue.url(tracker.page(run_id, server)),
        "case pages": dg.MetadataValue.url(f"{tracker.page(cases, server)}/artifacts"),
    }


def _strip(workbench: Workbench, picked: Sequence[PickedDiagnostic]) -> str:
    """Return the query pictures of the worst four and the best four cases."""
    chosen = [*picked[:4], *picked[-4:]] if len(picked) > 8 else picked
    return picture_strip(
        [
            StripPicture(workbench.picture(one.case.query), f"{one.case.case_id}: {100 * one.score:.0f} percent")
            for one in chosen
        ]
    )


def _log_cases(
    workbench: Workbench,
    release: _Release,
    picked: Sequence[PickedDiagnostic],
    answers: Mapping[str, Sequence[DiagnosticAnswer]],
    tags: Mapping[str, str],
    shown: str,
) -> str:
    """Log the page of the worst and best cases and return its run."""
    store = workbench.store
    content = "-".join(sorted(f"{name}:{own[0].fingerprint}" for name, own in answers.items()))
    identity = {
        "lifeloom.pages": "diagnostic_cases",
        "lifeloom.release": release.partition,
        "lifeloom.content": f"{store.manifest(release.key).content_hash}:{content}"[:400],
    }
    done = workbench.tracker.find(BENCHMARK, identity)
    if done is not None:
        return done
    html = diagnostic_page(
        picked,
        [one for own in answers.values() for one in own],
        {one.dialogue_id: one for one in store.read(release.key, "plans", DiagnosticDialoguePlan)},
        workbench.picture,
        title=f"Diagnostics, release {release.partition}: worst and best cases of {shown}",
        note=f"Code {code_revision()}; made from {release.key}.",
    )
    with workbench.tracker.run(
        BENCHMARK, f"cases {release.partition}", {**tags, **identity, NOTE: "Cases, worst first."}
    ) as run:
        run.parameters({"release": release.partition, "cases": len(release.cases)})
        run.text(html, "cases/diagnostics.html")
    return run.run_id
