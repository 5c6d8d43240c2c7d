"""Reasons over memories without weights: takes the steps of the response stage (PersonaVLM Algorithm 1)."""

from lifeloom.models.builtin.reasoner.step import step_text

__all__ = ["step_text"]
