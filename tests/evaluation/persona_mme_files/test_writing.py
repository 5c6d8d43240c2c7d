import datetime as dt
import errno
import json
import os
import stat
from pathlib import Path

import pytest

from evaluation.persona_mme_files import ExportRefused, export_release, profile_of, read_release
from evaluation.persona_mme_files.shapes import bucket_of
from lifeloom.records import BigFiveProfile, CoreMemory, Persona
from lifeloom.store import MediaMissing
from lifeloom.store.pictures import PictureRejected
from tests.evaluation.examples import CODE, case, turns
from tests.evaluation.persona_mme_files.published import START, Shelf, picture_file, reference, turn

MINUTE = dt.timedelta(minutes=1)
PICTURE = reference(picture_file(1))
PROFILES = {"p-1": {"name": "Ada"}, "p-2": {"name": "Bo"}, "p-3": {"name": "Cy"}}


def export(folder, cases, conversations, source=None, profiles=PROFILES):
    return export_release(folder, cases, conversations.__getitem__, profiles, source or Shelf([picture_file(1)]))


def asked(at, turns_before, name="c-1", persona="p-1", setting="32k"):
    made = case(name, persona=persona, turns=turns_before, setting=setting)
    return made.model_copy(update={"asked_at": at, "offset_minutes": 0})


def test_files_are_laid_out_as_published(tmp_path):
    conversation = [
        turn(0, START, user="Look <img>", pictures=[PICTURE], offset=60),
        turn(1, START + MINUTE, user='Zoë said "hi"', offset=60),
        turn(2, START + 90 * MINUTE, session="s-2", user="again <img>", pictures=[PICTURE], offset=60),
    ]

    report = export(tmp_path / "out", [case("c-1", turns=3, pair=("yes!", "no."))], {"p-1": conversation})

    assert json.loads((tmp_path / "out" / "Persona-MME.json").read_text()) == [
        {
            "data_path": "./data/Persona-MME/samples/50/0/user_data.json",
            "type": "Memory Recall",
            "question_type": "Semantic Information Recall",
            "time": "2026-02-04 09:00",
            "query": "What do I drink?",
            "choices": {"(a)": "mint tea", "(b)": "pale ale", "(c)": "red wine", "(d)": "hot cocoa"},
            "answer": "(a)",
            "alignment": {"chosen": "yes!", "rejected": "no."},
        }
    ]
    user = tmp_path / "out" / "samples" / "50" / "0"
    assert json.loads((user / "user_data.json").read_text()) == {
        "profile": {"name": "Ada"},
        "sessions": [
            [
                {"time": "2026-01-05 09:00", "user": "Look <img>", "assistant": "Hi"},
                {"time": "2026-01-05 09:01", "user": 'Zoë said "hi"', "assistant": "Hi"},
            ],
            [{"time": "2026-01-05 10:30", "user": "again <img>", "assistant": "Hi"}],
        ],
        "imgs": ["0000.png", "0000.png"],
    }
    assert "Zoë" in (user / "user_data.json").read_text()
    assert (user / "0000.png").read_bytes() == picture_file(1)
    assert (report.cases, report.samples, report.turns, report.pictures, report.moved) == (1, 1, 3, 2, ())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_users_are_numbered_as_cases_name_them_and_cases_keep_their_order(tmp_path):
    cases = [case("c-1", persona="p-2"), case("c-2", persona="p-1"), case("c-3", persona="p-2")]

    export(tmp_path / "out", cases, {name: turns(1, name) for name in PROFILES})

    listed = json.loads((tmp_path / "out" / "Persona-MME.json").read_text())
    assert [entry["data_path"].split("/")[-2] for entry in listed] == ["0", "1", "0"]
    assert not (tmp_path / "out" / "samples" / "50" / "2").exists()  # nobody asks about p-3


@pytest.mark.parametrize(
    ("setting", "count", "bucket"),
    [
        ("32k", 20, 50),
        ("32k", 50, 50),
        ("32k", 51, 100),
        ("32k", 100, 100),
        ("32k", 130, 100),
        ("128k", 100, 200),
        ("128k", 200, 200),
        ("128k", 201, 500),
        ("128k", 500, 500),
        ("128k", 40, 200),
    ],
)
def test_the_folder_follows_setting_and_turns(setting, count, bucket):
    assert bucket_of(setting, count) == bucket


def test_pictures_get_the_extension_of_their_content(tmp_path):
    files = [picture_file(n, form) for n, form in enumerate(("PNG", "JPEG", "WEBP", "GIF", "BMP"))]
    shown = [reference(data) for data in files]
    conversation = [turn(0, START, user="<img>" * 5, pictures=shown)]

    export(tmp_path / "out", [case("c-1")], {"p-1": conversation}, Shelf(files))

    names = json.loads((tmp_path / "out" / "samples" / "50" / "0" / "user_data.json").read_text())["imgs"]
    assert names == ["0000.png", "0001.jpg", "0002.webp", "0003.gif", "0004.bmp"]


