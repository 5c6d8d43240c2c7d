"""One step of the response stage: think, then retrieve or answer (PersonaVLM Section 3.1, Algorithm 1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from lifeloom.models.builtin.reader.choice import score_choice
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.builtin.reasoner.asking import Lookup, next_lookup
from lifeloom.models.builtin.reasoner.counting import count_scores
from lifeloom.models.builtin.reasoner.manner import personality_of, suits
from lifeloom.models.builtin.reasoner.reading import Conversation, read_all
from lifeloom.models.builtin.reasoner.replying import reply
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.choice_answer import ChoiceAnswerInput
from lifeloom.tasks.response_step import ResponseStepInput

__all__ = ["step_text"]

_CLEAR: Final = 0.8
"""Share of the belief from which one option stands out."""


def step_text(
    step: ResponseStepInput, encoder: TextEncoder | None, looked: Sequence[LookedAt], threshold: float
) -> str:
    """Return the step as text: a thought, then a retrieval or an answer.

    Args:
        step: everything that may be known.
        encoder: sentence vectors.
        looked: the pictures in words, in the order of the prompt's marks.
        threshold: cosine from which two faces are one person's.
    """
    heard = read_all(step, looked)
    if step.response:
        return _judged(step, heard)
    if step.options:
        return _chosen(step, heard, encoder, threshold)
    thought, action = reply(step, heard, encoder)
    return _retrieval(thought, action) if isinstance(action, Lookup) else _answer(thought, action)


def _chosen(step: ResponseStepInput, heard: Conversation, encoder: TextEncoder | None, threshold: float) -> str:
    lookup = next_lookup(step, heard) if step.retrievals_left else None
    if lookup is not None and not step.rounds:
        return _retrieval(f"The message has {len(step.options)} options. I look up {lookup.why}.", lookup)
    texts = [option.text for option in step.options]
    counted = count_scores(step, heard)
    scores = counted or (
        score_choice(
            ChoiceAnswerInput(context=heard.messages, asked_at=step.now, query=step.query, options=step.options),
            texts,
            encoder,
            heard.looked,
            threshold,
        )
        if len(texts) > 1
        else (1.0,)
    )
    best = max(range(len(texts)), key=lambda i: (scores[i], -i))
    belief = _shares(scores)[best]
    option = step.options[best]
    found = f"So far ({option.letter}) has {round(100 * belief)} % of the belief"
    if lookup is not None and not _settled(step, lookup, belief):
        return _retrieval(f"{found}. That may change: I look up {lookup.why}.", lookup)
    end = "stands out" if belief >= _CLEAR else "is the likeliest of what I know"
    return _answer(f"{found} and {end}.", f"({option.letter}) {option.text}")


def _settled(step: ResponseStepInput, lookup: Lookup, belief: float) -> bool:
    """Whether ``lookup`` can be spared: nothing new comes, nothing is missing, or one option stands out."""
    if lookup.urgency == "needed":
        return False
    last = step.rounds[-1]
    if not last.memories and not last.start_time and not last.end_time:
        return True
    return belief >= _CLEAR or lookup.urgency == "rest"


def _judged(step: ResponseStepInput, heard: Conversation) -> str:
    if step.retrievals_left and not step.rounds and not personality_of(step.personality):
        lookup = next_lookup(step, heard)
        if lookup is not None:
            return _retrieval("I do not know this user's personality. I look for how they speak.", lookup)
    odds, told_by = suits(step, heard)
    verdict = "yes" if odds >= 0 else "no"
    return _answer(f"Does the response's manner suit the user? Of the signs, {told_by}.", verdict)


def _shares(scores: Sequence[float]) -> list[float]:
    highest = max(scores)
    weights = [math.exp(score - highest) for score in scores]
    return [weight / sum(weights) for weight in weights]


def _retrieval(thought: str, lookup: Lookup) -> str:
    return (
        f"<think>{_plain(thought)}</think>\n<retrieve>\n"
        f'"keywords": "{", ".join(_plain(word) for word in lookup.keywords)}"\n'
        f'"start_time": "{lookup.start or "null"}"\n"end_time": "{lookup.end or "null"}"\n</retrieve>'
    )


def _answer(thought: str, text: str) -> str:
    return f"<think>{_plain(thought)}</think>\n<answer>{_plain(text)}</answer>"


def _plain(text: str) -> str:
    """Return ``text`` without what could be taken for a tag of the protocol."""
    return text.replace("<", "‹").replace(">", "›")
