"""Reading a release in the published format, whoever wrote it.

Nothing of it is trusted. A case or a user that cannot be read is left out with a reason and counted, the rest is
read: ``listed = cases + rejections of persona_mme_files/cases``. A user who cannot be read whole is left out whole,
because a history with a hole in it asks something else; their cases go with them.
"""

from __future__ import annotations

import bisect
import dataclasses
import datetime as dt
import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import JsonValue, ValidationError

from evaluation.persona_mme_files.finding import Problem, find_case_file, read_json_file
from evaluation.persona_mme_files.shapes import (
    BUCKETS,
    MARK,
    USER_FILE,
    PublishedCase,
    PublishedUser,
    ReleaseUnreadable,
    read_time,
    task_of,
    to_json,
)
from lifeloom.records import (
    ASPECT_OF,
    LETTERS,
    AlignmentPair,
    BenchmarkCase,
    Letter,
    Option,
    PictureReference,
    Provenance,
    Rejection,
    Setting,
    Turn,
    make_id,
)
from lifeloom.store import MediaCorrupt, MediaMissing
from lifeloom.store.pictures import PictureRejected, decode_picture, read_picture_file

__all__ = ["CASES_STAGE", "SAMPLES_STAGE", "PublishedPictures", "PublishedRelease", "read_release"]

CASES_STAGE = "persona_mme_files/cases"
SAMPLES_STAGE = "persona_mme_files/samples"

_SAMPLE = re.compile(r"(?:.*[/\\])?samples[/\\](0|[1-9][0-9]{0,8})[/\\]([a-z0-9_-]{1,32})[/\\]user_data\.json")
_CHOICE = re.compile(r"\s*\(?([a-d])\)?\.?\s*", re.IGNORECASE)
_ANSWER = re.compile(r"\s*\(?([a-d])(?:\).*|\s*)", re.IGNORECASE | re.DOTALL)
_PUBLISHED = Provenance(backend="published", model="", prompt_version="")
_UNKNOWN = "unknown"


class PublishedPictures:
    """Gives the files of a release's pictures: a ``PictureSource``. Files are read when asked for, never kept."""

    def __init__(self, places: Mapping[str, tuple[Path, str]]) -> None:
        """Take the folder and the name of each picture by content hash."""
        self._places = dict(places)

    def __len__(self) -> int:
        """Return the number of different pictures."""
        return len(self._places)

    def __call__(self, reference: PictureReference) -> bytes:
        """Return the file of a picture.

        Raises:
            MediaMissing: the release has no such picture, or its file has gone since the release was read.
            MediaCorrupt: the file was changed since.
        """
        place = self._places.get(reference.content_hash)
        if place is None:
            raise MediaMissing(f"the release has no picture with the content {reference.content_hash}")
        folder, name = place
        try:
            data = read_picture_file(name, folder)
        except PictureRejected as error:
            kind = MediaMissing if error.reason == "missing" else MediaCorrupt
            raise kind(f"{folder / name} cannot be read any more: {error.detail}; read the release again") from error
        if hashlib.sha256(data).hexdigest() != reference.content_hash:
            raise MediaCorrupt(f"{folder / name} was changed since the release was read; read it again")
        return data


@dataclass(frozen=True)
class PublishedRelease:
    """A release as read: all that can be asked, and what could not be read.

    The format has no place for what is not asked. So evidence is empty, sources of options other than the right one,
    attributes and stems are ``unknown``, and times are the user's clock with an offset of 0.
    """

    release_id: str
    cases: list[BenchmarkCase]
    """In the order of the case list."""
    turns: dict[str, list[Turn]]
    """Whole conversations by persona, of those that cases ask about."""
    profiles: dict[str, JsonValue]
    """What the users' files call ``profile``, by persona."""
    pictures: PublishedPictures
    rejections: list[Rejection]
    listed: int
    """Cases in the case list."""

    def left_out(self) -> dict[str, int]:
        """Return how many cases and users were left out, by ``stage: reason``."""
        return dict(Counter(f"{rejection.stage}: {rejection.reason}" for rejection in self.rejections))


