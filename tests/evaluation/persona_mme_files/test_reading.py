import datetime as dt
import json
import os

import pytest

from evaluation.persona_mme import run_policy
from evaluation.persona_mme_files import ReleaseUnreadable, read_release
from evaluation.persona_mme_files.shapes import TASK_NAMES, task_of
from lifeloom.records import PictureReference
from lifeloom.store import MediaCorrupt, MediaMissing
from tests.evaluation.persona_mme_files.published import lay_out, picture_file, reference, told_case, told_user


def read(tmp_path, *, case=None, user=None, files=None):
    """Read a release of one case about one user."""
    place = lay_out(tmp_path / "release", [case or told_case()], {"50/0": user or told_user()}, files)
    return read_release(place)


def reasons(release):
    return [(rejection.stage.rpartition("/")[2], rejection.reason) for rejection in release.rejections]


# What is read.


def test_a_case_is_read_with_its_history_and_pictures(tmp_path):
    release = read(tmp_path)

    assert release.rejections == []
    (case,) = release.cases
    assert (case.setting, case.task, case.aspect) == ("32k", "SIR", "Memory")
    assert case.asked_at == dt.datetime(2026, 1, 6, 10, tzinfo=dt.UTC)
    assert (case.query, case.answer, case.history_turns) == ("What do I drink?", "d", 3)
    assert [option.text for option in case.options] == ["mint tea", "pale ale", "red wine", "hot cocoa"]
    turns = release.turns[case.persona_id]
    assert [(t.turn_index, t.user, t.assistant) for t in turns] == [
        (0, "Look <img>", "Nice"),
        (1, "I drink cocoa", "Noted <img>"),
        (2, "Good morning", "Hello"),
    ]
    assert len({t.session_id for t in turns[:2]}) == 1
    assert turns[1].session_id != turns[2].session_id
    assert [t.pictures for t in turns] == [(reference(picture_file(1)),), (), ()]
    assert release.pictures(turns[0].pictures[0]) == picture_file(1)
    assert release.profiles == {case.persona_id: {"name": "Ada"}}


@pytest.mark.parametrize(
    ("time", "turns"),
    [
        ("2026-01-05 09:01", 1),
        ("2026-01-05 09:05", 1),
        ("2026-01-05 09:06", 2),
        ("2026-01-06 09:00", 2),
        ("2026-01-07 00:00 (Wednesday)", 3),
        ("2026-01-05T09:05:30", 2),
    ],
)
def test_the_history_is_the_turns_before_the_time(tmp_path, time, turns):
    assert [case.history_turns for case in read(tmp_path, case=told_case(time=time)).cases] == [turns]


def test_the_published_evaluation_replays_the_whole_conversation_if_asked_to(tmp_path):
    place = lay_out(tmp_path, [told_case(time="2026-01-05 09:01")], {"50/0": told_user()})

    assert read_release(place, history="whole").cases[0].history_turns == 3


def test_folders_say_the_setting(tmp_path):
    cases = [told_case(data_path=f"samples/{bucket}/0/user_data.json") for bucket in (50, 100, 200, 500)]
    users = {f"{bucket}/0": told_user() for bucket in (50, 100, 200, 500)}
    files = {f"{bucket}/0/0000.png": picture_file(1) for bucket in (50, 100, 200, 500)}

    release = read_release(lay_out(tmp_path, cases, users, files))

    assert [case.setting for case in release.cases] == ["32k", "32k", "128k", "128k"]
    assert len({case.persona_id for case in release.cases}) == 4
    assert len(release.pictures) == 1


@pytest.mark.parametrize(
    "data_path",
    [
        "samples/50/0/user_data.json",
        "/mnt/work/of/somebody/Persona-MME/samples/50/0/user_data.json",
        "D:\\data\\samples\\50\\0\\user_data.json",
        "/home/a user/samples/200/1/samples/50/0/user_data.json",
        "/etc/samples/50/0/user_data.json",  # nothing is read there
    ],
)
def test_only_the_end_of_a_data_path_counts(tmp_path, data_path):
    assert len(read(tmp_path, case=told_case(data_path=data_path)).cases) == 1


def test_tasks_are_known_by_letters_and_by_name():
    for task, name in TASK_NAMES.items():
        assert task_of(task) == task_of(name) == task_of(f" {name.upper()} ") == task
    assert task_of("Long Term Goal Tracking") == "LGT"
    assert task_of("Behavioural Pattern Recognition") == "BPR"
    assert task_of("Generalising to new scenarios") == "GNS"
    assert task_of("Telepathy") is None
    assert task_of("") is None


