"""Choosing among options: what is known of somebody, or what a picture shows of them, against each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from rapidfuzz import fuzz

from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.life.asking import Understood
from lifeloom.models.builtin.reader.life.evidence import Evidence, KnownPerson, SeenPicture
from lifeloom.models.builtin.reader.life.words import at_place, things_text
from lifeloom.models.builtin.reader.personas import careers_in, tastes_in
from lifeloom.models.protocol import TextEncoder

__all__ = ["chosen", "fitting", "likely_answers", "tastes_of", "work_of"]

_CAREER: Final = (
    r"\b(?:works? (?:for a living )?as|is|career|profession is|job is|has career|by trade)\s+(an? [a-z -]+?|[a-z-]+)"
    r"(?=[.,;]|$| and\b| who\b| in\b| by\b| at\b| from\b)"
)
_NOT_IN_IMAGE: Final = re.compile(r"not (?:in|shown in|visible in) (?:the |this )?(?:image|picture|photo)")
_PLAIN_MATCH: Final = 60
_PART_MATCH: Final = 80
_RGB: Final = {
    "black": (30, 28, 30), "brown": (100, 60, 40), "sandy": (205, 155, 85), "blond": (238, 215, 140),
    "red": (200, 60, 30), "pink": (232, 140, 170), "blue": (60, 115, 190), "green": (60, 145, 110),
    "purple": (130, 90, 175), "grey": (140, 142, 146), "white": (243, 241, 236), "orange": (240, 150, 40),
    "yellow": (245, 215, 50),
}  # fmt: skip
"""Colours of hair and cloth as most people call them."""
_CONTEXT: Final = 400
"""Characters of what is known that are encoded."""


def chosen(
    question: Understood, known: Evidence, who: str | None, options: Sequence[str], encoder: Callable[[], TextEncoder]
) -> int:
    """Return the number of the option that fits: by what is known, else by likeness to it.

    An option "Not in image." is right exactly when the one who is asked about is not seen in the question's picture.
    """
    absent = next((n for n, text in enumerate(options) if _NOT_IN_IMAGE.match(text.lower().strip())), None)
    shown = known.shown
    if shown is not None and absent is not None and who is not None and who not in shown.people:
        return absent
    allowed = [number for number in range(len(options)) if number != absent] or list(range(len(options)))
    texts = [options[number] for number in allowed]
    person = known.person(who) if who else None
    for answer in likely_answers(question, known, who):
        scores = [_likeness(answer, text) for text in texts]
        best = max(range(len(texts)), key=lambda n: (scores[n], -n))
        if scores[best] >= _PLAIN_MATCH:
            return allowed[best]
        near_colour = _nearest_colour(answer, texts)
        if near_colour is not None:
            return allowed[near_colour]
    if person is not None and person.texts and shown is None:
        near = [max(fuzz.partial_ratio(text.lower(), one.lower()) for one in person.texts) for text in texts]
        if max(near) >= _PART_MATCH:
            return allowed[max(range(len(allowed)), key=lambda n: (near[n], -n))]
    context = " ".join([*(person.texts if person else ()), *(event.description for event in known.events)])
    vectors = encoder().encode([f"{question.text} {context}"[:_CONTEXT], *texts])
    return allowed[int((vectors[1:] @ vectors[0]).argmax())]


def _nearest_colour(colour: str, options: Sequence[str]) -> int | None:
    """Return the option whose colour is nearest to one that is not among them; None where they are no colours."""
    here = _RGB.get(colour.lower())
    there = [_RGB.get(option.lower().strip(" .")) for option in options]
    if here is None or not all(there):
        return None
    gaps = [sum((a - b) ** 2 for a, b in zip(here, one or here, strict=True)) for one in there]
    return gaps.index(min(gaps))


def fitting(question: Understood, known: Evidence, who: str | None, options: Sequence[str]) -> list[int] | None:
    """Return the numbers of all options that say what is known; None where nothing known answers the question."""
    absent = [n for n, text in enumerate(options) if _NOT_IN_IMAGE.match(text.lower().strip())]
    if known.shown is not None and absent and who is not None and who not in known.shown.people:
        return absent
    answers = likely_answers(question, known, who)
    if not answers:
        return None
    return [n for n, text in enumerate(options) if any(_words(answer) == _words(text) for answer in answers)]


def _words(text: str) -> list[str]:
    """Return what a text lists, sorted, articles aside: ``a hat and a mug`` is ``a mug and a hat``."""
    parts = re.split(r",\s*(?:and\s+)?|\s+and\s+", text.lower().strip(" ."))
    return sorted(re.sub(r"^(?:an?|the) ", "", part.strip()) for part in parts)


def _likeness(text: str, option: str) -> float:
    """Return how alike two texts are, 0 to 100; shorter differences first among equals."""
    one, other = (re.sub(r"^(?:an?|the) ", "", words.lower().strip(" .")) for words in (text, option))
    if one == other:
        return 101.0
    likeness = max(float(fuzz.token_set_ratio(one, other)), float(fuzz.ratio(one, other)))
    return likeness - 0.05 * abs(len(one) - len(other))


def likely_answers(question: Understood, known: Evidence, who: str | None) -> list[str]:
    """Return what may be the answer, likeliest first."""
    shown, person = known.shown, known.person(who) if who else None
    here = shown is not None and who is not None and who in shown.people
    if shown is not None and who is not None and here:
        seen = _in_picture(question, shown, shown.people.index(who))
        if seen is not None:
            return seen
    colour = question.has(r"colou?r|\bshade\b")
    if question.has(r"\bhair|headwear|head ?(?:cover|scarf)|on (?:their|his|her) head"):
        traits = _seen_traits(shown, who) if here else None
        stated = person.known.get("hair colour" if colour else "hair", []) if person else []
        return stated or _hair_words(person, traits, colour=colour)
    if question.has(r"\bface|glasses|beard|moustache|spectacles"):
        return _face_words(person)
    if question.has(r"living|profession|kind of work|\bjob\b|career|\bwork\b|works as|occupation|trade|earn"):
        return work_of(person)
    if question.has(r"fond of|\blikes?\b|keen on|enjoys?|favou?rite|loves?|soft spot|tastes?|pleasure|interest"):
        return tastes_of(person)
    if question.has(r"\bage\b|how old"):
        return _said_of(person, r"\b(\d{1,3})\b")
    return []


def _in_picture(question: Understood, shown: SeenPicture, place: int) -> list[str] | None:
    """Return what the picture says of somebody in it; None where the question asks for nothing of the kind."""
    if question.has(r"\b(?:left|right)\b") and question.has(r"\bwhom?\b|which person|neighbour"):
        step = -1 if question.has(r"\bleft\b") else 1
        beside = place + step
        return [shown.people[beside]] if 0 <= beside < len(shown.people) and shown.people[beside] else []
    if question.has(r"nearest|closest|right by|next to|nearer"):
        stated = [thing for name, thing in shown.nearest if name == shown.people[place]]
        if stated or not shown.thing_middles:
            return stated
        here = (shown.middles[place], shown.people_down[place])
        gaps = [((x - here[0]) ** 2 + (y - here[1]) ** 2, name) for name, x, y in shown.thing_middles]
        return [min(gaps)[1]]
    if question.has(r"\bhair|headwear|head"):
        return None
    if question.has(r"objects?|\bthings?\b|\bitems?\b|what (?:else )?(?:can be seen|is (?:there|shown|visible))"):
        return [things_text(shown.things)]
    if question.has(r"\bwhere\b|\bplace\b|\bsetting\b|\blocation\b|\bscene\b"):
        return [at_place(shown.place)]
    return None


def _seen_traits(shown: SeenPicture | None, who: str | None) -> PersonTraits | None:
    """Return the looks of somebody in the question's picture."""
    if shown is None or who not in shown.people:
        return None
    place = shown.people.index(who)
    return shown.looks[place] if place < len(shown.looks) else None