def read_release(path: Path, *, history: Literal["before_time", "whole"] = "before_time") -> PublishedRelease:
    """Read a release.

    Users are read from ``samples`` beside the case list, whatever stands before ``samples`` in a case's
    ``data_path``. Pictures lie in the user's folder. As in the published evaluation the base name counts where
    ``imgs`` gives an absolute path of the machine on which the release was made, or a folder that is not there;
    names with ``..`` in them are refused.

    Args:
        path: the folder of the release, or its case list (with ``samples`` beside it).
        history: what a case's history is. before_time: the turns before its time. whole: all turns, as the
            published evaluation replays them.

    Raises:
        ReleaseUnreadable: there is no case list, or it is not a JSON list.
        OSError: a disk that fails.
    """
    file = find_case_file(path)
    root = file.parent
    raw = read_json_file(file, root)
    if isinstance(raw, Problem):
        raise ReleaseUnreadable(f"{file} cannot be read: {raw.detail}")
    entries, digest = raw
    if not isinstance(entries, list):
        raise ReleaseUnreadable(f"{file} holds no list of cases")
    reader = _Reader(root, make_id("release", digest), history)
    for position, entry in enumerate(entries, start=1):
        reader.add(position, entry)
    return PublishedRelease(
        release_id=reader.release_id,
        cases=reader.cases,
        turns={name: list(sample.turns) for name, sample in reader.samples.items() if isinstance(sample, _Sample)},
        profiles={name: sample.profile for name, sample in reader.samples.items() if isinstance(sample, _Sample)},
        pictures=PublishedPictures(reader.pictures),
        rejections=reader.rejections,
        listed=len(entries),
    )


@dataclass(frozen=True)
class _Sample:
    """A user as read."""

    persona_id: str
    setting: Setting
    profile: JsonValue
    turns: Sequence[Turn]
    moments: Sequence[dt.datetime]
    """Of the turns, ascending."""
    pictures: Mapping[str, tuple[Path, str]]


class _Reader:
    """Reads case after case, each user once."""

    def __init__(self, root: Path, release_id: str, history: Literal["before_time", "whole"]) -> None:
        self.root = root
        self.release_id = release_id
        self.history = history
        self.cases: list[BenchmarkCase] = []
        self.rejections: list[Rejection] = []
        self.samples: dict[str, _Sample | Problem] = {}
        self.pictures: dict[str, tuple[Path, str]] = {}

    def add(self, position: int, entry: Any) -> None:
        """Read one entry of the case list."""
        made = self._case(position, entry)
        if isinstance(made, Problem):
            self._reject(CASES_STAGE, f"case {position}", made)
        else:
            self.cases.append(made)

    def _reject(self, stage: str, item: str, problem: Problem) -> None:
        detail = problem.detail.encode("utf-8", "replace").decode()[:500]
        self.rejections.append(Rejection(stage=stage, item=item[:200], reason=problem.reason, detail=detail))

    def _case(self, position: int, entry: Any) -> BenchmarkCase | Problem:
        try:
            to_json(entry)
            told = PublishedCase.model_validate(entry)
        except (ValueError, RecursionError) as error:
            return _shape_problem(error)
        task = task_of(told.question_type) or task_of(told.type)
        if task is None:
            return Problem("unknown_task", f"no task is called {told.question_type!r}")
        asked_at = read_time(told.time)
        if asked_at is None:
            return Problem("bad_time", f"{told.time!r} is no time")
        options = _options(told)
        if isinstance(options, Problem):
            return options
        pair = told.alignment
        if not told.query or (pair is not None and not (pair.chosen and pair.rejected)):
            return Problem("empty_text", "the query or a response of the alignment pair is empty")
        sample = self._sample_of(told.data_path)
        if isinstance(sample, Problem):
            return sample
        turns = len(sample.turns) if self.history == "whole" else bisect.bisect_left(sample.moments, asked_at)
        if not turns:
            return Problem("no_history", f"no turn of {sample.persona_id} is before {told.time}")
        return BenchmarkCase(
            case_id=f"case-{position:05d}",
            release_id=self.release_id,
            persona_id=sample.persona_id,
            setting=sample.setting,
            task=task,
            aspect=ASPECT_OF[task],
            asked_at=asked_at.replace(tzinfo=dt.UTC),
            offset_minutes=0,
            history_turns=turns,
            query=told.query,
            options=options.options,
            answer=options.answer,
            alignment=None
            if pair is None
            else AlignmentPair(chosen=pair.chosen, rejected=pair.rejected, made_by=_PUBLISHED),
            evidence_turns=(),
            attribute=_UNKNOWN,
            stem_id=_UNKNOWN,
        )

    def _sample_of(self, data_path: str) -> _Sample | Problem:
        found = _SAMPLE.fullmatch(data_path)
        if found is None or not data_path.isprintable() or data_path != data_path.strip():
            return Problem("bad_data_path", f"{data_path[:200]!r} does not end in samples/<turns>/<n>/{USER_FILE}")
        bucket, number = int(found[1]), found[2]
        if bucket not in BUCKETS:
            return Problem("unknown_folder", f"folder {bucket} is none of {', '.join(map(str, BUCKETS))}")
        persona_id = f"sample-{bucket}-{number}"
        if persona_id not in self.samples:
            sample = self.samples[persona_id] = _read_sample(self.root, bucket, number, persona_id)
            if isinstance(sample, Problem):
                self._reject(SAMPLES_STAGE, persona_id, sample)
            else:
                self.pictures.update(sample.pictures)
        known = self.samples[persona_id]
        if isinstance(known, Problem):
            return dataclasses.replace(known, reason="sample_rejected", detail=f"{known.reason}: {known.detail}")
        return known


