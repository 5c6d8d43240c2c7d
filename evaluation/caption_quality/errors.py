"""Why descriptions cannot be measured."""

from __future__ import annotations

__all__ = ["CannotMeasure", "EncoderUnfit", "FileUnreadable"]


class CannotMeasure(ValueError):
    """Descriptions cannot be measured with what was given. The message says why, or what to set."""


class FileUnreadable(CannotMeasure):
    """A file is not there, or is not of its format. The message says why."""


class EncoderUnfit(CannotMeasure):
    """The encoder for BERTScore cannot be used. The message says what to set."""
