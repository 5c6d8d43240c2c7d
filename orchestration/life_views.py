"""Lives in the terminal: Vaccounts, questions with what was answered, scores."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lifeloom.records import LIFE_TASKS, EventStory, Life, LifePrediction, LifeQuestion, LifeScore, Provenance
from orchestration.printing import Name, counted, plain
from orchestration.tables import number_columns, plain_table

__all__ = ["life_table", "life_view", "question_view", "score_table"]

_EVENTS = 200
_TRACE_LINES = 40
_LOOKED_UP = 8


def life_table(lives: Mapping[str, Life], questions: Iterable[LifeQuestion]) -> Table:
    """Return the Vaccounts of a release, a row each."""
    counts = collections.Counter(one.vaccount_id for one in questions)
    table = plain_table(counted(len(lives), "Vaccount"))
    for name in ("Vaccount", "owner", "from", "to"):
        table.add_column(name)
    number_columns(table, "concepts", "events", "pictures", "questions")
    for name, life in lives.items():
        first, last = (life.events[0].date, life.events[-1].date) if life.events else ("", "")
        owner = "" if life.owner is None else life.owner.name
        numbers = (len(life.concepts), len(life.events), len(life.images), counts[name])
        table.add_row(Name(name), plain(owner), str(first), str(last), *(f"{number:,}" for number in numbers))
    return table


def life_view(life: Life, left_out: Mapping[str, str]) -> RenderableType:
    """Return one Vaccount: who belongs to it, its history, and why something planned is not in it, by id."""
    people = plain_table("people and animals")
    for name in ("concept", "name", "role", "persona"):
        people.add_column(name)
    for one in life.concepts:
        people.add_row(one.concept_id, plain(one.name), plain(one.role), plain(one.persona))
    events = plain_table(f"{len(life.events)} events")
    for name in ("event", "date", "pictures", "description"):
        events.add_column(name)
    for event in life.events[:_EVENTS]:
        events.add_row(event.event_id, event.date.isoformat(), str(len(event.images)), plain(event.description))
    if not left_out:
        return Group(people, events)
    missing = plain_table(f"{len(left_out)} planned and left out")
    for name in ("id", "why"):
        missing.add_column(name)
    for item, why in list(left_out.items())[:_EVENTS]:
        missing.add_row(item, plain(why))
    return Group(people, events, missing)


def question_view(
    question: LifeQuestion,
    predictions: Sequence[LifePrediction],
    traces: Mapping[str, str],
    life: Life,
    stories: Mapping[str, EventStory],
    seeds: Mapping[str, str],
) -> RenderableType:
    """Return one question: what is right, what was answered from what, and the events that the answer follows from.

    Args:
        question: the question.
        predictions: of all policies.
        traces: readable, by policy.
        life: whose it is.
        stories: of the release, by event.
        seeds: ids of event seeds and their captions, by event.
    """
    lines = [f"{question.task}, {question.difficulty}, about {question.vaccount_id}", "", question.question]
    lines += [f"({one.letter}) {one.text}" for one in question.options]
    lines += ["", f"right: {question.answer}"]
    if question.picture is not None:
        lines.append(f"picture {question.picture_id}: {question.picture.content_hash[:16]}")
    parts: list[RenderableType] = [Panel(Text("\n".join(lines)), title=question.question_id)]
    for one in predictions:
        looked_up = ", ".join(one.retrieved_ids[:_LOOKED_UP]) or "nothing"
        more = len(one.retrieved_ids) - _LOOKED_UP
        told = [
            plain(one.answer or one.failure),
            plain(one.reason, "dim"),
            plain(f"looked up: {looked_up}{f' and {more} more' if more > 0 else ''}", "dim"),
            plain(f"answered by {_by(one.made_by)}, judged by {_by(one.judged_by)}", "dim"),
        ]
        title = f"{one.policy}: {'right' if one.correct else 'wrong'}"
        parts.append(Panel(Group(*(line for line in told if line)), title=title, title_align="left"))
    for policy, trace in traces.items():
        shown = trace.splitlines()
        cut = [] if len(shown) <= _TRACE_LINES else [f"and {len(shown) - _TRACE_LINES} more lines"]
        parts.append(Panel(Text("\n".join([*shown[:_TRACE_LINES], *cut])), title=f"how {policy} looked it up"))
    wanted = set(question.event_ids)
    events = plain_table("it follows from")
    for name in ("event", "date", "description", "narrative", "seed"):
        events.add_column(name)
    for event in life.events:
        if event.event_id in wanted:
            narrative = stories[event.event_id].narrative if event.event_id in stories else ""
            seed = plain(seeds.get(event.event_id, ""))
            events.add_row(event.event_id, event.date.isoformat(), plain(event.description), plain(narrative), seed)
    if wanted:
        parts.append(events)
    parts.append(
        Text(
            f"question by {_by(question.made_by)}; "
            f"made by release/life_bench from release/history_images, release/histories and release/vaccounts of "
            f"{question.release_id}, those from seeds/yfcc_captions; "
            f"`lifeloom show life {question.vaccount_id}` shows the life"
        )
    )
    return Group(*parts)


def _by(who: Provenance) -> str:
    """Return model and prompt version; ``code`` where no model was asked."""
    return " ".join(part for part in (who.backend, who.model, who.prompt_version) if part)


def score_table(scores: Sequence[LifeScore]) -> Table:
    """Return accuracies by task, a column a policy; the last row is the macro average over tasks."""
    policies = list(dict.fromkeys(one.policy for one in scores))
    by_place = {(one.policy, one.task): one for one in scores if one.difficulty == "all"}
    table = plain_table("Life-Bench: accuracy by task")
    table.add_column("task")
    number_columns(table, "questions", *policies)
    for task in (*LIFE_TASKS, "all"):
        own = [by_place.get((name, task)) for name in policies]
        asked = max((one.questions for one in own if one is not None), default=0)
        if asked:
            name = "overall" if task == "all" else task.replace("_", " ")
            table.add_row(name, f"{asked:,}", *("" if one is None else _interval(one) for one in own))
    return table


def _interval(one: LifeScore) -> str:
    return f"{100 * one.value:.1f} [{100 * one.low:.0f}, {100 * one.high:.0f}]"
