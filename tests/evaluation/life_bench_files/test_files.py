"""The published format of Life-Bench: what is read, what is left out and counted, and that writing reads back."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from PIL import Image

from evaluation.life_bench import score_life
from evaluation.life_bench_files import (
    ReleaseUnreadable,
    export_lives,
    judge_published,
    read_answers,
    read_judgements,
    read_lives,
    write_answers,
    write_judgements,
)
from evaluation.life_bench_files.shapes import split_options
from evaluation.persona_mme_files import ExportRefused
from lifeloom.records import LifeOption
from tests.evaluation.life_bench.asked import life, question

CONCEPTS = [
    {"concept_id": "ada-c-ada", "name": "Ada", "role": "Account Owner", "portrait_path": "concepts/ada/ada.png"},
    {"concept_id": "ada-c-rex", "name": "Rex", "role": "Owner's Dog", "portrait_path": "concepts/ada/rex.png"},
]
EVENTS = [
    {
        "image_id": f"ada-e-{event}-{number}",
        "image_path": f"events/images/ada-e-{event}-{number}.png",
        "vaccount": "ada",
        "event_id": f"ada-e-{event}",
        "event_description": f"Day {event}",
        "event_date": f"2021-05-0{event + 1}",
    }
    for event in range(2)
    for number in range(2)
]


def row(name, task, text, answer, kind="open_generation", **more):
    told = {"sample_id": name, "vaccount": "ada", "task": task, "question": text, "answer": answer}
    return {**told, "answer_type": kind, "reference_ids": ["ada-e-1"], **more}


QUESTIONS = {
    "text_concept_qa": [
        row("t0", "text_concept_qa", "Eyes? (A) Red (B) Blue (C) Grey (D) Green", "C", "multiple_choice")
    ],
    "concept_vqa_easy": [
        row(
            "c0",
            "concept_vqa_easy",
            "Wears what? (A) A hat; (B) A scarf; (C) A coat; (D) Not in image.",
            "A",
            "multiple_choice",
            question_image_id="ada-s-0",
            question_image_path="questions/images/ada-s-0.png",
        )
    ],
    "visual_concept_recognition": [row("v0", "visual_concept_recognition", "Is it Rex?", "Yes", "binary")],
    "scene_and_activity": [row("s0", "scene_and_activity", "What happened?", "Rowing")],
}


def lay_out(root, *, events=EVENTS, questions=QUESTIONS, pictures=()):
    (root / "concepts/ada").mkdir(parents=True)
    (root / "events").mkdir()
    (root / "questions").mkdir()
    told = {"vaccount": "ada", "concepts": CONCEPTS}
    (root / "concepts/ada/concepts.json").write_text(json.dumps(told))
    (root / "events/metadata.jsonl").write_text("".join(json.dumps(one) + "\n" for one in events))
    for name, rows in questions.items():
        lines = (one if isinstance(one, str) else json.dumps(one) for one in rows)
        (root / f"questions/{name}.jsonl").write_text("".join(line + "\n" for line in lines))
    for path in pictures:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(png())
    return root


def png():
    out = io.BytesIO()
    Image.new("RGB", (64, 64), "red").save(out, format="PNG")
    return out.getvalue()


def test_a_release_is_read_and_missing_pictures_take_nothing_else_away(tmp_path):
    release = read_lives(lay_out(tmp_path, pictures=["questions/images/ada-s-0.png"]))

    by_id = {one.question_id: one for one in release.questions}
    assert {one: (q.task, q.difficulty, q.answer) for one, q in by_id.items()} == {
        "t0": ("text_concept_qa", "medium", "c"),
        "c0": ("concept_vqa", "easy", "a"),
        "v0": ("visual_concept_recognition", "medium", "yes"),
        "s0": ("scene_and_activity", "medium", "Rowing"),
    }
    assert [one.text for one in by_id["c0"].options] == ["A hat", "A scarf", "A coat", "Not in image."]
    assert by_id["t0"].question == "Eyes?"
    assert by_id["c0"].picture is not None
    assert not by_id["s0"].has_picture
    assert by_id["s0"].event_ids == ("ada-e-1",)
    assert [one.kind for one in release.lives["ada"].concepts] == ["person", "animal"]
    assert [one.event_id for one in release.lives["ada"].events] == ["ada-e-0", "ada-e-1"]
    assert release.left_out() == {"life_bench_files/pictures: missing": 6}  # two portraits, four pictures


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{not json", "bad_json"),
        ({"sample_id": "x"}, "missing_key"),
        (row("x", "juggling", "How?", "So"), "unknown_task"),
        (row("x", "scene_and_activity_easy", "How?", "So"), "unknown_task"),
        (row("x", "text_concept_qa", "Eyes? (A) Red (B) Blue", "A", "multiple_choice"), "bad_options"),
        (row("x", "visual_concept_recognition", "Rex?", "Perhaps", "binary"), "bad_answer"),
        (row("x", "scene_and_activity", "How?", "So", "binary"), "answer_type"),
        (row("x", "scene_and_activity", "How?", "So", vaccount="bob"), "unknown_vaccount"),
        (row("s0", "scene_and_activity", "Again?", "So"), "duplicate"),
        (row("../x", "scene_and_activity", "How?", "So"), "wrong_value"),
    ],
)
def test_a_bad_row_is_left_out_with_file_and_line(tmp_path, bad, reason):
    questions = {**QUESTIONS, "scene_and_activity": [*QUESTIONS["scene_and_activity"], bad]}
    release = read_lives(lay_out(tmp_path, questions=questions))

    (rejected,) = [one for one in release.rejections if one.stage == "life_bench_files/questions"]
    assert (rejected.item, rejected.reason) == ("questions/scene_and_activity.jsonl line 2", reason)
    assert len(release.questions) == 4
    assert release.listed["life_bench_files/questions"] == 5


def test_pictures_outside_of_the_folder_are_not_read(tmp_path):
    (tmp_path / "secret.png").write_bytes(png())
    events = [{**EVENTS[0], "image_path": "../secret.png"}]
    release = read_lives(lay_out(tmp_path / "release", events=events))

    assert release.lives["ada"].images[0].picture is None


def test_a_folder_that_is_no_release_says_what_is_missing(tmp_path):
    with pytest.raises(ReleaseUnreadable, match="holds no concepts"):
        read_lives(tmp_path)


def test_published_answers_are_judged_and_scored_and_missing_ones_are_wrong(tmp_path):
    release = read_lives(lay_out(tmp_path / "release"))
    ids = [one.question_id for one in release.questions]
    answers, judged = tmp_path / "answers.jsonl", tmp_path / "judged.jsonl"
    rows = [
        {"sample_id": "t0", "prediction": "Answer: C", "retrieved_ids": []},
        {"sample_id": "v0", "prediction": "**Answer:** No"},
        {"sample_id": "s0", "prediction": "They rowed", "retrieved_ids": ["ada-e-1-0"]},
        {"sample_id": "nobody", "prediction": "x"},
    ]
    answers.write_text("".join(json.dumps(one) + "\n" for one in rows))
    judged.write_text(json.dumps({"sample_id": "s0", "Result": "Correct", "Reason": "same"}) + "\n")
    read = read_answers(answers, ids)

    given = judge_published(release.questions, read, "theirs", judgements=read_judgements(judged, ids).verdicts)
    scores = score_life(
        release.questions,
        given,
        release.lives,
        backend="published",
        model="",
        code_revision="c",
        seed=1,
        bootstrap_samples=50,
    )

    assert [(one.item, one.reason) for one in read.rejections] == [("answers.jsonl line 4", "unknown_question")]
    assert {one.question_id: one.correct for one in given} == {"t0": True, "v0": False, "s0": True}
    whole = scores[-1]
    assert (whole.value, whole.missing, whole.recall_3) == (0.5, 1, 1.0)  # concept_vqa has no answer
    unjudged = judge_published(release.questions, read, "theirs")
    assert [one.failure for one in unjudged if one.question_id == "s0"] == ["not_judged"]


def test_answers_and_verdicts_written_read_back_the_same(tmp_path):
    release = read_lives(lay_out(tmp_path / "release"))
    ids = [one.question_id for one in release.questions]
    source = tmp_path / "a.jsonl"
    source.write_text(json.dumps({"sample_id": "s0", "prediction": "Rowing\n\u2028", "retrieved_ids": ["ada-e-1"]}))
    (tmp_path / "v.jsonl").write_text(json.dumps({"sample_id": "s0", "Result": "Wrong", "Reason": "no"}))
    verdicts = read_judgements(tmp_path / "v.jsonl", ids).verdicts
    first = read_answers(source, ids)
    given = judge_published(release.questions, first, "x", judgements=verdicts)

    write_answers(tmp_path / "b.jsonl", given)
    write_judgements(tmp_path / "w.jsonl", release.questions, given)

    assert read_answers(tmp_path / "b.jsonl", ids).answers == first.answers
    assert read_judgements(tmp_path / "w.jsonl", ids).verdicts == verdicts


def files_of(root):
    return {str(one.relative_to(root)): one.read_bytes() for one in sorted(root.rglob("*")) if one.is_file()}


def test_a_release_read_and_written_twice_gives_the_same_bytes(tmp_path):
    pictures = [one["image_path"] for one in EVENTS] + ["questions/images/ada-s-0.png"]
    release = read_lives(lay_out(tmp_path / "a", pictures=pictures))

    report = export_lives(tmp_path / "b", release.lives, release.questions, release.pictures)
    again = read_lives(tmp_path / "b")
    export_lives(tmp_path / "c", again.lives, again.questions, again.pictures)

    assert (report.concepts, report.images, report.questions, report.without_file) == (2, 4, 4, 2)
    assert again.lives == release.lives
    assert files_of(tmp_path / "b") == files_of(tmp_path / "c")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@settings(max_examples=40, deadline=None)
@drawn(st.lists(TEXTS, min_size=6, max_size=6))
def test_what_is_written_reads_back_and_the_rest_is_refused(texts):
    asked = [
        question(
            "m",
            "text_concept_qa",
            question=texts[0],
            options=tuple(LifeOption(letter=one, text=t, source="") for one, t in zip("abcd", texts[1:5], strict=True)),
        ),
        question("o", question=texts[5], answer=texts[4], event_ids=("ana-e-1",), reference_ids=("ana-e-1",)),
    ]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "r"
        try:
            export_lives(place, {"ana": life()}, asked, lambda reference: png())
        except ExportRefused:
            assert not place.exists()
            return
        read = read_lives(place)
    told = {one.question_id: (one.question, [o.text for o in one.options], one.answer) for one in read.questions}
    assert told == {one.question_id: (one.question, [o.text for o in one.options], one.answer) for one in asked}
    assert {one.question_id: one.event_ids for one in read.questions} == {"m": (), "o": ("ana-e-1",)}


@pytest.mark.parametrize("between", [" ", "; ", "\n", ";\n"])
def test_options_are_parted_by_semicolons_spaces_or_lines(between):
    parted = split_options("Who? " + between.join(["(A) one (small)", "(B) two", "(C) three", "(D) four."]))

    assert parted is not None
    assert (parted[0], [one.text for one in parted[1]]) == ("Who?", ["one (small)", "two", "three", "four."])
