"""Lives in words: life stories, personas, looks, events with descriptions and captions.

A description is what its owner would post: an opening, a core that says who did what and where, a closing. Owners
differ: each has a manner of writing and favours some of the phrases, drawn from the name.
"""

from __future__ import annotations

import functools
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Literal

from lifeloom.streams import stable_hash
from lifeloom.tasks.event_writing import (
    EventPerson,
    EventStoryInput,
    EventStoryOutput,
    EventWritingInput,
    EventWritingOutput,
    ShotBrief,
)
from lifeloom.tasks.vaccount_writing import (
    ConceptLook,
    ConceptRefinementInput,
    ConceptRefinementOutput,
    ConceptWritingInput,
    ConceptWritingOutput,
    LifeStoryInput,
    LifeStoryOutput,
)

__all__ = [
    "LifeNotWorded",
    "refine_concepts",
    "write_concept",
    "write_event",
    "write_event_story",
    "write_life_story",
]

_LONGEST_STORY = 2_800  # characters
_LONGEST_SCENE = 300  # characters of the event seed that a narrative takes up
_OWNER = "Account Owner"
_FAVOURED = 0.6
"""Share of the openings and closings that one owner uses."""
_OPENED, _CLOSED = 0.55, 0.7
"""How often a description has an opening, and a closing."""
_IN_MANNER = 0.7
"""How often owners keep to their manner."""

_OF_SEVERAL = re.compile(r"\b(?:we|us|our|nobody|argument)\b", re.IGNORECASE)
"""Words of closings that somebody alone would not say."""

Manner = Literal["plain", "lower case", "loud", "emoji", "tags"]
_MANNERS: tuple[Manner, ...] = ("plain", "plain", "lower case", "loud", "emoji", "tags")


_PLAIN = re.compile(r"(?:An?|The|Some|Several|Many|Two|Three|Four|Five|There) [a-z]")
_SOMEBODY = re.compile(r"(?!^)[A-Z]|\b(?:my|our)\b")
"""What may name somebody: a capital letter that does not begin the sentence, a relation."""


class LifeNotWorded(Exception):
    """The plan cannot be put into words. The message says what is missing."""


@functools.cache
def _wordings(edition: str) -> Mapping[str, Any]:
    """Return the wordings of an edition; a third of a release's are its alone."""
    folder = resources.files("lifeloom.models.builtin.writer").joinpath("data")
    common, release = (
        tomllib.loads(folder.joinpath(name).read_text("utf-8")) for name in ("lives.toml", "release_lives.toml")
    )
    if edition != "release":
        return common
    merged: dict[str, Any] = {}
    for kind, own in common.items():
        if isinstance(own, dict):
            merged[kind] = {name: [*items, *release[kind][name]] for name, items in own.items()}
        else:
            merged[kind] = [*own, *release[kind]]
    return merged


def write_life_story(asked: LifeStoryInput, rng: random.Random) -> LifeStoryOutput:
    """Return a brief life story of the outline."""
    words = _wordings(asked.edition)["life_stories"]
    relatives = [_relative(one) for one in asked.relatives]
    fields = {
        "name": asked.name,
        "age": str(asked.age),
        "career": asked.career or "without work",
        "relatives": _listed(relatives),
    }
    kinds = ("beginnings", "middles", "relatives" if relatives else "nobody")
    return LifeStoryOutput(life_story=" ".join(_sentence(rng.choice(words[kind]), fields) for kind in kinds))


def _relative(phrase: str) -> str:
    """Return ``Zosime, mother, 71`` as ``Zosime (mother, 71)``."""
    name, _, rest = phrase.partition(", ")
    return f"{name} ({rest})" if rest else name


