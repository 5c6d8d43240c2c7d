"""The understanding side of the built-in backend: an honest extractive reader of plain English.

It sees texts only, shares no word list or template with the writing side, and knows of no plan.
"""

from lifeloom.models.builtin.reader.choice import score_choice

__all__ = ["score_choice"]
