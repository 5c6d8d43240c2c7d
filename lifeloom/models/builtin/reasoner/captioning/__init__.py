"""Captions and answers about a picture in the light of what the user told of others."""

from lifeloom.models.builtin.reasoner.captioning.answers import answer_in_context
from lifeloom.models.builtin.reasoner.captioning.captions import grounded_caption, zero_shot_caption
from lifeloom.models.builtin.reasoner.captioning.likeness import likest, recognise

__all__ = ["answer_in_context", "grounded_caption", "likest", "recognise", "zero_shot_caption"]
