"""The profile: every choice a person can make about a run, as one typed value."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from resources.caption_settings import CaptionSettings
from resources.life_policy_names import LIFE_POLICIES, life_policy_name
from resources.model_settings import (
    MOST_USD_A_MILLION,
    BudgetSettings,
    KeyVariable,
    ModelsSettings,
    Section,
    VisionSettings,
    check_base_url,
    check_text,
)
from resources.training_settings import TrainingSettings

__all__ = [
    "AuditSettings",
    "CorpusSettings",
    "LifeSettings",
    "MemorySettings",
    "PictureSettings",
    "Profile",
    "ReleaseSettings",
    "ScoringSettings",
    "SeedSettings",
    "ValidationSettings",
]

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]{1,64}$")]
PolicyName = Literal["blind", "full_context", "rag", "memory_agent"]
AblationName = Literal[
    "memory_agent",
    "agent_without_core",
    "agent_without_semantic",
    "agent_without_episodic",
    "agent_without_procedural",
    "agent_without_reasoning",
    "agent_without_pem",
    "agent_with_graph",
    "agent_episodes_1",
    "agent_episodes_2",
    "agent_episodes_3",
    "agent_episodes_4",
    "agent_episodes_5",
]

LifePolicyName = Annotated[str, AfterValidator(life_policy_name)]

Date = Annotated[dt.date, Field(ge=dt.date(1990, 1, 1), le=dt.date(2200, 1, 1))]
"""A day that calendars and histories of three months before it can handle."""


def _check_turns(suffix: str, fewest: int, most: int) -> None:
    if fewest > most:
        raise ValueError(f"min_turns{suffix} = {fewest} is above max_turns{suffix} = {most}")


class SeedSettings(Section):
    """Where seeds come from."""

    personahub: str = ""
    """PersonaHub JSONL (plain or .gz); empty: the project's own."""
    yfcc: str = ""
    """YFCC100M metadata dump (plain or .gz); empty: the project's own."""
    licences: tuple[str, ...] = ()
    """Short names of Creative Commons licences to keep (``by-nc-sa``); empty: all of them."""
    replace: bool = False
    """Let seeds of another file replace those that the home was made from."""


class PictureSettings(Section):
    """Pictures in conversations."""

    backend: Literal["builtin", "gemini"] = "builtin"
    """Who draws."""
    model: str = ""
    """``gemini``: the image model's name."""
    base_url: str = ""
    """``gemini``: the server; empty: the provider's own."""
    api_key_variable: KeyVariable = Field(default="GEMINI_API_KEY", min_length=1)
    """``gemini``: environment variable that holds the key."""
    concurrency: int = Field(default=8, ge=1, le=256)
    """``gemini``: pictures asked for at once."""
    price_prompt: float = Field(default=0.0, ge=0, le=MOST_USD_A_MILLION)
    """US dollars a million prompt tokens."""
    price_completion: float = Field(default=0.0, ge=0, le=MOST_USD_A_MILLION)
    """US dollars a million tokens of pictures."""
    share: float = Field(default=1 / 6, ge=0, le=0.4)
    """Share of the turns that carry a picture (PersonaVLM Appendix D: 15.87 %); 0: none."""
    check: bool = True
    """Look at every picture and draw it again where it does not show what was planned."""
    processes: int = Field(default=0, ge=0, le=256)
    """``builtin``: processes that draw; 0: one a core."""

    @model_validator(mode="after")
    def _names_a_model(self) -> PictureSettings:
        check_base_url(self.base_url)
        check_text("model", self.model)
        if self.backend == "gemini" and not self.model:
            raise ValueError('backend = "gemini" needs model = "..."')
        return self


