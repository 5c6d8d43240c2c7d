"""Key-value lines as models write them: tolerant reading that loses nothing silently."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

__all__ = ["MOST_KEYWORDS", "key_values", "read_keywords", "read_numbers", "tidy"]

MOST_KEYWORDS = 16
_LONGEST_KEYWORD = 60  # characters

_LINE = re.compile(r'\s*(?:[-*•]\s+)?\*{0,2}("?)([A-Za-z][A-Za-z_ -]{0,40})"?\*{0,2}\s*[:：]\*{0,2}(.*)', re.DOTALL)
_SEPARATOR = re.compile(r"[,;，；、\n]")
_NUMBER = re.compile(r"([0-9]+)(?:\s*[-–]\s*([0-9]+))?")
_MOST_DIGITS = 9


def tidy(text: str, limit: int, repairs: list[str] | None = None) -> str:
    """Return ``text`` on one line: white space folded, control characters dropped, at most ``limit`` characters.

    Quotation marks around the whole text go, since models like to write them. Tidying twice changes nothing.

    Args:
        text: What was written.
        limit: Characters to keep.
        repairs: Is told ``control_characters`` and ``cut`` where it happened.
    """
    folded = " ".join(text.split())
    plain = "".join(c for c in folded if unicodedata.category(c) not in ("Cc", "Cs"))
    if repairs is not None and plain != folded:
        repairs.append("control_characters")
    tidied = _bare(" ".join(plain.split()))
    if len(tidied) > limit:
        if repairs is not None:
            repairs.append("cut")
        tidied = _bare(tidied[:limit])
    return tidied


def _bare(text: str) -> str:
    text = text.strip()
    while len(text) >= 2 and text[0] == text[-1] == '"' and '"' not in text[1:-1]:
        text = text[1:-1].strip()
    return text


def key_values(text: str, keys: Collection[str]) -> list[tuple[str, str]]:
    """Return the lines of ``text`` whose key is one of ``keys``, in order.

    A key may stand in quotation marks (its value then too, with a comma behind it, as in JSON), in bold or behind a
    bullet. A line without a key that follows a value at once is a part of it. Other lines are nobody's.

    Args:
        text: A model's answer.
        keys: Known keys, lower case, with ``_`` between words.
    """
    found: list[tuple[str, str]] = []
    open_value = False
    for line in text.split("\n"):
        match = _LINE.match(line)
        key = re.sub(r"[ -]+", "_", match[2].strip().lower()) if match else ""
        if match and key in keys:
            value = match[3].strip()
            if match[1]:
                value = value.removesuffix(",").rstrip()
            found.append((key, value))
            open_value = True
        elif not line.strip(" \t\r{}[],") or line.lstrip().startswith("```"):
            open_value = False
        elif open_value:
            key, value = found[-1]
            found[-1] = (key, f"{value} {line.strip()}")
    return found


def read_keywords(value: str, repairs: list[str]) -> tuple[str, ...]:
    """Return the keywords of a line: parted by commas, each once whatever its case, at most ``MOST_KEYWORDS``.

    Args:
        value: What stands behind the key.
        repairs: Is told ``control_characters``, ``cut`` and ``keywords_cut`` where it happened.
    """
    keywords: dict[str, str] = {}
    for part in _SEPARATOR.split(value):
        keyword = tidy(part, _LONGEST_KEYWORD, repairs).strip("[]\"' ")
        if keyword and keyword.casefold() != "null":
            keywords.setdefault(keyword.casefold(), keyword)
    if len(keywords) > MOST_KEYWORDS:
        repairs.append("keywords_cut")
    return tuple(keywords.values())[:MOST_KEYWORDS]


def read_numbers(value: str, last: int, repairs: list[str], taken: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the numbers of a line, ascending, each once; ``2-4`` is 2, 3, 4.

    Args:
        value: What stands behind the key.
        last: The numbers go from 1 to this one.
        repairs: Is told ``number_out_of_range`` and ``number_repeated`` where one was dropped.
        taken: Numbers that count as repeated.
    """
    seen = set(taken)
    numbers: list[int] = []
    for match in _NUMBER.finditer(value):
        ends = [match[1], match[2] or match[1]]
        first, final = (int(end) if len(end) <= _MOST_DIGITS else last + 1 for end in ends)
        if first < 1 or final > last or first > final:
            repairs.append("number_out_of_range")
        for number in range(max(first, 1), min(final, last) + 1):
            if number in seen:
                repairs.append("number_repeated")
            else:
                seen.add(number)
                numbers.append(number)
    return tuple(sorted(numbers))
