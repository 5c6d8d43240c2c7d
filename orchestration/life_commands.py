"""`lifeloom life`: the Vaccounts of a release, their pages and graphs, questions to them, and one made again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from orchestration.cli_options import ProfileOption, check_place, choose_profile
from orchestration.instance import home_path
from orchestration.printing import plain, print_tables
from orchestration.profiles import load_profile

if TYPE_CHECKING:
    from lifeloom.records import Life, Rejection
    from resources.workbench import Workbench

__all__ = ["life_app"]

life_app = typer.Typer(help="Vaccounts: simulated lives, their graphs, and questions about them.", no_args_is_help=True)

Vaccount = Annotated[str, typer.Argument(help="Which Vaccount; `lifeloom life list` names them.")]
Release = Annotated[str, typer.Option("--release", help="A release date; else the latest that has Vaccounts.")]


@life_app.command("list")
def list_command(release: Release = "") -> None:
    """List the Vaccounts of a release."""
    from assets.life_keys import LIFE_BENCH
    from lifeloom.records import LifeQuestion
    from orchestration.life_views import life_table

    workbench = _workbench()
    date = _release(workbench, release)
    key = f"{LIFE_BENCH}/{date}"
    questions = workbench.store.read(key, "questions", LifeQuestion) if workbench.store.find(key) else iter(())
    print_tables(life_table(_lives(workbench, date), questions))


@life_app.command()
def page(
    vaccount: Vaccount,
    out: Annotated[Path, typer.Argument(help="The HTML file to write.")],
    release: Release = "",
) -> None:
    """Write the page of a Vaccount: family tree, portraits, timeline, pictures."""
    from assets.life_keys import HISTORIES, HISTORY_IMAGES, VACCOUNTS
    from assets.life_records import left_out_of
    from evaluation.life_pages import life_page
    from lifeloom.records import EventStory, VaccountPlan, VaccountSeed
    from lifeloom.store import code_revision

    check_place(out, "out")
    workbench = _workbench()
    date = _release(workbench, release)
    life = _life(workbench, date, vaccount)
    plans = {one.vaccount_id: one for one in workbench.store.read(f"{VACCOUNTS}/{date}", "plans", VaccountPlan)}
    stories = {one.event_id: one for one in workbench.store.read(f"{HISTORIES}/{date}", "stories", EventStory)}
    told = {one.seed_id: one.life_story for one in workbench.store.read(f"{VACCOUNTS}/{date}", "seeds", VaccountSeed)}
    seed = workbench.store.manifest(f"{HISTORY_IMAGES}/{date}").recipe.seed
    made_with = f"release {date}, seed {seed}, code {code_revision()}"
    plan = plans[life.vaccount_id]
    html = life_page(
        life,
        workbench.picture,
        made_with=made_with,
        plan=plan,
        stories=stories,
        life_story=told.get(plan.seed_id, ""),
        left_out=left_out_of(workbench.store, date),
    )
    out.write_text(html, encoding="utf-8")
    Console().print(plain(f"{out}: {len(html):,} bytes"), soft_wrap=True)


@life_app.command()
def ask(
    vaccount: Vaccount,
    question: Annotated[str, typer.Argument(help="What to ask about the life.")],
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", help="A picture that the question shows.", exists=True, dir_okay=False, readable=True
        ),
    ] = None,
    options: Annotated[
        list[str] | None, typer.Option("--option", help="One of the answers to choose from; two to four of them.")
    ] = None,
    yes_or_no: Annotated[bool, typer.Option("--yes-no", help="Ask for yes or no.")] = False,
    policy: Annotated[str, typer.Option("--policy", help="How to look it up.")] = "lifegraph-d3-k5-tools",
    why: Annotated[bool, typer.Option("--why", help="Show how it was looked up.")] = False,
    release: Release = "",
    profile: ProfileOption = None,
) -> None:
    """Ask a question about a Vaccount, as the benchmark's policies are asked."""
    from lifeloom.lifegraph.trace import RetrievalTrace
    from lifeloom.records import LETTERS, AnswerType
    from lifeloom.scoring.life_policy import AskedQuestion
    from lifeloom.store.pictures import decode_picture
    from lifeloom.tasks import OptionText
    from resources.life_policy_names import NoSuchPolicy
    from resources.lives import life_policies

    if not question.strip():
        raise typer.BadParameter("it is empty", param_hint="QUESTION")
    if options and (yes_or_no or not 2 <= len(options) <= len(LETTERS)):
        raise typer.BadParameter("give two to four of them, and no --yes-no", param_hint="--option")
    choose_profile(profile)
    workbench = _workbench()
    date = _release(workbench, release)
    life = _life(workbench, date, vaccount)
    reference = None
    if picture is not None:
        from lifeloom.records import PictureReference

        data = picture.read_bytes()
        image = decode_picture(data)
        content = workbench.store.media.put(data)
        reference = PictureReference(content_hash=content, width=image.width, height=image.height)
    try:
        chosen = life_policies(workbench, date, [policy], "")[policy]
    except NoSuchPolicy as error:
        raise typer.BadParameter(str(error), param_hint="--policy") from None
    offered = tuple(OptionText(letter=letter, text=text) for letter, text in zip(LETTERS, options or (), strict=False))
    kind: AnswerType = "multiple_choice" if offered else "binary" if yes_or_no else "open_generation"
    answer = chosen.answer(AskedQuestion(question, offered, kind, reference), life)
    console = Console()
    taken = next((f" {one.text}" for one in offered if answer.text.strip() == f"({one.letter})"), "")
    console.print(plain(f"{answer.text}{taken}" if answer.text else f"no answer: {answer.failure}"), soft_wrap=True)
    for line in _looked_up(life, answer.retrieved_ids):
        console.print(plain(line, "dim"), soft_wrap=True)
    if why and answer.trace:
        console.print(plain(RetrievalTrace.model_validate_json(answer.trace).as_text()), soft_wrap=True)


