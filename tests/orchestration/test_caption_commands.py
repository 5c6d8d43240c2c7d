"""`lifeloom captions` and `show sample` on a made home, and what they say of what is not there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assets.caption_keys import CAPTION_SCORES
from assets.caption_predictions import shown_captions
from evaluation.capeval_files import read_contexts
from lifeloom.records import Caption, CaptionSample, CaptionScore, ProbeQuestion, ScenePlan
from lifeloom.store import DatasetStore, Home
from orchestration.caption_commands import caption_app
from orchestration.cli import app
from orchestration.lineage import Outcome
from orchestration.show import NothingFound
from orchestration.tables import kept_nothing_text
from tests.tiny import TINY, Made

DATE = "2026-01-05"


@pytest.fixture
def home(made: Made, monkeypatch: pytest.MonkeyPatch) -> Made:
    for name, value in {**TINY, "LIFELOOM_HOME": str(made.workbench.home_path), "COLUMNS": "200"}.items():
        monkeypatch.setenv(name, value)
    return made


def samples_of(made: Made) -> list[CaptionSample]:
    return list(made.workbench.store.read(f"release/contexts/{DATE}", "samples", CaptionSample))


def run(*command: str) -> str:
    done = CliRunner().invoke(caption_app, list(command), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_list_counts_query_pictures_by_number_of_concepts(home: Made) -> None:
    samples = samples_of(home)
    output = run("list")
    assert f"{len(samples)} query pictures" in output
    assert next(one.sample_id for one in samples if one.concepts == 2) in output


def test_the_library_is_told_by_category_use_and_split(home: Made) -> None:
    output = run("library")
    assert "human" in output
    assert "diagnostic" in output
    assert "benchmark" in output


def test_a_caption_is_judged_as_in_the_scores(home: Made) -> None:
    sample = samples_of(home)[0]
    key = next(key for key in home.workbench.store.keys(f"captions/{DATE}") if "grounded" in key)
    kept = {one.sample_id: one for one in home.workbench.store.read(key, "captions", Caption)}
    output = " ".join(run("caption", sample.sample_id).replace("│", " ").split())
    assert " ".join(kept[sample.sample_id].text.split())[:60] in output


def test_the_short_end_of_an_id_is_enough(home: Made) -> None:
    sample = samples_of(home)[0]
    assert run("caption", sample.sample_id.removeprefix(f"{DATE}-")) == run("caption", sample.sample_id)


def test_a_question_about_a_query_picture_is_answered(home: Made) -> None:
    sample = samples_of(home)[0]
    assert run("ask", sample.sample_id, "Where did I last see them?", "--cag").strip()


def test_a_page_holds_captions_questions_and_pictures(home: Made, tmp_path: Path) -> None:
    sample = samples_of(home)[0]
    run("page", sample.sample_id, str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text()
    assert page.count("data:image/jpeg;base64,") == 1 + len(sample.entries)
    questions = home.workbench.store.read(f"release/mcqa_probes/{DATE}", "questions", ProbeQuestion)
    first = next(one for one in questions if one.sample_id == sample.sample_id)
    assert first.question.replace("'", "&#39;") in page


def test_scores_are_those_of_the_asset(home: Made) -> None:
    rows = home.workbench.store.read(f"scores/mcqa_probes/{DATE}", "scores", CaptionScore)
    whole = next(one for one in rows if one.policy == "grounded" and one.concepts == 0)
    assert f"{100 * whole.positive:.1f} (" in run("scores")


def test_what_is_exported_is_read_back_and_scored(home: Made, tmp_path: Path) -> None:
    samples = samples_of(home)
    run("export", str(tmp_path / "out"))
    published = read_contexts(tmp_path / "out")
    assert [one.query for one in published.samples] == [one.query for one in samples]
    told = [
        {
            "sample": f"sample_{number}",
            "caption": " ".join(turn.user for one in sample.entries if one.positive for turn in one.turns),
        }
        for number, sample in enumerate(samples)
    ]
    captions = tmp_path / "captions.jsonl"
    captions.write_text("".join(json.dumps(one) + "\n" for one in told))
    output = run("score-files", str(tmp_path / "out"), str(captions), "--name", "told")
    whole = next(line for line in output.splitlines() if line.strip().startswith("told") and " all " in line)
    positive, negative = (float(cell.split(" ")[0]) for cell in (whole.split()[3], whole.split()[5]))
    assert positive > 90  # all that was said of those in the picture, word for word
    assert negative > 90


def test_captions_of_an_earlier_reader_are_not_shown_beside_the_verdicts_on_others(home: Made, tmp_path: Path) -> None:
    """Another reader's captions, later by name than those that were scored, in a copy of the home."""
    place = tmp_path / "home"
    shutil.copytree(home.workbench.home_path, place)
    store = DatasetStore(Home(place).data_url)
    scored = next(key for key in store.keys(f"captions/{DATE}") if "grounded" in key)
    rows = [one.model_copy(update={"text": "An elephant."}) for one in store.read(scored, "captions", Caption)]
    recipe = store.manifest(scored).recipe.model_copy(update={"models": ("openai/other",)})
    other = f"captions/{DATE}/grounded-zzzz"
    store.produce(other, recipe, lambda writer: writer.write("captions", Caption, rows))
    shown = {one.text for one in shown_captions(store, DATE)}
    assert "An elephant." not in shown
    assert {one.text for one in store.read(scored, "captions", Caption)} <= shown


