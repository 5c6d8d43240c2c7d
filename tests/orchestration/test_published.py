"""Releases as published files, from the command line's side."""

from __future__ import annotations

import base64
import datetime as dt
import json
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.persona_mme_files import ReleaseUnreadable, export_release, read_release
from lifeloom.records import BenchmarkCase, BigFiveProfile, CoreMemory, Persona, Provenance, Score, Turn
from lifeloom.store import DatasetMissing, DatasetWriter, MediaMissing, Recipe
from orchestration.profiles import load_profile
from orchestration.published import export_release_command, score_folder
from orchestration.show import NothingFound
from resources.policies import policies_of
from resources.workbench import Workbench
from tests.evaluation.examples import case
from tests.evaluation.persona_mme_files.published import (
    START,
    content_of,
    lay_out,
    picture_file,
    reference,
    told_case,
    told_user,
    turn,
)
from tests.servers import ChatServer, Received, Reply, answer
from tests.tiny import TINY, Made

DATE = "2026-01-05"
CODE = Provenance(backend="code", model="", prompt_version="")


def served(server: ChatServer) -> dict[str, str]:
    """Settings under which ``server`` reads."""
    return {
        **TINY,
        "LIFELOOM_MODELS__READER__BACKEND": "openai",
        "LIFELOOM_MODELS__READER__MODEL": "test-reader",
        "LIFELOOM_MODELS__READER__BASE_URL": server.base_url,
    }


def reply(received: Received) -> Reply:
    """Answer a choice with (d), a judgement with yes."""
    asked = json.dumps(received.json["messages"])
    return answer(json.dumps({"letter": "d"} if "hot cocoa" in asked.rpartition("Options")[2] else {"verdict": "yes"}))


@pytest.fixture
def workbench(tmp_path: Path) -> Workbench:
    return Workbench(load_profile("demo", TINY), tmp_path / "home")


def a_persona(persona_id: str) -> Persona:
    return Persona(
        persona_id=persona_id,
        seed_id="s-1",
        cluster_id="c-1",
        split="benchmark",
        edition="release",
        seed_text="A baker",
        name="Ada",
        offset_minutes=0,
        big_five=BigFiveProfile(openness=3, conscientiousness=3, extraversion=3, agreeableness=3, neuroticism=3),
        circle=(),
        role_description="Bakes.",
        core_memory=CoreMemory(name="Ada"),
        made_by=CODE,
    )


def stock(workbench: Workbench) -> None:
    """Put a release of two users, of which one is asked about, into the home."""
    shown = reference(picture_file(1))
    turns = [
        turn(0, START, user="Look <img>", pictures=[shown]),
        turn(1, START + dt.timedelta(hours=3), session="s-2", user="I drink hot cocoa now"),
        turn(0, START, persona="p-2"),
    ]

    def dialogues(writer: DatasetWriter) -> None:
        writer.put_media(picture_file(1))
        writer.write("turns", Turn, turns)

    store, recipe = workbench.store, Recipe(stage="test", seed=1)
    store.produce(f"release/dialogues/{DATE}", recipe, dialogues)
    store.produce(
        f"release/personas/{DATE}",
        recipe,
        lambda writer: writer.write("personas", Persona, [a_persona("p-1"), a_persona("p-2")]) and None,
    )
    store.produce(
        f"release/persona_mme/{DATE}",
        recipe,
        lambda writer: writer.write("cases", BenchmarkCase, [case("c-1", turns=2, pair=("Sure!", "No."))]) and None,
    )


def test_a_release_of_the_home_is_exported_and_reads_back_the_same(workbench: Workbench, tmp_path: Path) -> None:
    stock(workbench)

    report = export_release_command(workbench, DATE, tmp_path / "out")

    assert (report.cases, report.samples, report.turns, report.pictures) == (1, 1, 2, 1)
    read = read_release(tmp_path / "out")
    assert [(c.query, c.history_turns) for c in read.cases] == [("What do I drink?", 2)]
    (shown,) = read.turns[read.cases[0].persona_id][0].pictures
    assert read.pictures(shown) == picture_file(1)


