"""Writing a release in the published format.

The format tells times to the minute and takes as a case's history the turns before its time. So that whoever reads
it sees each case with the history that it has here, a case that is asked within the minute of its last turn gets the
next minute as its time, where the turn that follows is not before that; where it is, the export is refused.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from evaluation.persona_mme_files.placing import ExportRefused, aside_of, free_place, write_file
from evaluation.persona_mme_files.shapes import (
    CASE_FILE,
    DATA_PATH,
    MARK,
    TASK_NAMES,
    TYPE_NAMES,
    USER_FILE,
    bucket_of,
    to_json,
    written_time,
)
from lifeloom.models.protocol import PictureSource
from lifeloom.records import ASPECT_OF, LETTERS, BenchmarkCase, Persona, PictureReference, Turn, local_time
from lifeloom.store.pictures import picture_extension

__all__ = ["ExportRefused", "ExportReport", "export_release", "profile_of"]

_MINUTE = dt.timedelta(minutes=1)


@dataclass(frozen=True)
class ExportReport:
    """What was written."""

    folder: Path
    cases: int
    samples: int
    """Users."""
    turns: int
    pictures: int
    """``<img>`` marks, each with its picture; files may be fewer, a user's equal pictures share one."""
    moved: tuple[str, ...]
    """Ids of cases whose time was set to the next minute, so that their last turn stays before it."""


def profile_of(persona: Persona) -> JsonValue:
    """Return what a user's file says of them: name and core memory, which an assistant may know from the start."""
    memory = persona.core_memory
    return {"name": memory.name, "human": list(memory.human), "persona": list(memory.persona)}


def export_release(
    folder: Path,
    cases: Iterable[BenchmarkCase],
    turns_of: Callable[[str], Iterable[Turn]],
    personas: Mapping[str, Persona | JsonValue],
    source: PictureSource,
) -> ExportReport:
    """Write a release into ``folder`` in the published format, pictures included.

    Users are numbered from 0 within their folder of turns, in the order in which the cases first name them; cases
    keep their order. What is read back from it and exported again gives the same files byte for byte. The format
    has no place for ids, zones, where an option comes from, and evidence: these are not written.

    Args:
        folder: where to write: a new or empty folder, or a link to an empty one.
        cases: the cases of one release.
        turns_of: gives the whole conversation of a persona, in order; read once a persona.
        personas: for each persona of a case its record, or its profile as it stands in a published file.
        source: gives the pictures' files.

    Raises:
        ExportRefused: the release cannot be told in the format (every obstacle is named), or the folder is not
            empty or cannot be written.
        MediaMissing, MediaCorrupt: a picture is gone or damaged.
        PictureRejected: a picture's file is of no known format.
        OSError: what ``turns_of`` and ``source`` raise; not for the folder.
    """
    place = free_place(folder)
    by_persona: dict[str, list[BenchmarkCase]] = {}
    listed = list(cases)
    for case in listed:
        by_persona.setdefault(case.persona_id, []).append(case)
    # Written aside: whoever looks sees the whole release or none.
    with aside_of(folder, place) as aside:
        return _write(aside, folder, listed, by_persona, turns_of, personas, source)


def _write(
    aside: Path,
    folder: Path,
    cases: Sequence[BenchmarkCase],
    by_persona: Mapping[str, Sequence[BenchmarkCase]],
    turns_of: Callable[[str], Iterable[Turn]],
    personas: Mapping[str, Persona | JsonValue],
    source: PictureSource,
) -> ExportReport:
    counts = Counter(case.case_id for case in cases)
    problems = [f"{count} cases have the id {case_id}" for case_id, count in counts.items() if count > 1]
    written: dict[str, _Written] = {}
    numbers: dict[int, int] = {}
    turns = pictures = 0
    for persona_id, own in by_persona.items():
        if persona_id not in personas:
            problems.append(f"{persona_id} has cases but no persona")
            continue
        conversation = tuple(turns_of(persona_id))
        sample = _Sample(persona_id, own, conversation)
        found = list(sample.problems())
        problems += found
        if problems:
            continue  # the rest is still looked at, so that everything is told at once
        bucket = bucket_of(own[0].setting, len(conversation))
        number = numbers[bucket] = numbers.get(bucket, -1) + 1
        place = aside / "samples" / str(bucket) / str(number)
        names = _write_pictures(folder, place, conversation, source)
        entry = personas[persona_id]
        profile = profile_of(entry) if isinstance(entry, Persona) else entry
        write_file(folder, place / USER_FILE, to_json(sample.published(profile, names)))
        turns, pictures = turns + len(conversation), pictures + len(names)
        data_path = DATA_PATH.format(bucket=bucket, number=number)
        for case, time in sample.times():
            written[case.case_id] = _Written(data_path, time)
    if problems:
        raise ExportRefused(problems)
    told = [_case(case, written[case.case_id]) for case in cases]
    write_file(folder, aside / CASE_FILE, to_json(told))
    moved = tuple(
        case.case_id
        for case in cases
        if written[case.case_id].time != written_time(local_time(case.asked_at, case.offset_minutes))
    )
    return ExportReport(folder, len(cases), len(by_persona), turns, pictures, moved)


