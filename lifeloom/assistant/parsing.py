"""What a model's step says: a thought, then a retrieval or an answer (PersonaVLM Section 3.2, Algorithm 1).

The format is ``<think>...</think>`` and then ``<answer>...</answer>`` or ``<retrieve>`` with the lines ``"keywords"``,
``"start_time"`` and ``"end_time"``. What departs from it is repaired by rules, each with a name, so that a model that
nearly keeps the format is still of use and the departure is still counted. Tags inside a thought or an answer, and
whatever a model writes behind its action (made-up results of a retrieval, say), are text and never an action.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lifeloom.assistant.lines import key_values, read_keywords, tidy
from lifeloom.memory import Period

__all__ = ["Action", "Answer", "ParsedStep", "Retrieve", "parse_step", "read_period"]


@dataclass(frozen=True)
class Retrieve:
    """Look into the memories."""

    keywords: tuple[str, ...]
    period: Period | None
    """With the user's zone; None: at any time."""


@dataclass(frozen=True)
class Answer:
    """Reply to the user."""

    text: str


Action: TypeAlias = Retrieve | Answer


@dataclass(frozen=True)
class ParsedStep:
    """A step as it was understood."""

    thought: str
    action: Action | None
    """None: no tag that is known, or nothing in it."""
    well_formed: bool
    """Exactly the format asked for. A day without a time and a reversed period are well formed."""
    repairs: tuple[str, ...]
    plain: str = ""
    """Where there is no action: what was said outside the thought, without tags."""


_KEEPS_FORMAT = frozenset(["date_only", "period_reversed"])
_TAG = re.compile(r"<[ \t]{0,4}(/?)[ \t]{0,4}(think|answer|retrieve)[ \t]{0,4}>", re.IGNORECASE)
_KEYS = ("keywords", "start_time", "end_time")
_MOMENT = re.compile(
    r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})"
    r"(?:[T ,]+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::[0-9]{2})?)?"
)
_OPEN = ("", "null", "none", "nil")


@dataclass(frozen=True)
class _Tag:
    start: int
    end: int
    name: str
    closing: bool


@dataclass(frozen=True)
class _Element:
    """An action's text and where it ends; ``closed`` where its tag is."""

    name: str
    text: str
    start: int
    end: int
    closed: bool


def parse_step(text: str, offset_minutes: int) -> ParsedStep:
    """Understand a step; never raises.

    Of several actions the first complete one that says something counts; where none is complete, an answer that was
    begun, then a retrieval that was begun.

    Repairs: ``no_thought``, ``thought_not_opened``, ``thought_not_closed``, ``tag_spelling`` (case or blanks),
    ``text_outside``, ``nested_tags`` (dropped, their text stays), ``both_actions``, ``answer_not_closed``,
    ``retrieve_not_closed``, ``action_empty``, ``no_tag``, ``keywords_missing``, ``keywords_cut``, ``time_missing``,
    ``time_unreadable`` (dropped), ``date_only`` (the whole day), ``period_reversed`` (swapped), ``line_unknown``,
    ``json_form`` (an object in place of lines), ``control_characters``, ``cut``.

    Args:
        text: What the model wrote.
        offset_minutes: The user's zone, minutes east of UTC: times are on the user's clock.
    """
    repairs: list[str] = []
    tags = [_Tag(match.start(), match.end(), match[2].lower(), bool(match[1])) for match in _TAG.finditer(text)]
    if any(text[tag.start : tag.end] != f"<{'/' if tag.closing else ''}{tag.name}>" for tag in tags):
        repairs.append("tag_spelling")
    thought, begin = _thought(text, tags, repairs)
    later = [tag for tag in tags if tag.start >= begin]
    elements = list(_elements(text, later))
    said = [element for element in elements if element.text.strip()]
    if len(said) < len(elements):
        repairs.append("action_empty")
    chosen = next((element for element in said if element.closed), None) or next(
        (element for name in ("answer", "retrieve") for element in said if element.name == name), None
    )
    if chosen is None:
        if not elements:
            repairs.append("no_tag")
        return ParsedStep(thought, None, False, tuple(repairs), _without_tags(text[begin:]).strip())
    if not chosen.closed:
        repairs.append(f"{chosen.name}_not_closed")
    if any(element is not chosen for element in said):
        repairs.append("both_actions")
    elif _without_tags(text[begin : chosen.start]).strip() or _without_tags(text[chosen.end :]).strip():
        repairs.append("text_outside")
    inner = _without_tags(chosen.text)
    if inner != chosen.text:
        repairs.append("nested_tags")
    action: Action = Answer(inner.strip()) if chosen.name == "answer" else _retrieve(inner, offset_minutes, repairs)
    if isinstance(action, Answer) and not action.text:  # tags and nothing else
        return ParsedStep(thought, None, False, (*repairs, "action_empty"))
    return ParsedStep(thought, action, not set(repairs) - _KEEPS_FORMAT, tuple(repairs))


