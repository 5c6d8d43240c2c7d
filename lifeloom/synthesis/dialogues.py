"""Dialogue writing (P2): the model words each session of a plan, one call a session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import (
    ConversationPlan,
    Persona,
    PicturePlan,
    PictureReference,
    PlannedFact,
    PlannedPicture,
    Rejection,
    Session,
    SessionPlan,
    Statement,
    Turn,
)
from lifeloom.records.base import local_time, make_id
from lifeloom.synthesis.planning.spoken_dates import WEEKDAYS
from lifeloom.tasks import (
    SESSION_WRITING,
    PictureBrief,
    SessionWritingInput,
    StatementBrief,
    TraitScores,
    TurnBrief,
    WrittenTurn,
)

__all__ = [
    "STAGE",
    "Conversation",
    "PictureMissing",
    "PlanMismatch",
    "WrittenSession",
    "planned_pictures",
    "session_writing_input",
    "write_conversation",
    "write_session",
]

STAGE = "dialogues"

_NO_PICTURES: Mapping[str, PictureReference] = MappingProxyType({})


class PlanMismatch(ValueError):
    """The plan was made for another persona; hand in the persona whose id the plan carries."""


class PictureMissing(ValueError):
    """The plan has pictures that were not handed in: draw ``planned_pictures(plan)`` and store them first."""

    def __init__(self, plan_id: str, missing: Sequence[str]) -> None:
        super().__init__(
            f"plan {plan_id}: {len(missing)} of its pictures were not handed in, the first {missing[0]}: "
            "draw planned_pictures(plan) and pass what was stored by picture_id"
        )
        self.missing = tuple(missing)


@dataclass(frozen=True)
class Conversation:
    """A written conversation, whole, or one rejection and nothing else."""

    plan_id: str
    persona_id: str
    sessions: tuple[Session, ...]
    turns: tuple[Turn, ...]
    rejections: tuple[Rejection, ...]
    """Empty, or the one reason why the conversation was left out."""
    pictures: Mapping[str, PictureReference] = field(default_factory=lambda: _NO_PICTURES)
    """The stored pictures by picture id, for writing a session again."""


@dataclass(frozen=True)
class WrittenSession:
    """One session as written."""

    session: Session
    turns: tuple[Turn, ...]


def planned_pictures(plan: ConversationPlan) -> list[PicturePlan]:
    """Return all pictures of ``plan`` in the order in which they are shown, for whoever draws them."""
    return [shown.picture for turn in plan.turns for shown in turn.pictures]


def write_conversation(
    plan: ConversationPlan,
    persona: Persona,
    model: LanguageModel,
    pictures: Mapping[str, PictureReference] = _NO_PICTURES,
) -> Conversation:
    """Let ``model`` write every session of ``plan``; the first session that fails rejects the conversation.

    Args:
        plan: what to write.
        persona: whose it is.
        model: writes the words. It is told where pictures stand, not what they show.
        pictures: the stored pictures, by picture id.

    Raises:
        PlanMismatch: the plan belongs to another persona.
        PictureMissing: the plan has a picture that is not among ``pictures``.
        ModelUnavailable: the model's server did not answer.
        ModelRefusesKey: authentication or quota.
    """
    _check_pair(plan, persona)
    _check_pictures(plan, planned_pictures(plan), pictures)
    facts = {fact.fact_id: fact for fact in plan.facts}
    sessions: list[Session] = []
    turns: list[Turn] = []
    for session in plan.sessions:
        written = _write(plan, session, _brief(plan, persona, session, facts), model, pictures)
        if isinstance(written, Rejection):
            return Conversation(plan.plan_id, plan.persona_id, (), (), (written,), pictures)
        sessions.append(written.session)
        turns += written.turns
    return Conversation(plan.plan_id, plan.persona_id, tuple(sessions), tuple(turns), (), pictures)


def write_session(
    plan: ConversationPlan,
    persona: Persona,
    session: SessionPlan,
    model: LanguageModel,
    corrections: Sequence[str] = (),
    pictures: Mapping[str, PictureReference] = _NO_PICTURES,
) -> WrittenSession | Rejection:
    """Let ``model`` write one session, for example again with what a critic found wrong (P4).

    Raises:
        PlanMismatch: the plan belongs to another persona.
        PictureMissing: the session has a picture that is not among ``pictures``.
        ModelUnavailable: the model's server did not answer.
        ModelRefusesKey: authentication or quota.
    """
    brief = session_writing_input(plan, persona, session, corrections)
    turns = plan.turns[session.first_turn : session.last_turn + 1]
    _check_pictures(plan, [shown.picture for turn in turns for shown in turn.pictures], pictures)
    return _write(plan, session, brief, model, pictures)


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


def _check_pictures(
    plan: ConversationPlan, wanted: Iterable[PicturePlan], pictures: Mapping[str, PictureReference]
) -> None:
    missing = [picture.picture_id for picture in wanted if picture.picture_id not in pictures]
    if missing:
        raise PictureMissing(plan.plan_id, missing)


def _write(
    plan: ConversationPlan,
    session: SessionPlan,
    brief: SessionWritingInput,
    model: LanguageModel,
    pictures: Mapping[str, PictureReference],
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
    return WrittenSession(record, _turns(plan, session, answer.output.turns, pictures))


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
                pictures=tuple(_picture_brief(shown) for shown in turn.pictures),
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
    """Return what the model may know of a statement: no value that a sign stands for or that a picture shows."""
    fact = facts[statement.fact_id]
    previous = None if statement.previous_fact_id is None else facts[statement.previous_fact_id]
    value, previous_value = fact.value, "" if previous is None else previous.value
    if fact.pictured:
        value, previous_value = "", ""
    elif statement.sign:
        value, previous_value = statement.sign, statement.previous_sign
    return StatementBrief(
        fact_kind=fact.kind,
        statement_kind=statement.kind,
        phrase=fact.phrase,
        value=value,
        previous_value=previous_value,
        holder_name=fact.holder_name,
        holder_relation=fact.holder_relation,
        pictured=fact.pictured,
    )


def _picture_brief(shown: PlannedPicture) -> PictureBrief:
    """Return where a picture stands and how the text speaks of it, nothing of what it shows."""
    name = shown.picture.subjects[0].name if shown.role == "portrait" else ""
    return PictureBrief(role=shown.role, handle=shown.handle, name=name)


def _turns(
    plan: ConversationPlan,
    session: SessionPlan,
    written: Iterable[WrittenTurn],
    pictures: Mapping[str, PictureReference],
) -> tuple[Turn, ...]:
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
            pictures=tuple(pictures[shown.picture.picture_id] for shown in turn.pictures),
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
