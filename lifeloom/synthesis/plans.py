"""Conversation plans (P2): the whole of a conversation decided by code before a word is written.

The plan is the ground truth. Every fact knows the turns in which a statement of it stands (``stated_in``)
and the turn that ended it (``ended_in``), every shift and occasion its turn, so the right answer of every
probe follows by construction (PersonaVLM Section 4.1, Appendix C).

``stated_in`` holds exactly the turns with a statement whose ``fact_id`` is the fact, of any kind: also the
mention before an anaphora, the repeated news that a plan was given up, and the denial of a value that no
longer holds. A value that is only named as what was left behind (``previous_fact_id``) does not count.

Some values are never named. Signs stand for hidden intents, hidden tastes and levels of knowledge; pictures show
what a fact is where it is ``pictured``, and what an album holds. What pictures show is drawn by
``planning.album``, so that words, counts and order tell nothing of it.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence

from lifeloom.records import (
    Acquaintance,
    Act,
    Area,
    BigFiveProfile,
    CaptionSeed,
    ConversationPlan,
    Occasion,
    Persona,
    PlannedPicture,
    SessionPlan,
    Setting,
    Statement,
    TurnPlan,
)
from lifeloom.records.base import make_id
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue import handles
from lifeloom.synthesis.planning.album import Album
from lifeloom.synthesis.planning.board import Board
from lifeloom.synthesis.planning.facts import FactPlan, plan_facts
from lifeloom.synthesis.planning.looks import draw_looks
from lifeloom.synthesis.planning.moods import drift_personality, drift_topics
from lifeloom.synthesis.planning.occasions import area_of_caption
from lifeloom.synthesis.planning.shapes import SHAPES, ConversationShape, ShapeError, shape_for
from lifeloom.synthesis.planning.signs import SignDecks
from lifeloom.synthesis.planning.turns import ChosenTurns, choose_turns, picture_amounts
from lifeloom.synthesis.planning.views import Constellation, catalogue_id, constellations
from lifeloom.synthesis.schedule import ScheduledSession, draw_rhythm, plan_schedule

__all__ = [
    "SHAPES",
    "Constellation",
    "ConversationShape",
    "ShapeError",
    "catalogue_id",
    "constellations",
    "plan_conversation",
    "shape_for",
]


def plan_conversation(
    persona: Persona,
    *,
    setting: Setting,
    ends_on: dt.date,
    captions: Sequence[CaptionSeed],
    shape: ConversationShape,
    streams: Streams,
) -> ConversationPlan:
    """Plan one conversation. Depends on the persona, the arguments and the seed alone.

    Args:
        persona: the user; at least four people in the circle for relationship probes.
        setting: what the conversation is for; only names the plan, its sizes come from ``shape``.
        ends_on: local date of the last session.
        captions: seeds of occasions; with fewer usable ones than the shape asks, the plan has fewer.
        shape: sizes and probabilities, for example ``shape_for(setting)``.
        streams: the seed's random streams.

    Raises:
        ScheduleError: the sessions do not fit into the days.
    """

    def rng(part: str) -> random.Random:
        return streams.rng("plan", persona.persona_id, setting, part)

    plan_id = make_id("plan", persona.persona_id, setting)
    turns = rng("turns").randint(shape.min_turns, shape.max_turns)
    scheduled = plan_schedule(
        rng("schedule"),
        draw_rhythm(streams.rng("rhythm", persona.persona_id)),
        turns=turns,
        max_days=shape.max_days,
        ends_on=ends_on,
    )
    clock = [at for session in scheduled for at in session.turns]
    session_of = [index for index, session in enumerate(scheduled) for _ in session.turns]
    first_turns = [session_of.index(index) for index in range(len(scheduled))]

    events = handles(persona.edition)
    amounts = picture_amounts(shape, turns, len(persona.circle), len(events))
    chosen = choose_turns(rng("acts"), clock, captions, shape, amounts)
    board = Board(chosen.statements, session_of)
    facts = plan_facts(rng("facts"), board, plan_id, persona, shape, turns, chosen, len(events))
    looks = draw_looks(streams.rng("looks", persona.persona_id), persona) if amounts.total else ()
    album = Album(rng("pictures"), plan_id, {look.person_id: look for look in looks}, events)
    pictures = _pictures(album, board, facts, chosen)
    topics, topic_shifts = drift_topics(rng("topics"), first_turns, shape.topic_shift)
    profiles, personality_shifts = drift_personality(
        rng("personality"), persona.big_five, first_turns, shape.personality_shift
    )
    statements = _statements(rng("signs"), board)
    turn_plans = _turn_plans(
        rng("small-talk"),
        board,
        statements,
        chosen.occasions,
        pictures,
        topics,
        clock,
        session_of,
        persona.offset_minutes,
    )
    sessions = tuple(
        _session_plan(plan_id, index, session, first_turns[index], turn_plans, profiles[index])
        for index, session in enumerate(scheduled)
    )
    shifts = sorted(
        (*facts.shifts, *topic_shifts, *personality_shifts),
        key=lambda shift: (shift.turn_index, shift.kind, shift.before),
    )
    return ConversationPlan(
        plan_id=plan_id,
        persona_id=persona.persona_id,
        setting=setting,
        edition=persona.edition,
        offset_minutes=persona.offset_minutes,
        facts=facts.facts,
        shifts=tuple(shifts),
        sessions=sessions,
        turns=turn_plans,
        looks=looks,
    )


def _pictures(album: Album, board: Board, facts: FactPlan, chosen: ChosenTurns) -> dict[int, PlannedPicture]:
    """Plan all pictures from the first to the last, so that the decks are dealt in the order of the turns."""
    shown = {attribute.attribute_id: attribute for attribute in facts.pictured}
    portraits = dict(zip(chosen.portraits, facts.portrayed, strict=True))
    albums = set(facts.albums)
    pictured = {
        turn: board.said(turn)[0].fact for turn in board.turns if any(p.fact.pictured for p in board.said(turn))
    }
    known: list[Acquaintance] = []
    planned = {}
    for turn in sorted((*portraits, *albums, *pictured)):
        if turn in portraits:
            planned[turn] = album.portrait(turn, portraits[turn])
            known.append(portraits[turn])
        elif turn in albums:
            planned[turn] = album.event(turn, known)
        else:
            fact = pictured[turn]
            planned[turn] = album.of_fact(turn, fact, shown[fact.attribute], known)
    return planned


def _statements(rng: random.Random, board: Board) -> dict[int, tuple[Statement, ...]]:
    """Return the statements of every open turn, with the signs that stand for what is never named."""
    decks = SignDecks(rng)
    return {
        turn: tuple(
            Statement(
                fact_id=placed.fact.fact_id,
                kind=placed.kind,
                previous_fact_id=None if placed.previous is None else placed.previous.fact_id,
                sign=decks.deal(placed.fact),
                previous_sign="" if placed.previous is None else decks.deal(placed.previous),
            )
            for placed in board.said(turn)
        )
        for turn in board.turns
    }


def _turn_plans(
    rng: random.Random,
    board: Board,
    statements: Mapping[int, tuple[Statement, ...]],
    occasions: Mapping[int, Occasion],
    pictures: Mapping[int, PlannedPicture],
    topics: Sequence[Sequence[Area]],
    clock: Sequence[dt.datetime],
    session_of: Sequence[int],
    offset_minutes: int,
) -> tuple[TurnPlan, ...]:
    plans = []
    for turn, local in enumerate(clock):
        said = board.said(turn)
        occasion = occasions.get(turn)
        act: Act
        area: Area
        if said:
            act, area = "statement", said[0].fact.area
        elif occasion is not None:
            act, area = "occasion", area_of_caption(occasion.caption)
        else:
            act = "picture" if turn in pictures else rng.choice(("small_talk", "errand"))
            area = rng.choice(topics[session_of[turn]])
        plans.append(
            TurnPlan(
                turn_index=turn,
                session_index=session_of[turn],
                at=local.replace(tzinfo=dt.UTC) - dt.timedelta(minutes=offset_minutes),
                act=act,
                area=area,
                statements=statements.get(turn, ()),
                occasion=occasion,
                pictures=(pictures[turn],) if turn in pictures else (),
            )
        )
    return tuple(plans)


def _session_plan(
    plan_id: str,
    index: int,
    scheduled: ScheduledSession,
    first_turn: int,
    turns: Sequence[TurnPlan],
    profile: BigFiveProfile,
) -> SessionPlan:
    last_turn = first_turn + len(scheduled.turns) - 1
    return SessionPlan(
        session_id=make_id("session", plan_id, index),
        session_index=index,
        first_turn=first_turn,
        last_turn=last_turn,
        topics=tuple(dict.fromkeys(turn.area for turn in turns[first_turn : last_turn + 1])),
        big_five=profile,
    )
