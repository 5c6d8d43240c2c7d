"""The assistant's answers to turns in which the user says something personal."""

from __future__ import annotations

import random
from collections.abc import Hashable

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.wordings import (
    Piece,
    clean,
    compose,
    fill,
    fresh,
    load,
    note_said,
    of_area,
    pick,
    words,
)
from lifeloom.records import Edition
from lifeloom.tasks.session_writing import StatementBrief, TurnBrief

__all__ = ["ECHO_RATE", "reply"]

ASSISTANT_WORDS = (80, 130)

ECHO_RATE = 0.3
"""Share of statements that the answer names again. It is the same for every kind of statement: were the user's own
values echoed more often than a relative's, counting mentions would find the right answer."""

_MOST_ECHOED_WORDS = 40
"""Longer statements are not named again: they would crowd out the answer."""

_AREA_QUESTIONS = 0.25
"""Share of the closing questions that are about the area rather than about anything."""

_SHAPES = {
    "preference": "thing",
    "detail": "thing",
    "interest": "thing",
    "goal": "aim",
    "intent": "aim",
    "relationship": "relationship",
}
"""How the values of a kind are named again; kinds that are shown rather than said are not."""


def reply(
    turn: TurnBrief, user_text: str, edition: Edition, rng: random.Random, used: set[Hashable] | None = None
) -> str:
    """Return the answer to ``user_text``, the wording of ``turn``: acknowledgement, advice and a question.

    The acknowledgement suits the kind of the statements; if they are of several kinds, one that suits any. The
    advice is about the area in general and claims nothing about the user. An echo says whose the value is and
    whether it still holds, as the statement does.

    Args:
        turn: What the user says and about which area.
        user_text: The user's words; no advice in them is given again.
        edition: Which wordings may be used.
        rng: The only source of chance.
        used: What was said in this session; none of it is said again as long as there is something else, and what
            is said is added.

    Raises:
        UnknownAreaError: if there is no advice for the turn's area.
    """
    used = set() if used is None else used
    parts = load("replies")
    kinds = {statement.statement_kind for statement in turn.statements}
    kind = turn.statements[0].statement_kind if len(kinds) == 1 else "none"
    slots = _slots(rng.choice(turn.statements)) if turn.statements else {}
    (acknowledgement,) = fresh(parts["acknowledgements"][kind], 1, edition, rng, used)
    used.add(acknowledgement)
    pieces = [Piece(fill(acknowledgement, slots))]
    for statement in turn.statements:
        said = (statement.value, statement.previous_value, statement.phrase)
        echoed = rng.random() < ECHO_RATE and statement.fact_kind in _SHAPES
        if echoed and words(" ".join(said)) <= _MOST_ECHOED_WORDS:
            pieces.append(Piece(_echo(statement, edition, rng)))
    advice = _advice(turn.area, user_text, edition, rng, used)
    (bridge,) = fresh(parts["general"]["bridges"], 1, edition, rng, used)
    pieces += [
        Piece(bridge, needed=rng.random() < 0.4),
        Piece(advice[0]),
        Piece(advice[1]),
        Piece(advice[2], needed=len(turn.statements) < 3),
        Piece(advice[3], needed=False),
        Piece(advice[4], needed=False),
    ]
    near = "area" if rng.random() < _AREA_QUESTIONS else "general"
    asked = parts["general"]["questions"] if near == "general" else of_area("questions", turn.area)
    question, spare = fresh(asked, 1, edition, rng, used), fresh(parts["general"]["questions"], 2, edition, rng, used)
    second = next(text for text in spare if text not in question)
    pieces += [Piece(question[0]), Piece(second, needed=False)]
    text = compose(pieces, *ASSISTANT_WORDS, rng)
    note_said(text, [*advice, bridge, *question, second], used)
    return text


def _advice(area: str, user_text: str, edition: Edition, rng: random.Random, used: set[Hashable]) -> list[str]:
    """Return five pieces of advice: of the area as long as there are new ones, then such as fits anywhere."""
    own = of_area("advice", area)
    left = [text for text in for_edition(own, edition) if text not in used and text not in user_text]
    found = rng.sample(left, min(5, len(left)))
    if len(found) < 5:
        anywhere = load("replies")["general"]["advice"]
        found += fresh(anywhere, 5 - len(found), edition, rng, used, heard=user_text)
    return found


def _slots(statement: StatementBrief) -> dict[str, str]:
    return {
        "phrase": clean(statement.phrase),
        "value": clean(statement.value),
        "previous": clean(statement.previous_value),
        "holder_name": clean(statement.holder_name) or "that person",
        "holder_relation": clean(statement.holder_relation) or "acquaintance",
    }


def _echo(statement: StatementBrief, edition: Edition, rng: random.Random) -> str:
    echoes = load("replies")["echoes"][_SHAPES[statement.fact_kind]]
    return fill(pick(echoes[statement.statement_kind], edition, rng), _slots(statement))
