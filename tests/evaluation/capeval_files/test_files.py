"""The published files of CapEval-QAs: what is written reads back the same, and what is broken is left out and said."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from evaluation.capeval_files import ReleaseUnreadable, export_contexts, read_captions, read_contexts
from evaluation.persona_mme_files.placing import ExportRefused
from lifeloom.records import (
    BY_CODE,
    CANNOT_BE_DETERMINED,
    CaptionSample,
    ContextEntry,
    DialogueTurn,
    PictureReference,
    ProbeLetter,
    ProbeQuestion,
)
from lifeloom.streams import stable_hash

FILES: dict[str, bytes] = {}


def picture(number: int) -> PictureReference:
    import hashlib

    out = io.BytesIO()
    Image.new("RGB", (32, 24), (number % 256, number // 256 % 256, 7)).save(out, "PNG")
    content = hashlib.sha256(out.getvalue()).hexdigest()
    FILES[content] = out.getvalue()
    return PictureReference(content_hash=content, width=32, height=24)


def source(reference: PictureReference) -> bytes:
    return FILES[reference.content_hash]


def sample(number: int, positives: tuple[bool, ...], text: str = "Here is Ana.") -> CaptionSample:
    name = f"r-s{number:04d}"
    return CaptionSample(
        sample_id=name,
        release_id="r",
        split="benchmark",
        query=picture(1000 * number),
        entries=tuple(
            ContextEntry(
                image_id=f"lib-{number}-{index}",
                identity=f"lib-{number}-{index}",
                picture=picture(1000 * number + index + 1),
                dialogue_id=f"{name}-c{index}",
                turns=(DialogueTurn(user=text, assistant="Noted."),),
                positive=positive,
            )
            for index, positive in enumerate(positives)
        ),
        made_by=BY_CODE,
    )


def question(of: CaptionSample, entry: int, number: int = 0, answer: ProbeLetter = "B") -> ProbeQuestion:
    return ProbeQuestion(
        question_id=f"{of.sample_id}-c{entry}-q{number}",
        sample_id=of.sample_id,
        dialogue_id=f"{of.sample_id}-c{entry}",
        entry=entry,
        positive=of.entries[entry].positive,
        concepts=of.concepts,
        fact="place",
        question="Where was it?",
        options=("Here", "There", "Elsewhere", CANNOT_BE_DETERMINED),
        answer=answer,
        made_by=BY_CODE,
    )


def written(folder: Path, change: Callable[[list[Any], dict[str, Any]], None] = lambda meta, bank: None) -> Path:
    """Write one sample with a positive and a negative, then change its files."""
    one = sample(1, (True, False))
    export_contexts(folder, [one], [question(one, 0), question(one, 1)], source)
    meta = [json.loads(line) for line in (folder / "meta.jsonl").read_text().splitlines()]
    bank = json.loads((folder / "qa_bank.json").read_text())
    change(meta, bank)
    (folder / "meta.jsonl").write_text("".join(json.dumps(row) + "\n" for row in meta))
    (folder / "qa_bank.json").write_text(json.dumps(bank))
    return folder


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=40)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    shapes=st.lists(
        st.tuples(st.lists(st.booleans(), min_size=1, max_size=6).filter(lambda own: 0 < sum(own) <= 4), TEXTS),
        min_size=1,
        max_size=4,
    )
)
def test_what_is_written_reads_back_the_same(tmp_path: Path, shapes: list[tuple[list[bool], str]]) -> None:
    samples = [sample(number, tuple(own), text) for number, (own, text) in enumerate(shapes)]
    questions = [question(one, index) for one in samples for index in range(len(one.entries))]
    folder = tmp_path / f"r{stable_hash(repr(shapes))}"
    if folder.exists():
        return
    export_contexts(folder, samples, questions, source)
    back = read_contexts(folder)
    assert not back.rejections
    assert [one.query for one in back.samples] == [one.query for one in samples]
    assert [one.positives for one in back.samples] == [one.positives for one in samples]
    assert [[entry.turns for entry in one.entries] for one in back.samples] == [
        [entry.turns for entry in one.entries] for one in samples
    ]
    assert [(one.question, one.options, one.answer, one.positive) for one in back.questions] == [
        (one.question, one.options, one.answer, one.positive) for one in questions
    ]
    assert all(back.picture(one.query) == source(one.query) for one in back.samples)


def test_files_have_the_names_and_shapes_of_the_release(tmp_path: Path) -> None:
    folder = written(tmp_path / "r")
    assert (folder / "build/sample_0/query.png").is_file()
    assert (folder / "build/sample_0/concepts/concept_1.png").is_file()
    bank = json.loads((folder / "qa_bank.json").read_text())
    assert bank["sample_0"]["gts"] == [0]
    asked = bank["sample_0"]["qas"]["concept_1"]["qa"][0]
    assert set(asked) == {"id", "question", "options", "correct_answer"}
    assert asked["options"]["D"] == "The answer cannot be determined"
    meta = json.loads((folder / "meta.jsonl").read_text())
    assert set(meta) >= {"imgs", "concepts", "dialogues"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda meta, bank: bank["sample_0"].update(gts=[5]), "bad_truth"),
        (lambda meta, bank: bank["sample_0"].update(gts=[]), "bad_truth"),
        (lambda meta, bank: bank.clear() or bank.update(other={}), "not_in_bank"),
        (lambda meta, bank: meta[0]["dialogues"].pop("concept_1"), "no_dialogue"),
        (lambda meta, bank: meta[0].update(imgs="build/sample_0/none.png"), "missing"),
        (lambda meta, bank: meta[0].update(imgs="../query.png"), "outside_folder"),
        (lambda meta, bank: meta[0].pop("concepts"), "missing_key"),
        (lambda meta, bank: meta[0].update(sample="Sample 0"), "bad_name"),
    ],
)
def test_a_sample_that_cannot_be_used_is_said_with_its_reason(
    tmp_path: Path, change: Callable[[Any, Any], Any], reason: str
) -> None:
    folder = written(tmp_path / "r", change)
    with pytest.raises(ReleaseUnreadable, match=reason):
        read_contexts(folder)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"options": {"A": "a", "B": "b", "C": "c"}}, "bad_options"),
        ({"options": {"A": "a", "B": "b", "C": "c", "D": "None of these"}}, "bad_options"),
        ({"correct_answer": "D"}, "bad_answer"),
        ({"correct_answer": "a"}, "bad_answer"),
        ({"question": ""}, "wrong_shape"),
    ],
)
def test_a_broken_question_is_left_out_and_the_others_stay(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    folder = written(tmp_path / "r", lambda meta, bank: bank["sample_0"]["qas"]["concept_0"]["qa"][0].update(change))
    found = read_contexts(folder)
    assert [one.reason for one in found.rejections] == [reason]
    assert [one.entry for one in found.questions] == [1]


def test_a_damaged_picture_leaves_its_sample_out(tmp_path: Path) -> None:
    folder = written(tmp_path / "r")
    place = folder / "build/sample_0/query.png"
    place.write_bytes(place.read_bytes()[:40])
    with pytest.raises(ReleaseUnreadable, match="sample_0"):
        read_contexts(folder)


@pytest.mark.parametrize(("name", "text"), [("qa_bank.json", "{"), ("qa_bank.json", "[]"), ("meta.jsonl", "")])
def test_a_file_that_is_none_is_named(tmp_path: Path, name: str, text: str) -> None:
    folder = written(tmp_path / "r")
    (folder / name).write_text(text)
    with pytest.raises(ReleaseUnreadable):
        read_contexts(folder)


def test_a_question_about_no_sample_is_not_exported(tmp_path: Path) -> None:
    one, other = sample(1, (True,)), sample(2, (True,))
    with pytest.raises(ExportRefused, match="which is not there"):
        export_contexts(tmp_path / "r", [one], [question(other, 0)], source)
    assert not (tmp_path / "r").exists()


def test_captions_go_by_name_or_id_and_bad_lines_are_counted(tmp_path: Path) -> None:
    samples = [sample(1, (True,)), sample(2, (True,))]
    file = tmp_path / "captions.jsonl"
    lines = [
        {"sample": "sample_0", "caption": "Ana."},
        {"sample": samples[1].sample_id, "caption": "  "},
        {"sample": "sample_7", "caption": "Bo."},
        {"sample": "sample_0", "caption": "Twice."},
        {"caption": "Nobody."},
    ]
    file.write_text("".join(json.dumps(one) + "\n" for one in lines) + "not json\n")
    found = read_captions(file, samples, policy="anybody")
    assert {name: one.text for name, one in found.captions.items()} == {"r-s0001": "Ana.", "r-s0002": ""}
    assert found.captions["r-s0002"].failure == "empty"
    reasons = [one.reason for one in found.rejections]
    assert reasons[:3] == ["unknown_sample", "duplicate", "missing_key"]
    assert len(reasons) == 4
