"""Persona enrichment: a base persona and Big Five scores become a role description and a core memory."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from lifeloom.models.builtin.writer.wordings import capital, clean, cut_words, fill, load, words
from lifeloom.tasks.persona_enrichment import PersonaEnrichmentInput, PersonaEnrichmentOutput, TraitScores

__all__ = ["enrich", "is_description"]

PERSONA_CHARACTERS = 400
"""A longer base persona is cut at a word boundary."""

_LONGEST_ROLE, _SHORTEST_ROLE = 120, 60
_SHORT_PERSONA_WORDS, _SHORT_PERSONA_CHARACTERS = 30, 200
_NAME_CHARACTERS = 80
_TRAITS = ("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism")
_QUOTES = str.maketrans({"“": "'", "”": "'", "„": "'", '"': "'"})

# What sounds like an order to a model. Missing one does no harm: the persona is quoted in every case.
_ORDER = re.compile(
    r"\b(ignore|disregard|forget|override|bypass)\b.{0,60}\b(instruction|rule|prompt|above|previous|prior|everything)"
    r"|\b(system prompt|you are now|you must|as an ai|jailbreak|respond only|reply only|output only)\b"
    r"|^\s*(write|print|say|output|reveal|repeat|respond|answer|do not|don't|system:|assistant:)\b",
    re.IGNORECASE,
)

# A description is taken for one only if that is certain: "A potter in Vermont who gives away every tenth bowl".
# Anything else may be a sentence with a verb of its own and is introduced in a way that suits both.
_DESCRIPTION = re.compile(r"(?P<head>(?:an?|someone) ?[^,;:.!?—–]{0,100}?) ?\b(?:who|whose)\b", re.IGNORECASE)
_VERB_IN_HEAD = re.compile(
    r"\b(?:is|was|are|were|has|had|does|did|can|will|would|must|now|still|once)\b|(?<!\w)[a-z-]+(?<![s'’ui])s\b"
)
_SECOND_SUBJECT = re.compile(
    r"[,;—–] ?(?:he|she|they|it|i|we|an?|the|his|her|this|that)\b|\b(?:now|still|nevertheless)\b|[.!?;:] ",
    re.IGNORECASE,
)


def is_description(persona: str) -> bool:
    """Say whether ``persona`` is surely a noun phrase ("A baker in Lyon who ...") that can follow "is"."""
    match = _DESCRIPTION.match(persona)
    if match is None or _VERB_IN_HEAD.search(match["head"]):
        return False
    return _SECOND_SUBJECT.search(persona, match.end()) is None


def enrich(task: PersonaEnrichmentInput, rng: random.Random) -> PersonaEnrichmentOutput:
    """Return a role description of 60 to 120 words and the two blocks of core memory.

    The base persona is only ever quoted, without control characters and cut to ``PERSONA_CHARACTERS``; one that
    gives orders is told about as a quotation. No taste, plan or habit is invented.
    """
    parts = load("enrichment")
    name = cut_words(clean(task.name), 8, _NAME_CHARACTERS) or "the user"
    persona = cut_words(clean(task.base_persona.translate(_QUOTES)), 65, PERSONA_CHARACTERS).rstrip(" .")
    short = cut_words(persona, _SHORT_PERSONA_WORDS, _SHORT_PERSONA_CHARACTERS)
    frames = "frames" if persona else "empty_frames"
    if persona and _ORDER.search(persona):
        frames = "order_frames"
    elif is_description(persona):
        frames = "noun_frames"
    told = short if frames in ("frames", "noun_frames") else ""
    slots = {"name": name, "quoted": _quoted(persona), "described": _described(persona)}
    opening = capital(fill(rng.choice(parts[frames]), slots))
    return PersonaEnrichmentOutput(
        role_description=_role_description(opening, task, name, rng),
        human=_human_block(task.people, name, told, rng),
        persona=_persona_block(task.traits, name, told, rng),
    )


def _quoted(text: str) -> str:
    return f"“{text}”"


def _described(text: str) -> str:
    """Return a description for the middle of a sentence: its article is written small."""
    return _quoted(text[:1].lower() + text[1:])


def _lines(kind: str, persona: str) -> Sequence[str]:
    """Return the lines of ``kind`` that suit a description or, if ``persona`` is a sentence, those that suit both."""
    lines: Sequence[str] = load("enrichment")[f"noun_{kind}" if is_description(persona) else kind]
    return lines


def _pole(score: float) -> str:
    return "high" if score > 3.4 else "low" if score < 2.6 else "middle"


def _by_strength(traits: TraitScores, rng: random.Random) -> list[str]:
    """Return the traits, the most marked first; equals in an order of chance."""
    order = list(_TRAITS)
    rng.shuffle(order)
    return sorted(order, key=lambda trait: -abs(getattr(traits, trait) - 3))


def _role_description(opening: str, task: PersonaEnrichmentInput, name: str, rng: random.Random) -> str:
    parts = load("enrichment")
    sentences = [opening]
    used = words(opening)
    people = [clean(person) for person in task.people if clean(person)][:4]
    told_of = ""
    if people and used < 70:
        listed = f"{', '.join(people[:-1])} and {people[-1]}" if len(people) > 1 else people[0]
        told_of = fill(rng.choice(parts["people"]), {"name": name, "people": listed})
        used += words(told_of)
    clauses = [
        clause
        for trait in _by_strength(task.traits, rng)
        for clause in rng.sample(parts["shows"][trait][_pole(getattr(task.traits, trait))], 2)
    ]
    # One clause of every trait first, then the second ones, as far as there is room.
    ordered = clauses[0::2] + clauses[1::2]
    links = [rng.choice(parts["talk"]), *rng.sample(parts["links"], 5), *rng.sample(parts["links"], 4)]
    index = 0
    while index < len(ordered) and used < _LONGEST_ROLE - 26:
        pair = ordered[index : index + 2] if index else ordered[:1]
        said = " and ".join([pair[0], *(clause.removeprefix("they ") for clause in pair[1:])])
        if index >= 5 and used >= _SHORTEST_ROLE:
            break
        sentence = fill(links[0], {"first": said}) if index == 0 else fill(links[index], {"next": said})
        sentences.append(capital(sentence))
        used += words(sentence)
        index += len(pair)
    if told_of:
        sentences.append(told_of)
    return " ".join(sentences)


def _human_block(people: Sequence[str], name: str, persona: str, rng: random.Random) -> tuple[str, ...]:
    parts = load("enrichment")
    block = [fill(rng.choice(parts["names"]), {"name": name})]
    if persona:
        slots = {"quoted": _quoted(persona), "described": _described(persona)}
        block.append(fill(rng.choice(_lines("known_as", persona)), slots))
    for person in people[:3]:
        match = re.fullmatch(r"(.{1,80}) \((.{1,60})\)", clean(person))
        if match:
            block.append(fill(rng.choice(parts["knows"]), {"person": match[1], "relation": match[2]}))
    if len(block) == 1:
        block.append("Nothing else is known about the user yet.")
    return tuple(block)


def _persona_block(traits: TraitScores, name: str, persona: str, rng: random.Random) -> tuple[str, ...]:
    parts = load("enrichment")
    identity = fill(
        rng.choice(_lines("identity", persona) if persona else parts["plain_identity"]),
        {"name": name, "quoted": _quoted(persona), "described": _described(persona)},
    )
    marked = _by_strength(traits, rng)[:3]
    first, second, third = (
        rng.choice(parts["wishes"][trait]["high" if getattr(traits, trait) >= 3 else "low"]) for trait in marked
    )
    return (
        capital(identity),
        f"{name} wants the assistant to {first} and to {second}.",
        f"It also helps if the assistant is able to {third}."
        if rng.random() < 0.5
        else f"The assistant should {third}.",
    )
