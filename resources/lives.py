"""Lives of a release for whoever asks about them: their graphs, and the retrieval methods that a profile names."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lifeloom.records import LifeGraphFileRow
from lifeloom.store import DatasetStore, MediaStore, code_revision
from resources.life_policy_names import parse_life_policy
from resources.workbench import Workbench

if TYPE_CHECKING:
    from lifeloom.lifegraph import LifeGraph
    from lifeloom.lifegraph.recognition import ConceptRecogniser
    from lifeloom.scoring.life_policy import LifePolicy

__all__ = [
    "GRAPHS",
    "LifeGraphLibrary",
    "graph_file",
    "life_policies",
    "recogniser_of",
]

GRAPHS = "release/life_graphs"
"""The data sets of life graphs, by release."""


def graph_file(media: MediaStore, content: str, folder: Path) -> Path:
    """Return the file of a stored graph in the cache ``folder``, laid there when it is missing, cut short or another.

    Raises:
        MediaMissing, MediaCorrupt: the stored file is gone, or was changed.
    """
    path = folder / f"{content[:32]}.sqlite"
    with contextlib.suppress(OSError):
        if hashlib.sha256(path.read_bytes()).hexdigest() == content:
            return path
    data = media.get(content)
    folder.mkdir(parents=True, exist_ok=True)
    # Written aside: whoever looks sees the whole file or none; two processes may lay it at once.
    aside = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    try:
        aside.write_bytes(data)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    return path


class LifeGraphLibrary:
    """The graphs of one data set, each read when it is first asked for and kept. Safe to use from threads.

    Args:
        store: where the data sets lie.
        key: a data set of graphs, ``release/life_graphs/2026-01-05``.
        cache: folder for the files.

    Raises:
        DatasetMissing: it has not been made.
    """

    def __init__(self, store: DatasetStore, key: str, cache: Path) -> None:
        self._store = store
        self._rows = {row.life_id: row for row in store.read(key, "graphs", LifeGraphFileRow)}
        self._folder = cache / "life_graphs"
        self._graphs: dict[str, LifeGraph] = {}
        self._lock = threading.Lock()
        self.content = store.manifest(key).content_hash[:16]

    @property
    def life_ids(self) -> tuple[str, ...]:
        """Whose graphs there are."""
        return tuple(self._rows)

    def path(self, life_id: str) -> Path:
        """Return a graph's SQLite file; it is laid into the cache when it is not there.

        Raises:
            KeyError: there is no graph of that life.
            MediaMissing, MediaCorrupt: the stored file is gone, or was changed.
        """
        return graph_file(self._store.media, self._rows[life_id].content_hash, self._folder)

    def of(self, life_id: str) -> LifeGraph:
        """Return a life's graph, the same object each time.

        Raises:
            KeyError: there is no graph of that life.
            LifeGraphFileError: its file cannot be read.
        """
        from lifeloom.lifegraph.file import LifeGraphFile

        with self._lock:
            if life_id not in self._graphs:
                with LifeGraphFile.open(self.path(life_id)) as file:
                    self._graphs[life_id] = file.graph()
            return self._graphs[life_id]


def recogniser_of(workbench: Workbench) -> ConceptRecogniser:
    """Return what names people in pictures, on the workbench's detector and encoder."""
    from lifeloom.lifegraph.recognition import ConceptRecogniser

    return ConceptRecogniser(workbench.concept_detector, workbench.crop_encoder, workbench.picture)


def life_policies(workbench: Workbench, release: str, names: Collection[str], stage: str) -> Mapping[str, LifePolicy]:
    """Return retrieval methods by name, all on one answering model: the reader of ``stage``.

    Args:
        workbench: gives models and settings.
        release: date of the release whose graphs they read.
        names: ``rap-k3``, ``lifegraph-d2-k5``, ...
        stage: whose reader.

    Raises:
        NoSuchPolicy: a name that is none.
        DatasetMissing: a LifeGraph policy is among them and the release has no graphs yet.
    """
    from evaluation.life_baselines import R2pPolicy, RagCapPolicy, RapPolicy
    from evaluation.life_graph_policy import LifeGraphPolicy
    from lifeloom.lifegraph.retrieval_types import RetrievalSettings

    model, code, recogniser = workbench.model("reader", stage), code_revision(), recogniser_of(workbench)
    kinds: dict[str, type[RapPolicy | R2pPolicy | RagCapPolicy]] = {
        "rap": RapPolicy,
        "r2p": R2pPolicy,
        "rag-cap": RagCapPolicy,
    }
    made: dict[str, LifePolicy] = {}
    library: LifeGraphLibrary | None = None
    for name in names:
        wanted = parse_life_policy(name)
        if wanted.kind != "lifegraph":
            made[name] = kinds[wanted.kind](model, workbench.encoder, recogniser, k=wanted.width, code=code)
            continue
        settings = RetrievalSettings(
            depth=wanted.depth, width=wanted.width, references=wanted.references, tools=wanted.tools
        )
        if library is None:
            library = LifeGraphLibrary(workbench.store, f"{GRAPHS}/{release}", workbench.home.cache)
        made[name] = LifeGraphPolicy(
            model, library.of, recogniser, settings=settings, graphs=library.content, code=code
        )
    return made
