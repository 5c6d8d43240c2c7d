"""The queue file keeps what people wrote, and says where it cannot be read."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.records import ReviewItem
from lifeloom.synthesis.review import ReviewFileError, queue_path, read_answers, waiting_items, write_queue

KEY = "corpus/dialogues/shard-000"


def item(number: int, **more) -> ReviewItem:
    return ReviewItem(item_id=f"review-{number}", what=f"text {number}", why="odd", where=f"turn {number}", **more)


def answer(folder: Path, item_id: str, **fields) -> None:
    """Do as a person does with an editor."""
    path = queue_path(folder, KEY)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps({**e, **(fields if e["item_id"] == item_id else {})}) + "\n" for e in lines))


def test_the_file_has_one_object_a_line_named_after_the_key(tmp_path):
    path = write_queue(tmp_path / "review", KEY, [item(1), item(2)])
    assert path == tmp_path / "review" / "corpus.dialogues.shard-000.jsonl"
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"item_id": "review-1", "what": "text 1", "why": "odd", "where": "turn 1", "answer": "", "note": ""},
        {"item_id": "review-2", "what": "text 2", "why": "odd", "where": "turn 2", "answer": "", "note": ""},
    ]
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_items_without_an_answer_are_counted_over_all_queues(tmp_path):
    assert waiting_items(tmp_path / "none yet") == 0
    write_queue(tmp_path, "a/b", [item(1, answer="accept"), item(2)])
    write_queue(tmp_path, "a/c", [item(3)])
    assert waiting_items(tmp_path) == 2


def test_no_file_means_no_answers(tmp_path):
    assert len(read_answers(tmp_path, KEY)) == 0


def test_answers_given_in_the_file_are_read_and_kept_when_the_queue_is_written_again(tmp_path):
    write_queue(tmp_path, KEY, [item(1), item(2), item(3)])
    answer(tmp_path, "review-1", answer=" Accept ", note="reads well")
    answer(tmp_path, "review-2", answer="reject")
    answers = read_answers(tmp_path, KEY)
    assert dict(answers.by_item) == {"review-1": "accept", "review-2": "reject"}
    # The next run asks for 2 again and for 4; 1 is silenced and 3 is gone.
    write_queue(tmp_path, KEY, [item(2), item(4)])
    lines = [json.loads(line) for line in queue_path(tmp_path, KEY).read_text().splitlines()]
    assert [(line["item_id"], line["answer"], line["note"]) for line in lines] == [
        ("review-2", "reject", ""),
        ("review-4", "", ""),
        ("review-1", "accept", "reads well"),
    ]
    assert read_answers(tmp_path, KEY) == answers


def test_the_digest_changes_with_answers_and_with_nothing_else(tmp_path):
    nothing = read_answers(tmp_path, KEY).digest()
    write_queue(tmp_path, KEY, [item(1), item(2)])
    assert read_answers(tmp_path, KEY).digest() == nothing
    answer(tmp_path, "review-2", answer="accept")
    accepted = read_answers(tmp_path, KEY).digest()
    answer(tmp_path, "review-2", note="thought about it twice")
    write_queue(tmp_path, KEY, [item(2), item(1)])
    assert read_answers(tmp_path, KEY).digest() == accepted
    answer(tmp_path, "review-2", answer="reject")
    assert len({nothing, accepted, read_answers(tmp_path, KEY).digest()}) == 3


GOOD = json.dumps(item(1).model_dump())


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("{oops", "not a JSON object"),
        ("[1, 2]", "not a JSON object"),
        ('{"what": "x", "why": "y", "where": "z", "answer": ""}', "item_id"),
        (GOOD.replace('"answer": ""', '"answer": "yes"'), 'answer is \'yes\'; allowed are "accept", "reject" or'),
        (GOOD.replace('"answer": ""', '"answer": 1'), "answer is 1; allowed are"),
        (GOOD.replace("review-1", "../../etc"), "item_id"),
        (GOOD.replace('"note": ""', '"notes": ""'), "notes"),
        (GOOD.replace('"answer": ""', '"answer": "accept"'), "review-1 is answered in two ways"),
    ],
)
def test_a_bad_line_is_named_with_file_and_number_and_nothing_is_overwritten(tmp_path, bad, says):
    path = queue_path(tmp_path, KEY)
    path.write_text(f"{GOOD}\n\n{bad}\n")
    for act in (lambda: read_answers(tmp_path, KEY), lambda: write_queue(tmp_path, KEY, [item(2)])):
        with pytest.raises(ReviewFileError) as caught:
            act()
        assert f"{path}, line 3: " in str(caught.value)
        assert says in str(caught.value)
        assert "Correct the line" in str(caught.value)
    assert path.read_text() == f"{GOOD}\n\n{bad}\n"


def test_a_file_that_is_no_text_is_a_clear_error_and_a_byte_order_mark_is_none(tmp_path):
    path = queue_path(tmp_path, KEY)
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace('"answer": ""', '"answer": "accept"').encode() + b"\r\n")
    assert dict(read_answers(tmp_path, KEY).by_item) == {"review-1": "accept"}
    path.write_bytes(b"\x00\xff\xfe")
    with pytest.raises(ReviewFileError, match="line 1"):
        read_answers(tmp_path, KEY)


def test_a_folder_in_the_place_of_the_file_is_a_clear_error_and_left_alone(tmp_path):
    path = queue_path(tmp_path, KEY)
    path.mkdir()
    for act in (lambda: read_answers(tmp_path, KEY), lambda: write_queue(tmp_path, KEY, [item(1)])):
        with pytest.raises(ReviewFileError) as caught:
            act()
        assert str(caught.value) == (
            f"{path}: a folder stands where the file of the review queue belongs. Move it away, and run again."
        )
    assert path.is_dir()


ITEMS = st.lists(
    st.builds(
        ReviewItem,
        item_id=st.from_regex(r"[a-z0-9_-]{1,20}", fullmatch=True),
        what=st.text(st.characters(exclude_categories=["Cs"])),
        why=st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
        where=st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
        answer=st.sampled_from(["", "accept", "reject"]),
        note=st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    ),
    unique_by=lambda entry: entry.item_id,
    max_size=8,
)


@given(ITEMS, ITEMS)
def test_any_text_survives_and_no_answer_is_ever_lost(first, second):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write_queue(folder, KEY, first)
        before = path.read_bytes()
        assert dict(read_answers(folder, KEY).by_item) == {e.item_id: e.answer for e in first if e.answer}
        write_queue(folder, KEY, first)
        assert path.read_bytes() == before
        write_queue(folder, KEY, second)
        lines = [ReviewItem.model_validate_json(line) for line in path.read_bytes().split(b"\n") if line]
        kept = {entry.item_id: entry for entry in lines}
        old = {entry.item_id: entry for entry in first}
        assert all(kept[entry.item_id].answer == entry.answer for entry in first if entry.answer)
        for entry in second:
            assert kept[entry.item_id].what == entry.what
            assert kept[entry.item_id].note == old.get(entry.item_id, entry).note
        assert len(kept) == len(lines) == len(kept.keys() & {e.item_id for e in (*first, *second)})
