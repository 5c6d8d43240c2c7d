"""Where to start in a life graph, which facts to keep, which sources to fetch, and when it is enough."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from lifeloom.models.builtin.reader.kinship import mentions
from lifeloom.models.builtin.reasoner.graph.asked import (
    OF_PEOPLE,
    Asked,
    Want,
    asked_in,
    people_in,
    people_of_facts,
    stems_of,
)
from lifeloom.tasks.graph_search import (
    GraphPruneInput,
    GraphPruneOutput,
    GraphReferencesInput,
    GraphReferencesOutput,
    GraphSufficiencyInput,
    GraphSufficiencyOutput,
    GraphTopEntitiesInput,
    GraphTopEntitiesOutput,
)
from lifeloom.tasks.life_answer import GraphFact

__all__ = ["is_sufficient", "prune", "top_entities", "wanted_references"]

_TYPE_OF: Final[Mapping[Want, tuple[str, ...]]] = {
    "who": ("PersonAnimal",),
    "where": ("Location",),
    "doing": ("Activity",),
    "thing": ("Object",),
    "when": ("Date",),
}
_TELLS: Final[Mapping[Want, re.Pattern[str]]] = {
    "looks": re.compile(r"hair|eye|glass|beard|m[ou]+stache|face|skin|look|wear|age\b|head|appear", re.IGNORECASE),
    "career": re.compile(r"career|job|profession|work|occupation|living", re.IGNORECASE),
    "tastes": re.compile(r"like|fond|hobb|taste|personal|enjoy|interest|prefer|love|favou?rite", re.IGNORECASE),
}
"""Relations that tell what somebody looks like, works as and likes."""
_ATTENDEES: Final = frozenset({"attendee", "attendees", "participant", "participants", "who", "with", "people"})
_PLACES: Final = frozenset({"place", "location", "where"})


def top_entities(asked: GraphTopEntitiesInput) -> GraphTopEntitiesOutput:
    """Choose where to start: the days that are named, who is meant, who is recognised, then the nearest in words."""
    question = asked_in(asked.question)
    people = people_in(asked.entities, asked.owner)
    meant = [name for _, _, names in mentions(asked.question, people, asked.owner) for name in names]
    said = asked.question.casefold()
    ranks: list[tuple[int, float, int]] = []
    for number, entity in enumerate(asked.entities, start=1):
        near = _shared(question, (entity.name, *entity.aliases))
        if entity.type == "Date":
            rank = 0 if entity.name in question.days else 9
        elif entity.type == "PersonAnimal":
            if entity.name in meant:
                rank = 1
            elif entity.name in asked.recognised:
                rank = 2 if question.in_picture else 3
            elif question.by_relation and entity.name.casefold() in said:
                rank = 3  # the Rylen of "Rylen's grandfather"
            else:
                rank = 5 if entity.name == asked.owner else 8
        else:
            rank = 4 if near > 0 and not (question.in_picture or (meant and question.of_people)) else 7
        order = meant.index(entity.name) if rank == 1 else number
        ranks.append((rank, order if rank == 1 else -near, number))
    ranks.sort()
    useful = [number for rank, _, number in ranks if rank < 7]
    return GraphTopEntitiesOutput(entities=tuple((useful or [ranks[0][2]] if ranks else [])[: asked.k]))


def _shared(question: Asked, texts: Sequence[str]) -> float:
    """Return the largest share of a text's words that the question has."""
    best = 0.0
    for text in texts:
        stems = stems_of(text)
        if stems:
            best = max(best, len(stems & question.stems) / len(stems))
    return best


def prune(asked: GraphPruneInput) -> GraphPruneOutput:
    """Score candidates: what the question wants to know, of the event or person that it is about."""
    question = asked_in(asked.question)
    on_day = _events_on(question, (*asked.paths, *asked.candidates))
    often = _often_reached(asked.candidates)
    people = people_of_facts((*asked.paths, *asked.candidates), asked.owner)
    meant = {name for _, _, names in mentions(asked.question, people, asked.owner) for name in names}
    seen = set(asked.recognised) if question.in_picture else set()
    scores = [_worth(fact, question, on_day, often, meant) + 2.0 * _leads_to(fact, seen) for fact in asked.candidates]
    total = sum(scores)
    return GraphPruneOutput(scores=tuple(score / total for score in scores))


def _events_on(question: Asked, facts: Sequence[GraphFact]) -> frozenset[str]:
    """Return the events that a fact links to a day which the question names."""
    found = set()
    for fact in facts:
        if fact.tail_type == "Date" and fact.head_type == "Event" and fact.tail in question.days:
            found.add(fact.head)
        elif fact.head_type == "Date" and fact.tail_type == "Event" and fact.head in question.days:
            found.add(fact.tail)
    return frozenset(found)


def _often_reached(facts: Sequence[GraphFact]) -> frozenset[str]:
    """Return the events that several candidates lead to."""
    counts: dict[str, int] = {}
    for fact in facts:
        for name, kind in ((fact.head, fact.head_type), (fact.tail, fact.tail_type)):
            if kind == "Event":
                counts[name] = counts.get(name, 0) + 1
    return frozenset(name for name, count in counts.items() if count > 1)


def _leads_to(fact: GraphFact, names: set[str]) -> bool:
    """Whether a fact between two people leads to one of ``names``: somebody whose portrait is worth a look."""
    return fact.head_type == fact.tail_type == "PersonAnimal" and bool({fact.head, fact.tail} & names)


