"""Personalised grounding: do captions name the concepts that a picture shows (CoViP Tables S.2, S.3)."""

from evaluation.concept_grounding.running import (
    EACH,
    SETTINGS,
    GroundedCaption,
    Retriever,
    Setting,
    ground,
    named_in,
)
from evaluation.concept_grounding.sets import (
    GROUNDING_SETS,
    GroundingConcept,
    GroundingSet,
    GroundingTest,
    SetName,
    names_of,
    read_set,
    write_own_sets,
)
from evaluation.concept_grounding.tables import GroundingScore, grounding_report, score_grounding

__all__ = [
    "EACH",
    "GROUNDING_SETS",
    "SETTINGS",
    "GroundedCaption",
    "GroundingConcept",
    "GroundingScore",
    "GroundingSet",
    "GroundingTest",
    "Retriever",
    "SetName",
    "Setting",
    "ground",
    "grounding_report",
    "named_in",
    "names_of",
    "read_set",
    "score_grounding",
    "write_own_sets",
]