@life_app.command()
def graph(
    vaccount: Vaccount,
    png: Annotated[Path | None, typer.Option("--png", help="Write a picture of it.")] = None,
    graphml: Annotated[Path | None, typer.Option("--graphml", help="Write it as GraphML.")] = None,
    release: Release = "",
) -> None:
    """Say what a life's graph holds, and write it as a picture or as GraphML."""
    import collections

    from lifeloom.lifegraph.drawing import graph_picture
    from lifeloom.lifegraph.exports import write_graphml
    from lifeloom.lifegraph.structure import structure_of
    from resources.lives import GRAPHS, LifeGraphLibrary

    check_place(png, "--png")
    check_place(graphml, "--graphml")
    workbench = _workbench()
    date = _release(workbench, release)
    life = _life(workbench, date, vaccount)
    library = LifeGraphLibrary(workbench.store, f"{GRAPHS}/{date}", workbench.home.cache)
    found = library.of(life.vaccount_id)
    structure = structure_of(found)
    kinds = collections.Counter(one.type for one in found.entities.values())
    console = Console()
    console.print(plain(f"{structure.nodes} entities: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"))
    console.print(plain(f"{structure.facts} facts, {structure.parts} parts, diameter {structure.diameter}"))
    console.print(plain(structure.verdict), soft_wrap=True)
    console.print(plain(f"file: {library.path(life.vaccount_id)}"), soft_wrap=True)
    if png is not None:
        png.write_bytes(graph_picture(found))
        console.print(plain(f"written: {png}"), soft_wrap=True)
    if graphml is not None:
        write_graphml(found, graphml)
        console.print(plain(f"written: {graphml}"), soft_wrap=True)


@life_app.command()
def remake(vaccount: Vaccount, release: Release = "", profile: ProfileOption = None) -> None:
    """Make one Vaccount again, alone, and hold it against what is there, byte for byte. Nothing is stored."""
    from orchestration.remaking import remake_vaccount

    choose_profile(profile)
    workbench = _workbench()
    date = _release(workbench, release)
    life = _life(workbench, date, vaccount)
    report = remake_vaccount(workbench, date, life.vaccount_id)
    console = Console()
    console.print(plain(report.text()), soft_wrap=True)
    if report.different:
        raise typer.Exit(1)


@life_app.command()
def scores(
    release: Release = "",
    file: Annotated[
        Path | None,
        typer.Option("--csv", help="Write every score to this file: by difficulty too, with recall."),
    ] = None,
) -> None:
    """Print the Life-Bench scores of a release."""
    from assets.life_keys import LIFE_SCORES
    from evaluation.life_bench.tables import accuracy_csv
    from lifeloom.records import LifeScore
    from orchestration.life_views import score_table
    from orchestration.show import NothingFound

    check_place(file, "--csv")
    workbench = _workbench()
    date = _release(workbench, release)
    key = f"{LIFE_SCORES}/{date}"
    if workbench.store.find(key) is None:
        raise NothingFound(f"{key} has not been made: run `lifeloom materialize scores/life_bench --upstream`")
    rows = list(workbench.store.read(key, "scores", LifeScore))
    print_tables(score_table(rows))
    if file is not None:
        file.write_text(accuracy_csv(rows), encoding="utf-8")
        Console().print(plain(f"written: {file}"), soft_wrap=True)


@life_app.command()
def export(folder: Annotated[Path, typer.Argument(help="A new or empty folder.")], release: Release = "") -> None:
    """Write a release's lives and questions in the published file format, pictures included."""
    from assets.life_keys import LIFE_BENCH
    from evaluation.life_bench_files import export_lives
    from lifeloom.records import LifeQuestion

    workbench = _workbench()
    date = _release(workbench, release)
    questions = list(workbench.store.read(f"{LIFE_BENCH}/{date}", "questions", LifeQuestion))
    lives = _lives(workbench, date)
    export_lives(folder.absolute(), lives, questions, workbench.picture)
    said = f"{len(questions):,} questions about {len(lives)} Vaccounts written to {folder}"
    Console().print(plain(said), soft_wrap=True)


