"""Life-Bench scores of a release: the shortcut audit, then every retrieval method on one answering model (L8, L9)."""

import collections
import functools
import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dagster as dg

from assets.audit import run_tags
from assets.figures import report_metadata
from assets.life_keys import HISTORIES, HISTORY_IMAGES, LIFE_AUDIT, LIFE_BENCH, LIFE_GRAPHS, LIFE_SCORES, VACCOUNTS
from assets.life_records import lives_of
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
from evaluation.audit_life_bench import (
    BLIND_LIFE_POLICIES,
    BlindLifePolicy,
    LifeAuditRow,
    audit_life,
    audit_markdown,
    sample_questions,
)
from evaluation.life_baselines import Baseline
from evaluation.life_bench import (
    BENCHMARK,
    BENCHMARK_VERSION,
    LifeTiming,
    LifeTrace,
    life_report,
    run_life_policy,
    score_life,
)
from evaluation.life_bench.agreement import agreement_table, judge_agreement, labelled_answers
from evaluation.life_bench.case_pages import life_case_pages
from evaluation.report_runs import log_report_run
from lifeloom.models.calls.cost_reports import cost_metrics, counted_text
from lifeloom.records import EventStory, LifePrediction, LifeQuestion, LifeScore, Rejection, VaccountPlan
from lifeloom.scoring.life_policy import LifePolicy
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetWriter, MediaMissing, Recipe, code_revision
from lifeloom.tasks import LIFE_ANSWER, LIFE_JUDGEMENT
from lifeloom.tracking import NOTE, DatasetInput
from resources.lives import GRAPHS, life_policies
from resources.workbench import Workbench

__all__ = ["life_score_assets"]

_AUDIT_CHECKS = {
    "no_shortcut": "No policy that is kept from the right part of a life gets 10 % of an open task, or beats chance.",
}
_SCORE_CHECKS = {"every_question_counted": "Each method has an answer, or a counted failure, for every question."}
_MOST_MISSING = 0.02
"""Share of questions without a readable answer from which a score carries a warning."""
_DEPTHS = (1, 2, 3, 4, 5)
_WIDTHS = (1, 2, 3, 4, 5, 7, 10)


def life_score_assets(dates: dg.PartitionsDefinition[Any]) -> list[dg.AssetsDefinition]:
    """Return audit and scores, by release date."""
    return [_audit(dates), _scores(dates)]


def _questions(workbench: Workbench, partition: str) -> list[LifeQuestion]:
    return list(workbench.store.read(f"{LIFE_BENCH}/{partition}", "questions", LifeQuestion))


def _lineage(workbench: Workbench, partition: str) -> dict[str, str]:
    return parents(workbench.store, *(f"{name}/{partition}" for name in (LIFE_BENCH, VACCOUNTS, HISTORY_IMAGES)))


