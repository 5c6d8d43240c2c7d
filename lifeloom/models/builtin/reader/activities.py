"""What people are doing, by the words of a text: activities and the families that they are forms of."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["ActivityMention", "activities_in", "family_of", "main_activity"]


@dataclass(frozen=True)
class ActivityMention:
    """An activity that a text speaks of."""

    name: str
    """In plain words: ``ice fishing``."""
    family: str
    """What it is a form of: ``fishing``."""
    start: int
    end: int


_LEXICON: tuple[tuple[str, str, str], ...] = (
    # name, family, words; the first that matches a place of the text wins, so narrow ones stand first
    ("ice fishing", "fishing", r"ice[- ]fish\w*|fish\w* (?:through|in) (?:a hole in )?the ice"),
    ("crabbing", "fishing", r"crabbing|(?:fishing for|catching|catch) crabs?|crab lines?"),
    (
        "fishing",
        "fishing",
        r"fish(?:ing|ed)\b|angl(?:ing|ed|ers?)|fishing rods?|"
        r"(?:catch|caught|catching) (?:a |some )?(?:trout|fish|pike|carp)",
    ),
    ("making pizza", "cooking", r"mak(?:e|ing|ade) pizzas?|pizza night|pizza dough"),
    ("barbecue", "cooking", r"barbecu\w*|bbq|grill(?:ing|ed)?\b"),
    ("baking", "cooking", r"bak(?:e|ing|ed)\b|bread dough|cookies"),
    ("cooking", "cooking", r"cook(?:ing|ed)?\b|stew|roast(?:ing|ed)|preparing (?:a |the )?(?:meal|dinner)"),
    ("playing the guitar", "music", r"guitars?\b"),
    ("drumming", "music", r"drum(?:s|ming|med)?\b"),
    ("concert", "music", r"concerts?|gigs?\b|orchestra|recital|live music"),
    ("singing", "music", r"sing(?:ing)?\b|sang|choir|karaoke"),
    ("playing music", "music", r"(?:play(?:ing|ed)? (?:the )?)?(?:violin|piano|trumpet|flute|cello)s?\b|band practice"),
    ("snowshoe hiking", "hiking", r"snowshoe\w*"),
    ("winter hike", "hiking", r"winter hikes?"),
    ("hiking", "hiking", r"hik(?:e|es|ing|ed)\b|trek(?:king|ked)?|(?:ridge|mountain) (?:trail|walk)s?|rambl(?:e|ing)"),
    ("climbing", "climbing", r"climb(?:ing|ed)\b|bouldering"),
    ("camping", "camping", r"camp(?:ing|ed|fire)?\b|(?:putting|put|pitch\w*) up the tent|tents?\b"),
    ("cycling", "cycling", r"cycl(?:ing|ed|e ride)|(?:bike|bicycle) (?:ride|tour|trip)s?|bik(?:e|es|ing)\b|bicycles?"),
    ("basketball", "ball games", r"basketball|hoops"),
    ("football", "ball games", r"football|soccer"),
    ("tennis", "ball games", r"tennis|volleyball|badminton|baseball|cricket|table tennis"),
    ("swimming", "swimming", r"sw[iau]m(?:ming)?\b|lengths in the pool|diving"),
    ("running", "running", r"(?:went |a |morning )run(?:ning)?\b|jog(?:ging)?|marathon"),
    ("yoga", "yoga", r"yoga"),
    ("ice skating", "winter sports", r"ice[- ]skat\w*|skat(?:e|ing|ed) on (?:the )?ice"),
    ("sledging", "winter sports", r"sledg(?:e|ing)|sledding|toboggan\w*"),
    ("skiing", "winter sports", r"ski(?:ing|ed)?\b|snowboard\w*"),
    (
        "gardening",
        "gardening",
        r"garden(?:ing|ed)\b|plant(?:ing|ed) (?:the |some )?\w*|"
        r"weed(?:ing|ed)|vegetable beds?|harvest\w*",
    ),
    ("birthday", "celebrations", r"birthdays?"),
    ("graduation", "celebrations", r"graduat\w+"),
    ("anniversary", "celebrations", r"anniversar\w+"),
    ("wedding", "celebrations", r"weddings?|engagement party"),
    ("celebration", "celebrations", r"celebrat\w+|party|reunion"),
    ("pottery", "crafts", r"potter(?:y|s)|pots? on the wheel|clay"),
    (
        "woodworking",
        "crafts",
        r"wood ?work\w*|carpent(?:ry|ing)|saw(?:ing|ed) and|"
        r"build(?:ing)? (?:a |the )?(?:shelf|shelves|table|chair)|carv(?:ing|ed)",
    ),
    ("painting", "crafts", r"paint(?:ing|ed|s)?\b|watercolou?rs?"),
    ("knitting", "crafts", r"knit(?:ting|ted)?\b|sew(?:ing|ed)?\b|crochet\w*|quilt\w*"),
    ("crafts", "crafts", r"crafts?\b|handicrafts?"),
    ("chess", "board games", r"chess"),
    ("board games", "board games", r"board games?|card games?|game night|dominoes"),
    ("reading", "reading", r"read(?:ing)?\b(?! the room)|book club"),
    ("visiting a museum", "sightseeing", r"museums?\b(?: tour| visit| exhibition)?|exhibitions?|galler(?:y|ies)"),
    ("sightseeing", "sightseeing", r"sight-?see\w*|guided tour|tour of"),
    ("shopping", "shopping", r"shop(?:ping|ped)?\b|(?:at|to) the (?:flea )?market stalls?|groceries"),
    ("flying kites", "kite flying", r"kites?\b(?: fly\w*)?"),
    ("skateboarding", "skateboarding", r"skateboard\w*|skate park"),
    ("having tea", "tea and coffee", r"\bteas?\b(?! ?pot)|coffee|tea break"),
    (
        "taking photographs",
        "photography",
        r"photograph(?:y|s|ing)\b|"
        r"photo walk|out with the camera",
    ),
    ("train trip", "travelling", r"trains?\b|railway"),
    ("flight", "travelling", r"flights?\b|by plane|flying off"),
    ("travelling", "travelling", r"travel\w*|journey|road trip"),
    ("dancing", "dancing", r"danc(?:e|ing|ed)\b"),
    ("picnic", "picnics", r"picnics?"),
    ("volunteering", "volunteering", r"volunteer\w*"),
    # what families are called, where nothing narrower is said
    ("music", "music", r"music\b"),
    ("ball games", "ball games", r"ball games?\b"),
    ("winter sports", "winter sports", r"winter sports?\b"),
    ("photography", "photography", r"taking (?:photos|pictures)"),
    ("kite flying", "kite flying", r"(?:fly(?:ing)?|flew) (?:a |their |some )?kites?|kite[- ]flying"),
)  # fmt: skip
_PATTERNS = tuple((name, family, re.compile(rf"\b(?:{words})", re.IGNORECASE)) for name, family, words in _LEXICON)
_FAMILY = {name: family for name, family, _ in _LEXICON}
_ORDER = {name: number for number, (name, _, _) in enumerate(_LEXICON)}
_FAMILIES = {family for _, family, _ in _LEXICON}


def activities_in(text: str) -> tuple[ActivityMention, ...]:
    """Return the activities that ``text`` speaks of, in its order; of those that overlap the narrowest."""
    taken: list[ActivityMention] = []
    for name, family, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if all(match.end() <= one.start or match.start() >= one.end for one in taken):
                taken.append(ActivityMention(name, family, match.start(), match.end()))
    return tuple(sorted(taken, key=lambda one: one.start))


def main_activity(text: str) -> ActivityMention | None:
    """Return what ``text`` is mostly about: of its activities the narrowest; None where there is none."""
    found = activities_in(text)
    return min(found, key=lambda one: _ORDER[one.name]) if found else None


def family_of(text: str) -> str:
    """Return the family that ``text`` names or that its first activity is a form of; empty where there is none."""
    plain = " ".join(text.lower().split())
    if plain in _FAMILIES:
        return plain
    if plain in _FAMILY:
        return _FAMILY[plain]
    found = main_activity(text)
    return found.family if found else ""
