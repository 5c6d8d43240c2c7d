"""Shapes and names of the published files (release of PersonaVLM; see also its Appendix D).

    Persona-MME.json                                    a list of cases
    samples/{50,100,200,500}/<n>/user_data.json         a user: profile, sessions, imgs
    samples/{50,100,200,500}/<n>/<picture>              the pictures, by the base names in imgs

Folders 50 and 100 (turns at most) are the 32k setting, 200 and 500 the 128k setting.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from typing import get_args

from pydantic import BaseModel, ConfigDict, JsonValue

from lifeloom.records import Aspect, Setting, TaskName
from lifeloom.tasks.choice_answer import PICTURE_MARK as MARK

__all__ = [
    "BUCKETS",
    "CASE_FILE",
    "DATA_PATH",
    "MARK",
    "TASK_NAMES",
    "TYPE_NAMES",
    "USER_FILE",
    "PublishedCase",
    "PublishedPair",
    "PublishedTurn",
    "PublishedUser",
    "ReleaseUnreadable",
    "bucket_of",
    "read_time",
    "task_of",
    "to_json",
    "written_time",
]

CASE_FILE = "Persona-MME.json"
USER_FILE = "user_data.json"
DATA_PATH = "./data/Persona-MME/samples/{bucket}/{number}/user_data.json"
"""How cases name their user: where the published evaluation looks for it."""
BUCKETS: dict[int, Setting] = {50: "32k", 100: "32k", 200: "128k", 500: "128k"}
"""Folders by the number of turns that they hold at most, with their setting."""

TASK_NAMES: dict[TaskName, str] = {
    "VDR": "Visual Detail Recall",
    "SIR": "Semantic Information Recall",
    "EII": "Explicit Intent Inference",
    "IIR": "Implicit Intent Recognition",
    "LPR": "Latest Preference Recognition",
    "IEA": "Interest Evolution Analysis",
    "IPR": "Implicit Preference Recommendation",
    "BPR": "Behavioral Pattern Recognition",
    "LGT": "Long-term Goal Tracking",
    "RR": "Relationship Recognition",
    "RDC": "Relationship Dynamics Comprehension",
    "TED": "Tiered Explanation Delivery",
    "GNS": "Generalizing to New Scenarios",
    "PA": "Personality Alignment",
}
"""``question_type`` of each task (PersonaVLM Table 4)."""

TYPE_NAMES: dict[Aspect, str] = {
    "Memory": "Memory Recall",
    "Intent": "Intent Inference",
    "Preference": "Preference Recognition",
    "Behavior": "Behavioral Awareness",
    "Relationship": "Relationship Understanding",
    "Growth": "Personalized Growth Modeling",
    "Alignment": "Personality Alignment",
}
"""``type`` of each aspect."""


class ReleaseUnreadable(ValueError):
    """What should be a release is none at all: no case list, or no JSON list in it."""


class _Shape(BaseModel):
    """A published object. Keys that nobody knows are left aside."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class PublishedPair(_Shape):
    """Two responses to the query: ``chosen`` suits the user's personality, ``rejected`` does not."""

    chosen: str
    rejected: str


class PublishedCase(_Shape):
    """One case."""

    data_path: str
    """Path of the user's file; only its end counts, the beginning is that of somebody's machine."""
    type: str
    """Aspect, as ``TYPE_NAMES`` calls it."""
    question_type: str
    """Task, as ``TASK_NAMES`` calls it."""
    time: str
    """``YYYY-MM-DD HH:MM`` on the user's clock, also with a remark in parentheses."""
    query: str
    choices: dict[str, str]
    """``(a)`` to ``(d)``."""
    answer: str
    """``(d)``."""
    alignment: PublishedPair | None = None


class PublishedTurn(_Shape):
    """One turn."""

    time: str
    user: str
    assistant: str


class PublishedUser(_Shape):
    """A user: what is known from the start, and the whole conversation."""

    profile: JsonValue = None
    sessions: tuple[tuple[PublishedTurn, ...], ...]
    imgs: tuple[str, ...] = ()


def bucket_of(setting: Setting, turns: int) -> int:
    """Return the folder for a conversation: the smallest of its setting that holds ``turns``, else the largest."""
    own = [bucket for bucket, of in BUCKETS.items() if of == setting]
    return next((bucket for bucket in own if turns <= bucket), own[-1])


_WORDS = re.compile(r"[a-z]+")


def _plain(name: str) -> str:
    return " ".join(
        _WORDS.findall(name.lower().replace("behaviour", "behavior").replace("generalising", "generalizing"))
    )


_TASK_BY_NAME: dict[str, TaskName] = {
    **{_plain(task): task for task in get_args(TaskName)},
    **{_plain(name): task for task, name in TASK_NAMES.items()},
}


def task_of(question_type: str) -> TaskName | None:
    """Return the task that is called ``question_type``: its letters or its name, whatever case and hyphens."""
    return _TASK_BY_NAME.get(_plain(question_type))


_TIME = re.compile(r"\s*(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2})?\s*(\(.*)?", re.DOTALL | re.ASCII)


def read_time(text: str) -> dt.datetime | None:
    """Return a published time, naive, on the user's clock; None when it is none."""
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    try:
        return dt.datetime.fromisoformat(f"{found[1]} {found[2]}{found[3] or ''}")
    except ValueError:
        return None


def written_time(at: dt.datetime) -> str:
    """Return the minute of a naive time as the files give it."""
    return at.isoformat(" ", "minutes")


def to_json(value: JsonValue) -> bytes:
    """Return the one way in which files are written here: the same value gives the same bytes."""
    return (json.dumps(value, ensure_ascii=False, indent=4, allow_nan=False) + "\n").encode()
