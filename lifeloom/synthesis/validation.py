"""Validation and repair of written conversations (P4): rules, a critic, one rewrite, and people for the rest.

A problem that a rule or the critic's sense of safety finds is certain: its session is written again once,
and what still fails rejects the conversation. A problem that only the critic sees (a contradiction, an answer
that does not belong, an odd date) is written again once too; what stays goes to the review queue while the
conversation is kept, until a person says otherwise.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lifeloom.models.protocol import LanguageModel
from lifeloom.records import ConversationPlan, Persona, Rejection, ReviewItem, Session, Turn, make_id
from lifeloom.synthesis.dialogues import Conversation, WrittenSession, write_session
from lifeloom.synthesis.review import ReviewAnswers
from lifeloom.synthesis.rules.critique import critic_findings
from lifeloom.synthesis.rules.findings import Finding, Reason
from lifeloom.synthesis.rules.structure import compare_with_plan, structural_problems
from lifeloom.synthesis.rules.wording import WordingRules

__all__ = ["Finding", "Reason", "Repair", "Validated", "Validator", "find_problems", "structural_problems"]

STAGE = "dialogues"

_DETAIL = 500
_RAW_HEAD = 160
_CORRECTION = 300


@dataclass(frozen=True)
class Repair:
    """One thing that was put right."""

    kind: Literal["sorted", "rewritten"]
    """sorted: order and times were set back to the plan's. rewritten: the session was written again."""
    session_index: int | None
    """None: the conversation as a whole."""
    why: str


@dataclass(frozen=True)
class Validated:
    """The outcome for one conversation: kept (perhaps repaired, perhaps with questions), or one rejection."""

    conversation: Conversation | None
    repairs: tuple[Repair, ...]
    rejections: tuple[Rejection, ...]
    """Empty, or the one reason why the conversation was left out."""
    review: tuple[ReviewItem, ...]
    """Questions to a person about a conversation that is kept."""


def find_problems(
    plan: ConversationPlan,
    conversation: Conversation,
    critic: LanguageModel | None,
    remembered: dict[tuple[Turn, ...], list[Finding]] | None = None,
) -> tuple[Finding, ...]:
    """Return all that is wrong with ``conversation`` as it stands: nothing is repaired, asked or answered.

    Args:
        plan: what it was written from.
        conversation: as written, or with faults.
        critic: as for ``Validator``.
        remembered: findings by session, so that the critic is asked once for sessions that several copies
            of a conversation share; added to.

    Raises:
        ModelUnavailable, ModelRefusesKey: the critic stopped answering.
    """
    found = compare_with_plan(plan, conversation)
    rules = WordingRules(plan)
    known = {} if remembered is None else remembered
    for index, turns in _by_session(plan, conversation.turns).items():
        if turns not in known:
            known[turns] = _session_findings(rules, critic, index, turns)
        found += known[turns]
    return tuple(found)


