"""The image library: drawn on this machine, or read from files of one's own (CoViP Section 3.2.1, Appendix D)."""

from lifeloom.synthesis.image_library.builtin import (
    DrawnLibraryImage,
    LibraryOrder,
    PlannedLibraryImage,
    draw_library,
    plan_library,
)

__all__ = ["DrawnLibraryImage", "LibraryOrder", "PlannedLibraryImage", "draw_library", "plan_library"]