def write_concept(asked: ConceptWritingInput, rng: random.Random) -> ConceptWritingOutput:
    """Return persona and visual description of a concept."""
    words = _wordings(asked.edition)
    animal = asked.kind == "animal"
    fields = {
        "name": asked.name,
        "age": _years(asked.age) if animal else str(asked.age),
        "career": asked.career,
        "tastes": _listed(asked.tastes) or "a quiet life",
        "species": asked.species or "pet",
        "traits": _listed(asked.traits),
    }
    kind = "pets" if animal else "working" if asked.career else "without_work"
    habit = rng.choice(words["personas"]["pet_habits" if animal else "habits"])
    persona = f"{_sentence(rng.choice(words['personas'][kind]), fields)} {habit}"
    look = "pets" if animal else "people" if asked.traits else "plain"
    description = _sentence(rng.choice(words["looks"][look]), fields)
    return ConceptWritingOutput(persona=persona, visual_description=description)


def _years(age: int) -> str:
    return f"{age} years" if age > 1 else "one year" if age else "a few months"


def refine_concepts(asked: ConceptRefinementInput, rng: random.Random) -> ConceptRefinementOutput:
    """Return the descriptions; what relatives share is said once more in the same words, and with whom."""
    words = _wordings(asked.edition)["looks"]["shared"]
    found = []
    for one in asked.concepts:
        kin = [other.name for other in asked.concepts if other is not one and _share(one, other)]
        text = one.visual_description
        if one.kin_traits and kin:
            fields = {"kin": _listed(kin), "traits": _listed(one.kin_traits)}
            text = f"{text} {_sentence(rng.choice(words), fields)}"
        found.append(text)
    return ConceptRefinementOutput(visual_descriptions=tuple(found))


def _share(one: ConceptLook, other: ConceptLook) -> bool:
    """Return whether all that ``one`` shares with relatives is seen in ``other`` too."""
    return set(one.kin_traits) <= set(other.traits)


def write_event_story(asked: EventStoryInput, rng: random.Random) -> EventStoryOutput:
    """Return the captions of a day as one story."""
    captions = [" ".join(text.split()) for text in dict.fromkeys(asked.captions)]
    story = " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in captions)
    return EventStoryOutput(story=_shortened(story, _LONGEST_STORY))


def write_event(asked: EventWritingInput, rng: random.Random) -> EventWritingOutput:
    """Return narrative, description and captions of an event.

    Raises:
        LifeNotWorded: there is no way to say the activity, or nobody is there.
    """
    ways = [words for words in asked.activity_words if words.strip()]
    if not ways:
        raise LifeNotWorded(f"there is no way to say what happened on {asked.date}")
    if not asked.people:
        raise LifeNotWorded(f"nobody is there on {asked.date}")
    activity = rng.choice(ways)
    return EventWritingOutput(
        narrative=_narrative(asked, rng),
        description=_description(asked, activity, rng),
        captions=tuple(_caption(shot, asked.edition, rng) for shot in asked.shots),
    )


def _description(asked: EventWritingInput, activity: str, rng: random.Random) -> str:
    words = _wordings(asked.edition)
    own = random.Random(stable_hash("owner's phrases", asked.owner))  # noqa: S311 - not for secrets
    manner = own.choice(_MANNERS)
    present = any(one.role == _OWNER for one in asked.people)
    company = [_called(one, rng) for one in asked.people if one.named]
    cores = words[_situation(asked.people, present)][_form(activity)]
    where = f" {asked.place}" if asked.says_place else ""
    core = rng.choice(cores).format(a=activity, n=_listed(company), ni=_listed([*company, "I"]), p=where)
    closings = _favoured(words["closings"] if present else words["closings_away"], own)
    if len(asked.people) == 1:
        closings = [one for one in closings if not _OF_SEVERAL.search(one)] or [""]
    openings = _favoured(words["openings"], own)
    opening = f"{rng.choice(openings)} " if rng.random() < _OPENED and ":" not in core else ""
    closing = f" {rng.choice(closings)}" if rng.random() < _CLOSED else ""
    return _in_manner(opening, core, closing, manner if rng.random() < _IN_MANNER else "plain", words, rng)


