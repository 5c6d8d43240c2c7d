"""The public release's files of CapEval-QAs: meta JSONL, build tree, QA bank, and captions of anybody's (CoViP)."""

from evaluation.capeval_files.reading import (
    PublishedCaptions,
    PublishedContexts,
    ReleaseUnreadable,
    read_captions,
    read_contexts,
)
from evaluation.capeval_files.writing import ContextExportReport, export_contexts

__all__ = [
    "ContextExportReport",
    "PublishedCaptions",
    "PublishedContexts",
    "ReleaseUnreadable",
    "export_contexts",
    "read_captions",
    "read_contexts",
]
