"""Diagnostic cases of a release: ten dialogues, a query picture, and nothing but the picture to say who is meant."""

import collections
from collections.abc import Mapping
from typing import Any

import dagster as dg

from assets.caption_groups import CaptionGroup
from assets.caption_keys import DIAGNOSTICS, IMAGE_LIBRARY
from assets.contexts import told_until
from assets.publishing import (
    LEFT_OUT,
    OWNERS,
    AssetEvents,
    check_specs,
    model_name,
    parents,
    publish,
    rows_preview,
    told_plainly,
)
from assets.strips import StripPicture, picture_strip
from evaluation.diagnostics.audit import DiagnosticAuditRow, audit_diagnostics, diagnostic_audit_markdown
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.records import DiagnosticCase, DiagnosticDialoguePlan, LibraryImage, Rejection
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.diagnostics import DiagnosticOrder, make_diagnostics, people_of, plan_diagnostics
from lifeloom.synthesis.diagnostics.checks import (
    account_problems,
    balance_problems,
    context_problems,
    truth_problems,
    worded_problems,
)
from lifeloom.synthesis.diagnostics.making import DIALOGUE_MISSING
from lifeloom.tasks import DIAGNOSTIC_DIALOGUE_WRITING
from resources.workbench import Workbench

__all__ = ["diagnostics_asset"]

_CHECKS = {
    "contexts_sound": "Ten dialogues on days and at places of their own; the query picture is not among them.",
    "answers_true": "Place, action and keyword are those of the latest dialogue about the query's person.",
    "dialogues_said": "Every dialogue says what is planned, and no more than that is to be done or remembered.",
    "balanced": "Everybody is asked about equally often, and half of the cases have an instruction.",
    "no_shortcut": "Nobody who has not seen the query picture does better than chance.",
    "all_accounted": "Every case is there, or has a reason why it is not.",
}
_TOO_FEW_PICTURES = "too_few_pictures"
_SHOWN = 4


