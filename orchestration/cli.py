"""The command line: `lifeloom demo`, `show`, `ui`, `materialize`, `scores`, `export`, `score-files`, `doctor`.

`ask` and `models` are in ``orchestration.cli_models``, `cost` in ``orchestration.cost_commands``, `cache` in
``orchestration.cache_commands``, `chat` in ``orchestration.chat_commands``, `memory` in
``orchestration.memory_commands``, `life` in ``orchestration.life_commands``, `captions` in
``orchestration.caption_commands``.
"""

from __future__ import annotations

import enum
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lifeloom.child_environment import secrets_hidden
from orchestration.cache_commands import cache_app
from orchestration.caption_commands import caption_app
from orchestration.caption_commands import scores as caption_scores
from orchestration.chat_commands import chat_app
from orchestration.cli_models import model_app
from orchestration.cli_options import PersonahubOption, ProfileOption, YfccOption, choose_profile
from orchestration.cost_commands import cost_app
from orchestration.instance import home_path
from orchestration.life_commands import life_app
from orchestration.life_commands import scores as life_scores
from orchestration.memory_commands import memory_app
from orchestration.printing import counted, print_tables, printable
from orchestration.profiles import ProfileError, load_profile

if TYPE_CHECKING:
    from lifeloom.store import DatasetStore
    from orchestration.lineage import Step

__all__ = ["app", "main"]

