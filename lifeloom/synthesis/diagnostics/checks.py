"""What must hold of diagnostic cases before they are published: nothing but the picture says who is meant (C10)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from lifeloom.records import DiagnosticCase, DiagnosticDialoguePlan, Rejection
from lifeloom.streams import Streams
from lifeloom.synthesis.diagnostics.making import DIALOGUE_MISSING
from lifeloom.synthesis.diagnostics.planning import DIALOGUES, DIALOGUES_A_PERSON
from lifeloom.synthesis.diagnostics.words import diagnostic_problem, turns_of
from lifeloom.tasks import DiagnosticDialogueOutput, DialogueExchange

__all__ = ["account_problems", "balance_problems", "context_problems", "truth_problems", "worded_problems"]

_BLOCK = 6
"""Cases in a row over which instructions are evenly spread."""
_PRINTED = (DIALOGUES_A_PERSON, *(1,) * (DIALOGUES - DIALOGUES_A_PERSON))
_SHAPE = (3, 3, 3, 1)


def context_problems(
    cases: Iterable[DiagnosticCase], plans: Mapping[str, DiagnosticDialoguePlan], *, as_printed: bool
) -> list[str]:
    """Return what is wrong with contexts: who recurs, pictures, days, places, names, actions, keywords."""
    problems = []
    for case in cases:
        told = [plans[one.dialogue_id] for one in case.entries]
        by_person: dict[str, list[DiagnosticDialoguePlan]] = defaultdict(list)
        for one in told:
            by_person[one.identity].append(one)
        shape = tuple(sorted(map(len, by_person.values()), reverse=True))
        if shape != (_PRINTED if as_printed else _SHAPE) or len(by_person.get(case.identity, ())) != DIALOGUES_A_PERSON:
            problems.append(f"{case.case_id} has people with {', '.join(map(str, shape))} dialogues")
        pictures = [one.picture.content_hash for one in case.entries]
        if case.query.content_hash in pictures:
            problems.append(f"{case.case_id} has its query picture in its context")
        if len(set(pictures)) != len(pictures):
            problems.append(f"{case.case_id} shows a picture twice")
        for what, values in (
            ("on one day", [one.met_on for one in told]),
            ("at one place", [word for one in told for word in one.location.lower().split()]),
            ("with one action", [one.action for one in told if one.action]),
            ("with one keyword", [one.keyword for one in told if one.keyword]),
        ):
            if len(set(values)) != len(values):
                problems.append(f"{case.case_id} has two meetings {what}")
        if len({(one.identity, one.person) for one in told}) != len({one.person for one in told}) or len(
            {one.person for one in told}
        ) != len(by_person):
            problems.append(f"{case.case_id} calls two people the same, or one by two names")
        if not as_printed and any(not max(own, key=lambda one: one.met_on).action for own in by_person.values()):
            problems.append(f"{case.case_id} has a last dialogue without an action, which tells whose it is not")
    return problems


def truth_problems(cases: Iterable[DiagnosticCase], plans: Mapping[str, DiagnosticDialoguePlan]) -> list[str]:
    """Return the cases whose answers are not those of the latest dialogue about the query's person."""
    problems = []
    for case in cases:
        told = [plans[one.dialogue_id] for one in case.entries]
        own = [one for one in told if one.identity == case.identity]
        last = max(own, key=lambda one: one.met_on)
        if (case.location, case.action) != (last.location, last.action):
            problems.append(f"{case.case_id} does not ask for the latest meeting with its person")
        if case.keyword != last.keyword or any(one.keyword for one in own if one is not last):
            problems.append(f"{case.case_id} has another instruction than that of its person's last dialogue")
        if case.keywords != tuple(one.keyword for one in told if one.keyword):
            problems.append(f"{case.case_id} does not list the keywords of its context")
    return problems


def balance_problems(
    cases: Sequence[DiagnosticCase], people: Sequence[str], *, rejected: int, as_printed: bool
) -> list[str]:
    """Return whether somebody is asked about oftener than others, or instructions are not there in half of the cases.

    Args:
        cases: of the release.
        people: everybody who could be asked about.
        rejected: cases that are missing, by which numbers may differ.
        as_printed: whether all cases have an instruction.
    """
    problems = []
    counts = Counter(dict.fromkeys(people, 0))
    counts.update(case.identity for case in cases)
    if counts and max(counts.values()) - min(counts.values()) > 1 + rejected:
        (often, most), (seldom, least) = counts.most_common(1)[0], counts.most_common()[-1]
        problems.append(f"{often} is asked about {most} times and {seldom} {least} times")
    due = sum(bool(case.keyword) for case in cases)
    if as_printed and due != len(cases):
        problems.append(f"{len(cases) - due} cases have no instruction")
    if not as_printed and abs(2 * due - len(cases)) > _BLOCK + rejected:
        problems.append(f"{due} of {len(cases)} cases have an instruction about their person instead of half")
    return problems


def worded_problems(
    cases: Iterable[DiagnosticCase], plans: Mapping[str, DiagnosticDialoguePlan], streams: Streams
) -> list[str]:
    """Return the dialogues that do not say what is planned."""
    problems = []
    for case in cases:
        for entry in case.entries:
            plan = plans[entry.dialogue_id]
            written = DiagnosticDialogueOutput(
                turns=tuple(DialogueExchange(user=one.user, assistant=one.assistant) for one in entry.turns)
            )
            if problem := diagnostic_problem(written, plan, turns_of(plan, streams)):
                problems.append(f"{entry.dialogue_id}: {problem}")
    return problems


def account_problems(cases: Iterable[DiagnosticCase], rejections: Iterable[Rejection], wanted: int) -> list[str]:
    """Return whether every case is there or has a reason why it is not."""
    there = sum(1 for _ in cases)
    lost = sum(one.reason == DIALOGUE_MISSING for one in rejections)
    if there + lost == wanted:
        return []
    return [f"{wanted} cases were wanted, {there} are there and {lost} are left out with a reason"]
