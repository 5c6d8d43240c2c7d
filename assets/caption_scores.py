"""Scores of captioners: the judge and the shortcut audit first, then CapEval-QAs of every captioner (Table 2)."""

import collections
import functools
import time
from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg

from assets.audit import run_tags
from assets.caption_groups import CaptionGroup
from assets.caption_keys import (
    CAPTION_AUDIT,
    CAPTION_SCORES,
    CONTEXTS,
    FILTERED_SCENES,
    IMAGE_LIBRARY,
    MCQA_PROBES,
)
from assets.caption_predictions import CaptionRelease, caption_release_of, captions_key
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
from evaluation.capeval.agreement import ClassAgreement, JudgeAgreement, measure_judge
from evaluation.capeval.audit import CaptionAuditRow, audit_captions, audit_markdown, others_captions
from evaluation.capeval.case_pages import PickedCase, caption_page, pick_cases
from evaluation.capeval.labelled import labelled_captions
from evaluation.capeval.running import BENCHMARK, BENCHMARK_VERSION
from evaluation.capeval.scoring import ScoredBy, score_captions
from evaluation.capeval.tables import capeval_report
from evaluation.report_runs import log_report_run
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import Caption, CaptionSample, CaptionScore, LibraryImage, ProbeAnswer, ScenePlan
from lifeloom.scoring.probe_judging import judge_captions
from lifeloom.scoring.unanswered import UNANSWERED, require_answers
from lifeloom.store import DatasetReader, DatasetWriter, Recipe, code_revision
from lifeloom.tasks import PICTURE_CAPTION, PROBE_JUDGEMENT, PictureCaptionInput
from lifeloom.tracking import NOTE
from resources.captioners import captioners_of
from resources.workbench import Workbench

__all__ = ["caption_score_assets"]

_AUDIT_CHECKS = {
    "no_shortcut": "No caption that knows nothing of the context, and no way to guess, gets more than chance.",
    "judge_agrees": "The judge agrees with labelled captions in every class that is needed. Warns where not.",
}
_SCORE_CHECKS = {"every_question_counted": "Every question has an answer of the judge, or a counted failure."}
_MOST_MISSING = 0.02
_SHOWN_WORST, _SHOWN_BEST = 20, 8


def caption_score_assets(group: CaptionGroup) -> list[dg.AssetsDefinition]:
    """Return audit and scores of the benchmark side, by release date."""
    return [_audit(group), _scores(group)]


