"""Answers from what holds by now: core memory and the personality in the prompt."""

from __future__ import annotations

import re
from typing import Final

from lifeloom.models.builtin.reader.text import content_stems
from lifeloom.models.builtin.reasoner.addressing import second_person, to_user
from lifeloom.models.builtin.reasoner.relations import Relation
from lifeloom.tasks.response_step import ProfileLine, ResponseStepInput

__all__ = ["from_profile", "said_of"]

_SENTENCES: Final = {
    "name": "Your name is {}.", "age": "You are {}.", "birthday": "Your birthday is {}.",
    "birthplace": "You were born in {}.", "hometown": "You are from {}.", "home": "You live in {}.",
    "employer": "You work for {}.", "studies": "You study {}.", "diet": "You are {}.", "children": "You have {}.",
    "siblings": "You have {}.", "pet": "You have {}.", "languages": "You speak {}.", "marital status": "You are {}.",
    "handedness": "You are {}.", "partner": "Your partner is {}.", "mother tongue": "Your mother tongue is {}.",
}  # fmt: skip
_STATES: Final = frozenset({"retired", "unemployed", "self-employed", "freelance"})
_MOST_TOLD: Final = 12
"""Values in an answer about everything that is known of a user."""
_ILL: Final = re.compile(r"\b(?:allergy|allergies|disease|intolerance)\b")


def from_profile(step: ResponseStepInput, question: str, relation: Relation | None) -> str:
    """Return the answer that core memory or the personality gives to ``question``; empty where they give none.

    Args:
        step: what may be known.
        question: as the user puts it.
        relation: what it asks.
    """
    if relation is None:
        return _by_key(step, question) or _by_value(step, question)
    if relation.name == "personality":
        return _personality(step.personality)
    if relation.name == "self":
        return _everything(step)
    lines = _of_keys(step, relation)
    lines = _diet(lines, question) if relation.name == "diet" else lines[:1]
    return " ".join(dict.fromkeys(said_of(line) for line in lines))


def said_of(line: ProfileLine) -> str:
    """Return a core value as said to the user: ``home`` and ``York`` are "You live in York."."""
    value = line.content.strip().rstrip(". ")
    key = line.key.lower().strip().replace("_", " ")
    lowered = value.lower()
    if re.search(r"\bthe user\b", lowered):
        return f"{to_user(value)}."
    if re.match(r"(?:i|my|we|our)\b", lowered):
        return f"{second_person(value)}."
    if key in ("job", "occupation", "profession"):
        if lowered in _STATES or re.match(r"(?:an?|the) ", lowered):
            return f"You are {value}."
        return f"You work as {'an' if lowered[:1] in 'aeiou' else 'a'} {value}."
    if key in ("allergy", "allergies", "intolerance"):
        if _ILL.search(lowered):
            article = "" if re.match(r"(?:an?|the) |.*disease|.*allergies", lowered) else "a "
            return f"You have {article}{value}."
        if key == "intolerance" or "intolerant" in lowered:
            return f"You are {value}." if "intolerant" in lowered else f"You cannot tolerate {value}."
        return f"You are allergic to {value}."
    many = key.endswith("s") and not key.endswith("ss")
    return _SENTENCES.get(key, f"Your {key} {'are' if many else 'is'} {{}}.").replace("{}", value)


def _of_keys(step: ResponseStepInput, relation: Relation) -> list[ProfileLine]:
    """Return the values that tell of ``relation``, the most telling first."""
    found: list[ProfileLine] = []
    for wanted in relation.keys:
        if wanted:
            found += [line for line in step.profile if _is_key(line.key, wanted) and line not in found]
    return found


def _is_key(key: str, wanted: str) -> bool:
    words = key.lower().replace("_", " ").split()
    parts = wanted.split()
    return any(words[i : i + len(parts)] == parts for i in range(len(words))) and (
        len(parts) == len(words) or wanted not in ("name", "home", "work", "food")
    )


def _diet(lines: list[ProfileLine], question: str) -> list[ProfileLine]:
    """Return all that bears on what may be eaten, or only what is asked by name."""
    lowered = question.lower()
    for word, keys in (("allerg", ("allerg",)), ("intoleran", ("intoleran",))):
        if word in lowered:
            named = [
                line for line in lines if any(key in line.key.lower() or key in line.content.lower() for key in keys)
            ]
            if named:
                return named
    return lines


def _everything(step: ResponseStepInput) -> str:
    """Return who the user is: first what everybody says of themselves, then the rest."""
    order = ("name", "age", "job", "employer", "home")
    human = [line for line in step.profile if line.block == "human"]
    human.sort(key=lambda line: order.index(line.key.lower()) if line.key.lower() in order else len(order))
    return " ".join(dict.fromkeys(said_of(line) for line in human[:_MOST_TOLD]))


def _personality(told: str) -> str:
    """Return the marked traits of the personality in words; empty where it is not known."""
    parts = re.findall(r"(\w+) [\d.]+ \((high|low|middle)(?:: ([^()]*))?\)", told)
    if not parts:
        return ""
    marked = [f"{level} in {name.lower()}" for name, level, _ in parts if level != "middle"]
    if not marked:
        return "From how you write, you are in the middle in all five traits."
    joined = marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"
    return f"From how you write, you are {joined}."


def _by_key(step: ResponseStepInput, question: str) -> str:
    """Return the value whose key the question names after "my", as "my blood type"."""
    asked = re.search(r"\bmy ((?:[\w-]+ ?){1,4})", question.lower())
    if asked is None:
        return ""
    wanted = content_stems(asked[1])
    for line in step.profile:
        roots = content_stems(line.key.replace("_", " "))
        if line.block == "human" and roots and wanted[: len(roots)] == roots and len(wanted) == len(roots):
            return said_of(line)
    return ""


def _by_value(step: ResponseStepInput, question: str) -> str:
    """Return the value that a question asks to be confirmed: "Am I a vegetarian?"."""
    asked = re.match(r"(?:am|do) i\b(.*)", question.lower().strip())
    if asked is None:
        return ""
    wanted = frozenset(content_stems(asked[1]))
    human = (line for line in step.profile if line.block == "human")
    return next((said_of(line) for line in human if wanted and wanted <= frozenset(content_stems(line.content))), "")