def test_the_profile_is_the_name_and_the_core_memory():
    persona = Persona(
        persona_id="p-1",
        seed_id="s-1",
        cluster_id="c-1",
        split="benchmark",
        edition="release",
        seed_text="A baker",
        name="Ada",
        offset_minutes=0,
        big_five=BigFiveProfile(openness=1, conscientiousness=2, extraversion=3, agreeableness=4, neuroticism=5),
        circle=(),
        role_description="Bakes.",
        core_memory=CoreMemory(name="Ada", human=("Bakes bread.",), persona=("Wants short answers.",)),
        made_by=CODE,
    )

    assert profile_of(persona) == {"name": "Ada", "human": ["Bakes bread."], "persona": ["Wants short answers."]}


# Times to the minute.


def test_a_case_within_the_minute_of_its_last_turn_gets_the_next_minute(tmp_path):
    conversation = [turn(0, START), turn(1, START + dt.timedelta(seconds=65))]
    cases = [asked(START + dt.timedelta(seconds=30), 1), asked(START + 5 * MINUTE, 2, name="c-2")]

    report = export(tmp_path / "out", cases, {"p-1": conversation})

    assert report.moved == ("c-1",)
    assert [c.history_turns for c in read_release(tmp_path / "out").cases] == [1, 2]
    listed = json.loads((tmp_path / "out" / "Persona-MME.json").read_text())
    assert [entry["time"] for entry in listed] == ["2026-01-05 08:01", "2026-01-05 08:05"]


def test_a_case_between_two_turns_of_one_minute_is_refused(tmp_path):
    conversation = [turn(0, START), turn(1, START + dt.timedelta(seconds=40))]

    with pytest.raises(ExportRefused, match=r"c-1 comes between turns 0 and 1 of p-1"):
        export(tmp_path / "out", [asked(START + dt.timedelta(seconds=20), 1)], {"p-1": conversation})
    export(tmp_path / "out", [asked(START + dt.timedelta(seconds=50), 2)], {"p-1": conversation})


def test_a_case_whose_time_does_not_fit_its_history_is_moved_to_where_it_does(tmp_path):
    conversation = [turn(n, START + n * 10 * MINUTE) for n in range(3)]

    report = export(tmp_path / "out", [asked(START + 90 * MINUTE, 2)], {"p-1": conversation})

    assert report.moved == ("c-1",)
    assert read_release(tmp_path / "out").cases[0].history_turns == 2


# What is refused.


