"""What is taken of a model's candidates and triples, and why the rest is not (Life-Bench Section 8.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lifeloom.lifegraph.dates import DateInvalid, iso_date
from lifeloom.lifegraph.resolution import Resolver
from lifeloom.lifegraph.schema import Unfit, clean_name, elder_and_younger, folded, is_kinship, relation_name
from lifeloom.lifegraph.types import Attribute, EntityType, Fact
from lifeloom.records import Rejection, RejectionCount, make_id
from lifeloom.tasks import CandidateEntity, GraphTriple

__all__ = ["Acceptance", "Candidates", "Shown", "Tally"]

_SAMPLES = 20
"""Rejections of one reason that are kept whole, a bin."""
_PERSON_KEYS = ("attendee", "beside", "participant", "with")
_ROW_KEYS = ("image", "colour", "color", "count")
"""Attributes whose values belong together by place."""
_HEADS: tuple[EntityType, ...] = ("Event", "PersonAnimal", "Activity", "Location", "Object", "Date")
_TAILS: tuple[EntityType, ...] = ("Date", "PersonAnimal", "Location", "Activity", "Object", "Event")
"""Of several entities of one name: which an end of a triple means, where no type says so."""
_SINGULAR = {f"{key}s": key for key in (*_PERSON_KEYS, "image", "object", "place", "colour", "color")}


@dataclass
class Tally:
    """How much came in, how much was taken, and what was not: in = out + rejected, for every kind."""

    came: Counter[str] = field(default_factory=Counter)
    """By kind: ``candidates``, ``triples``, ``values`` (of attributes, and sources)."""
    taken: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By kind and reason."""
    samples: list[Rejection] = field(default_factory=list)

    def reject(self, kind: str, item: str, reason: str, detail: str = "", times: int = 1) -> None:
        """Count what was not taken; the first ones of each reason are kept."""
        if self.reasons[kind, reason] < _SAMPLES:
            stage = f"life_graphs/{kind}"
            self.samples.append(Rejection(stage=stage, item=item[:200], reason=reason, detail=detail[:500]))
        self.reasons[kind, reason] += times

    def counts(self) -> tuple[RejectionCount, ...]:
        """Return how much was rejected, by kind and reason."""
        return tuple(
            RejectionCount(stage=f"life_graphs/{kind}", reason=reason, count=count)
            for (kind, reason), count in sorted(self.reasons.items())
        )


@dataclass
class Candidates:
    """The candidates of a bin that were taken."""

    given: dict[tuple[str, EntityType], str] = field(default_factory=dict)
    """Entities by name, as the model spelt it, and type."""
    names: dict[str, dict[str, None]] = field(default_factory=dict)
    """Entities by every name that triples may use, folded."""


@dataclass(frozen=True)
class Shown:
    """What a prompt showed."""

    label: str
    """For people who read rejections: ``bin 3``."""
    texts: Mapping[str, str]
    """By source id."""


