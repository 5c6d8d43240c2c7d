"""What the builder has to say of a bin: entities and facts among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lifeloom.tasks import CandidateEntity, EntityTypeName

__all__ = ["GraphDraft", "Stated", "Thing", "candidates_of"]


@dataclass(frozen=True)
class Thing:
    """An entity."""

    type: EntityTypeName
    name: str


@dataclass(frozen=True)
class Stated:
    """A fact."""

    head: Thing
    relation: str
    tail: Thing
    sources: Sequence[str]
    attributes: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass
class GraphDraft:
    """Everything that is said of a bin."""

    entities: dict[Thing, dict[str, None]] = field(default_factory=dict)
    """With the sources of each."""
    aliases: dict[Thing, dict[str, None]] = field(default_factory=dict)
    facts: list[Stated] = field(default_factory=list)

    def entity(self, kind: EntityTypeName, name: str, sources: Iterable[str], aliases: Iterable[str] = ()) -> Thing:
        """Say that there is an entity."""
        thing = Thing(kind, name)
        self.entities.setdefault(thing, {}).update(dict.fromkeys(sources))
        self.aliases.setdefault(thing, {}).update(dict.fromkeys(aliases))
        return thing

    def fact(
        self, head: Thing, relation: str, tail: Thing, sources: Iterable[str], **attributes: Sequence[str]
    ) -> None:
        """Say a fact; attributes without values are left out."""
        kept = {key: values for key, values in attributes.items() if values}
        self.facts.append(Stated(head, relation, tail, tuple(dict.fromkeys(sources)), kept))


def candidates_of(draft: GraphDraft) -> tuple[CandidateEntity, ...]:
    """Return the entities of ``draft`` as candidates."""
    return tuple(
        CandidateEntity(
            name=thing.name,
            type=thing.type,
            aliases=tuple(draft.aliases[thing]),
            sources=tuple(sources),
        )
        for thing, sources in draft.entities.items()
    )
