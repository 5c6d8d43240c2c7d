"""Pages of diagnostic cases: query picture, context, what was right and what policies said (N2)."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import jinja2
import jinja2.sandbox

from evaluation.thumbnails import Thumbnail, thumbnail
from lifeloom.models.protocol import PictureSource
from lifeloom.records import DiagnosticAnswer, DiagnosticCase, DiagnosticDialoguePlan, DiagnosticEntry

__all__ = ["PickedDiagnostic", "diagnostic_page", "pick_diagnostics"]

_QUERY_SIDE, _ENTRY_SIDE = 320, 128
_MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class PickedDiagnostic:
    """A case that is worth a look."""

    case: DiagnosticCase
    score: float
    """Mean over tasks and modes, 0..1."""


@dataclass(frozen=True)
class _Entry:
    picture: Thumbnail
    entry: DiagnosticEntry
    plan: DiagnosticDialoguePlan | None
    asked: bool
    """It shows the query's person."""
    last: bool
    """It tells of the last meeting with the query's person."""


@dataclass(frozen=True)
class _Case:
    case: DiagnosticCase
    score: float
    query: Thumbnail
    entries: tuple[_Entry, ...]
    answers: tuple[DiagnosticAnswer, ...]


def pick_diagnostics(
    cases: Sequence[DiagnosticCase], answers: Sequence[DiagnosticAnswer], *, worst: int, best: int
) -> list[PickedDiagnostic]:
    """Return the cases that one policy answered worst and best, worst first; ties go by id, none is there twice."""
    scores: dict[str, list[float]] = defaultdict(list)
    for one in answers:
        scores[one.case_id].append(one.score)
    rated = [
        PickedDiagnostic(case, sum(own) / len(own)) for case in cases if (own := scores.get(case.case_id)) is not None
    ]
    rated.sort(key=lambda one: (one.score, one.case.case_id))
    if len(rated) <= worst + best:
        return rated
    return [*rated[:worst], *rated[len(rated) - best :]]


def diagnostic_page(
    picked: Sequence[PickedDiagnostic],
    answers: Sequence[DiagnosticAnswer],
    plans: Mapping[str, DiagnosticDialoguePlan],
    source: PictureSource,
    *,
    title: str,
    note: str,
) -> str:
    """Return one HTML page, at most 10 MB: cases at the end are left out, which the page says.

    Args:
        picked: what to show.
        answers: of all policies.
        plans: by dialogue; none of imported cases.
        source: gives the pictures.
        title: of the page.
        note: how it was made and where to go on.
    """
    said: dict[str, list[DiagnosticAnswer]] = defaultdict(list)
    for answer in answers:
        said[answer.case_id].append(answer)
    shown: list[_Case] = []
    room = _MOST_BYTES
    for one in picked:
        case = _case(one, said[one.case.case_id], plans, source)
        room -= _size(case)
        if room < 0:
            break
        shown.append(case)
    return _template().render(title=title, note=note, cases=shown, left_out=len(picked) - len(shown))


def _size(case: _Case) -> int:
    """Return about how many bytes a case takes on its page."""
    words = sum(len(one.text) + len(one.caption) for one in case.answers)
    turns = sum(len(turn.user) + len(turn.assistant) for one in case.entries for turn in one.entry.turns)
    return len(case.query.data) + sum(len(one.picture.data) for one in case.entries) + 2 * (words + turns) + 4_000


def _case(
    picked: PickedDiagnostic,
    answers: Sequence[DiagnosticAnswer],
    plans: Mapping[str, DiagnosticDialoguePlan],
    source: PictureSource,
) -> _Case:
    case = picked.case
    return _Case(
        case,
        picked.score,
        thumbnail(case.query, source, _QUERY_SIDE),
        tuple(
            _Entry(
                thumbnail(one.picture, source, _ENTRY_SIDE),
                one,
                plans.get(one.dialogue_id),
                asked=bool(case.identity) and one.identity == case.identity,
                last=bool(one.location) and one.location == case.location,
            )
            for one in case.entries
        ),
        tuple(answers),
    )


@functools.cache
def _template() -> jinja2.Template:
    text = files("evaluation").joinpath("templates/diagnostics.html").read_text(encoding="utf-8")
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=True)
    return environment.from_string(text)
