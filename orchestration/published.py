"""Releases as published files: write one that was made here, score any."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from assets.benchmarks import RELEASE
from evaluation.persona_mme import run_policy, score_predictions
from evaluation.persona_mme_files import ExportReport, PublishedPictures, PublishedRelease, export_release, read_release
from lifeloom.records import BenchmarkCase, Persona, PictureReference, Score, Turn
from lifeloom.store import MediaMissing, code_revision
from orchestration.show import NothingFound
from resources.policies import policies_of
from resources.workbench import Workbench

__all__ = ["ScoredFolder", "export_release_command", "score_folder"]


@dataclass(frozen=True)
class ScoredFolder:
    """A published release with the scores of some policies."""

    release: PublishedRelease
    scores: list[Score]
    seconds: dict[str, float]
    """Mean seconds a case, by policy."""


def export_release_command(workbench: Workbench, date: str, folder: Path) -> ExportReport:
    """Write the release of ``date`` into ``folder`` in the published format.

    Raises:
        DatasetMissing: the release has not been made here.
        ExportRefused: the folder is not empty or cannot be written, or the release cannot be told in the format.
        MediaMissing, MediaCorrupt: a picture is gone or damaged.
    """
    store = workbench.store
    cases = list(store.read(f"{RELEASE}/{date}", "cases", BenchmarkCase))
    personas = {persona.persona_id: persona for persona in store.read(f"release/personas/{date}", "personas", Persona)}
    asked = {case.persona_id for case in cases}
    turns: dict[str, list[Turn]] = {persona_id: [] for persona_id in asked}
    for turn in store.read(f"release/dialogues/{date}", "turns", Turn):
        if turn.persona_id in asked:
            turns[turn.persona_id].append(turn)
    return export_release(folder, cases, turns.__getitem__, personas, workbench.picture)


@dataclass(frozen=True)
class _PublishedWorkbench(Workbench):
    """A workbench whose models look at a published release's pictures; nothing is stored in the home for it."""

    published: PublishedPictures = dataclasses.field(default_factory=lambda: PublishedPictures({}), compare=False)

    def picture(self, reference: PictureReference) -> bytes:
        """Return the file of a picture of the release, or of the home."""
        try:
            return self.published(reference)
        except MediaMissing:
            if self.store.media.has(reference.content_hash):
                return super().picture(reference)
            raise


def score_folder(workbench: Workbench, folder: Path, policies: Collection[str] | None = None) -> ScoredFolder:
    """Ask policies the cases of a published release and return their scores.

    Args:
        workbench: gives reader, encoder and settings.
        folder: the release's folder or its case list.
        policies: names of policies that read histories; None: those of the profile.

    Raises:
        ReleaseUnreadable: the folder holds no release.
        NothingFound: no case of it can be read, or the profile names no policy that reads histories.
        ValueError: there is no policy of such a name.
        ModelUnavailable, ModelRefusesKey: the reader stopped answering.
    """
    release = read_release(folder)
    if not release.cases:
        raise NothingFound(f"none of the {release.listed} cases of {folder} can be read: {_told(release)}")
    own = _PublishedWorkbench(workbench.profile, workbench.home_path, workbench.watch, release.pictures)
    asked = policies_of(own, policies)
    if not asked:
        raise NothingFound(f"the profile {workbench.profile.name} names no policy that reads histories; name one")
    scores: list[Score] = []
    seconds: dict[str, float] = {}
    for policy in asked:
        run = run_policy(
            policy,
            release.cases,
            release.turns.__getitem__,
            progress=_teller(workbench, f"{folder.name} {policy.name}", len(release.cases)),
            workers=own.callers("reader"),
        )
        reader = own.model("reader").identity
        scores += score_predictions(
            release.cases,
            run.predictions,
            backend=reader.backend,
            model=reader.model,
            code_revision=code_revision(),
            seed=workbench.profile.seed,
            bootstrap_samples=workbench.profile.scoring.bootstrap_samples,
        )
        seconds[policy.name] = sum(timing.seconds for timing in run.timings) / len(run.timings)
    return ScoredFolder(release, scores, seconds)


def _teller(workbench: Workbench, stage: str, total: int) -> Callable[[int], None]:
    return lambda done: workbench.watch(stage, done, total)


def _told(release: PublishedRelease) -> str:
    counts = release.left_out()
    return ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "the list is empty"
