"""Keys: where they are read from, what is refused, and that their text shows nowhere."""

from __future__ import annotations

import base64
import copy
import html
import itertools
import json
import logging
import os
import pickle
import traceback
import urllib.parse
from pathlib import Path

import pytest

from lifeloom.models.calls.keys import Key, read_key
from lifeloom.models.protocol import ModelRefusesKey

CANARY = "sk-canary/77aa+88bb=99cc&dd"
_names = itertools.count()


@pytest.fixture
def variable() -> str:
    """A name of its own for each test: warnings are given once a process."""
    return f"TEST_{next(_names)}_API_KEY"


def key_file(folder: Path, data: bytes | str, mode: int = 0o600) -> Path:
    path = folder / "key"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    path.chmod(mode)
    return path


def test_a_key_is_read_from_its_variable(variable: str) -> None:
    key = read_key(variable, {variable: f" {CANARY}\n"})
    assert (key.reveal(), key.variable, bool(key)) == (CANARY, variable, True)


def test_a_key_is_read_from_the_file_that_its_variable_with_file_names(variable: str, tmp_path: Path) -> None:
    path = key_file(tmp_path, f"{CANARY}\r\n\n")
    assert read_key(variable, {f"{variable}_FILE": str(path)}).reveal() == CANARY


def test_a_byte_order_mark_is_not_part_of_the_key(variable: str, tmp_path: Path) -> None:
    path = key_file(tmp_path, b"\xef\xbb\xbf" + CANARY.encode())
    assert read_key(variable, {f"{variable}_FILE": str(path)}).reveal() == CANARY


def test_without_variable_and_file_the_key_is_empty(variable: str) -> None:
    key = read_key(variable, {f"{variable}_FILE": "  "})
    assert not key
    assert key.reveal() == ""


def test_the_process_environment_is_read_when_none_is_given(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, CANARY)
    assert read_key(variable).reveal() == CANARY


