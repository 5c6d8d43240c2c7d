"""The image library: drawn on this machine, or read from files of one's own (CoViP Section 3.2.1, Appendix D)."""

from lifeloom.synthesis.image_library.builtin import (
    DrawnLibraryImage,
    LibraryOrder,
    PlannedLibraryImage,
    draw_library,
    plan_library,
)
from lifeloom.synthesis.image_library.layout_writing import (
    WritableLayout,
    WrittenConcept,
    WrittenTest,
    can_be_written,
    write_layout,
)
from lifeloom.synthesis.image_library.layouts import (
    LAYOUTS,
    Layout,
    LayoutConcept,
    LayoutRead,
    LayoutTest,
    LayoutUnusable,
    category_of,
    library_rows,
    read_layout,
)
from lifeloom.synthesis.image_library.manifest import (
    LibraryRead,
    LibraryRow,
    LibraryUnusable,
    library_digest,
    read_library,
    write_manifest,
)

__all__ = [
    "LAYOUTS",
    "DrawnLibraryImage",
    "Layout",
    "LayoutConcept",
    "LayoutRead",
    "LayoutTest",
    "LayoutUnusable",
    "LibraryOrder",
    "LibraryRead",
    "LibraryRow",
    "LibraryUnusable",
    "PlannedLibraryImage",
    "WritableLayout",
    "WrittenConcept",
    "WrittenTest",
    "can_be_written",
    "category_of",
    "draw_library",
    "library_digest",
    "library_rows",
    "plan_library",
    "read_layout",
    "read_library",
    "write_layout",
    "write_manifest",
]
