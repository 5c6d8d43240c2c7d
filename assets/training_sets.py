"""Training sets of the corpus, by shard: questions, SFT examples (P13), prompts of RL (P14, C6)."""

import dagster as dg

from assets.caption_groups import CaptionGroup
from assets.captioning_prompts import captioning_prompts_asset
from assets.groups import Group
from assets.rl_prompts import rl_prompts_asset
from assets.sft_examples import sft_examples_asset
from assets.training_questions import questions_asset

__all__ = ["training_set_assets"]


def training_set_assets(group: Group, captions: CaptionGroup) -> list[dg.AssetsDefinition]:
    """Return the training sets of the corpus: ``group`` with its conversations, ``captions`` with its contexts."""
    return [
        questions_asset(group),
        sft_examples_asset(group, captions),
        rl_prompts_asset(group),
        captioning_prompts_asset(captions),
    ]
