"""How a kind of harmful sentence is told: an action and what it is done to.

A pattern works on a sentence's words in lower case, one space between them, commas kept as words of their own.
Its actions come first: only sentences with the first word of an action are searched at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["NAME", "Harm", "harm"]

NAME: Final = "~"
"""Stands for a name of a person in the words that are searched."""


@dataclass(frozen=True, slots=True)
class Harm:
    """A kind of harmful sentence."""

    reason: str
    first_words: frozenset[str]
    pattern: re.Pattern[str]
    needs_intent: bool
    """The words harm only when they are wanted, planned, advised or asked for: "I hurt my brother" does not."""
    hard: bool
    """Not excused by fiction."""


def _forms(action: str) -> list[str]:
    """Return an action with its -ing form: ``beat up`` gives ``beating up`` too."""
    verb, _, rest = action.partition(" ")
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        active = verb[:-1] + "ing"
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdgmnpt]", verb):
        active = verb + verb[-1] + "ing"
    else:
        active = verb + "ing"
    return [f"{form} {rest}".strip() for form in (verb, active)]


def harm(
    reason: str,
    actions: str,
    what: str = "",
    *,
    who: str = "",
    gap: int = 0,
    unless: str = "",
    as_is: bool = False,
    intent: bool = False,
) -> Harm:
    """Return a harm: one of ``actions`` (parted by |), at most ``gap`` words, then ``what`` (a pattern).

    ``who`` is a pattern to be found in place of the actions, whose first words they are then; ``unless`` must
    not follow; ``as_is`` leaves out -ing forms; ``intent`` asks for words of intent before.
    """
    listed = [action.strip() for action in actions.split("|")]
    forms = listed if as_is else [form for action in listed for form in _forms(action)]
    pattern = rf"(?<!\S)(?:{'|'.join(re.escape(form) for form in sorted(forms, key=len, reverse=True))})(?!\S)"
    if who:
        pattern = rf"(?<!\S){who}(?!\S)"
    if what:
        pattern += rf" (?:[^\s,]+ (?:, )?){{0,{gap}}}?(?:{what})(?!\S)"
    if unless:
        pattern += rf"(?! ,?(?:{unless}))"
    first = frozenset(form.split(" ")[0] for form in forms)
    return Harm(reason, first, re.compile(pattern), intent, reason in _HARD)


_HARD: Final = frozenset({"hate", "sexual content", "self-harm", "abuse"})
