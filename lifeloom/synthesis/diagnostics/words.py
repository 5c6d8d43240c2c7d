"""Diagnostic dialogues in words: the writer is asked, and rules hold what it wrote to the plan.

A dialogue that a rule refuses is asked for once more, then given up with its reason.
"""

from __future__ import annotations

import re

from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import (
    DiagnosticDialoguePlan,
    DialogueFact,
    DialogueTurn,
    LibraryImage,
    Provenance,
    Rejection,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue.diagnostic_facts import KEYWORDS
from lifeloom.synthesis.catalogue.dialogue_facts import canonical_day
from lifeloom.synthesis.contexts.words import says_fact
from lifeloom.tasks import (
    DIAGNOSTIC_DIALOGUE_WRITING,
    DiagnosticDialogueInput,
    DiagnosticDialogueOutput,
    DiagnosticStatement,
)

__all__ = ["diagnostic_problem", "turns_of", "write_meeting"]

_MOST_TURNS = 3
_ATTEMPTS = 2
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_TO_DO = re.compile(
    r"\b(?:I|we) (?:still |just |really |now )?(?:need to|have to|must|should|have got to|had better|ought to|"
    r"am going to|will go|am about to|was about to)\b|\bI'(?:ve got|m going|m about) to\b|\berrand\b|\bon my way to\b",
    re.IGNORECASE,
)
_REMIND = re.compile(r"\b(?:remind|keyword|code ?word|password)\b", re.IGNORECASE)


def turns_of(plan: DiagnosticDialoguePlan, streams: Streams) -> tuple[tuple[DiagnosticStatement, ...], ...]:
    """Return what each of one to three turns states: the meeting first, action and instruction in any later place.

    How many turns there are says nothing of whose dialogue it is.
    """
    rng = streams.rng("diagnostic_turns", plan.dialogue_id)
    turns: list[list[DiagnosticStatement]] = [[] for _ in range(rng.randint(1, _MOST_TURNS))]
    turns[0].append("meeting")
    further: list[DiagnosticStatement] = []
    if plan.action:
        further.append("action")
    if plan.keyword:
        further.append("instruction")
    rng.shuffle(further)
    places = sorted(rng.randrange(len(turns)) for _ in further)
    for place, one in zip(places, further, strict=True):
        turns[place].append(one)
    return tuple(tuple(one) for one in turns)


def write_meeting(
    model: LanguageModel, plan: DiagnosticDialoguePlan, image: LibraryImage, streams: Streams, *, stage: str
) -> tuple[tuple[DialogueTurn, ...], Provenance] | Rejection:
    """Return the dialogue and who wrote it, or why there is none.

    Args:
        model: the writer.
        plan: what is to be told.
        image: the person's picture; shown to a writer that takes pictures.
        streams: the profile's.
        stage: whose rejection it is.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the writer stopped answering.
    """
    shown = model.takes_pictures
    turns = turns_of(plan, streams)
    asked = DiagnosticDialogueInput(
        edition=plan.edition,
        person=plan.person,
        location=plan.location,
        met_on=canonical_day(plan.met_on),
        action=plan.action,
        keyword=plan.keyword,
        turns=turns,
        picture_shown=shown,
    )
    problem = ""
    for sample in range(_ATTEMPTS):
        try:
            given = model.run(DIAGNOSTIC_DIALOGUE_WRITING, asked, [image.picture] if shown else (), sample=sample)
        except GenerationRejected as error:
            problem = str(error)
            continue
        problem = diagnostic_problem(given.output, plan, turns)
        if not problem:
            return tuple(DialogueTurn(user=one.user, assistant=one.assistant) for one in given.output.turns), (
                given.provenance
            )
    return Rejection(stage=stage, item=plan.dialogue_id, reason="dialogue_not_as_planned", detail=problem[:500])


def diagnostic_problem(
    written: DiagnosticDialogueOutput,
    plan: DiagnosticDialoguePlan,
    turns: tuple[tuple[DiagnosticStatement, ...], ...],
) -> str:
    """Return what is wrong with a dialogue, or an empty text.

    Person, place and day are in the first turn and no other place or day of the kind is named again; the action and the
    keyword are said word for word once, in their turns; where none is planned, nothing is to be done and nobody is to
    be reminded.
    """
    if len(written.turns) != len(turns):
        return f"it has {len(written.turns)} turns instead of {len(turns)}"
    users = [one.user for one in written.turns]
    whole = " ".join(f"{one.user} {one.assistant}" for one in written.turns)
    if not _holds(users[0], plan.person):
        return f"the first turn does not say {plan.person!r}"
    day = DialogueFact(kind="time", value=canonical_day(plan.met_on), turn=0)
    if not says_fact(users[0], day):
        return f"the first turn does not say the day {day.value}"
    if len(_YEAR.findall(whole)) != 1:
        return "it names several days"
    for what, value, kind in (
        ("place", plan.location, "meeting"),
        ("action", plan.action, "action"),
        ("keyword", plan.keyword, "instruction"),
    ):
        if value and (problem := _said_once(users, turns, what, value, kind)):
            return problem
    if found := next((one for one in KEYWORDS if one != plan.keyword and re.search(rf"\b{one}\b", whole)), ""):
        return f"it says {found!r}, which is another keyword"
    plain = re.sub(re.escape(plan.action), " ", whole, flags=re.IGNORECASE) if plan.action else whole
    if not plan.action and (match := _TO_DO.search(plain)):
        return f"it says {match[0]!r} where nothing is to be done"
    if not plan.keyword and (match := _REMIND.search(plain)):
        return f"it says {match[0]!r} where there is no instruction"
    return ""


def _said_once(
    users: list[str], turns: tuple[tuple[DiagnosticStatement, ...], ...], what: str, value: str, kind: str
) -> str:
    """Return what is wrong: ``value`` is to be said by the user once, in the turn that states ``kind``."""
    place = next(number for number, kinds in enumerate(turns) if kind in kinds)
    said = [number for number, text in enumerate(users) for _ in range(_times(text, value, exact=what == "keyword"))]
    if said == [place]:
        return ""
    if place not in said:
        return f"turn {place + 1} does not say the {what}: {value}"
    return f"it says the {what} {len(said)} times: {value}"


def _times(text: str, words: str, *, exact: bool = False) -> int:
    flags = re.NOFLAG if exact else re.IGNORECASE
    return len(re.findall(rf"(?<!\w){re.escape(words)}(?!\w)", text, flags))


def _holds(text: str, words: str) -> bool:
    return _times(text, words) > 0
