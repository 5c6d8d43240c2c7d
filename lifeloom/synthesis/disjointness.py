"""Training and benchmark share nothing (N4): clusters, near-duplicate personas, user messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lifeloom.records import Persona, Turn
from lifeloom.streams import stable_hash

__all__ = ["NEAR_DUPLICATE", "SHORTEST_MESSAGE", "shared_clusters", "shared_personas", "shared_texts"]

NEAR_DUPLICATE = 90.0
"""rapidfuzz token-sort ratio (0..100) from which two base personas count as the same."""
SHORTEST_MESSAGE = 10
"""Words from which a message that occurs on both sides is more than chance."""


def shared_clusters(own: Sequence[Persona], others: Sequence[Persona]) -> list[str]:
    """Return a sentence for each near-duplicate cluster that both sides draw from."""
    theirs = {persona.cluster_id for persona in others}
    return [
        f"{p.persona_id} comes from cluster {p.cluster_id}, as the other side does"
        for p in own
        if p.cluster_id in theirs
    ]


def shared_personas(own: Sequence[Persona], others: Sequence[Persona]) -> list[str]:
    """Return a sentence for each persona whose base text nearly equals one of the other side."""
    from rapidfuzz import fuzz, process, utils

    texts = [persona.seed_text for persona in others]
    problems = []
    for persona in own:
        found = process.extractOne(
            persona.seed_text,
            texts,
            scorer=fuzz.token_sort_ratio,
            processor=utils.default_process,
            score_cutoff=NEAR_DUPLICATE,
        )
        if found is not None:
            problems.append(
                f"{persona.persona_id} is a near-duplicate ({found[1]:.0f} of 100) of {others[found[2]].persona_id}"
            )
    return problems


def shared_texts(own: Iterable[Turn], others: Iterable[Turn]) -> list[str]:
    """Return a sentence for each user message of ``own`` that the other side has word for word.

    Memory: eight bytes and overhead a message of ``own``; ``others`` is streamed.
    """
    mine = {key: turn.turn_id for turn in own if (key := _key(turn.user))}
    return [
        f"{mine[key]} says word for word what {turn.turn_id} of the other side says"
        for turn in others
        if (key := _key(turn.user)) in mine
    ]


def _key(text: str) -> int:
    """Return a hash of the words of ``text``, 0 for texts too short to tell."""
    words = "".join(c if c.isalnum() else " " for c in text.casefold()).split()
    return stable_hash(" ".join(words)) if len(words) >= SHORTEST_MESSAGE else 0
