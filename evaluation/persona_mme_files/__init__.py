"""The file format in which Persona-MME is published: write a release in it, read any release in it."""

from evaluation.persona_mme_files.reading import PublishedPictures, PublishedRelease, read_release
from evaluation.persona_mme_files.shapes import ReleaseUnreadable
from evaluation.persona_mme_files.writing import ExportRefused, ExportReport, export_release, profile_of

__all__ = [
    "ExportRefused",
    "ExportReport",
    "PublishedPictures",
    "PublishedRelease",
    "ReleaseUnreadable",
    "export_release",
    "profile_of",
    "read_release",
]