def test_the_type_says_the_task_where_the_question_type_does_not(tmp_path):
    assert read(tmp_path, case=told_case(type="VDR", question_type="1")).cases[0].task == "VDR"


@pytest.mark.parametrize("answer", ["(d)", "d", "(D)", "(d) hot cocoa", " d) hot cocoa"])
def test_the_answer_is_the_letter_before_the_parenthesis(tmp_path, answer):
    assert read(tmp_path, case=told_case(answer=answer)).cases[0].answer == "d"


def test_choices_may_come_in_any_order(tmp_path):
    choices = {"(d)": "4", "b": "2", "(A)": "1", "c.": "3"}

    assert [o.text for o in read(tmp_path, case=told_case(choices=choices)).cases[0].options] == ["1", "2", "3", "4"]


def test_an_alignment_pair_is_read(tmp_path):
    (case,) = read(tmp_path, case=told_case(alignment={"chosen": "warm", "rejected": "cold"})).cases

    assert case.alignment is not None
    assert (case.alignment.chosen, case.alignment.rejected) == ("warm", "cold")


def test_keys_that_nobody_knows_and_empty_sessions_are_left_aside(tmp_path):
    user = told_user(sessions=[[], *told_user()["sessions"], []], mood="good")

    release = read(tmp_path, case=told_case(level=3), user=user)

    assert len(release.turns["sample-50-0"]) == 3


def test_each_mark_takes_the_next_picture(tmp_path):
    session = [{"time": "2026-01-05 09:00", "user": "<img> or <img>? And <img>!", "assistant": "b"}]
    files = {"50/0/a.png": picture_file(1), "50/0/b.jpg": picture_file(2, "JPEG")}

    release = read(tmp_path, user=told_user(sessions=[session], imgs=["b.jpg", "a.png", "b.jpg"]), files=files)

    shown = release.turns["sample-50-0"][0].pictures
    assert [release.pictures(picture) for picture in shown] == [files[f"50/0/{n}"] for n in ("b.jpg", "a.png", "b.jpg")]


@pytest.mark.parametrize("name", ["/home/somebody/pictures/0000.png", "images/0000.png", "./0000.png"])
def test_pictures_lie_in_the_users_folder_whatever_folder_is_named(tmp_path, name):
    assert read(tmp_path, user=told_user(imgs=[name])).rejections == []


def test_pictures_in_a_folder_of_the_user_are_found(tmp_path):
    files = {"50/0/images/0000.png": picture_file(1)}

    assert read(tmp_path, user=told_user(imgs=["images/0000.png"]), files=files).rejections == []


def test_pictures_lie_upright_in_the_records(tmp_path):
    from tests.lifeloom.store.pictures_made import exif, saved, scene

    turned = saved(scene(), "JPEG", exif=b"Exif\0\0" + exif(6))
    release = read(tmp_path, files={"50/0/0000.jpg": turned}, user=told_user(imgs=["0000.jpg"]))

    (picture,) = release.turns["sample-50-0"][0].pictures
    assert (picture.width, picture.height) == (24, 40)


def test_what_is_read_can_be_asked(tmp_path):
    class Reads:
        name, fingerprint = "reads", "1"

        def choose(self, question, view):
            from lifeloom.scoring.policy import Answer

            assert question.asked_at == "2026-01-06 10:00"
            assert [message.text for message in view.messages][2] == "I drink cocoa"
            return Answer("d", 0, 0)

    release = read(tmp_path)

    assert [p.correct for p in run_policy(Reads(), release.cases, release.turns.__getitem__).predictions] == [True]


def test_a_case_list_of_any_name_is_read(tmp_path):
    place = lay_out(tmp_path, [told_case()], {"50/0": told_user()})
    (place / "Persona-MME.json").rename(place / "cases.json")

    assert len(read_release(place).cases) == len(read_release(place / "cases.json").cases) == 1


def test_the_release_is_named_after_its_case_list(tmp_path):
    one = read(tmp_path / "1")

    assert one.release_id == read(tmp_path / "2").release_id == one.cases[0].release_id
    assert one.release_id != read(tmp_path / "3", case=told_case(query="And eat?")).release_id


# What is left out.

