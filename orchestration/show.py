"""Showing a persona, a conversation, a case or what is known of a picture in the terminal, readable."""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from assets.caption_keys import CAPTION_SCORES, FILTERED_SCENES, IMAGE_LIBRARY, MCQA_PROBES
from assets.life_keys import HISTORIES, HISTORY_IMAGES, LIFE_BENCH, VACCOUNTS
from assets.life_records import left_out_of, lives_of
from evaluation.life_bench.running import LifeTrace
from evaluation.persona_mme import CaseTrace
from lifeloom.assistant import Trace
from lifeloom.lifegraph.trace import RetrievalTrace
from lifeloom.records import (
    TRAITS,
    BenchmarkCase,
    CaptionSample,
    DrawnLifePicture,
    DrawnSubject,
    EventStory,
    LibraryImage,
    LifePrediction,
    LifeQuestion,
    Memory,
    Persona,
    Picture,
    PicturePlan,
    Prediction,
    ProbeAnswer,
    ProbeQuestion,
    Provenance,
    Record,
    ScenePlan,
    Turn,
    VaccountPlan,
    local_time,
)
from lifeloom.store import DatasetStore
from orchestration.caption_views import sample_view
from orchestration.life_views import life_view, question_view
from orchestration.memory_views import memory_table, one_memory
from orchestration.printing import counted, plain, printable

__all__ = ["Kind", "NothingFound", "render"]

Kind = Literal["persona", "conversation", "memories", "memory", "case", "picture", "life", "question", "sample"]
RecordT = TypeVar("RecordT", bound=Record)


class NothingFound(LookupError):
    """There is nothing of that kind, or nothing with that id."""


@dataclass(frozen=True)
class _Place:
    prefixes: tuple[str, ...]
    table: str


_PLACES: dict[Kind, _Place] = {
    "persona": _Place(("corpus/personas", "release/personas"), "personas"),
    "conversation": _Place(("corpus/dialogues", "release/dialogues"), "turns"),
    "memories": _Place(("corpus/memories", "release/memories"), "memories"),
    "memory": _Place(("corpus/memories", "release/memories"), "memories"),
    "case": _Place(("release/persona_mme",), "cases"),
    "picture": _Place(("corpus/dialogues", "release/dialogues"), "pictures"),
    "life": _Place((VACCOUNTS,), "plans"),
    "question": _Place((LIFE_BENCH,), "questions"),
    "sample": _Place(("corpus/contexts", "release/contexts"), "samples"),
}


_PLURALS: dict[Kind, str] = {"memories": "users with memories", "memory": "memories", "life": "lives"}


def render(store: DatasetStore, kind: Kind, wanted: str, *, most: int = 20) -> RenderableType:
    """Return the thing with id ``wanted``; '' lists what there is.

    A conversation and memories go by their persona's id, a picture by its content hash or its own id; pictures of
    lives are not listed, but found by what `show life` and `show question` call them.

    The beginning of an id does where only one thing has it.

    Raises:
        NothingFound: nothing has been made yet, or the id is unknown or not unique.
    """
    if kind == "persona":
        personas = {p.persona_id: p for p in _all(store, kind, Persona)}
        if not wanted:
            return _list(kind, [(p.persona_id, f"{p.edition}: {p.seed_text}") for p in personas.values()], most)
        return _persona(personas[_pick(kind, wanted, personas)])
    if kind == "case":
        cases = {c.case_id: c for c in _all(store, kind, BenchmarkCase)}
        if not wanted:
            return _list(kind, [(c.case_id, f"{c.release_id} {c.task}: {c.query}") for c in cases.values()], most)
        case = cases[_pick(kind, wanted, cases)]
        return _case(case, _answers(store, case), _pictures_of(store, case), _steps(store, case))
    if kind == "picture":
        pictures = {p.content_hash: p for p in _all(store, kind, Picture)}
        if not wanted:
            return _list(kind, [(h[:12], f"{p.persona_id}: {_contents(p)}") for h, p in pictures.items()], most)
        if wanted.startswith("picture-"):
            known = {p.picture_id: p for p in pictures.values()}
            return _picture(known[_pick(kind, wanted, known)], store)
        lives = _pictures_of_lives(store)
        if wanted in lives:
            return _life_picture(lives[wanted], store)
        by_hash: dict[str, Picture | DrawnLifePicture] = {
            **{row.picture.content_hash: row for row in lives.values()},
            **pictures,
        }
        found = by_hash[_pick(kind, wanted, by_hash)]
        return _picture(found, store) if isinstance(found, Picture) else _life_picture(found, store)
    if kind == "sample":
        return _sample(store, wanted, most)
    if kind in ("life", "question"):
        return _of_lives(store, kind, wanted, most)
    if kind in ("memories", "memory"):
        return _remembered(store, kind, wanted, most)
    first: dict[str, Turn] = {}
    for turn in _all(store, kind, Turn):
        first.setdefault(turn.persona_id, turn)
    if not wanted:
        return _list(kind, [(t.persona_id, t.user) for t in first.values()], most)
    persona_id = _pick(kind, wanted, first)
    return _conversation([turn for turn in _all(store, kind, Turn) if turn.persona_id == persona_id])


