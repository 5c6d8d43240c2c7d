"""Which code made a data set, without asking version control."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
from pathlib import Path

import lifeloom

__all__ = ["code_revision", "source_digest"]

_PACKAGES = ("lifeloom", "evaluation", "assets")
"""The packages whose code can change what data look like."""


def source_digest(folders: list[tuple[str, Path]]) -> str:
    """Return the SHA-256 over all files of the named folders: names and contents, compiled files left out."""
    digest = hashlib.sha256()
    for name, folder in folders:
        for path in sorted(folder.rglob("*"), key=lambda found: found.relative_to(folder).as_posix()):
            if path.suffix == ".pyc" or "__pycache__" in path.parts or not path.is_file():
                continue
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{name}/{path.relative_to(folder).as_posix()}\x1f{content}\n".encode())
    return digest.hexdigest()


@functools.cache
def code_revision() -> str:
    """Return the package's version and a digest of its sources, ``0.1.0+3f2a9c01d4e5``.

    Seeds and word lists that ship with the packages count as sources. Worked out once a process:
    code that changes on disk while a process runs is not the code it runs.
    """
    folders = []
    for name in _PACKAGES:
        specification = importlib.util.find_spec(name)
        if specification is not None and specification.submodule_search_locations:
            folders += [(name, Path(location)) for location in specification.submodule_search_locations]
    return f"{lifeloom.__version__}+{source_digest(folders)[:12]}"
