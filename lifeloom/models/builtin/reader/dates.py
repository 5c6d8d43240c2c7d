"""Spoken dates that cannot fit the day on which they are said."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Final

from lifeloom.tasks.session_critique import CritiqueTurn, Problem

__all__ = ["date_problem", "wrong_dates"]

_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_DAY = f"(?P<day>{'|'.join(_DAYS)})"
_MONTH = f"(?P<month>{'|'.join(_MONTHS)})"
_NUMBER = r"(?P<number>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?P<year>(?:19|20)\d\d))?"
_DATE = rf"(?:(?:the )?{_NUMBER} (?:of )?{_MONTH}|{_MONTH} (?:the )?{_NUMBER.replace('number', 'number2')}){_YEAR}"
_DATE = _DATE.replace("(?P<month>", "(?P<month2>", 2).replace("(?P<month2>", "(?P<month>", 1)

_DAY_AND_DATE: Final = re.compile(rf"\b{_DAY},? (?:the )?{_DATE}\b")
_TODAY_IS: Final = re.compile(
    rf"\b(?:today is|it's|it is|today being|happy|this fine) (?:a |already |only |just )?{_DAY}\b(?! (?:night's|"
    rf"next|last|that))"
)
_TODAY_DATE: Final = re.compile(rf"\b(?:today is|today,|today's date is|it's|it is) (?:already |only )?{_DATE}\b")
_NEIGHBOUR_DAY: Final = re.compile(
    rf"\b(?P<which>yesterday|tomorrow|the day before yesterday|the day after tomorrow)(?: \(|, | being | was | is )"
    rf"(?:a )?{_DAY}\b"
)
_RELATIVE_DATE: Final = re.compile(
    rf"\b(?P<which>yesterday|tomorrow|last {_DAY}|next {_DAY.replace('day>', 'dayb>')})(?: \(|, )(?:the )?{_DATE}\b"
)
_OFFSETS: Final = {
    "yesterday": -1, "tomorrow": 1, "the day before yesterday": -2, "the day after tomorrow": 2,
}  # fmt: skip


def _date_of(match: re.Match[str], today: dt.date) -> dt.date | str | None:
    """Return the date a match names, nearest to ``today`` when no year is said; a text when there is no such day."""
    groups = match.groupdict()
    month = _MONTHS.index(groups.get("month") or groups["month2"]) + 1
    day = int(groups.get("number") or groups["number2"])
    years = [int(groups["year"])] if groups.get("year") else [today.year - 1, today.year, today.year + 1]
    dates = []
    for year in years:
        try:
            dates.append(dt.date(year, month, day))
        except ValueError:
            continue  # 29 February in other years; no such day at all is told below
    if not dates:
        return f"there is no {day} {_MONTHS[month - 1].capitalize()}" + (f" {years[0]}" if len(years) == 1 else "")
    return min(dates, key=lambda date: abs((date - today).days))


def date_problem(text: str, today: dt.date) -> str | None:
    """Return why a date or weekday said in ``text`` cannot be right on ``today``, or None."""
    lowered = text.replace("’", "'").lower()
    for match in _DAY_AND_DATE.finditer(lowered):
        date = _date_of(match, today)
        if isinstance(date, str):
            return date
        # Without a year the phrase may mean a date of another year: only a near one is held to it.
        near = date is not None and (match.groupdict().get("year") or abs((date - today).days) <= 100)
        if date is not None and near and _DAYS[date.weekday()] != match["day"]:
            said, right = match["day"].capitalize(), _DAYS[date.weekday()].capitalize()
            return f"{date.isoformat()} is a {right}, not a {said}"
    for match in _RELATIVE_DATE.finditer(lowered):
        problem = _relative_problem(match, today)
        if problem:
            return problem
    for match in _TODAY_DATE.finditer(lowered):
        date = _date_of(match, today)
        if isinstance(date, str):
            return date
        if date is not None and date != today and not _is_about_another_day(lowered, match):
            return f"“{match.group()}” is said on {today.isoformat()}"
    for match in _NEIGHBOUR_DAY.finditer(lowered):
        day = today + dt.timedelta(days=_OFFSETS[match["which"]])
        if _DAYS[day.weekday()] != match["day"]:
            return f"{match['which']} is a {_DAYS[day.weekday()].capitalize()}, not a {match['day'].capitalize()}"
    for match in _TODAY_IS.finditer(lowered):
        if match["day"] != _DAYS[today.weekday()] and not _is_about_another_day(lowered, match):
            return f"“{match.group()}” is said on a {_DAYS[today.weekday()].capitalize()}"
    return None


def _is_about_another_day(text: str, match: re.Match[str]) -> bool:
    """Whether "it's Friday" is about a meeting, a habit or a story instead of the day of speaking."""
    clause = re.split(r"[.!?;\n]", text[: match.start()])[-1]
    after = re.split(r"[.!?;\n]", text[match.end() :])[0]
    if match.group().startswith("today"):
        return False
    if match.group().startswith("happy"):
        return False
    return bool(
        re.search(r"\b(?:if|when|whenever|until|once|because|so|since|as|that|think|meeting|appointment|deadline|due|"
                  r"class|train|party|game|match|delivery|which|where|says?|said|pretend|unless|means?)\b", clause)
        or re.search(r"^(?:s|'s)?\W*(?:\w+\W+){0,2}(?:or|at|from|to|through|until|for|when|that|and|with|after|the|"
                     r"before|not|night|evening|morning|i|we|he|she|they)\b", after)
        or clause.strip()
    )  # fmt: skip


def _relative_problem(match: re.Match[str], today: dt.date) -> str | None:
    date = _date_of(match, today)
    if isinstance(date, str):
        return date
    if date is None:
        return None
    which = match["which"]
    days = (date - today).days
    if which in _OFFSETS:
        return (
            None if days == _OFFSETS[which] else f"{which} is not {date.isoformat()} when said on {today.isoformat()}"
        )
    weekday = which.split()[1]
    if _DAYS[date.weekday()] != weekday:
        return f"{date.isoformat()} is a {_DAYS[date.weekday()].capitalize()}, not a {weekday.capitalize()}"
    fits = -14 <= days < 0 if which.startswith("last") else 0 < days <= 14
    return None if fits else f"“{which}” cannot be {date.isoformat()} when said on {today.isoformat()}"


def wrong_dates(turns: Sequence[CritiqueTurn]) -> list[Problem]:
    """Return a problem for each turn in which a spoken date cannot be right."""
    problems = []
    for turn in turns:
        today = dt.date.fromisoformat(turn.local_time[:10])
        for text in (turn.user, turn.assistant):
            reason = date_problem(text, today)
            if reason is not None:
                problems.append(Problem(turn_index=turn.turn_index, kind="wrong_date", reason=reason))
                break
    return problems