BAD_CASES = {
    "missing_key": [told_case(query=...), told_case(choices=...), told_case(alignment={"chosen": "yes"}), {}],
    "wrong_shape": [told_case(query=7), told_case(choices=["a"]), "case", None, [told_case()], told_case(time=None)],
    "unknown_task": [told_case(question_type="Telepathy")],
    "bad_time": [
        told_case(time="yesterday"),
        told_case(time="2026-13-01 10:00"),
        told_case(time="2026-01-05"),
        told_case(time="٢٠٢٦-01-06 10:00"),
    ],
    "bad_choices": [
        told_case(choices={"(a)": "1", "(b)": "2", "(c)": "3"}),
        told_case(choices={"(a)": "1", "a": "2", "(c)": "3", "(d)": "4"}),
        told_case(choices={"(a)": "1", "(b)": "2", "(c)": "3", "(e)": "4"}),
        told_case(choices={"(a)": "1", "(b)": "2", "(c)": "3", "(d)": "4", "(e)": "5"}),
    ],
    "empty_text": [
        told_case(query=""),
        told_case(choices={"(a)": "", "(b)": "2", "(c)": "3", "(d)": "4"}),
        told_case(alignment={"chosen": "", "rejected": "no"}),
    ],
    "bad_answer": [told_case(answer="(e)"), told_case(answer=""), told_case(answer="dog")],
    "bad_data_path": [
        told_case(data_path=path)
        for path in ("", "user_data.json", "samples/50/../user_data.json", "samples/50/0/other.json", "samples/50/a b")
    ]
    + [
        told_case(data_path=path)
        for path in (
            "samples/٥٠/0/user_data.json",
            "samples/50/٠/user_data.json",
            "samples/５０/0/user_data.json",
            "samples/050/0/user_data.json",
            "samples/50/0/user_data.json\n",
            "samples/50/0/user_data.json ",
            " /data/samples/50/0/user_data.json",
            "\n/samples/50/0/user_data.json",
            "samples/50 /0/user_data.json",
            "samples/50/0/user_data.json\0",
            "etcsamples/50/0/user_data.json",
        )
    ],
    "unknown_folder": [told_case(data_path="samples/70/0/user_data.json")],
    "sample_rejected": [told_case(data_path="samples/50/404/user_data.json")],
    "no_history": [told_case(time="2026-01-05 09:00"), told_case(time="1999-01-01 00:00")],
}


@pytest.mark.parametrize("reason", BAD_CASES)
def test_bad_cases_are_left_out_with_a_reason_and_the_rest_is_read(tmp_path, reason):
    bad = BAD_CASES[reason]

    release = read_release(lay_out(tmp_path, [told_case(), *bad, told_case()], {"50/0": told_user()}))

    assert [case.case_id for case in release.cases] == ["case-00001", f"case-{len(bad) + 2:05d}"]
    assert release.left_out()[f"persona_mme_files/cases: {reason}"] == len(bad)
    assert [r.item for r in release.rejections if r.stage.endswith("/cases")] == [
        f"case {n}" for n in range(2, len(bad) + 2)
    ]
    assert all(rejection.detail for rejection in release.rejections)
    assert release.listed == len(bad) + 2


def session(*turns):
    return [[{"time": time, "user": user, "assistant": assistant} for time, user, assistant in turns]]


BAD_USERS = {
    "missing_key": [
        told_user(sessions=...),
        told_user(sessions=[[{"time": "2026-01-05 09:00", "user": "a"}]], imgs=[]),
    ],
    "wrong_shape": [
        told_user(sessions={}),
        told_user(imgs="0000.png"),
        told_user(imgs=[1]),
        [],
        told_user(profile=float("inf")),
    ],
    "times_not_ordered": [
        told_user(sessions=session(("2026-01-05 09:05", "a", "b"), ("2026-01-05 09:04", "c", "d")), imgs=[])
    ],
    "bad_time": [told_user(sessions=session(("9 o'clock", "a", "b")), imgs=[])],
    "empty_text": [told_user(sessions=session(("2026-01-05 09:05", "", "b")), imgs=[])],
    "picture_marks": [
        told_user(imgs=[]),
        told_user(imgs=...),
        told_user(imgs=["0000.png", "0000.png"]),
        told_user(sessions=session(("2026-01-05 09:05", "<img> <img>", "b"))),
        told_user(sessions=session(("2026-01-05 09:05", "look", "<img>"))),
    ],
    "picture_missing": [told_user(imgs=["1111.png"])],
    "picture_outside_folder": [told_user(imgs=["../../../0000.png"]), told_user(imgs=["..\\0000.png"])],
    "picture_bad_name": [
        told_user(imgs=[name]) for name in ("0000.png\0", "NUL.png", "", "a/" * 2500 + "0000.png", "a" * 300 + ".png")
    ],
    "picture_unknown_format": [told_user(imgs=["user_data.json"]), told_user(imgs=["/etc/passwd"])],
}


