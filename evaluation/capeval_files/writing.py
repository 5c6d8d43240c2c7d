"""Writing contexts and questions in the published file format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.capeval_files.shapes import BANK, BUILD, META, concept_name, sample_name
from evaluation.life_bench_files.lines import to_lines
from evaluation.persona_mme_files.placing import ExportRefused, aside_of, free_place, write_file
from lifeloom.models.protocol import PictureSource
from lifeloom.records import CaptionSample, PictureReference, ProbeQuestion
from lifeloom.store.pictures import decode_picture, encode_png, picture_extension

__all__ = ["ContextExportReport", "export_contexts"]


@dataclass(frozen=True)
class ContextExportReport:
    """What was written."""

    folder: Path
    samples: int
    questions: int
    files: int
    """Pictures."""


def export_contexts(
    folder: Path, samples: Sequence[CaptionSample], questions: Sequence[ProbeQuestion], source: PictureSource
) -> ContextExportReport:
    """Write contexts and their questions into ``folder``, pictures included.

    Samples keep their order and are called ``sample_0`` and so on; their own ids stand in the meta file beside that.
    Pictures are PNG as the format has them; what is PNG already is written byte for byte.

    Args:
        folder: a new or empty folder.
        samples: contexts.
        questions: about them; each belongs to one of the samples.
        source: gives the pictures' files.

    Raises:
        ExportRefused: a question belongs to no sample, or the folder is not empty or cannot be written.
        MediaMissing, MediaCorrupt, PictureRejected: a picture is gone, damaged, or of no known format.
    """
    place = free_place(folder)
    known = {one.sample_id for one in samples}
    strange = [f"{one.question_id} is about {one.sample_id}, which is not there" for one in questions
               if one.sample_id not in known]  # fmt: skip
    if strange:
        raise ExportRefused(strange)
    asked: dict[str, list[ProbeQuestion]] = {}
    for one in questions:
        asked.setdefault(one.sample_id, []).append(one)
    meta: list[dict[str, object]] = []
    bank: dict[str, object] = {}
    files = 0
    with aside_of(folder, place) as aside:

        def put(picture: PictureReference, path: str) -> str:
            write_file(folder, aside / path, _png(source(picture)))
            return path

        for number, sample in enumerate(samples):
            name = sample_name(number)
            root = f"{BUILD}/{name}"
            meta.append(
                {
                    "sample": name,
                    "sample_id": sample.sample_id,
                    "imgs": put(sample.query, f"{root}/query.png"),
                    "concepts": [
                        put(one.picture, f"{root}/concepts/{concept_name(index)}.png")
                        for index, one in enumerate(sample.entries)
                    ],
                    "dialogues": {
                        concept_name(index): [turn.model_dump() for turn in one.turns]
                        for index, one in enumerate(sample.entries)
                    },
                }
            )
            files += 1 + len(sample.entries)
            bank[name] = _bank(sample, asked.get(sample.sample_id, ()))
        write_file(folder, aside / META, to_lines(meta))
        write_file(folder, aside / BANK, (json.dumps(bank, ensure_ascii=False, indent=1) + "\n").encode())
    return ContextExportReport(folder, len(samples), len(questions), files)


def _bank(sample: CaptionSample, questions: Sequence[ProbeQuestion]) -> dict[str, object]:
    qas: dict[str, dict[str, list[object]]] = {concept_name(index): {"qa": []} for index in range(len(sample.entries))}
    for one in questions:
        qas[concept_name(one.entry)]["qa"].append(
            {
                "id": one.question_id,
                "question": one.question,
                "options": dict(zip("ABCD", one.options, strict=True)),
                "correct_answer": one.answer,
            }
        )
    return {"qas": qas, "gts": list(sample.positives)}


def _png(data: bytes) -> bytes:
    return data if picture_extension(data) == ".png" else encode_png(decode_picture(data))
