"""How every asset makes its data set: reuse or make, check before publishing, report to Dagster."""

from __future__ import annotations

import collections
import functools
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import dagster as dg

from assets.markdown import as_plain
from evaluation.caption_quality.errors import CannotMeasure
from lifeloom.models.calls.cost_reports import cost_metadata
from lifeloom.models.calls.ledger import Ledger
from lifeloom.models.protocol import ModelError, ModelUnavailable
from lifeloom.records import Rejection
from lifeloom.store import DatasetCheckFailed, DatasetReader, DatasetStore, DatasetWriter, Manifest, Recipe, StoreError
from lifeloom.synthesis.occasion_seeds import NoCaptions
from lifeloom.synthesis.review import ReviewFileError
from lifeloom.synthesis.seeds import SeedError
from lifeloom.tracking import TrackerUnavailable
from resources.workbench import Workbench

__all__ = [
    "LEFT_OUT",
    "OWNERS",
    "AssetEvents",
    "account_of",
    "check_specs",
    "model_name",
    "parents",
    "publish",
    "rows_preview",
    "stage_counts",
    "told_plainly",
]

OWNERS = ["team:lifeloom"]
LEFT_OUT = "left out"
"""Metadata of what a stage left out, by reason, as one line; the command line prints it."""
RETRIES = 2
RETRY_SECONDS = 30
"""How often, and after how long, an asset whose model did not answer is tried again; the response cache keeps
what was paid for."""

_log = logging.getLogger(__name__)

AssetEvents = Iterator[dg.MaterializeResult[Any] | dg.AssetCheckResult]
Body = Callable[[dg.AssetExecutionContext, Workbench], AssetEvents]
NamedChecks = Mapping[str, Callable[[DatasetReader], Sequence[str]]]


def check_specs(key: Sequence[str], checks: Mapping[str, str]) -> list[dg.AssetCheckSpec]:
    """Return blocking check specs, name to description, for the asset ``key``."""
    return [
        dg.AssetCheckSpec(name, asset=dg.AssetKey(list(key)), description=text, blocking=True)
        for name, text in checks.items()
    ]


def model_name(model: Any) -> str:
    """Return ``backend/model`` for recipes and tags."""
    return f"{model.identity.backend}/{model.identity.model}"


def account_of(context: dg.AssetExecutionContext) -> str:
    """Return the account on which an asset's calls to models are booked: its name and partition."""
    name = context.asset_key.to_user_string()
    return f"{name}/{context.partition_key}" if context.has_partition_key else name


