"""What a stage will cost, before it is made: a rehearsal on a few people, scaled to what is planned and priced."""

from __future__ import annotations

import dataclasses
import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from assets.benchmarks import REFERENCE
from assets.caption_keys import (
    CAPTION_QUALITY,
    CAPTION_STAGES,
    CONCEPT_GROUNDING,
    DIAGNOSTIC_SCORES,
    DIAGNOSTICS,
)
from assets.life_keys import LIFE_STAGES
from assets.scores import AUDIT
from assets.training_keys import CAPTIONING_PROMPTS
from lifeloom.models.calls.ledger import EstimateLine, LedgerLine, Price
from lifeloom.models.tokens import count_tokens
from lifeloom.store import DatasetStore, DatasetWriter, Produced, Recipe
from lifeloom.tasks.choice_answer import ChoiceAnswerOutput
from orchestration.lineage import Step, steps_for
from orchestration.rehearsal import Cast, Rehearsal, Rehearsed
from orchestration.unpriced import has_no_price
from resources.model_settings import ROLES, ModelSettings
from resources.profile import PictureSettings, Profile
from resources.workbench import Workbench

__all__ = ["Estimate", "estimate", "is_up_to_date"]

_PICTURE_PROMPT_TOKENS = 300
_PICTURE_TOKENS = 1290
"""What a served image model counts for a caption, and for a picture of a megapixel."""

_IMAGE_MAKER = "image maker"
"""The role on which pictures are booked."""

_FAULTED = "conversations with faults put in"
_SCENES = "query pictures"


@dataclass(frozen=True)
class Estimate:
    """What a stage, on one partition, will ask its models and what that costs."""

    stage: str
    partition: str
    """Shard or date; empty where there are none."""
    lines: tuple[EstimateLine, ...]
    """By role and task; none where no model is asked."""
    basis: str
    """What was rehearsed, and how it was scaled; or why there was nothing to rehearse."""
    up_to_date: bool = False
    """The data set is there, and nothing that it depends on has changed: making it costs nothing."""
    unpriced: Mapping[str, str] = field(default_factory=dict)
    """``backend/model`` of roles whose model a server answers for and that has no price: their cost is not known."""

    @property
    def account(self) -> str:
        """The account on which the stage's calls are booked."""
        return f"{self.stage}/{self.partition}" if self.partition else self.stage

    @property
    def usd(self) -> float:
        """The cost in US dollars, by the profile's prices."""
        return sum(line.usd for line in self.lines)


@dataclass(frozen=True)
class _Part:
    """One cast's rehearsal, and how much of the same is planned."""

    cast: Cast
    made: Rehearsed
    of: str
    """What is counted: people, or cases."""
    rehearsed: int
    planned: float

    @property
    def factor(self) -> float:
        """How often the rehearsal stands in what is planned."""
        return self.planned / self.rehearsed if self.rehearsed else 0.0

    @property
    def told(self) -> str:
        """The same in words."""
        return f"{self.rehearsed} of {self.planned:,.0f} {self.of} ({self.cast}) x {self.factor:,.4g}"


def estimate(stage: str, partition: str | None, workbench: Workbench) -> list[Estimate]:
    """Estimate a stage, or every stage of a group, and keep the estimates in the home's ledger.

    Every stage is rehearsed with built-in models on a few people in a temporary home; the tokens of its prompts and
    answers are scaled by the number of people, or cases, that are planned. Answers that the home's cache already
    has, re-asks, retries and a model's thinking are not in it.

    Args:
        stage: name of a stage (``corpus/dialogues``) or group (``release``).
        partition: shard or date; None: all shards, the demo's date.
        workbench: gives the profile, the home, and who is told of the progress.

    Raises:
        UnknownStage: a stage or partition that there is not.
        RehearsalFailed: a stage could not be rehearsed.
        LedgerError: the estimate cannot be kept.
    """
    profile, found = workbench.profile, []
    with Rehearsal.open(profile, workbench.watch) as rehearsal:
        parts_of = functools.cache(lambda name: _parts(name, profile, rehearsal))
        for step in steps_for([stage], profile, partition):
            name, where = step.stages[0], step.partition or ""
            if name.startswith("seeds/"):
                found.append(Estimate(name, where, (), "asks no model"))
            elif is_up_to_date(workbench, step):
                found.append(Estimate(name, where, (), "nothing that it depends on has changed", up_to_date=True))
            else:
                parts: list[_Part] = [_of_shard(part, where, profile) for part in parts_of(name)]
                basis = "; ".join(part.told for part in parts)
                lines = tuple(_priced(name, parts, profile))
                found.append(Estimate(name, where, lines, basis, unpriced=_unpriced(name, lines, profile)))
                workbench.ledger.keep_estimate(found[-1].account, found[-1].lines, profile=profile.name)
    return found


