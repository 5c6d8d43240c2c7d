"""A stage on a few people with built-in models in a temporary home: what it asks, counted, before it is paid for."""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import dagster as dg

from assets.benchmarks import RELEASE
from assets.caption_keys import (
    CAPTION_AUDIT,
    CAPTION_QUALITY,
    CAPTION_SCORES,
    CAPTION_STAGES,
    CONCEPT_GROUNDING,
    CONTEXTS,
    DIAGNOSTIC_SCORES,
    DIAGNOSTICS,
    FILTERED_SCENES,
)
from assets.life_keys import (
    HISTORIES,
    HISTORY_IMAGES,
    LIFE_AUDIT,
    LIFE_BENCH,
    LIFE_GRAPHS,
    LIFE_SCORES,
    VACCOUNTS,
)
from assets.scores import AUDIT, SCORES
from assets.training_keys import CAPTIONING_PROMPTS
from lifeloom.models.calls.ledger import LedgerLine
from lifeloom.records import CaptionSample, PlannedEvent, SceneVerdict, VaccountPlan
from lifeloom.store import DatasetStore
from orchestration.lineage import STAGES, StageFailed, run_steps, steps_for
from resources.model_settings import (
    ROLES,
    BudgetSettings,
    ModelSettings,
    ModelsSettings,
    StageModels,
    StagesSettings,
    VisionSettings,
)
from resources.profile import PictureSettings, Profile, SeedSettings
from resources.workbench import Workbench

__all__ = [
    "CASTS",
    "Cast",
    "Rehearsal",
    "RehearsalFailed",
    "Rehearsed",
    "RehearsedParts",
    "rehearsal_profile",
    "stage_of",
]

CASTS = ("corpus", "reference", "32k", "128k", "vaccounts", "captions")
Cast = str
"""Whose conversations, lives or query pictures are rehearsed: one of ``CASTS``."""

_PEOPLE = {"corpus": 2, "reference": 4, "32k": 2, "128k": 2, "vaccounts": 1, "captions": 1}
"""How many people of each cast; the audit shows one the history of another."""
_LIFE_PICTURES = 30
_LIFE_QUESTION_PICTURES = 6
_LIFE_QUESTIONS = 60
"""Of the rehearsed Vaccount, at most."""
_SCENES = 16
_IDENTITIES = 45
_DIAGNOSTIC_PEOPLE = 6
_JUDGED_CAPTIONS = 20
"""Query pictures, identities, people and labelled captions of the rehearsed captioning."""
_SCORES = (AUDIT, SCORES, LIFE_AUDIT, LIFE_SCORES, CAPTION_AUDIT, CAPTION_SCORES, DIAGNOSTIC_SCORES)
"""What these asked is known although too few cases may displease a check."""
_READER_CASES = 24
_PERTURBED_CASES = 12
"""Cases that the audit asks at most of blind readers, and again under perturbations."""


class RehearsalFailed(StageFailed):
    """A stage could not be rehearsed. The message ends with the stage's own."""


@dataclass(frozen=True)
class Rehearsed:
    """What one cast's rehearsal of one stage, or of a part of it, asked."""

    lines: tuple[LedgerLine, ...]
    people: int
    pictures: int = 0
    """Drawn for the conversations."""
    cases: int = 0
    """That the stage made, or that were there to be read."""
    asked: int = 0
    """Of the audit: cases that were sampled."""
    life_pictures: int = 0
    """Of the history of the rehearsed Vaccount."""
    questions: int = 0
    """About it."""
    scenes: int = 0
    """Query pictures, contexts of the diagnostics, or pictures of the caption quality."""


@dataclass(frozen=True)
class RehearsedParts:
    """What of a stage is rehearsed beside its main work."""

    reader_cases: int = 0
    """That the audit asks of blind readers, at most."""
    perturbed_cases: int = 0
    """That the audit asks again under perturbations, at most."""
    faults: int = 0
    """Conversations into which faults are put."""