@pytest.mark.parametrize("reason", BAD_USERS)
def test_bad_users_are_left_out_whole_with_a_reason_and_the_rest_is_read(tmp_path, reason):
    bad = BAD_USERS[reason]
    users = {"50/0": told_user(), **{f"50/{n}": user for n, user in enumerate(bad, start=1)}}
    cases = [told_case(data_path=f"samples/{place}/user_data.json") for place in users for _ in range(2)]
    files = {f"{place}/0000.png": picture_file(1) for place in users}

    release = read_release(lay_out(tmp_path, cases, users, files))

    assert set(release.turns) == set(release.profiles) == {"sample-50-0"}
    assert [case.persona_id for case in release.cases] == ["sample-50-0"] * 2
    assert release.left_out() == {
        f"persona_mme_files/samples: {reason}": len(bad),
        "persona_mme_files/cases: sample_rejected": 2 * len(bad),
    }
    whole = [rejection for rejection in release.rejections if rejection.reason == "sample_rejected"]
    assert all(rejection.detail.startswith(f"{reason}: ") for rejection in whole)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (picture_file(1)[:50], "picture_truncated"),
        (picture_file(1, "JPEG"), "picture_wrong_extension"),
        (b"<!doctype html>", "picture_wrong_extension"),
    ],
)
def test_a_user_with_a_picture_that_cannot_be_read_is_left_out(tmp_path, data, reason):
    release = read(tmp_path, files={"50/0/0000.png": data})

    assert reasons(release) == [("samples", reason), ("cases", "sample_rejected")]


def test_bombs_and_links_among_the_pictures_are_refused(tmp_path):
    from tests.lifeloom.store.pictures_made import bombs

    bomb, _ = bombs()["png of 60000 x 60000"]
    assert reasons(read(tmp_path / "1", files={"50/0/0000.png": bomb}))[0] == ("samples", "picture_too_many_pixels")
    place = lay_out(tmp_path / "2", [told_case()], {"50/0": told_user()}, {"elsewhere.png": picture_file(1)})
    (place / "samples" / "50" / "0" / "0000.png").symlink_to(place / "samples" / "elsewhere.png")
    assert reasons(read_release(place))[0] == ("samples", "picture_symbolic_link")


@pytest.mark.parametrize(
    "text", ["", "{", "[1,", '{"sessions": NaN', "[" * 100_000, "\ufeff\ufeff[]", '{"a": ' * 100_000]
)
def test_users_files_that_are_no_json_are_left_out(tmp_path, text):
    place = lay_out(tmp_path, [told_case()], {"50/0": told_user()})
    (place / "samples" / "50" / "0" / "user_data.json").write_text(text)

    assert reasons(read_release(place)) == [("samples", "bad_json"), ("cases", "sample_rejected")]


@pytest.mark.parametrize("depth", [100, 400, 700, 1_000, 5_000])
def test_depths_are_read_or_left_out_never_raised(tmp_path, depth):
    place = lay_out(tmp_path, [told_case()], {"50/0": told_user()})
    deep = "[" * depth + "]" * depth
    told = json.dumps(told_user(profile="here")).replace('"here"', deep)
    (place / "samples" / "50" / "0" / "user_data.json").write_text(told)

    release = read_release(place)

    assert len(release.cases) == 1 or reasons(release)[0] in [("samples", "wrong_shape"), ("samples", "bad_json")]


def test_users_files_of_other_encodings_and_beyond_links_are_left_out(tmp_path):
    place = lay_out(tmp_path / "release", [told_case()], {"50/0": told_user()})
    file = place / "samples" / "50" / "0" / "user_data.json"
    file.write_bytes(json.dumps(told_user()).encode("utf-16"))
    assert reasons(read_release(place))[0] == ("samples", "bad_json")
    file.unlink()
    (tmp_path / "secret.json").write_text(json.dumps(told_user()))
    file.symlink_to(tmp_path / "secret.json")
    assert reasons(read_release(place))[0] == ("samples", "outside_folder")
    file.unlink()
    assert reasons(read_release(place))[0] == ("samples", "missing")


