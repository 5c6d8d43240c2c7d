"""Dialogues in words: the writer is asked, and rules hold what it wrote to the plan (C3).

A dialogue that a rule refuses is asked for once more, then given up with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import ConceptDialoguePlan, DialogueFact, DialogueTurn, LibraryImage, Provenance, Rejection
from lifeloom.synthesis.catalogue.dialogue_facts import MONTHS, NUMBER_WORDS
from lifeloom.tasks import CONCEPT_DIALOGUE_WRITING, ConceptDialogueInput, ConceptDialogueOutput, FactBrief

__all__ = ["TURNS", "dialogue_problem", "says_fact", "write_concept_dialogue"]

TURNS = 3
"""Of a dialogue (Section 3.2.1, Table 1)."""
_ATTEMPTS = 2
_DIGITS: Mapping[str, str] = MappingProxyType(
    dict(zip(NUMBER_WORDS, ("2", "3", "4", "5", "6", "7", "8", "9", "11", "12"), strict=True))
)
_MONTH = "|".join(MONTHS)
_SAID_DAYS = (
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH}),? (?P<year>\d{{4}})\b", re.IGNORECASE
    ),
    re.compile(rf"\b(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})\b", re.IGNORECASE),
    re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b"),
)
"""Forms in which people write a day."""
_OPINIONS = re.compile(
    r"\b((?:I|we|you|they|he|she) (?:really |also )?like[sd]?|love[sd]?|enjoy(?:s|ed)?|hate[sd]?|prefer(?:s|red)?|"
    r"favou?rite|beautiful|wonderful|amazing|lovely|great|nice|happy|sad|fun|fantastic|usually|always|often|"
    r"every (?:day|week|month|year))\b",
    re.IGNORECASE,
)
"""Opinions, feelings and habits: nothing of it can be checked (Section 3.2.1)."""


def write_concept_dialogue(
    model: LanguageModel, plan: ConceptDialoguePlan, image: LibraryImage, *, stage: str
) -> tuple[tuple[DialogueTurn, ...], Provenance] | Rejection:
    """Return the dialogue and who wrote it, or why there is none.

    Args:
        model: the writer.
        plan: what is to be told.
        image: the concept's picture; shown to a writer that takes pictures.
        stage: whose rejection it is.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the writer stopped answering.
    """
    shown = model.takes_pictures
    asked = ConceptDialogueInput(
        edition=plan.edition,
        category=image.category,
        noun=image.noun,
        handle=plan.handle,
        turns=tuple(
            tuple(FactBrief(kind=one.kind, value=one.value) for one in plan.facts if one.turn == turn)
            for turn in range(TURNS)
        ),
        picture_shown=shown,
    )
    problem = ""
    for sample in range(_ATTEMPTS):
        try:
            given = model.run(CONCEPT_DIALOGUE_WRITING, asked, [image.picture] if shown else (), sample=sample)
        except GenerationRejected as error:
            problem = str(error)
            continue
        problem = dialogue_problem(given.output, plan)
        if not problem:
            turns = tuple(DialogueTurn(user=one.user, assistant=one.assistant) for one in given.output.turns)
            return turns, given.provenance
    return Rejection(stage=stage, item=plan.dialogue_id, reason="dialogue_not_as_planned", detail=problem[:500])


def dialogue_problem(written: ConceptDialogueOutput, plan: ConceptDialoguePlan) -> str:
    """Return what is wrong with a dialogue, or an empty text.

    Every planned fact is stated by the user in its turn and in no other, no other day is named, nothing that a wrong
    option of a question says stands anywhere, the handle is in the first turn, and there are no opinions, feelings or
    habits.
    """
    if len(written.turns) != TURNS:
        return f"it has {len(written.turns)} turns instead of {TURNS}"
    if not _holds(written.turns[0].user, plan.handle):
        return f"the first turn does not say {plan.handle!r}"
    for fact in plan.facts:
        if not says_fact(written.turns[fact.turn].user, fact):
            return f"turn {fact.turn + 1} does not state the {fact.kind}: {fact.value}"
        again = [turn for turn, said in enumerate(written.turns) if turn != fact.turn and says_fact(said.user, fact)]
        if again:
            return f"turn {again[0] + 1} states the {fact.kind} too: {fact.value}"
    whole = " ".join(f"{one.user} {one.assistant}" for one in written.turns)
    planned = {day for fact in plan.facts if fact.kind == "time" for day in _days(fact.value)}
    if _days(whole) - planned:
        return "it names a day that is not planned"
    for fact in plan.facts:
        for option in fact.options:
            if says_fact(whole, DialogueFact(kind=fact.kind, value=option, turn=0)):
                return f"it says {option!r}, which is a wrong option of a question"
    plain = whole
    for fact in plan.facts:
        plain = re.sub(re.escape(fact.value), " ", plain, flags=re.IGNORECASE)
    if found := _OPINIONS.search(plain.replace(plan.handle, " ")):
        return f"it says {found[0]!r}: opinions, feelings and habits cannot be checked"
    return ""


def says_fact(text: str, fact: DialogueFact) -> bool:
    """Return whether ``text`` states a fact: days in any usual form, numbers as words or digits, else word for word."""
    if fact.kind == "time" and (days := _days(fact.value)):
        _, _, clock = fact.value.partition(" at ")
        return days <= _days(text) and (not clock or _holds(text, clock))
    number, _, rest = fact.value.partition(" ")
    if fact.kind == "object" and number in _DIGITS:
        return any(_holds(text, f"{one} {rest}") for one in (number, _DIGITS[number]))
    return _holds(text, fact.value)


def _days(text: str) -> set[tuple[int, int, int]]:
    """Return the days that ``text`` names, as year, month and day."""
    found = (match.groupdict() for form in _SAID_DAYS for match in form.finditer(text))
    return {(int(one["year"]), _month(one["month"]), int(one["day"])) for one in found}


def _month(said: str) -> int:
    return int(said) if said.isdigit() else MONTHS.index(said.capitalize()) + 1


def _holds(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None
