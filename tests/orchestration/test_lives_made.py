"""Lives in a made graph: commands, the way from a score to its seed, files in and out, pictures that are lost."""

from __future__ import annotations

import html
import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from assets.life_keys import HISTORY_IMAGES, LIFE_BENCH, LIFE_GRAPHS, LIFE_SCORES, VACCOUNTS
from assets.life_records import lives_of
from evaluation.life_bench.running import BENCHMARK
from evaluation.life_bench_files import write_answers
from lifeloom.models.protocol import PictureSource
from lifeloom.records import Life, LifePrediction, LifeQuestion, LifeScore, PlannedEvent, VaccountPlan, VaccountSeed
from orchestration.instance import open_instance
from orchestration.life_commands import life_app
from orchestration.life_views import life_view
from orchestration.lineage import StageFailed, run_steps, steps_for
from orchestration.profiles import load_profile
from orchestration.show import NothingFound, render
from resources.workbench import Workbench
from tests.servers import ChatServer, error
from tests.tiny import TINY, Made

DATE = "2026-01-05"
pytestmark = pytest.mark.slow
Command = Callable[..., str]


@pytest.fixture
def life(made: Made, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `lifeloom life ...` in the made home and gives what it prints."""
    for name, value in {**TINY, "LIFELOOM_HOME": str(made.workbench.home.path), "COLUMNS": "500"}.items():
        monkeypatch.setenv(name, value)

    def run(*words: str) -> str:
        done = CliRunner().invoke(life_app, list(words), catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return " ".join(done.output.split())

    return run


def _plans(made: Made) -> list[VaccountPlan]:
    return list(made.workbench.store.read(f"{VACCOUNTS}/{DATE}", "plans", VaccountPlan))


def _seeds(made: Made) -> list[VaccountSeed]:
    return list(made.workbench.store.read(f"{VACCOUNTS}/{DATE}", "seeds", VaccountSeed))


def _questions(made: Made) -> list[LifeQuestion]:
    return list(made.workbench.store.read(f"{LIFE_BENCH}/{DATE}", "questions", LifeQuestion))


def _scores(made: Made) -> list[LifeScore]:
    return list(made.workbench.store.read(f"{LIFE_SCORES}/{DATE}", "scores", LifeScore))


def _told(made: Made, kind: str, item: str, width: int = 400) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(render(made.workbench.store, kind, item, most=20))
    return " ".join(console.export_text().split())


def _seeded(made: Made) -> tuple[LifeQuestion, PlannedEvent]:
    """A question about one event that began from captions, and that event."""
    events = {event.event_id: event for plan in _plans(made) for event in plan.events if event.seed}
    return next(
        (one, events[one.event_ids[0]]) for one in _questions(made) if one.event_ids and one.event_ids[0] in events
    )


def test_a_score_leads_to_question_answer_paths_pictures_event_and_seed(made: Made) -> None:
    client = made.workbench.tracker.client()
    experiment = client.get_experiment_by_name(BENCHMARK)
    assert experiment is not None
    runs = client.search_runs([experiment.experiment_id])
    scored = [run for run in runs if "lifeloom.policy" in run.data.tags]
    assert {run.data.tags["lifeloom.policy"] for run in scored} == set(made.workbench.profile.life.policies)
    (cases,) = [run for run in runs if run.data.tags.get("lifeloom.pages") == "life cases"]
    for run in scored:  # first step: the score's run names the run with the pages
        assert f"/runs/{cases.info.run_id}/artifacts" in run.data.tags["mlflow.note.content"]
    folder = Path(client.download_artifacts(cases.info.run_id, "cases"))
    pages = {path.stem: path.read_text() for path in folder.iterdir()}
    question, event = _seeded(made)
    page = pages[question.task]  # second step: the page of the question
    assert question.question_id in page
    assert event.event_id in page
    assert event.seed.split()[0] in page
    assert f"{LIFE_BENCH}/{DATE}" in page
    told = _told(made, "question", question.question_id)  # third step: the assets' rows
    assert question.question[:40] in told
    assert event.seed.split()[0] in told
    assert "lifegraph-d2-k3" in told
    assert "how lifegraph-d2-k3" in told
    narrow = _told(made, "question", question.question_id, width=80)
    assert all(f"{name}: " in narrow for name in made.workbench.profile.life.policies)
    assert "life_answer" in told  # model and version of the prompt that answered


def test_the_lives_are_listed_shown_and_have_pages(made: Made, life: Command, tmp_path: Path) -> None:
    plan = _plans(made)[0]
    listed = life("list")
    table = tmp_path / "scores.csv"
    assert "lifegraph-d2-k3-tools" in life("scores", "--csv", str(table))
    assert table.read_text().count("\nrap-k3,") == sum(row.policy == "rap-k3" for row in _scores(made))
    assert all(one.vaccount_id in listed for one in _plans(made))
    shown = _told(made, "life", plan.vaccount_id)
    assert all(one.name in shown for one in plan.concepts)
    page = tmp_path / "page.html"
    life("page", plan.vaccount_id, str(page))
    assert all(event.event_id in page.read_text() for event in plan.events)
    (seed,) = [one for one in _seeds(made) if one.seed_id == plan.seed_id]
    assert seed.life_story[:40] in html.unescape(page.read_text())
    png, graphml = tmp_path / "g.png", tmp_path / "g.graphml"
    life("graph", plan.vaccount_id, "--png", str(png), "--graphml", str(graphml))
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "graphml" in graphml.read_text()[:500]


def test_pictures_of_lives_are_shown_by_id_and_by_content(made: Made) -> None:
    plan = _plans(made)[0]
    question = next(one for one in _questions(made) if one.picture is not None)
    assert question.picture is not None
    for item in (question.picture_id, question.picture.content_hash[:16]):
        told = _told(made, "picture", item)
        assert made.workbench.store.media.path(question.picture.content_hash) in told
        assert question.picture_id in told
        assert "question of" in told
    assert f"portrait of {plan.vaccount_id}" in _told(made, "picture", plan.concepts[0].concept_id)


def test_a_view_names_what_was_left_out_and_why(made: Made) -> None:
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(life_view(Life("ana", (), ()), {"ana-e-3-0": "no candidate good enough"}))
    assert "no candidate good enough" in console.export_text()


def test_a_life_answers_who_was_there_and_whether_somebody_is_in_a_picture(
    made: Made, life: Command, tmp_path: Path
) -> None:
    plan = _plans(made)[0]
    names = {one.concept_id: one.name for one in plan.concepts}
    event = max(plan.events, key=lambda one: len(one.attendees))
    said = life("ask", plan.vaccount_id, f"Who was there on {event.date.isoformat()}?")
    assert set(event.attendees) <= {who for who, name in names.items() if name in said}
    lives = lives_of(made.workbench.store, DATE)
    concept = next(one for one in lives[plan.vaccount_id].concepts if one.kind == "person" and one.portrait)
    assert concept.portrait is not None
    source: PictureSource = made.workbench.picture
    picture = tmp_path / "new.png"
    picture.write_bytes(source(concept.portrait))
    for other in (one for one in plan.concepts if one.kind == "person"):
        asked = ("ask", plan.vaccount_id, f"Is {other.name} in this picture?", "--picture", str(picture), "--yes-no")
        assert life(*asked).startswith("yes" if other.concept_id == concept.concept_id else "no")
    chosen = life(
        "ask", plan.vaccount_id, f"Who is {concept.name} in this picture?", "--picture", str(picture),
        "--option", "Not in image.", "--option", concept.name,
    )  # fmt: skip
    assert chosen.startswith(("(a) Not in image.", f"(b) {concept.name}"))


def test_one_vaccount_is_made_again_byte_for_byte(made: Made, life: Command) -> None:
    assert "same" in life("remake", _plans(made)[-1].vaccount_id)


def test_remaking_with_other_settings_says_which(made: Made, life: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIFELOOM_LIFE__PICTURES", "13")
    with pytest.raises(NothingFound, match=r"pictures=12.*pictures=13"):
        life("remake", _plans(made)[-1].vaccount_id)


def test_a_release_written_and_read_again_has_the_scores_that_it_has_here(
    made: Made, life: Command, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    life("export", str(out))
    store = made.workbench.store
    (key,) = [
        one for one in store.keys(f"life_predictions/{DATE}") if "/lifegraph-d2-k3-" in one and "tools" not in one
    ]
    given = list(store.read(key, "predictions", LifePrediction))
    answers = tmp_path / "answers.jsonl"
    write_answers(answers, given)
    told = life("score-files", str(out), str(answers), "--name", "again")
    (whole,) = [one for one in _scores(made) if (one.policy, one.task) == ("lifegraph-d2-k3", "all")]
    assert f"{100 * whole.value:.1f} [" in told.split("overall")[1]


def test_no_answer_is_kept_that_was_given_while_stored_pictures_were_gone(made: Made, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(made.workbench.home.path, home)
    bench = Workbench(load_profile("demo", {**TINY, "LIFELOOM_LIFE__POLICIES": "rap-k4"}), home)
    lost = lives_of(bench.store, DATE)[_plans(made)[0].vaccount_id].images[0].picture
    assert lost is not None
    file = Path(bench.store.media.path(lost.content_hash).removeprefix("file://"))
    data = file.read_bytes()
    file.unlink()
    steps = steps_for([LIFE_SCORES], bench.profile)
    with open_instance(bench.home) as instance:
        with pytest.raises(StageFailed, match=f"1 of .* pictures .* are gone.*{HISTORY_IMAGES}"):
            list(run_steps(steps, bench, instance))
        assert not [key for key in bench.store.keys(f"life_predictions/{DATE}") if "rap-k4" in key]
        file.write_bytes(data)
        assert [outcome.asset for outcome in run_steps(steps, bench, instance)] == [LIFE_SCORES]


@pytest.mark.parametrize("stage", [LIFE_GRAPHS, LIFE_SCORES])
def test_a_server_that_objects_to_everything_leaves_no_result(made: Made, tmp_path: Path, stage: str) -> None:
    home = tmp_path / "home"
    shutil.copytree(made.workbench.home.path, home)
    with ChatServer(decide=lambda received: error(400, "no chat template")) as server:
        settings = {
            **TINY,
            "LIFELOOM_LIFE__POLICIES": "rap-k3",
            "LIFELOOM_MODELS__READER__BACKEND": "openai",
            "LIFELOOM_MODELS__READER__MODEL": "test-reader",
            "LIFELOOM_MODELS__READER__BASE_URL": server.base_url,
        }
        bench = Workbench(load_profile("demo", settings), home)
        before = bench.store.manifest(f"{stage}/{DATE}").content_hash
        with open_instance(bench.home) as instance, pytest.raises(StageFailed, match=r"no answer to .*bad_request"):
            list(run_steps(steps_for([stage], bench.profile), bench, instance))
    assert bench.store.manifest(f"{stage}/{DATE}").content_hash == before
    assert not list((home / "cache" / "life_graphs").glob("*.building"))
