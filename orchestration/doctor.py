"""What is installed, which profile, which backend answers, free disk, writable home."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lifeloom.store import StoreError
from orchestration.model_commands import find_models
from orchestration.profiles import ProfileError, load_profile
from resources.workbench import Workbench

__all__ = ["Finding", "examine"]

_PACKAGES = ("lifeloom", "dagster", "mlflow", "pydantic", "pyarrow", "torch", "transformers", "sentence-transformers")
_ENOUGH_BYTES = 2 * 1024**3


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report."""

    what: str
    good: bool
    text: str


def examine(profile_name: str | None, home: Path) -> Iterator[Finding]:
    """Yield findings one after the other; a later one is left out when what it needs is not there."""
    yield Finding("Python", True, f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    for package in _PACKAGES:
        yield _package(package)
    try:
        profile = load_profile(profile_name)
        yield Finding("profile", True, f"{profile.name} (built-in names and files: LIFELOOM_PROFILE, --profile)")
    except ProfileError as error:
        yield Finding("profile", False, str(error))
        return
    workbench = Workbench(profile, home)
    try:
        made = len(workbench.store.keys())
        yield Finding("home", True, f"{workbench.home.path} is writable, {made} data sets")
    except StoreError as error:
        yield Finding("home", False, str(error))
        return
    free = shutil.disk_usage(workbench.home.path).free
    yield Finding("free disk", free >= _ENOUGH_BYTES, f"{free / 1024**3:.1f} GiB (2 GiB or more is comfortable)")
    for one in find_models(workbench):
        yield Finding(one.use, one.good, f"{one.what}: {one.said}" if one.what else one.said)


def _package(name: str) -> Finding:
    try:
        return Finding(name, True, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, False, "not installed; `make env` installs everything")
