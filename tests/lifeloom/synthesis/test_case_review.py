"""People judge cases: what they read, and that their answers are honoured with all accounts holding."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lifeloom.records import BenchmarkCase, PictureReference, Turn
from lifeloom.synthesis.case_checks import letters_balanced
from lifeloom.synthesis.case_review import apply_case_answers, case_review_items, taken_out_by_task
from lifeloom.synthesis.persona_mme import CaseMaking
from lifeloom.synthesis.review import ReviewAnswers, queue_path, read_answers, write_queue
from tests.lifeloom.synthesis.plan_books import START, release, right

KEY = "release/persona_mme/2026-01-05"
HASH = "ab" * 32


def turns_of(persona_id: str) -> Iterator[Turn]:
    for index in range(60):
        yield Turn(
            turn_id=f"turn-{persona_id}-{index}",
            persona_id=persona_id,
            session_id="session-1",
            turn_index=index,
            at=START,
            offset_minutes=60,
            user=f"{persona_id} says number {index}. <img>",
            assistant="I see.",
            pictures=(PictureReference(content_hash=HASH, width=64, height=64),),
        )


def made() -> CaseMaking:
    return release(1, personas=4, cases=13)


def test_an_entry_shows_all_that_is_needed_to_judge_a_case() -> None:
    cases = made().cases
    items = case_review_items(cases, turns_of, key=KEY)
    assert [item.item_id for item in items] == [case.case_id for case in cases]
    for case, item in zip(cases, items, strict=True):
        assert case.query in item.what
        assert f"-> ({case.answer}) {right(case)}" in item.what
        for option in case.options:
            assert option.text in item.what
        for turn in case.evidence_turns:
            assert f"{case.persona_id} says number {turn}." in item.what
        assert item.what.count("(must be seen): abababababab") == len(case.picture_turns)
        for asked in ("Consistency", "Right answer", "Alignment validity"):
            assert asked in item.why
        assert (case.alignment is not None) == ("Alignment pair:" in item.what)
        if case.alignment is not None:
            assert case.alignment.chosen in item.what
            assert case.alignment.rejected in item.what
        assert KEY in item.where
        assert case.persona_id in item.where


def test_a_sample_takes_all_tasks_in_turn_and_is_the_same_every_time() -> None:
    cases = made().cases
    items = case_review_items(cases, turns_of, key=KEY, most=13)
    assert len(items) == 13
    task_of = {case.case_id: case.task for case in cases}
    assert len({task_of[item.item_id] for item in items}) == 13
    assert case_review_items(cases, turns_of, key=KEY, most=13) == items


def answered(folder: Path, cases: tuple[BenchmarkCase, ...], answers: dict[str, tuple[str, str]]) -> ReviewAnswers:
    """Write the queue, answer in the file as a person does, and read it again."""
    write_queue(folder, KEY, case_review_items(cases, turns_of, key=KEY))
    path = queue_path(folder, KEY)
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    for entry in entries:
        entry["answer"], entry["note"] = answers.get(entry["item_id"], ("", ""))
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return read_answers(folder, KEY)


def test_answers_in_the_file_take_cases_and_pairs_out_and_the_accounts_still_hold(tmp_path: Path) -> None:
    making = made()
    paired = [case for case in making.cases if case.alignment is not None]
    plain = [case for case in making.cases if case.alignment is None]
    answers = answered(
        tmp_path,
        making.cases,
        {
            paired[0].case_id: ("reject", "two options are right"),
            paired[1].case_id: ("reject", "Alignment: both sound alike"),
            plain[0].case_id: ("reject", ""),
            plain[1].case_id: ("accept", "alignment is fine"),
        },
    )
    kept, rejections = apply_case_answers(making.cases, answers)
    kept_ids = {case.case_id for case in kept}
    assert {case.case_id for case in making.cases} - kept_ids == {paired[0].case_id, plain[0].case_id}
    assert next(case for case in kept if case.case_id == paired[1].case_id).alignment is None
    unchanged = [case for case in making.cases if case.case_id in kept_ids and case.case_id != paired[1].case_id]
    assert [case for case in kept if case.case_id != paired[1].case_id] == unchanged
    assert {rejection.reason for rejection in rejections} == {"rejected_by_reviewer"}
    details = {(rejection.stage, rejection.item): rejection.detail for rejection in rejections}
    assert details == {
        ("persona_mme/cases", f"{paired[0].task} {paired[0].case_id}"): "two options are right",
        ("persona_mme/alignment", paired[0].case_id): "its case was rejected",
        ("persona_mme/alignment", paired[1].case_id): "Alignment: both sound alike",
        ("persona_mme/cases", f"{plain[0].task} {plain[0].case_id}"): "",
    }
    stages = Counter(item.stage for item in (*making.rejections, *rejections))
    assert making.requested == len(kept) + stages["persona_mme/cases"]
    assert making.pairs_wanted == sum(case.alignment is not None for case in kept) + stages["persona_mme/alignment"]


def test_a_note_on_a_rejection_changes_the_digest_of_stages_that_use_notes(tmp_path: Path) -> None:
    cases = made().cases
    case_id = cases[0].case_id
    plain = answered(tmp_path, cases, {case_id: ("reject", "")})
    noted = answered(tmp_path, cases, {case_id: ("reject", "alignment: too short")})
    assert plain.digest() == noted.digest()
    assert plain.digest_with_notes() != noted.digest_with_notes()
    liked = [answered(tmp_path, cases, {case_id: ("accept", note)}).digest_with_notes() for note in ("", "good")]
    assert liked[0] == liked[1]


def test_letters_may_be_as_far_off_as_cases_were_taken_out_and_no_farther() -> None:
    cases = release(2, personas=8, cases=13).cases
    assert letters_balanced(cases) == []
    task = cases[0].task
    of_letter = [case for case in cases if case.task == task and case.answer == cases[0].answer]
    answers = ReviewAnswers({case.case_id: "reject" for case in of_letter})
    kept, rejections = apply_case_answers(cases, answers)
    assert len(of_letter) >= 2
    assert taken_out_by_task(rejections) == {task: len(of_letter)}
    assert letters_balanced(kept) != []
    assert letters_balanced(kept, rejections) == []
    # Cases that are gone without anybody having rejected them are still found.
    others = [case for case in kept if case.task != "SIR" or case.answer not in "ab"]
    assert any(problem.startswith("SIR") for problem in letters_balanced(others, rejections))