def test_all_obstacles_are_named_at_once_and_nothing_is_written(tmp_path):
    conversations = {
        "p-1": [turn(0, START, user="Look <img>"), turn(1, START + MINUTE, user="No", pictures=[PICTURE])],
        "p-2": [turn(0, START, persona="p-2", offset=60), turn(1, START + MINUTE, persona="p-2")],
        "p-3": turns(1, "p-3"),
    }
    cases = [
        case("c-1"),
        case("c-2", persona="p-2", turns=2),
        case("c-3", persona="p-3", turns=9),
        case("c-4", persona="p-3", setting="128k"),
        case("c-5", persona="p-4"),
        case("c-1", persona="p-3"),
    ]

    with pytest.raises(ExportRefused) as caught:
        export(tmp_path / "out", cases, conversations)

    assert caught.value.problems == [
        "2 cases have the id c-1",
        "turn 0 of p-1 has 1 <img> for 0 pictures",
        "turn 1 of p-1 has 0 <img> for 1 pictures",
        "turn 1 of p-2 is before the turn before it on the user's clock",
        "p-3 has cases of two settings",
        "c-3 needs 9 turns, p-3 has 1",
        "p-4 has cases but no persona",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")

    with pytest.raises(ExportRefused, match="not an empty folder"):
        export(tmp_path, [], {})
    with pytest.raises(ExportRefused, match="not an empty folder"):
        export(tmp_path / "notes.txt", [], {})
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_an_empty_folder_and_an_empty_release_will_do(tmp_path):
    (tmp_path / "out").mkdir()
    export(tmp_path / "out", [], {})

    read = read_release(tmp_path / "out")
    assert (read.cases, read.turns, read.rejections, read.listed) == ([], {}, [], 0)


def test_a_link_to_an_empty_folder_will_do(tmp_path):
    (tmp_path / "disk" / "empty").mkdir(parents=True)
    (tmp_path / "out").symlink_to(tmp_path / "disk" / "empty")

    report = export(tmp_path / "out", [case("c-1")], {"p-1": turns(1)})

    assert report.folder == tmp_path / "out"
    assert (tmp_path / "out").is_symlink()
    assert len(read_release(tmp_path / "out").cases) == 1
    assert [path.name for path in (tmp_path / "disk").iterdir()] == ["empty"]


def test_a_folder_in_folders_that_are_not_there_will_do(tmp_path):
    export(tmp_path / "a" / "b" / "out", [case("c-1")], {"p-1": turns(1)})

    assert len(read_release(tmp_path / "a" / "b" / "out").cases) == 1


@pytest.mark.parametrize("length", [225, 255])
def test_a_folder_may_have_as_long_a_name_as_there_can_be(tmp_path, length):
    export(tmp_path / ("a" * length), [case("c-1")], {"p-1": turns(1)})

    assert len(read_release(tmp_path / ("a" * length)).cases) == 1


def bad_places(root):
    """Folders that cannot be written, each with what is told of it."""
    (root / "note.txt").write_text("mine")
    (root / "full").mkdir()
    (root / "full" / "note.txt").write_text("mine")
    (root / "dangling").symlink_to(root / "nowhere")
    (root / "circle").symlink_to("circle")
    (root / "to full").symlink_to("full")
    (root / "to note").symlink_to("note.txt")
    return {
        root / "note.txt": "is there already and not an empty folder",
        root / "note.txt" / "out": f"cannot be made: {root / 'note.txt'} is not a folder",
        root / "note.txt" / "deep" / "out": f"cannot be made: {root / 'note.txt'} is not a folder",
        root / "to note" / "out": f"cannot be made: {root / 'note.txt'} is not a folder",
        root / "full": "is there already and not an empty folder",
        root / "to full": "is there already and not an empty folder",
        root / "to note": "is there already and not an empty folder",
        root / "dangling": f"is a link to {root / 'nowhere'}, which is not there",
        root / "circle": "is a link that leads back to itself",
        root / "circle" / "out": "is a link that leads back to itself",
        root / ("a" * 256): "cannot be written: File name too long",
        root / ("a" * 256) / "out": "cannot be written: File name too long",
        root / "new" / ("a" * 256): "cannot be written: File name too long",
        Path("/proc/foo/x"): "cannot be written: No such file or directory (/proc/foo)",
        Path("/proc/x"): "cannot be written: No such file or directory",
    }


def test_places_where_nothing_can_be_written_are_refused_by_name_and_left_as_they_are(tmp_path):
    places = bad_places(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())

    for place, told in places.items():
        with pytest.raises(ExportRefused) as caught:
            export(place, [case("c-1")], {"p-1": turns(1)})
        assert [problem.partition(";")[0] for problem in caught.value.problems] == [f"{place} {told}"]
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert [path.read_text() for path in sorted(tmp_path.rglob("note.txt"))] == ["mine", "mine"]


def test_a_refused_export_leaves_no_folders_on_the_way(tmp_path):
    with pytest.raises(ExportRefused):
        export(tmp_path / "a" / "b" / "out", [case("c-1"), case("c-1")], {"p-1": turns(1)})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_filled_during_the_export_is_refused_and_left_as_it_is(tmp_path):
    def source(wanted):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "note.txt").write_text("mine")
        return picture_file(1)

    with pytest.raises(ExportRefused, match="out cannot be written: Directory not empty"):
        export(tmp_path / "out", [case("c-1")], {"p-1": [turn(0, START, user="<img>", pictures=[PICTURE])]}, source)
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "note.txt"]


def test_a_home_that_cannot_be_read_is_not_blamed_on_the_folder(tmp_path):
    def source(wanted):
        raise OSError(errno.EIO, "Input/output error", "/home/media")

    with pytest.raises(OSError, match="/home/media"):
        export(tmp_path / "out", [case("c-1")], {"p-1": [turn(0, START, user="<img>", pictures=[PICTURE])]}, source)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (Shelf(), MediaMissing),
        (lambda wanted: picture_file(2), ExportRefused),
    ],
)
def test_pictures_that_are_gone_or_others_stop_the_export(tmp_path, source, error):
    with pytest.raises(error):
        export(tmp_path / "out", [case("c-1")], {"p-1": [turn(0, START, user="<img>", pictures=[PICTURE])]}, source)
    assert list(tmp_path.iterdir()) == []


def test_a_picture_of_no_known_format_stops_the_export(tmp_path):
    note = b"no picture"
    shown = PICTURE.model_copy(update={"content_hash": next(iter(Shelf([note]).files))})

    with pytest.raises(PictureRejected, match="unknown_format"):
        export(
            tmp_path / "out", [case("c-1")], {"p-1": [turn(0, START, user="<img>", pictures=[shown])]}, Shelf([note])
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(ExportRefused, match="out cannot be written: Permission denied"):
            export(tmp_path / "out", [], {})
    finally:
        tmp_path.chmod(stat.S_IRWXU)