def _hair_words(person: KnownPerson | None, seen: PersonTraits | None, *, colour: bool) -> list[str]:
    found = []
    for traits in (None if person is None else person.traits, seen):
        if traits is not None:
            found.append(traits.hair_colour if colour else traits.hair)
    if not found and person is not None:
        text = ". ".join(person.texts)
        words = re.search(
            r"(?:hair|wears|with|a person)\W+([a-z -]*(?:hair|hijab|turban|dreadlocks)[a-z -]*)", text, re.IGNORECASE
        )
        found += [words[1]] if words else []
    return found


def _face_words(person: KnownPerson | None) -> list[str]:
    if person is None:
        return []
    if "face" in person.known:
        return person.known["face"]
    if {"hair", "glasses", "beard"} & set(person.known):
        glasses, beard = "glasses" in person.known, next(iter(person.known.get("beard", ["none"])))
    elif person.traits is not None:
        glasses, beard = person.traits.glasses != "none", person.traits.beard.removeprefix("a ")
    else:
        text = " ".join(person.texts).lower()
        if not re.search(r"\bhair\b|hijab|turban|glasses|beard|moustache", text):
            return []
        glasses = "glasses" in text and "no glasses" not in text
        beard = "moustache" if "moustache" in text else "beard" if re.search(r"(?<!no )\bbeard", text) else "none"
    if beard == "none":
        return ["glasses and no beard" if glasses else "neither glasses nor a beard"]
    return [f"glasses and a {beard}" if glasses else f"a {beard} and no glasses"]


def work_of(person: KnownPerson | None) -> list[str]:
    """Return what somebody works as, with an article."""
    stated = [] if person is None else person.known.get("career", [])
    if stated:
        return _with_articles(stated)
    named = [one for text in (person.texts if person else ()) for one in careers_in(text)]
    return _with_articles(named) or _said_of(person, _CAREER)


def tastes_of(person: KnownPerson | None) -> list[str]:
    """Return what somebody likes, each thing by itself."""
    if person is None:
        return []
    return person.known.get("likes", []) or [one for text in person.texts for one in tastes_in(text)]


def _with_articles(names: Sequence[str]) -> list[str]:
    return [one if re.match(r"an? ", one) else f"{'an' if one[0] in 'aeiou' else 'a'} {one}" for one in names]


def _said_of(person: KnownPerson | None, pattern: str) -> list[str]:
    """Return what the texts on somebody say where ``pattern`` has its group."""
    if person is None:
        return []
    return [match[1].strip() for text in person.texts for match in re.finditer(pattern, text, re.IGNORECASE)]
