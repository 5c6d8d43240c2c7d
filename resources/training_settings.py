"""What a profile says of training sets."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from resources.model_settings import Section

__all__ = ["TrainingSettings"]


class TrainingSettings(Section):
    """Supervision for SFT, prompts for RL (PersonaVLM Section 3.2, Appendix B.2; CoViP Section 3.2)."""

    questions_per_persona: int = Field(default=60, ge=0, le=10_000)
    """Questions about each persona of the corpus, shared out over SFT and RL; 0: none, and so no training sets."""
    rl_share: float = Field(default=0.25, ge=0, le=1)
    """Of the questions: prompts of RL; the others are asked of the teacher for SFT."""
    most_tokens: int = Field(default=16_384, ge=256, le=1_000_000)
    """Of an example; longer ones are left out and counted (the release trains on 16,384)."""
    concept_samples: float = Field(default=6 / 78, ge=0, le=1)
    """Concept samples beside the supervision, as a share of it (6k for 78k)."""
    captioning_rows: Literal["combined", "separate"] = "combined"
    """``combined``: a prompt of the captioner is rewarded by the paper's sum. ``separate``: a row for each reward."""