class Rehearsal:
    """Runs stages of a cut-down copy of a profile; ``Rehearsal.open`` makes one.

    Args:
        profile: What is planned.
        folder: Where temporary homes may lie.
        watch: Told about long work.
    """

    def __init__(self, profile: Profile, folder: Path, watch: Callable[[str, int, int], None]) -> None:
        self._profile = profile
        self._folder = folder
        self._watch = watch
        self._seen: set[str] = set()
        self._plain: dict[tuple[str, Cast], Rehearsed] = {}
        self._instance = dg.DagsterInstance.ephemeral()

    @classmethod
    @contextmanager
    def open(cls, profile: Profile, watch: Callable[[str, int, int], None]) -> Iterator[Rehearsal]:
        """Give a rehearsal of ``profile``; what it makes is removed at the end."""
        with tempfile.TemporaryDirectory(prefix="lifeloom-rehearsal-") as folder:
            yield cls(profile, Path(folder), watch)

    def stage(self, stage: str, cast: Cast) -> Rehearsed:
        """Make what ``stage`` needs, then ``stage``, with the people of ``cast``, and return what it asked.

        Raises:
            RehearsalFailed: it could not be made.
        """
        if (stage, cast) not in self._plain:
            self._plain[stage, cast] = self._made(stage, cast, RehearsedParts(), cast)
        return self._plain[stage, cast]

    def faults(self, stage: str, cast: Cast) -> Rehearsed:
        """Return what the conversations of ``cast`` ask once more when faults are put into them.

        Raises:
            RehearsalFailed: they could not be made.
        """
        plain = {(line.role, line.prompt_version): line for line in self.stage(stage, cast).lines}
        # Faults are only put into conversations that are made: the same ones are made in another home.
        both = self._made(stage, cast, RehearsedParts(faults=_PEOPLE[cast]), f"{cast}-faults")
        lines = [
            _less(line, plain[place]) if (place := (line.role, line.prompt_version)) in plain else line
            for line in both.lines
        ]
        return Rehearsed(tuple(line for line in lines if line.calls), both.people)

    def audit(self, cast: Cast) -> tuple[Rehearsed, Rehearsed]:
        """Rehearse the audit; return what its blind readers asked, then what the perturbed questions did.

        Raises:
            RehearsalFailed: it could not be made.
        """
        blind = self._made(AUDIT, cast, RehearsedParts(reader_cases=_READER_CASES), cast)
        perturbed = self._made(AUDIT, cast, RehearsedParts(perturbed_cases=_PERTURBED_CASES), cast)
        return (
            dataclasses.replace(blind, asked=min(_READER_CASES, blind.cases)),
            dataclasses.replace(perturbed, asked=min(_PERTURBED_CASES, perturbed.cases)),
        )

    def _made(self, stage: str, cast: Cast, parts: RehearsedParts, home: str) -> Rehearsed:
        from orchestration.definitions import all_assets

        profile = rehearsal_profile(self._profile, cast, parts)
        workbench = Workbench(profile, self._home(home))
        selection = dg.AssetSelection.assets(dg.AssetKey(stage.split("/"))).upstream()
        needed = {key.to_user_string() for key in selection.resolve(all_assets(profile))}
        steps = steps_for([name for name in STAGES if name in needed], profile)
        told = f"rehearsing {stage} ({cast})"
        with workbench.ledger as ledger:
            for number, step in enumerate(steps):
                self._watch(told, number, len(steps))
                try:
                    list(run_steps([step], workbench, self._instance))
                except StageFailed as error:
                    if stage not in _SCORES or step.stages != (stage,):
                        raise RehearsalFailed(
                            f"{stage} cannot be rehearsed, so there is no estimate: {error}"
                        ) from error
            self._watch(told, len(steps), len(steps))
            lines = self._new(ledger.spent(), stage)
            self._seen |= {line.run for line in ledger.spent()}
        return Rehearsed(tuple(lines), _PEOPLE[cast], **self._counts(workbench, stage))

    def _home(self, name: str) -> Path:
        """Return a temporary home; a new one knows the vectors of texts that another has seen already."""
        home = self._folder / name
        seen = next((other / "cache" for other in self._folder.iterdir() if (other / "cache").is_dir()), None)
        if seen is not None and not home.exists():
            shutil.copytree(seen, home / "cache")
        return home

    def _new(self, lines: Collection[LedgerLine], stage: str) -> list[LedgerLine]:
        """Return the lines of ``stage`` that runs which were not there before have made."""
        return [line for line in lines if line.run not in self._seen and stage_of(line.stage) == stage]

    @staticmethod
    def _counts(workbench: Workbench, stage: str) -> dict[str, int]:
        date, store = workbench.profile.release.demo_date.isoformat(), workbench.store
        if stage in ("corpus/dialogues", "release/dialogues"):
            key = f"{stage}/{date}" if stage.startswith("release") else f"{stage}/shard-000"
            return {"pictures": store.reader(key).rows("pictures")}
        if stage in (RELEASE, AUDIT, SCORES):
            return {"cases": store.reader(f"{RELEASE}/{date}").rows("cases")}
        if stage in (HISTORIES, HISTORY_IMAGES, LIFE_GRAPHS):
            return {"life_pictures": sum(len(event.shots) for event in _events(store, date))}
        if stage in (LIFE_BENCH, LIFE_AUDIT, LIFE_SCORES):
            return {"questions": store.reader(f"{LIFE_BENCH}/{date}").rows("questions")}
        if stage in CAPTION_STAGES or stage == CAPTIONING_PROMPTS:
            return {"scenes": _scenes(store, stage, date)}
        return {}


