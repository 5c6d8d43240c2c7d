"""Small releases, as records and as published files, for the tests of the format."""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from lifeloom.records import PictureReference, Turn
from lifeloom.store import MediaMissing

START = dt.datetime(2026, 1, 5, 8, tzinfo=dt.UTC)


@functools.cache
def picture_file(number: int, form: str = "PNG") -> bytes:
    file = io.BytesIO()
    image = Image.new("RGB", (20 + number, 16), (number % 256, 200, 30))
    image.save(file, form)
    return file.getvalue()


def reference(data: bytes) -> PictureReference:
    width, height = Image.open(io.BytesIO(data)).size
    return PictureReference(content_hash=hashlib.sha256(data).hexdigest(), width=width, height=height)


class Shelf:
    """A ``PictureSource`` over files in memory."""

    def __init__(self, files: Iterable[bytes] = ()) -> None:
        self.files = {hashlib.sha256(data).hexdigest(): data for data in files}

    def __call__(self, wanted: PictureReference) -> bytes:
        if wanted.content_hash not in self.files:
            raise MediaMissing(f"no {wanted.content_hash}")
        return self.files[wanted.content_hash]


def turn(
    index: int,
    at: dt.datetime,
    *,
    persona: str = "p-1",
    session: str = "s-1",
    user: str = "Hello",
    assistant: str = "Hi",
    pictures: Sequence[PictureReference] = (),
    offset: int = 0,
) -> Turn:
    return Turn(
        turn_id=f"t-{persona}-{index}",
        persona_id=persona,
        session_id=session,
        turn_index=index,
        at=at,
        offset_minutes=offset,
        user=user,
        assistant=assistant,
        pictures=tuple(pictures),
    )


def told_case(**changes: Any) -> dict[str, Any]:
    """A case as published."""
    case = {
        "data_path": "./data/Persona-MME/samples/50/0/user_data.json",
        "type": "Memory Recall",
        "question_type": "Semantic Information Recall",
        "time": "2026-01-06 10:00",
        "query": "What do I drink?",
        "choices": {"(a)": "mint tea", "(b)": "pale ale", "(c)": "red wine", "(d)": "hot cocoa"},
        "answer": "(d)",
    }
    return {key: value for key, value in {**case, **changes}.items() if value is not ...}


def told_user(**changes: Any) -> dict[str, Any]:
    """A user's file as published: two sessions, three turns, one picture."""
    user = {
        "profile": {"name": "Ada"},
        "sessions": [
            [
                {"time": "2026-01-05 09:00", "user": "Look <img>", "assistant": "Nice"},
                {"time": "2026-01-05 09:05", "user": "I drink cocoa", "assistant": "Noted <img>"},
            ],
            [{"time": "2026-01-06 09:00", "user": "Good morning", "assistant": "Hello"}],
        ],
        "imgs": ["0000.png"],
    }
    return {key: value for key, value in {**user, **changes}.items() if value is not ...}


def lay_out(
    root: Path,
    cases: Sequence[Any],
    users: Mapping[str, Any],
    files: Mapping[str, bytes] | None = None,
) -> Path:
    """Write a published release: users by ``bucket/number``, pictures by their path under ``samples``."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "Persona-MME.json").write_text(json.dumps(cases))
    for place, user in users.items():
        folder = root / "samples" / place
        folder.mkdir(parents=True)
        (folder / "user_data.json").write_text(json.dumps(user))
    for name, data in (files if files is not None else {"50/0/0000.png": picture_file(1)}).items():
        (root / "samples" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "samples" / name).write_bytes(data)
    return root


def content_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
