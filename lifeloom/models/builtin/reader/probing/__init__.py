"""Answering a multiple-choice question from a caption alone, or saying that it cannot be told."""

from lifeloom.models.builtin.reader.probing.judging import judge_probe

__all__ = ["judge_probe"]