def test_the_variable_wins_over_the_file_and_says_so_once(
    variable: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    environment = {variable: CANARY, f"{variable}_FILE": str(tmp_path / "not there")}
    with caplog.at_level(logging.DEBUG):
        assert read_key(variable, environment).reveal() == CANARY
        read_key(variable, environment)
    assert [record.getMessage() for record in caplog.records] == [
        f"{variable} and {variable}_FILE are both set; {variable} is used"
    ]


def test_an_empty_variable_leaves_the_choice_to_the_file(variable: str, tmp_path: Path) -> None:
    path = key_file(tmp_path, CANARY)
    assert read_key(variable, {variable: " ", f"{variable}_FILE": str(path)}).reveal() == CANARY


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_file_that_others_may_read_is_warned_of_once(
    variable: str, mode: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = key_file(tmp_path, CANARY, mode)
    if os.geteuid() == 0:
        os.chown(path, 12345, 12345)
    with caplog.at_level(logging.DEBUG):
        assert read_key(variable, {f"{variable}_FILE": str(path)}).reveal() == CANARY
        read_key(variable, {f"{variable}_FILE": str(path)})
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "chmod 600" in caplog.text
    assert CANARY not in caplog.text


def test_a_file_of_its_owner_alone_is_no_reason_to_warn(
    variable: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    read_key(variable, {f"{variable}_FILE": str(key_file(tmp_path, CANARY, 0o400))})
    assert caplog.text == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make root's files")
def test_a_mounted_secret_is_no_reason_to_warn_but_a_file_of_roots_own_is(
    variable: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = key_file(tmp_path, CANARY, 0o444)
    with monkeypatch.context() as patched:
        patched.setattr(os, "geteuid", lambda: 1000)
        read_key(variable, {f"{variable}_FILE": str(path)})
    assert caplog.text == ""  # root's, and not ours to change
    read_key(variable, {f"{variable}_FILE": str(path)})
    assert "chmod 600" in caplog.text


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        (f"{CANARY}\n{CANARY}\n", "line breaks"),
        (f"OPENAI = {CANARY}", "has spaces"),
        (CANARY.encode() + b"\x00", "other characters"),
        (CANARY.encode() + b"\xff\xfe", "is not text"),
        (CANARY * 2000, "bytes, which no key has"),
    ],
)
def test_a_file_that_holds_no_key_is_refused_without_showing_it(
    variable: str, content: bytes | str, problem: str, tmp_path: Path
) -> None:
    path = key_file(tmp_path, content)
    with pytest.raises(ModelRefusesKey, match=problem) as caught:
        read_key(variable, {f"{variable}_FILE": str(path)})
    assert f"{variable}_FILE" in str(caught.value)
    assert_not_told(caught.value)


def test_a_folder_and_a_pipe_are_no_key_files(variable: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    opened = len(list(Path("/proc/self/fd").iterdir()))
    for place in (tmp_path, tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(ModelRefusesKey, match="is a folder or a device"):
            read_key(variable, {f"{variable}_FILE": str(place)})
    assert len(list(Path("/proc/self/fd").iterdir())) == opened


def test_a_file_that_is_not_there_is_told_without_its_path_which_may_be_the_key(variable: str) -> None:
    with pytest.raises(ModelRefusesKey, match="No such file") as caught:
        read_key(variable, {f"{variable}_FILE": CANARY.replace("/", "-")})
    assert_not_told(caught.value, CANARY.replace("/", "-"))


@pytest.mark.parametrize("text", [f"{CANARY} x", f"{CANARY}\n{CANARY}", f"{CANARY}é", f"{CANARY}\x7f"])
def test_what_cannot_be_a_key_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(ModelRefusesKey, match="MY_KEY") as caught:
        Key(text, "MY_KEY")
    assert_not_told(caught.value)


def assert_not_told(error: BaseException, secret: str = CANARY) -> None:
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        told = f"{one!r} {one} {one.args!r} {vars(one)!r} {getattr(one, 'filename', '')} {getattr(one, 'object', '')!r}"
        assert secret not in told
        waiting += [one.__cause__, one.__context__]
    assert secret not in "".join(traceback.format_exception(error))


def test_the_text_of_a_key_shows_nowhere() -> None:
    key = Key(CANARY, "MY_KEY")
    assert CANARY not in f"{key} {key!r} {[key]} {(key,)}"
    assert repr(key) == "Key(MY_KEY)"
    assert repr(Key("", "MY_KEY")) == "Key(MY_KEY, unset)"
    for carry in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="does not travel"):
            carry(key)


def spellings(text: str) -> dict[str, str]:
    quoted = urllib.parse.quote(text, safe="")
    return {
        "plain": text,
        "url": quoted,
        "url in small letters": quoted.replace("%2F", "%2f").replace("%2B", "%2b").replace("%3D", "%3d"),
        "url with slashes": urllib.parse.quote(text),
        "json": json.dumps({"said": text}),
        "json with escaped slashes": json.dumps({"said": text}).replace("/", "\\/"),
        "json in numbers": "".join(f"\\u{ord(sign):04x}" for sign in text),
        "json in capital numbers": "".join(f"\\u{ord(sign):04X}" for sign in text),
        "json in json in numbers": json.dumps("".join(f"\\u{ord(sign):04x}" for sign in text)),
        "json in some numbers": text.replace("a", "\\u0061").replace("/", "\\/"),
        "html": html.escape(text),
        "hexadecimal": text.encode().hex(),
        **{
            f"base64 after {before!r}": base64.b64encode(f"{before}{text}:more".encode()).decode()
            for before in ("", "a", "ab", "Bearer ", "user:")
        },
        "base64 for addresses": base64.urlsafe_b64encode(text.encode()).decode(),
    }


@pytest.mark.parametrize("how", spellings(CANARY))
def test_a_key_is_blotted_out_however_a_server_spells_it(how: str) -> None:
    spelt = spellings(CANARY)[how]
    key = Key(CANARY, "MY_KEY")
    for blotted in (key.blotted(f"you sent {spelt}!"), key.blotted_bytes(f"you sent {spelt}!".encode()).decode()):
        assert "[key]" in blotted
        assert blotted.startswith("you sent ")
        assert blotted.endswith("!")
        for recovered in (CANARY, spelt):
            assert recovered not in blotted


@pytest.mark.parametrize("length", range(8, 40))
def test_base64_leaves_nothing_of_a_key_of_any_length(length: int) -> None:
    text = "".join(chr(ord("a") + place % 26) for place in range(length))
    for before in range(4):
        spelt = base64.b64encode(b"." * before + text.encode() + b"....").decode()
        blotted = Key(text, "MY_KEY").blotted(spelt)
        assert "[key]" in blotted
        assert len(blotted.replace("[key]", "")) <= len(spelt) - len(text) * 8 // 6 + 2


def test_other_text_is_left_as_it_is() -> None:
    text = "The key to a good sourdough is patience; sk-canary is a name."
    assert Key(CANARY, "MY_KEY").blotted(text) == text
    assert Key("EMPTY", "MY_KEY").blotted("The cup is EMPTY") == "The cup is EMPTY"
    assert Key("", "MY_KEY").blotted(text) == text
