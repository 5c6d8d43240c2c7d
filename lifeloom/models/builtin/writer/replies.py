"""The assistant's answers to turns in which the user says something personal."""

from __future__ import annotations

import random

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.wordings import Piece, clean, compose, fill, load, of_area, pick, words
from lifeloom.records import Edition
from lifeloom.tasks.session_writing import StatementBrief, TurnBrief

__all__ = ["ECHO_RATE", "reply"]

ASSISTANT_WORDS = (80, 130)

ECHO_RATE = 0.3
"""Share of statements that the answer names again. It is the same for every kind of statement: were the user's own
values echoed more often than a relative's, counting mentions would find the right answer."""

_MOST_ECHOED_WORDS = 40
"""Longer statements are not named again: they would crowd out the answer."""

_SHAPES = {
    "preference": "thing",
    "detail": "thing",
    "interest": "thing",
    "goal": "aim",
    "intent": "aim",
    "relationship": "relationship",
}


def reply(turn: TurnBrief, user_text: str, edition: Edition, rng: random.Random) -> str:
    """Return the answer to ``user_text``, the wording of ``turn``: acknowledgement, advice and a question.

    The advice is about the area in general and claims nothing about the user. An echo says whose the value is and
    whether it still holds, as the statement does.

    Raises:
        UnknownAreaError: if there is no advice for the turn's area.
    """
    parts = load("replies")
    spoken_of = rng.choice(turn.statements) if turn.statements else None
    kind = spoken_of.statement_kind if spoken_of else "none"
    slots = _slots(spoken_of) if spoken_of else {}
    pieces = [Piece(fill(pick(parts["acknowledgements"][kind], edition, rng), slots))]
    for statement in turn.statements:
        said = (statement.value, statement.previous_value, statement.phrase)
        if rng.random() < ECHO_RATE and words(" ".join(said)) <= _MOST_ECHOED_WORDS:
            pieces.append(Piece(_echo(statement, edition, rng)))
    advice = [item for item in for_edition(of_area("advice", turn.area), edition) if item not in user_text]
    first, second, third, fourth, fifth = rng.sample(advice, 5)
    pieces += [
        Piece(pick(parts["general"]["bridges"], edition, rng), needed=rng.random() < 0.4),
        Piece(first),
        Piece(second),
        Piece(third, needed=len(turn.statements) < 3),
        Piece(fourth, needed=False),
        Piece(fifth, needed=False),
    ]
    questions = rng.sample([*for_edition(parts["general"]["questions"], edition), *_area_questions(turn, edition)], 2)
    pieces += [Piece(questions[0]), Piece(questions[1], needed=False)]
    return compose(pieces, *ASSISTANT_WORDS, rng)


def _area_questions(turn: TurnBrief, edition: Edition) -> list[str]:
    return list(for_edition(of_area("questions", turn.area), edition))


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
