"""Names of the stages about personalised captioning and its diagnostics."""

__all__ = [
    "CAPTION_AUDIT",
    "CAPTION_QUALITY",
    "CAPTION_SCORES",
    "CAPTION_STAGES",
    "CONCEPT_GROUNDING",
    "CONTEXTS",
    "DIAGNOSTICS",
    "DIAGNOSTIC_SCORES",
    "FILTERED_SCENES",
    "IMAGE_LIBRARY",
    "MCQA_PROBES",
    "SCENES",
]

IMAGE_LIBRARY = "seeds/image_library"
SCENES = "scenes"
"""Second part of ``corpus/scenes`` and ``release/scenes``; likewise the next three."""
FILTERED_SCENES = "filtered_scenes"
CONTEXTS = "contexts"
MCQA_PROBES = "mcqa_probes"
DIAGNOSTICS = "release/diagnostics"
CAPTION_AUDIT = "scores/caption_audit"
CAPTION_SCORES = "scores/mcqa_probes"
DIAGNOSTIC_SCORES = "scores/diagnostics"
CONCEPT_GROUNDING = "scores/concept_grounding"
CAPTION_QUALITY = "scores/caption_quality"

CAPTION_STAGES = (
    *(
        f"{group}/{name}"
        for group in ("corpus", "release")
        for name in (SCENES, FILTERED_SCENES, CONTEXTS, MCQA_PROBES)
    ),
    DIAGNOSTICS,
    CAPTION_AUDIT,
    CAPTION_SCORES,
    DIAGNOSTIC_SCORES,
    CONCEPT_GROUNDING,
    CAPTION_QUALITY,
)
"""In the order in which they can be made, after the image library."""
