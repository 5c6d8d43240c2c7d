"""The review queue (P4): a file in which a person reads what, why and where, and answers accept or reject.

One JSON object a line, one file a data set. Whoever answers fills ``answer`` (and ``note``) in the file
itself; the next run honours it. Answered lines stay for good, so that an answer is never asked for again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from lifeloom.records import ReviewItem

__all__ = [
    "ReviewAnswer",
    "ReviewAnswers",
    "ReviewFileError",
    "queue_path",
    "read_answers",
    "waiting_items",
    "write_queue",
]

ReviewAnswer = Literal["accept", "reject"]


class ReviewFileError(Exception):
    """A review file, or a line of it, cannot be used. The message says which and what to do."""

    def __init__(self, path: Path, line: int | None, problem: str) -> None:
        """Say what is wrong with ``line`` of ``path``; None: with the file itself, ``problem`` then says what to do."""
        advice = "Correct the line, or remove it to be asked again."
        super().__init__(f"{path}: {problem}" if line is None else f"{path}, line {line}: {problem}. {advice}")
        self.path = path
        self.line = line


@dataclass(frozen=True)
class ReviewAnswers:
    """What people answered, by item id."""

    by_item: Mapping[str, ReviewAnswer] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    """What people wrote beside their answers, where they did."""

    def get(self, item_id: str) -> ReviewAnswer | None:
        """Return the answer to an item, None while there is none."""
        return self.by_item.get(item_id)

    def __len__(self) -> int:
        return len(self.by_item)

    def digest(self) -> str:
        """Return a short string that changes whenever an answer does, and with nothing else (notes, order, waiting)."""
        return self._digest(f"{item_id} {answer}" for item_id, answer in sorted(self.by_item.items()))

    def digest_with_notes(self) -> str:
        """Return ``digest`` for stages that also use the notes: it changes whenever a rejection's note does as well."""
        return self._digest(
            f"{item_id} {answer} {json.dumps(self.notes.get(item_id, '') if answer == 'reject' else '')}"
            for item_id, answer in sorted(self.by_item.items())
        )

    def _digest(self, lines: Iterable[str]) -> str:
        return f"{len(self.by_item)}-{hashlib.blake2b(chr(10).join(lines).encode(), digest_size=8).hexdigest()}"


def queue_path(folder: Path, key: str) -> Path:
    """Return the file of the data set ``key``: slashes become dots, so ``corpus.dialogues.shard-000.jsonl``."""
    return folder / f"{key.replace('/', '.')}.jsonl"


def read_answers(folder: Path, key: str) -> ReviewAnswers:
    """Return the answers given in the queue file of ``key``; none where there is no file.

    Raises:
        ReviewFileError: a line is not a review item, two lines answer one item differently, or the file is a folder.
    """
    items = _read(queue_path(folder, key))
    return ReviewAnswers(
        {item_id: item.answer for item_id, item in items.items() if item.answer},
        {item_id: item.note for item_id, item in items.items() if item.answer and item.note},
    )


def write_queue(folder: Path, key: str, items: Iterable[ReviewItem]) -> Path:
    """Write the queue file of ``key`` by one rename and return its path.

    Answers and notes in the file are kept: an item asked again keeps them, and answered items stay at the
    end even when nothing asks for them any more. An item without an answer goes when nobody asks for it.

    Raises:
        ReviewFileError: the present file cannot be read; it is left as it is.
    """
    path = queue_path(folder, key)
    known = _read(path)
    asked: dict[str, ReviewItem] = {}
    for item in items:
        old = known.get(item.item_id)
        kept = item if old is None else item.model_copy(update={"answer": old.answer, "note": old.note})
        asked.setdefault(item.item_id, kept)
    answered = [item for item_id, item in known.items() if item.answer and item_id not in asked]
    lines = (json.dumps(item.model_dump(), ensure_ascii=False) for item in [*asked.values(), *answered])
    _replace(path, "".join(f"{line}\n" for line in lines))
    return path


def waiting_items(folder: Path) -> int:
    """Return how many items of all queue files in ``folder`` nobody has answered.

    Raises:
        ReviewFileError: a file has a line that cannot be used.
    """
    files = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    return sum(not item.answer for path in files for item in _read(path).values())


def _read(path: Path) -> dict[str, ReviewItem]:
    try:
        # Only "\n" ends a line: texts may hold other line separators.
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except FileNotFoundError:
        return {}
    except IsADirectoryError as error:
        raise ReviewFileError(
            path, None, "a folder stands where the file of the review queue belongs. Move it away, and run again."
        ) from error
    items: dict[str, ReviewItem] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        item = _parse(path, number, line)
        old = items.setdefault(item.item_id, item)
        if old.answer != item.answer:
            raise ReviewFileError(path, number, f"{item.item_id} is answered in two ways")
    return items


def _parse(path: Path, number: int, line: bytes) -> ReviewItem:
    try:
        fields = json.loads(line.decode("utf-8"))
    except ValueError as error:  # broken JSON or broken UTF-8
        raise ReviewFileError(path, number, f"it is not a JSON object ({error})") from error
    if not isinstance(fields, dict):
        raise ReviewFileError(path, number, "it is not a JSON object")
    answer = fields.get("answer", "")
    fields["answer"] = answer.strip().lower() if isinstance(answer, str) else answer
    if fields["answer"] not in ("", "accept", "reject"):
        raise ReviewFileError(path, number, f'answer is {answer!r}; allowed are "accept", "reject" or ""')
    try:
        return ReviewItem.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the line"
        raise ReviewFileError(path, number, f"{place}: {first['msg']}") from error


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)  # mkstemp's files are private, but somebody else may answer
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
