"""Questions that count what a user told over time, with right answers by the plan of the conversation.

Persona-MME asks for none. A memory that keeps each entry by itself finds some of them; to count, all of one matter must
come together. They are asked beside the benchmark, with and without the graph of memories.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lifeloom.records import (
    COUNTED,
    LETTERS,
    ConversationPlan,
    Counted,
    CountingQuestion,
    FactKind,
    PlannedFact,
    StatementKind,
    local_time,
    make_id,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.probes.truth import committed_turns, known_fact

__all__ = ["counting_questions"]

_STEMS: Mapping[Counted, tuple[str, ...]] = {
    "times": (
        "How many times have I told you about my {phrase} so far?",
        "How often has my {phrase} come up with you, counting each message of mine?",
    ),
    "days": (
        "On how many different days have I told you about my {phrase}?",
        "On how many days did I say something about my {phrase}?",
    ),
    "values": (
        "How many different things have been my {phrase} so far, one after the other?",
        "Counting today's, how many things has my {phrase} been over time?",
    ),
}
_KINDS: frozenset[FactKind] = frozenset({"preference", "interest", "goal", "detail"})
_PLAIN: frozenset[StatementKind] = frozenset({"direct", "indirect", "correction", "shift", "negation", "given_up"})
"""Statements of which it is clear that they tell of the matter; a value that is merely mentioned may or may not."""
_LEAST = 2
_NEAR = 3
"""Wrong counts are at most so far from the right one."""


def counting_questions(plans: Iterable[ConversationPlan], *, each: int, seed: int) -> list[CountingQuestion]:
    """Return up to ``each`` questions of each plan, of every kind that it allows in turn.

    A matter is asked of where it is told of in words, of the user alone and plainly, and where nothing of it is in
    doubt at the end. The right number is two or more; its rank among the options is drawn, so that none stands out.

    Args:
        plans: Plans of conversations.
        each: Questions of each plan at most.
        seed: Seed of the choice, the wording and the options. A plan alone gives the same questions.
    """
    found = []
    for plan in plans:
        rng = Streams(seed).rng("counting", plan.plan_id)
        groups = _matters(plan)
        rng.shuffle(groups)
        by_kind = [
            [(counted, group, turns) for group in groups if len(turns := _counted(plan, group, counted)) >= _LEAST]
            for counted in COUNTED
        ]
        deepest = max(map(len, by_kind), default=0)
        in_turn = [own[rank] for rank in range(deepest) for own in by_kind if rank < len(own)]
        for counted, group, turns in in_turn[:each]:
            right = len(turns)
            first = rng.randint(max(1, right - _NEAR), right)
            stem = rng.choice(_STEMS[counted])
            last = plan.turns[-1]
            found.append(
                CountingQuestion(
                    question_id=make_id("counting", plan.plan_id, counted, group[0].attribute),
                    persona_id=plan.persona_id,
                    setting=plan.setting,
                    counted=counted,
                    asked_at=last.at,
                    offset_minutes=plan.offset_minutes,
                    history_turns=len(plan.turns),
                    query=stem.format(phrase=group[0].phrase),
                    options=tuple(str(first + rank) for rank in range(len(LETTERS))),
                    answer=LETTERS[right - first],
                    evidence_turns=tuple(turns),
                    attribute=group[0].attribute,
                )
            )
    return found


def _matters(plan: ConversationPlan) -> list[list[PlannedFact]]:
    """Return the facts of each attribute that can be asked about."""
    groups: dict[str, list[PlannedFact]] = {}
    for fact in plan.facts:
        groups.setdefault(fact.attribute, []).append(fact)
    unclear = {
        statement.fact_id for turn in plan.turns for statement in turn.statements if statement.kind not in _PLAIN
    }
    return [
        facts
        for facts in groups.values()
        if facts[0].kind in _KINDS
        and not any(fact.pictured or fact.holder_name or fact.fact_id in unclear for fact in facts)
        and not any(fact.status == "someone_else" for fact in facts)
    ]


def _counted(plan: ConversationPlan, facts: Sequence[PlannedFact], counted: Counted) -> list[int]:
    """Return a turn for each thing that counts, ascending; none where it is in doubt."""
    told = sorted({turn for fact in facts for turn in fact.stated_in})
    if counted == "times":
        return told
    if counted == "days":
        days: dict[object, int] = {}
        for turn in told:
            days.setdefault(local_time(plan.turns[turn].at, plan.offset_minutes).date(), turn)
        return list(days.values())
    committed = committed_turns(plan)
    known = [known_fact(fact, committed) for fact in facts]
    if any(fact.in_doubt(len(plan.turns)) for fact in known):
        return []
    values: dict[str, int] = {}
    for fact in known:
        if fact.status in ("current", "replaced") and fact.committed_in is not None:
            values.setdefault(fact.value, fact.committed_in)
    return sorted(values.values())
