"""The image library: drawn on this machine, or read from files of one's own (CoViP Section 3.2.1, Appendix D)."""

from lifeloom.synthesis.image_library.builtin import (
    DrawnLibraryImage,
    LibraryOrder,
    PlannedLibraryImage,
    draw_library,
    plan_library,
)
from lifeloom.synthesis.image_library.manifest import (
    LibraryRead,
    LibraryRow,
    LibraryUnusable,
    read_library,
    write_manifest,
)

__all__ = [
    "DrawnLibraryImage",
    "LibraryOrder",
    "LibraryRead",
    "LibraryRow",
    "LibraryUnusable",
    "PlannedLibraryImage",
    "draw_library",
    "plan_library",
    "read_library",
    "write_manifest",
]