def _sample(store: DatasetStore, wanted: str, most: int) -> RenderableType:
    """Return a query picture with its context, captions and questions."""
    from assets.caption_predictions import shown_captions

    keys: dict[str, str] = {}
    samples: dict[str, CaptionSample] = {}
    for key, one in _keyed(store, "sample", CaptionSample):
        samples[one.sample_id], keys[one.sample_id] = one, key
    if not wanted:
        told = [(one.sample_id, counted(one.concepts, "concept")) for one in samples.values()]
        return _list("sample", told, most)
    sample = samples[_pick("sample", wanted, samples)]
    group, _, partition = keys[sample.sample_id].split("/")
    library = store.read(IMAGE_LIBRARY, "images", LibraryImage) if store.find(IMAGE_LIBRARY) else iter(())
    plans = store.read(f"{group}/{FILTERED_SCENES}/{partition}", "plans", ScenePlan)
    probes, scored = f"{group}/{MCQA_PROBES}/{partition}", f"{CAPTION_SCORES}/{partition}"
    questions = store.read(probes, "questions", ProbeQuestion) if store.find(probes) else iter(())
    own = [one for one in questions if one.sample_id == sample.sample_id]
    ids = {one.question_id for one in own}
    answers = store.read(scored, "answers", ProbeAnswer) if store.find(scored) else iter(())
    captions = shown_captions(store, partition) if group == "release" else iter(())
    return sample_view(
        sample,
        next((one for one in plans if one.scene_id == sample.sample_id), None),
        {one.image_id: one.noun for one in library},
        own,
        [one for one in captions if one.sample_id == sample.sample_id],
        [one for one in answers if one.question_id in ids],
    )


def _of_lives(store: DatasetStore, kind: Kind, wanted: str, most: int) -> RenderableType:
    """Return a Vaccount, or a question about one with what was answered; of several releases the latest."""
    if kind == "life":
        plans = {plan.vaccount_id: key.rpartition("/")[2] for key, plan in _keyed(store, kind, VaccountPlan)}
        if not wanted:
            return _list(kind, [(name, f"release {date}") for name, date in plans.items()], most)
        name = _pick(kind, wanted, plans)
        out = {
            item: why
            for item, why in left_out_of(store, plans[name]).items()
            if item.startswith((f"{name}-c-", f"{name}-e-", f"{name}-s-"))
        }
        return life_view(lives_of(store, plans[name])[name], out)
    questions = {one.question_id: one for _, one in _keyed(store, kind, LifeQuestion)}
    if not wanted:
        return _list(kind, [(one.question_id, f"{one.task}: {one.question}") for one in questions.values()], most)
    question = questions[_pick(kind, wanted, questions)]
    date = question.release_id
    keys = [key for key in store.keys(f"life_predictions/{date}") if not key.endswith("-sweep")]
    given = [p for key in keys for p in store.read(key, "predictions", LifePrediction)]
    traces = {
        row.policy: RetrievalTrace.model_validate_json(row.trace).as_text()
        for key in keys
        if "traces" in store.reader(key).tables
        for row in store.read(key, "traces", LifeTrace)
        if row.question_id == question.question_id
    }
    stories = {row.event_id: row for row in store.read(f"{HISTORIES}/{date}", "stories", EventStory)}
    lives = store.read(f"{VACCOUNTS}/{date}", "plans", VaccountPlan)
    seeds = {event.event_id: event.seed for life in lives for event in life.events}
    own = [one for one in given if one.question_id == question.question_id]
    return question_view(question, own, traces, lives_of(store, date)[question.vaccount_id], stories, seeds)


def _pictures_of_lives(store: DatasetStore) -> dict[str, DrawnLifePicture]:
    """Return portraits, pictures of histories and of questions by id; of several releases the latest."""
    return {
        row.image_id: row
        for prefix in (VACCOUNTS, HISTORY_IMAGES)
        for key in store.keys(prefix)
        for row in store.read(key, "drawn", DrawnLifePicture)
    }