@dataclass(frozen=True)
class _Written:
    """What the case list says of a case that the case itself does not."""

    data_path: str
    time: str


def _minute(at: dt.datetime, offset_minutes: int) -> dt.datetime:
    return local_time(at, offset_minutes).replace(second=0, microsecond=0)


@dataclass(frozen=True)
class _Sample:
    """A user with the cases that are asked of them."""

    persona_id: str
    cases: Sequence[BenchmarkCase]
    turns: Sequence[Turn]

    def problems(self) -> Iterator[str]:
        """Yield what cannot be told in the format."""
        if len({case.setting for case in self.cases}) > 1:
            yield f"{self.persona_id} has cases of two settings"
        before: dt.datetime | None = None
        for turn in self.turns:
            minute = _minute(turn.at, turn.offset_minutes)
            if before is not None and minute < before:
                yield f"turn {turn.turn_index} of {self.persona_id} is before the turn before it on the user's clock"
            before = minute
            marks = turn.user.count(MARK)
            if marks != len(turn.pictures):
                yield (
                    f"turn {turn.turn_index} of {self.persona_id} has {marks} {MARK} for {len(turn.pictures)} pictures"
                )
        for case in self.cases:
            if len({option.letter for option in case.options}) != len(LETTERS):
                yield f"{case.case_id} has two options of one letter"
            if case.history_turns > len(self.turns):
                yield f"{case.case_id} needs {case.history_turns} turns, {self.persona_id} has {len(self.turns)}"
            elif self._time(case) is None:
                yield (
                    f"{case.case_id} comes between turns {case.history_turns - 1} and {case.history_turns} of "
                    f"{self.persona_id}, which are of one minute; the format cannot tell them apart"
                )

    def times(self) -> Iterator[tuple[BenchmarkCase, str]]:
        """Yield the cases with the times to write."""
        for case in self.cases:
            time = self._time(case)
            assert time is not None  # noqa: S101 - told as a problem before
            yield case, written_time(time)

    def _time(self, case: BenchmarkCase) -> dt.datetime | None:
        """Return the minute nearest to the case's own that has just its history before it; None: there is none."""
        last = self.turns[case.history_turns - 1]
        earliest = _minute(last.at, last.offset_minutes) + _MINUTE
        time = max(_minute(case.asked_at, case.offset_minutes), earliest)
        if case.history_turns < len(self.turns):
            following = self.turns[case.history_turns]
            latest = _minute(following.at, following.offset_minutes)
            if latest < earliest:
                return None
            time = min(time, latest)
        return time

    def published(self, profile: JsonValue, names: Sequence[str]) -> JsonValue:
        """Return the user's file."""
        sessions: list[JsonValue] = []
        current: list[JsonValue] = []
        session_id = ""
        for turn in self.turns:
            if turn.session_id != session_id:
                current, session_id = [], turn.session_id
                sessions.append(current)
            time = written_time(_minute(turn.at, turn.offset_minutes))
            current.append({"time": time, "user": turn.user, "assistant": turn.assistant})
        return {"profile": profile, "sessions": sessions, "imgs": list(names)}


def _case(case: BenchmarkCase, written: _Written) -> JsonValue:
    texts = {option.letter: option.text for option in case.options}
    told: dict[str, JsonValue] = {
        "data_path": written.data_path,
        "type": TYPE_NAMES[ASPECT_OF[case.task]],
        "question_type": TASK_NAMES[case.task],
        "time": written.time,
        "query": case.query,
        "choices": {f"({letter})": texts[letter] for letter in LETTERS},
        "answer": f"({case.answer})",
    }
    if case.alignment is not None:
        told["alignment"] = {"chosen": case.alignment.chosen, "rejected": case.alignment.rejected}
    return told


def _write_pictures(folder: Path, place: Path, turns: Sequence[Turn], source: PictureSource) -> list[str]:
    """Write a user's pictures and return the file's name for each ``<img>``."""
    names: dict[str, str] = {}
    for picture in (picture for turn in turns for picture in turn.pictures):
        if picture.content_hash not in names:
            data = _checked(source(picture), picture)
            names[picture.content_hash] = name = f"{len(names):04d}{picture_extension(data)}"
            write_file(folder, place / name, data)
    return [names[picture.content_hash] for turn in turns for picture in turn.pictures]


def _checked(data: bytes, picture: PictureReference) -> bytes:
    if hashlib.sha256(data).hexdigest() != picture.content_hash:
        raise ExportRefused([f"the source gives another file than the picture {picture.content_hash} that is shown"])
    return data
