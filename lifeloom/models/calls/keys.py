"""Keys of servers: read from the environment or from a secret file, shown nowhere."""

from __future__ import annotations

import base64
import html
import json
import logging
import os
import re
import stat
import threading
import urllib.parse
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from lifeloom.models.protocol import ModelRefusesKey

__all__ = ["Key", "read_key", "required_key", "warn_of_clear_text"]

_SHORTEST_TO_HIDE = 8  # shorter ones are words like EMPTY, which may well stand in an honest answer
_LARGEST_FILE = 16 * 2**10
_BLOT = "[key]"
_NUMBERED = "\\u00"  # how JSON spells a letter of a key as a number
_NO_KEY = "has spaces, line breaks or other characters that no key has"
_SECRET_MOUNTS = ("/run/secrets", "/var/run/secrets")

_log = logging.getLogger(__name__)
_said: set[tuple[str, str]] = set()
_said_lock = threading.Lock()


class Key:
    """A key and where it came from. Its text never shows in ``repr``, ``str`` or an exception.

    Args:
        text: The key; empty for a server that wants none.
        variable: The environment variable that holds it; named in messages.

    Raises:
        ModelRefusesKey: the key has characters that no key has.
    """

    __slots__ = ("_byte_forms", "_escaped", "_escaped_bytes", "_forms", "_text", "variable")

    def __init__(self, text: str, variable: str) -> None:
        text = text.strip()
        if _is_no_key(text):
            # Left in, it would come back in the HTTP library's message about a bad header.
            raise ModelRefusesKey(f"the key in {variable} {_NO_KEY}")
        self._text = text
        self._forms = () if len(text) < _SHORTEST_TO_HIDE else tuple(_forms(text))
        self._byte_forms = tuple(form.encode() for form in self._forms)
        escaped = "".join(rf"(?:\\*{re.escape(one)}|\\+u{ord(one):04x})" for one in text)
        self._escaped = re.compile(escaped, re.IGNORECASE)
        self._escaped_bytes = re.compile(escaped.encode(), re.IGNORECASE)
        self.variable = variable

    def __repr__(self) -> str:
        return f"Key({self.variable}{'' if self._text else ', unset'})"

    def __bool__(self) -> bool:
        return bool(self._text)

    def __reduce__(self) -> str:
        raise TypeError("a key does not travel to other processes")

    def reveal(self) -> str:
        """Return the key, to be put into a header and nowhere else."""
        return self._text

    def blotted(self, text: str) -> str:
        """Return ``text`` with the key blotted out, also where it stands in base64, hexadecimal, quoted or escaped.

        JSON can spell any letter as a number, and answers are JSON in JSON: that is found in all its mixtures.
        """
        for form in self._forms:
            text = text.replace(form, _BLOT)
        return self._escaped.sub(_BLOT, text) if self._forms and _NUMBERED in text else text

    def blotted_bytes(self, data: bytes) -> bytes:
        """Return ``data`` with the key blotted out, as ``blotted`` does it."""
        for form in self._byte_forms:
            data = data.replace(form, _BLOT.encode())
        if self._forms and _NUMBERED.encode() in data:
            data = self._escaped_bytes.sub(_BLOT.encode(), data)
        return data


def read_key(variable: str, environment: Mapping[str, str] | None = None) -> Key:
    """Return the key that ``variable`` holds, or that lies in the file that ``variable`` + ``_FILE`` names.

    The variable wins where both are set, and a warning says so. Blanks and line ends around the key do not count. A
    file that others than its owner may read is used with a warning, unless it is a mounted secret: owned by root
    and not ours to change, or below ``/run/secrets``. Each warning is given once.

    Args:
        variable: Name of the environment variable.
        environment: Where to look it up; None: the process's environment.

    Raises:
        ModelRefusesKey: the file cannot be read, is empty, too large or no file at all, or the key has characters
            that no key has.
    """
    environment = os.environ if environment is None else environment
    text = environment.get(variable, "").strip()
    path = environment.get(f"{variable}_FILE", "").strip()
    if text and path:
        _say_once(variable, "both", f"{variable} and {variable}_FILE are both set; {variable} is used")
    if not text and path:
        text = _file_text(path, variable)
    return Key(text, variable)


