"""Where everything lands: LIFELOOM_HOME, with Dagster's instance in it."""

from __future__ import annotations

import os
from pathlib import Path

import dagster as dg

from lifeloom.store import Home

__all__ = ["ROOT", "dagster_environment", "home_path", "open_instance"]

ROOT = Path(__file__).parent.parent
"""The folder of the project, with ``dagster.yaml``."""


def home_path() -> Path:
    """Return the home folder: ``LIFELOOM_HOME``, else ``.lifeloom`` in the current folder."""
    return Path(os.environ.get("LIFELOOM_HOME") or ".lifeloom").expanduser().absolute()


def _put_settings(home: Home) -> Path:
    """Put the project's ``dagster.yaml`` into the instance's folder, where Dagster looks for it."""
    wanted = (ROOT / "dagster.yaml").read_text()
    file = home.dagster / "dagster.yaml"
    if not file.is_file() or file.read_text() != wanted:
        temporary = file.with_suffix(f".{os.getpid()}")
        temporary.write_text(wanted)
        temporary.replace(file)
    return home.dagster


def dagster_environment(home: Home) -> dict[str, str]:
    """Return the environment for Dagster's own programs: this process's, with the home set."""
    return {**os.environ, "DAGSTER_HOME": str(_put_settings(home)), "LIFELOOM_HOME": str(home.path)}


def open_instance(home: Home) -> dg.DagsterInstance:
    """Open Dagster's instance in ``home``."""
    return dg.DagsterInstance.from_config(str(_put_settings(home)))