def _keyed(store: DatasetStore, kind: Kind, record: type[RecordT]) -> Iterator[tuple[str, RecordT]]:
    place = _PLACES[kind]
    for prefix in place.prefixes:
        for key in store.keys(prefix):
            for row in store.read(key, place.table, record):
                yield key, row


def _remembered(store: DatasetStore, kind: Kind, wanted: str, most: int) -> RenderableType:
    """Return a user's memories, or one memory with the turns that it cites."""
    rows = list(_all(store, kind, Memory))
    if kind == "memory":
        known = {row.memory_id: row for row in rows}
        if not wanted:
            return _list(kind, [(row.memory_id, f"{row.kind}: {row.content}") for row in rows], most)
        memory = known[_pick(kind, wanted, known)]
        turns = (turn for turn in _all(store, "conversation", Turn) if turn.persona_id == memory.user_id)
        return one_memory(memory, [turn for turn in turns if turn.turn_index in memory.source_turns])
    users: dict[str, Memory] = {}
    for row in rows:
        users.setdefault(row.user_id, row)
    if not wanted:
        counts = collections.Counter(row.user_id for row in rows)
        return _list(kind, [(user, f"{counts[user]} memories") for user in users], most)
    user = _pick(kind, wanted, users)
    return memory_table([row for row in rows if row.user_id == user])


def _answers(store: DatasetStore, case: BenchmarkCase) -> list[Prediction]:
    """Return what every policy answered to ``case``, blind attacks included."""
    keys = [*store.keys(f"scores/shortcut_audit/{case.release_id}"), *store.keys(f"predictions/{case.release_id}")]
    return [p for key in keys for p in store.read(key, "predictions", Prediction) if p.case_id == case.case_id]


def _steps(store: DatasetStore, case: BenchmarkCase) -> list[CaseTrace]:
    """Return how policies that take steps came to their choice."""
    return [
        trace
        for key in store.keys(f"predictions/{case.release_id}")
        if "traces" in store.reader(key).tables
        for trace in store.read(key, "traces", CaseTrace)
        if trace.case_id == case.case_id and trace.question == "choice"
    ]


def _pictures_of(store: DatasetStore, case: BenchmarkCase) -> list[tuple[int, str]]:
    """Return turn and content hash of the pictures that ``case`` needs."""
    key = f"release/dialogues/{case.release_id}"
    if not case.picture_turns or store.find(key) is None:
        return []
    turns = (t for t in store.read(key, "turns", Turn) if t.persona_id == case.persona_id)
    return [(t.turn_index, p.content_hash) for t in turns if t.turn_index in case.picture_turns for p in t.pictures]


def _all(store: DatasetStore, kind: Kind, record: type[RecordT]) -> Iterator[RecordT]:
    place = _PLACES[kind]
    keys = [key for prefix in place.prefixes for key in store.keys(prefix)]
    if not keys:
        raise NothingFound(f"no {kind} has been made here yet; run `lifeloom demo` first")
    for key in keys:
        yield from store.read(key, place.table, record)


