"""The shortcut audit of diagnostics: what is answered right without looking at the query picture (N3).

Every policy here reads the dialogues perfectly, from their plans, and does not know who is in the query picture.

Chance in our contexts. Three people recur, and who of them is in the query picture is drawn after all else, so the text
is as likely with each of them as the query's person. LSD, LAR: whoever names one person's last place or action is right
in 1/3 of the cases at best; the places of a context share no word, so a wrong one earns no F1. Naming m of the three
last places has precision 1/m, and recall 1 in m/3 of the cases: F1 is 2/(m + 1), its mean 2m/(3(m + 1)): 1/3, 4/9 and
1/2 for one, two and three places, so 1/2 is the most that any text-only answer gets. ITR: one or two of the three have
left an instruction. Where one has, silence is right in 2/3 of the cases and the keyword in 1/3; where two have, silence
in 1/3 and either keyword in 1/3. Both kinds are equally frequent, so the best is (2/3 + 1/3) / 2 = 1/2, as for a policy
that never says a keyword.

The paper's contexts as printed give everything away: only the query's person recurs, only their last dialogue has an
action, and there is one keyword. The audit fails them.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.records import (
    DIAGNOSTIC_TASKS,
    DiagnosticCase,
    DiagnosticDialoguePlan,
    DiagnosticTask,
    Record,
)
from lifeloom.records.base import Identifier
from lifeloom.scoring.diagnostic_scoring import score_keyword, score_place
from lifeloom.scoring.metrics import binomial_lower_bound
from lifeloom.streams import Streams

__all__ = [
    "CHANCE",
    "BlindAnswer",
    "DiagnosticAuditRow",
    "audit_diagnostics",
    "blind_answers",
    "diagnostic_audit_markdown",
]

CHANCE: Mapping[DiagnosticTask, float] = {"lsd": 1 / 3, "lar": 1 / 3, "itr": 1 / 2}
"""Of a policy that settles for one person; derived above."""
EVERY_RECURRING = "every_recurring"
_HEDGED = 1 / 2
"""LSD of a policy that names the last places of all three."""
_CONFIDENCE = 0.95

Told = Sequence[DiagnosticDialoguePlan]


@dataclass(frozen=True)
class BlindAnswer:
    """What a policy says that has not seen the query picture; None: it has nothing to say on the matter."""

    place: str | None
    action: str | None
    keywords: str
    """Keywords that it says, separated by spaces; empty: it says none."""


class DiagnosticAuditRow(Record):
    """What one policy without the query picture reaches on one task."""

    KIND: ClassVar[str] = "diagnostic_audit_row"

    release_id: Identifier
    policy: Identifier
    task: DiagnosticTask
    cases: int = Field(ge=0)
    score: float
    """Mean over cases, 0..1."""
    lower_bound: float
    """One-sided 95 %, shared out over policies and tasks (Bonferroni)."""
    limit: float
    """Chance and margin."""
    verdict: Literal["passed", "failed", "inconclusive"]

    def sentence(self) -> str:
        """Return the verdict in words."""
        return (
            f"{self.policy} reaches {self.score:.1%} on {self.task} in {self.cases} cases (at least "
            f"{self.lower_bound:.1%}), the limit is {self.limit:.1%}: {self.verdict}"
        )


def blind_answers(told: Told, rng: random.Random) -> dict[str, BlindAnswer]:
    """Return what each policy says, from all that the dialogues of a context tell.

    Args:
        told: the dialogues, in the order of the context.
        rng: for what is guessed.
    """
    by_person: dict[str, list[DiagnosticDialoguePlan]] = defaultdict(list)
    for one in told:
        by_person[one.person].append(one)
    most = max(map(len, by_person.values()))
    recurring = [person for person, own in by_person.items() if len(own) == most]
    acting = [one for one in told if one.action]
    instructed = [one for one in told if one.keyword]
    latest = max(told, key=lambda one: one.met_on)
    marked = [one for one in acting if one.keyword] or acting or list(told)
    guessed = rng.choice(recurring)
    lasts = [_last(by_person[person]) for person in recurring]
    return {
        "text_only": _of(_last(by_person[guessed]), by_person),
        "most_frequent": _of(_last(by_person[recurring[0]]), by_person),
        "latest_dialogue": _of(latest, by_person),
        "only_action": _of(rng.choice(acting or list(told)), by_person),
        "action_and_instruction": _of(rng.choice(marked), by_person),
        "always_the_keyword": BlindAnswer(None, None, rng.choice(instructed).keyword if instructed else ""),
        "all_keywords": BlindAnswer(None, None, " ".join(one.keyword for one in instructed)),
        "no_keyword": BlindAnswer(None, None, ""),
        EVERY_RECURRING: BlindAnswer(
            ", ".join(one.location for one in lasts), ", ".join(one.action for one in lasts), ""
        ),
    }


def audit_diagnostics(
    release: str,
    cases: Sequence[DiagnosticCase],
    plans: Mapping[str, DiagnosticDialoguePlan],
    streams: Streams,
    *,
    margin: float,
    minimum: int,
) -> list[DiagnosticAuditRow]:
    """Let every policy answer every case, and say which of them does better than chance.

    LAR is right where the policy names the one right action and no other: no judge is needed.

    Args:
        release: date.
        cases: of the release.
        plans: by dialogue.
        streams: the profile's.
        margin: above chance, from which on a policy fails when it is surely above.
        minimum: cases below which nothing is decided.
    """
    scores: dict[tuple[str, DiagnosticTask], list[float]] = defaultdict(list)
    for case in cases:
        told = [plans[one.dialogue_id] for one in case.entries]
        for name, answer in blind_answers(told, streams.rng("diagnostic_audit", case.case_id)).items():
            for task in DIAGNOSTIC_TASKS:
                score = _score(task, answer, case)
                if score is not None:
                    scores[name, task].append(score)
    return [
        _row(release, name, task, values, tests=len(scores), margin=margin, minimum=minimum)
        for (name, task), values in scores.items()
    ]


def diagnostic_audit_markdown(rows: Iterable[DiagnosticAuditRow]) -> str:
    """Return the audit as a table."""
    lines = [
        "| without the query picture | task | cases | score | surely at least | limit | verdict |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in rows:
        lines.append(
            f"| {one.policy.replace('_', ' ')} | {one.task.upper()} | {one.cases} | {one.score:.1%} | "
            f"{one.lower_bound:.1%} | {one.limit:.1%} | {one.verdict} |"
        )
    return "\n".join(lines)


def _last(own: Told) -> DiagnosticDialoguePlan:
    return max(own, key=lambda one: one.met_on)


def _of(chosen: DiagnosticDialoguePlan, by_person: Mapping[str, Told]) -> BlindAnswer:
    keyword = next((one.keyword for one in by_person[chosen.person] if one.keyword), "")
    return BlindAnswer(chosen.location, chosen.action, keyword)


def _score(task: DiagnosticTask, answer: BlindAnswer, case: DiagnosticCase) -> float | None:
    if task == "itr":
        return float(score_keyword(answer.keywords, case.keyword, case.keywords).correct)
    if task == "lar":
        return None if answer.action is None else float(answer.action == case.action)
    return None if answer.place is None else score_place(answer.place, case.location).multiset


def _row(
    release: str,
    policy: str,
    task: DiagnosticTask,
    values: Sequence[float],
    *,
    tests: int,
    margin: float,
    minimum: int,
) -> DiagnosticAuditRow:
    limit = (_HEDGED if (policy, task) == (EVERY_RECURRING, "lsd") else CHANCE[task]) + margin
    score = sum(values) / len(values)
    # F1 varies less than hits and misses with the same mean, so their bound is the lower one.
    lower = binomial_lower_bound(int(sum(values)), len(values), confidence=1 - (1 - _CONFIDENCE) / tests)
    verdict: Literal["passed", "failed", "inconclusive"] = "passed"
    if lower > limit:
        verdict = "failed"
    elif len(values) < minimum or score > limit:
        verdict = "inconclusive"
    return DiagnosticAuditRow(
        release_id=release,
        policy=policy,
        task=task,
        cases=len(values),
        score=score,
        lower_bound=lower,
        limit=limit,
        verdict=verdict,
    )
