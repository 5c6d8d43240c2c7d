"""Sessions: every turn of a planned session in words."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from lifeloom.models.builtin.writer.areas import closing_ask, context, link
from lifeloom.models.builtin.writer.errands import errand
from lifeloom.models.builtin.writer.exchange import Exchange
from lifeloom.models.builtin.writer.manner import Sentence, speak, talkativeness
from lifeloom.models.builtin.writer.occasions import tell_occasion
from lifeloom.models.builtin.writer.pictures import (
    Aside,
    check_pictures,
    picture_ask,
    picture_reply,
    picture_scene,
    point_to,
    telling_habits,
)
from lifeloom.models.builtin.writer.replies import reply
from lifeloom.models.builtin.writer.small_talk import small_talk
from lifeloom.models.builtin.writer.spin import Wording, parse_wordings, take
from lifeloom.models.builtin.writer.statements import named, put_into_words
from lifeloom.models.builtin.writer.wordings import clean, load, words
from lifeloom.tasks.session_writing import (
    SessionWritingInput,
    SessionWritingOutput,
    TurnBrief,
    WrittenTurn,
)

__all__ = ["OccasionIncomplete", "write_session"]

USER_WORDS = (45, 90)
"""Least and most words of a user message, unless statements alone are longer."""
_TARGET = (46, 62)
"""Words that a message aims at, before the user's talkativeness and manner of speaking."""
_SESSION_TRIES = 6
_LINK_FIRST, _LINK_NEXT, _STATEMENT_FIRST = 0.3, 0.6, 0.25
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class OccasionIncomplete(ValueError):
    """An occasion turn has no caption or no time to tell of. Plan it with both, or as another act."""

    def __init__(self, brief: TurnBrief) -> None:
        super().__init__(f"Turn {brief.position} is an occasion; plan it with occasion_caption and occasion_when.")


@dataclass
class _Sitting:
    """What is known and used up while a session is written."""

    session: SessionWritingInput
    rng: random.Random
    used: set[Hashable] = field(default_factory=set)


def write_session(session: SessionWritingInput, rng: random.Random) -> SessionWritingOutput:
    """Word all turns of a session, in order.

    Nothing is said twice in the same words within a session as long as there are words left; user
    messages have 45 to 90 words, and ``<img>`` once for every picture of their turn.

    Args:
        session: The plan of the session.
        rng: The only source of chance.

    Raises:
        StatementIncomplete: if a statement lacks a field that its kind names.
        NoWordings: if a statement is of a kind that is never said of such a fact.
        OccasionIncomplete: if an occasion lacks its caption or time.
        PicturesUnfit: if a turn's pictures do not suit its act.
        UnknownAreaError: if a turn is about an area without texts.
    """
    sitting = _Sitting(session, rng)
    written = []
    for number, turn in enumerate(session.turns):
        check_pictures(turn)
        if turn.act == "picture":
            exchange = _picture_turn(sitting, turn, number)
        else:
            exchange = (_statement_turn if turn.act == "statement" else _other_turn)(sitting, turn, number)
        written.append(WrittenTurn(position=turn.position, user=exchange.user, assistant=exchange.assistant))
    return SessionWritingOutput(turns=tuple(written))


def _statement_turn(sitting: _Sitting, turn: TurnBrief, number: int) -> Exchange:
    edition, rng, used = sitting.session.edition, sitting.rng, sitting.used
    avoid = [text for brief in turn.statements for text in named(brief)]
    # What refers to the turn before comes first, or it would refer to something else.
    mentioned = any(brief.statement_kind == "mention" for brief in turn.statements)
    bound = not mentioned and any(brief.statement_kind == "anaphora" for brief in turn.statements)
    briefs = sorted(turn.statements, key=lambda brief: brief.statement_kind != "anaphora") if bound else turn.statements
    told: list[Sentence] = []
    for index, brief in enumerate(briefs):
        text = put_into_words(brief, edition, rng, used)
        if rng.random() < (_LINK_NEXT if index else _LINK_FIRST) and not (bound and index == 0):
            text = f"{link(edition, rng, used)} {text}"
        told.append(Sentence(text, free=False, bound=bound and index == 0))
    return _around(sitting, turn, number, told, bound=bound, avoid=avoid)


def _picture_turn(sitting: _Sitting, turn: TurnBrief, number: int) -> Exchange:
    edition, rng, used = sitting.session.edition, sitting.rng, sitting.used
    told = [Sentence(point_to(picture, edition, rng, used), free=False) for picture in turn.pictures]
    return _around(sitting, turn, number, told)


