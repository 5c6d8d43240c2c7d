"""Which models a profile uses, what they may cost, and how they are reached."""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from lifeloom.child_environment import holds_secret
from lifeloom.models.calls.http import checked_address

__all__ = [
    "MOST_USD_A_MILLION",
    "ROLES",
    "BudgetSettings",
    "DetectorSettings",
    "ImageEncoderSettings",
    "KeyVariable",
    "ModelSettings",
    "ModelsSettings",
    "Role",
    "Section",
    "StageModels",
    "StagesSettings",
    "VisionSettings",
    "check_base_url",
    "check_text",
]

Role = Literal["writer", "reader", "critic", "judge", "assistant"]
ROLES: tuple[Role, ...] = get_args(Role)
"""``writer`` words plans; ``reader`` answers as the assistant; ``critic`` checks what was made; ``judge`` marks
answers. ``assistant`` remembers and answers as the memory agent."""

Backend = Literal["builtin", "openai", "gemini", "huggingface"]
Device = Literal["auto", "cpu", "cuda", "mps"]
DataType = Literal["auto", "float32", "bfloat16", "float16"]

_KEY_VARIABLES = {"openai": "OPENAI_API_KEY", "gemini": "GEMINI_API_KEY"}


def _names_a_key(value: str) -> str:
    if value and not (re.fullmatch(r"[A-Z][A-Z0-9_]{2,63}", value) and holds_secret(value)):
        raise ValueError(
            "api_key_variable is the name of the environment variable that holds the key, in capitals, with _KEY (or "
            "_TOKEN, _SECRET) at its end; the key itself never stands in a profile"
        )
    return value


KeyVariable = Annotated[str, AfterValidator(_names_a_key)]
"""Name of an environment variable that holds a key, or empty. Its ending keeps it from processes that need no keys."""


