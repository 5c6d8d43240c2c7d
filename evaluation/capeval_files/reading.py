"""Reading contexts, questions and captions in the published file format."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.capeval_files.shapes import (
    BANK,
    META,
    PublishedCaption,
    PublishedMeta,
    PublishedQuestion,
    PublishedSample,
    concept_name,
    concept_number,
    sample_name,
)
from evaluation.life_bench_files.lines import read_lines, read_object, shaped
from evaluation.life_bench_files.shapes import ReleaseUnreadable
from evaluation.persona_mme_files.finding import Problem
from lifeloom.records import (
    BY_CODE,
    CANNOT_BE_DETERMINED,
    PROBE_LETTERS,
    Caption,
    CaptionSample,
    ContextEntry,
    DialogueTurn,
    PictureReference,
    ProbeQuestion,
    Rejection,
)
from lifeloom.store.pictures import PictureRejected, decode_picture, read_picture_file

__all__ = ["PublishedCaptions", "PublishedContexts", "ReleaseUnreadable", "read_captions", "read_contexts"]

_STAGE = "published/capeval"
_NAME = re.compile(r"[a-z0-9_-]{1,48}")
_MOST_CONCEPTS = 4


@dataclass
class PublishedContexts:
    """A release that somebody published."""

    samples: list[CaptionSample] = field(default_factory=list)
    questions: list[ProbeQuestion] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)
    """A reason for everything that is not there."""
    files: dict[str, bytes] = field(default_factory=dict, repr=False)
    """Pictures by SHA-256."""
    lines: int = 0
    """Samples in the meta file."""

    def picture(self, reference: PictureReference) -> bytes:
        """Return the file of a picture: a ``PictureSource``."""
        return self.files[reference.content_hash]


@dataclass
class PublishedCaptions:
    """Anybody's captions of a release."""

    captions: dict[str, Caption] = field(default_factory=dict)
    """By sample."""
    rejections: list[Rejection] = field(default_factory=list)


def read_contexts(folder: Path, *, release_id: str = "published") -> PublishedContexts:
    """Read a release: meta file, build tree and QA bank.

    A sample whose line is broken, whose pictures are missing or damaged, that lacks a dialogue, or that the bank does
    not know, is left out with its reason; so is a question that has not four options, whose D says something else, or
    whose right answer is none of A to C.

    Args:
        folder: of the release.
        release_id: what the samples say that they belong to.

    Raises:
        ReleaseUnreadable: there is no meta file or bank, one is no JSON, or no sample can be used.
    """
    bank = read_object(folder / BANK, folder)
    if isinstance(bank, Problem) or not isinstance(bank, dict):
        told = bank.detail if isinstance(bank, Problem) else "it holds no samples by name"
        raise ReleaseUnreadable(f"{folder / BANK}: {told}")
    found = PublishedContexts()
    for place, (number, value) in enumerate(read_lines(folder / META, folder)):
        found.lines += 1
        meta = shaped(value, PublishedMeta)
        if isinstance(meta, Problem):
            _reject(found, f"{META} line {number}", meta.reason, meta.detail)
            continue
        _take(found, folder, meta, meta.sample or sample_name(place), bank, release_id)
    if not found.samples:
        told = "; ".join(f"{one.item}: {one.reason}" for one in found.rejections[:3]) or "it has no samples"
        raise ReleaseUnreadable(f"{folder} gives no sample that can be used ({told})")
    return found


def read_captions(file: Path, samples: Sequence[CaptionSample], *, policy: str) -> PublishedCaptions:
    """Read captions, JSON Lines: ``{"sample": "sample_0", "caption": "..."}``.

    A line that is broken, that names a sample which is not there, or one a second time, is left out with its reason.

    Args:
        file: the captions.
        samples: of the release, in its order: ``sample_0`` is the first.
        policy: short name of whoever captioned.

    Raises:
        ReleaseUnreadable: the file is not there or cannot be read.
    """
    known = {one.sample_id for one in samples}
    by_name = {sample_name(number): one.sample_id for number, one in enumerate(samples)}
    found = PublishedCaptions()
    for number, value in read_lines(file, file.parent):
        row = shaped(value, PublishedCaption)
        where = f"{file.name} line {number}"
        if isinstance(row, Problem):
            found.rejections.append(_rejection(where, row.reason, row.detail))
            continue
        sample_id = row.sample if row.sample in known else by_name.get(row.sample, "")
        if not sample_id:
            found.rejections.append(_rejection(where, "unknown_sample", row.sample))
        elif sample_id in found.captions:
            found.rejections.append(_rejection(where, "duplicate", row.sample))
        else:
            found.captions[sample_id] = Caption(
                sample_id=sample_id,
                policy=policy,
                fingerprint="published",
                text=row.caption.strip(),
                prompt_tokens=0,
                completion_tokens=0,
                failure="" if row.caption.strip() else "empty",
                made_by=BY_CODE,
            )
    return found