def _around(
    sitting: _Sitting,
    turn: TurnBrief,
    number: int,
    told: Sequence[Sentence],
    *,
    bound: bool = False,
    avoid: Sequence[str] = (),
) -> Exchange:
    """Put what is told into a whole message, and answer it.

    Args:
        sitting: The session so far.
        turn: What the message is about.
        number: Position of the turn in the session, from 0.
        told: The sentences that state or show something; they stay together and are left as they are.
        bound: Whether they refer to the message before, so that nothing may come in between.
        avoid: Lower-case texts that the rest of the message keeps off.
    """
    session, rng, used = sitting.session, sitting.rng, sitting.used
    edition, shows = session.edition, bool(turn.pictures)
    greeting = "" if bound else _greeting(sitting, number)

    def scene() -> Aside:
        if shows:
            return picture_scene(turn, edition, rng, used)
        return Aside(context(turn.area, edition, rng, used, avoid), before=not state_first)

    closing = picture_ask(turn.area, edition, rng, used) if shows else closing_ask(turn.area, edition, rng, used, avoid)
    ask = Sentence(closing, free=False)
    state_first = bound or rng.random() < _STATEMENT_FIRST
    around: list[Aside] = []
    target = rng.randint(*_TARGET) + talkativeness(session.traits)
    length = words(greeting) + _count([*told, ask])
    # More than two scenes in a row sound like a list, so a third only fills what would be too short.
    while not around or (length < target and len(around) < 2) or length < USER_WORDS[0]:
        one = scene()
        if around and length + words(one.text) > USER_WORDS[1]:
            break
        around.append(one)
        length += words(one.text)
    before, after = ([Sentence(one.text) for one in around if one.before is side] for side in (True, False))
    message = [*before, *told, *after]
    user = speak(
        [*message, ask],
        session.traits,
        edition,
        rng,
        room=max(0, USER_WORDS[1] - length),
        used=used,
        avoid=(*avoid, *telling_habits()) if shows else avoid,
        greeting=greeting,
    )
    if shows:
        return Exchange(user, picture_reply(turn, edition, rng, used))
    return Exchange(user, reply(turn, user, edition, rng, used))


def _other_turn(sitting: _Sitting, turn: TurnBrief, number: int) -> Exchange:
    session, rng, used = sitting.session, sitting.rng, sitting.used
    makers: dict[str, Callable[[], Exchange]] = {
        "occasion": lambda: _occasion(sitting, turn),
        "small_talk": lambda: small_talk(turn.area, session.edition, rng, used),
        "errand": lambda: errand(turn.area, session.edition, rng, used),
    }
    exchange = makers[turn.act]()
    for _ in range(_SESSION_TRIES):
        if exchange.user not in used and exchange.assistant not in used:
            break
        exchange = makers[turn.act]()
    used.update((exchange.user, exchange.assistant))
    greeting = _greeting(sitting, number)
    user = speak(
        [Sentence(exchange.user, free=False)],
        session.traits,
        session.edition,
        rng,
        room=max(0, USER_WORDS[1] - words(greeting) - words(exchange.user)),
        used=used,
        greeting=greeting,
    )
    return Exchange(user, exchange.assistant)


def _occasion(sitting: _Sitting, turn: TurnBrief) -> Exchange:
    # The prompt shows the time only together with a caption, so it is not read without one.
    if not turn.occasion_caption or not turn.occasion_when:
        raise OccasionIncomplete(turn)
    edition = sitting.session.edition
    return tell_occasion(turn.occasion_caption, turn.occasion_when, turn.area, edition, sitting.rng, sitting.used)


def _greeting(sitting: _Sitting, number: int) -> str:
    """Return the greeting of a session's first turn, fit for the hour and the day; nothing for later turns."""
    if number:
        return ""
    session = sitting.session
    moments = [_part_of_day(session.turns[0].local_time), "first" if session.session_number == 1 else "again"]
    weekday = session.local_date.split(" ")[0]
    if weekday in _WEEKDAYS:
        moments.append("weekday")
    items = _greetings(sitting.rng.choice(moments))
    slots = {"weekday": weekday, "name": clean(session.name) or "me"}
    return take(items, session.edition, sitting.rng, sitting.used).say(sitting.rng, slots)


@functools.cache
def _greetings(moment: str) -> tuple[Wording, ...]:
    return parse_wordings(tuple(load("greetings")[moment]))


def _part_of_day(local_time: str) -> str:
    hour = local_time[:2]
    if not hour.isdecimal():
        return "again"
    if int(hour) < 5:
        return "night"
    return "morning" if int(hour) < 12 else "afternoon" if int(hour) < 18 else "evening"


def _count(sentences: Sequence[Sentence]) -> int:
    return sum(words(sentence.text) for sentence in sentences)
