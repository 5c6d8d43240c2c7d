"""Who and what a name means: one node for each person, event, day, place, activity and thing.

People are resolved by the concepts of the life: "Mom", "my aunt" and "David's mother" are somebody who is known. Two
relatives of one name stay two. Events are one by the event of the pictures that they cite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lifeloom.lifegraph.dates import DateInvalid, iso_date
from lifeloom.lifegraph.schema import Unfit, clean_name, folded, short_name
from lifeloom.lifegraph.types import ENTITY_TYPES, Entity, EntityType
from lifeloom.models.builtin.reader.kinship import Person, owner_of, relation_of, resolve
from lifeloom.records import Concept, Life, make_id

__all__ = ["Resolver", "display_names", "entity_id_of"]

_MOST_ALIASES = 24
_ARTICLE = re.compile(r"^(?:the|an|a|my|our|some)\s+(?=\S)", re.IGNORECASE)


def display_names(concepts: Sequence[Concept]) -> dict[str, str]:
    """Return a name for each concept id that no other has: two Annas are "Anna (mother)" and "Anna (aunt)"."""
    raw = {one.concept_id: _cleaned(one.name) or one.concept_id for one in concepts}
    forms = [folded(name) for name in raw.values()]
    names: dict[str, str] = {}
    for one in concepts:
        name = raw[one.concept_id]
        if forms.count(folded(name)) > 1:
            name = f"{name} ({relation_of(one.role) or one.role.lower() or one.concept_id})"
        if any(folded(name) == folded(other) for other in names.values()):
            name = f"{raw[one.concept_id]} ({one.concept_id})"
        names[one.concept_id] = name
    return names


def entity_id_of(kind: EntityType, name: str) -> str:
    """Return the id of an entity: it follows from type and name."""
    return make_id("entity", kind, _form(kind, name))


class Resolver:
    """The entities so far, and how names lead to them.

    Args:
        life: whose concepts and events are meant.
        entities: those that are there already.
    """

    def __init__(self, life: Life, entities: Iterable[Entity] = ()) -> None:
        self.entities: dict[str, Entity] = {}
        self.changed: dict[str, None] = {}
        """Ids of what is new or changed since it was last emptied."""
        self._ids: dict[tuple[EntityType, str], dict[str, None]] = {}
        self._life = life
        names = display_names(life.concepts)
        self._concepts = {one.concept_id: entity_id_of("PersonAnimal", names[one.concept_id]) for one in life.concepts}
        self._names = names
        self._persons = tuple(
            Person(names[one.concept_id], one.role, _others(one, names[one.concept_id])) for one in life.concepts
        )
        owner = owner_of(self._persons)
        self.owner_id = "" if owner is None else entity_id_of("PersonAnimal", owner.name)
        self._dates = {event.event_id: event.date.isoformat() for event in life.events}
        self._events: dict[str, str] = {}
        self._event_of: dict[str, str] = {}
        for entity in entities:
            self._store(entity)
        for entity in self.of_type("Event"):
            for event_id in self.events_of(entity.sources):
                self._events.setdefault(event_id, entity.entity_id)
                self._event_of.setdefault(entity.entity_id, event_id)
        self.changed.clear()

    def of_type(self, kind: EntityType) -> list[Entity]:
        """Return the entities of a type, in the order in which they were added."""
        return [one for one in self.entities.values() if one.type == kind]

    def events_of(self, sources: Iterable[str]) -> list[str]:
        """Return the events whose pictures are among ``sources``, each once."""
        found: dict[str, None] = {}
        for source in sources:
            try:
                found[self._life.event_of(source)] = None
            except KeyError:
                continue  # a concept: of no event
        return list(found)

    def event_entity(self, event_id: str) -> str | None:
        """Return the entity of an event; None where there is none yet."""
        return self._events.get(event_id)

    def date_of(self, entity_id: str) -> str:
        """Return the day of an event's pictures, ``YYYY-MM-DD``."""
        return self._dates[self._event_of[entity_id]]

    def concept_entity(self, concept_id: str) -> str:
        """Return the entity that a concept has or will have."""
        return self._concepts[concept_id]

    def take(self, name: str, kind: str, aliases: Sequence[str], sources: Sequence[str], texts: Sequence[str]) -> str:
        """Take an entity, new or known, and return its id.

        Args:
            name: as the model gave it.
            kind: type as the model gave it.
            aliases: other names, as the model gave them; those that mean somebody else are left out.
            sources: ids that it cites, all of them known, at least one.
            texts: what these sources say.

        Raises:
            Unfit: it breaks the schema.
        """
        typed = next((one for one in ENTITY_TYPES if one.lower() == kind.strip().lower()), None)
        if typed is None:
            raise Unfit("unknown_type", f"{name[:80]!r} is of the type {kind[:40]!r}; types: {', '.join(ENTITY_TYPES)}")
        plain = clean_name(name)
        if typed == "PersonAnimal":
            return self._take_person(plain, aliases, sources, texts)
        if typed == "Event":
            return self._take_event(plain, sources)
        if typed == "Date":
            try:
                plain = iso_date(plain)
            except DateInvalid as error:
                raise Unfit("bad_date", str(error)) from error
        else:
            plain = _ARTICLE.sub("", plain)
        known = self._found(typed, plain)
        target = known[0] if known else entity_id_of(typed, plain)
        also = [] if typed == "Date" else [plain, *(one for one in map(_cleaned, aliases) if one)]
        self._merge(target, typed, plain, also, sources)
        return target

    def take_concept(self, concept: Concept) -> str:
        """Take a concept as the life gives it."""
        target = self._concepts[concept.concept_id]
        self._merge(target, "PersonAnimal", self._names[concept.concept_id], (), (concept.concept_id,))
        return target

    def person(self, name: str) -> str | None:
        """Return the person or animal whom ``name`` means; None where nobody known is meant.

        Raises:
            Unfit: it fits several (``ambiguous_person``).
        """
        owner = owner_of(self._persons)
        names = resolve(name, self._persons, "" if owner is None else owner.name)
        found = self._found("PersonAnimal", name)
        found = list(dict.fromkeys((*found, *(entity_id_of("PersonAnimal", one) for one in names))))
        if len(found) > 1:
            raise Unfit("ambiguous_person", f"{name[:80]!r} fits {len(found)} of the people")
        return found[0] if found else None

    def _take_person(self, name: str, aliases: Sequence[str], sources: Sequence[str], texts: Sequence[str]) -> str:
        cited = [source for source in sources if source in self._concepts]
        form = folded(name)
        own = [
            one.concept_id
            for one in self._life.concepts
            if one.concept_id in cited and form in (folded(one.name), folded(self._names[one.concept_id]))
        ]
        target = self._concepts[own[0]] if len(own) == 1 else self.person(name)
        if target is None:
            if not any(re.search(rf"\b{re.escape(form)}\b", folded(text, article=False)) for text in texts):
                raise Unfit("unknown_person", f"{name[:80]!r} is not known, and no text that it cites names them")
            target = entity_id_of("PersonAnimal", name)
        concept = next((one for one, entity in self._concepts.items() if entity == target), "")
        shown = self._names.get(concept, name)
        others = next((one.aliases for one in self._persons if one.name == shown), ()) if concept else ()
        also = [one for one in (name, *map(_cleaned, aliases), *others) if one]
        # Somebody who is known cites their concept; the pictures that show them are cited by the facts that say so.
        cites = (concept,) if concept else sources
        self._merge(target, "PersonAnimal", shown, [one for one in also if self._means(one, target)], cites)
        return target

    def _means(self, alias: str, target: str) -> bool:
        """Whether an alias is free, or means ``target`` among others: then it may have it."""
        try:
            known = self.person(alias)
        except Unfit:
            return any(folded(alias) == folded(one) for person in self._persons for one in person.aliases)
        return known in (None, target)

    def _take_event(self, name: str, sources: Sequence[str]) -> str:
        events = self.events_of(sources)
        if len(events) != 1:
            raise Unfit("several_events", f"{name[:80]!r} cites pictures of {len(events)} events, not of one")
        known = self._events.get(events[0])
        if known is not None:
            self._merge(known, "Event", self.entities[known].name, (), sources)
            return known
        plain = short_name(name)
        for also in ("", f" ({self._dates[events[0]]})", f" ({events[0]})"):
            target = entity_id_of("Event", f"{plain}{also}")
            if target not in self.entities:
                break
        self._events[events[0]], self._event_of[target] = target, events[0]
        self._merge(target, "Event", f"{plain}{also}", (), sources)
        return target

    def _found(self, kind: EntityType, name: str) -> list[str]:
        return list(self._ids.get((kind, _form(kind, name)), ()))

    def _merge(
        self, entity_id: str, kind: EntityType, name: str, aliases: Iterable[str], sources: Sequence[str]
    ) -> None:
        known = self.entities.get(entity_id)
        old = known or Entity(entity_id, kind, name)
        names = dict.fromkeys(old.aliases)
        for alias in aliases:
            same = alias == old.name or (kind != "PersonAnimal" and _form(kind, alias) == _form(kind, old.name))
            # An alias that is already another entity's name would make two of one.
            taken = kind != "PersonAnimal" and any(one != entity_id for one in self._found(kind, alias))
            if not same and not taken and len(names) < _MOST_ALIASES:
                names[alias] = None
        merged = Entity(
            entity_id,
            kind,
            old.name,
            tuple(names),
            tuple(dict.fromkeys((*old.sources, *sources))),
            old.known_at,
            old.known_turns,
        )
        if merged != known:
            self._store(merged)
            self.changed[entity_id] = None

    def _store(self, entity: Entity) -> None:
        self.entities[entity.entity_id] = entity
        for name in (entity.name, *entity.aliases):
            self._ids.setdefault((entity.type, _form(entity.type, name)), {})[entity.entity_id] = None


def _form(kind: EntityType, name: str) -> str:
    return folded(name, article=kind not in ("Event", "Date"), plural=kind in ("Location", "Object"))


def _others(concept: Concept, name: str) -> tuple[str, ...]:
    """Return what else a concept is called: its bare name where another has it too, and its relation."""
    relation = relation_of(concept.role)
    bare = _cleaned(concept.name)
    return tuple(dict.fromkeys(one for one in (bare if bare != name else "", relation) if one))


def _cleaned(text: str) -> str:
    try:
        return clean_name(text)
    except Unfit:
        return ""  # nothing that could be a name: as if it had not been said
