"""The audit of a release: what blind policies reach, and what changes that must not matter do to a score."""

import time
from dataclasses import dataclass
from typing import Any

import dagster as dg

from assets.benchmarks import REFERENCE, RELEASE
from assets.publishing import (
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
from evaluation.audit import (
    BLINDED,
    PERTURBATIONS,
    AuditReport,
    AuditRow,
    BlindAccuracy,
    Blinding,
    StabilityRow,
    TaskShape,
    Verdict,
    audit,
    blind_accuracies,
    blind_attackers,
    blind_readers,
    measure_stability,
    sample_cases,
    task_shapes,
)
from evaluation.audit import Release as Perturbable
from evaluation.audit_persona_mme import PersonaMmeAudit, answers_of
from evaluation.baselines import FullContextPolicy
from evaluation.persona_mme import BENCHMARK, run_policy
from evaluation.reports import audit_page_address, log_audit_run
from lifeloom.models.calls.cost_reports import cost_metrics
from lifeloom.records import BenchmarkCase, Persona, Prediction, Turn
from lifeloom.scoring import Policy
from lifeloom.store import DatasetReader, DatasetWriter, Recipe, code_revision
from lifeloom.synthesis.catalogue import GIVEN_NAMES
from lifeloom.tasks import ALIGNMENT_JUDGEMENT, CHOICE_ANSWER
from resources.workbench import Workbench

__all__ = ["AUDIT", "ReleaseData", "audit_asset", "read_release", "run_tags"]

AUDIT = "scores/shortcut_audit"

_AUDIT_CHECKS = {
    "no_shortcut": (
        "No blind policy beats chance by more than the margin: one-sided 95 % lower bound, Bonferroni over tasks."
    ),
    "stable_under_perturbation": (
        "Accuracy moves by at most 2 points when pictures, ids, letters or names change and nothing else does."
    ),
}


@dataclass(frozen=True)
class ReleaseData:
    """A release as the score assets see it."""

    partition: str
    cases: list[BenchmarkCase]
    turns: dict[str, list[Turn]]
    """Turns in order, by persona."""


def audit_asset(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    """Return the audit, by release date."""

    @dg.asset(
        key=AUDIT.split("/"),
        deps=[dg.AssetKey(["release", part]) for part in ("personas", "dialogues", "persona_mme")]
        + [dg.AssetKey(REFERENCE.split("/"))],
        partitions_def=dates,
        group_name="scores",
        kinds={"parquet", "mlflow"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(AUDIT.split("/"), _AUDIT_CHECKS),
        description=(
            "Audit: accuracy of policies that are kept from history, question, pictures or the right user, and "
            "of the reader under changes that must not matter, with verdicts."
        ),
    )
    @told_plainly
    def shortcut_audit(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Ask the blind policies and the perturbed questions, and hold the answers against chance and each other."""
        store, settings, partition = workbench.store, workbench.profile.audit, context.partition_key
        release_keys = [f"release/{part}/{partition}" for part in ("personas", "dialogues", "persona_mme")]
        recipe = Recipe(
            stage=AUDIT,
            seed=workbench.profile.seed,
            parameters=settings.model_dump(exclude={"reference_personas"}),
            models=(model_name(workbench.encoder), model_name(workbench.model("reader", AUDIT))),
            prompt_versions=(CHOICE_ANSWER.prompt_version, ALIGNMENT_JUDGEMENT.prompt_version),
            parents=parents(store, *release_keys, REFERENCE),
        )

        def make(writer: DatasetWriter) -> None:
            _make_audit(workbench, read_release(workbench, partition), writer)

        def page(report: AuditReport) -> str:
            run_id = log_audit_run(
                workbench.tracker,
                report,
                costs=cost_metrics(workbench.ledger, account_of(context)),
                dataset=store.manifest(f"{RELEASE}/{partition}"),
                parameters=recipe.parameters,
                tags=run_tags(context, workbench, AUDIT, partition),
                now_ms=int(time.time() * 1000),
            )
            return audit_page_address(workbench.tracker, run_id, workbench.mlflow_server)

        def failed(reader: DatasetReader, record: type[AuditRow] | type[StabilityRow]) -> list[str]:
            problems = _told(reader, record, "failed")
            # What fails is not published, so its page would otherwise never be seen.
            return [*problems, f"see {page(_report(reader, partition, settings.minimum_cases))}"] if problems else []

        def no_shortcut(reader: DatasetReader) -> list[str]:
            return failed(reader, AuditRow)

        def stable(reader: DatasetReader) -> list[str]:
            return failed(reader, StabilityRow)

        def describe(reader: DatasetReader) -> dict[str, Any]:
            report = _report(reader, partition, settings.minimum_cases)
            return {
                "verdict": report.verdict,
                "stability": report.stability_verdict or "not measured",
                "page": dg.MetadataValue.url(page(report)),
                "audit": rows_preview([row.model_dump(exclude={"release_id"}) for row in report.rows]),
                "perturbations": rows_preview([row.model_dump(exclude={"release_id"}) for row in report.stability]),
            }

        def undecided(reader: DatasetReader) -> list[str]:
            return _told(reader, AuditRow, "inconclusive")

        def unsure(reader: DatasetReader) -> list[str]:
            return _told(reader, StabilityRow, "inconclusive")

        yield from publish(
            context,
            workbench,
            f"{AUDIT}/{partition}",
            recipe,
            make,
            {"no_shortcut": no_shortcut, "stable_under_perturbation": stable},
            describe,
            rows_of="audit",
            doubts={"no_shortcut": undecided, "stable_under_perturbation": unsure},
        )

    return shortcut_audit


def _make_audit(workbench: Workbench, release: ReleaseData, writer: DatasetWriter) -> None:
    """Ask all blind policies, then the reader under every perturbation, and write predictions and findings."""
    settings, streams, workers = workbench.profile.audit, workbench.streams, workbench.callers("reader", AUDIT)
    adapter = PersonaMmeAudit()
    policy = FullContextPolicy(workbench.model("reader", AUDIT), code=code_revision())
    asked = sample_cases(release.cases, settings.reader_cases, adapter.persona_id, streams.rng("audit", "readers"))
    tests = [Blinding(attacker, tuple(release.cases), release.turns.__getitem__) for attacker in _attackers(workbench)]
    if asked:
        tests += blind_readers(policy, adapter, asked, release.turns, streams)
    predictions: list[Prediction] = []
    for number, test in enumerate(tests):
        workbench.watch(f"{AUDIT} {test.policy.name}", number, len(tests))
        predictions += run_policy(test.policy, test.cases, test.turns_of, workers=workers).predictions
    writer.write("predictions", Prediction, predictions)
    questions = [question for case in release.cases for question in adapter.questions(case)]
    answers = answers_of(predictions)
    writer.write(
        "audit",
        AuditRow,
        audit(
            release.partition,
            questions,
            answers,
            margin=settings.margin,
            minimum_cases=settings.minimum_cases,
            sampled=BLINDED if len(asked) < len(release.cases) else (),
        ),
    )
    writer.write("accuracies", BlindAccuracy, blind_accuracies(release.partition, questions, answers))
    writer.write("shapes", TaskShape, task_shapes(release.partition, adapter.reference(release.cases).choices))
    writer.write("stability", StabilityRow, _stability(workbench, release))


def _stability(workbench: Workbench, release: ReleaseData) -> list[StabilityRow]:
    """Return what each perturbation does to the reader's answers to a sample of the cases."""
    adapter, streams = PersonaMmeAudit(workbench.callers("reader", AUDIT)), workbench.streams
    count = workbench.profile.audit.perturbed_cases
    cases = sample_cases(release.cases, count, adapter.persona_id, streams.rng("audit", "perturbed"))
    if not cases:
        return []
    people = workbench.store.read(f"release/personas/{release.partition}", "personas", Persona)
    return measure_stability(
        lambda pictures: FullContextPolicy(workbench.model("reader", AUDIT, pictures), code=code_revision()),
        adapter,
        Perturbable(
            cases,
            release.turns,
            workbench.picture,
            names={one.persona_id: (one.name, *(other.name for other in one.circle)) for one in people},
            spare_names=GIVEN_NAMES,
        ),
        release.partition,
        streams,
        progress=lambda done: workbench.watch(f"{AUDIT} perturbations", done, len(PERTURBATIONS) + 1),
    )


def _told(reader: DatasetReader, record: type[AuditRow] | type[StabilityRow], verdict: Verdict) -> list[str]:
    """Return the findings with a verdict, in words."""
    table = "audit" if record is AuditRow else "stability"
    return [row.sentence() for row in reader.read(table, record) if row.verdict == verdict]


def _report(reader: DatasetReader, partition: str, minimum_cases: int) -> AuditReport:
    return AuditReport(
        benchmark=BENCHMARK,
        release_id=partition,
        rows=list(reader.read("audit", AuditRow)),
        accuracies=list(reader.read("accuracies", BlindAccuracy)),
        shapes=list(reader.read("shapes", TaskShape)),
        stability=list(reader.read("stability", StabilityRow)),
        minimum_cases=minimum_cases,
    )


def _attackers(workbench: Workbench) -> tuple[Policy, ...]:
    reference = PersonaMmeAudit().reference(list(workbench.store.read(REFERENCE, "cases", BenchmarkCase)))
    return blind_attackers(reference, workbench.encoder, code=code_revision(), seed=workbench.profile.seed)


def read_release(workbench: Workbench, partition: str) -> ReleaseData:
    """Return the cases and every user's conversation."""
    store = workbench.store
    turns: dict[str, list[Turn]] = {}
    for turn in store.read(f"release/dialogues/{partition}", "turns", Turn):
        turns.setdefault(turn.persona_id, []).append(turn)
    return ReleaseData(partition, list(store.read(f"{RELEASE}/{partition}", "cases", BenchmarkCase)), turns)


def run_tags(context: dg.AssetExecutionContext, workbench: Workbench, asset: str, partition: str) -> dict[str, str]:
    """Return the tags that lead from an MLflow run back to the Dagster run."""
    return {
        "dagster.run_id": context.run.run_id,
        "dagster.asset": asset,
        "dagster.partition": partition,
        "lifeloom.profile": workbench.profile.name,
    }
