"""Step 1: who belongs to a life, out of names, roles, personas and portraits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.extractor.graph.stating import GraphDraft
from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.kinship import relation_of
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.builtin.reader.personas import careers_in, tastes_in
from lifeloom.tasks import GraphCandidatesInput, GraphSource

__all__ = ["Described", "described", "people_of"]


@dataclass(frozen=True)
class Described:
    """The lines of a concept's source."""

    name: str
    role: str
    persona: str


def described(source: GraphSource) -> Described:
    """Return name, role and persona out of the text of a concept."""
    fields = {"name": "", "role": "", "persona": ""}
    key = ""
    for line in source.text.splitlines():
        start, colon, rest = line.partition(":")
        if colon and start.strip().lower() in fields and not fields[start.strip().lower()]:
            key = start.strip().lower()
            fields[key] = rest.strip()
        elif key:
            fields[key] = f"{fields[key]} {line.strip()}".strip()
    return Described(fields["name"], fields["role"], fields["persona"])


def people_of(
    asked: GraphCandidatesInput, looked: Sequence[LookedAt], traits: Sequence[tuple[PersonTraits, ...]]
) -> GraphDraft:
    """Return the people and animals of ``asked``, how they belong together, and what is lasting about them.

    Args:
        asked: concepts as sources.
        looked: the portraits: of those known already, then of the sources.
        traits: what the people in them look like.
    """
    draft = GraphDraft()
    pictures = iter(
        [*zip(looked, [*traits, *[()] * len(looked)], strict=False)][sum(s.shown for s in asked.scaffold) :]
    )
    owner = None
    if any(one.name == asked.owner for one in asked.scaffold):
        owner = draft.entity("PersonAnimal", asked.owner, (asked.sources[0].source_id,))
    people = [(source, described(source)) for source in asked.sources]
    for source, one in people:
        if one.name == asked.owner:
            owner = draft.entity("PersonAnimal", one.name, (source.source_id,), ("the account owner",))
    for source, one in people:
        cited = (source.source_id,)
        picture = next(pictures, None) if source.shown else None
        if not one.name:
            continue
        relation = relation_of(one.role)
        aliases = [] if not relation else [relation, f"my {relation}"]
        if relation and asked.owner:
            aliases.append(f"{asked.owner}'s {relation}")
        person = draft.entity("PersonAnimal", one.name, cited, aliases)
        if relation and owner is not None and owner != person:
            draft.fact(person, f"{_camel(relation)}Of", owner, cited)
        for career in careers_in(one.persona):
            draft.fact(person, "hasCareer", draft.entity("Object", career, cited), cited)
        for taste in tastes_in(one.persona):
            draft.fact(person, "likes", draft.entity("Object", taste, cited), cited)
        if picture is not None and len(picture[0].faces) == 1 and picture[1]:
            for relation_word, look in _looks(picture[1][0]):
                draft.fact(person, relation_word, draft.entity("Object", look, cited), cited)
    return draft


def _camel(words: str) -> str:
    first, *rest = words.replace("-", " ").split()
    return first + "".join(word.title() for word in rest)


def _looks(traits: PersonTraits) -> Iterator[tuple[str, str]]:
    hair, *others = traits.phrases()
    yield ("hasHair" if "hair" in hair or "dreadlocks" in hair else "wears"), hair
    for one in others:
        yield ("hasBeard" if one.split()[-1] in ("beard", "moustache") else "wears"), one