def _audit(group: CaptionGroup) -> dg.AssetsDefinition:
    @dg.asset(
        key=CAPTION_AUDIT.split("/"),
        deps=[dg.AssetKey(group.key(name).split("/")) for name in (CONTEXTS, MCQA_PROBES)],
        partitions_def=group.partitions,
        group_name="scores",
        kinds={"parquet"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(CAPTION_AUDIT.split("/"), _AUDIT_CHECKS),
        description="The judge on labelled captions, and CapEval-QAs without the context: nothing may beat chance.",
    )
    @told_plainly
    def caption_audit(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Measure the judge, then judge captions that know nothing of the context."""
        partition, profile = context.partition_key, workbench.profile
        key, settings = f"{CAPTION_AUDIT}/{partition}", profile.captions
        release = caption_release_of(workbench, group, partition)
        reader, judge = workbench.model("reader", CAPTION_AUDIT), workbench.model("judge", CAPTION_AUDIT)
        recipe = Recipe(
            stage=CAPTION_AUDIT,
            seed=profile.seed,
            parameters={
                "benchmark": BENCHMARK_VERSION,
                "labelled": settings.judged_captions,
                "margin": profile.audit.margin,
                "minimum": settings.audit_minimum,
            },
            models=(model_name(reader), model_name(judge)),
            prompt_versions=(PICTURE_CAPTION.prompt_version, PROBE_JUDGEMENT.prompt_version),
            parents=release.lineage,
        )
        callers = workbench.callers("judge", CAPTION_AUDIT)

        def make(writer: DatasetWriter) -> None:
            writer.write("agreement", ClassAgreement, ())  # there also where no question is
            writer.write("audit", CaptionAuditRow, ())
            if not release.questions:
                return
            labelled = labelled_captions(
                release.samples,
                release.plans,
                release.questions,
                workbench.streams,
                each=settings.judged_captions,
            )
            workbench.watch(f"{CAPTION_AUDIT} judge", 0, 2)
            writer.write("agreement", ClassAgreement, measure_judge(judge, labelled, callers=callers).classes)
            workbench.watch(f"{CAPTION_AUDIT} judge", 1, 2)
            plain = _plain_captions(reader, release.samples, workbench, partition)
            told = {  # what a captioner that knows everything would say, of another sample
                one.sample_id: " ".join(turn.user for entry in one.entries if entry.positive for turn in entry.turns)
                for one in release.samples
            }
            blind: Mapping[str, Mapping[str, str]] = {
                "no_caption": {},
                "plain_caption": plain,
                "other_sample": others_captions(release.samples, told),
            }
            rows = audit_captions(
                partition,
                release.questions,
                blind,
                judge,
                margin=profile.audit.margin,
                minimum=settings.audit_minimum,
                callers=callers,
            )
            writer.write("audit", CaptionAuditRow, rows)
            workbench.watch(f"{CAPTION_AUDIT} judge", 2, 2)

        def told(reader: DatasetReader, verdict: str) -> list[str]:
            return [row.sentence() for row in reader.read("audit", CaptionAuditRow) if row.verdict == verdict]

        def distrusted(reader: DatasetReader) -> list[str]:
            agreement = _agreement(reader)
            return [] if agreement is None else agreement.problems

        def describe(reader: DatasetReader) -> dict[str, Any]:
            agreement = _agreement(reader)
            if agreement is None:
                return {"audit": "there are no questions"}
            return {
                "judge": model_name(judge),
                "the judge on labelled captions": dg.MetadataValue.md(agreement.table()),
                "without context": dg.MetadataValue.md(audit_markdown(reader.read("audit", CaptionAuditRow))),
            }

        yield from publish(
            context,
            workbench,
            key,
            recipe,
            make,
            {"no_shortcut": lambda reader: told(reader, "failed"), "judge_agrees": lambda reader: []},
            describe,
            rows_of="audit",
            doubts={"no_shortcut": lambda reader: told(reader, "inconclusive"), "judge_agrees": distrusted},
        )

    return caption_audit


def _plain_captions(
    reader: LanguageModel, samples: Sequence[CaptionSample], workbench: Workbench, partition: str
) -> dict[str, str]:
    """Return a caption of each query picture by itself; none where the reader gives none."""
    found, failures = {}, []
    for number, sample in enumerate(samples, start=1):
        try:
            given = reader.run(PICTURE_CAPTION, PictureCaptionInput(purpose="caption"), [sample.query])
        except UNANSWERED as error:
            failures.append(type(error).__name__)
            continue
        failures.append("")
        found[sample.sample_id] = given.output.text
        workbench.watch(f"{CAPTION_AUDIT}/{partition}: plain captions", number, len(samples))
    require_answers(f"{CAPTION_AUDIT}: plain captions", failures)
    return found


def _agreement(reader: DatasetReader) -> JudgeAgreement | None:
    classes = tuple(reader.read("agreement", ClassAgreement))
    return JudgeAgreement(classes) if classes else None


def _scores(group: CaptionGroup) -> dg.AssetsDefinition:
    @dg.asset(
        key=CAPTION_SCORES.split("/"),
        deps=[
            dg.AssetKey(name.split("/"))
            for name in (
                IMAGE_LIBRARY,
                *(group.key(one) for one in (FILTERED_SCENES, CONTEXTS, MCQA_PROBES)),
                CAPTION_AUDIT,
            )
        ],
        partitions_def=group.partitions,
        group_name="scores",
        kinds={"parquet", "mlflow"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(CAPTION_SCORES.split("/"), _SCORE_CHECKS),
        description="CapEval-QAs: Acc+ and Acc- of every captioner by number of concepts, with intervals and cases.",
    )
    @told_plainly
    def mcqa_probe_scores(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Caption every sample with every captioner and let the judge answer; shown where the judge can be trusted."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        key = f"{CAPTION_SCORES}/{partition}"
        release = caption_release_of(workbench, group, partition)
        judge = workbench.model("judge", CAPTION_SCORES)
        audited = store.reader(f"{CAPTION_AUDIT}/{partition}")
        agreement = _agreement(audited)
        distrust = _distrust(agreement, model_name(judge))
        policies = captioners_of(workbench, CAPTION_SCORES) if release.samples and not distrust else []
        keys = {
            one.name: captions_key(
                workbench, one, release, account_of(context), context.run.run_id, told=CAPTION_SCORES
            )
            for one in policies
        }
        recipe = Recipe(
            stage=CAPTION_SCORES,
            seed=profile.seed,
            parameters={
                "benchmark": BENCHMARK_VERSION,
                "bootstrap": profile.scoring.bootstrap_samples,
                "policies": profile.captions.policies,
                "distrust": distrust,
            },
            models=(model_name(judge),),
            prompt_versions=(PROBE_JUDGEMENT.prompt_version,),
            parents={
                **release.lineage,
                **parents(store, f"{CAPTION_AUDIT}/{partition}", *keys.values()),
            },
        )
        reader_identity = workbench.model("reader", CAPTION_SCORES).identity

        @functools.cache
        def captions(name: str) -> dict[str, Caption]:
            return {one.sample_id: one for one in store.read(keys[name], "captions", Caption)}

        def make(writer: DatasetWriter) -> None:
            writer.write("scores", CaptionScore, ())  # there also where nothing is to be scored
            writer.write("answers", ProbeAnswer, ())
            for name in keys:
                own = captions(name)
                answers = _judged(workbench, judge, own, release, name)
                writer.write("answers", ProbeAnswer, answers)
                by = ScoredBy(
                    release_id=partition,
                    judge=model_name(judge),
                    backend=reader_identity.backend,
                    model=reader_identity.model,
                    code_revision=code_revision(),
                    seed=profile.seed,
                    bootstrap_samples=profile.scoring.bootstrap_samples,
                    caption_tokens=profile.captions.caption_tokens,
                )
                scores = score_captions(release.samples, release.questions, list(own.values()), answers, by)
                writer.write("scores", CaptionScore, scores)

        def counted(reader: DatasetReader) -> list[str]:
            given = collections.Counter(one.policy for one in reader.read("answers", ProbeAnswer))
            return [
                f"{name} has {given[name]} answers for {len(release.questions)} questions"
                for name in keys
                if given[name] != len(release.questions)
            ]

        def doubtful(reader: DatasetReader) -> list[str]:
            if distrust:
                return [distrust]
            found = []
            for one in reader.read("scores", CaptionScore):
                asked = one.positive_questions + one.negative_questions
                if one.concepts == 0 and one.unreadable > _MOST_MISSING * asked:
                    found.append(f"{one.policy}: {one.unreadable} of {asked} verdicts could not be read")
                if one.concepts == 0 and one.missing > _MOST_MISSING * one.samples:
                    found.append(f"{one.policy}: {one.missing} of {one.samples} samples have no caption")
            return found

        def describe(reader: DatasetReader) -> dict[str, Any]:
            if not release.samples:
                return {"scores": "there are no query pictures"}
            if distrust or agreement is None:
                table = "" if agreement is None else agreement.table()
                return {
                    LEFT_OUT: f"all scores: {distrust}",
                    "scores": f"not shown: {distrust}",
                    "the judge on labelled captions": dg.MetadataValue.md(table),
                }
            return _described(context, workbench, release, reader, keys, captions, agreement, audited)

        yield from publish(
            context,
            workbench,
            key,
            recipe,
            make,
            {"every_question_counted": counted},
            describe,
            rows_of="scores",
            doubts={"every_question_counted": doubtful},
        )

    return mcqa_probe_scores


def _distrust(agreement: JudgeAgreement | None, judge: str) -> str:
    """Return why no scores are shown; empty where they are."""
    if agreement is None:
        return ""
    measured = agreement.classes[0].judge
    if measured != judge:
        return f"the judge {judge} has not been measured, {measured} has: make {CAPTION_AUDIT} with the same judge"
    if agreement.trusted:
        return ""
    return (
        f"the judge {judge} does not agree with labelled captions ({'; '.join(agreement.problems)}), so what it says "
        "of captioners means nothing: choose another judge"
    )


def _judged(
    workbench: Workbench, judge: LanguageModel, captions: Mapping[str, Caption], release: CaptionRelease, name: str
) -> list[ProbeAnswer]:
    fingerprint = next(iter(captions.values())).fingerprint
    told, total = f"{CAPTION_SCORES} {name}: judge", len(release.questions)
    answers = []
    given = judge_captions(
        judge,
        captions,
        release.questions,
        policy=name,
        fingerprint=fingerprint,
        callers=workbench.callers("judge", CAPTION_SCORES),
    )
    for number, answer in enumerate(given, start=1):
        answers.append(answer)
        if number % 50 == 0 or number == total:
            workbench.watch(told, number, total)
    require_answers(f"the judge of {name}", [one.failure for one in answers])
    return answers


def _described(
    context: dg.AssetExecutionContext,
    workbench: Workbench,
    release: CaptionRelease,
    reader: DatasetReader,
    keys: Mapping[str, str],
    captions: Any,
    agreement: JudgeAgreement,
    audited: DatasetReader,
) -> dict[str, Any]:
    """Return the report as metadata, after logging it and the pages of cases."""
    partition, profile = release.partition, workbench.profile
    scores = list(reader.read("scores", CaptionScore))
    scored_by = model_name(workbench.model("reader", CAPTION_SCORES))
    answers: dict[str, dict[str, ProbeAnswer]] = {name: {} for name in keys}
    for one in reader.read("answers", ProbeAnswer):
        answers[one.policy][one.question_id] = one
    page = capeval_report(scores, agreement.table(), audit_markdown(audited.read("audit", CaptionAuditRow)))
    tags = run_tags(context, workbench, CAPTION_SCORES, partition)
    server, tracker = workbench.mlflow_server, workbench.tracker
    run_id = log_report_run(
        tracker,
        page,
        experiment=BENCHMARK,
        kind="captions",
        release=partition,
        dataset=workbench.store.manifest(release.questions_key),
        table="questions",
        parameters={
            "bootstrap_samples": profile.scoring.bootstrap_samples,
            "judge": agreement.classes[0].judge,
            "reader": scored_by,
            "policies": " ".join(keys),
        },
        subject=scored_by,
        tags=tags,
        now_ms=int(time.time() * 1000),
    )
    first = next(iter(keys))
    shown = "grounded" if "grounded" in keys else first
    picked = pick_cases(
        release.samples,
        release.questions,
        list(answers[shown].values()),
        worst=_SHOWN_WORST,
        best=_SHOWN_BEST,
    )
    given = {name: captions(name) for name in keys}
    cases = _log_cases(workbench, release, picked, given, answers, tags, shown)
    failures = collections.Counter(one.failure for own in given.values() for one in own.values() if one.failure)
    return {
        LEFT_OUT: counted_text(failures) or "nothing",
        "scores": rows_preview(
            [
                one.model_dump(include={"policy", "concepts", "positive", "negative", "samples", "words", "degenerate"})
                for one in scores
            ]
        ),
        **report_metadata(page),
        "worst and best cases": dg.MetadataValue.md(_strip(workbench, picked, given[shown])),
        "MLflow run": dg.MetadataValue.url(tracker.page(run_id, server)),
        "case pages": dg.MetadataValue.url(f"{tracker.page(cases, server)}/artifacts"),
    }


def _strip(workbench: Workbench, picked: Sequence[PickedCase], captions: Mapping[str, Caption]) -> str:
    """Return the query pictures of the worst four and the best four cases."""
    chosen = [*picked[:4], *picked[-4:]] if len(picked) > 8 else picked
    return picture_strip(
        [
            StripPicture(
                workbench.picture(one.sample.query),
                f"{one.sample.sample_id}: {100 * one.accuracy:.0f} percent right",
            )
            for one in chosen
        ]
    )


def _log_cases(
    workbench: Workbench,
    release: CaptionRelease,
    picked: Sequence[PickedCase],
    captions: Mapping[str, Mapping[str, Caption]],
    answers: Mapping[str, Mapping[str, ProbeAnswer]],
    tags: Mapping[str, str],
    shown: str,
) -> str:
    """Log the page of the worst and best cases and return its run."""
    store, partition = workbench.store, release.partition
    content = "-".join(sorted(f"{name}:{next(iter(own.values())).fingerprint}" for name, own in captions.items()))
    identity = {
        "lifeloom.pages": "caption_cases",
        "lifeloom.release": partition,
        "lifeloom.content": f"{store.manifest(release.questions_key).content_hash}:{content}"[:400],
    }
    done = workbench.tracker.find(BENCHMARK, identity)
    if done is not None:
        return done
    nouns = {one.image_id: one.noun for one in store.read(IMAGE_LIBRARY, "images", LibraryImage)}
    scenes = {one.scene_id: one for one in store.read(release.scenes_key, "plans", ScenePlan)}
    html = caption_page(
        picked,
        release.questions,
        captions,
        answers,
        nouns,
        scenes,
        workbench.picture,
        title=f"CapEval-QAs, release {partition}: worst and best cases of {shown}",
        note=(
            f"Code {code_revision()}. `lifeloom show sample ID` shows one of them with its plan; made from "
            f"{release.scenes_key} and {release.contexts_key}."
        ),
    )
    with workbench.tracker.run(
        BENCHMARK, f"cases {partition}", {**tags, **identity, NOTE: "Cases, worst first."}
    ) as run:
        run.parameters({"release": partition, "samples": len(release.samples)})
        run.text(html, "cases/captions.html")
    return run.run_id