class Section(BaseModel):
    """A part of a profile."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


MOST_USD_A_MILLION = 10_000
"""No price of a million tokens is above this: a slip of the decimal point is."""


def check_base_url(base_url: str) -> None:
    """Refuse what is no address of a server; empty is none.

    Raises:
        ValueError: it is not like http://127.0.0.1:8000/v1.
    """
    if not base_url:
        return
    try:
        checked_address(base_url)
        good = re.fullmatch(r"https?://[^\s/@?#\\]+(/[^\s@?#\\]*)?", base_url) is not None and base_url.isascii()
    except ValueError:
        good = False
    if not good:
        raise ValueError("base_url must be like http://127.0.0.1:8000/v1, without a user, password or query")


def check_text(name: str, text: str) -> None:
    """Refuse text that cannot be written or sent.

    Raises:
        ValueError: it has broken or control characters, or more than 1,000.
    """
    if len(text) > 1000 or any(not one.isprintable() for one in text):
        raise ValueError(f"{name} has more than 1,000 characters, or some that cannot be printed")


class ModelSettings(Section):
    """One model."""

    backend: Backend = "builtin"
    model: str = ""
    """``openai``, ``gemini``: the name as the server knows it. ``huggingface``: a folder, a hub id, a .gguf file, or
    ``package:NAME`` for a Python package that carries one. Not used by ``builtin``."""
    base_url: str = ""
    """``openai``, ``gemini``: the server; empty: the provider's own."""
    api_key_variable: KeyVariable = ""
    """Environment variable that holds the key (or, with ``_FILE`` after its name, the path of a file that does); empty:
    the backend's usual one. The key itself never stands in a profile."""
    window_tokens: int = Field(default=32768, ge=512)
    """Context window that the model declares, in tokens."""
    pictures: bool = True
    """Whether the model takes pictures; it gets none where not."""
    options: Literal["auto", "letter", "likelihood"] = "auto"
    """How a choice is made: asked for its letter, or by the likelihood of each option; ``auto``: by likelihood where
    the model runs here, by letter where a server answers."""
    thinking: bool = False
    """Whether a model that can think before it answers does."""
    concurrency: int = Field(default=8, ge=1, le=1024)
    """Calls under way at once; ``builtin`` is bound by the processor and always takes one."""
    requests_per_minute: int = Field(default=0, ge=0)
    """0: no limit."""
    tokens_per_minute: int = Field(default=0, ge=0)
    """Prompt and answer together; 0: no limit."""
    call_seconds: float = Field(default=600.0, gt=0, le=86_400)
    """Longest time one attempt may take."""
    total_seconds: float = Field(default=900.0, ge=0, le=604_800)
    """No attempt begins later than this after the first one did."""
    attempts: int = Field(default=8, ge=1, le=1000)
    """Attempts at one call, the first included."""
    price_prompt: float = Field(default=0.0, ge=0, le=MOST_USD_A_MILLION)
    """US dollars a million prompt tokens."""
    price_completion: float = Field(default=0.0, ge=0, le=MOST_USD_A_MILLION)
    """US dollars a million tokens of answers, thinking included."""
    adapter: str = ""
    """``huggingface``: folder of a LoRA adapter on top of the model."""
    device: Device = "auto"
    """``huggingface``: where it runs; ``auto``: on all GPUs that there are, else on the processor."""
    dtype: DataType = "auto"
    """``huggingface``: type of the weights; ``auto``: as they are stored."""
    batch: int = Field(default=8, ge=1, le=1024)
    """``huggingface``: answers generated together; as many calls are under way."""

    @model_validator(mode="after")
    def _names_a_model(self) -> ModelSettings:
        check_base_url(self.base_url)
        check_text("model", self.model)
        if self.backend != "builtin" and not self.model:
            raise ValueError(f'backend = {self.backend!r} needs model = "..."')
        if self.backend == "builtin" and (self.model or self.base_url):
            raise ValueError('model and base_url need a backend: backend = "openai", "gemini" or "huggingface"')
        if self.backend != "huggingface" and self.adapter:
            raise ValueError('adapter needs backend = "huggingface"')
        return self

    @property
    def key_variable(self) -> str:
        """The variable that holds the key; empty where the backend needs none."""
        return self.api_key_variable or _KEY_VARIABLES.get(self.backend, "")

    @property
    def callers(self) -> int:
        """How many callers keep the model busy: more than run at once, since a call that waits lets others pass."""
        if self.backend == "builtin":
            return 1
        return self.batch if self.backend == "huggingface" else 2 * self.concurrency

    @property
    def by_likelihood(self) -> bool:
        """Whether choices are made by the likelihood of each option."""
        return self.options == "likelihood" or (self.options == "auto" and self.backend in ("builtin", "huggingface"))


class StageModels(Section):
    """The models of one stage where they are others than the profile's."""

    writer: ModelSettings | None = None
    reader: ModelSettings | None = None
    critic: ModelSettings | None = None
    judge: ModelSettings | None = None
    assistant: ModelSettings | None = None


class StagesSettings(Section):
    """Models by stage; a stage's name with ``_`` for ``/``."""

    corpus_personas: StageModels = StageModels()
    corpus_dialogues: StageModels = StageModels()
    corpus_memories: StageModels = StageModels()
    reference_persona_mme: StageModels = StageModels()
    release_personas: StageModels = StageModels()
    release_dialogues: StageModels = StageModels()
    release_memories: StageModels = StageModels()
    release_persona_mme: StageModels = StageModels()
    release_vaccounts: StageModels = StageModels()
    release_histories: StageModels = StageModels()
    release_history_images: StageModels = StageModels()
    release_life_graphs: StageModels = StageModels()
    release_life_bench: StageModels = StageModels()
    scores_shortcut_audit: StageModels = StageModels()
    scores_persona_mme: StageModels = StageModels()
    scores_ablations: StageModels = StageModels()
    scores_memory_quality: StageModels = StageModels()
    scores_life_bench: StageModels = StageModels()
    scores_life_audit: StageModels = StageModels()
    corpus_scenes: StageModels = StageModels()
    corpus_filtered_scenes: StageModels = StageModels()
    corpus_contexts: StageModels = StageModels()
    corpus_mcqa_probes: StageModels = StageModels()
    release_scenes: StageModels = StageModels()
    release_filtered_scenes: StageModels = StageModels()
    release_contexts: StageModels = StageModels()
    release_mcqa_probes: StageModels = StageModels()
    release_diagnostics: StageModels = StageModels()
    scores_caption_audit: StageModels = StageModels()
    scores_mcqa_probes: StageModels = StageModels()
    scores_diagnostics: StageModels = StageModels()
    scores_concept_grounding: StageModels = StageModels()
    scores_caption_quality: StageModels = StageModels()
    corpus_questions: StageModels = StageModels()
    corpus_sft_examples: StageModels = StageModels()
    corpus_rl_prompts: StageModels = StageModels()
    corpus_captioning_prompts: StageModels = StageModels()