def required_key(model: str, base_url: str, variable: str, environment: Mapping[str, str] | None = None) -> Key:
    """Return the key of a served model, read as ``read_key`` does; there may be none where ``base_url`` names a server.

    Args:
        model: Name of the model, for the message.
        base_url: The server; empty: the provider's own, which wants a key.
        variable: Name of the environment variable.
        environment: Where to look it up; None: the process's environment.

    Raises:
        ModelRefusesKey: there is no key and the server is the provider's own, or as ``read_key``.
    """
    key = read_key(variable, environment)
    if not key and not base_url:
        raise ModelRefusesKey(
            f"{model} needs a key: set the environment variable {variable} (or {variable}_FILE to the path of a file "
            "that holds it), or base_url for a server that needs none"
        )
    return key


def warn_of_clear_text(key: Key, host: str) -> None:
    """Warn, once, that a key goes to a host without encryption."""
    _say_once(
        key.variable,
        f"clear {host}",
        f"the key in {key.variable} is sent to {host} unencrypted, where others on the way can read it: use an "
        "https:// address",
    )


def _file_text(path: str, variable: str) -> str:
    """Return what the key file holds.

    Messages name the variable only: in place of the path somebody may have put the key itself.
    """
    text = problem = ""
    try:
        text = _file_bytes(path, variable).decode("utf-8-sig").strip()
    except _NoKeyFile as error:
        problem = str(error)
    except OSError as error:
        problem = f"cannot be read ({os.strerror(error.errno or 0)})"
    except UnicodeDecodeError:
        problem = "is not text"
    else:
        problem = _NO_KEY if _is_no_key(text) else "" if text else "is empty"
    if problem:  # raised here, not above: what was caught holds the path or the text
        raise ModelRefusesKey(
            f"the key file that {variable}_FILE names {problem}; it must hold the key and nothing else"
        )
    return text


class _NoKeyFile(Exception):
    pass


def _file_bytes(path: str, variable: str) -> bytes:
    # Without blocking: a pipe to which nobody writes would never open.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            raise _NoKeyFile("is a folder or a device")
        if about.st_size > _LARGEST_FILE:
            raise _NoKeyFile(f"has {about.st_size:,} bytes, which no key has")
        if about.st_mode & (stat.S_IRGRP | stat.S_IROTH) and not _is_mounted_secret(path, about):
            _say_once(
                variable,
                path,
                f"others may read the key file that {variable}_FILE names: take their rights away (chmod 600)",
            )
        return os.read(descriptor, _LARGEST_FILE)
    finally:
        os.close(descriptor)


def _is_no_key(text: str) -> bool:
    return not (text.isascii() and text.isprintable()) or " " in text


def _is_mounted_secret(path: str, about: os.stat_result) -> bool:
    if about.st_uid != 0:
        return False
    real = PurePosixPath(os.path.realpath(path))
    return os.geteuid() != 0 or any(real.is_relative_to(mount) for mount in _SECRET_MOUNTS)


def _say_once(variable: str, about: str, warning: str) -> None:
    with _said_lock:
        new = (variable, about) not in _said
        _said.add((variable, about))
    if new:
        _log.warning(warning)


def _forms(text: str) -> list[str]:
    """Return the spellings in which a key comes back from servers, longest first."""
    quoted = urllib.parse.quote(text, safe="")
    escaped = json.dumps(text)[1:-1]
    digits = text.encode().hex()
    forms = {text, quoted, urllib.parse.quote(text), re.sub("%..", lambda code: code[0].lower(), quoted)}
    forms |= {escaped, escaped.replace("/", "\\/"), html.escape(text), digits, digits.upper()}
    forms |= set(_base64_forms(text.encode()))
    return sorted(forms, key=lambda form: (-len(form), form))


def _base64_forms(data: bytes) -> Iterator[str]:
    """Yield the letters that ``data`` becomes in base64, for each place that it can have in a group of three bytes."""
    for before in range(3):
        bits = 8 * before
        inside = slice(-(-bits // 6), (bits + 8 * len(data)) // 6)  # letters that hold bits of the data only
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            yield encode(bytes(before) + data).decode()[inside]