def _scenes(store: DatasetStore, stage: str, date: str) -> int:
    """Return how many query pictures, or contexts of the diagnostics, a stage about captioning had to work on."""
    if stage in (DIAGNOSTICS, DIAGNOSTIC_SCORES):
        return store.reader(f"{DIAGNOSTICS}/{date}").rows("cases")
    if stage in (CAPTION_QUALITY, CONCEPT_GROUNDING):
        return store.reader(f"release/{FILTERED_SCENES}/{date}").rows("images")
    side, partition = ("corpus", "shard-000") if stage.startswith("corpus/") else ("release", date)
    if stage.endswith(("/scenes", "/filtered_scenes")):
        verdicts = f"{side}/{FILTERED_SCENES}/{partition}"
        if stage.endswith("/filtered_scenes"):
            return sum(1 for _ in store.read(verdicts, "verdicts", SceneVerdict))
        return store.reader(f"{stage}/{partition}").rows("plans")
    return sum(1 for _ in store.read(f"{side}/{CONTEXTS}/{partition}", "samples", CaptionSample))


def _events(store: DatasetStore, date: str) -> Iterator[PlannedEvent]:
    """Yield the planned events of a release's Vaccounts."""
    for plan in store.read(f"{VACCOUNTS}/{date}", "plans", VaccountPlan):
        yield from plan.events


def _less(line: LedgerLine, other: LedgerLine) -> LedgerLine:
    """Return what ``line`` has more than ``other``."""
    more = {
        name: getattr(line, name) - getattr(other, name) for name in ("calls", "prompt_tokens", "completion_tokens")
    }
    return dataclasses.replace(line, **more)


def stage_of(account: str) -> str:
    """Return the stage on whose account calls are booked: without its partition; empty where it is none."""
    return next((stage for stage in STAGES if account == stage or account.startswith(f"{stage}/")), "")


def rehearsal_profile(profile: Profile, cast: Cast, parts: RehearsedParts) -> Profile:
    """Return ``profile`` with built-in models and a few people, whose conversations have the planned mean length.

    Args:
        profile: What is planned.
        cast: Whose conversations.
        parts: What is rehearsed beside a stage's main work.
    """
    corpus, release = profile.corpus, profile.release
    turns = (corpus.min_turns + corpus.max_turns) // 2
    short = (release.min_turns_32k + release.max_turns_32k) // 2
    long = (release.min_turns_128k + release.max_turns_128k) // 2
    return profile.model_copy(
        update={
            "seeds": SeedSettings(),
            "models": _builtin_models(profile.models),
            "budget": BudgetSettings(),
            "vision": VisionSettings(),
            "pictures": PictureSettings(share=profile.pictures.share, check=False),
            "corpus": corpus.model_copy(
                update={"personas": _PEOPLE["corpus"], "shards": 1, "min_turns": turns, "max_turns": turns}
            ),
            "release": release.model_copy(
                update={
                    "personas_32k": _PEOPLE["32k"] if cast in ("32k", "vaccounts", "captions") else 0,
                    "personas_128k": _PEOPLE["128k"] if cast == "128k" else 0,
                    **{"min_turns_32k": short, "max_turns_32k": short, "min_turns_128k": long, "max_turns_128k": long},
                }
            ),
            "life": profile.life.model_copy(
                update={
                    "vaccounts": _PEOPLE["vaccounts"] if cast == "vaccounts" else 0,
                    "seeds": 1,
                    "pictures": min(profile.life.pictures, _LIFE_PICTURES),
                    "question_pictures": min(profile.life.question_pictures, _LIFE_QUESTION_PICTURES),
                    "questions": min(profile.life.questions, _LIFE_QUESTIONS),
                    "sweep_questions": min(profile.life.sweep_questions, _LIFE_QUESTIONS),
                }
            ),
            "captions": profile.captions.model_copy(
                update={
                    "library": "",
                    "identities": min(profile.captions.identities, _IDENTITIES),
                    "diagnostic_people": min(profile.captions.diagnostic_people, _DIAGNOSTIC_PEOPLE),
                    "train_scenes": _SCENES if cast == "captions" else 0,
                    "test_scenes": _SCENES if cast == "captions" else 0,
                    "judged_captions": _JUDGED_CAPTIONS,
                    "diagnostic_contexts": _SCENES if cast == "captions" else 0,
                    "quality_pictures": _SCENES if cast == "captions" else 0,
                    "docci": "",  # published sets are no part of an estimate
                    "mmhal": "",
                    "grounding_sets": "",
                }
            ),
            "validation": profile.validation.model_copy(update={"injected_faults": parts.faults}),
            "audit": profile.audit.model_copy(
                update={
                    "reference_personas": _PEOPLE["reference"],
                    "minimum_cases": 1_000_000,  # so few cases decide nothing
                    "reader_cases": parts.reader_cases,
                    "perturbed_cases": parts.perturbed_cases,
                }
            ),
        }
    )


def _builtin_models(models: ModelsSettings) -> ModelsSettings:
    """Return the same choice of models with built-in ones of the same windows."""
    stages = {
        name: StageModels(
            **{
                role: _builtin(own)
                for role in ROLES
                if (own := getattr(getattr(models.stages, name), role)) is not None
            }
        )
        for name in StagesSettings.model_fields
    }
    return ModelsSettings(**{role: _builtin(getattr(models, role)) for role in ROLES}, stages=StagesSettings(**stages))


def _builtin(settings: ModelSettings) -> ModelSettings:
    return ModelSettings(window_tokens=settings.window_tokens, pictures=settings.pictures)
