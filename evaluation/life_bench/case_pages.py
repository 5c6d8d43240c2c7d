"""Pages of Life-Bench questions for people: what was asked, what each policy answered and looked up, and the truth.

Every page stands alone (no script, no file beside it), so that it opens from MLflow's artifact view, a mail or a disk.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from evaluation.life_bench.running import LifeTrace
from evaluation.thumbnails import Thumbnail, thumbnail
from lifeloom.lifegraph.trace import RetrievalTrace
from lifeloom.models.protocol import PictureSource
from lifeloom.records import (
    LIFE_TASKS,
    Concept,
    EventStory,
    Life,
    LifeEvent,
    LifeImage,
    LifePrediction,
    LifeQuestion,
    LifeTask,
    PictureReference,
)

if TYPE_CHECKING:
    import jinja2

__all__ = ["INDEX", "life_case_pages"]

INDEX = "index"
_SIDE = 120
"""Longer side of a picture of the history, pixels."""
_ASKED_SIDE = 256
"""Longer side of the question's own picture."""
_QUALITY = 65
_MOST_PICTURES = 24
"""Of one event, and of what the policies looked up, on one question."""
_MOST_EVENTS = 3
_MOST_TRACE = 6_000
"""Characters of one trace."""
_MOST_BYTES = 8_500_000
"""Of pictures and traces on all pages together; words and marks have the rest of 10 MB."""
_ASSETS = ("release/life_bench", "release/history_images", "release/histories", "release/vaccounts")
"""Data sets of the question's release; the seeds are one for all releases."""


@dataclass(frozen=True)
class _Picture:
    """A picture of the history, with what stands under it."""

    image_id: str
    under: str
    shown: Thumbnail


@dataclass(frozen=True)
class _Answer:
    """What one policy answered."""

    policy: str
    answer: str
    correct: bool
    reason: str
    retrieved: str
    steps: str


@dataclass(frozen=True)
class _Event:
    """An event that the right answer follows from."""

    event_id: str
    told: str
    story: str
    seed: str
    seed_story: str
    pictures: tuple[_Picture, ...]
    not_shown: int


@dataclass(frozen=True)
class _Case:
    """A question as the page shows it."""

    question: LifeQuestion
    asked: Thumbnail
    answers: tuple[_Answer, ...]
    looked_up: tuple[_Picture, ...]
    more_looked_up: int
    events: tuple[_Event, ...]
    more_events: tuple[str, ...]
    concepts: tuple[Concept, ...]


def life_case_pages(
    questions: Sequence[LifeQuestion],
    predictions: Mapping[str, Sequence[LifePrediction]],
    traces: Iterable[LifeTrace],
    lives: Mapping[str, Life],
    source: PictureSource,
    *,
    stories: Mapping[str, EventStory] | None = None,
    seeds: Mapping[str, str] | None = None,
    per_task: int = 12,
    seed: int = 0,
) -> Iterator[tuple[str, str]]:
    """Give the index and one page a task, as name and HTML; together under 10 MB.

    A page shows up to ``per_task`` questions: as many that every policy missed as that every policy got right as that
    split them, as far as there are such; fewer where their pictures and traces would take too much room.

    Args:
        questions: of one release.
        predictions: by policy.
        traces: how policies that take steps came to their answers.
        lives: by Vaccount; of one that is not there the page shows ids only.
        source: gives the pictures' files; one that is missing or broken is named where it should be.
        stories: narratives and their seeds by event.
        seeds: ids of event seeds and their captions, by event.
        per_task: at least 1.
        seed: of the choice among alike questions.

    Raises:
        ValueError: ``per_task`` below 1.
    """
    if per_task < 1:
        raise ValueError("case pages need room for at least one question a task")
    given: defaultdict[str, list[LifePrediction]] = defaultdict(list)
    for answers in predictions.values():
        for answer in answers:
            given[answer.question_id].append(answer)
    by_task: dict[LifeTask, list[LifeQuestion]] = {
        task: own for task in LIFE_TASKS if (own := [one for one in questions if one.task == task])
    }
    chosen = {task: _chosen(own, given, per_task, seed) for task, own in by_task.items()}
    wanted = {one.question_id for own in chosen.values() for one in own}
    room = _MOST_BYTES // max(1, len(chosen))
    steps = {(one.question_id, one.policy): _told(one.trace) for one in traces if one.question_id in wanted}
    release = questions[0].release_id if questions else ""
    yield (
        INDEX,
        _render(
            title=f"Life-Bench questions of release {release}",
            note=f"Share of right answers by task and policy; up to {per_task} questions a task are on "
            "the tasks' pages.",
            table=_table(by_task, predictions),
            cases=(),
        ),
    )
    for task, own in chosen.items():
        made = (
            _case(one, given[one.question_id], steps, lives.get(one.vaccount_id), source, stories or {}, seeds or {})
            for one in own
        )
        cases = _fitting(made, room)
        yield (
            task,
            _render(
                title=f"{task.replace('_', ' ')}, release {release}",
                note=f"{len(cases)} of {len(by_task[task])} questions: missed by all policies, by some, by none.",
                table=(),
                cases=cases,
            ),
        )


