"""Dialogue writing (P2): the model words each session of a plan, one call a session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import ConversationPlan, Persona, PlannedFact, Rejection, Session, SessionPlan, Statement, Turn
from lifeloom.records.base import local_time, make_id
from lifeloom.synthesis.planning.spoken_dates import WEEKDAYS
from lifeloom.tasks import (
    SESSION_WRITING,
    SessionWritingInput,
    StatementBrief,
    TraitScores,
    TurnBrief,
    WrittenTurn,
)

__all__ = [
    "STAGE",
    "Conversation",
    "PlanMismatch",
    "WrittenSession",
    "session_writing_input",
    "write_conversation",
    "write_session",
]

STAGE = "dialogues"


class PlanMismatch(ValueError):
    """The plan was made for another persona; hand in the persona whose id the plan carries."""


@dataclass(frozen=True)
class Conversation:
    """A written conversation, whole, or one rejection and nothing else."""

    plan_id: str
    persona_id: str
    sessions: tuple[Session, ...]
    turns: tuple[Turn, ...]
    rejections: tuple[Rejection, ...]
    """Empty, or the one reason why the conversation was left out."""


@dataclass(frozen=True)
class WrittenSession:
    """One session as written."""

    session: Session
    turns: tuple[Turn, ...]


def write_conversation(plan: ConversationPlan, persona: Persona, model: LanguageModel) -> Conversation:
    """Let ``model`` write every session of ``plan``; the first session that fails rejects the conversation.

    Raises:
        PlanMismatch: the plan belongs to another persona.
        ModelUnavailable: the model's server did not answer.
        ModelRefusesKey: authentication or quota.
    """
    _check_pair(plan, persona)
    facts = {fact.fact_id: fact for fact in plan.facts}
    sessions: list[Session] = []
    turns: list[Turn] = []
    for session in plan.sessions:
        written = _write(plan, session, _brief(plan, persona, session, facts), model)
        if isinstance(written, Rejection):
            return Conversation(plan.plan_id, plan.persona_id, (), (), (written,))
        sessions.append(written.session)
        turns += written.turns
    return Conversation(plan.plan_id, plan.persona_id, tuple(sessions), tuple(turns), ())


def write_session(
    plan: ConversationPlan,
    persona: Persona,
    session: SessionPlan,
    model: LanguageModel,
    corrections: Sequence[str] = (),
) -> WrittenSession | Rejection:
    """Let ``model`` write one session, for example again with what a critic found wrong (P4).

    Raises:
        PlanMismatch: the plan belongs to another persona.
        ModelUnavailable: the model's server did not answer.
        ModelRefusesKey: authentication or quota.
    """
    return _write(plan, session, session_writing_input(plan, persona, session, corrections), model)


def session_writing_input(
    plan: ConversationPlan, persona: Persona, session: SessionPlan, corrections: Sequence[str] = ()
) -> SessionWritingInput:
    """Return what the model is asked for one session of ``plan``.

    Raises:
        PlanMismatch: the plan belongs to another persona.
    """
    _check_pair(plan, persona)
    facts = {fact.fact_id: fact for fact in plan.facts}
    return _brief(plan, persona, session, facts, tuple(corrections))


def _check_pair(plan: ConversationPlan, persona: Persona) -> None:
    if plan.persona_id != persona.persona_id:
        raise PlanMismatch(f"plan {plan.plan_id} belongs to {plan.persona_id}, not to {persona.persona_id}")


def _write(
    plan: ConversationPlan, session: SessionPlan, brief: SessionWritingInput, model: LanguageModel
) -> WrittenSession | Rejection:
    try:
        answer = model.run(SESSION_WRITING, brief)
    except GenerationRejected as error:
        return _rejection(plan, session, error.reason, f"{error.detail} raw: {error.raw}".strip())
    asked = [turn.position for turn in brief.turns]
    got = [turn.position for turn in answer.output.turns]
    if got != asked:
        listed = ", ".join(map(str, got)) or "none"
        return _rejection(plan, session, "turns_do_not_match_plan", f"asked for 1 to {len(asked)}, got {listed}")
    record = Session(
        session_id=session.session_id,
        persona_id=plan.persona_id,
        session_index=session.session_index,
        setting=plan.setting,
        started_at=plan.turns[session.first_turn].at,
        ended_at=plan.turns[session.last_turn].at,
        offset_minutes=plan.offset_minutes,
        first_turn=session.first_turn,
        last_turn=session.last_turn,
        made_by=answer.provenance,
    )
    return WrittenSession(record, _turns(plan, session, answer.output.turns))


def _brief(
    plan: ConversationPlan,
    persona: Persona,
    session: SessionPlan,
    facts: dict[str, PlannedFact],
    corrections: tuple[str, ...] = (),
) -> SessionWritingInput:
    start = local_time(plan.turns[session.first_turn].at, plan.offset_minutes)
    briefs = []
    for position, turn in enumerate(plan.turns[session.first_turn : session.last_turn + 1], start=1):
        occasion = turn.occasion
        briefs.append(
            TurnBrief(
                position=position,
                local_time=f"{local_time(turn.at, plan.offset_minutes):%H:%M}",
                act=turn.act,
                area=turn.area,
                statements=tuple(_statement_brief(statement, facts) for statement in turn.statements),
                occasion_caption="" if occasion is None else occasion.caption.replace('"', "'"),  # it is quoted
                occasion_when="" if occasion is None else occasion.when_phrase,
            )
        )
    return SessionWritingInput(
        name=persona.name,
        role_description=persona.role_description,
        traits=TraitScores(**session.big_five.model_dump()),
        edition=plan.edition,
        local_date=f"{WEEKDAYS[start.weekday()]} {start:%Y-%m-%d}",
        session_number=session.session_index + 1,
        turns=tuple(briefs),
        corrections=corrections,
    )


def _statement_brief(statement: Statement, facts: dict[str, PlannedFact]) -> StatementBrief:
    fact = facts[statement.fact_id]
    previous = None if statement.previous_fact_id is None else facts[statement.previous_fact_id]
    return StatementBrief(
        fact_kind=fact.kind,
        statement_kind=statement.kind,
        phrase=fact.phrase,
        value=fact.value,
        previous_value="" if previous is None else previous.value,
        holder_name=fact.holder_name,
        holder_relation=fact.holder_relation,
    )


def _turns(plan: ConversationPlan, session: SessionPlan, written: Iterable[WrittenTurn]) -> tuple[Turn, ...]:
    planned = plan.turns[session.first_turn : session.last_turn + 1]
    return tuple(
        Turn(
            turn_id=make_id("turn", plan.plan_id, turn.turn_index),
            persona_id=plan.persona_id,
            session_id=session.session_id,
            turn_index=turn.turn_index,
            at=turn.at,
            offset_minutes=plan.offset_minutes,
            user=words.user,
            assistant=words.assistant,
        )
        for turn, words in zip(planned, written, strict=True)
    )


def _rejection(plan: ConversationPlan, session: SessionPlan, reason: str, detail: str) -> Rejection:
    return Rejection(
        stage=STAGE,
        item=plan.plan_id,
        reason=reason,
        detail=f"session {session.session_index + 1} of {len(plan.sessions)}: {detail}"[:500],
    )
