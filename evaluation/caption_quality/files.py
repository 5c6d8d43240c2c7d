"""Files of captioned and hallucination sets: DOCCI and MMHal-Bench (CoViP Tables 4 and 5)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from evaluation.caption_quality.errors import FileUnreadable
from lifeloom.records import Rejection

__all__ = ["DocciRow", "MmhalRow", "ReadRows", "RowT", "parse_rating", "read_docci", "read_mmhal"]

_RATING = re.compile(r"^[\s*_#>]*rating[\s*_]*:?[\s*_(\[]*([0-9]+)[\s*_)\].]*$", re.IGNORECASE | re.MULTILINE)
_MOST_BYTES = 200_000_000

RowT = TypeVar("RowT", bound=BaseModel)


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


class DocciRow(BaseModel):
    """A picture of DOCCI with its description."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    example_id: str = Field(min_length=1)
    split: str
    image_file: str = Field(min_length=1)
    description: str = Field(min_length=1)


class MmhalRow(BaseModel):
    """A question of MMHal-Bench, with an answer where a model gave one."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question_type: str
    question_topic: str = ""
    image_id: str = Field(min_length=1)
    image_src: str = ""
    image_content: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    question: str = Field(min_length=1)
    gt_answer: str = Field(min_length=1)
    model_answer: str = ""


@dataclass(frozen=True)
class ReadRows(Generic[RowT]):
    """Rows of a file, and why others are not there."""

    rows: tuple[RowT, ...]
    rejections: tuple[Rejection, ...]


def read_docci(path: Path, *, split: str = "") -> ReadRows[DocciRow]:
    """Read ``docci_descriptions.jsonlines``.

    Args:
        path: the file, JSON Lines.
        split: keep only this one (``test``); empty: all. Rows of another are no rejections.

    Raises:
        FileUnreadable: there is no such file, or no line of it can be used.
    """
    seen: set[str] = set()

    def fit(row: DocciRow) -> str:
        if row.example_id in seen:
            return "duplicate"
        seen.add(row.example_id)
        return ""

    read = _read(path, _json_lines(_text(path)), DocciRow, "docci", fit)
    return ReadRows(tuple(one for one in read.rows if split in ("", one.split)), read.rejections)


def read_mmhal(path: Path) -> ReadRows[MmhalRow]:
    """Read ``response_template.json``, with or without answers: a JSON list.

    Raises:
        FileUnreadable: there is no such file, it is no JSON list, or no row of it can be used.
    """
    try:
        given = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise FileUnreadable(f"{path} is no JSON: {error}") from error
    if not isinstance(given, list):
        raise FileUnreadable(f"{path} holds no list of questions")
    return _read(path, iter(enumerate(given, start=1)), MmhalRow, "mmhal", lambda row: "")


def parse_rating(text: str) -> int | None:
    """Return a judge's rating, 0 to 6, from a line of its own; None where there is none or two differ."""
    found = {int(one) for one in _RATING.findall(text)}
    if len(found) != 1:
        return None
    rating = found.pop()
    return rating if 0 <= rating <= 6 else None


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise FileUnreadable(f"{path} has more than {_MOST_BYTES:,} bytes")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FileUnreadable(f"{path} cannot be read: {error}") from error


def _json_lines(text: str) -> Iterator[tuple[int, object]]:
    # splitlines() would also split at characters that strings of JSON may hold.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                yield number, error


def _read(
    path: Path, lines: Iterator[tuple[int, object]], kind: type[RowT], stage: str, fit: Callable[[RowT], str]
) -> ReadRows[RowT]:
    rows, rejections = [], []

    def reject(number: int, reason: str, detail: str) -> None:
        rejections.append(Rejection(stage=stage, item=f"{path.name} row {number}", reason=reason, detail=detail[:500]))

    for number, given in lines:
        if isinstance(given, Exception):
            reject(number, "bad_json", str(given))
            continue
        try:
            row = kind.model_validate(given)
        except ValidationError as error:
            reject(
                number, "bad_row", "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:3])
            )
            continue
        if reason := fit(row):
            reject(number, reason, str(getattr(row, "image_file", ""))[:200])
            continue
        rows.append(row)
    if not rows:
        told = "; ".join(f"{one.item}: {one.reason}" for one in rejections[:3]) or "it has no rows"
        raise FileUnreadable(f"{path} gives nothing that can be used ({told})")
    return ReadRows(tuple(rows), tuple(rejections))
