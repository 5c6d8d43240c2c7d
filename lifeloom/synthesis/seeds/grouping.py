"""Captions by account and date, in bounded memory: an external merge sort in temporary files."""

from __future__ import annotations

import datetime as dt
import heapq
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO

from lifeloom.records import CaptionSeed
from lifeloom.streams import stable_hash
from lifeloom.synthesis.seeds.reports import SeedTally

__all__ = ["GROUPING_STAGE", "MAX_CAPTIONS_PER_ACCOUNT", "AccountCaptions", "group_captions"]

GROUPING_STAGE = "seeds/yfcc_accounts"

MAX_CAPTIONS_PER_ACCOUNT = 10_000
"""More captions of one account are rejected as ``account_full``: the earliest are kept."""

_RUN_BYTES = 64 << 20
_MAX_RUNS = 64  # open files at once
_NO_DATE = "~"  # sorts behind every date
_TAG = "\x1f"


@dataclass(frozen=True, slots=True)
class AccountCaptions:
    """The captions of one account by date and id, those without a date last."""

    account_id: str
    captions: tuple[CaptionSeed, ...]


def group_captions(
    captions: Iterable[CaptionSeed],
    *,
    spill_folder: Path | None = None,
    max_per_account: int = MAX_CAPTIONS_PER_ACCOUNT,
    run_bytes: int = _RUN_BYTES,
    tally: SeedTally | None = None,
) -> Iterator[AccountCaptions]:
    """Yield accounts in the order of their ids, each with its captions by date.

    About twice ``run_bytes`` of memory are used, and some 70 bytes a caption to know photos again, however they
    fall on accounts: sorted runs are written to temporary files, one caption a line of tab-separated
    text, and merged. The files are gone when the iteration ends or is given up.

    Args:
        captions: In any order, for example a ``CaptionReader``.
        spill_folder: Where the temporary files go; the system's folder by default.
        max_per_account: At most so many captions of an account, the earliest.
        run_bytes: Bytes of text that are sorted at once.
        tally: Counts ``duplicate_photo`` (the same id on two lines: the first stays) and
            ``account_full``, so that captions in = captions out + rejected;
            ``reader.report.less(tally.report())`` is then the account of the whole.
    """
    tally = tally if tally is not None else SeedTally(GROUPING_STAGE, "captions")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="captions-", dir=spill_folder)))
        runs = _Runs(folder, stack)
        pending: list[bytes] = []
        size = 0
        seen: set[int] = set()
        for caption in captions:
            tally.read += 1
            photo = stable_hash(caption.caption_id)
            if photo in seen:
                tally.reject("duplicate_photo", caption.line, f"{caption.caption_id} was on an earlier line")
                continue
            seen.add(photo)
            line = _spilled(caption)
            pending.append(line)
            size += len(line)
            if size >= run_bytes:
                pending.sort()
                runs.add(pending)
                pending, size = [], 0
        pending.sort()
        rows = (line.split(b"\t") for line in runs.merged_with(pending))
        for _, group in groupby(rows, key=itemgetter(0)):
            account = _account(group, max_per_account, tally)
            tally.kept += len(account.captions)
            yield account


class _Runs:
    """Sorted runs in files; when there are many, they are merged into one."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._files: list[BinaryIO] = []
        self._made = 0

    def add(self, lines: Iterable[bytes]) -> None:
        file = self._stack.enter_context((self._folder / f"run-{self._made}.tsv").open("w+b", buffering=1 << 18))
        self._made += 1
        file.writelines(lines)
        file.seek(0)
        self._files.append(file)
        if len(self._files) >= _MAX_RUNS:
            files, self._files = self._files, []
            self.add(heapq.merge(*files))
            for old in files:
                old.close()
                Path(old.name).unlink()

    def merged_with(self, pending: list[bytes]) -> Iterator[bytes]:
        return heapq.merge(*self._files, pending) if self._files else iter(pending)


def _account(rows: Iterable[list[bytes]], most: int, tally: SeedTally) -> AccountCaptions:
    account_id = ""
    captions: list[CaptionSeed] = []
    for row in rows:
        caption = _restored(row)
        account_id = caption.account_id
        if len(captions) >= most:
            tally.reject("account_full", caption.line, f"{account_id} has over {most} captions")
        else:
            captions.append(caption)
    return AccountCaptions(account_id, tuple(captions))


def _spilled(seed: CaptionSeed) -> bytes:
    """Return a caption as one line whose byte order is the order wanted: account, date, photo, line.

    Cleaned texts hold no tabs, line ends or control characters; others have them replaced by blanks.
    """
    date = seed.taken_at.isoformat() if seed.taken_at else _NO_DATE
    same = "=" if seed.caption == seed.title else seed.caption
    fields = (
        seed.account_id, date, seed.caption_id, f"{seed.line:012d}", seed.licence, seed.use,
        seed.title, seed.description, same, _TAG.join(seed.tags),
    )  # fmt: skip
    line = "\t".join(fields)
    if line.count("\t") != len(fields) - 1 or "\n" in line:
        line = "\t".join(" ".join(field.split()) if _TAG not in field else field for field in fields)
    return (line + "\n").encode("utf-8")


def _restored(row: list[bytes]) -> CaptionSeed:
    _, date, caption_id, line, licence, use, title, description, caption, tags = [cell.decode("utf-8") for cell in row]
    tags = tags[:-1]  # the line feed
    return CaptionSeed(
        caption_id=caption_id,
        account_id=row[0].decode("ascii"),
        title=title,
        description=description,
        caption=title if caption == "=" else caption,
        taken_at=None if date == _NO_DATE else dt.datetime.fromisoformat(date),
        tags=tuple(tags.split(_TAG)) if tags else (),
        licence=licence,
        line=int(line),
        use="event" if use == "event" else "concept",
    )
