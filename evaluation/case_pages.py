"""Pages of benchmark cases for people: history, pictures, question, options and what each policy answered.

Every page stands alone (no script, no file beside it), so that it opens from MLflow's artifact view, a mail or a disk.
"""

from __future__ import annotations

import functools
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING

from evaluation.persona_mme import CaseTrace
from evaluation.thumbnails import thumbnail
from lifeloom.assistant import Trace
from lifeloom.models.protocol import PictureSource
from lifeloom.records import BenchmarkCase, Prediction, Question, Turn, local_time
from lifeloom.tracking import Tracker

if TYPE_CHECKING:
    import jinja2

__all__ = ["INDEX", "CasePages", "case_pages", "case_pages_address", "log_case_pages"]

INDEX = "index.html"
_THUMBNAIL = 224
"""Longer side of a picture on a page, pixels."""
_ASSISTANT_CHARACTERS = 260


@dataclass(frozen=True)
class CasePages:
    """Pages by file name, and how many of the cases they show."""

    pages: Mapping[str, str]
    """File name (``VDR.html``, ``index.html``) to HTML."""
    shown: int
    left_out: int
    """Cases that found no room; ``cases = shown + left_out``."""


@dataclass(frozen=True)
class _Page:
    title: str
    note: str
    cases: list[dict[str, object]] = field(default_factory=list)
    table: list[list[str]] = field(default_factory=list)


def case_pages(
    cases: Sequence[BenchmarkCase],
    turns_of: Callable[[str], Iterable[Turn]],
    predictions: Sequence[Prediction],
    source: PictureSource,
    *,
    made_with: str,
    traces: Iterable[CaseTrace] = (),
    per_page: int = 40,
    seed: int = 0,
) -> CasePages:
    """Return one page a task with up to ``per_page`` cases, those that most policies missed first, and an index.

    Args:
        cases: of one release.
        turns_of: gives a persona's conversation, in order.
        predictions: of all policies, in any order.
        source: gives the pictures' files; one that is missing or broken is named where it should be.
        made_with: a line under every case that leads back: release, seed, code, models.
        traces: how policies that take steps came to their answers.
        per_page: at least 1.
        seed: breaks ties among equally missed cases.

    Raises:
        ValueError: no cases, or ``per_page`` below 1.
    """
    if not cases or per_page < 1:
        raise ValueError("case pages need cases, and room for at least one a page")
    answers: defaultdict[str, list[Prediction]] = defaultdict(list)
    for prediction in predictions:
        answers[prediction.case_id].append(prediction)
    steps = {(trace.case_id, trace.policy, trace.question): trace.trace for trace in traces}
    by_task: defaultdict[str, list[BenchmarkCase]] = defaultdict(list)
    for case in cases:
        by_task[case.task].append(case)
    pages: dict[str, str] = {}
    shown = 0
    turns: dict[str, list[Turn]] = {}
    for task in sorted(by_task):
        chosen = _chosen(by_task[task], answers, per_page, seed)
        shown += len(chosen)
        rendered = []
        for case in chosen:
            if case.persona_id not in turns:
                turns = {case.persona_id: list(turns_of(case.persona_id))}  # one conversation is held at a time
            rendered.append(_case(case, turns[case.persona_id], answers[case.case_id], steps, source, made_with))
        note = f"{len(chosen)} of {len(by_task[task])} cases, those that most policies missed first."
        pages[f"{task}.html"] = _render(_Page(f"{task}, release {cases[0].release_id}", note, rendered))
    pages[INDEX] = _render(
        _Page(
            f"Cases of release {cases[0].release_id}",
            f"Share of right choices by task and policy. {shown} of {len(cases)} cases are on the tasks' pages, "
            "which lie beside this one.",
            table=_table(by_task, answers),
        )
    )
    return CasePages(pages, shown, len(cases) - shown)


def log_case_pages(
    tracker: Tracker,
    experiment: str,
    release: str,
    content: str,
    make: Callable[[], CasePages],
    tags: Mapping[str, str],
) -> str:
    """Log the pages of ``release`` as artifacts of a run of their own and return its id; an earlier run is kept.

    Args:
        tracker: MLflow.
        experiment: the benchmark's experiment.
        release: date of the release.
        content: hash of everything that the pages show; with the release the run's identity.
        make: makes the pages; not called when they are there.
        tags: back to the Dagster run and asset.

    Raises:
        TrackerUnavailable: MLflow cannot be used.
    """
    identity = {"lifeloom.pages": "cases", "lifeloom.release": release, "lifeloom.content": content}
    done = tracker.find(experiment, identity)
    if done is not None:
        return done
    made = make()
    with tracker.run(experiment, f"cases {release}", {**tags, **identity}) as run:
        run.parameters({"release": release, "cases_shown": made.shown, "cases_left_out": made.left_out})
        for name, html in made.pages.items():
            run.text(html, f"cases/{name}")
    return run.run_id