class Acceptance:
    """The graph as it grows: takes what fits the schema.

    Args:
        resolver: who and what names mean; holds the entities.
        facts: those that are there already.
    """

    def __init__(self, resolver: Resolver, facts: Iterable[Fact] = ()) -> None:
        self.resolver = resolver
        self.facts: dict[str, Fact] = {}
        self.changed: dict[str, None] = {}
        """Ids of facts that are new or changed since it was last emptied."""
        self._above: dict[str, set[str]] = {}
        self._dated: set[str] = set()
        for fact in facts:
            self._note(fact)

    def candidates(self, given: Sequence[CandidateEntity], shown: Shown, tally: Tally, most: int) -> Candidates:
        """Take candidates, and return what triples may speak of."""
        found = Candidates()
        tally.came["candidates"] += len(given)
        if len(given) > most:
            extra = len(given) - most
            tally.reject("candidates", shown.label, "too_many", f"{len(given)} candidates, {most} at most", extra)
        for one in given[:most]:
            item = f"{shown.label}: {one.name} ({one.type})"
            try:
                sources = self._sources(one.sources, shown, tally, item)
                texts = list(dict.fromkeys(shown.texts[source] for source in sources))
                entity_id = self.resolver.take(one.name, one.type, one.aliases, sources, texts)
            except Unfit as error:
                tally.reject("candidates", item, error.reason, error.detail)
                continue
            tally.taken["candidates"] += 1
            entity = self.resolver.entities[entity_id]
            found.given.setdefault((one.name, entity.type), entity_id)
            for name in (one.name, entity.name, *entity.aliases):
                found.names.setdefault(folded(name, article=False), {})[entity_id] = None
        return found

    def triples(
        self,
        given: Sequence[GraphTriple],
        found: Candidates,
        shown: Shown,
        tally: Tally,
        most: int,
    ) -> None:
        """Take triples whose ends are among the candidates that were taken."""
        tally.came["triples"] += len(given)
        if len(given) > most:
            extra = len(given) - most
            tally.reject("triples", shown.label, "too_many", f"{len(given)} triples, {most} at most", extra)
        fresh: set[Fact] = set()
        for one in given[:most]:
            item = f"{shown.label}: {one.head} -{one.relation}-> {one.tail}"
            try:
                fact = self._fact(one, found, shown, tally, item)
                if fact in fresh:
                    raise Unfit("duplicate", "the same fact is stated twice")
                self._put(fact)
            except Unfit as error:
                tally.reject("triples", item, error.reason, error.detail)
                continue
            fresh.add(fact)
            tally.taken["triples"] += 1

    def add_date(self, event_entity: str) -> bool:
        """Give an event its day where no fact does; return whether that was needed."""
        if event_entity in self._dated:
            return False
        resolver = self.resolver
        sources = resolver.entities[event_entity].sources
        day = resolver.take(resolver.date_of(event_entity), "Date", (), sources, ())
        self._put(_made(event_entity, "onDate", day, (), sources))
        return True

    def _sources(self, given: Sequence[str], shown: Shown, tally: Tally, item: str) -> tuple[str, ...]:
        known = tuple(dict.fromkeys(one for one in given if one in shown.texts))
        if not given:
            raise Unfit("no_source", "it cites nothing")
        if not known:
            raise Unfit("unknown_source", f"it cites {', '.join(given)[:80]}, which was not shown")
        self._values(tally, len(given), item, [one for one in given if one not in shown.texts], "unknown_source")
        return known

    def _values(self, tally: Tally, came: int, item: str, left_out: Sequence[str], reason: str) -> None:
        tally.came["values"] += came
        tally.taken["values"] += came - len(left_out)
        for one in left_out:
            tally.reject("values", item, reason, one)

    def _fact(self, one: GraphTriple, found: Candidates, shown: Shown, tally: Tally, item: str) -> Fact:
        relation = relation_name(one.relation)
        head = self._end(one.head, one.head_type, found, _HEADS)
        tail = self._end(one.tail, one.tail_type, found, _TAILS)
        if head == tail:
            raise Unfit("self_loop", "head and tail are the same")
        sources = self._sources(one.sources, shown, tally, item)
        self._check_kinship(head, relation, tail)
        self._check_day(head, tail)
        attributes = self._attributes(one, shown, tally, item)
        return _made(head, relation, tail, attributes, sources)

    def _end(self, name: str, kind: str, found: Candidates, order: Sequence[EntityType]) -> str:
        """Return the entity that an end of a triple means: of those of that name by type, else as it was spelt."""
        meant = list(found.names.get(folded(name, article=False), ()))
        if not meant:
            try:
                meant = list(found.names.get(iso_date(name), ()))
            except DateInvalid:
                meant = []  # no other way to write a day that was found
        if not meant:
            raise Unfit("not_a_candidate", f"{name[:80]!r} is none of the entities that were found")
        entities = self.resolver.entities
        typed = [one for one in meant if entities[one].type.lower() == kind.strip().lower()] or meant
        given = [one for one in typed if found.given.get((name, entities[one].type)) == one]
        return min(given or typed, key=lambda one: order.index(entities[one].type))

    def _check_kinship(self, head: str, relation: str, tail: str) -> None:
        if not is_kinship(relation):
            return
        entities = self.resolver.entities
        if not entities[head].type == entities[tail].type == "PersonAnimal":
            raise Unfit("kinship_of_things", f"{relation} between {entities[head].type} and {entities[tail].type}")
        ordered = elder_and_younger(head, relation, tail)
        if ordered is None:
            return
        elder, younger = ordered
        seen, waiting = set[str](), [younger]
        while waiting:
            current = waiting.pop()
            if current == elder:
                raise Unfit("kinship_cycle", f"{entities[younger].name} is an elder of {entities[elder].name} already")
            if current not in seen:
                seen.add(current)
                waiting.extend(self._above.get(current, ()))

    def _check_day(self, head: str, tail: str) -> None:
        entities = self.resolver.entities
        for event, day in ((head, tail), (tail, head)):
            if entities[event].type == "Event" and entities[day].type == "Date":
                right = self.resolver.date_of(event)
                if entities[day].name != right:
                    raise Unfit("wrong_date", f"its pictures are of {right}, not of {entities[day].name}")

    def _attributes(self, one: GraphTriple, shown: Shown, tally: Tally, item: str) -> tuple[Attribute, ...]:
        kept: dict[str, list[str]] = {}
        for attribute in one.attributes:
            try:
                key = relation_name(attribute.key)
            except Unfit as error:
                self._values(tally, len(attribute.values), item, attribute.values, error.reason)
                continue
            kept.setdefault(_SINGULAR.get(key, key), []).extend(attribute.values)
        rows = [key for key in _ROW_KEYS if "image" in kept and len(kept.get(key, ())) == len(kept["image"])]
        strange = [place for place, image in enumerate(kept.get("image", ())) if image not in shown.texts]
        if strange:
            self._values(tally, len(strange), item, [kept["image"][place] for place in strange], "unknown_source")
            for key in rows:
                kept[key] = [value for place, value in enumerate(kept[key]) if place not in strange]
        found = []
        for key, values in kept.items():
            own = values if key in rows else list(dict.fromkeys(self._cleaned(key, values, tally, item)))
            if own:
                found.append(Attribute(key, tuple(own)))
        return tuple(found)

    def _cleaned(self, key: str, values: Sequence[str], tally: Tally, item: str) -> list[str]:
        kept = []
        for value in values:
            try:
                plain = clean_name(value)
                if key in _PERSON_KEYS:
                    who = self.resolver.person(plain)
                    if who is None or who not in self.resolver.entities:
                        raise Unfit("unknown_person")
                    plain = self.resolver.entities[who].name
            except Unfit as error:
                self._values(tally, 1, item, [value], error.reason)
                continue
            self._values(tally, 1, item, (), "")
            kept.append(plain)
        return kept

    def _put(self, fact: Fact) -> None:
        known = self.facts.get(fact.fact_id)
        merged = fact if known is None else _merged(known, fact)
        if merged == known:
            raise Unfit("duplicate", "it is known already")
        self._note(merged)
        self.changed[merged.fact_id] = None

    def _note(self, fact: Fact) -> None:
        self.facts[fact.fact_id] = fact
        ordered = elder_and_younger(fact.head, fact.relation, fact.tail)
        if ordered is not None:
            self._above.setdefault(ordered[0], set()).add(ordered[1])
        entities = self.resolver.entities
        if entities[fact.tail].type == "Date" and entities[fact.head].type == "Event":
            self._dated.add(fact.head)
        elif entities[fact.head].type == "Date" and entities[fact.tail].type == "Event":
            self._dated.add(fact.tail)


