"""Pages of captioning cases: query picture, context, captions, questions and what the judge chose (N2)."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import jinja2
import jinja2.sandbox

from evaluation.thumbnails import Thumbnail, thumbnail
from lifeloom.models.protocol import PictureSource
from lifeloom.records import Caption, CaptionSample, ContextEntry, ProbeAnswer, ProbeQuestion, ScenePlan
from lifeloom.scoring.capeval import count_probes

__all__ = ["PickedCase", "caption_page", "instruction_of", "pick_cases"]

_QUERY_SIDE, _ENTRY_SIDE = 320, 128
_MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class PickedCase:
    """A sample that is worth a look."""

    sample: CaptionSample
    accuracy: float
    """Share of its questions that the judge answered right from the first policy's caption."""


@dataclass(frozen=True)
class _Entry:
    picture: Thumbnail
    entry: ContextEntry
    noun: str
    recognised: tuple[str, ...]
    """Policies that took it for what the query shows."""


@dataclass(frozen=True)
class _Asked:
    question: ProbeQuestion
    chosen: tuple[tuple[str, str, bool], ...]
    """Policy, letter, whether it is right."""


@dataclass(frozen=True)
class _Case:
    sample: CaptionSample
    query: Thumbnail
    instruction: str
    captions: tuple[Caption, ...]
    entries: tuple[_Entry, ...]
    asked: tuple[_Asked, ...]


def pick_cases(
    samples: Sequence[CaptionSample],
    questions: Sequence[ProbeQuestion],
    answers: Sequence[ProbeAnswer],
    *,
    worst: int,
    best: int,
) -> list[PickedCase]:
    """Return the samples whose questions one policy's captions answered worst and best, worst first.

    Ties go by id, and no sample is there twice.
    """
    counts = count_probes(questions, answers)
    rated = []
    for sample in samples:
        own = counts.get(sample.sample_id)
        if own is None or not own.positive:
            continue
        rated.append(PickedCase(sample, (own.positive_accuracy + own.negative_accuracy) / 2))
    rated.sort(key=lambda one: (one.accuracy, one.sample.sample_id))
    if len(rated) <= worst + best:
        return rated
    return [*rated[:worst], *rated[len(rated) - best :]]


def caption_page(
    cases: Sequence[PickedCase],
    questions: Sequence[ProbeQuestion],
    captions: Mapping[str, Mapping[str, Caption]],
    answers: Mapping[str, Mapping[str, ProbeAnswer]],
    nouns: Mapping[str, str],
    scenes: Mapping[str, ScenePlan],
    source: PictureSource,
    *,
    title: str,
    note: str,
) -> str:
    """Return one HTML page, at most 10 MB: cases at the end are left out, which the page says.

    Args:
        cases: what to show.
        questions: about all samples.
        captions: by policy and sample.
        answers: by policy and question.
        nouns: library picture to what it shows.
        scenes: by id; the truth behind query pictures.
        source: gives the pictures.
        title: of the page.
        note: how it was made and where to go on.
    """
    asked: dict[str, list[ProbeQuestion]] = {}
    for one in questions:
        asked.setdefault(one.sample_id, []).append(one)
    shown: list[_Case] = []
    room = _MOST_BYTES
    for picked in cases:
        case = _case(picked.sample, asked.get(picked.sample.sample_id, ()), captions, answers, nouns, scenes, source)
        room -= _size(case)
        if room < 0:
            break
        shown.append(case)
    return _template().render(title=title, note=note, cases=shown, left_out=len(cases) - len(shown))


def _size(case: _Case) -> int:
    """Return about how many bytes a case takes on its page."""
    words = sum(len(one.text) for one in case.captions) + sum(len(str(one)) for one in case.asked)
    turns = sum(len(turn.user) + len(turn.assistant) for one in case.entries for turn in one.entry.turns)
    return len(case.query.data) + sum(len(one.picture.data) for one in case.entries) + 2 * (words + turns) + 4_000


def _case(
    sample: CaptionSample,
    questions: Sequence[ProbeQuestion],
    captions: Mapping[str, Mapping[str, Caption]],
    answers: Mapping[str, Mapping[str, ProbeAnswer]],
    nouns: Mapping[str, str],
    scenes: Mapping[str, ScenePlan],
    source: PictureSource,
) -> _Case:
    own = {name: given[sample.sample_id] for name, given in captions.items() if sample.sample_id in given}
    entries = [
        _Entry(
            thumbnail(entry.picture, source, _ENTRY_SIDE),
            entry,
            nouns.get(entry.image_id, ""),
            tuple(name for name, one in own.items() if one.recognised is not None and index in one.recognised),
        )
        for index, entry in enumerate(sample.entries)
    ]
    asked = []
    for question in questions:
        chosen = []
        for name, given in answers.items():
            answer = given.get(question.question_id)
            if answer is not None:
                chosen.append((name, answer.letter or "-", answer.letter == question.right))
        asked.append(_Asked(question, tuple(chosen)))
    plan = scenes.get(sample.sample_id)
    return _Case(
        sample,
        thumbnail(sample.query, source, _QUERY_SIDE),
        "" if plan is None else instruction_of(sample, plan),
        tuple(own.values()),
        tuple(entries),
        tuple(asked),
    )


@functools.cache
def _template() -> jinja2.Template:
    text = files("evaluation").joinpath("templates/captions.html").read_text(encoding="utf-8")
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=True)
    return environment.from_string(text)


def instruction_of(sample: CaptionSample, plan: ScenePlan) -> str:
    """Return what the picture was to show, with which entry of the context each numbered picture is."""
    places = {one.image_id: index for index, one in enumerate(sample.entries)}
    told = [
        f"picture {number} is entry {places[image_id]}"
        for number, image_id in enumerate(plan.image_ids, start=1)
        if image_id in places
    ]
    return f"{plan.instruction} ({', '.join(told)})" if told else plan.instruction
