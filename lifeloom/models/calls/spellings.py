"""The spellings in which a secret comes back from servers, found in time that grows with the text and no faster.

Every pattern here is linear by construction: what stands for one letter is an atomic group, and runs of backslashes and
breaks are possessive and contain no letter, so a place in the text is read no more often than the secret is long.
"""

from __future__ import annotations

import base64
import functools
import html
import json
import re
import urllib.parse
from collections.abc import Iterator

__all__ = ["Spellings"]

_BLOT = "[key]"
_NUMBERS = ("%", "&#", "\\u00", "\\x")
_BREAK = r"(?:\s|\\[rnt]?)*+"  # breaks of lines as they are and as JSON writes them, at any depth; also its \/
_BASE64_ALIKE = {"+": "[+-]", "-": "[+-]", "/": "[/_]", "_": "[/_]"}


class Spellings:
    """One secret as it may stand in a text: plain, quoted, escaped, in base64 or in hexadecimal.

    Args:
        secret: The secret. It shows in no ``repr``.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._forms = _forms(secret)
        self._lower = secret.lower()
        self._signs = (*_NUMBERS, *(f"\\{one}" for one in '"\\/' if one in secret))  # JSON in JSON has more of them
        self._digits = secret.encode().hex()
        self._base64 = sorted(set(_base64_forms(secret.encode())))

    def __repr__(self) -> str:
        return "Spellings()"

    def __reduce__(self) -> str:
        raise TypeError("a secret does not travel to other processes")

    def blotted(self, text: str) -> str:
        r"""Return ``text`` with the secret blotted out.

        Found are also mixtures in which any letter is a number of JSON (``\u0073``, at any depth of JSON in JSON), of a
        URL (``%73``) or of HTML (``&#115;``), base64 and hexadecimal with line breaks in them, and either case of
        letters.
        """
        for form in self._forms:
            text = text.replace(form, _BLOT)
        # The patterns are tried only on a text that they may fit: plain searches are a hundred times faster.
        lower = text.lower()
        if self._lower in lower or any(sign in lower for sign in self._signs):
            text = self._numbered.sub(_BLOT, text)
        joined = _without_breaks(text)
        if self._digits in joined.lower() or any(form in joined for form in self._base64):
            text = self._broken.sub(_BLOT, text)
        return text

    def blotted_bytes(self, data: bytes) -> bytes:
        """Return ``data`` with the secret blotted out, as ``blotted`` does it; other bytes stay as they are."""
        return self.blotted(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    @functools.cached_property
    def _numbered(self) -> re.Pattern[str]:
        # Where a run of backslashes begins it is read once; inside it nothing begins.
        return re.compile(r"(?<!\\)" + "".join(map(_letter, self._secret)), re.IGNORECASE)

    @functools.cached_property
    def _broken(self) -> re.Pattern[str]:
        patterns = {_BREAK.join(_BASE64_ALIKE.get(one, one) for one in form) for form in self._base64}
        digits = _BREAK.join(self._digits)
        return re.compile("|".join([f"(?i:{digits})", *sorted(patterns)]), re.ASCII)


def _letter(one: str) -> str:
    """Return the pattern of a letter in all its numbers, behind any backslashes: JSON in JSON has many."""
    if not one.isascii():
        return rf"\\*+{re.escape(one)}"
    number = ord(one)
    code = rf"(?<=\\)(?:u00|x){number:02x}"
    backslashes = rf"\\*+(?:{code})?+" if one == "\\" else rf"\\*+(?:{code}|{re.escape(one)})"
    return rf"(?>%(?:25){{0,3}}{number:02x}|&#(?:0{{0,5}}{number}|x0{{0,5}}{number:x});|{backslashes})"


def _without_breaks(text: str) -> str:
    for escape in ("\\r", "\\n", "\\t"):
        text = text.replace(escape, " ")  # not "": what stood around it must not make a new escape
    return "".join(text.replace("\\", "").split())


def _forms(text: str) -> list[str]:
    """Return the spellings that are searched for as they are, longest first."""
    quoted = urllib.parse.quote(text, safe="")
    escaped = json.dumps(text)[1:-1]
    forms = {text, quoted, urllib.parse.quote(text), re.sub("%..", lambda code: code[0].lower(), quoted)}
    forms |= {escaped, escaped.replace("/", "\\/"), html.escape(text)}
    forms |= set(_base64_forms(text.encode()))
    return sorted(forms, key=lambda form: (-len(form), form))


def _base64_forms(data: bytes) -> Iterator[str]:
    """Yield the letters that ``data`` becomes in base64, for each place that it can have in a group of three bytes."""
    for before in range(3):
        bits = 8 * before
        inside = slice(-(-bits // 6), (bits + 8 * len(data)) // 6)  # letters that hold bits of the data only
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            yield encode(bytes(before) + data).decode()[inside]