def _pick(kind: Kind, wanted: str, known: Mapping[str, object]) -> str:
    found = [wanted] if wanted in known else [item for item in known if item.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        raise NothingFound(f"{len(found)} ids begin with {wanted!r}: {', '.join(found[:5])}, ...")
    raise NothingFound(f"there is no {kind} {wanted!r}; `lifeloom show {kind}` lists them")


def _list(kind: Kind, rows: list[tuple[str, str]], most: int) -> RenderableType:
    table = Table(title=f"{len(rows)} {_PLURALS.get(kind, kind + 's')}", title_justify="left", show_header=False)
    table.add_column(no_wrap=True, min_width=max((len(item) for item, _ in rows[:most]), default=0))
    table.add_column(no_wrap=True, overflow="ellipsis")
    for item, text in rows[:most]:
        table.add_row(item, plain(text))
    if len(rows) > most:
        table.add_row("...", f"and {len(rows) - most} more (--most {len(rows)} shows all)")
    return table


def _persona(persona: Persona) -> RenderableType:
    traits = Table(show_header=False, box=None)
    for trait in TRAITS:
        score = getattr(persona.big_five, trait)
        traits.add_row(trait, "█" * round(score * 4), f"{score:.1f}")
    people = ", ".join(f"{person.name} ({person.relation})" for person in persona.circle)
    return Panel(
        Group(
            plain(persona.seed_text, style="italic"),
            plain(f"\n{persona.role_description}\n"),
            traits,
            plain(f"\nPeople: {people}\n"),
            plain("Core memory, human: " + " ".join(persona.core_memory.human)),
            plain("Core memory, persona: " + " ".join(persona.core_memory.persona)),
        ),
        title=plain(f"{persona.name} · {persona.persona_id} · {persona.edition}"),
        subtitle=plain(f"{persona.made_by.backend} {persona.made_by.model} {persona.made_by.prompt_version}"),
    )


def _conversation(turns: list[Turn]) -> RenderableType:
    parts: list[RenderableType] = []
    session = ""
    for turn in turns:
        at = local_time(turn.at, turn.offset_minutes)
        if turn.session_id != session:
            session = turn.session_id
            parts.append(Text(f"\n── {at:%A %Y-%m-%d} ──", style="bold cyan"))
        parts.append(Text(f"\n{turn.turn_index} [{at:%H:%M}] user", style="bold"))
        parts.append(plain(turn.user))
        parts += [Text(f"picture {picture.content_hash[:16]}", style="magenta") for picture in turn.pictures]
        parts.append(Text("assistant", style="bold green"))
        parts.append(plain(turn.assistant))
    return Group(*parts)


def _case(
    case: BenchmarkCase, answers: list[Prediction], pictures: list[tuple[int, str]], traces: list[CaseTrace]
) -> RenderableType:
    at = local_time(case.asked_at, case.offset_minutes)
    lines = [
        Text(
            f"{case.aspect} / {case.task}, {case.setting}, "
            f"asked {at:%A %Y-%m-%d %H:%M} after {case.history_turns} turns"
        ),
        plain(f"\n{case.query}\n", style="bold"),
    ]
    for option in case.options:
        right = option.letter == case.answer
        lines.append(plain(f"({option.letter}) {option.text}   [{option.source}]", style="green" if right else ""))
    lines.append(Text(f"\nEvidence in turns {', '.join(map(str, case.evidence_turns))}"))
    if case.picture_turns:
        lines.append(Text("These pictures must be seen (lifeloom show picture ...):"))
        lines += [Text(f"  turn {turn}: {content[:16]}", style="magenta") for turn, content in pictures]
    if case.alignment is not None:
        lines.append(plain("\nSuits the user: " + case.alignment.chosen))
        lines.append(plain("Does not: " + case.alignment.rejected))
    for prediction in answers:
        asked = "" if prediction.question == "choice" else f" ({prediction.question.replace('_', ' ')})"
        answer = prediction.answer or f"no answer: {prediction.failure}"
        style = "green" if prediction.correct else "red"
        lines.append(plain(f"{prediction.policy}{asked}: {answer}", style=style))
    for trace in traces:
        lines.append(plain(f"\nWhat {trace.policy} looked up:", style="bold"))
        lines.append(plain(Trace.model_validate_json(trace.trace).as_text()))
    return Panel(Group(*lines), title=plain(f"{case.case_id} · persona {case.persona_id}"))


def _contents(picture: Picture) -> str:
    return ", ".join([picture.plan.place or "plain ground", *(subject.name for subject in picture.drawn)])


def _picture(picture: Picture, store: DatasetStore) -> RenderableType:
    title = f"picture {picture.content_hash[:16]} · {picture.picture_id} · persona {picture.persona_id}"
    return _drawn(title, picture.content_hash, picture.plan, picture.drawn, picture.made_by, store)


def _life_picture(row: DrawnLifePicture, store: DatasetStore) -> RenderableType:
    content = row.picture.content_hash
    title = f"picture {content[:16]} · {row.image_id} · {row.use} of {row.vaccount_id}"
    return _drawn(title, content, row.plan, row.drawn, row.made_by, store)


def _drawn(
    title: str,
    content_hash: str,
    plan: PicturePlan,
    drawn: Sequence[DrawnSubject],
    made_by: Provenance,
    store: DatasetStore,
) -> RenderableType:
    """Return where a picture's file lies, and what stands where in it."""
    table = Table("what", "colour", "left, top, right, bottom", "visible", box=None)
    for subject in drawn:
        box = subject.box
        edges = f"{box.left}, {box.top}, {box.right}, {box.bottom}"
        table.add_row(plain(subject.name), plain(subject.colour), edges, f"{subject.visible:.0%}")
    panel = Panel(
        Group(
            plain(f"{plan.kind}, {plan.place or 'plain ground'}, {plan.time_of_day}, {plan.weather}\n"),
            table,
        ),
        title=plain(title),
        subtitle=plain(f"{made_by.backend} {made_by.model}"),
    )
    # Never broken, so that it can be taken over; print it without cropping.
    path = Text(printable(store.media.path(content_hash)), no_wrap=True, overflow="ignore")
    return Group(path, panel)
