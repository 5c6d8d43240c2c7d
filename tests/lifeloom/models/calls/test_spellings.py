"""Secrets in all their spellings: found, and in time that grows with the text and no faster."""

from __future__ import annotations

import base64
import copy
import json
import pickle
import time
import urllib.parse

import pytest

from lifeloom.models.calls.spellings import Spellings

CANARY = "sk-canary/" + "Ab3_x9-Zq7+" * 8


def percent(text: str, form: str) -> str:
    return "".join(f"%{ord(one):{form}}" for one in text)


def wrapped(text: str, width: int, line_end: str) -> str:
    return line_end.join(text[start : start + width] for start in range(0, len(text), width))


DIGITS = CANARY.encode().hex()
NUMBERS = "".join(f"\\u{ord(one):04x}" for one in CANARY)
SPELLINGS = {
    "every letter of a URL": percent(CANARY, "02x"),
    "every letter of a URL in capitals": percent(CANARY, "02X"),
    "some letters of a URL": CANARY.replace("-", "%2D").replace("k", "%6b"),
    "one letter of a URL": CANARY.replace("sk-", "sk%2D"),
    "a URL in a URL": urllib.parse.quote(percent(CANARY, "02x")),
    "numbers of HTML": "".join(f"&#{ord(one)};" for one in CANARY),
    "a slash of HTML": CANARY.replace("/", "&#x2F;"),
    "numbers of Python": "".join(f"\\x{ord(one):02x}" for one in CANARY),
    "slashes of JSON in JSON in JSON": CANARY.replace("/", "\\\\\\/"),
    "numbers of JSON, five deep": NUMBERS.replace("\\", "\\" * 31),
    "some of each": f"%73\\u006b&#45;{CANARY[3:]}",
    "capitals": CANARY.upper(),
    "hexadecimal in capitals": DIGITS.upper(),
    "hexadecimal in both": "".join(one.upper() if place % 3 else one for place, one in enumerate(DIGITS)),
    "hexadecimal with spaces": wrapped(DIGITS, 2, " "),
    "hexadecimal in lines": wrapped(DIGITS.upper(), 60, "\r\n"),
    **{
        f"base64 in lines of {width} behind {before}": wrapped(
            base64.b64encode(b"?" * before + CANARY.encode() + b"???").decode(), width, "\r\n"
        )
        for width in (64, 76)
        for before in range(3)
    },
    "base64 of letters": base64.encodebytes(CANARY.encode()).decode(),
    "base64 of letters in JSON": json.dumps(base64.encodebytes(CANARY.encode()).decode()),
    "base64 of letters in JSON in JSON": json.dumps(
        json.dumps(wrapped(base64.b64encode(CANARY.encode()).decode(), 7, "\r\n"))
    ),
    "base64 with escaped slashes": base64.b64encode(b"??" + CANARY.encode() * 2).decode().replace("/", "\\/"),
    "base64 for addresses in lines": wrapped(base64.urlsafe_b64encode(CANARY.encode()).decode(), 40, "\n\t"),
}


@pytest.mark.parametrize("how", SPELLINGS)
def test_a_secret_is_found_in(how: str) -> None:
    text = f"You sent: {SPELLINGS[how]} !"
    spellings = Spellings(CANARY)
    blotted = spellings.blotted(text)
    assert blotted.startswith("You sent: ")
    assert "[key]" in blotted
    assert len(blotted) < 40  # nothing of it is left but letters that it shares with what stands beside it
    assert spellings.blotted_bytes(text.encode()).decode() == blotted


@pytest.mark.parametrize(
    "secret", ["back\\slash\\\\key", "100%sure&#so", "p%2Fass%25word", "pässwörd-é😀", "with a space"]
)
def test_a_secret_with_strange_letters_is_found_plain_quoted_and_escaped(secret: str) -> None:
    spellings = Spellings(secret)
    for spelt in (
        *(secret, json.dumps(secret), json.dumps(json.dumps(secret, ensure_ascii=False)), f"{secret} %41 \\u0041"),
        *(urllib.parse.quote(secret), base64.b64encode(secret.encode()).decode(), secret.encode().hex(" ")),
    ):
        assert "[key]" in spellings.blotted(spelt)
        assert b"[key]" in spellings.blotted_bytes(spelt.encode())


def test_bytes_that_are_no_text_stay_as_they_are() -> None:
    data = bytes(range(256)) * 3
    assert Spellings(CANARY).blotted_bytes(data) == data
    assert Spellings(CANARY).blotted_bytes(data + CANARY.encode() + data) == data + b"[key]" + data


def test_a_text_without_the_secret_stays_as_it_is_to_the_letter() -> None:
    text = 'It is 5 % of \\u0041 &#38; "\\\\n" \\x41, he said:\r\n\tsk-canary is a bird.  ' + CANARY[:-1]
    assert Spellings(CANARY).blotted(text) == text


def test_a_secret_shows_and_travels_nowhere() -> None:
    spellings = Spellings(CANARY)
    assert CANARY not in repr(spellings)
    for carry in (pickle.dumps, copy.copy):
        with pytest.raises(TypeError, match="does not travel"):
            carry(spellings)


BASE64 = base64.b64encode(CANARY.encode()).decode()
HOSTILE = {
    "backslashes": "\\",
    "backslashes before a letter": "\\" * 100 + CANARY[0],
    "beginnings of numbers": "\\u00",
    "percents": "%",
    "percents of percents": "%25",
    "zeros of HTML": "&#0",
    "spaces": " ",
    "line breaks of JSON": "\\n",
    "a first letter": CANARY[0],
    "almost all of it": CANARY[:-1],
    "almost all of it in base64": BASE64[:-4] + "\\r\\n",
    "a letter of base64 and breaks": BASE64[0] + " " * 200,
    "almost all of it in hexadecimal": DIGITS[:-1] + " ",
}


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("secret", [CANARY, "a" * 60 + "b"])
def test_a_text_four_times_as_long_takes_about_four_times_as_long(unit: str, secret: str) -> None:
    spellings = Spellings(secret)
    # Both kinds of pattern are tried on it: the rest of the text opens them.
    opening = f" %41 \\u0041 {wrapped(base64.b64encode(secret.encode()).decode(), 7, ' ')}"

    def seconds(length: int) -> float:
        text = (HOSTILE[unit] * (length // len(HOSTILE[unit]) + 1))[:length] + opening
        began = time.thread_time()
        assert "[key]" in spellings.blotted(text)
        return time.thread_time() - began

    seconds(10)  # compiles
    # What is quadratic takes sixteen times as long, and for a megabyte hours.
    assert min(seconds(40_000) for _ in range(3)) < 9 * min(seconds(10_000) for _ in range(3)) + 0.02


def test_a_megabyte_of_backslashes_is_read_at_once() -> None:
    text = "\\u00e9" + "\\" * 2**20
    began = time.thread_time()
    assert Spellings(CANARY).blotted(text) == text
    assert Spellings(CANARY).blotted_bytes(text.encode()) == text.encode()
    assert time.thread_time() - began < 10