class CorpusSettings(Section):
    """The training corpus (PersonaVLM Appendix C: 500 personas, 20-100 turns, up to one month)."""

    personas: int = Field(ge=1)
    shards: int = Field(ge=1, le=1000)
    """The corpus is made by shard; a shard can be made again alone."""
    min_turns: int = Field(default=20, ge=12)
    max_turns: int = Field(default=100, ge=12, le=500)
    ends_on: Date
    """Last day of the simulated conversations."""

    @model_validator(mode="after")
    def _fits(self) -> CorpusSettings:
        _check_turns("", self.min_turns, self.max_turns)
        if self.shards > self.personas:
            raise ValueError(f"shards = {self.shards} for personas = {self.personas}: every shard needs a persona")
        return self


class ReleaseSettings(Section):
    """A benchmark release (PersonaVLM Appendix C and D)."""

    first_date: Date
    """First release date there can be; releases are dated by day."""
    demo_date: Date
    """The release that `lifeloom demo` makes."""
    personas_32k: int = Field(ge=0)
    personas_128k: int = Field(ge=0)
    min_turns_32k: int = Field(default=20, ge=12)
    max_turns_32k: int = Field(default=100, ge=12, le=500)
    min_turns_128k: int = Field(default=100, ge=12)
    max_turns_128k: int = Field(default=500, ge=12, le=500)
    cases_per_persona: int = Field(default=10, ge=1)

    @model_validator(mode="after")
    def _has_personas(self) -> ReleaseSettings:
        if self.personas_32k + self.personas_128k == 0:
            raise ValueError("personas_32k and personas_128k are both 0: a release needs personas")
        if self.demo_date < self.first_date:
            raise ValueError("demo_date lies before first_date")
        _check_turns("_32k", self.min_turns_32k, self.max_turns_32k)
        _check_turns("_128k", self.min_turns_128k, self.max_turns_128k)
        return self


class ValidationSettings(Section):
    """Checks of written conversations (P4)."""

    injected_faults: int = Field(default=0, ge=0)
    """Conversations, and pictures, of a copy into which labelled faults are put, to measure the checks; 0: none."""


class ScoringSettings(Section):
    """How policies are scored."""

    policies: tuple[PolicyName, ...] = Field(default=("blind", "full_context", "rag", "memory_agent"), min_length=1)
    ablations: tuple[AblationName, ...] = get_args(AblationName)
    """Variants of the memory agent that are compared with it (PersonaVLM Tables 8, 11 and Fig. 13)."""
    rag_messages: int = Field(default=5, ge=1)
    bootstrap_samples: int = Field(default=1000, ge=100, le=1_000_000)

    @model_validator(mode="after")
    def _once_each(self) -> ScoringSettings:
        for name in ("policies", "ablations"):
            if len(set(getattr(self, name))) != len(getattr(self, name)):
                raise ValueError(f"a policy is named twice in {name}")
        return self


class MemorySettings(Section):
    """What an assistant remembers, and how it looks it up (PersonaVLM Appendix A)."""

    steps: int = Field(default=4, ge=1, le=16)
    """Steps of the response stage, the answer included: one less retrievals at most."""
    procedural: int = Field(default=2, ge=0, le=50)
    semantic: int = Field(default=4, ge=0, le=50)
    episodic: int = Field(default=2, ge=0, le=50)
    """Memories of each type that one retrieval finds at most."""
    threads: int = Field(default=0, ge=0, le=50)
    """Threads of the memory graph that one retrieval brings: memories of one matter at different times; 0: none, as in
    the paper."""
    reply_words: int = Field(default=25, ge=0)
    """Words of the assistant's own replies that are shown of the turns that a retrieval found."""
    session_minutes: int = Field(default=60, ge=1, le=1440)
    """A session closes after so many minutes without a word; the context goes back as far."""
    supervised_sessions: int = Field(default=3, ge=0, le=1000)
    """In every so-manieth session of the corpus one reply's reasoning and retrieval is recorded as supervision; 0:
    none."""


