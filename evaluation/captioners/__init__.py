"""Captioners: zero-shot, RAP and the grounded reference, each also with caption-augmented generation (CoViP)."""

from evaluation.captioners.augmented import CaptionAugmented
from evaluation.captioners.captioners import GroundedCaptioner, RapCaptioner, ZeroShotCaptioner
from evaluation.captioners.recognition import ContextRecogniser

__all__ = ["CaptionAugmented", "ContextRecogniser", "GroundedCaptioner", "RapCaptioner", "ZeroShotCaptioner"]
