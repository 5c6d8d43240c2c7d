"""What is installed, which profile, which backend answers, free disk, writable home."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lifeloom.models.protocol import LanguageModel, ModelError
from lifeloom.records import PicturePlan, PictureSubject
from lifeloom.store import StoreError
from lifeloom.store.pictures import decode_picture
from orchestration.profiles import ProfileError, load_profile
from resources.workbench import Workbench

__all__ = ["Finding", "examine"]

_PACKAGES = ("lifeloom", "dagster", "mlflow", "pydantic", "pyarrow", "torch", "sentence-transformers", "openai")
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
    yield _model("text encoder", lambda: f"{workbench.encoder.identity.model}, {_encodes(workbench)} dimensions")
    yield _model("pictures", lambda: _draws_and_sees(workbench))
    for role in ("writer", "reader", "critic"):
        yield _model(role, lambda role=role: _checked(getattr(workbench, role)))  # type: ignore[misc]


def _package(name: str) -> Finding:
    try:
        return Finding(name, True, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, False, "not installed; `make env` installs everything")


def _encodes(workbench: Workbench) -> int:
    return int(workbench.encoder.encode(["hello"]).shape[1])


def _draws_and_sees(workbench: Workbench) -> str:
    """Draw a guitar in a park and say what the eyes make of it."""
    guitar = PictureSubject(kind="object", name="guitar")
    plan = PicturePlan(picture_id="doctor", kind="scene", place="park", subjects=(guitar,), seed=1)
    sight = workbench.eyes.see([decode_picture(workbench.image_maker.draw(plan).data)])[0]
    seen = ", ".join(thing.name for thing in sight.things) or "nothing"
    return (
        f"{workbench.image_maker.identity.model} drew a guitar in the park, {workbench.eyes.identity.model} sees "
        f"{seen} in the {sight.place}"
    )


def _checked(model: LanguageModel) -> str:
    return f"{model.identity.backend}: {model.check()}"


def _model(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, True, look())
    except ModelError as error:
        return Finding(what, False, str(error))