def _made(head: str, relation: str, tail: str, attributes: tuple[Attribute, ...], sources: tuple[str, ...]) -> Fact:
    """Return a fact with its id.

    Facts that say in which pictures something is to be seen are one fact for all pictures; others are one only where
    their attributes are the same, since "with A, using B" and "with C, using D" are two.
    """
    pictured = any(one.key == "image" for one in attributes)
    parts = ["image"] if pictured else [f"{one.key}={'|'.join(one.values)}" for one in attributes]
    return Fact(make_id("fact", head, relation, tail, *parts), head, relation, tail, attributes, sources)


def _merged(known: Fact, fact: Fact) -> Fact:
    """Return both statements of one fact in one: pictures in a row, other values once."""
    old = {one.key: one.values for one in known.attributes}
    new = {one.key: one.values for one in fact.attributes}
    values = {key: [*old.get(key, ())] for key in dict.fromkeys((*old, *new))}
    before, after = _rows(old), _rows(new)
    keys = [key for key in _ROW_KEYS if key in values and (key in before[1] or key in after[1])]
    if keys:
        rows = {tuple(row.get(key, "") for key in keys): None for row in (*before[0], *after[0])}
        for place, key in enumerate(keys):
            values[key] = [row[place] for row in rows]
    for key, own in new.items():
        if key not in keys:
            values[key] = list(dict.fromkeys((*values[key], *own)))
    return Fact(
        known.fact_id,
        known.head,
        known.relation,
        known.tail,
        tuple(Attribute(key, tuple(own)) for key, own in values.items()),
        tuple(dict.fromkeys((*known.sources, *fact.sources))),
        known.known_at,
        known.known_turns,
    )


def _rows(attributes: Mapping[str, tuple[str, ...]]) -> tuple[list[dict[str, str]], list[str]]:
    """Return the values that belong together by place, and their keys."""
    images = attributes.get("image", ())
    keys = [key for key in _ROW_KEYS if len(attributes.get(key, ())) == len(images) and images]
    return [{key: attributes[key][place] for key in keys} for place in range(len(images))], keys