@pytest.mark.parametrize("target", ["user_data.json", "other.json"])
def test_users_files_that_are_links_in_a_circle_are_left_out_and_the_rest_is_read(tmp_path, target):
    cases = [told_case(), told_case(data_path="samples/50/1/user_data.json")]
    files = {f"50/{n}/0000.png": picture_file(1) for n in range(2)}
    place = lay_out(tmp_path, cases, {"50/0": told_user(), "50/1": told_user()}, files)
    file = place / "samples" / "50" / "0" / "user_data.json"
    file.unlink()
    file.symlink_to(target)
    (file.parent / "other.json").symlink_to("user_data.json")

    release = read_release(place)

    assert [case.persona_id for case in release.cases] == ["sample-50-1"]
    assert reasons(release) == [("samples", "symbolic_link"), ("cases", "sample_rejected")]


def test_users_folders_and_pictures_that_are_links_in_a_circle_are_left_out(tmp_path):
    place = lay_out(tmp_path / "1", [told_case()], {"50/1": told_user()}, {})
    (place / "samples" / "50" / "0").symlink_to("0")
    assert reasons(read_release(place)) == [("samples", "symbolic_link"), ("cases", "sample_rejected")]
    place = lay_out(tmp_path / "2", [told_case()], {"50/0": told_user()}, {})
    (place / "samples" / "50" / "0" / "0000.png").symlink_to("0000.png")
    assert reasons(read_release(place)) == [("samples", "picture_symbolic_link"), ("cases", "sample_rejected")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_users_files_that_may_not_be_read_are_left_out(tmp_path):
    place = lay_out(tmp_path, [told_case()], {"50/0": told_user()})
    (place / "samples" / "50" / "0" / "user_data.json").chmod(0)

    assert reasons(read_release(place)) == [("samples", "unreadable"), ("cases", "sample_rejected")]


def test_halves_of_characters_are_refused(tmp_path):
    place = lay_out(tmp_path, [], {"50/0": told_user(profile="\ud800")})
    (place / "Persona-MME.json").write_text(json.dumps([told_case(query="\ud83d"), told_case()]))

    assert [reason for _, reason in reasons(read_release(place))] == ["wrong_shape"] * 2 + ["sample_rejected"]


def test_what_is_no_release_is_told(tmp_path):
    with pytest.raises(ReleaseUnreadable, match="is not there"):
        read_release(tmp_path / "nothing")
    with pytest.raises(ReleaseUnreadable, match="no JSON file"):
        read_release(tmp_path)
    with pytest.raises(ReleaseUnreadable, match="cannot be looked at"):
        read_release(tmp_path / ("a" * 300))
    (tmp_path / "Persona-MME.json").symlink_to("Persona-MME.json")
    with pytest.raises(ReleaseUnreadable, match="leads back to itself"):
        read_release(tmp_path)
    (tmp_path / "Persona-MME.json").unlink()
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(ReleaseUnreadable, match="no list"):
        read_release(tmp_path)
    (tmp_path / "b.json").write_text("[")
    with pytest.raises(ReleaseUnreadable, match="name one"):
        read_release(tmp_path)
    with pytest.raises(ReleaseUnreadable, match="not readable JSON"):
        read_release(tmp_path / "b.json")


# Pictures after reading.


def test_pictures_that_go_or_change_after_reading_are_told_by_type(tmp_path):
    release = read(tmp_path)
    (picture,) = release.turns["sample-50-0"][0].pictures
    file = tmp_path / "release" / "samples" / "50" / "0" / "0000.png"

    file.write_bytes(picture_file(2))
    with pytest.raises(MediaCorrupt, match=r"0000\.png was changed"):
        release.pictures(picture)
    file.write_bytes(b"<html>")
    with pytest.raises(MediaCorrupt, match=r"0000\.png"):
        release.pictures(picture)
    file.unlink()
    with pytest.raises(MediaMissing, match=r"0000\.png"):
        release.pictures(picture)
    with pytest.raises(MediaMissing, match="no picture"):
        release.pictures(PictureReference(content_hash="0" * 64, width=1, height=1))
