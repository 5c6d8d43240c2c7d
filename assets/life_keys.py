"""Names of the stages about lives."""

__all__ = [
    "HISTORIES",
    "HISTORY_IMAGES",
    "LIFE_AUDIT",
    "LIFE_BENCH",
    "LIFE_GRAPHS",
    "LIFE_SCORES",
    "LIFE_STAGES",
    "VACCOUNTS",
]

VACCOUNTS = "release/vaccounts"
HISTORIES = "release/histories"
HISTORY_IMAGES = "release/history_images"
LIFE_GRAPHS = "release/life_graphs"
LIFE_BENCH = "release/life_bench"
LIFE_AUDIT = "scores/life_audit"
LIFE_SCORES = "scores/life_bench"

LIFE_STAGES = (VACCOUNTS, HISTORIES, HISTORY_IMAGES, LIFE_GRAPHS, LIFE_BENCH, LIFE_AUDIT, LIFE_SCORES)
"""In the order in which they can be made."""