@life_app.command("score-files")
def score_files(
    folder: Annotated[Path, typer.Argument(help="A release in the published file format.")],
    predictions: Annotated[
        Path, typer.Argument(help='What a system answered, a line each: {"sample_id": ..., "prediction": ...}.')
    ],
    judgements: Annotated[
        Path | None, typer.Option("--judgements", help="Verdicts on open answers; else the profile's judge decides.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="A short name of that system.")] = "published",
    profile: ProfileOption = None,
) -> None:
    """Score anybody's answers to a release in the published file format. Nothing is stored."""
    from evaluation.life_bench import score_life
    from evaluation.life_bench_files import judge_published, read_answers, read_judgements, read_lives
    from lifeloom.store import code_revision
    from orchestration.life_views import score_table
    from orchestration.show import NothingFound

    if re.fullmatch(r"[a-z0-9_-]{1,64}", name) is None:
        raise typer.BadParameter("a name has 1 to 64 of a-z, 0-9, _ and -", param_hint="--name")
    choose_profile(profile)
    workbench, console = _workbench(), Console()
    published = read_lives(folder.absolute())
    ids = {one.question_id for one in published.questions}
    answers = read_answers(predictions.absolute(), ids)
    told = read_judgements(judgements.absolute(), ids) if judgements is not None else None
    left_out = [*published.rejections, *answers.rejections, *(told.rejections if told is not None else ())]
    if not answers.answers:
        _print_left_out(console, left_out)
        raise NothingFound(f"{predictions} answers none of the {len(ids):,} questions in {folder}")
    judge = workbench.model("judge")
    given = judge_published(
        published.questions, answers, name, judgements=None if told is None else told.verdicts, judge=judge
    )
    scores = score_life(
        published.questions,
        given,
        published.lives,
        backend="published",
        model=name,
        code_revision=code_revision(),
        seed=workbench.profile.seed,
        bootstrap_samples=workbench.profile.scoring.bootstrap_samples,
    )
    print_tables(score_table(scores))
    overall = next(one for one in scores if one.task == "all")
    console.print(
        plain(f"{overall.questions} questions, {overall.missing} without an answer; recall of events at 3 and 5: "
              f"{_percent(overall.recall_3)}, {_percent(overall.recall_5)}"),
        soft_wrap=True,
    )  # fmt: skip
    _print_left_out(console, left_out)


def _percent(share: float | None) -> str:
    return "not measured" if share is None else f"{100 * share:.1f} %"


def _print_left_out(console: Console, left_out: Sequence[Rejection]) -> None:
    for row in left_out[:20]:
        console.print(plain(f"left out, {row.item}: {row.reason}: {row.detail}"), soft_wrap=True)
    if len(left_out) > 20:
        console.print(plain(f"and {len(left_out) - 20} more left out"))


def _looked_up(life: Life, ids: Sequence[str]) -> list[str]:
    """Return what was looked up, in words: who, and each event with its pictures."""
    wanted = set(ids)
    people = [one.name for one in life.concepts if one.concept_id in wanted]
    lines = [f"looked up: {', '.join(people)}"] if people else []
    for event in life.events:
        shown = sum(image.image_id in wanted for image in event.images)
        if shown or event.event_id in wanted:
            pictures = f", {shown} of {len(event.images)} pictures" if shown else ""
            lines.append(f"looked up: {event.date.isoformat()} {event.description} ({event.event_id}{pictures})")
    return lines


def _workbench() -> Workbench:
    from resources.workbench import Workbench

    return Workbench(load_profile(), home_path())


def _release(workbench: Workbench, wanted: str) -> str:
    from assets.life_keys import HISTORY_IMAGES
    from orchestration.show import NothingFound

    made = sorted(key.rpartition("/")[2] for key in workbench.store.keys(HISTORY_IMAGES))
    if not made or (wanted and wanted not in made):
        make = ": run `lifeloom materialize release/life_bench --upstream`"
        there = f"; there are {', '.join(made)}" if made else make
        raise NothingFound(f"no lives of {wanted or 'any release'} have been made{there}")
    return wanted or made[-1]


def _lives(workbench: Workbench, date: str) -> dict[str, Life]:
    from assets.life_records import lives_of

    return lives_of(workbench.store, date)


def _life(workbench: Workbench, date: str, wanted: str) -> Life:
    from orchestration.show import NothingFound

    lives = _lives(workbench, date)
    found = [name for name in lives if name == wanted] or [name for name in lives if name.startswith(wanted)]
    if len(found) != 1:
        raise NothingFound(f"no one Vaccount is called {wanted!r}; there are {', '.join(lives)}")
    return lives[found[0]]
