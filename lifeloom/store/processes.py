"""Which process a leftover belongs to, and whether that process still lives."""

from __future__ import annotations

import os
import re
import socket
import uuid
from pathlib import Path

import psutil

__all__ = ["new_owner", "owner_is_gone", "process_is_gone"]

_OWNER = re.compile(r"(?P<host>[A-Za-z0-9-]+)\.(?P<pid>\d+)\.(?P<start>\d+)\.[0-9a-f]{32}")


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname()) or "localhost"


def _start_and_state(pid: int) -> tuple[int, str]:
    """Return the kernel's start tick (0 where it does not say) and state letter of a process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0, "?"
    # The command's name stands in brackets and may hold spaces and brackets itself.
    fields = stat.rpartition(")")[2].split()
    return int(fields[19]), fields[0]


def new_owner() -> str:
    """Return a fresh name for temporary files of this process: host, pid, start tick, random part.

    The name never enters data or manifests: those are the same in every process.
    """
    pid = os.getpid()
    return f"{_host()}.{pid}.{_start_and_state(pid)[0]}.{uuid.uuid4().hex}"


def process_is_gone(pid: int, start: int) -> bool:
    """Say whether the process ``pid`` that began at tick ``start`` has ended.

    The start tick tells it from a later process with the same number; a zombie counts as ended.
    """
    if not psutil.pid_exists(pid):
        return True
    now, state = _start_and_state(pid)
    return state in ("Z", "X") or (bool(start) and bool(now) and start != now)


def owner_is_gone(owner: str) -> bool:
    """Say whether the process that a temporary name belongs to has ended.

    False for names of other hosts (their processes cannot be seen from here) and for unknown names.
    """
    match = _OWNER.fullmatch(owner)
    if match is None or match["host"] != _host():
        return False
    return process_is_gone(int(match["pid"]), int(match["start"]))
