"""Labelled faults, put into copies of good conversations on request, and what the checks make of them (P4)."""

from __future__ import annotations

import collections
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from lifeloom.models.protocol import LanguageModel
from lifeloom.records import ConversationPlan, PlannedFact, Session, Turn
from lifeloom.store import DatasetReader
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue import UnknownAttributeError, attribute
from lifeloom.synthesis.dialogues import Conversation
from lifeloom.synthesis.fault_texts import CLAIMS, DENIALS, UNSAFE_ASSISTANT, UNSAFE_USER, WISHES
from lifeloom.synthesis.making import ConversationOrder
from lifeloom.synthesis.rules.findings import Finding, Reason
from lifeloom.synthesis.validation import find_problems

__all__ = [
    "FAULT_KINDS",
    "CheckQuality",
    "FaultKind",
    "FaultLabel",
    "Faulted",
    "KindQuality",
    "inject",
    "measure_checks",
]

FaultKind = Literal["swapped_dates", "lost_turns", "contradicted_facts", "unsafe_text"]
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)


@dataclass(frozen=True)
class FaultLabel:
    """One fault that was put in, and where."""

    kind: FaultKind
    turns: tuple[int, ...]
    """Indices of the turns that it touches, ascending."""
    detail: str


@dataclass(frozen=True)
class Faulted:
    """A conversation with faults."""

    conversation: Conversation
    labels: tuple[FaultLabel, ...]
    """One a kind; a kind for which the conversation gives no occasion has none."""


def inject(
    conversation: Conversation, plan: ConversationPlan, kinds: Sequence[FaultKind], rng: random.Random
) -> Faulted:
    """Return a copy of ``conversation`` with one fault of each of ``kinds``.

    Args:
        conversation: a good one.
        plan: what it was written from.
        kinds: lost turns are taken away last, so that the other faults stay in.
        rng: which turns, and how.
    """
    labels: list[FaultLabel] = []
    turns = list(conversation.turns)
    makers: dict[FaultKind, Callable[[], _Fault | None]] = {
        "swapped_dates": lambda: _swap_dates(turns, rng),
        "contradicted_facts": lambda: _contradict(turns, plan, rng),
        "unsafe_text": lambda: _say_unsafe(turns, rng),
        "lost_turns": lambda: _lose_turns(turns, rng, {turn for label in labels for turn in label.turns}),
    }
    for kind, make in makers.items():
        if kind in kinds and (fault := make()) is not None:
            turns = fault.turns
            labels.append(FaultLabel(kind, tuple(sorted(fault.touched)), fault.detail))
    return Faulted(replace(conversation, turns=tuple(turns)), tuple(labels))


@dataclass(frozen=True)
class _Fault:
    turns: list[Turn]
    touched: Sequence[int]
    detail: str


def _swap_dates(turns: Sequence[Turn], rng: random.Random) -> _Fault | None:
    """Let two turns change their times."""
    if len(turns) < 2:
        return None
    one, other = sorted(rng.sample(range(len(turns)), 2))
    changed = list(turns)
    changed[one] = turns[one].model_copy(update={"at": turns[other].at})
    changed[other] = turns[other].model_copy(update={"at": turns[one].at})
    touched = (turns[one].turn_index, turns[other].turn_index)
    return _Fault(changed, touched, "times of two turns exchanged")


