"""A small memory to try things on: turns half an hour apart, memories with vectors that a hash of their text gives."""

from __future__ import annotations

import datetime as dt
import hashlib

import numpy as np

from lifeloom.memory import (
    DialogueTurn,
    EpisodeDraft,
    Origin,
    SemanticDraft,
    SetPersonality,
    SetValue,
    UserMemory,
)
from lifeloom.models.protocol import ModelIdentity
from lifeloom.records import BY_CODE, TRAITS, BigFiveProfile, PersonalityPoint

START = dt.datetime(2025, 3, 1, 9, 0, tzinfo=dt.UTC)
DIMENSIONS = 16


def at(index):
    """Turns of session 0, 1, ... are 10 minutes apart; four turns a session; sessions two hours apart."""
    return START + dt.timedelta(hours=2 * (index // 4), minutes=10 * (index % 4))


def unit(text):
    """A direction of its own for each text."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
    return vector / np.linalg.norm(vector)


class HashEncoder:
    """Texts that are equal are near, others are not."""

    identity = ModelIdentity("test", "hash-1")
    dimensions = DIMENSIONS

    def __init__(self):
        self.asked = []

    def encode(self, texts):
        self.asked.append(tuple(texts))
        return np.stack([unit(text) for text in texts])


def add_turns(memory, count, text="turn {}", first=0, pictures=()):
    for index in range(first, first + count):
        memory.add_turn(DialogueTurn(index, index // 4, at(index), 60, text.format(index), f"reply {index}", pictures))


def origin(turn):
    return Origin(at(turn), turn + 1, BY_CODE)


def job_of(turn, what):
    """Names of jobs hold no word of the user's."""
    return f"turn-{turn}/{hashlib.sha256(what.encode()).hexdigest()[:12]}"


def know(memory, turn, content, keywords=(), sources=None, job=None):
    """Add one piece of semantic knowledge and return its id."""
    draft = SemanticDraft("fact", content, tuple(keywords), sources or (turn,), unit(content))
    (change,) = memory.apply(job or job_of(turn, content), [draft], origin(turn))
    return change.after.memory_id


def tell(memory, turns, summary, keywords=()):
    """Add an episode and return its id."""
    draft = EpisodeDraft(summary, tuple(keywords), tuple(turns), unit(summary))
    (change,) = memory.apply(job_of(turns[-1], summary), [draft], origin(turns[-1]))
    return change.after.memory_id


def set_value(memory, turn, key, content, kind="core", block="human"):
    """Set a value and return the id of its version."""
    vector = unit(content) if kind == "procedural" else None
    operation = SetValue(kind, key, content, (turn,), block if kind == "core" else None, vector=vector)
    (change,) = memory.apply(job_of(turn, f"set {block} {key}"), [operation], origin(turn))
    return change.after.memory_id


def profile(*scores):
    return BigFiveProfile(**dict(zip(TRAITS, scores, strict=True)))


def put_point(memory, turn, scores, smoothing, after, skipped=""):
    point = PersonalityPoint(
        user_id=memory.user_id,
        turn_index=turn,
        at=at(turn),
        inferred=scores,
        applied=not skipped,
        skipped=skipped,
        smoothing=smoothing,
        profile=after,
        made_by=BY_CODE,
    )
    memory.apply(f"turn-{turn}/personality", [SetPersonality(point)], origin(turn))


def new_memory(folder, user_id="ann", turns=8):
    memory = UserMemory.open(folder / "user.sqlite", user_id)
    memory.use_encoder("test/hash-1", DIMENSIONS)
    add_turns(memory, turns)
    return memory