@dataclass(frozen=True)
class Validator:
    """Checks conversations against their plans, repairs what can be repaired, and asks people about the rest.

    Safe to call from threads when ``critic`` is.

    Args:
        critic: reads the text of each session, never the plan; None leaves out what only a reader can tell.
        answers: what people answered to earlier questions.
        where: key of the data set, part of each question's ``where``.
    """

    critic: LanguageModel | None
    answers: ReviewAnswers
    where: str

    def validate(
        self, plan: ConversationPlan, persona: Persona, conversation: Conversation, writer: LanguageModel
    ) -> Validated:
        """Return ``conversation``, repaired where needed, or the reason why it is left out.

        Args:
            plan: what it was written from.
            persona: whose it is.
            conversation: as written; one that was rejected already is handed through.
            writer: writes sessions again.

        Raises:
            PlanMismatch: the plan belongs to another persona.
            ModelUnavailable, ModelRefusesKey: a model stopped answering.
        """
        if conversation.rejections:
            return Validated(None, (), conversation.rejections, ())
        conversation, repairs = _sorted_by_plan(plan, conversation)
        rules = WordingRules(plan)
        by_session = _by_session(plan, conversation.turns)
        records = {session.session_index: session for session in conversation.sessions}
        structure = compare_with_plan(plan, conversation)
        # What concerns no single session cannot be written again.
        open_findings = [finding for finding in structure if finding.session_index is None]
        for session in plan.sessions:
            index = session.session_index
            findings = [finding for finding in structure if finding.session_index == index]
            findings += _session_findings(rules, self.critic, index, by_session[index])
            lost = any(finding.certain for finding in open_findings)  # no call is paid for what is lost anyway
            if not lost and self._unanswered(plan, by_session[index], findings):
                corrections = _corrections(findings, session.first_turn)
                again = write_session(plan, persona, session, writer, corrections, conversation.pictures)
                if isinstance(again, WrittenSession):
                    better = _session_findings(rules, self.critic, index, again.turns)
                    if _weight(better) < _weight(findings):
                        repairs.append(Repair("rewritten", index, "; ".join(corrections)[:_DETAIL]))
                        by_session[index], records[index], findings = again.turns, again.session, better
            open_findings += findings
        repaired = dataclasses.replace(
            conversation,
            sessions=tuple(
                records[session.session_index] for session in plan.sessions if session.session_index in records
            ),
            turns=tuple(turn for index in sorted(by_session) for turn in by_session[index]),
        )
        return self._judge(plan, repaired, tuple(repairs), open_findings)

    def _unanswered(self, plan: ConversationPlan, turns: Sequence[Turn], findings: Sequence[Finding]) -> bool:
        """Say whether a finding is left that no person has accepted."""
        return any(
            finding.certain or self.answers.get(self._item(plan, turns, finding).item_id) is None
            for finding in findings
        )

    def _judge(
        self,
        plan: ConversationPlan,
        conversation: Conversation,
        repairs: tuple[Repair, ...],
        findings: Sequence[Finding],
    ) -> Validated:
        certain = [finding for finding in findings if finding.certain]
        items = {
            item.item_id: item
            for finding in findings
            if not finding.certain and (item := self._item(plan, conversation.turns, finding))
        }
        refused = [item for item in items.values() if self.answers.get(item.item_id) == "reject"]
        if certain:
            return Validated(None, repairs, (_rejection(plan, conversation, certain),), ())
        if refused:
            why = "; ".join(f"{item.item_id}: {item.why}" for item in refused)
            rejection = Rejection(stage=STAGE, item=plan.plan_id, reason="review_rejected", detail=why[:_DETAIL])
            return Validated(None, repairs, (rejection,), ())
        waiting = tuple(item for item in items.values() if self.answers.get(item.item_id) is None)
        return Validated(conversation, repairs, (), waiting)

    def _item(self, plan: ConversationPlan, turns: Sequence[Turn], finding: Finding) -> ReviewItem:
        """Return the question about ``finding``; its id depends on where it is, the kind and the text alone."""
        place = f"{self.where} {plan.plan_id} session {finding.session_index}"
        if finding.turn_index is None:
            own = [turn for turn in turns if plan.turns[turn.turn_index].session_index == finding.session_index]
        else:
            place = f"{place} turn {finding.turn_index}"
            own = [turn for turn in turns if turn.turn_index == finding.turn_index]
        what = "\n".join(f"User: {turn.user}\nAssistant: {turn.assistant}" for turn in own)
        return ReviewItem(
            item_id=make_id("review", place, finding.reason, what),
            what=what,
            why=f"{finding.reason}: {finding.detail}",
            where=place,
        )


def _session_findings(
    rules: WordingRules, critic: LanguageModel | None, index: int, turns: Sequence[Turn]
) -> list[Finding]:
    found = [finding for turn in turns for finding in rules.check(turn)]
    if critic is not None:
        found += critic_findings(critic, index, turns)
    return found