def case_pages_address(tracker: Tracker, run_id: str, server: str) -> str:
    """Return where the MLflow server at ``server`` shows the index of a run's case pages, the others beside it."""
    return f"{tracker.page(run_id, server)}/artifacts/cases/{INDEX}"


def _chosen(
    cases: Sequence[BenchmarkCase], answers: Mapping[str, Sequence[Prediction]], most: int, seed: int
) -> list[BenchmarkCase]:
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    order = {case.case_id: rng.random() for case in sorted(cases, key=lambda case: case.case_id)}

    def missed(case: BenchmarkCase) -> int:
        return sum(not given.correct for given in answers.get(case.case_id, ()) if given.question == "choice")

    first = sorted(cases, key=lambda case: (-missed(case), order[case.case_id]))[:most]
    return sorted(first, key=lambda case: (-missed(case), case.persona_id, case.history_turns))


def _case(
    case: BenchmarkCase,
    turns: Sequence[Turn],
    answers: Sequence[Prediction],
    steps: Mapping[tuple[str, str, Question], str],
    source: PictureSource,
    made_with: str,
) -> dict[str, object]:
    asked = local_time(case.asked_at, case.offset_minutes)
    around = sorted(
        {near for turn in case.evidence_turns for near in (turn - 1, turn) if 0 <= near < case.history_turns}
    )
    return {
        "case_id": case.case_id,
        "query": case.query,
        "heading": f"{case.aspect} / {case.task}, {case.setting}, asked {asked:%A %Y-%m-%d %H:%M} after "
        f"{case.history_turns} turns, {'needs pictures' if case.needs_pictures else 'words suffice'}",
        "options": [
            {"letter": o.letter, "text": o.text, "source": o.source, "right": o.letter == case.answer}
            for o in case.options
        ],
        "pair": () if case.alignment is None else (case.alignment.chosen, case.alignment.rejected),
        "answers": [
            {
                "policy": given.policy,
                "question": given.question.replace("_", " "),
                "answer": given.answer or f"none: {given.failure}",
                "correct": given.correct,
                "steps": _told(steps.get((given.case_id, given.policy, given.question), "")),
            }
            for given in answers
        ],
        "history_turns": case.history_turns,
        "turns": [
            {
                "index": index,
                "at": f"{local_time(turns[index].at, turns[index].offset_minutes):%A %Y-%m-%d %H:%M}",
                "evidence": index in case.evidence_turns,
                "user": turns[index].user,
                "assistant": _shortened(turns[index].assistant),
                "pictures": [thumbnail(picture, source, _THUMBNAIL) for picture in turns[index].pictures],
            }
            for index in around
        ],
        "made": f"case {case.case_id}, persona {case.persona_id}, stem {case.stem_id}; {made_with}",
    }


def _told(trace: str) -> str:
    """Return a trace as a person reads it; empty where there is none."""
    return Trace.model_validate_json(trace).as_text() if trace else ""


def _shortened(text: str) -> str:
    return text if len(text) <= _ASSISTANT_CHARACTERS else text[:_ASSISTANT_CHARACTERS].rsplit(" ", 1)[0] + " ..."


def _table(
    by_task: Mapping[str, Sequence[BenchmarkCase]], answers: Mapping[str, Sequence[Prediction]]
) -> list[list[str]]:
    policies = sorted({given.policy for own in answers.values() for given in own})
    rows = [["task", "cases", "need pictures", *policies]]
    for task in sorted(by_task):
        own = by_task[task]
        row = [task, str(len(own)), str(sum(case.needs_pictures for case in own))]
        for policy in policies:
            given = [
                answer
                for case in own
                for answer in answers.get(case.case_id, ())
                if answer.policy == policy and answer.question == "choice"
            ]
            row.append(f"{sum(answer.correct for answer in given) / len(given):.0%}" if given else "")
        rows.append(row)
    return rows


@functools.cache
def _template() -> jinja2.Template:
    import jinja2.sandbox

    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=True)
    return environment.from_string(resources.files("evaluation").joinpath("templates/cases.html").read_text("utf-8"))


def _render(page: _Page) -> str:
    return _template().render(page=page)
