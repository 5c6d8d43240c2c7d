"""The YFCC100M metadata dump: one photo or video a line, tab-separated (Thomee et al. 2016, arXiv:1503.01817)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from lifeloom.records import CaptionSeed, make_id
from lifeloom.synthesis.seeds.files import LineBlock, SeedFileTruncated, SeedLines
from lifeloom.synthesis.seeds.reports import ReadingReport, SeedTally
from lifeloom.synthesis.seeds.text import NULLS, clean_field, combine, shorten, tells_something, wordless_reason

__all__ = ["CAPTIONS_STAGE", "CC_LICENCES", "MAX_CAPTION_CHARS", "MAX_TITLE_CHARS", "CaptionReader"]

CAPTIONS_STAGE = "seeds/yfcc_captions"

CC_LICENCES = frozenset({"by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd", "cc0"})
"""The Creative Commons licences, by their short names."""

MAX_TITLE_CHARS = 200
MAX_CAPTION_CHARS = 600
"""Longer titles, descriptions and captions are cut after a sentence or a word and noted as ``clipped``."""

_MAX_TAGS = 30
_MAX_TAG_CHARS = 64
_CACHE = 65_536  # entries; account and licence texts repeat, but a dump may hold any number of them
_EPOCH_ORDINAL = dt.date(1970, 1, 1).toordinal()
_CC_URL = re.compile(r"creativecommons\.org/(licenses/(?P<code>by[a-z-]*)|publicdomain/zero)(?:/(?P<version>\d\.\d))?")
_NSID = re.compile(rb"[0-9]{1,20}@N[0-9]{2}")

# Columns of the 23-column layout, from 0. The others are the same with a hash after the photo id
# (24) and a line number before it as well (25).
_ID, _NSID_AT, _TAKEN, _UPLOADED, _DEVICE, _TITLE, _DESCRIPTION, _TAGS, _LICENCE, _LICENCE_URL = (
    0,
    1,
    3,
    4,
    5,
    6,
    7,
    8,
    15,
    16,
)
_COLUMNS = 23


class CaptionReader:
    """Reads a YFCC100M dump as a stream, plain or gzip, 23, 24 or 25 columns (each row by its own count).

    Iterating yields a ``CaptionSeed`` for each usable photo; ``report`` then accounts for every line.
    Memory does not grow with the file.

    Usable is a photo (marker 0) under an allowed Creative Commons licence whose title and
    description, cleaned, have at least two words and six letters together. A title or description
    that is only a file name, a camera's text or a placeholder ("Untitled") is left out of the
    caption; words that are said in both appear once.

    A line is rejected, the first rule that holds giving the reason, as ``blank_line``, ``too_long``
    (over 1 MiB), ``half_written`` (the last line, cut), ``wrong_columns``, ``video``,
    ``bad_marker``, ``licence_missing``, ``licence_not_cc``, ``licence_not_allowed``, ``no_id``,
    ``no_text``, ``not_utf8``, ``only_markup``, ``placeholder``, ``camera_text``, ``no_letters``,
    ``file_name`` or ``too_few_words``.

    A kept photo whose date is unreadable, before 2 January 1970, later than the day after its
    upload, or cannot be checked for want of an upload time has ``taken_at`` None and serves as a
    concept only; it is noted as ``impossible_date`` or ``upload_unreadable``. Other notes are
    ``clipped``, ``tags_unreadable`` and ``truncated_gzip`` or ``damaged_gzip``.

    Args:
        path: The dump.
        licences: Short names that are allowed, of ``CC_LICENCES``; all by default.
        source: How the report calls the file; its name by default.

    Raises:
        ValueError: ``licences`` holds a name that is not one of ``CC_LICENCES``.
        SeedFileMissing, SeedFileUnreadable, SeedFileEmpty: While iterating, as ``SeedLines``.
        SeedFileTruncated: While iterating, a gzip file breaks off before the first usable row.
    """

    def __init__(self, path: Path | str, *, licences: Iterable[str] = CC_LICENCES, source: str | None = None) -> None:
        self.path = Path(path)
        self.licences = frozenset(licences)
        if unknown := self.licences - CC_LICENCES:
            raise ValueError(f"unknown licences {sorted(unknown)}; allowed: {sorted(CC_LICENCES)}")
        self._source = source or self.path.name
        self._tally = SeedTally(CAPTIONS_STAGE, self._source)
        self._licence_cache: dict[tuple[bytes, bytes], tuple[str, str]] = {}
        self._account_cache: dict[bytes, str] = {}

    @property
    def report(self) -> ReadingReport:
        """The account of the reading so far; complete once the iteration has ended."""
        return self._tally.report()

    def __iter__(self) -> Iterator[CaptionSeed]:
        tally = self._tally = SeedTally(CAPTIONS_STAGE, self._source)
        lines = SeedLines(self.path)
        for block in lines.blocks():
            yield from self._captions(block, tally)
        if lines.broken:
            if not tally.kept:
                raise SeedFileTruncated(self.path, lines.broken.replace("_", " "))
            tally.note(lines.broken, tally.read, "the file ends early; what came before is used")

    def _captions(self, block: LineBlock, tally: SeedTally) -> Iterator[CaptionSeed]:
        """Yield the captions of a block. Cheap tests come first: most rows say nothing."""
        reject = tally.reject
        licence_cache = self._licence_cache
        number = block.first - 1
        for raw in block.lines:
            number += 1
            tally.read += 1
            row = raw.split(b"\t")
            shift = len(row) - _COLUMNS
            if not 0 <= shift <= 2:
                reject(_why_no_row(raw, number, block), number, raw)
                continue
            if row[-1] != b"0" and (marker := row[-1].strip()) != b"0":
                if number == block.unterminated and marker != b"1":
                    reject("half_written", number, raw)
                else:
                    reject("video" if marker == b"1" else "bad_marker", number, marker)
                continue
            if shift == 2:
                row[0] = row[1]
            key = (row[shift + _LICENCE_URL], row[shift + _LICENCE])
            problem, licence = licence_cache.get(key) or self._judge_licence(key)
            if problem:
                reject(problem, number, key[1] or key[0])
                continue
            title_raw, description_raw = row[shift + _TITLE], row[shift + _DESCRIPTION]
            if not description_raw:
                if not title_raw:
                    reject("no_text", number)
                    continue
                if title_raw.translate(None, b"_").isalnum():  # one piece without blanks
                    reject(_why_one_piece(title_raw), number, title_raw)
                    continue
            if not row[_ID] or not row[shift + _NSID_AT]:
                reject("no_id", number, row[_ID] or row[shift + _NSID_AT])
                continue
            try:
                title = clean_field(title_raw)
                description = clean_field(description_raw)
                device = row[shift + _DEVICE].replace(b"+", b" ").decode("utf-8")
            except UnicodeDecodeError:
                reject("not_utf8", number, title_raw or description_raw)
                continue
            why_title = wordless_reason(title, device)
            why_description = wordless_reason(description, device)
            told = combine("" if why_title else title, "" if why_description else description)
            if not tells_something(told):
                reject(
                    _why_untold(told, why_title, why_description, title_raw, description_raw),
                    number,
                    title_raw or description_raw,
                )
                continue
            if len(told) > MAX_CAPTION_CHARS or len(title) > MAX_TITLE_CHARS or len(description) > MAX_CAPTION_CHARS:
                tally.note("clipped", number, f"{len(told)} characters")
                title = shorten(title, MAX_TITLE_CHARS)
                description = shorten(description, MAX_CAPTION_CHARS)
                told = shorten(told, MAX_CAPTION_CHARS)
            taken_at = _taken_at(row[shift + _TAKEN], row[shift + _UPLOADED], number, tally)
            use: Literal["event", "concept"] = "event" if taken_at else "concept"
            tally.kept += 1
            yield CaptionSeed(
                caption_id=_caption_id(row[_ID]),
                account_id=self._account_id(row[shift + _NSID_AT]),
                title=title,
                description=description,
                caption=told,
                taken_at=taken_at,
                tags=_tags(row[shift + _TAGS], number, tally),
                licence=licence,
                line=number,
                use=use,
            )

    def _judge_licence(self, key: tuple[bytes, bytes]) -> tuple[str, str]:
        """Return (reason to reject or empty, name such as ``CC BY-NC 2.0``), and remember it."""
        code, name = _licence(key[0].decode("utf-8", "replace"), key[1].decode("utf-8", "replace"))
        if not code:
            verdict = ("licence_missing" if not key[0] and not key[1] else "licence_not_cc", "")
        else:
            verdict = ("" if code in self.licences else "licence_not_allowed", name)
        if len(self._licence_cache) >= _CACHE:
            self._licence_cache.clear()
        self._licence_cache[key] = verdict
        return verdict

    def _account_id(self, nsid: bytes) -> str:
        account = self._account_cache.get(nsid)
        if account is None:
            if _NSID.fullmatch(nsid):
                account = "account-" + nsid.decode("ascii").replace("@N", "-n")
            else:
                account = make_id("account", nsid.decode("utf-8", "backslashreplace"))
            if len(self._account_cache) >= _CACHE:
                self._account_cache.clear()
            self._account_cache[nsid] = account
        return account


def _caption_id(photo: bytes) -> str:
    if len(photo) <= 20 and photo.isdigit():
        return "yfcc-" + photo.decode("ascii")
    return make_id("yfcc", photo.decode("utf-8", "backslashreplace"))


def _licence(url: str, name: str) -> tuple[str, str]:
    """Return the short name of a Creative Commons licence and how to cite it; empty when it is none."""
    if found := _CC_URL.search(url):
        code, version = found["code"] or "cc0", found["version"]
        code = code.rstrip("-")
    elif not url and name.endswith(" License") and name.startswith("Attribution"):
        parts = name.removesuffix(" License").split("-")
        shorts = {"Attribution": "by", "NonCommercial": "nc", "ShareAlike": "sa", "NoDerivs": "nd"}
        code, version = "-".join(shorts.get(part, "?") for part in parts), None
    else:
        return "", ""
    if code not in CC_LICENCES:
        return "", ""
    cited = "CC0" if code == "cc0" else "CC " + code.upper()
    return code, f"{cited} {version}" if version else cited


def _why_no_row(raw: bytes, number: int, block: LineBlock) -> str:
    if number in block.oversize:
        return "too_long"
    if not raw.strip():
        return "blank_line"
    return "half_written" if number == block.unterminated else "wrong_columns"


def _why_one_piece(piece: bytes) -> str:
    if piece.isalpha():
        return wordless_reason(piece.decode("ascii")) or "too_few_words"
    return "file_name" if not piece.replace(b"_", b"").isdigit() else "no_letters"


def _why_untold(
    told: str, why_title: str | None, why_description: str | None, title_raw: bytes, description_raw: bytes
) -> str:
    if told:
        return "too_few_words"
    reasons = {why_title, why_description} - {None, "no_text"}
    for reason in ("file_name", "camera_text", "placeholder", "no_letters"):
        if reason in reasons:
            return reason
    empty = not (title_raw and title_raw not in NULLS) and not (description_raw and description_raw not in NULLS)
    return "no_text" if empty else "only_markup"


def _taken_at(taken: bytes, uploaded: bytes, number: int, tally: SeedTally) -> dt.datetime | None:
    """Return the wall-clock time of a photo, or None after noting why it cannot be true."""
    try:
        at = dt.datetime.fromisoformat(taken[:19].decode("ascii"))
    except ValueError:  # of the decoding too
        tally.note("impossible_date", number, taken)
        return None
    if len(taken) < 19 or taken[10] != 0x20 or at.tzinfo is not None:
        tally.note("impossible_date", number, taken)
        return None
    try:
        uploaded_day = int(uploaded) // 86_400
    except ValueError:
        tally.note("upload_unreadable", number, uploaded)
        return None
    day = at.toordinal() - _EPOCH_ORDINAL
    # The first day of 1970 is what a missing time reads as; a day more than the upload allows for time zones.
    if day < 1 or day > uploaded_day + 1:
        tally.note("impossible_date", number, taken)
        return None
    return at


def _tags(raw: bytes, number: int, tally: SeedTally) -> tuple[str, ...]:
    if not raw:
        return ()
    try:
        # Together first: codes and markup in tags are rare. A comma that is encoded parts a tag in two.
        tags = clean_field(raw).split(",")[:_MAX_TAGS]
    except UnicodeDecodeError:
        tally.note("tags_unreadable", number, raw)
        return ()
    return tuple([short for tag in tags if (short := tag[:_MAX_TAG_CHARS].strip())])
