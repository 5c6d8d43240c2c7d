"""Diagnostic cases in the published file format: rows of a JSON Lines file beside its pictures.

A row has ``images_context`` (paths), ``dialogues_context`` (for each picture its turns), ``query_image``, ``answer``
(the place) and ``last_action``. Turns are ``{"user", "assistant"}``, or ``{"role", "content"}`` messages in pairs.
Beyond the format, rows written here have ``case_id``, ``keyword`` and ``keywords``; rows without them get the paper's
keyword where a dialogue says it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from evaluation.life_bench_files.lines import read_lines, shaped, to_lines
from evaluation.life_bench_files.shapes import ReleaseUnreadable
from evaluation.persona_mme_files.finding import Problem
from evaluation.persona_mme_files.placing import aside_of, free_place, write_file
from lifeloom.models.protocol import PictureSource
from lifeloom.records import BY_CODE, DiagnosticCase, DiagnosticEntry, DialogueTurn, PictureReference, Rejection
from lifeloom.store.pictures import PictureRejected, decode_picture, picture_extension, read_picture_file

__all__ = ["ROWS", "PublishedDiagnostics", "ReleaseUnreadable", "export_diagnostics", "read_diagnostics"]

ROWS = "diagnostics.jsonl"
_PICTURES = "pictures"
_STAGE = "published/diagnostics"
_PAPER_KEYWORD = "SKS"
_ID = re.compile(r"[a-z0-9_.-]{1,64}")


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Turn(_Shape):
    user: str = Field(min_length=1)
    assistant: str = Field(min_length=1)


class _Message(_Shape):
    role: str
    content: str = Field(min_length=1)


class _Row(_Shape):
    images_context: tuple[str, ...] = Field(min_length=1, max_length=200)
    dialogues_context: tuple[tuple[_Turn | _Message, ...], ...]
    query_image: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    last_action: str = Field(min_length=1)
    case_id: str = ""
    keyword: str | None = None
    keywords: tuple[str, ...] | None = None


@dataclass
class PublishedDiagnostics:
    """Cases that somebody published."""

    cases: list[DiagnosticCase] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)
    """A reason for every row that is not there."""
    files: dict[str, bytes] = field(default_factory=dict, repr=False)
    """Pictures by SHA-256."""
    lines: int = 0

    def picture(self, reference: PictureReference) -> bytes:
        """Return the file of a picture: a ``PictureSource``."""
        return self.files[reference.content_hash]


def read_diagnostics(folder: Path, *, file: str = ROWS, release_id: str = "published") -> PublishedDiagnostics:
    """Read rows and their pictures. Who is in a picture is not in the files, nor when people were met.

    A row that is broken, has not as many dialogues as pictures, whose messages are no pairs of user and assistant,
    whose pictures are missing or damaged, or whose query picture is in its context, is left out with its reason.

    Args:
        folder: of the release; paths in rows are relative to it.
        file: name of the rows in it.
        release_id: what the cases say that they belong to.

    Raises:
        ReleaseUnreadable: there is no such file, or no row of it can be used.
    """
    found = PublishedDiagnostics()
    for place, (number, value) in enumerate(read_lines(folder / file, folder)):
        found.lines += 1
        where = f"{file} line {number}"
        row = shaped(value, _Row)
        if isinstance(row, Problem):
            _reject(found, where, row.reason, row.detail)
            continue
        case = _case(found, folder, row, row.case_id or f"{release_id}-d{place:04d}", release_id)
        if isinstance(case, Problem):
            _reject(found, where, case.reason, case.detail)
        else:
            found.cases.append(case)
    if not found.cases:
        told = "; ".join(f"{one.item}: {one.reason}" for one in found.rejections[:3]) or "it has no rows"
        raise ReleaseUnreadable(f"{folder / file} gives no case that can be used ({told})")
    return found


def export_diagnostics(folder: Path, cases: Sequence[DiagnosticCase], source: PictureSource) -> int:
    """Write cases and their pictures into ``folder`` and return how many pictures there are.

    Args:
        folder: a new or empty folder.
        cases: to write, in their order.
        source: gives the pictures' files, which are written byte for byte.

    Raises:
        ExportRefused: the folder is not empty or cannot be written.
        MediaMissing, MediaCorrupt, PictureRejected: a picture is gone, damaged, or of no known format.
    """
    place = free_place(folder)
    written: dict[str, str] = {}
    with aside_of(folder, place) as aside:

        def put(picture: PictureReference) -> str:
            if picture.content_hash not in written:
                data = source(picture)
                path = f"{_PICTURES}/{picture.content_hash[:16]}{picture_extension(data)}"
                write_file(folder, aside / path, data)
                written[picture.content_hash] = path
            return written[picture.content_hash]

        rows = [
            {
                "case_id": case.case_id,
                "images_context": [put(one.picture) for one in case.entries],
                "dialogues_context": [[turn.model_dump() for turn in one.turns] for one in case.entries],
                "query_image": put(case.query),
                "answer": case.location,
                "last_action": case.action,
                "keyword": case.keyword,
                "keywords": list(case.keywords),
            }
            for case in cases
        ]
        write_file(folder, aside / ROWS, to_lines(rows))
    return len(written)


def _case(
    found: PublishedDiagnostics, folder: Path, row: _Row, case_id: str, release_id: str
) -> DiagnosticCase | Problem:
    if _ID.fullmatch(case_id) is None:
        return Problem("bad_name", "a case is called by a-z, 0-9, _, . and -")
    if any(one.case_id == case_id for one in found.cases):
        return Problem("duplicate", f"there is a case {case_id} already")
    if len(row.images_context) != len(row.dialogues_context):
        return Problem("wrong_shape", f"{len(row.images_context)} pictures and {len(row.dialogues_context)} dialogues")
    dialogues = []
    for number, given in enumerate(row.dialogues_context):
        turns = _turns(given)
        if not turns:
            return Problem("no_dialogue", f"dialogue {number} has no pairs of user and assistant")
        dialogues.append(turns)
    try:
        query = _picture(found, folder, row.query_image)
        pictures = [_picture(found, folder, path) for path in row.images_context]
    except PictureRejected as error:
        return Problem(error.reason, str(error))
    if query.content_hash in {one.content_hash for one in pictures}:
        return Problem("query_in_context", "the query picture is in the context, so that nobody need be recognised")
    said = " ".join(turn.user for turns in dialogues for turn in turns)
    printed = _PAPER_KEYWORD if re.search(rf"\b{_PAPER_KEYWORD}\b", said) else ""
    keyword = printed if row.keyword is None else row.keyword
    return DiagnosticCase(
        case_id=case_id,
        release_id=release_id,
        query=query,
        entries=tuple(
            DiagnosticEntry(picture=picture, dialogue_id=f"{case_id}-c{number}", turns=turns)
            for number, (picture, turns) in enumerate(zip(pictures, dialogues, strict=True))
        ),
        location=row.answer,
        action=row.last_action,
        keyword=keyword,
        keywords=((keyword,) if keyword else ()) if row.keywords is None else row.keywords,
        made_by=BY_CODE,
    )


def _turns(given: Sequence[_Turn | _Message]) -> tuple[DialogueTurn, ...]:
    """Return a dialogue's turns; none where its messages are not of user and assistant by turns."""
    turns = [DialogueTurn(user=one.user, assistant=one.assistant) for one in given if isinstance(one, _Turn)]
    messages = [one for one in given if isinstance(one, _Message)]
    if not messages:
        return tuple(turns)
    users, assistants = messages[::2], messages[1::2]
    roles = {one.role for one in users} | {f"reply by {one.role}" for one in assistants}
    if turns or len(users) != len(assistants) or roles != {"user", "reply by assistant"}:
        return ()
    return tuple(DialogueTurn(user=u.content, assistant=a.content) for u, a in zip(users, assistants, strict=True))


def _picture(found: PublishedDiagnostics, folder: Path, path: str) -> PictureReference:
    data = read_picture_file(path, folder)
    image = decode_picture(data)
    content = hashlib.sha256(data).hexdigest()
    found.files.setdefault(content, data)
    return PictureReference(content_hash=content, width=image.width, height=image.height)


def _reject(found: PublishedDiagnostics, item: str, reason: str, detail: str) -> None:
    found.rejections.append(Rejection(stage=_STAGE, item=item[:200], reason=reason, detail=detail[:500]))