def _parts(stage: str, profile: Profile, rehearsal: Rehearsal) -> list[_Part]:
    """Rehearse ``stage`` with every cast that it needs."""
    people = {
        "corpus": profile.corpus.personas,
        "reference": profile.audit.reference_personas,
        "32k": profile.release.personas_32k,
        "128k": profile.release.personas_128k,
    }
    if stage == AUDIT:
        return _audit_parts(profile, people, rehearsal)
    if stage in LIFE_STAGES:
        return _life_parts(stage, profile, rehearsal)
    if stage in CAPTION_STAGES or stage == CAPTIONING_PROMPTS:
        return _caption_parts(stage, profile, rehearsal)
    casts = ["32k", "128k"]
    if stage == REFERENCE or stage.startswith("corpus/"):
        casts = [stage.partition("/")[0]]
    parts, faulted = [], profile.validation.injected_faults if stage.endswith("/dialogues") else 0
    for cast in casts:
        if not people[cast]:
            continue
        made = rehearsal.stage(stage, cast)
        parts.append(_Part(cast, made, "people", made.people, people[cast]))
        if faulted:  # into the first conversations of a data set
            made = rehearsal.faults(stage, cast)
            parts.append(_Part(cast, made, _FAULTED, made.people, min(faulted, people[cast])))
            faulted -= 0 if cast == "corpus" else min(faulted, people[cast])
    return parts


def _audit_parts(profile: Profile, people: dict[Cast, int], rehearsal: Rehearsal) -> list[_Part]:
    """Rehearse both halves of the audit; how many cases of a cast are sampled depends on how many others there are."""
    made = {cast: rehearsal.audit(cast) for cast in ("32k", "128k") if people[cast]}
    cases = {cast: blind.cases * people[cast] / blind.people for cast, (blind, _) in made.items()}
    most = (profile.audit.reader_cases, profile.audit.perturbed_cases)
    shares = [min(1.0, limit / max(sum(cases.values()), 1.0)) for limit in most]
    whats = ("cases of blind readers", "perturbed cases")
    return [
        _Part(cast, half, what, half.asked, cases[cast] * share)
        for cast, halves in made.items()
        for half, what, share in zip(halves, whats, shares, strict=True)
    ]


def _life_parts(stage: str, profile: Profile, rehearsal: Rehearsal) -> list[_Part]:
    """Rehearse a stage about lives on one Vaccount; scaled by what grows with its work."""
    life = profile.life
    if not life.vaccounts:
        return []
    made = rehearsal.stage(stage, "vaccounts")
    if made.questions:
        return [_Part("vaccounts", made, "questions", made.questions, life.vaccounts * life.questions)]
    if made.life_pictures:
        return [_Part("vaccounts", made, "pictures", made.life_pictures, life.vaccounts * life.pictures)]
    return [_Part("vaccounts", made, "Vaccounts", made.people, life.vaccounts)]


def _caption_parts(stage: str, profile: Profile, rehearsal: Rehearsal) -> list[_Part]:
    """Rehearse a stage about captioning on a few query pictures, or contexts of the diagnostics."""
    captions = profile.captions
    planned: float = captions.train_scenes if stage.startswith("corpus/") else captions.test_scenes
    if stage in (DIAGNOSTICS, DIAGNOSTIC_SCORES):
        planned = captions.diagnostic_contexts
    elif stage in (CAPTION_QUALITY, CONCEPT_GROUNDING):
        planned = min(planned, captions.quality_pictures)
    elif stage.endswith(("/scenes", "/filtered_scenes")):
        planned *= 1 + captions.spare
    if not planned:
        return []
    made = rehearsal.stage(stage, "captions")
    return [_Part("captions", made, _SCENES, made.scenes, planned)]


def _of_shard(part: _Part, shard: str, profile: Profile) -> _Part:
    """Return what of ``part`` is planned in one shard of the corpus; others as they are."""
    if part.of == _SCENES and shard.startswith("shard-"):
        return dataclasses.replace(part, planned=part.planned / profile.corpus.shards)
    if part.cast != "corpus":
        return part
    first = int(shard.rpartition("-")[2])
    people = len(range(first, profile.corpus.personas, profile.corpus.shards))
    planned = min(part.planned, people) if part.of == _FAULTED else people
    return dataclasses.replace(part, planned=planned)


