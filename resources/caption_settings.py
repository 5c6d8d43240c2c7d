"""What a profile says of personalised captioning (CoViP)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from resources.model_settings import Section

__all__ = ["CAPTION_POLICIES", "CaptionSettings"]

CAPTION_POLICIES = ("zero-shot", "rap-k3", "grounded")
"""Policies that a profile scores unless it says otherwise."""

CaptionPolicyName = Annotated[str, StringConstraints(pattern=r"^(zero-shot|grounded|rap-k[1-9][0-9]?)$")]


class CaptionSettings(Section):
    """The image library, query pictures and contexts, CapEval-QAs and diagnostics (CoViP Section 3.2, Appendix D)."""

    library: str = ""
    """Manifest of an image library of one's own; empty: the project's own, drawn on this machine."""
    identities: int = Field(default=188, ge=0, le=300)
    """Of the project's own library: people, objects and animals in the paper's shares (123, 34, 31)."""
    diagnostic_people: int = Field(default=50, ge=0, le=300)
    """People of the project's own library with four pictures each, for the diagnostics."""
    identity_split: Literal["disjoint", "shared"] = "disjoint"
    """Whether an identity is for training or for benchmarks, or for both."""
    train_scenes: int = Field(default=2800, ge=0, le=1_000_000)
    """Query pictures of the corpus, over all its shards; 0: none."""
    test_scenes: int = Field(default=1300, ge=0, le=1_000_000)
    """Query pictures of a release; 0: none."""
    spare: float = Field(default=0.15, ge=0, le=4)
    """Scenes that are drawn beyond those wanted, as a share, since the filter refuses some (Fig. S.4)."""
    negatives: int = Field(default=2, ge=1, le=10)
    """Nearest pictures of the library that go with each concept of a query picture (Section 3.2.1; Fig. S.6 has 3)."""
    policies: tuple[CaptionPolicyName, ...] = Field(default=CAPTION_POLICIES, min_length=1)
    """Captioners that are scored: ``zero-shot``, ``rap-k3`` (width 1-99), ``grounded``."""
    caption_tokens: int = Field(default=511, ge=16, le=8192)
    """Tokens of a caption at most (Appendix C)."""
    judged_captions: int = Field(default=80, ge=20, le=10_000)
    """Labelled captions a class on which the judge is measured before its scores are shown."""
    diagnostic_contexts: int = Field(default=500, ge=0, le=100_000)
    """Of a release; 0: none."""
    diagnostic_contexts_as_printed: bool = False
    """Contexts as the paper prints them: only the query's person recurs, and only their last dialogue has an action or
    an instruction, so that text alone gives the answers away."""
    quality_pictures: int = Field(default=200, ge=0, le=100_000)
    """Query pictures whose contents are known, for POPE, CHAIR and the reference-based metrics; 0: none."""
    bert_score_encoder: str = ""
    """Folder of the encoder of BERTScore, as transformers saves models; empty: the packaged all-MiniLM-L6-v2."""
    bert_score_layer: int = Field(default=0, ge=0, le=1000)
    """Its layer that is compared, from 1; 0: the last."""
    docci: str = ""
    """Folder with DOCCI (``docci_descriptions.jsonlines`` and ``images``) to describe and score; empty: none."""
    docci_pictures: int = Field(default=3000, ge=1, le=100_000)
    """Pictures of its test split at most (Table 4 has 3,000)."""
    mmhal: str = ""
    """Folder with MMHal-Bench (``response_template.json`` and ``images``) to answer and rate; empty: none."""
    grounding_pictures: int = Field(default=100, ge=0, le=100_000)
    """Test pictures of each set for Tables S.2 and S.3; 0: none."""
    grounding_sets: str = ""
    """Folder with published concept sets in folders ``myvlm``, ``yollava``, ``dreambooth`` and ``rap`` (some of them);
    empty: library and query pictures of the release, written in these layouts."""
    audit_minimum: int = Field(default=150, ge=10)
    """Below this many questions or cases the audit's verdict is 'inconclusive'."""

    @model_validator(mode="after")
    def _once_each_policy(self) -> CaptionSettings:
        if len(set(self.policies)) != len(self.policies):
            raise ValueError("a policy is named twice in policies")
        return self
