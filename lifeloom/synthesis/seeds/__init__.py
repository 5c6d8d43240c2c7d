"""Seeds: readers of PersonaHub and of the YFCC100M dump, near-duplicate clusters, splits and sampling."""

from lifeloom.synthesis.seeds.clusters import ClusterMember, cluster_texts, persona_id, split_of
from lifeloom.synthesis.seeds.files import (
    SeedError,
    SeedFileEmpty,
    SeedFileMissing,
    SeedFileTruncated,
    SeedFileUnreadable,
)
from lifeloom.synthesis.seeds.grouping import AccountCaptions, group_captions
from lifeloom.synthesis.seeds.loading import (
    builtin_captions_path,
    builtin_personas_path,
    load_caption_seeds,
    load_persona_seeds,
)
from lifeloom.synthesis.seeds.personahub import MAX_PERSONA_CHARS, PersonaLine, PersonaReader
from lifeloom.synthesis.seeds.reports import (
    LineSample,
    ReadingReport,
    ReasonCount,
    SeedReading,
    SeedTally,
    TooFewSeeds,
    require_enough,
)
from lifeloom.synthesis.seeds.sampling import NotEnoughSeeds, sample_personas
from lifeloom.synthesis.seeds.yfcc import CC_LICENCES, CaptionReader

__all__ = [
    "CC_LICENCES",
    "MAX_PERSONA_CHARS",
    "AccountCaptions",
    "CaptionReader",
    "ClusterMember",
    "LineSample",
    "NotEnoughSeeds",
    "PersonaLine",
    "PersonaReader",
    "ReadingReport",
    "ReasonCount",
    "SeedError",
    "SeedFileEmpty",
    "SeedFileMissing",
    "SeedFileTruncated",
    "SeedFileUnreadable",
    "SeedReading",
    "SeedTally",
    "TooFewSeeds",
    "builtin_captions_path",
    "builtin_personas_path",
    "cluster_texts",
    "group_captions",
    "load_caption_seeds",
    "load_persona_seeds",
    "persona_id",
    "require_enough",
    "sample_personas",
    "split_of",
]