def _worth(fact: GraphFact, question: Asked, on_day: frozenset[str], often: frozenset[str], meant: set[str]) -> float:
    types = {fact.head_type, fact.tail_type}
    names = {fact.head, fact.tail}
    score = 0.1
    if "Event" in types:
        if names & on_day:
            score += 3.0
        elif question.days:
            score *= 0.3
        if "Date" in types and names & question.days:
            score += 3.0
        for want in question.wants:
            if types & {*_TYPE_OF.get(want, ())}:
                score += 1.0
        score += _tells_many(fact, question, named=bool(meant))
        score += 0.2 * bool(names & often) + 0.3 * bool(names & meant)
    else:
        words = stems_of(_spaced(fact.relation))
        score += 2.0 * any(_TELLS[want].search(fact.relation) for want in question.wants & OF_PEOPLE)
        score += 1.0 * bool(words & question.stems)
        score += 1.5 * bool(names & meant)
        if types == {"PersonAnimal"}:
            score += 1.0 if question.by_relation else 0.2
    score += 1.5 * _shared(question, (fact.head, fact.tail))
    for attribute in fact.attributes:
        score += 0.3 * any(not question.stems.isdisjoint(stems_of(value)) for value in attribute.values)
    return score


def _tells_many(fact: GraphFact, question: Asked, *, named: bool) -> float:
    """Return what an n-ary fact adds, which says in one line who was there and where."""
    keys = {attribute.key.lower() for attribute in fact.attributes if attribute.values}
    score = 2.0 * bool(("who" in question.wants or named) and keys & _ATTENDEES)
    return score + 0.4 * bool("where" in question.wants and keys & _PLACES)


def _spaced(relation: str) -> str:
    return "".join(f" {letter}" if letter.isupper() else letter for letter in relation)


def wanted_references(asked: GraphReferencesInput) -> GraphReferencesOutput:
    """Choose the originals: portraits of who is in question, pictures of the day in question; none to count days."""
    question = asked_in(asked.question)
    numbered = list(enumerate(asked.references, start=1))
    concepts = [number for number, one in numbered if one.kind == "concept"]
    images = [(number, one) for number, one in numbered if one.kind == "image"]
    if not question.days and not question.in_picture and not question.wants & OF_PEOPLE:
        if "number" in question.wants:
            return GraphReferencesOutput(references=())
        return GraphReferencesOutput(references=tuple([*concepts, *(number for number, _ in images)][: asked.k]))
    if not question.days:
        return GraphReferencesOutput(references=tuple(concepts[: asked.k]))
    of_day = [number for number, one in images if one.about[:10] in question.days]
    return GraphReferencesOutput(references=tuple([*concepts, *of_day][: asked.k]))


def is_sufficient(asked: GraphSufficiencyInput) -> GraphSufficiencyOutput:
    """Say whether what the question wants is on the paths or in what was fetched."""
    question = asked_in(asked.question)
    enough = _enough_of_day(asked, question) if question.days else _enough_of_people(asked, question)
    return GraphSufficiencyOutput(sufficient="yes" if enough else "no")


def _enough_of_people(asked: GraphSufficiencyInput, question: Asked) -> bool:
    if asked.picture_shown or question.in_picture:
        return bool(asked.concepts) or bool(asked.paths)
    if question.wants & {"number", "when"} or not question.wants & OF_PEOPLE:
        return False  # what happened over a whole history is never all on a few paths
    wants = question.wants & OF_PEOPLE
    told = any(_TELLS[want].search(fact.relation) for want in wants for fact in asked.paths)
    people = people_of_facts(asked.paths, asked.owner)
    meant = [name for _, _, names in mentions(asked.question, people, asked.owner) for name in names]
    if asked.concepts:
        return not meant or any(name in asked.concepts for name in meant)
    return told


def _company(facts: Sequence[GraphFact]) -> int:
    """Return how many people facts of an event name."""
    ends = [(fact.head, fact.head_type) for fact in facts] + [(fact.tail, fact.tail_type) for fact in facts]
    return len({name for name, kind in ends if kind == "PersonAnimal"})


def _enough_of_day(asked: GraphSufficiencyInput, question: Asked) -> bool:
    on_day = _events_on(question, asked.paths)
    if not on_day:
        return False
    facts = [fact for fact in asked.paths if {fact.head, fact.tail} & on_day]
    pictured = any(image.date in question.days and image.shown for image in asked.images)
    keys = {attribute.key.lower() for fact in facts for attribute in fact.attributes if attribute.values}
    types = {kind for fact in facts for kind in (fact.head_type, fact.tail_type)}
    named = mentions(asked.question, people_of_facts(asked.paths, asked.owner), asked.owner)
    if ("who" in question.wants or named) and not keys & _ATTENDEES and _company(facts) <= len(named) + 1:
        return False  # to tell who somebody is not, or who else is there, takes everybody
    for want in question.wants:
        told = bool(types & {*_TYPE_OF.get(want, ())})
        match want:
            case "who":
                told = True
            case "where":
                told = told or bool(keys & _PLACES) or pictured
            case "thing" | "looks" | "number":
                told = pictured
            case "career" | "tastes" | "when":
                told = True
        if not told:
            return False
    return bool(question.wants) or pictured
