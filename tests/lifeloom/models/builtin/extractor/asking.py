"""Questions to the extractor, short to write, with answers read by the forms."""

from __future__ import annotations

from collections.abc import Sequence

from lifeloom.assistant.forms import (
    SemanticEntry,
    TopicEntry,
    ValueEntry,
    parse_core,
    parse_episodic,
    parse_procedural,
    parse_semantic,
)
from lifeloom.models.builtin.extractor import core_text, episodic_text, procedural_text, semantic_text
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.tasks import CoreUpdateInput, EpisodicUpdateInput, ProceduralUpdateInput, SemanticUpdateInput
from lifeloom.tasks.choice_answer import PICTURE_MARK, ContextMessage
from lifeloom.tasks.response_step import ProfileLine
from lifeloom.tasks.session_updates import ProceduralLine, SessionTurn

AT = "2025-06-02 10:00"


def context_of(*texts: str) -> tuple[ContextMessage, ...]:
    """Messages of user and assistant in turn, the user first."""
    roles = ("user", "assistant")
    return tuple(ContextMessage(at=AT, role=roles[i % 2], text=text) for i, text in enumerate(texts))  # type: ignore[arg-type]


def semantic_input(user: str, *before: str) -> SemanticUpdateInput:
    return SemanticUpdateInput(now=AT, weekday="Monday", context=context_of(*before), user=user, assistant="I see.")


def remembered(user: str, *before: str, looked: Sequence[LookedAt] = ()) -> tuple[SemanticEntry, ...]:
    """What is kept of a message; reading it needs no repair."""
    answer = parse_semantic(semantic_text(semantic_input(user, *before), looked), user.count(PICTURE_MARK))
    assert answer.repairs == ()
    return answer.entries


def contents(user: str, *before: str) -> list[str]:
    return [entry.content for entry in remembered(user, *before)]


def turns_of(*users: str) -> tuple[SessionTurn, ...]:
    return tuple(SessionTurn(number=i, at=AT, user=user, assistant="I see.") for i, user in enumerate(users, 1))


def core(*users: str, known: Sequence[tuple[str, str, str]] = ()) -> dict[str, ValueEntry]:
    """Core values by ``block.key``."""
    profile = tuple(ProfileLine(block=block, key=key, content=value) for block, key, value in known)  # type: ignore[arg-type]
    text = core_text(CoreUpdateInput(profile=profile, turns=turns_of(*users)))
    answer = parse_core(text, len(users))
    assert answer.repairs == ()
    return {f"{entry.block}.{entry.key}": entry for entry in answer.entries}


def procedural(*users: str, known: Sequence[tuple[str, str]] = ()) -> dict[str, ValueEntry]:
    current = tuple(ProceduralLine(key=key, content=content) for key, content in known)
    answer = parse_procedural(
        procedural_text(ProceduralUpdateInput(current=current, turns=turns_of(*users))), len(users)
    )
    assert answer.repairs == ()
    return {entry.key: entry for entry in answer.entries}


def topics(*users: str) -> tuple[TopicEntry, ...]:
    answer = parse_episodic(episodic_text(EpisodicUpdateInput(turns=turns_of(*users))), len(users))
    assert answer.repairs == ()
    return answer.topics