def _thought(text: str, tags: list[_Tag], repairs: list[str]) -> tuple[str, int]:
    """Return the thought and where it ends."""
    first = tags[0] if tags else None
    if first is None or first.name != "think":
        repairs.append("no_thought")
        return "", 0
    if first.closing:  # chat templates of reasoning models open the thought themselves
        repairs.append("thought_not_opened")
        return text[: first.start].strip(), first.end
    if text[: first.start].strip():
        repairs.append("text_outside")
    for tag in tags[1:]:
        if tag.name == "think" and tag.closing:
            thought = text[first.end : tag.start]
            plain = _without_tags(thought).strip()
            if not plain:
                repairs.append("no_thought")
            elif plain != thought.strip():
                repairs.append("nested_tags")
            return plain, tag.end
    repairs.append("thought_not_closed")
    end = next((tag.start for tag in tags[1:] if tag.name != "think" and not tag.closing), len(text))
    return _without_tags(text[first.end : end]).strip(), end


def _elements(text: str, tags: list[_Tag]) -> Iterator[_Element]:
    """Yield the actions that are not inside others, in order."""
    position = 0
    while position < len(tags):
        opening = tags[position]
        position += 1
        if opening.closing or opening.name == "think":
            continue
        depth, last = 1, None
        for number in range(position, len(tags)):
            if tags[number].name == opening.name:
                depth += -1 if tags[number].closing else 1
                last = number if tags[number].closing else last
                if depth == 0:
                    break
        if last is None:  # up to the next action: what was begun and given up
            end = next((tag.start for tag in tags[position:] if not tag.closing), len(text))
            yield _Element(opening.name, text[opening.end : end], opening.start, end, closed=False)
        else:
            yield _Element(opening.name, text[opening.end : tags[last].start], opening.start, tags[last].end, True)
            position = last + 1


def _without_tags(text: str) -> str:
    return _TAG.sub("", text)


def _retrieve(text: str, offset_minutes: int, repairs: list[str]) -> Retrieve:
    values = _json_values(text)
    if values is not None:
        repairs.append("json_form")
    else:
        values = {}
        lines = key_values(text, _KEYS)
        for key, value in lines:
            values.setdefault(key, value)
        if len(values) != sum(bool(line.strip()) for line in text.split("\n")):
            repairs.append("line_unknown")
    keywords = read_keywords(values.get("keywords", ""), repairs)
    if not keywords:
        repairs.append("keywords_missing")
    if not {"start_time", "end_time"} <= values.keys():
        repairs.append("time_missing")
    return Retrieve(
        keywords, read_period(values.get("start_time", ""), values.get("end_time", ""), offset_minutes, repairs)
    )


def _json_values(text: str) -> dict[str, str] | None:
    """Return the lines of a retrieval that is written as a JSON object; None where it is none."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    parts = {key: value if isinstance(value, list) else [value] for key, value in values.items() if key in _KEYS}
    return {key: ", ".join(str(part) for part in listed if part is not None) for key, listed in parts.items()}


def read_period(start: str, end: str, offset_minutes: int, repairs: list[str]) -> Period | None:
    """Return the period between two moments as a model writes them; None where both ends are open.

    A moment is ``YYYY-MM-DD HH:MM`` on the user's clock and takes in its whole minute, or a day and takes in the whole
    day; ``null`` is open. A reversed period is swapped, an impossible or unreadable moment dropped.

    Args:
        start: First moment.
        end: Last moment.
        offset_minutes: The user's zone, minutes east of UTC.
        repairs: Is told ``time_unreadable``, ``date_only`` and ``period_reversed`` where it happened.
    """
    first = _moment(start, offset_minutes, repairs)
    last = _moment(end, offset_minutes, repairs)
    if first and last and last[0] < first[0]:
        repairs.append("period_reversed")
        first, last = last, first
    if first is None and last is None:
        return None
    return Period(first[0] if first else None, last[1] if last else None)


def _moment(written: str, offset_minutes: int, repairs: list[str]) -> tuple[dt.datetime, dt.datetime] | None:
    """Return the first and the last instant that ``written`` takes in; None where it is open or unreadable."""
    value = tidy(written, 100).strip("\"' .")
    if value.casefold() in _OPEN:
        return None
    match = _MOMENT.fullmatch(value)
    try:
        if match is None:
            raise ValueError("no moment")
        day = dt.datetime(
            int(match["year"]),
            int(match["month"]),
            int(match["day"]),
            int(match["hour"] or 0),
            int(match["minute"] or 0),
            tzinfo=dt.timezone(dt.timedelta(minutes=offset_minutes)),
        )
        length = dt.timedelta(minutes=1) if match["hour"] else dt.timedelta(days=1)
        # To UTC and back: what does not exist there is no moment that anything can have happened at.
        last = day + (length - dt.timedelta(microseconds=1))
        for instant in (day, last):
            instant.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        repairs.append("time_unreadable")
        return None
    if match["hour"] is None:
        repairs.append("date_only")
    return day, last
