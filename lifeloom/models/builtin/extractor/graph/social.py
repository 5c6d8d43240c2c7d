"""Step 1: who belongs to a life, out of names, roles, personas and portraits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.extractor.graph.stating import Statement
from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.kinship import NICKNAMES, relation_of
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.tasks import GraphCandidatesInput, GraphSource

__all__ = ["Described", "described", "people_of"]

_WORK = re.compile(
    r"\b(?:works as|work(?:s|ing)? part-time as|is employed as|(?:earns|makes) (?:a|her|his|their) living as|"
    r"trained as|retired as|job as|career as|life as|days as|has (?:long )?been|became|become|to be|being|is|was)"
    r"\s+(?:currently |now |still |once )?((?:a|an)\s+(?:[a-z-]+\s+){0,3}?[a-z-]+?)"
    r"(?=[.,;:!]|\s+(?:who|and|by|in|at|from|for|with|of|but|whose|on|since|to|near|so|because|when|while|through)\b|$)",
    re.IGNORECASE,
)
_LIKES = re.compile(
    r"(?:\b(?:fond of|keen on|mad about|crazy about|passionate about|wild about|devoted to|hooked on|"
    r"interested in|obsessed with|(?:is|are|has always been) into|"
    r"(?:soft spot|weakness|passion|love|liking|fondness|thing|taste|enthusiasm|time) for|"
    r"loves?|likes?|enjoys?|adores?|collects?|prefers?|treasures?|cherishes|nothing beats|"
    r"cannot (?:do|live|be) without|can't (?:do|live|be) without|"
    r"(?:cannot|can't|never) (?:get|has|had) enough of|never says no to|never tires of|"
    r"lives for|delights in|swears by|revels in|talks? (?:all day |for hours |endlessly )?about|hear about|dreams of|"
    r"goes on about|"
    r"it is all|it's all|lights? up at|happiest with|happy with|spare time (?:goes to|is for|belongs to|is)|"
    r"(?:hours|evenings|weekends|sundays|days|afternoons|free time) (?:go to|goes to|are for|belong to|with|on|over)|"
    r"favou?rites?(?: things)?(?: are| is|:)|hobbies are|pleasures?(?: are|:)|joys?(?: are|:)|"
    r"make[s]? the day:|matter(?:s)? most:|give [A-Z][\w'-]*(?:,[^,]*,)?)\s+)(?!to be\b)([^.;!?]+)",
    re.IGNORECASE,
)
_NO_WORK = re.compile(
    r"\b(?:member|person|man|woman|boy|girl|child|friend|relative|mother|father|sister|brother|daughter|son|aunt|uncle|"
    r"niece|nephew|cousin|grand\w+|partner|wife|husband|pet|dog|cat|rabbit|parrot|turtle|hedgehog|goat|duck|horse|"
    r"lover|fan|bit|lot|creature|companion|soul|part|presence|favou?rite|toddler|teenager|baby)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)\s*")
_CLAUSE = re.compile(
    r"(?:,?\s+(?:when|while|because|whenever|so|but|who|which|that|although|since|if|after|before|until|every|on|as|"
    r"more than|most of|above all|best of|and (?:there|that|then|not|never|always|is|has|he|she|they)|are|is|make|keep|"
    r"in (?:that|equal)|at (?:any|all|the)|to (?:this|no|the)|with (?:the|no|a))\b|, (?:says|said|in|and you)\b).*$"
)


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
) -> Statement:
    """Return the people and animals of ``asked``, how they belong together, and what is lasting about them.

    Args:
        asked: concepts as sources.
        looked: the portraits: of those known already, then of the sources.
        traits: what the people in them look like.
    """
    statement = Statement()
    pictures = iter(
        [*zip(looked, [*traits, *[()] * len(looked)], strict=False)][sum(s.shown for s in asked.scaffold) :]
    )
    owner = None
    if any(one.name == asked.owner for one in asked.scaffold):
        owner = statement.entity("PersonAnimal", asked.owner, (asked.sources[0].source_id,))
    people = [(source, described(source)) for source in asked.sources]
    for source, one in people:
        if one.name == asked.owner:
            owner = statement.entity("PersonAnimal", one.name, (source.source_id,), ("the account owner",))
    for source, one in people:
        cited = (source.source_id,)
        picture = next(pictures, None) if source.shown else None
        if not one.name:
            continue
        relation = relation_of(one.role)
        aliases = [] if not relation else [relation, f"my {relation}"]
        if relation and asked.owner:
            aliases.append(f"{asked.owner}'s {relation}")
        person = statement.entity("PersonAnimal", one.name, cited, aliases)
        if relation and owner is not None and owner != person:
            statement.fact(person, f"{_camel(relation)}Of", owner, cited)
        for career in _careers(one.persona):
            statement.fact(person, "hasCareer", statement.entity("Object", career, cited), cited)
        for taste in _tastes(one.persona):
            statement.fact(person, "likes", statement.entity("Object", taste, cited), cited)
        if picture is not None and len(picture[0].faces) == 1 and picture[1]:
            for relation_word, look in _looks(picture[1][0]):
                statement.fact(person, relation_word, statement.entity("Object", look, cited), cited)
    return statement


def _camel(words: str) -> str:
    first, *rest = words.replace("-", " ").split()
    return first + "".join(word.title() for word in rest)


def _careers(persona: str) -> Iterator[str]:
    """Yield what somebody works as; one at most."""
    for match in _WORK.finditer(persona):
        words = re.sub(r"^(?:a|an)\s+(?:retired|former|part-time|full-time)?\s*", "", match[1], flags=re.IGNORECASE)
        if words and not _NO_WORK.search(words) and words.lower() not in NICKNAMES:
            yield words.lower()
            return


def _tastes(persona: str) -> list[str]:
    """Return what somebody likes."""
    found: dict[str, None] = {}
    for match in _LIKES.finditer(persona):
        for part in _PART.split(_CLAUSE.sub("", match[1])):
            plain = re.sub(r"^(?:both|also|especially|a good|a|an|the|his|her|their)\s+", "", part.strip(" .,"))
            if 2 < len(plain) <= 40 and len(plain.split()) <= 5:
                found[plain.lower()] = None
    return list(found)


def _looks(traits: PersonTraits) -> Iterator[tuple[str, str]]:
    hair, *others = traits.phrases()
    yield ("hasHair" if "hair" in hair or "dreadlocks" in hair else "wears"), hair
    for one in others:
        yield ("hasBeard" if one.split()[-1] in ("beard", "moustache") else "wears"), one