def test_files_scored_by_a_judge_that_was_not_measured_come_with_a_warning(
    home: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("export", str(tmp_path / "out"))
    captions = tmp_path / "captions.jsonl"
    captions.write_text(json.dumps({"sample": "sample_0", "caption": "A picture."}) + "\n")
    command = ("score-files", str(tmp_path / "out"), str(captions))
    assert "Warning" not in run(*command)
    monkeypatch.setenv("LIFELOOM_HOME", str(tmp_path / "elsewhere"))
    assert "has not been measured on labelled captions" in " ".join(run(*command).split())


def test_a_sample_is_shown_with_its_truth_and_captions(home: Made) -> None:
    sample = samples_of(home)[0]
    done = CliRunner().invoke(app, ["show", "sample", sample.sample_id], catch_exceptions=False)
    assert sample.entries[0].turns[0].user.split(".")[0] in " ".join(done.output.split())
    plans = home.workbench.store.read(f"release/filtered_scenes/{DATE}", "plans", ScenePlan)
    plan = next(one for one in plans if one.scene_id == sample.sample_id)
    first = [one.image_id for one in sample.entries].index(plan.image_ids[0])
    assert sample.entries[first].positive
    assert f"picture 1 is entry {first}" in " ".join(done.output.replace("│", " ").split())
    assert "grounded" in done.output


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["caption", "s0000", "--policy", "gpt"], "there is no captioner called 'gpt'"),
        (["ask", "s0000", "  "], "it is empty"),
        (["page", "s0000", "{}"], "is a folder"),
        (["score-files", "{}", "{}/c.jsonl", "--name", "GPT-4o"], "a name has 1 to 64 of a-z"),
        (["score-files", "{}", "{}/c.jsonl", "--unreadable", "right"], "wrong or release"),
    ],
)
def test_a_wrong_option_is_named(home: Made, tmp_path: Path, command: list[str], said: str) -> None:
    done = CliRunner().invoke(caption_app, [one.format(tmp_path) for one in command])
    assert done.exit_code == 2
    assert said in " ".join(done.output.replace("│", " ").split())


@pytest.mark.parametrize("command", [["list"], ["library"], ["scores"], ["caption", "s0000"]])
def test_an_empty_home_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.setenv("LIFELOOM_HOME", str(tmp_path / "home"))
    done = CliRunner().invoke(caption_app, command)
    assert isinstance(done.exception, NothingFound)
    assert "run `lifeloom materialize" in str(done.exception)


def test_a_sample_that_is_not_there_is_said_with_some_that_are(home: Made) -> None:
    done = CliRunner().invoke(caption_app, ["caption", "nobody"])
    assert isinstance(done.exception, NothingFound)
    assert samples_of(home)[0].sample_id in str(done.exception)


def test_scores_that_a_judge_lost_are_said_where_they_are_made() -> None:
    lost = Outcome(CAPTION_SCORES, DATE, reused=False, seconds=1.0, rows=0, left_out="all scores: the judge guesses")
    assert lost.kept_nothing
    assert kept_nothing_text(lost).startswith("nothing was kept: all scores: the judge guesses.")
    assert "rejections" not in kept_nothing_text(lost)