def _priced(stage: str, parts: Sequence[_Part], profile: Profile) -> Iterator[EstimateLine]:
    """Yield the planned calls and tokens by role and task, with their price."""
    calls: dict[tuple[str, str], float] = defaultdict(float)
    sent: dict[tuple[str, str], float] = defaultdict(float)
    received: dict[tuple[str, str], float] = defaultdict(float)
    for part in parts:
        for line in part.made.lines:
            place = (line.role, line.prompt_version.partition("@")[0])
            calls[place] += part.factor * line.calls
            sent[place] += part.factor * line.prompt_tokens
            received[place] += part.factor * _answer_tokens(line, _settings(line.role, stage, profile))
    for (role, task), count in sorted(calls.items()):
        price = _price(_settings(role, stage, profile))
        yield _line(role, task, count, sent[role, task], received[role, task], price)
    if profile.pictures.backend != "builtin" and stage.endswith("/dialogues"):
        drawn = sum(part.factor * part.made.pictures for part in parts)
        tokens = (drawn * _PICTURE_PROMPT_TOKENS, drawn * _PICTURE_TOKENS)
        yield _line(_IMAGE_MAKER, "picture_drawing", drawn, *tokens, _price(profile.pictures))


def _unpriced(stage: str, lines: Sequence[EstimateLine], profile: Profile) -> dict[str, str]:
    """Return the models of ``lines`` without a price, by role."""
    asked = {
        role: profile.pictures if role == _IMAGE_MAKER else _settings(role, stage, profile)
        for role in dict.fromkeys(line.role for line in lines)
    }
    return {role: f"{one.backend}/{one.model}" for role, one in asked.items() if has_no_price(one)}


def _settings(role: str, stage: str, profile: Profile) -> ModelSettings:
    return profile.models.of(next(one for one in ROLES if one == role), stage)


def _price(settings: ModelSettings | PictureSettings) -> Price:
    return Price(settings.price_prompt, settings.price_completion)


def _answer_tokens(line: LedgerLine, settings: ModelSettings) -> int:
    """Return the tokens of a line's answers: the built-in model scores options where others are asked for a letter."""
    if line.completion_tokens or settings.by_likelihood:
        return line.completion_tokens
    return line.calls * count_tokens(ChoiceAnswerOutput(letter="a").model_dump_json())


def _line(role: str, task: str, calls: float, sent: float, received: float, price: Price) -> EstimateLine:
    tokens = (round(sent), round(received))
    return EstimateLine(role, task, round(calls), *tokens, usd=price.usd(*tokens))


class _Answered(Exception):
    """It is known whether the data set would be made."""


class _AskedStore(DatasetStore):
    """A store that makes nothing: it says whether one data set would be reused."""

    def __init__(self, url: str, key: str) -> None:
        super().__init__(url)
        self._key = key
        self.reused = False

    def produce(
        self, key: str, recipe: Recipe, make: Callable[[DatasetWriter], None], checks: Sequence[Any] = ()
    ) -> Produced:
        """Return what would be reused; end the stage at what would be made, and at the data set asked about."""

        def never(_: DatasetWriter) -> None:
            raise _Answered

        produced = super().produce(key, recipe, never)
        if key != self._key:
            return produced
        self.reused = True
        raise _Answered


@dataclass(frozen=True)
class _AskedWorkbench(Workbench):
    """A workbench whose store makes nothing."""

    key: str = ""

    @functools.cached_property
    def store(self) -> _AskedStore:
        """The data sets of the home, as ``_AskedStore`` sees them."""
        return _AskedStore(self.home.data_url, self.key)


def is_up_to_date(workbench: Workbench, step: Step) -> bool:
    """Say whether making ``step`` would reuse what is there; False where that cannot be known."""
    from orchestration.definitions import all_assets

    stage = step.stages[0]
    key = f"{stage}/{step.partition}" if step.partition else stage
    if workbench.store.find(key) is None:
        return False
    asked = _AskedWorkbench(workbench.profile, workbench.home_path, key=key)
    # The stage's own body says what it depends on; it ends where it would begin to work.
    dg.materialize(
        all_assets(workbench.profile),
        selection=dg.AssetSelection.assets(stage.split("/")),
        partition_key=step.partition,
        instance=dg.DagsterInstance.ephemeral(),
        resources={"workbench": dg.ResourceDefinition.hardcoded_resource(asked)},
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        raise_on_error=False,
    )
    return asked.store.reused
