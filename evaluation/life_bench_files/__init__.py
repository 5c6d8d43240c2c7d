"""The file format in which Life-Bench is published: write a release in it, read any release, score any answers."""

from evaluation.life_bench_files.answers import (
    PublishedAnswers,
    PublishedJudgements,
    judge_published,
    read_answers,
    read_judgements,
    write_answers,
    write_judgements,
)
from evaluation.life_bench_files.reading import PublishedLives, read_lives
from evaluation.life_bench_files.shapes import ReleaseUnreadable
from evaluation.life_bench_files.writing import LifeExportReport, export_lives

__all__ = [
    "LifeExportReport",
    "PublishedAnswers",
    "PublishedJudgements",
    "PublishedLives",
    "ReleaseUnreadable",
    "export_lives",
    "judge_published",
    "read_answers",
    "read_judgements",
    "read_lives",
    "write_answers",
    "write_judgements",
]
