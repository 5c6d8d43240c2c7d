"""The backend that needs no model: rules and wordings on the writing side, an extractive reader on the other."""

from lifeloom.models.builtin.backend import BuiltinModel

__all__ = ["BuiltinModel"]