def test_a_release_that_was_never_made_is_not_exported(workbench: Workbench, tmp_path: Path) -> None:
    with pytest.raises(DatasetMissing, match="has not been made"):
        export_release_command(workbench, "2027-01-01", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_picture_deleted_from_the_home_stops_the_export(workbench: Workbench, tmp_path: Path) -> None:
    stock(workbench)
    next(workbench.home_path.rglob(reference(picture_file(1)).content_hash)).unlink()

    with pytest.raises(MediaMissing, match="make its data set again"):
        export_release_command(workbench, DATE, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_policies_are_scored_on_published_files_and_the_home_stores_no_data(tmp_path: Path) -> None:
    cases = [told_case(), told_case(alignment={"chosen": "Sure!", "rejected": "No."}), told_case(answer="(x)")]
    place = lay_out(tmp_path / "release", cases, {"50/0": told_user()})

    with ChatServer(decide=reply) as server:
        workbench = Workbench(load_profile("demo", served(server)), tmp_path / "home")
        scored = score_folder(workbench, place)

    whole = {score.policy: score for score in scored.scores if score.setting == score.aspect == score.task == "all"}
    assert set(whole) == set(scored.seconds) == {"full_context", "rag"}
    # Two choices and a pair; the one that takes every response to suit misses the rejected one.
    assert {(score.questions, score.correct, score.missing) for score in whole.values()} == {(4, 3, 0)}
    assert scored.release.left_out() == {"persona_mme_files/cases: bad_answer": 1}
    sent = base64.b64encode(picture_file(1)).decode()
    assert all(sent in json.dumps(received.json) for received in server.requests)  # five messages: RAG shows all
    assert not (workbench.home_path / "data" / "datasets").exists()
    assert not (workbench.home_path / "data" / "media").exists()


def test_policies_are_asked_by_name_or_as_the_profile_says(workbench: Workbench, tmp_path: Path) -> None:
    place = lay_out(tmp_path / "release", [told_case()], {"50/0": told_user()})

    assert [policy.name for policy in policies_of(workbench)] == ["full_context", "rag"]
    assert [policy.name for policy in policies_of(workbench, ["rag"])] == ["rag"]
    with pytest.raises(ValueError, match="blind"):
        score_folder(workbench, place, ["blind"])


def test_bad_users_are_counted_and_the_others_are_scored(tmp_path: Path) -> None:
    cases = [told_case(data_path=f"samples/50/{number}/user_data.json") for number in range(3)]
    users = {"50/0": told_user(), "50/1": told_user(), "50/2": told_user(imgs=["a/" * 2500 + "0000.png"])}
    place = lay_out(tmp_path / "release", cases, users)
    circle = place / "samples" / "50" / "1" / "user_data.json"
    circle.unlink()
    circle.symlink_to(circle.name)

    with ChatServer(decide=reply) as server:
        workbench = Workbench(load_profile("demo", served(server)), tmp_path / "home")
        scored = score_folder(workbench, place, ["full_context"])

    assert len(scored.release.cases) == 1
    assert scored.release.left_out() == {
        "persona_mme_files/samples: symbolic_link": 1,
        "persona_mme_files/samples: picture_bad_name": 1,
        "persona_mme_files/cases: sample_rejected": 2,
    }


def test_folders_without_a_readable_case_are_told(workbench: Workbench, tmp_path: Path) -> None:
    with pytest.raises(ReleaseUnreadable):
        score_folder(workbench, tmp_path / "nothing")
    place = lay_out(tmp_path / "release", [told_case(answer="(x)")], {"50/0": told_user()})
    with pytest.raises(NothingFound, match="bad_answer"):
        score_folder(workbench, place)
    profile = load_profile("demo", {**TINY, "LIFELOOM_SCORING__POLICIES": "blind"})
    good = lay_out(tmp_path / "good", [told_case()], {"50/0": told_user()})
    with pytest.raises(NothingFound, match="names no policy"):
        score_folder(Workbench(profile, tmp_path / "home"), good)


def run(arguments: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "orchestration", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=300)


@pytest.mark.slow
def test_the_command_line_exports_scores_and_tells_what_cannot_be(
    workbench: Workbench, tmp_path: Path, tiny_environment: dict[str, str]
) -> None:
    stock(workbench)

    done = run(["export", DATE, str(tmp_path / "out")], tiny_environment)
    assert done.returncode == 0, done.stderr
    assert "1 cases about 1 users (2 turns, 1 pictures)" in done.stdout
    again = run(["export", DATE, str(tmp_path / "out")], tiny_environment)
    assert again.returncode == 1
    assert "not an empty folder" in again.stderr
    assert "Traceback" not in again.stderr
    under = run(["export", DATE, str(tmp_path / "out" / "Persona-MME.json" / "x")], tiny_environment)
    assert under.returncode == 1
    assert "Persona-MME.json is not a folder" in under.stderr
    assert "the home" not in under.stderr
    nothing = run(["score-files", str(tmp_path / "home")], tiny_environment)
    assert nothing.returncode == 1
    assert "Traceback" not in nothing.stderr

    with ChatServer(decide=reply) as server:
        environment = {**tiny_environment, **served(server), "OPENAI_API_KEY": "none"}
        scored = run(["score-files", str(tmp_path / "out"), "--policy", "full_context"], environment)
    assert scored.returncode == 0, scored.stderr
    assert "1 of 1 cases could be read" in scored.stdout
    assert "SIR" in scored.stdout


@pytest.mark.slow
def test_the_whole_release_is_asked_the_same_from_files_and_exports_to_the_same_bytes(
    made: Made, tmp_path: Path
) -> None:
    workbench = made.workbench
    export_release_command(workbench, DATE, tmp_path / "1")
    scored = score_folder(workbench, tmp_path / "1")
    read = scored.release

    assert read.rejections == []
    export_release(tmp_path / "2", read.cases, read.turns.__getitem__, read.profiles, read.pictures)
    assert content_of(tmp_path / "1") == content_of(tmp_path / "2")
    stored = {
        (score.policy, score.setting, score.aspect, score.task): (score.correct, score.questions)
        for score in workbench.store.read(f"scores/persona_mme/{DATE}", "scores", Score)
    }
    for score in scored.scores:
        assert stored[score.policy, score.setting, score.aspect, score.task] == (score.correct, score.questions)