def _situation(people: Sequence[EventPerson], present: bool) -> str:
    named = any(one.named for one in people)
    if present:
        return "together" if named else "alone" if len(people) == 1 else "unnamed"
    return "away" if named else "away_unnamed"


def _form(activity: str) -> str:
    """Return how an activity is said: ``doing``, ``thing`` or ``out``, which tells the sentences that it fits."""
    first, *rest = activity.lower().split()
    if first in ("out", "off"):
        return "out"
    if first in ("a", "an", "the", "some"):
        return "thing"
    gerund = first.endswith("ing") or bool(rest and rest[0].endswith("ing"))
    return "doing" if gerund else "thing"


def _in_manner(
    opening: str, core: str, closing: str, manner: Manner, words: Mapping[str, Any], rng: random.Random
) -> str:
    if manner == "lower case":
        opening = f"{opening[:1].lower()}{opening[1:]}"
        return f"{opening}{core}{'.' if closing else ''}{closing.removesuffix('.')}"
    stop = "!" if manner == "loud" else "."
    core = core if opening else f"{core[:1].upper()}{core[1:]}"
    text = f"{opening}{core}{stop}{closing}"
    if manner == "loud" and closing.endswith("."):
        text = f"{text.removesuffix('.')}!"
    if manner == "emoji":
        return f"{text} {rng.choice(words['emojis'])}"
    return f"{text} {rng.choice(words['tags'])}" if manner == "tags" else text


def _favoured(phrases: Sequence[str], own: random.Random) -> list[str]:
    return own.sample(list(phrases), max(1, round(_FAVOURED * len(phrases))))


def _called(person: EventPerson, rng: random.Random) -> str:
    """Return what the owner calls somebody; as often by the name as in any other way."""
    others = [way for way in person.called if way != person.name]
    if person.name in person.called and (not others or rng.random() < 0.5):
        return person.name
    return rng.choice(others) if others else person.name


def _narrative(asked: EventWritingInput, rng: random.Random) -> str:
    words = _wordings(asked.edition)["narrative"]
    others = [one.name for one in asked.people if one.role != _OWNER]
    things = list(dict.fromkeys(thing for shot in asked.shots for thing in shot.things))
    fields = {"a": asked.activity, "p": f" {asked.place}", "n": _listed(others), "t": _listed(things)}
    kinds = ["beginnings", "people" if others else "nobody", *(["things"] if things else []), "endings"]
    sentences = [_sentence(rng.choice(words[kind]), fields) for kind in kinds]
    scene = _shortened(asked.seed_story, _LONGEST_SCENE)
    if _names_nobody(scene):
        sentences.insert(-1, f"It was a little like this: {scene}")
    return " ".join(sentences)


def _names_nobody(scene: str) -> bool:
    """Return whether a scene surely names nobody: every sentence begins plainly, and no other word has a capital."""
    sentences = [one for one in re.split(r"(?<=[.!?])\s+", scene) if one]
    return bool(sentences) and all(_PLAIN.match(one) and not _SOMEBODY.search(one) for one in sentences)


def _caption(shot: ShotBrief, edition: str, rng: random.Random) -> str:
    words = _wordings(edition)["captions"]
    things = f" with {_listed(shot.things)}" if shot.things else ""
    fields = {
        "n": _listed(shot.who),
        "p": shot.place,
        "when": shot.time_of_day,
        "sky": shot.weather,
        "t": things,
    }
    return _sentence(rng.choice(words["with_people" if shot.who else "without_people"]), fields)


def _sentence(template: str, fields: Mapping[str, str]) -> str:
    text = " ".join(template.format(**fields).split())
    return text[:1].upper() + text[1:]


def _shortened(text: str, most: int) -> str:
    """Return the whole sentences of ``text`` that fit into ``most`` characters, or else its whole words."""
    if len(text) <= most:
        return text
    cut = text[:most]
    end = max(cut.rfind(mark) for mark in (". ", "! ", "? "))
    return cut[: end + 1] if end > 0 else f"{cut.rsplit(' ', 1)[0]}."


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
