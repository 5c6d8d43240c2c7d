"""Occasions: the user tells of an event from a photo's caption."""

from __future__ import annotations

import random

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.exchange import Exchange
from lifeloom.models.builtin.writer.wordings import Piece, clean, compose, cut_words, fill, load, of_area, pick, words
from lifeloom.records import Edition

__all__ = ["tell_occasion"]

USER_WORDS = (45, 85)
ASSISTANT_WORDS = (80, 130)
CAPTION_WORDS, CAPTION_CHARACTERS = 40, 400
"""Longer captions are shortened at a word boundary."""

_ECHO_WORDS, _ECHO_CHARACTERS = 7, 60
_QUOTES = str.maketrans({"“": "'", "”": "'", "„": "'", '"': "'", "«": "'", "»": "'"})


def tell_occasion(caption: str, when: str, area: str, edition: Edition, rng: random.Random) -> Exchange:
    """Return a turn in which the user tells what happened ``when``, in the words of ``caption``.

    Args:
        caption: Free text of any language. It is quoted, so it can say anything without steering the rest.
        when: How the time is said, used as it is: ``last Friday``, ``yesterday``.
        area: Area of life that the occasion belongs to; the assistant may add advice from it.
        edition: Which wordings may be used.
        rng: The only source of chance.

    Raises:
        UnknownAreaError: if there are no texts for ``area``.
    """
    parts = load("occasions")
    quoted = cut_words(clean(caption.translate(_QUOTES)), CAPTION_WORDS, CAPTION_CHARACTERS).rstrip(".…")
    slots = {"when": when, "caption": quoted}
    telling = fill(pick(parts["tellings" if quoted else "untitled_tellings"], edition, rng), slots)
    feelings = rng.sample(for_edition(parts["feelings"], edition), 4)
    wants = rng.sample(for_edition(parts["wants"], edition), 2)
    short = words(telling) < 45  # a long caption leaves little room for more
    first_feeling, *spare_feelings = feelings
    user = [
        Piece(telling),
        Piece(first_feeling, needed=short and rng.random() < 0.5),
        *(Piece(feeling, needed=False) for feeling in spare_feelings),
        Piece(wants[0], needed=short and rng.random() < 0.7),
        Piece(wants[1], needed=False),
    ]
    ideas = rng.sample(for_edition(parts["ideas"], edition), 3)
    if rng.random() < 0.5:
        ideas[rng.randrange(3)] = pick(of_area("advice", area), edition, rng)
    slots["short"] = cut_words(quoted, _ECHO_WORDS, _ECHO_CHARACTERS)
    assistant = [Piece(pick(parts["greetings"], edition, rng))]
    if quoted and rng.random() < 0.6:
        assistant.append(Piece(fill(pick(parts["echoes"], edition, rng), slots)))
    assistant += [Piece(idea) for idea in ideas]
    others = [idea for idea in for_edition(parts["ideas"], edition) if idea not in ideas]
    assistant += [Piece(idea, needed=False) for idea in rng.sample(others, 2)]
    questions = rng.sample(for_edition(parts["follow_ups"], edition), 2)
    assistant += [Piece(questions[0]), Piece(questions[1], needed=False)]
    return Exchange(compose(user, *USER_WORDS, rng), compose(assistant, *ASSISTANT_WORDS, rng))