class ModelsSettings(Section):
    """Who words plans, who reads, who criticises, who judges."""

    writer: ModelSettings = ModelSettings()
    reader: ModelSettings = ModelSettings()
    critic: ModelSettings = ModelSettings()
    judge: ModelSettings = ModelSettings()
    assistant: ModelSettings = ModelSettings()
    stages: StagesSettings = StagesSettings()

    def of(self, role: Role, stage: str = "") -> ModelSettings:
        """Return the settings of ``role`` in ``stage`` (``corpus/dialogues``); empty: the profile's own."""
        own = getattr(self.stages, stage.replace("/", "_"), None)
        chosen: ModelSettings = (getattr(own, role) if own is not None else None) or getattr(self, role)
        return chosen

    def all_settings(self) -> list[ModelSettings]:
        """Return every model that the profile names, once each."""
        stages = [getattr(self.stages, name) for name in StagesSettings.model_fields]
        found = [getattr(own, role) for own in (self, *stages) for role in ROLES]
        return list(dict.fromkeys(one for one in found if one is not None))


class BudgetSettings(Section):
    """What calls to models may cost; a stage stops before the call that would cost more."""

    usd: float = Field(default=0.0, ge=0, le=1e9)
    """US dollars by the models' prices; 0: no limit."""
    tokens: int = Field(default=0, ge=0, le=10**15)
    """Prompt and answers together, of models with a price or a server; 0: no limit."""
    period: Literal["home", "day", "run"] = "home"
    """What counts: all that this home ever spent, what it spent since midnight (UTC), or what the run spent."""


class ImageEncoderSettings(Section):
    """What turns pictures into vectors."""

    backend: Literal["builtin", "open_clip"] = "builtin"
    model: str = ""
    """``open_clip``: name of the architecture (ViT-L-14), ``hf-hub:...``, or a local folder."""
    pretrained: str = ""
    """``open_clip``: name of the weights (openai); empty for a folder or a hub id."""
    device: Device = "auto"

    @model_validator(mode="after")
    def _names_a_model(self) -> ImageEncoderSettings:
        if self.backend == "open_clip" and not self.model:
            raise ValueError('backend = "open_clip" needs model = "..."')
        return self


class DetectorSettings(Section):
    """What finds people, animals and objects in pictures."""

    backend: Literal["builtin", "grounding_dino"] = "builtin"
    model: str = ""
    """``grounding_dino``: a checkpoint's folder or hub id."""
    box_threshold: float = Field(default=0.25, ge=0, le=1)
    text_threshold: float = Field(default=0.25, ge=0, le=1)
    device: Device = "auto"

    @model_validator(mode="after")
    def _names_a_model(self) -> DetectorSettings:
        if self.backend == "grounding_dino" and not self.model:
            raise ValueError('backend = "grounding_dino" needs model = "..."')
        return self


class VisionSettings(Section):
    """What looks at pictures outside a model's own eyes."""

    encoder: ImageEncoderSettings = ImageEncoderSettings()
    detector: DetectorSettings = DetectorSettings()
