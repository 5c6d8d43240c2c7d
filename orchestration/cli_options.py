"""Options that several commands share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["PersonahubOption", "ProfileOption", "YfccOption", "check_place", "choose_profile"]

ProfileOption = Annotated[
    str | None,
    typer.Option(
        "--profile", help="demo, small, workstation, paper or a .toml file; else LIFELOOM_PROFILE, else demo."
    ),
]
PersonahubOption = Annotated[Path | None, typer.Option("--personahub", help="PersonaHub JSONL to take personas from.")]
YfccOption = Annotated[Path | None, typer.Option("--yfcc", help="YFCC100M metadata dump to take occasions from.")]


def choose_profile(profile: str | None, personahub: Path | None = None, yfcc: Path | None = None) -> None:
    """Turn flags into the environment, so that child processes and reloads see the same choice."""
    chosen = {
        "LIFELOOM_PROFILE": profile,
        "LIFELOOM_SEEDS__PERSONAHUB": str(personahub.absolute()) if personahub else None,
        "LIFELOOM_SEEDS__YFCC": str(yfcc.absolute()) if yfcc else None,
    }
    for variable, value in chosen.items():
        if value is not None:
            os.environ[variable] = value


def check_place(path: Path | None, hint: str) -> None:
    """Refuse a file that is to be written where it cannot lie, before anything is worked out."""
    if path is None:
        return
    if path.is_dir():
        raise typer.BadParameter(f"{path} is a folder; name a file in it", param_hint=hint)
    if not path.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {path.absolute().parent}; make it first", param_hint=hint)