@dataclass(frozen=True)
class _Options:
    options: tuple[Option, ...]
    answer: Letter


def _options(told: PublishedCase) -> _Options | Problem:
    texts: dict[str, str] = {}
    for key, text in told.choices.items():
        found = _CHOICE.fullmatch(key)
        if found is None or found[1].lower() in texts:
            return Problem("bad_choices", f"the choices are {', '.join(map(repr, told.choices))}"[:300])
        texts[found[1].lower()] = text
    if sorted(texts) != list(LETTERS):
        return Problem("bad_choices", f"the choices are {', '.join(map(repr, told.choices))}"[:300])
    if not all(texts.values()):
        return Problem("empty_text", "an option is empty")
    found = _ANSWER.fullmatch(told.answer)
    if found is None:
        return Problem("bad_answer", f"{told.answer[:100]!r} is not one of the letters")
    answer = next(letter for letter in LETTERS if letter == found[1].lower())
    return _Options(
        tuple(
            Option(letter=letter, text=texts[letter], source="right" if letter == answer else _UNKNOWN)
            for letter in LETTERS
        ),
        answer,
    )


def _shape_problem(error: ValueError | RecursionError) -> Problem:
    if not isinstance(error, ValidationError):  # endless numbers, halves of characters, too deep
        return Problem("wrong_shape", f"it cannot be written again: {error}")
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))
    reason = "missing_key" if first["type"] == "missing" else "wrong_shape"
    return Problem(reason, f"{place or 'the entry'}: {first['msg']}")


def _read_sample(root: Path, bucket: int, number: str, persona_id: str) -> _Sample | Problem:
    folder = root / "samples" / str(bucket) / number
    raw = read_json_file(folder / USER_FILE, root)
    if isinstance(raw, Problem):
        return raw
    try:
        to_json(raw[0])
        told = PublishedUser.model_validate(raw[0])
    except (ValueError, RecursionError) as error:
        return _shape_problem(error)
    marks = sum(turn.user.count(MARK) for session in told.sessions for turn in session)
    if marks != len(told.imgs):
        return Problem("picture_marks", f"the user's texts hold {marks} {MARK} for {len(told.imgs)} imgs")
    pictures: dict[str, tuple[Path, str]] = {}
    references: dict[str, PictureReference] = {}
    for name in dict.fromkeys(told.imgs):
        try:
            references[name], pictures_name = _read_picture(folder, name)
        except PictureRejected as error:
            return Problem(f"picture_{error.reason}", error.detail)
        pictures[references[name].content_hash] = (folder, pictures_name)
    left = iter(told.imgs)
    turns: list[Turn] = []
    moments: list[dt.datetime] = []
    sessions = [session for session in told.sessions if session]
    for session_index, session in enumerate(sessions):
        for turn in session:
            index = len(turns)
            at = read_time(turn.time)
            if at is None:
                return Problem("bad_time", f"turn {index}: {turn.time[:100]!r} is no time")
            if moments and at < moments[-1]:
                return Problem("times_not_ordered", f"turn {index} at {turn.time} is before turn {index - 1}")
            if not (turn.user and turn.assistant):
                return Problem("empty_text", f"turn {index}: a message is empty")
            moments.append(at)
            turns.append(
                Turn(
                    turn_id=f"{persona_id}-turn-{index:04d}",
                    persona_id=persona_id,
                    session_id=f"{persona_id}-session-{session_index:03d}",
                    turn_index=index,
                    at=at.replace(tzinfo=dt.UTC),
                    offset_minutes=0,
                    user=turn.user,
                    assistant=turn.assistant,
                    pictures=tuple(references[next(left)] for _ in range(turn.user.count(MARK))),
                )
            )
    return _Sample(persona_id, BUCKETS[bucket], told.profile, turns, moments, pictures)


def _read_picture(folder: Path, name: str) -> tuple[PictureReference, str]:
    """Return a picture of a user and the name under which it lies in their folder.

    Raises:
        PictureRejected: it is missing, or its name or file breaks a rule.
    """
    local = name.rpartition("/")[2] if name.startswith("/") else name
    try:
        data = read_picture_file(local, folder)
    except PictureRejected as error:
        if error.reason != "missing" or "/" not in local:
            raise
        local = local.rpartition("/")[2]
        data = read_picture_file(local, folder)
    image = decode_picture(data)
    reference = PictureReference(content_hash=hashlib.sha256(data).hexdigest(), width=image.width, height=image.height)
    return reference, local