def diagnostics_asset(group: CaptionGroup) -> dg.AssetsDefinition:
    """Return the diagnostic cases, by the partitions of ``group``, which is the release's."""

    @dg.asset(
        key=DIAGNOSTICS.split("/"),
        deps=[dg.AssetKey(IMAGE_LIBRARY.split("/"))],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(DIAGNOSTICS.split("/"), _CHECKS),
        description="Diagnostics: who is in the picture, where were they met last, what was said then (C10).",
    )
    @told_plainly
    def diagnostics(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Plan the cases and put their dialogues into words."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        key, settings = f"{DIAGNOSTICS}/{partition}", profile.captions
        writer_model = workbench.model("writer", DIAGNOSTICS)
        enough, few = people_of(store.read(IMAGE_LIBRARY, "images", LibraryImage))
        printed, wanted = settings.diagnostic_contexts_as_printed, settings.diagnostic_contexts
        order = DiagnosticOrder(
            release_id=partition,
            edition=group.edition,
            wanted=wanted,
            ends_on=told_until(group, profile, partition),
            as_printed=printed,
        )
        recipe = Recipe(
            stage=DIAGNOSTICS,
            seed=profile.seed,
            parameters={
                "partition": partition,
                "wanted": wanted,
                "as_printed": printed,
                "until": order.ends_on.isoformat(),
                "margin": profile.audit.margin,
                "minimum": settings.audit_minimum,
            },
            models=(model_name(writer_model),),
            prompt_versions=(DIAGNOSTIC_DIALOGUE_WRITING.prompt_version,),
            parents=parents(store, IMAGE_LIBRARY),
        )

        def make(writer: DatasetWriter) -> None:
            tables: Mapping[str, Any] = {
                "cases": DiagnosticCase,
                "plans": DiagnosticDialoguePlan,
                "rejections": Rejection,
                "audit": DiagnosticAuditRow,
            }
            for table, kind in tables.items():
                writer.write(table, kind, ())  # there also where no case is wanted
            if not wanted:
                return
            left_out = [
                Rejection(stage=DIAGNOSTICS, item=one, reason=_TOO_FEW_PICTURES, detail=f"{count} different pictures")
                for one, count in few.items()
            ]
            writer.write("rejections", Rejection, left_out)
            planned = plan_diagnostics(order, enough, workbench.streams)
            made = make_diagnostics(
                planned,
                writer_model,
                workbench.streams,
                release_id=partition,
                stage=DIAGNOSTICS,
                callers=workbench.callers("writer", DIAGNOSTICS),
            )
            cases: list[DiagnosticCase] = []
            plans: dict[str, DiagnosticDialoguePlan] = {}
            lost: list[str] = []
            for number, one in enumerate(made, start=1):
                if one.case is not None:
                    writer.write("cases", DiagnosticCase, [one.case])
                    cases.append(one.case)
                writer.write("plans", DiagnosticDialoguePlan, one.plans)
                writer.write("rejections", Rejection, one.rejections)
                plans |= {plan.dialogue_id: plan for plan in one.plans}
                lost.append("" if one.case is not None else DIALOGUE_MISSING)
                workbench.watch(key, number, len(planned))
            require_answers(f"{DIAGNOSTICS}: the writer", lost)
            rows = audit_diagnostics(
                partition,
                cases,
                plans,
                workbench.streams,
                margin=profile.audit.margin,
                minimum=settings.audit_minimum,
            )
            writer.write("audit", DiagnosticAuditRow, rows)

        def cases_of(reader: DatasetReader) -> list[DiagnosticCase]:
            return list(reader.read("cases", DiagnosticCase))

        def plans_of(reader: DatasetReader) -> dict[str, DiagnosticDialoguePlan]:
            return {one.dialogue_id: one for one in reader.read("plans", DiagnosticDialoguePlan)}

        def rejected(reader: DatasetReader) -> list[Rejection]:
            return list(reader.read("rejections", Rejection))

        def balance(reader: DatasetReader) -> list[str]:
            cases = cases_of(reader)
            people = sorted(enough) if wanted else []
            return balance_problems(cases, people, rejected=wanted - len(cases), as_printed=printed)

        def audited(reader: DatasetReader, *verdicts: str) -> list[str]:
            return [row.sentence() for row in reader.read("audit", DiagnosticAuditRow) if row.verdict in verdicts]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            cases, plans = cases_of(reader), plans_of(reader)
            left_out = collections.Counter(one.reason for one in rejected(reader))
            rows = list(reader.read("audit", DiagnosticAuditRow))
            return {
                "in": wanted,
                "out": len(cases),
                LEFT_OUT: counted_text(left_out) or "nothing",
                "contexts": "as the paper prints them" if printed else "several people recur",
                "people": len(enough),
                "with an instruction about the query's person": sum(bool(one.keyword) for one in cases),
                "without the query picture": dg.MetadataValue.md(
                    diagnostic_audit_markdown(rows) if rows else "no cases"
                ),
                "cases": dg.MetadataValue.md(_strip(workbench, cases)),
                "preview": rows_preview(
                    [
                        {
                            "dialogue": entry.dialogue_id,
                            "the query's person": entry.identity == case.identity,
                            "person": plans[entry.dialogue_id].person,
                            "user": turn.user,
                        }
                        for case in cases[:1]
                        for entry in case.entries
                        for turn in entry.turns
                    ]
                ),
            }

        checks = {
            "contexts_sound": lambda reader: context_problems(cases_of(reader), plans_of(reader), as_printed=printed),
            "answers_true": lambda reader: truth_problems(cases_of(reader), plans_of(reader)),
            "dialogues_said": lambda reader: worded_problems(cases_of(reader), plans_of(reader), workbench.streams),
            "balanced": balance,
            "no_shortcut": lambda reader: [] if printed else audited(reader, "failed"),
            "all_accounted": lambda reader: account_problems(cases_of(reader), rejected(reader), wanted),
        }
        doubts = {"no_shortcut": lambda reader: audited(reader, "inconclusive", *(["failed"] if printed else []))}
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="cases", doubts=doubts)

    return diagnostics


def _strip(workbench: Workbench, cases: list[DiagnosticCase]) -> str:
    """Return query pictures, each beside the picture of the last meeting with the person in it."""
    if not cases:
        return "no cases"
    shown = []
    for case in cases[:_SHOWN]:
        last = max((one for one in case.entries if one.identity == case.identity), key=lambda one: str(one.met_on))
        shown.append(StripPicture(workbench.picture(case.query), f"{case.case_id}: who is it?"))
        shown.append(StripPicture(workbench.picture(last.picture), f"{case.case_id}: met last at {case.location}"))
    return picture_strip(shown)