def _by_session(plan: ConversationPlan, turns: Sequence[Turn]) -> dict[int, tuple[Turn, ...]]:
    """Return the planned turns by session index, in the order given; turns that are not planned are left aside."""
    grouped: dict[int, list[Turn]] = {session.session_index: [] for session in plan.sessions}
    for turn in turns:
        if turn.turn_index < len(plan.turns):
            grouped[plan.turns[turn.turn_index].session_index].append(turn)
    return {index: tuple(own) for index, own in grouped.items()}


def _sorted_by_plan(plan: ConversationPlan, conversation: Conversation) -> tuple[Conversation, list[Repair]]:
    """Set order and times back to the plan's where every turn is there and only they got mixed up."""
    turns = sorted(conversation.turns, key=lambda turn: turn.turn_index)
    complete = [turn.turn_index for turn in turns] == [planned.turn_index for planned in plan.turns]
    same_times = sorted(turn.at for turn in turns) == sorted(planned.at for planned in plan.turns)
    planned_sessions = {session.session_id: session for session in plan.sessions}
    known = sorted(session.session_id for session in conversation.sessions) == sorted(planned_sessions)
    if not (complete and same_times and known):
        return conversation, []
    put_right = tuple(
        turn if turn.at == planned.at else turn.model_copy(update={"at": planned.at})
        for turn, planned in zip(turns, plan.turns, strict=True)
    )
    sessions = _sessions_by_plan(plan, conversation.sessions)
    if put_right == conversation.turns and sessions == conversation.sessions:
        return conversation, []
    moved = [
        str(after.turn_index)
        for before, after in zip(conversation.turns, put_right, strict=True)
        if (before.turn_index, before.at) != (after.turn_index, after.at)
    ]
    why = f"turns {', '.join(moved)} were out of order or at each other's times" if moved else "sessions out of order"
    repaired = dataclasses.replace(conversation, sessions=sessions, turns=put_right)
    return repaired, [Repair("sorted", None, why[:_DETAIL])]


def _sessions_by_plan(plan: ConversationPlan, sessions: Sequence[Session]) -> tuple[Session, ...]:
    by_id: Mapping[str, Session] = {session.session_id: session for session in sessions}
    return tuple(
        by_id[planned.session_id].model_copy(
            update={
                "started_at": plan.turns[planned.first_turn].at,
                "ended_at": plan.turns[planned.last_turn].at,
            }
        )
        for planned in plan.sessions
    )


def _corrections(findings: Sequence[Finding], first_turn: int) -> list[str]:
    """Return what the writer should do better, with the turns counted as the writer counts them."""
    return [
        (f"turn {finding.turn_index - first_turn + 1}: " if finding.turn_index is not None else "")
        + f"{finding.reason.replace('_', ' ')}, {finding.detail}"[:_CORRECTION]
        for finding in findings
    ]


def _weight(findings: Sequence[Finding]) -> tuple[int, int]:
    """Return how bad a version is: certain problems first, then doubts."""
    certain = sum(1 for finding in findings if finding.certain)
    return certain, len(findings) - certain


def _rejection(plan: ConversationPlan, conversation: Conversation, certain: Sequence[Finding]) -> Rejection:
    """Return the one rejection: the first reason, all of them in the detail, and the head of the text."""
    first = certain[0]
    listed = "; ".join(_place(finding) + f"{finding.reason}: {finding.detail}" for finding in certain)
    raw = next((turn.user for turn in conversation.turns if turn.turn_index == first.turn_index), "")
    tail = f" raw: {raw[:_RAW_HEAD]}" if raw else ""
    return Rejection(
        stage=STAGE,
        item=plan.plan_id,
        reason=first.reason,
        detail=listed[: _DETAIL - len(tail)] + tail,
    )


def _place(finding: Finding) -> str:
    return "" if finding.turn_index is None else f"turn {finding.turn_index}, "
