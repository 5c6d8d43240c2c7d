"""Showing a persona, a conversation or a case in the terminal, readable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lifeloom.records import TRAITS, BenchmarkCase, Persona, Record, Turn, local_time
from lifeloom.store import DatasetStore

__all__ = ["Kind", "NothingFound", "render"]

Kind = Literal["persona", "conversation", "case"]
RecordT = TypeVar("RecordT", bound=Record)

_LISTED = 20


class NothingFound(LookupError):
    """There is nothing of that kind, or nothing with that id."""


@dataclass(frozen=True)
class _Place:
    prefixes: tuple[str, ...]
    table: str


_PLACES: dict[Kind, _Place] = {
    "persona": _Place(("corpus/personas", "release/personas"), "personas"),
    "conversation": _Place(("corpus/dialogues", "release/dialogues"), "turns"),
    "case": _Place(("release/persona_mme",), "cases"),
}


def render(store: DatasetStore, kind: Kind, wanted: str) -> RenderableType:
    """Return the thing with id ``wanted`` (a conversation goes by its persona's id); '' lists what there is.

    The beginning of an id does where only one thing has it.

    Raises:
        NothingFound: nothing has been made yet, or the id is unknown or not unique.
    """
    if kind == "persona":
        personas = {p.persona_id: p for p in _all(store, kind, Persona)}
        return (
            _persona(personas[_pick(kind, wanted, personas)])
            if wanted
            else _list(kind, personas, lambda p: p.seed_text)
        )
    if kind == "case":
        cases = {c.case_id: c for c in _all(store, kind, BenchmarkCase)}
        return (
            _case(cases[_pick(kind, wanted, cases)]) if wanted else _list(kind, cases, lambda c: f"{c.task}: {c.query}")
        )
    first: dict[str, Turn] = {}
    for turn in _all(store, kind, Turn):
        first.setdefault(turn.persona_id, turn)
    if not wanted:
        return _list(kind, first, lambda t: t.user)
    persona_id = _pick(kind, wanted, first)
    return _conversation([turn for turn in _all(store, kind, Turn) if turn.persona_id == persona_id])


def _all(store: DatasetStore, kind: Kind, record: type[RecordT]) -> Iterator[RecordT]:
    place = _PLACES[kind]
    keys = [key for prefix in place.prefixes for key in store.keys(prefix)]
    if not keys:
        raise NothingFound(f"no {kind} has been made here yet; run `lifeloom demo` first")
    for key in keys:
        yield from store.read(key, place.table, record)


def _pick(kind: Kind, wanted: str, known: dict[str, RecordT]) -> str:
    found = [wanted] if wanted in known else [item for item in known if item.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        raise NothingFound(f"{len(found)} ids begin with {wanted!r}: {', '.join(found[:5])}, ...")
    raise NothingFound(f"there is no {kind} {wanted!r}; `lifeloom show {kind}` lists them")


def _list(kind: Kind, known: dict[str, RecordT], text: object) -> RenderableType:
    table = Table(title=f"{len(known)} {kind}s", title_justify="left", show_header=False)
    for item, record in list(known.items())[:_LISTED]:
        table.add_row(item, Text(text(record), overflow="ellipsis", no_wrap=True))  # type: ignore[operator]
    if len(known) > _LISTED:
        table.add_row("...", f"and {len(known) - _LISTED} more")
    return table


def _persona(persona: Persona) -> RenderableType:
    traits = Table(show_header=False, box=None)
    for trait in TRAITS:
        score = getattr(persona.big_five, trait)
        traits.add_row(trait, "█" * round(score * 4), f"{score:.1f}")
    people = ", ".join(f"{person.name} ({person.relation})" for person in persona.circle)
    return Panel(
        Group(
            Text(persona.seed_text, style="italic"),
            Text("\n" + persona.role_description + "\n"),
            traits,
            Text(f"\nPeople: {people}\n"),
            Text("Core memory, human: " + " ".join(persona.core_memory.human)),
            Text("Core memory, persona: " + " ".join(persona.core_memory.persona)),
        ),
        title=escape(f"{persona.name} · {persona.persona_id} · {persona.edition}"),
        subtitle=escape(f"{persona.made_by.backend} {persona.made_by.model} {persona.made_by.prompt_version}"),
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
        parts.append(Text(turn.user))
        parts.append(Text("assistant", style="bold green"))
        parts.append(Text(turn.assistant))
    return Group(*parts)


def _case(case: BenchmarkCase) -> RenderableType:
    at = local_time(case.asked_at, case.offset_minutes)
    lines = [
        Text(
            f"{case.aspect} / {case.task}, {case.setting}, "
            f"asked {at:%A %Y-%m-%d %H:%M} after {case.history_turns} turns"
        ),
        Text("\n" + case.query + "\n", style="bold"),
    ]
    for option in case.options:
        right = option.letter == case.answer
        lines.append(Text(f"({option.letter}) {option.text}   [{option.source}]", style="green" if right else ""))
    lines.append(Text(f"\nEvidence in turns {', '.join(map(str, case.evidence_turns))}"))
    if case.alignment is not None:
        lines.append(Text("\nSuits the user: " + case.alignment.chosen))
        lines.append(Text("Does not: " + case.alignment.rejected))
    return Panel(Group(*lines), title=escape(f"{case.case_id} · persona {case.persona_id}"))
