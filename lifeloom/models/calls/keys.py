"""Keys of servers: read from the environment or from a secret file, shown nowhere."""

from __future__ import annotations

import logging
import os
import stat
import threading
from collections.abc import Mapping
from pathlib import PurePosixPath

from lifeloom.models.calls.spellings import Spellings
from lifeloom.models.protocol import ModelRefusesKey

__all__ = ["Key", "read_key", "required_key", "warn_of_clear_text"]

_SHORTEST_TO_HIDE = 8  # shorter ones are words like EMPTY, which may well stand in an honest answer
_LARGEST_FILE = 16 * 2**10
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

    __slots__ = ("_spellings", "_text", "variable")

    def __init__(self, text: str, variable: str) -> None:
        text = text.strip()
        if _is_no_key(text):
            # Left in, it would come back in the HTTP library's message about a bad header.
            raise ModelRefusesKey(f"the key in {variable} {_NO_KEY}")
        self._text = text
        self._spellings = None if len(text) < _SHORTEST_TO_HIDE else Spellings(text)
        self.variable = variable

    def __repr__(self) -> str:
        return f"Key({self.variable}{'' if self._text else ', unset'})"

    def __bool__(self) -> bool:
        return bool(self._text)

    @property
    def is_hidden(self) -> bool:
        """Whether it is blotted out of texts: there is one, and it is longer than a word."""
        return self._spellings is not None

    def __reduce__(self) -> str:
        raise TypeError("a key does not travel to other processes")

    def reveal(self) -> str:
        """Return the key, to be put into a header and nowhere else."""
        return self._text

    def blotted(self, text: str) -> str:
        """Return ``text`` with the key blotted out, also where it stands in base64, hexadecimal, quoted or escaped."""
        return text if self._spellings is None else self._spellings.blotted(text)

    def blotted_bytes(self, data: bytes) -> bytes:
        """Return ``data`` with the key blotted out, as ``blotted`` does it."""
        return data if self._spellings is None else self._spellings.blotted_bytes(data)


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