def _lose_turns(turns: Sequence[Turn], rng: random.Random, kept: set[int]) -> _Fault | None:
    """Take one to three turns away that stand together and bear no other fault."""
    count = rng.randint(1, min(3, max(1, len(turns) // 4)))
    starts = [
        start
        for start in range(len(turns) - count + 1)
        if not kept & {turn.turn_index for turn in turns[start : start + count]}
    ]
    if len(turns) <= count or not starts:
        return None
    start = rng.choice(starts)
    lost = [turn.turn_index for turn in turns[start : start + count]]
    return _Fault([*turns[:start], *turns[start + count :]], lost, f"{count} turns taken away")


def _contradict(turns: Sequence[Turn], plan: ConversationPlan, rng: random.Random) -> _Fault | None:
    """Let the user contradict the plan: another value for the planned one, a false claim, a denial, a relation."""
    makers = [_replace_value, _claim_value, _deny_value, _claim_relation]
    weights = (4, 4, 1, 1)
    first = rng.choices(makers, weights)[0]
    # A conversation without the facts for one way gets another.
    for make in (first, *(other for other in makers if other is not first)):
        if fault := make(turns, plan, rng):
            return fault
    return None


def _stated(turns: Sequence[Turn], plan: ConversationPlan) -> list[tuple[int, PlannedFact]]:
    """Return place and fact of every statement that holds a value word for word, relationships apart."""
    place = {turn.turn_index: number for number, turn in enumerate(turns)}
    return [
        (place[index], fact)
        for fact in plan.facts
        for index in fact.stated_in
        if fact.kind != "relationship" and index in place and fact.value in turns[place[index]].user
    ]


def _replace_value(turns: Sequence[Turn], plan: ConversationPlan, rng: random.Random) -> _Fault | None:
    stated = _stated(turns, plan)
    if not stated:
        return None
    number, fact = rng.choice(stated)
    other = _another_value(fact, [own for own in plan.facts if own.attribute == fact.attribute], rng)
    if not other:
        return None
    text = turns[number].user.replace(fact.value, other)
    return _with_text(turns, number, text, f"{fact.phrase}: '{other}' in place of '{fact.value}'")


def _claim_value(turns: Sequence[Turn], plan: ConversationPlan, rng: random.Random) -> _Fault | None:
    number = rng.randrange(len(turns)) if turns else 0
    planned = plan.turns[turns[number].turn_index].statements if turns else ()
    said = {fact_id for statement in planned for fact_id in (statement.fact_id, statement.previous_fact_id)}
    # What never was the user's, or is no longer: a claim of it is false in any turn.
    false = [
        fact
        for fact in plan.facts
        if fact.kind != "relationship"
        and fact.fact_id not in said
        and (fact.status in ("someone_else", "given_up") or (fact.ended_in or 10**9) < turns[number].turn_index)
    ]
    if not false:
        return None
    fact = rng.choice(false)
    forms = WISHES if fact.kind in ("goal", "intent") else CLAIMS
    claim = rng.choice(forms).format(phrase=fact.phrase, value=fact.value)
    return _with_text(turns, number, f"{turns[number].user} {claim}", f"{fact.phrase}: added '{claim}'")


def _deny_value(turns: Sequence[Turn], plan: ConversationPlan, rng: random.Random) -> _Fault | None:
    held = [(number, fact) for number, fact in _stated(turns, plan) if fact.status == "current"]
    if not held:
        return None
    number, fact = rng.choice(held)
    denial = rng.choice(DENIALS).format(value=fact.value)
    return _with_text(turns, number, f"{turns[number].user} {denial}", f"{fact.phrase}: added '{denial}'")


def _claim_relation(turns: Sequence[Turn], plan: ConversationPlan, rng: random.Random) -> _Fault | None:
    people = [fact for fact in plan.facts if fact.kind == "relationship" and fact.status == "current"]
    relations = sorted({fact.value for fact in people})
    if len(relations) < 2 or not turns:
        return None
    fact = rng.choice(people)
    relation = rng.choice([other for other in relations if other != fact.value])
    number = rng.randrange(len(turns))
    claim = f"{fact.phrase}, my {relation}, sends you greetings."
    return _with_text(turns, number, f"{turns[number].user} {claim}", f"{fact.phrase}: added '{claim}'")


def _another_value(fact: PlannedFact, group: Sequence[PlannedFact], rng: random.Random) -> str:
    values = [other.value for other in group if other.value != fact.value]
    if not values:
        try:
            values = [value for value in attribute(fact.attribute).values if value != fact.value]
        except UnknownAttributeError:
            return ""
    return rng.choice(values) if values else ""


def _say_unsafe(turns: Sequence[Turn], rng: random.Random) -> _Fault | None:
    """Add a sentence that harms to a message of the user or the assistant."""
    if not turns:
        return None
    number = rng.randrange(len(turns))
    if rng.random() < 0.5:
        line = rng.choice(UNSAFE_USER)
        return _with_text(turns, number, f"{turns[number].user} {line}", f"user: {line}")
    line = rng.choice(UNSAFE_ASSISTANT)
    changed = list(turns)
    changed[number] = turns[number].model_copy(update={"assistant": f"{turns[number].assistant} {line}"})
    return _Fault(changed, (turns[number].turn_index,), f"assistant: {line}")


def _with_text(turns: Sequence[Turn], number: int, user: str, detail: str) -> _Fault:
    changed = list(turns)
    changed[number] = turns[number].model_copy(update={"user": user})
    return _Fault(changed, (turns[number].turn_index,), detail)


_DETECTS: Mapping[FaultKind, frozenset[Reason]] = {
    "swapped_dates": frozenset(("times_not_of_plan", "turns_not_ordered")),
    "lost_turns": frozenset(("turns_lost",)),
    "contradicted_facts": frozenset(("contradicted_fact", "value_not_worded", "value_given_away", "contradiction")),
    "unsafe_text": frozenset(("unsafe_text",)),
}


@dataclass(frozen=True)
class KindQuality:
    """How well faults of one kind are found."""

    kind: FaultKind
    injected: int
    found: int
    """Faults with a finding of the kind in one of their turns."""
    alarms: int
    """Turns with a finding of the kind, over clean copies and those with any fault."""
    right: int
    """Alarms in turns that bear the fault."""

    @property
    def recall(self) -> float | None:
        """Share of the faults that are found; None without faults."""
        return self.found / self.injected if self.injected else None

    @property
    def precision(self) -> float | None:
        """Share of the alarms that are right; None without alarms."""
        return self.right / self.alarms if self.alarms else None


@dataclass(frozen=True)
class CheckQuality:
    """Precision and recall of the checks on injected faults, without repairs."""

    conversations: int
    """Clean conversations that were read; each is checked as it is and with one fault of each kind."""
    sessions: int
    kinds: tuple[KindQuality, ...]
    clean_findings: Mapping[str, int]
    """Findings in the clean conversations, by reason: false alarms, or faults that were there."""
    missed: tuple[str, ...]
    """Some of the faults that were not found."""

    def to_metrics(self) -> dict[str, float]:
        """Return the numbers by name, for a tracker."""
        metrics: dict[str, float] = {"clean_findings_per_session": self._clean() / max(self.sessions, 1)}
        for kind in self.kinds:
            if kind.precision is not None:
                metrics[f"precision_{kind.kind}"] = kind.precision
            if kind.recall is not None:
                metrics[f"recall_{kind.kind}"] = kind.recall
        return metrics

    def to_markdown(self) -> str:
        """Return the table for people."""
        lines = [
            f"{self.conversations} conversations ({self.sessions} sessions), each as it is and with one fault of "
            "each kind; no repairs.",
            "",
            "| fault | injected | found | recall | alarms | right | precision |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        lines += [
            f"| {kind.kind.replace('_', ' ')} | {kind.injected} | {kind.found} | {_percent(kind.recall)} | "
            f"{kind.alarms} | {kind.right} | {_percent(kind.precision)} |"
            for kind in self.kinds
        ]
        listed = ", ".join(f"{reason} {count}" for reason, count in self.clean_findings.items()) or "none"
        lines += ["", f"Findings in the clean conversations: {listed}."]
        if self.missed:
            lines += ["", "Missed, for example:", "", *(f"- {text}" for text in self.missed)]
        return "\n".join(lines)

    def _clean(self) -> int:
        return sum(self.clean_findings.values())


def measure_checks(
    reader: DatasetReader,
    orders: Sequence[ConversationOrder],
    *,
    critic: LanguageModel | None,
    conversations: int,
    streams: Streams,
) -> CheckQuality:
    """Put labelled faults into copies of a data set's first conversations and see what the checks find.

    A finding counts for a kind of fault by its reason, and as right when it points at a turn that bears it;
    doubts (what would go to the review queue) count as certainties do.

    Args:
        reader: of a dialogues data set, with the tables ``plans``, ``sessions`` and ``turns``.
        orders: whose conversations may be used.
        critic: as for ``Validator``.
        conversations: how many to use at most.
        streams: which faults go where.

    Raises:
        ModelUnavailable, ModelRefusesKey: the critic stopped answering.
        DatasetMissing, DatasetCorrupt, StoreFormatError: the data set cannot be read.
    """
    tally: dict[FaultKind, collections.Counter[str]] = {kind: collections.Counter() for kind in FAULT_KINDS}
    clean_findings: collections.Counter[str] = collections.Counter()
    missed: list[str] = []
    used = sessions = 0
    for plan, clean in _conversations(reader, {order.persona.persona_id for order in orders}, conversations):
        used += 1
        sessions += len(clean.sessions)
        remembered: dict[tuple[Turn, ...], list[Finding]] = {}
        found = find_problems(plan, clean, critic, remembered)
        clean_findings.update(finding.reason for finding in found)
        _count(tally, found, ())
        for kind in FAULT_KINDS:
            faulted = inject(clean, plan, (kind,), streams.rng("faults", plan.plan_id, kind))
            found = find_problems(plan, faulted.conversation, critic, remembered)
            missed += _count(tally, found, faulted.labels)
    return CheckQuality(
        conversations=used,
        sessions=sessions,
        kinds=tuple(KindQuality(kind, *(tally[kind][name] for name in _COUNTED)) for kind in FAULT_KINDS),
        clean_findings=dict(sorted(clean_findings.items())),
        missed=tuple(missed[:_MOST_MISSED]),
    )


_COUNTED = ("injected", "found", "alarms", "right")
_MOST_MISSED = 10


def _count(
    tally: Mapping[FaultKind, collections.Counter[str]], found: Sequence[Finding], labels: Sequence[FaultLabel]
) -> list[str]:
    """Add one copy to the tally and return the faults that were not found."""
    missed = []
    for kind in FAULT_KINDS:
        alarms = {finding.turn_index for finding in found if finding.reason in _DETECTS[kind]}
        faulty = {turn for label in labels if label.kind == kind for turn in label.turns}
        tally[kind]["alarms"] += len(alarms)
        tally[kind]["right"] += len(alarms & faulty)
        for label in labels:
            if label.kind == kind:
                hit = bool(alarms & set(label.turns))
                tally[kind]["injected"] += 1
                tally[kind]["found"] += hit
                if not hit:
                    missed.append(f"{kind} in turn {label.turns[0]}: {label.detail}")
    return missed


def _conversations(
    reader: DatasetReader, personas: set[str], most: int
) -> Iterator[tuple[ConversationPlan, Conversation]]:
    """Yield plan and conversation of the first ``most`` conversations, holding those alone."""
    plans: dict[str, ConversationPlan] = {}
    for plan in reader.read("plans", ConversationPlan):
        if len(plans) >= most:
            break
        if plan.persona_id in personas:
            plans[plan.persona_id] = plan
    sessions: dict[str, list[Session]] = {persona_id: [] for persona_id in plans}
    for session in reader.read("sessions", Session):
        if session.persona_id in plans:
            sessions[session.persona_id].append(session)
    turns: dict[str, list[Turn]] = {persona_id: [] for persona_id in plans}
    for turn in reader.read("turns", Turn):
        if turn.persona_id in plans:
            turns[turn.persona_id].append(turn)
    for persona_id, plan in plans.items():
        yield (
            plan,
            Conversation(plan.plan_id, persona_id, tuple(sessions[persona_id]), tuple(turns[persona_id]), ()),
        )


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{share:.1%}"
