"""The writing side of the built-in backend: sessions, personas and alignment pairs in words, without a model.

Frozen before policies are tuned; it shares neither templates nor word lists with the reading side.
"""

from lifeloom.models.builtin.writer.alignment import write_alignment
from lifeloom.models.builtin.writer.enrichment import enrich
from lifeloom.models.builtin.writer.session import write_session

__all__ = ["enrich", "write_alignment", "write_session"]