def _fitting(cases: Iterable[_Case], room: int) -> list[_Case]:
    """Return the cases that fit into ``room`` bytes of pictures and traces; one too large leaves room for others."""
    kept = []
    for case in cases:
        pictures = [case.asked, *(one.shown for one in case.looked_up)]
        pictures += [one.shown for event in case.events for one in event.pictures]
        size = sum(len(one.data) for one in pictures) + sum(len(one.steps.encode()) for one in case.answers)
        if size <= room:
            kept.append(case)
            room -= size
    return kept


def _chosen(
    questions: Sequence[LifeQuestion], given: Mapping[str, Sequence[LifePrediction]], most: int, seed: int
) -> list[LifeQuestion]:
    """Return questions by turns from those that all, some and no policies missed."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    kinds: tuple[list[LifeQuestion], ...] = ([], [], [])
    for one in rng.sample(list(questions), len(questions)):
        right = [answer.correct for answer in given.get(one.question_id, ())]
        kinds[0 if not any(right) else 2 if all(right) else 1].append(one)
    turns = itertools.zip_longest(*kinds)
    return [one for turn in turns for one in turn if one is not None][:most]


def _case(
    question: LifeQuestion,
    given: Sequence[LifePrediction],
    steps: Mapping[tuple[str, str], str],
    life: Life | None,
    source: PictureSource,
    stories: Mapping[str, EventStory],
    seeds: Mapping[str, str],
) -> _Case:
    life = life or Life(question.vaccount_id, (), ())
    events = [one for one in life.events if one.event_id in question.event_ids]
    looked_up = _looked_up(given, life)
    mentioned = set(question.reference_ids).union(*(one.retrieved_ids for one in given))
    return _Case(
        question=question,
        asked=_shown(question.picture, source, _ASKED_SIDE) if question.has_picture else Thumbnail(),
        answers=tuple(
            _Answer(
                policy=one.policy,
                answer=one.answer or f"none: {one.failure}",
                correct=one.correct,
                reason=one.reason,
                retrieved=", ".join(one.retrieved_ids),
                steps=steps.get((question.question_id, one.policy), ""),
            )
            for one in given
        ),
        looked_up=tuple(
            _Picture(image.image_id, ", ".join(policies), _shown(image.picture, source, _SIDE))
            for image, policies in looked_up[:_MOST_PICTURES]
        ),
        more_looked_up=max(0, len(looked_up) - _MOST_PICTURES),
        events=tuple(
            _event(one, source, stories.get(one.event_id), seeds.get(one.event_id, "")) for one in events[:_MOST_EVENTS]
        ),
        more_events=tuple(one.event_id for one in events[_MOST_EVENTS:]),
        concepts=tuple(one for one in life.concepts if one.concept_id in mentioned),
    )


def _looked_up(given: Sequence[LifePrediction], life: Life) -> list[tuple[LifeImage, list[str]]]:
    """Return the pictures that were looked up with the policies that did; the most wanted first."""
    by_id = {image.image_id: image for image in life.images}
    found: dict[str, list[str]] = {}
    for one in given:
        for name in dict.fromkeys(one.retrieved_ids):
            if name in by_id:
                found.setdefault(name, []).append(one.policy)
    return sorted(((by_id[name], own) for name, own in found.items()), key=lambda one: -len(one[1]))


def _event(event: LifeEvent, source: PictureSource, story: EventStory | None, seed: str) -> _Event:
    captions = story.captions if story is not None else ()
    return _Event(
        event_id=event.event_id,
        told=f"{event.date.isoformat()}: {event.description or 'no description'}",
        story=story.narrative if story is not None else "",
        seed=seed,
        seed_story=story.seed_story if story is not None else "",
        pictures=tuple(
            _Picture(
                image.image_id,
                captions[number] if len(captions) == len(event.images) else "",
                _shown(image.picture, source, _SIDE),
            )
            for number, image in enumerate(event.images[:_MOST_PICTURES])
        ),
        not_shown=max(0, len(event.images) - _MOST_PICTURES),
    )


def _shown(picture: PictureReference | None, source: PictureSource, side: int) -> Thumbnail:
    if picture is None:
        return Thumbnail(problem="the picture is not at hand")
    return thumbnail(picture, source, side, _QUALITY)


def _told(trace: str) -> str:
    """Return a trace as a person reads it, its end cut off where it is long."""
    text = RetrievalTrace.model_validate_json(trace).as_text()
    if len(text) <= _MOST_TRACE:
        return text
    return f"{text[:_MOST_TRACE]}\n({len(text) - _MOST_TRACE:,} more characters are in the data set of predictions)"


def _table(
    by_task: Mapping[LifeTask, Sequence[LifeQuestion]], predictions: Mapping[str, Sequence[LifePrediction]]
) -> list[list[str]]:
    rows = [["task", "questions", *predictions]]
    right = {name: {one.question_id for one in own if one.correct} for name, own in predictions.items()}
    for task, own in by_task.items():
        shares = [sum(one.question_id in ids for one in own) / len(own) for ids in right.values()]
        rows.append([task, str(len(own)), *(f"{share:.0%}" for share in shares)])
    return rows


@functools.cache
def _template() -> jinja2.Template:
    import jinja2.sandbox

    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=True)
    text = resources.files("evaluation").joinpath("templates/life_cases.html").read_text("utf-8")
    return environment.from_string(text)


def _render(*, title: str, note: str, table: Sequence[Sequence[str]], cases: Sequence[_Case]) -> str:
    return _template().render(title=title, note=note, table=table, cases=cases, assets=_ASSETS)