class LifeSettings(Section):
    """Vaccounts, life graphs and Life-Bench (Table 2: 10 Vaccounts, 2,479 pictures, 16,315 questions)."""

    vaccounts: int = Field(default=10, ge=0, le=1000)
    """In a release; 0: none, and no questions."""
    seeds: int = Field(default=0, ge=0, le=10_000)
    """Vaccount seeds from which they are chosen; 0: five for each (the paper: 50 for 10)."""
    pictures: int = Field(default=250, ge=1, le=10_000)
    """Pictures of each one's history, about."""
    question_pictures: int = Field(default=37, ge=0, le=1000)
    """Pictures of each one that only questions show."""
    questions: int = Field(default=1631, ge=0, le=100_000)
    """About each Vaccount, shared out over the ten tasks as in the paper; fewer where a life does not hold as many."""
    candidates: int = Field(default=0, ge=0, le=8)
    """Candidates of each picture; 0: one of the built-in image maker, three of others (Section 3.2)."""
    votes: int = Field(default=3, ge=1, le=15)
    """Votes on the candidates of each picture; the built-in critic always votes the same and is asked once."""
    verification_rounds: int = Field(default=2, ge=1, le=10)
    """How often the critic answers a question, with and without the ground truth."""
    bin_tokens: int = Field(default=6000, ge=200)
    """Tokens of a graph-building prompt at most, pictures counted."""
    bin_pictures: int = Field(default=16, ge=1, le=1000)
    """Pictures of a graph-building prompt at most."""
    policies: tuple[LifePolicyName, ...] = Field(default=LIFE_POLICIES, min_length=1)
    """Retrieval methods that are scored: ``rap-k3``, ``r2p-k5``, ``rag-cap-k3``, ``lifegraph-d2-k3``; ``-norefs``:
    without source references; ``-tools``: with counting and ordering over the graph."""
    sweep_questions: int = Field(default=400, ge=0)
    """Questions on which depths 1-5 and widths 1-10 of the graph search are compared (Fig. 4); 0: none."""
    audit_questions: int = Field(default=2000, ge=0)
    """Questions at most that the audit's blind policies are asked, tasks evenly; 0: all."""
    audit_minimum: int = Field(default=150, ge=10)
    """Below this many questions a task the audit's verdict is 'inconclusive'. The paper's smallest task has 287."""

    @model_validator(mode="after")
    def _once_each_policy(self) -> LifeSettings:
        if len(set(self.policies)) != len(self.policies):
            raise ValueError("a policy is named twice in policies")
        return self


class AuditSettings(Section):
    """The shortcut audit."""

    reference_personas: int = Field(ge=4)
    """Personas of the other release on which the blind classifier is trained."""
    margin: float = Field(default=0.05, ge=0, le=0.5)
    """A task fails when the lower bound of a blind accuracy is above chance + margin."""
    minimum_cases: int = Field(default=400, ge=10)
    """Below this many cases a task the verdict is 'inconclusive'."""
    reader_cases: int = Field(default=2500, ge=0)
    """At most so many cases are asked of a reader without pictures, with others' pictures, with another's history."""
    perturbed_cases: int = Field(default=48, ge=0)
    """At most so many cases are asked again under every perturbation; 0: none."""


class Profile(Section):
    """A whole profile."""

    name: Name
    seed: int = Field(default=7, ge=0)
    seeds: SeedSettings = SeedSettings()
    models: ModelsSettings = ModelsSettings()
    budget: BudgetSettings = BudgetSettings()
    vision: VisionSettings = VisionSettings()
    pictures: PictureSettings = PictureSettings()
    corpus: CorpusSettings
    release: ReleaseSettings
    validation: ValidationSettings = ValidationSettings()
    memory: MemorySettings = MemorySettings()
    life: LifeSettings = LifeSettings()
    captions: CaptionSettings = CaptionSettings()
    training: TrainingSettings = TrainingSettings()
    scoring: ScoringSettings = ScoringSettings()
    audit: AuditSettings