app = typer.Typer(
    name="lifeloom",
    help="Assistants that know their user for months: data, benchmarks and scores in one graph.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(cache_app, name="cache")
app.add_typer(memory_app, name="memory")
app.add_typer(life_app, name="life")
app.add_typer(caption_app, name="captions")
app.registered_commands += [
    command for group in (chat_app, model_app, cost_app) for command in group.registered_commands
]


class ShownKind(enum.Enum):
    """What `lifeloom show` shows."""

    PERSONA = "persona"
    CONVERSATION = "conversation"
    MEMORIES = "memories"
    MEMORY = "memory"
    CASE = "case"
    PICTURE = "picture"
    LIFE = "life"
    QUESTION = "question"
    SAMPLE = "sample"


class ReadingPolicy(enum.Enum):
    """Policies that `lifeloom score-files` asks."""

    FULL_CONTEXT = "full_context"
    RAG = "rag"


class ShownSetting(enum.Enum):
    """Settings that `lifeloom scores` shows."""

    ALL = "all"
    SHORT = "32k"
    LONG = "128k"


def main() -> None:
    """Run the command line; what a person can mend ends in one message and exit code 1."""
    from sqlalchemy.exc import DBAPIError

    from evaluation.caption_quality.errors import CannotMeasure
    from evaluation.life_bench_files import ReleaseUnreadable as LivesUnreadable
    from evaluation.persona_mme_files import ExportRefused, ReleaseUnreadable
    from lifeloom.lifegraph.file import LifeGraphFileError
    from lifeloom.models.protocol import ModelError
    from lifeloom.store import StoreError
    from lifeloom.synthesis.review import ReviewFileError
    from lifeloom.tracking import TrackerUnavailable
    from orchestration.lineage import Interrupted, StageFailed, UnknownStage
    from orchestration.servers import PortTaken, ServerEnded
    from orchestration.show import NothingFound

    expected = (
        ProfileError,
        StoreError,
        ModelError,
        ReviewFileError,
        TrackerUnavailable,
        StageFailed,
        UnknownStage,
        PortTaken,
        ServerEnded,
        NothingFound,
        ExportRefused,
        ReleaseUnreadable,
        LivesUnreadable,
        LifeGraphFileError,
        CannotMeasure,
    )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character is no reason to stop
    try:
        with secrets_hidden():  # libraries start programs too, and none of those asks a model
            app()
    except (Interrupted, KeyboardInterrupt) as error:
        _complain(str(error) or "stopped")
        sys.exit(130)
    except expected as error:
        _complain(str(error))
        sys.exit(1)
    except (DBAPIError, OSError) as error:
        cause = getattr(error, "orig", None) or error
        if (elsewhere := _outside_home(cause)) is not None:
            _complain(elsewhere)
            sys.exit(1)
        _complain(
            f"the home {home_path()} cannot be written or read: {cause}. Is the disk full? `lifeloom doctor` says how "
            "much is free; nothing that was made is lost"
        )
        sys.exit(1)


def _outside_home(error: BaseException) -> str | None:
    """Return what is wrong with a file outside of the home, a path that somebody gave; None: it is something else."""
    if not isinstance(error, OSError) or not isinstance(error.filename, str) or error.strerror is None:
        return None
    path = Path(error.filename).absolute()
    return None if path.is_relative_to(home_path().absolute()) else f"{error.filename}: {error.strerror}"


def _complain(text: str) -> None:
    Console(stderr=True).print(f"[bold red]lifeloom:[/] {escape(printable(text))}", highlight=False, soft_wrap=True)


@app.command()
def demo(profile: ProfileOption = None, personahub: PersonahubOption = None, yfcc: YfccOption = None) -> None:
    """Run the whole lineage, seeds to scores, and print the scores and what each stage took."""
    from orchestration.lineage import demo_steps

    choose_profile(profile, personahub, yfcc)
    settings = load_profile()
    _run(demo_steps(settings), "lifeloom demo")
    date = settings.release.demo_date.isoformat()
    _print_scores(date)
    if settings.life.vaccounts and settings.life.questions:
        life_scores(date)
    if settings.captions.test_scenes:
        caption_scores(date)
    console = Console()
    console.print(
        "\nOpen it:  [bold]make ui[/]  (or `lifeloom ui`) serves Dagster and MLflow and prints their addresses."
    )
    console.print(
        "Look at it:  [bold]lifeloom show case[/] · [bold]show conversation[/] · [bold]show picture[/] · "
        "[bold]lifeloom scores[/]"
    )
    if settings.life.vaccounts:
        console.print(
            "Simulated lives:  [bold]lifeloom life list[/] · [bold]show life[/] · [bold]show question[/] · "
            "[bold]lifeloom life ask[/]"
        )
    if settings.captions.test_scenes:
        console.print(
            "Personalised captions:  [bold]lifeloom captions list[/] · [bold]show sample[/] · "
            "[bold]lifeloom captions caption[/]"
        )


@app.command()
def materialize(
    stages: Annotated[list[str], typer.Argument(help="Stages (release/personas) or whole groups (release).")],
    partition: Annotated[
        str | None, typer.Option("--partition", help="A shard or a release date; else all shards, the demo's date.")
    ] = None,
    upstream: Annotated[
        bool, typer.Option("--upstream", help="Make what they are made from as well; what is current is reused.")
    ] = False,
    profile: ProfileOption = None,
    personahub: PersonahubOption = None,
    yfcc: YfccOption = None,
) -> None:
    """Make stages of the graph here, in this process."""
    from orchestration.lineage import StageFailed, steps_for

    choose_profile(profile, personahub, yfcc)
    steps = steps_for(stages, load_profile(), partition, upstream=upstream)
    try:
        _run(steps, f"lifeloom materialize {' '.join(stages)}")
    except StageFailed as error:
        if upstream or "has not been made" not in str(error):
            raise
        raise StageFailed(f"{error}; `--upstream` makes what is missing as well") from None


@app.command()
def scores(
    release: Annotated[str, typer.Option("--release", help="A release date; else all of them.")] = "",
    setting: Annotated[ShownSetting, typer.Option("--setting", help="Which histories.")] = ShownSetting.ALL,
    attacks: Annotated[bool, typer.Option("--attacks", help="A column for each blind attack.")] = False,
) -> None:
    """Print the scores that have been made here."""
    _print_scores(release, setting.value, attacks=attacks)


@app.command()
def show(
    kind: Annotated[ShownKind, typer.Argument(help="What to show.")],
    item: Annotated[str, typer.Argument(help="An id or the beginning of one; left out: a list.")] = "",
    most: Annotated[int, typer.Option("--most", min=1, help="How many a list shows.")] = 20,
) -> None:
    """Show a persona, its conversation or memories, a memory with its turns, a case, a picture, a life, a question."""
    from orchestration.show import render

    Console().print(render(_store(), kind.value, item, most=most), crop=False)


@app.command()
def export(
    date: Annotated[str, typer.Argument(help="Release date, for example 2026-01-05.")],
    folder: Annotated[Path, typer.Argument(help="Where to write: a new or empty folder.")],
    profile: ProfileOption = None,
) -> None:
    """Write a release that was made here in the published file format, pictures included."""
    from orchestration.published import export_release_command
    from resources.workbench import Workbench

    choose_profile(profile)
    report = export_release_command(Workbench(load_profile(), home_path()), date, folder.absolute())
    console = Console()
    console.print(
        f"{report.cases:,} cases about {report.samples:,} users ({report.turns:,} turns, {report.pictures:,} pictures) "
        f"written to {escape(str(report.folder))}",
        soft_wrap=True,
    )
    if report.moved:
        console.print(f"{len(report.moved):,} cases got the minute after their last turn as their time")


@app.command("score-files")
def score_files(
    folder: Annotated[Path, typer.Argument(help="Folder or case list of a release in the published file format.")],
    policy: Annotated[
        list[ReadingPolicy] | None,
        typer.Option("--policy", help="Ask this policy (again for more); else the profile's."),
    ] = None,
    setting: Annotated[ShownSetting, typer.Option("--setting", help="Which histories to show.")] = ShownSetting.ALL,
    profile: ProfileOption = None,
) -> None:
    """Score policies on a release in the published file format, whoever made it. Nothing is stored but caches."""
    from orchestration.progress import Reporter
    from orchestration.published import score_folder
    from orchestration.tables import comparison_table, score_tables
    from resources.workbench import Workbench

    choose_profile(profile)
    console = Console()
    with Reporter(console) as reporter:
        workbench = Workbench(load_profile(), home_path(), reporter.watch)
        scored = score_folder(workbench, folder.absolute(), [one.value for one in policy] if policy else None)
    tables = score_tables(scored.scores, setting=setting.value)
    print_tables(*tables, comparison_table(scored.scores, scored.seconds))
    console.print(f"{len(scored.release.cases):,} of {scored.release.listed:,} cases could be read")
    for reason, count in scored.release.left_out().items():
        console.print(f"left out, {escape(reason)}: {count:,}")


@app.command()
def ui(
    dagster_port: Annotated[int, typer.Option("--dagster-port")] = 3000,
    mlflow_port: Annotated[int, typer.Option("--mlflow-port")] = 5000,
    profile: ProfileOption = None,
    personahub: PersonahubOption = None,
    yfcc: YfccOption = None,
) -> None:
    """Serve Dagster and MLflow on 127.0.0.1 until interrupted.

    Links from assets to MLflow name the port of MLflow that was in force when the asset was made: 5000, or that of
    LIFELOOM_MLFLOW_SERVER, which this command sets for what is made from its pages.
    """
    from lifeloom.store import Home
    from orchestration.servers import end_asked, serve, wait

    console = Console()
    asked = end_asked()
    choose_profile(profile, personahub, yfcc)
    load_profile()  # a broken profile is better told here than in a server's log
    with serve(Home(home_path()), dagster_port=dagster_port, mlflow_port=mlflow_port) as servers:
        for server in servers:
            console.print(f"{server.name}: [bold]{server.url}[/]  (log: {server.log})", soft_wrap=True)
        if mlflow_port != 5000:
            console.print(
                "Links of what was made elsewhere go to port 5000: set LIFELOOM_MLFLOW_SERVER before making it.",
                soft_wrap=True,
            )
        console.print("Stop with Ctrl-C.")
        wait(servers, asked)
        console.print("Stopping.")


@app.command()
def doctor(profile: ProfileOption = None) -> None:
    """Say what is installed, which profile is in force, which backend answers, and whether the home works."""
    from orchestration.doctor import examine

    table = Table(show_header=False)
    good = True
    for finding in examine(profile, home_path()):
        good &= finding.good
        table.add_row("[green]ok[/]" if finding.good else "[bold red]no[/]", finding.what, escape(finding.text))
    Console().print(table)
    if not good:
        sys.exit(1)


def _store() -> DatasetStore:
    from lifeloom.store import DatasetStore, Home

    return DatasetStore(Home(home_path()).data_url)


def _run(steps: list[Step], purpose: str) -> None:
    from lifeloom.synthesis.review import waiting_items
    from orchestration.instance import open_instance
    from orchestration.lineage import run_steps
    from orchestration.progress import Reporter
    from orchestration.tables import kept_nothing_text, time_table
    from orchestration.unpriced import warn_of_unpriced
    from resources.workbench import Workbench

    settings = load_profile()
    warn_of_unpriced(settings)
    console = Console()
    with Reporter(console) as reporter:
        workbench = Workbench(settings, home_path(), reporter.watch)
        outcomes = []
        with workbench.home.busy_lock(purpose), open_instance(workbench.home) as instance:
            for outcome in run_steps(steps, workbench, instance):
                outcomes.append(outcome)
                state = "reused, unchanged" if outcome.reused else f"made in {outcome.seconds:.1f} s"
                place = f" {outcome.partition}" if outcome.partition else ""
                left_out = f"; left out: {outcome.left_out}" if outcome.left_out else ""
                reporter.say(f"{outcome.asset}{place}: {counted(outcome.rows, 'row')}, {state}{left_out}")
                if outcome.kept_nothing:
                    reporter.say(kept_nothing_text(outcome), "bold red")
    print_tables(time_table(outcomes))
    waiting = waiting_items(workbench.home.review)
    if waiting:
        console.print(
            f"{waiting:,} items wait for a person in {workbench.home.review}: answer accept or reject, and run again.",
            soft_wrap=True,
        )


def _print_scores(release: str, setting: str = "all", *, attacks: bool = False) -> None:
    from assets.predicting import seconds_per_case
    from assets.scores import SCORES
    from lifeloom.records import Score
    from orchestration.show import NothingFound
    from orchestration.tables import comparison_table, score_tables

    store = _store()
    keys = [key for key in store.keys(SCORES) if not release or key == f"{SCORES}/{release}"]
    if not keys:
        made = ", ".join(key.rpartition("/")[2] for key in store.keys(SCORES))
        raise NothingFound(
            f"there are no scores of {release!r} here; there are of {made}"
            if made
            else "no scores have been made here yet; run `lifeloom demo` first"
        )
    console = Console()
    for key in keys:
        rows = list(store.read(key, "scores", Score))
        if changed := store.changed_parents(key):
            again = f"lifeloom materialize scores --partition {key.rpartition('/')[2]}"
            console.print(
                f"[bold red]Out of date:[/] {', '.join(changed)} changed since. {again} scores anew.",
                soft_wrap=True,
            )
        seconds = seconds_per_case(store, key.rpartition("/")[2])
        print_tables(*score_tables(rows, setting=setting, attacks=attacks), comparison_table(rows, seconds))