def _take(
    found: PublishedContexts,
    folder: Path,
    meta: PublishedMeta,
    name: str,
    bank: dict[str, object],
    release_id: str,
) -> None:
    """Read one sample, or say why it is left out."""
    if _NAME.fullmatch(name) is None:
        return _reject(found, name, "bad_name", "a sample is called by a-z, 0-9, _ and -")
    if any(one.sample_id == name for one in found.samples):
        return _reject(found, name, "duplicate", "there is a sample of that name already")
    known = shaped(bank.get(name), PublishedSample)
    if isinstance(known, Problem):
        return _reject(found, name, "not_in_bank", known.detail)
    positives = set(known.gts)
    if not positives or not positives <= set(range(len(meta.concepts))) or len(positives) > _MOST_CONCEPTS:
        return _reject(found, name, "bad_truth", f"gts {sorted(positives)} of {len(meta.concepts)} concepts")
    try:
        query = _picture(found, folder, meta.imgs)
        pictures = [_picture(found, folder, path) for path in meta.concepts]
    except PictureRejected as error:
        return _reject(found, name, error.reason, str(error))
    dialogues = [meta.dialogues.get(concept_name(index), ()) for index in range(len(pictures))]
    if not all(dialogues):
        return _reject(
            found, name, "no_dialogue", f"of {concept_name(next(i for i, d in enumerate(dialogues) if not d))}"
        )
    entries = tuple(
        ContextEntry(
            image_id=f"{name}-{concept_name(index)}",
            identity=f"{name}-{concept_name(index)}",
            picture=picture,
            dialogue_id=f"{name}-c{index}",
            turns=tuple(DialogueTurn(user=turn.user, assistant=turn.assistant) for turn in turns),
            positive=index in positives,
        )
        for index, (picture, turns) in enumerate(zip(pictures, dialogues, strict=True))
    )
    sample = CaptionSample(
        sample_id=name, release_id=release_id, split="benchmark", query=query, entries=entries, made_by=BY_CODE
    )
    found.samples.append(sample)
    for concept, questions in known.qas.items():
        index = concept_number(concept)
        if index is None or index >= len(entries):
            _reject(found, f"{name} {concept}", "unknown_concept", f"the sample has {len(entries)} concepts")
            continue
        for number, raw in enumerate(questions.qa):
            _ask(found, sample, index, number, raw)
    return None


def _ask(found: PublishedContexts, sample: CaptionSample, entry: int, number: int, raw: object) -> None:
    question_id = f"{sample.sample_id}-c{entry}-q{number}"
    given = shaped(raw, PublishedQuestion)
    if isinstance(given, Problem):
        return _reject(found, question_id, given.reason, given.detail)
    if set(given.options) != set(PROBE_LETTERS):
        return _reject(found, question_id, "bad_options", f"options are called {', '.join(map(str, given.options))}")
    if given.options["D"].strip().rstrip(".").casefold() != CANNOT_BE_DETERMINED.casefold():
        return _reject(found, question_id, "bad_options", f"D says {given.options['D'][:100]!r}")
    if given.correct_answer not in ("A", "B", "C"):
        return _reject(found, question_id, "bad_answer", f"the right answer is {given.correct_answer[:20]!r}")
    found.questions.append(
        ProbeQuestion(
            question_id=question_id,
            sample_id=sample.sample_id,
            dialogue_id=sample.entries[entry].dialogue_id,
            entry=entry,
            positive=sample.entries[entry].positive,
            concepts=sample.concepts,
            fact="",
            question=given.question,
            options=(given.options["A"], given.options["B"], given.options["C"], CANNOT_BE_DETERMINED),
            answer=given.correct_answer,
            made_by=BY_CODE,
        )
    )
    return None


def _picture(found: PublishedContexts, folder: Path, path: str) -> PictureReference:
    data = read_picture_file(path, folder)
    image = decode_picture(data)
    content = hashlib.sha256(data).hexdigest()
    found.files.setdefault(content, data)
    return PictureReference(content_hash=content, width=image.width, height=image.height)


def _reject(found: PublishedContexts, item: str, reason: str, detail: str) -> None:
    found.rejections.append(_rejection(item, reason, detail))


def _rejection(item: str, reason: str, detail: str) -> Rejection:
    return Rejection(stage=_STAGE, item=item[:200], reason=reason, detail=detail[:500])