def told_plainly(body: Body) -> Body:
    """Decorate an asset's body: what another try may mend is tried again, the rest fails at once in its own words.

    Its calls to models are booked on the asset's account.

    A model's server that was away becomes ``dg.RetryRequested``, after a warning in the run's log and on the
    terminal; everything else that Lifeloom knows how to say becomes ``dg.Failure`` without another try.
    """

    @functools.wraps(body)
    def told(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        try:
            with workbench.ledger.account(account_of(context), context.run.run_id):
                yield from body(context, workbench)
        except ModelUnavailable as error:
            _warn_of_retry(error, context)
            raise dg.RetryRequested(max_retries=RETRIES, seconds_to_wait=RETRY_SECONDS) from error
        except (
            StoreError,
            ModelError,
            SeedError,
            NoCaptions,
            ReviewFileError,
            CannotMeasure,
            TrackerUnavailable,
        ) as error:
            raise dg.Failure(description=str(error), allow_retries=False) from error

    return told


def _warn_of_retry(error: ModelUnavailable, context: dg.AssetExecutionContext) -> None:
    if context.retry_number >= RETRIES:
        return  # the failure itself is told
    warning = f"{error}; trying again in {RETRY_SECONDS} s ({context.retry_number + 1} of {RETRIES})"
    # Dagster's console is off on the command line, where Python prints what this logger warns of.
    _log.warning(warning)
    context.log.warning(warning)


def publish(
    context: dg.AssetExecutionContext,
    workbench: Workbench,
    key: str,
    recipe: Recipe,
    make: Callable[[DatasetWriter], None],
    checks: NamedChecks,
    describe: Callable[[DatasetReader], Mapping[str, Any]],
    *,
    rows_of: str,
    doubts: NamedChecks | None = None,
) -> AssetEvents:
    """Produce ``key`` and yield what Dagster should know.

    The checks look at the staged data; when one finds problems nothing is published, the check is
    reported as failed and the step fails without a materialisation, so that nothing downstream runs.
    ``describe`` is called once the data set is published; ``rows_of`` names the table that is counted.
    ``doubts`` are what a check can say without
    failing: it is then shown as a warning, not as passed, and blocks nothing.

    Raises:
        dg.Failure: a check failed.
        StoreError, ModelError: as ``DatasetStore.produce`` and ``make`` raise them; see ``told_plainly``.
    """
    store, account = workbench.store, account_of(context)
    found: dict[str, Sequence[str]] = {}

    def inspect(reader: DatasetReader) -> list[str]:
        for name, check in checks.items():
            found[name] = check(reader)
        return [f"{name}: {problem}" for name, problems in found.items() for problem in problems]

    try:
        produced = store.produce(key, recipe, make, checks=[inspect])
    except DatasetCheckFailed as error:
        for name in checks:
            yield _check_result(name, found.get(name, ()), key)
        raise dg.Failure(description=str(error), allow_retries=False) from error
    context.log.info("%s: %s", key, "reused, nothing it depends on has changed" if produced.reused else "made")
    manifest = produced.manifest
    reader = store.reader(key)
    yield dg.MaterializeResult(
        metadata={
            **describe(reader),
            **_manifest_metadata(manifest, rows_of, reused=produced.reused),
            **_cost_metadata(workbench.ledger, account, context.run.run_id),
        },
        data_version=dg.DataVersion(manifest.content_hash[:16]),
        check_results=[_check_result(name, (), key, (doubts or {}).get(name, _none)(reader)) for name in checks],
    )


def _cost_metadata(ledger: Ledger, account: str, run: str) -> dict[str, Any]:
    """Return what the asset's calls to models took in this run and so far, and what was estimated before."""
    return {
        name: dg.MetadataValue.md(value) if isinstance(value, str) and "\n" in value else value
        for name, value in cost_metadata(ledger, account, run).items()
    }


def _none(_: DatasetReader) -> Sequence[str]:
    return ()


def _check_result(name: str, problems: Sequence[str], key: str, doubts: Sequence[str] = ()) -> dg.AssetCheckResult:
    shown = problems or doubts
    return dg.AssetCheckResult(
        check_name=name,
        passed=not shown,
        severity=dg.AssetCheckSeverity.ERROR if problems else dg.AssetCheckSeverity.WARN,
        metadata={
            "data set": key,
            "problems": len(problems),
            "first problems" if problems or not doubts else "undecided": dg.MetadataValue.md(
                "\n".join(f"- {as_plain(line)}" for line in shown[:10]) or "none"
            ),
        },
    )


def _manifest_metadata(manifest: Manifest, rows_of: str, *, reused: bool) -> dict[str, Any]:
    return {
        "dagster/row_count": manifest.table(rows_of).rows,
        "rows by table": dg.MetadataValue.json({table.name: table.rows for table in manifest.tables}),
        "content hash": manifest.content_hash,
        "code revision": manifest.code_revision,
        "reused": reused,
        "recipe": dg.MetadataValue.json(manifest.recipe.model_dump(mode="json")),
    }


def rows_preview(rows: Sequence[Mapping[str, Any]], *, width: int = 160) -> dg.MetadataValue:
    """Return rows as a Markdown table, long texts shortened and numbers rounded, for an asset's page."""
    if not rows:
        return dg.MetadataValue.md("no rows")
    columns = list(rows[0])

    def cell(value: Any) -> str:
        text = " ".join((_rounded(value) if isinstance(value, float) else str(value)).split())
        return as_plain(text if len(text) <= width else text[: width - 1] + "…")

    lines = [" | ".join(columns), " | ".join("---" for _ in columns)]
    lines += [" | ".join(cell(row.get(column, "")) for column in columns) for row in rows]
    return dg.MetadataValue.md("\n".join(f"| {line} |" for line in lines))


def _rounded(value: float) -> str:
    """Return four digits that count; of large numbers all before the point."""
    return f"{value:.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


def parents(store: DatasetStore, *keys: str) -> dict[str, str]:
    """Return the content hashes of the data sets that an asset reads.

    Raises:
        DatasetMissing: one has not been made.
    """
    return {key: store.manifest(key).content_hash for key in keys}


def stage_counts(taken: int, kept: int, reader: DatasetReader) -> Mapping[str, Any]:
    """Return what a stage took, kept and left out, by reason."""
    reasons = collections.Counter(row.reason for row in reader.read("rejections", Rejection))
    left_out = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    return {"in": taken, "out": kept, LEFT_OUT: left_out or "nothing"}
