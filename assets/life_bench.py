"""Life-Bench questions of a release: ten tasks, made from the plans, verified, and waiting for people to look (L4)."""

import collections
from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets.life_keys import HISTORIES, HISTORY_IMAGES, LIFE_BENCH, VACCOUNTS
from assets.life_records import lives_of
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
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.records import (
    LIFE_TASKS,
    Concept,
    DrawnLifePicture,
    EventStory,
    LifeImage,
    LifeQuestion,
    Rejection,
    ReviewItem,
    VaccountPlan,
)
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.life_questions import LifeWorld, counts_for, make_questions
from lifeloom.synthesis.life_questions.checks import (
    account_problems,
    balance_problems,
    guessable_problems,
    longest_problems,
    missing_tasks,
    picture_problems,
    reference_problems,
    repetition_problems,
    well_formed,
)
from lifeloom.synthesis.life_questions.reviewing import question_review_items
from lifeloom.synthesis.life_questions.verification import Verifier
from lifeloom.synthesis.review import queue_path, read_answers, write_queue
from lifeloom.tasks import LIFE_ANSWER, LIFE_JUDGEMENT, QUESTION_CRITIQUE
from resources.workbench import Workbench

__all__ = ["life_bench_asset"]

_CHECKS = {
    "well_formed": "Ids are unique; choices have four different options, binary questions yes or no.",
    "answers_balanced": "No letter, nor yes or no, is right too often; the right option is mostly not longest.",
    "not_guessable": "No one answer is right in too many of an open task's questions.",
    "tasks_there": "There are questions of every task, or a reason why not.",
    "pictures_new": "No picture of a question is in a history.",
    "references_resolve": "Everything that a question follows from is in its life.",
    "near_duplicates": "Fewer than 1 % of the questions are near-duplicates of another.",
    "all_accounted": "Every question that was asked for is there, or has a reason why it was left out.",
}
_REVIEWED = 40
"""Questions of a release, beside the doubtful ones, that people are asked to look at."""