def _audit(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    @dg.asset(
        key=LIFE_AUDIT.split("/"),
        deps=[dg.AssetKey(name.split("/")) for name in (VACCOUNTS, HISTORY_IMAGES, LIFE_BENCH)],
        partitions_def=dates,
        group_name="scores",
        kinds={"parquet"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(LIFE_AUDIT.split("/"), _AUDIT_CHECKS),
        description="Life-Bench without the right part of the life: question only, any pictures, nearest, another's.",
    )
    @told_plainly
    def life_audit(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Ask the blind policies and hold their answers against the limits."""
        partition, profile = context.partition_key, workbench.profile
        key = f"{LIFE_AUDIT}/{partition}"
        model, judge = workbench.model("reader", LIFE_AUDIT), workbench.model("judge", LIFE_AUDIT)
        settings = profile.audit
        recipe = Recipe(
            stage=LIFE_AUDIT,
            seed=profile.seed,
            parameters={
                "questions": profile.life.audit_questions,
                "margin": settings.margin,
                "minimum": profile.life.audit_minimum,
            },
            models=(model_name(model), model_name(judge)),
            prompt_versions=(LIFE_ANSWER.prompt_version, LIFE_JUDGEMENT.prompt_version),
            parents=_lineage(workbench, partition),
        )

        def make(writer: DatasetWriter) -> None:
            lives = lives_of(workbench.store, partition)
            rng = workbench.streams.rng("life audit", partition)
            asked = sample_questions(_questions(workbench, partition), profile.life.audit_questions, rng)
            predictions: list[LifePrediction] = []
            for number, sight in enumerate(BLIND_LIFE_POLICIES):
                workbench.watch(f"{LIFE_AUDIT} {sight}", number, len(BLIND_LIFE_POLICIES))
                policy = BlindLifePolicy(
                    sight,
                    model,
                    lives,
                    workbench.encoder,
                    workbench.image_encoder,
                    workbench.picture,
                    workbench.streams,
                    code=code_revision(),
                )
                workers = workbench.callers("reader", LIFE_AUDIT)
                run = run_life_policy(policy, asked, lives, judge, workers=workers)
                require_answers(policy.name, [one.failure for one in run.predictions])
                predictions += run.predictions
            writer.write("predictions", LifePrediction, predictions)
            rows = audit_life(partition, asked, predictions, margin=settings.margin, minimum=profile.life.audit_minimum)
            writer.write("audit", LifeAuditRow, rows)

        def worst_first(reader: DatasetReader) -> list[LifeAuditRow]:
            return sorted(reader.read("audit", LifeAuditRow), key=lambda row: row.limit - row.accuracy)

        def told(reader: DatasetReader, verdict: str) -> list[str]:
            return [row.sentence() for row in worst_first(reader) if row.verdict == verdict]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            rows = worst_first(reader)
            return {
                "audit": dg.MetadataValue.md(audit_markdown(rows)),
                "nearest to its limit": rows[0].sentence() if rows else "nothing was asked",
            }

        yield from publish(
            context,
            workbench,
            key,
            recipe,
            make,
            {"no_shortcut": lambda reader: told(reader, "failed")},
            describe,
            rows_of="audit",
            doubts={"no_shortcut": lambda reader: told(reader, "inconclusive")},
        )

    return life_audit


def _scores(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    @dg.asset(
        key=LIFE_SCORES.split("/"),
        deps=[
            dg.AssetKey(name.split("/"))
            for name in (VACCOUNTS, HISTORIES, HISTORY_IMAGES, LIFE_GRAPHS, LIFE_BENCH, LIFE_AUDIT)
        ],
        partitions_def=dates,
        group_name="scores",
        kinds={"parquet", "mlflow"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(LIFE_SCORES.split("/"), _SCORE_CHECKS),
        description="Accuracy of RAP, R2P, RAG-Cap and LifeGraph by task and difficulty, with intervals and recall.",
    )
    @told_plainly
    def life_bench_scores(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Score the retrieval methods of the profile; predictions are kept by policy fingerprint."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        key, questions = f"{LIFE_SCORES}/{partition}", _questions(workbench, partition)
        asking = _Asking(context, workbench, partition, questions)
        lineage = {
            **_lineage(workbench, partition),
            **parents(store, f"{LIFE_AUDIT}/{partition}", f"{GRAPHS}/{partition}"),
        }
        keys = asking.keys(profile.life.policies, questions)
        sample = sample_questions(
            questions, profile.life.sweep_questions, workbench.streams.rng("life sweep", partition)
        )
        swept = sample if profile.life.sweep_questions else []
        depths = {depth: f"lifegraph-d{depth}-k3" for depth in _DEPTHS} if swept else {}
        widths = {width: f"lifegraph-d2-k{width}" for width in _WIDTHS} if swept else {}
        sweep = asking.keys([*depths.values(), *widths.values()], swept, of="sweep") if swept else {}
        recipe = Recipe(
            stage=LIFE_SCORES,
            seed=profile.seed,
            parameters={"bootstrap": profile.scoring.bootstrap_samples, "policies": profile.life.policies},
            models=(
                model_name(workbench.model("reader", LIFE_SCORES)),
                model_name(workbench.model("judge", LIFE_SCORES)),
            ),
            parents={**lineage, **parents(store, *keys.values(), *dict.fromkeys(sweep.values()))},
        )

        @functools.cache
        def scored(name: str, of: str = "all") -> tuple[LifeScore, ...]:
            asked = questions if of == "all" else swept
            predictions = list(store.read(keys[name] if of == "all" else sweep[name], "predictions", LifePrediction))
            identity = asking.reader.identity
            return tuple(
                score_life(
                    asked,
                    predictions,
                    asking.lives,
                    backend=identity.backend,
                    model=identity.model,
                    code_revision=code_revision(),
                    seed=profile.seed,
                    bootstrap_samples=profile.scoring.bootstrap_samples,
                )
            )

        def make(writer: DatasetWriter) -> None:
            writer.write("scores", LifeScore, ())  # there also where no question is
            for name in keys if questions else ():
                writer.write("scores", LifeScore, scored(name))
            for name in sweep:
                writer.write("sweep", LifeScore, scored(name, "sweep"))

        def counted(reader: DatasetReader) -> list[str]:
            rows = {name: store.reader(one).rows("predictions") for name, one in keys.items()}
            return [
                f"{name} has {count} predictions for {len(questions)} questions"
                for name, count in rows.items()
                if count != len(questions)
            ]

        def failures(predictions: Mapping[str, Sequence[LifePrediction]]) -> collections.Counter[str]:
            return collections.Counter(one.failure for own in predictions.values() for one in own if one.failure)

        def unanswered(reader: DatasetReader) -> list[str]:
            rows = [row for row in reader.read("scores", LifeScore) if row.task == "all"]
            return [
                f"{row.policy}: {row.missing:,} of {row.questions:,} questions have no answer that could be read"
                for row in rows
                if row.missing > _MOST_MISSING * row.questions
            ]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            if not questions:
                return {"scores": "there are no questions"}
            rows = list(reader.read("scores", LifeScore))
            predictions = {name: list(store.read(one, "predictions", LifePrediction)) for name, one in keys.items()}
            page = life_report(
                questions,
                predictions,
                rows,
                {name: asking.timings(one) for name, one in keys.items()},
                by_depth={depth: scored(name, "sweep") for depth, name in depths.items()},
                by_width={width: scored(name, "sweep") for width, name in widths.items()},
                agreement=agreement_table(judge_agreement(labelled_answers("held"), asking.judge, seed=profile.seed)),
                seed=profile.seed,
            )
            tags = run_tags(context, workbench, LIFE_SCORES, partition)
            server = workbench.mlflow_server
            cases = _log_cases(workbench, partition, questions, predictions, asking, keys, tags)
            tags[NOTE] = (
                f"[Pages of questions]({workbench.tracker.page(cases, server)}/artifacts): what was asked, answered "
                f"and looked up, with pictures, events and seeds. Made by the asset `{LIFE_SCORES}`, {partition}."
            )
            manifest = store.manifest(f"{LIFE_BENCH}/{partition}")
            run_id = log_report_run(
                workbench.tracker,
                page,
                experiment=BENCHMARK,
                kind="tables",
                release=partition,
                dataset=manifest,
                table="questions",
                parameters={"bootstrap_samples": profile.scoring.bootstrap_samples},
                tags=tags,
                now_ms=int(time.time() * 1000),
            )
            runs = asking.track(keys, rows, tags)
            return {
                LEFT_OUT: counted_text(failures(predictions)) or "nothing",
                "scores": rows_preview(
                    [
                        row.model_dump(include={"policy", "task", "value", "low", "high", "questions", "missing"})
                        for row in rows
                        if row.task == "all"
                    ]
                ),
                **report_metadata(page),
                "MLflow run": dg.MetadataValue.url(workbench.tracker.page(run_id, server)),
                "case pages": dg.MetadataValue.url(f"{workbench.tracker.page(cases, server)}/artifacts"),
                "MLflow runs by method": dg.MetadataValue.md(
                    "\n".join(f"- [{name}]({workbench.tracker.page(one, server)})" for name, one in runs.items())
                ),
            }

        yield from publish(
            context,
            workbench,
            key,
            recipe,
            make,
            {"every_question_counted": counted},
            describe,
            rows_of="scores",
            doubts={"every_question_counted": unanswered},
        )

    return life_bench_scores


class _Asking:
    """Asks policies what they have not been asked yet."""

    def __init__(
        self, context: dg.AssetExecutionContext, workbench: Workbench, partition: str, questions: Sequence[LifeQuestion]
    ) -> None:
        self._context = context
        self._workbench = workbench
        self._partition = partition
        self._questions = questions
        self.lives = lives_of(workbench.store, partition)
        self.reader = workbench.model("reader", LIFE_SCORES)
        self.judge = workbench.model("judge", LIFE_SCORES)
        self.policies: dict[str, LifePolicy] = {}

    def keys(self, names: Sequence[str], questions: Sequence[LifeQuestion], of: str = "all") -> dict[str, str]:
        """Return the keys of predictions by policy, asking where there are none."""
        wanted = list(dict.fromkeys(names))
        policies = life_policies(self._workbench, self._partition, wanted, LIFE_SCORES)
        self.policies.update(policies)
        return {name: self._asked(policies[name], questions, of) for name in wanted}

    def _require_pictures(self, questions: Sequence[LifeQuestion]) -> None:
        """See to it that answers given without a picture are never kept because its file was lost here.

        Raises:
            MediaMissing: the file of a portrait, of a history picture or of a question's is gone.
        """
        lives = self.lives.values()
        pictures = [one.portrait for life in lives for one in life.concepts]
        pictures += [one.picture for life in lives for one in life.images] + [one.picture for one in questions]
        hashes = {one.content_hash for one in pictures if one is not None}
        gone = sorted(one for one in hashes if not self._workbench.store.media.has(one))
        if gone:
            raise MediaMissing(
                f"{len(gone)} of {len(hashes)} pictures of {self._partition} are gone ({gone[0][:12]} and so on); "
                f"make {HISTORY_IMAGES} and {VACCOUNTS} again"
            )

    def timings(self, key: str) -> list[LifeTiming]:
        """Return how long each question took; none where it was not measured here."""
        place = key.replace("life_predictions/", "life_timings/", 1)
        store = self._workbench.store
        return list(store.read(place, "timings", LifeTiming)) if store.find(place) else []

    def _asked(self, policy: LifePolicy, questions: Sequence[LifeQuestion], of: str) -> str:
        workbench, store = self._workbench, self._workbench.store
        place = f"{self._partition}/{policy.name}-{policy.fingerprint}" + ("" if of == "all" else f"-{of}")
        key = f"life_predictions/{place}"
        names = [f"{one}/{self._partition}" for one in (LIFE_BENCH, VACCOUNTS, HISTORY_IMAGES, GRAPHS)]
        recipe = Recipe(
            stage="predictions",
            seed=workbench.profile.seed,
            parameters={
                "policy": policy.name,
                "fingerprint": policy.fingerprint,
                "benchmark": BENCHMARK_VERSION,
                "judge": model_name(self.judge),
                "asked": hashlib.sha256("\n".join(sorted(one.question_id for one in questions)).encode()).hexdigest()[
                    :16
                ],
                **policy.parameters(),
            },
            models=tuple(policy.models()),
            prompt_versions=policy.prompts(),
            parents=parents(store, *names),
        )
        timings: list[LifeTiming] = []

        def make(writer: DatasetWriter) -> None:
            self._require_pictures(questions)
            told = f"{LIFE_SCORES} {policy.name}"
            run = run_life_policy(
                policy,
                questions,
                self.lives,
                self.judge,
                progress=lambda done: workbench.watch(told, done, len(questions)),
                workers=workbench.callers("reader", LIFE_SCORES),
            )
            require_answers(policy.name, [one.failure for one in run.predictions])
            timings.extend(run.timings)
            writer.write("predictions", LifePrediction, run.predictions)
            if run.traces:
                writer.write("traces", LifeTrace, run.traces)
            if isinstance(policy, Baseline) and policy.rejections:
                writer.write("rejections", Rejection, policy.rejections)

        account = f"{account_of(self._context)}/{policy.name}"
        with workbench.ledger.account(account, self._context.run.run_id):
            produced = store.produce(key, recipe, make)
        if not produced.reused:
            # Seconds are measured, so they go to a data set outside what must be the same byte for byte.
            measured = recipe.model_copy(update={"stage": "timings", "parents": {key: produced.manifest.content_hash}})

            def measure(writer: DatasetWriter) -> None:
                writer.write("timings", LifeTiming, timings)

            store.produce(f"life_timings/{place}", measured, measure)
        return key

    def track(self, keys: Mapping[str, str], rows: Sequence[LifeScore], tags: Mapping[str, str]) -> dict[str, str]:
        """Log one MLflow run a policy, unless it is there, and return the runs' ids."""
        workbench, store = self._workbench, self._workbench.store
        manifest = store.manifest(f"{LIFE_BENCH}/{self._partition}")
        runs = {}
        for name, key in keys.items():
            own = [row for row in rows if row.policy == name]
            identity = {
                "lifeloom.policy": name,
                "lifeloom.release": self._partition,
                "lifeloom.content": store.manifest(key).content_hash,
            }
            done = workbench.tracker.find(BENCHMARK, identity)
            if done is not None:
                runs[name] = done
                continue
            with workbench.tracker.run(BENCHMARK, f"{name} {self._partition}", {**tags, **identity}) as run:
                run.parameters({"policy": name, "release": self._partition, **self.policies[name].parameters()})
                metrics = {
                    f"accuracy/{row.task}" + ("" if row.difficulty == "all" else f"/{row.difficulty}"): row.value
                    for row in own
                }
                whole = next(row for row in own if row.task == "all")
                metrics |= {"tokens/prompt": whole.prompt_tokens, "tokens/completion": whole.completion_tokens}
                account = f"{account_of(self._context)}/{name}"
                metrics |= cost_metrics(workbench.ledger, account)
                run.metrics(metrics, timestamp_ms=int(time.time() * 1000))
                rows_there = manifest.table("questions").rows
                run.dataset(DatasetInput(manifest.key, manifest.content_hash[:16], manifest.key, rows_there))
            runs[name] = run.run_id
        return runs


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:16]


def _log_cases(
    workbench: Workbench,
    partition: str,
    questions: Sequence[LifeQuestion],
    predictions: Mapping[str, Sequence[LifePrediction]],
    asking: _Asking,
    keys: Mapping[str, str],
    tags: Mapping[str, str],
) -> str:
    """Log the pages of sampled questions, unless they are there, and return their run's id."""
    store = workbench.store
    content = _digest(store.manifest(key).content_hash for key in keys.values())
    identity = {"lifeloom.pages": "life cases", "lifeloom.release": partition, "lifeloom.content": content}
    done = workbench.tracker.find(BENCHMARK, identity)
    if done is not None:
        return done
    traces = (  # hundreds of megabytes a policy: read as they are wanted
        row
        for key in keys.values()
        if "traces" in store.reader(key).tables
        for row in store.read(key, "traces", LifeTrace)
    )
    stories = {row.event_id: row for row in store.read(f"{HISTORIES}/{partition}", "stories", EventStory)}
    plans = store.read(f"{VACCOUNTS}/{partition}", "plans", VaccountPlan)
    seeds = {event.event_id: event.seed for plan in plans for event in plan.events}
    with workbench.tracker.run(BENCHMARK, f"cases {partition}", {**tags, **identity}) as run:
        run.parameters({"release": partition, "questions": len(questions)})
        for name, page in life_case_pages(
            questions, predictions, traces, asking.lives, workbench.picture, stories=stories, seeds=seeds
        ):
            run.text(page, f"cases/{name}.html")
    return run.run_id
