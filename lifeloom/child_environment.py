"""Environments of child processes: whoever does not call a model gets no keys.

A process shows the environment that it began with to others of the same user (``/proc/PID/environ``), writes it into
its crash reports and hands it on to its own children. So keys go only to processes that ask models.

A variable holds a secret when its name says so: ``holds_secret``. Names that profiles give to variables of keys follow
the same rule, so nothing has to be handed around to know them.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Iterator, Mapping

__all__ = ["child_environment", "holds_secret", "secrets_hidden"]

_SECRET = re.compile(
    r"((.*_)?(KEY|TOKEN|SECRET|CREDENTIALS?)|.*(APIKEY|PASSWORD|PASSWD|PASSPHRASE|_CONNECTION_STRING))(_FILE)?"
    r"|AWS_.*|GOOGLE_.*CREDENTIAL.*",
    re.IGNORECASE,
)
_lock = threading.Lock()
_hiding = 0
"""How many want the secrets hidden at this moment."""
_hidden: list[str] = []


def holds_secret(variable: str) -> bool:
    """Return whether an environment variable holds a secret, or says where one lies, by its name.

    True for names that end in ``_KEY``, ``_TOKEN``, ``_SECRET``, ``_CREDENTIALS``, ``PASSWORD`` or the like, also with
    ``_FILE`` behind, and for what AWS and Google read their credentials from.
    """
    return _SECRET.fullmatch(variable) is not None


def child_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a child process that needs no secrets.

    Args:
        environment: What the child would get; None: this process's.
    """
    environment = os.environ if environment is None else environment
    return {name: value for name, value in environment.items() if not holds_secret(name)}


@contextlib.contextmanager
def secrets_hidden() -> Iterator[None]:
    """Hide the secrets from processes that begin inside, for those whose environment is not ours to give.

    They get the variables, empty. This process sees no change: ``os.environ`` stays as it is, only what the system
    hands to new processes changes, also to those that other threads start meanwhile. A child that is to have the
    secrets is given ``dict(os.environ)``. May be nested, and used by several threads at once.
    """
    _hide(+1)
    try:
        yield
    finally:
        _hide(-1)


def _hide(change: int) -> None:
    global _hiding, _hidden  # noqa: PLW0603 - the environment is the process's too
    with _lock:
        before, _hiding = _hiding, _hiding + change
        if not before:
            _hidden = [name for name, value in os.environ.items() if value and holds_secret(name)]
            for name in _hidden:
                # Emptied, not removed: C code that reads the environment meanwhile must not see its table move.
                os.putenv(name, "")
        elif not _hiding:
            for name in _hidden:
                if name in os.environ:
                    os.putenv(name, os.environ[name])