def life_bench_asset(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    """Return the questions, by release date."""

    @dg.asset(
        key=LIFE_BENCH.split("/"),
        deps=[dg.AssetKey(name.split("/")) for name in (VACCOUNTS, HISTORIES, HISTORY_IMAGES)],
        partitions_def=dates,
        group_name="release",
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(LIFE_BENCH.split("/"), _CHECKS),
        description="Life-Bench questions of a release: ten tasks in the paper's shares, verified with a critic.",
    )
    @told_plainly
    def life_bench(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Make the questions of every Vaccount and verify them."""
        partition, store, settings = context.partition_key, workbench.store, workbench.profile.life
        key = f"{LIFE_BENCH}/{partition}"
        keys = [f"{name}/{partition}" for name in (VACCOUNTS, HISTORIES, HISTORY_IMAGES)]
        answers = read_answers(workbench.home.review, key)
        counts = counts_for(settings.questions)
        wanted = sum(counts.values())
        critic, judge = workbench.model("critic", LIFE_BENCH), workbench.model("judge", LIFE_BENCH)
        recipe = Recipe(
            stage=LIFE_BENCH,
            seed=workbench.profile.seed,
            parameters={
                "partition": partition,
                "questions": settings.questions,
                "rounds": settings.verification_rounds,
                "answers": answers.digest_with_notes(),
            },
            models=(model_name(critic), model_name(judge)),
            prompt_versions=tuple(one.prompt_version for one in (QUESTION_CRITIQUE, LIFE_ANSWER, LIFE_JUDGEMENT)),
            parents=parents(store, *keys),
        )
        verifier = Verifier(
            critic,
            critic,
            judge,
            workbench.streams,
            # The built-in critic says the same in every round.
            rounds=1 if critic.identity.backend == "builtin" else settings.verification_rounds,
            answers=answers,
            workers=workbench.callers("critic", LIFE_BENCH),
        )

        def make(writer: DatasetWriter) -> None:
            writer.write("questions", LifeQuestion, ())  # there also where no Vaccount is
            writer.write("rejections", Rejection, ())
            writer.write("review", ReviewItem, ())
            verdicts: collections.Counter[str] = collections.Counter()
            for number, world in enumerate(_worlds(workbench, partition), start=1):
                made = make_questions(world, partition, counts, workbench.streams, edition="release")
                verified = verifier.verify(made.questions)
                verdicts.update(verified.verdicts)
                writer.write("questions", LifeQuestion, [one.question for one in verified.kept])
                writer.write("rejections", Rejection, [*made.rejections, *verified.rejections])
                items = question_review_items(
                    verified.kept, verified.doubts, key=key, sample=_REVIEWED // max(1, settings.vaccounts)
                )
                writer.write("review", ReviewItem, items)
                workbench.watch(key, number, settings.vaccounts)
            said = ["no_verdict" if one == "no_verdict" else "" for one in verdicts.elements()]
            require_answers("the critic of questions", said)

        def questions(reader: DatasetReader) -> list[LifeQuestion]:
            return list(reader.read("questions", LifeQuestion))

        def rejections(reader: DatasetReader) -> list[Rejection]:
            return list(reader.read("rejections", Rejection))

        def images() -> Iterator[LifeImage]:
            return store.read(f"{HISTORY_IMAGES}/{partition}", "images", LifeImage)

        def describe(reader: DatasetReader) -> dict[str, Any]:
            rows = questions(reader)
            write_queue(workbench.home.review, key, reader.read("review", ReviewItem))
            by_task = collections.Counter(row.task for row in rows)
            shown = [next(row for row in rows if row.task == task) for task in LIFE_TASKS if by_task[task]]
            pictured = [row for row in rows if row.picture is not None][:8]
            return {
                "questions by task": dg.MetadataValue.json({task: by_task[task] for task in LIFE_TASKS}),
                LEFT_OUT: counted_text(collections.Counter(row.reason for row in rejections(reader))) or "nothing",
                "one of each task": rows_preview(
                    [row.model_dump(include={"task", "difficulty", "question", "answer"}) for row in shown]
                ),
                "some pictures": dg.MetadataValue.md(
                    picture_strip(
                        [
                            StripPicture(workbench.picture(row.picture), row.picture_id)
                            for row in pictured
                            if row.picture is not None
                        ]
                    )
                ),
                "review queue": str(queue_path(workbench.home.review, key)),
                "waiting for review": sum(
                    1 for item in reader.read("review", ReviewItem) if not answers.get(item.item_id)
                ),
            }

        checks = {
            "well_formed": lambda reader: well_formed(questions(reader)),
            "answers_balanced": lambda reader: [
                *balance_problems(questions(reader), rejections(reader)),
                *longest_problems(questions(reader)),
            ],
            "not_guessable": lambda reader: guessable_problems(questions(reader)),
            "tasks_there": lambda reader: (
                missing_tasks(questions(reader), rejections(reader))
                if settings.vaccounts and settings.questions
                else []
            ),
            "pictures_new": lambda reader: picture_problems(questions(reader), images()),
            "references_resolve": lambda reader: reference_problems(
                questions(reader), store.read(f"{VACCOUNTS}/{partition}", "concepts", Concept), images()
            ),
            "near_duplicates": lambda reader: repetition_problems(questions(reader)),
            "all_accounted": lambda reader: account_problems(
                wanted * store.reader(keys[0]).rows("plans"), questions(reader), rejections(reader)
            ),
        }
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="questions")

    return life_bench


def _worlds(workbench: Workbench, partition: str) -> Iterator[LifeWorld]:
    """Yield every Vaccount with its truth."""
    store = workbench.store
    lives = lives_of(workbench.store, partition)
    stories = list(store.read(f"{HISTORIES}/{partition}", "stories", EventStory))
    drawn = list(store.read(f"{HISTORY_IMAGES}/{partition}", "drawn", DrawnLifePicture))
    for plan in store.read(f"{VACCOUNTS}/{partition}", "plans", VaccountPlan):
        yield LifeWorld(
            plan,
            lives[plan.vaccount_id],
            {row.event_id: row for row in stories if row.vaccount_id == plan.vaccount_id},
            {row.image_id: row for row in drawn if row.vaccount_id == plan.vaccount_id},
        )
