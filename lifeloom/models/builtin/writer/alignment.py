"""Alignment pairs: two answers with the same content, in manners that suit opposite scores on one trait."""

from __future__ import annotations

import random

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.wordings import clean, cut_words, fill, load, pick, words
from lifeloom.records import Edition
from lifeloom.tasks.alignment_writing import AlignmentWritingInput, AlignmentWritingOutput

__all__ = ["write_alignment"]

_TRIES = 24
_FEWEST_WORDS = 42
_CONTENT_WORDS, _CONTENT_CHARACTERS = 40, 600


def write_alignment(task: AlignmentWritingInput, rng: random.Random) -> AlignmentWritingOutput:
    """Return a pair whose chosen side suits ``task.traits`` on ``task.trait`` and whose rejected side suits 6 - score.

    Both sides are made before the score is looked at, and the score only says which is chosen. So a user with the
    mirrored score gets the same pair the other way round, and nothing but the manner tells the sides apart. A score
    of exactly 3 counts as high.
    """
    manners = load("alignment")[task.trait]
    frame = pick(load("alignment")["content"]["frames"], task.edition, rng)
    content = cut_words(clean(task.content), _CONTENT_WORDS, _CONTENT_CHARACTERS).rstrip(" .")
    carried = fill(frame, {"content": content})
    highs = [_answer(manners["high"], carried, task.edition, rng) for _ in range(_TRIES)]
    lows = [_answer(manners["low"], carried, task.edition, rng) for _ in range(_TRIES)]
    high = rng.choice(highs)
    # Of many low answers the one nearest in length, so that length says nothing about the manner.
    low = min(lows, key=lambda answer: (abs(words(answer) - words(high)), abs(len(answer) - len(high))))
    if getattr(task.traits, task.trait) >= 3:
        return AlignmentWritingOutput(chosen=high, rejected=low)
    return AlignmentWritingOutput(chosen=low, rejected=high)


def _answer(manner: dict[str, list[str]], carried: str, edition: Edition, rng: random.Random) -> str:
    before = pick(manner["before"], edition, rng)
    after = rng.sample(for_edition(manner["after"], edition), 4)
    pieces = [before, carried, *after[:2]]
    for spare in after[2:]:
        if words(" ".join(pieces)) >= _FEWEST_WORDS:
            break
        pieces.append(spare)
    return " ".join(pieces)
