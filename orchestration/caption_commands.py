"""`lifeloom captions`: the image library, contexts, captioners on them, scores, and the published files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from orchestration.cli_options import ProfileOption, check_place, choose_profile
from orchestration.instance import home_path
from orchestration.printing import plain, print_tables
from orchestration.profiles import load_profile

if TYPE_CHECKING:
    from assets.caption_predictions import CaptionRelease
    from lifeloom.records import CaptionSample, LibraryImage, Rejection
    from resources.workbench import Workbench

__all__ = ["caption_app"]

caption_app = typer.Typer(
    help="Personalised captioning: image library, query pictures with contexts, captioners, CapEval-QAs.",
    no_args_is_help=True,
)

Release = Annotated[str, typer.Option("--release", help="A release date; else the latest that has query pictures.")]
Sample = Annotated[str, typer.Argument(help="Which query picture; `lifeloom captions list` names some.")]
PolicyOption = Annotated[str, typer.Option("--policy", help="zero-shot, rap-k<width> or grounded.")]


@caption_app.command("list")
def list_command(release: Release = "") -> None:
    """List the query pictures of a release, by number of concepts."""
    from orchestration.caption_views import sample_table

    found = _release(_workbench(), release)
    print_tables(sample_table(found.samples, found.questions))


@caption_app.command()
def library() -> None:
    """Say what the image library holds."""
    from assets.caption_keys import IMAGE_LIBRARY
    from lifeloom.records import Rejection
    from orchestration.caption_views import library_table

    workbench = _workbench()
    print_tables(library_table(_library(workbench).values()))
    _print_left_out(Console(), list(workbench.store.read(IMAGE_LIBRARY, "rejections", Rejection)))


@caption_app.command()
def caption(
    sample: Sample, policy: PolicyOption = "grounded", release: Release = "", profile: ProfileOption = None
) -> None:
    """Caption a query picture in its context, and have the judge answer its questions from the caption."""
    from evaluation.capeval.running import caption_samples
    from lifeloom.scoring.probe_judging import judge_captions
    from orchestration.caption_views import judged_caption
    from resources.captioners import captioners_of

    choose_profile(profile)
    workbench = _workbench()
    found = _release(workbench, release)
    chosen = _sample(found, sample)
    try:
        captioner = captioners_of(workbench, "", [policy])[0]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--policy") from None
    given = next(iter(caption_samples(captioner, [chosen])))
    questions = [one for one in found.questions if one.sample_id == chosen.sample_id]
    judge = workbench.model("judge")
    answers = list(
        judge_captions(judge, {chosen.sample_id: given}, questions, policy=given.policy, fingerprint=given.fingerprint)
    )
    Console().print(judged_caption(given, questions, answers))


@caption_app.command()
def ask(
    sample: Sample,
    question: Annotated[str, typer.Argument(help="What to ask about the query picture.")],
    policy: PolicyOption = "grounded",
    augmented: Annotated[bool, typer.Option("--cag", help="Caption first, and answer with the caption (CAG).")] = False,
    release: Release = "",
    profile: ProfileOption = None,
) -> None:
    """Ask a captioner a question about a query picture in its context."""
    from evaluation.captioners import CaptionAugmented
    from lifeloom.scoring.caption_policy import CaptionPolicy, ContextView
    from resources.captioners import captioners_of

    if not question.strip():
        raise typer.BadParameter("it is empty", param_hint="QUESTION")
    choose_profile(profile)
    workbench = _workbench()
    chosen = _sample(_release(workbench, release), sample)
    try:
        captioner: CaptionPolicy = captioners_of(workbench, "", [policy])[0]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--policy") from None
    if augmented:
        captioner = CaptionAugmented(captioner)
    told = captioner.answer(ContextView.of(chosen), question)
    Console().print(plain(told.text or f"no answer: {told.failure}"), soft_wrap=True)


@caption_app.command()
def page(
    sample: Sample, out: Annotated[Path, typer.Argument(help="The HTML file to write.")], release: Release = ""
) -> None:
    """Write the page of a query picture: context, captions, questions and what the judge chose."""
    from assets.caption_predictions import shown_captions
    from evaluation.capeval.case_pages import PickedCase, caption_page
    from lifeloom.records import ProbeAnswer, ScenePlan
    from lifeloom.store import code_revision

    check_place(out, "out")
    workbench = _workbench()
    found = _release(workbench, release)
    chosen = _sample(found, sample)
    store = workbench.store
    captions = {
        one.policy: {one.sample_id: one}
        for one in shown_captions(store, found.partition)
        if one.sample_id == chosen.sample_id
    }
    scored = f"scores/mcqa_probes/{found.partition}"
    answers: dict[str, dict[str, ProbeAnswer]] = {}
    for one in store.read(scored, "answers", ProbeAnswer) if store.find(scored) else ():
        answers.setdefault(one.policy, {})[one.question_id] = one
    html = caption_page(
        [PickedCase(chosen, 0.0)],
        found.questions,
        captions,
        answers,
        {name: one.noun for name, one in _library(workbench).items()},
        {one.scene_id: one for one in store.read(found.scenes_key, "plans", ScenePlan)},
        workbench.picture,
        title=chosen.sample_id,
        note=f"release {found.partition}, code {code_revision()}",
    )
    out.write_text(html, encoding="utf-8")
    Console().print(plain(f"{out}: {len(html):,} bytes"), soft_wrap=True)


@caption_app.command()
def scores(release: Release = "") -> None:
    """Print the CapEval-QAs scores of a release."""
    from assets.caption_keys import CAPTION_SCORES
    from lifeloom.records import CaptionScore
    from orchestration.caption_views import caption_score_table
    from orchestration.show import NothingFound

    workbench = _workbench()
    date = release or _latest(workbench, CAPTION_SCORES)
    key = f"{CAPTION_SCORES}/{date}"
    if not date or workbench.store.find(key) is None:
        raise NothingFound(
            f"{CAPTION_SCORES} of {date or 'any release'} has not been made: run `lifeloom materialize "
            f"{CAPTION_SCORES} --upstream`"
        )
    rows = list(workbench.store.read(key, "scores", CaptionScore))
    if not rows:
        distrust = workbench.store.manifest(key).recipe.parameters.get("distrust")
        raise NothingFound(f"{key} holds no scores: {distrust or 'there are no query pictures'}")
    print_tables(*caption_score_table(rows))


@caption_app.command()
def export(folder: Annotated[Path, typer.Argument(help="A new or empty folder.")], release: Release = "") -> None:
    """Write a release's contexts and questions in the published file format, pictures included."""
    from evaluation.capeval_files import export_contexts

    workbench = _workbench()
    found = _release(workbench, release)
    report = export_contexts(folder.absolute(), found.samples, found.questions, workbench.picture)
    said = (
        f"{report.samples:,} samples, {report.questions:,} questions and {report.files:,} pictures written to {folder}"
    )
    Console().print(plain(said), soft_wrap=True)


@caption_app.command("score-files")
def score_files(
    folder: Annotated[Path, typer.Argument(help="A release in the published file format.")],
    captions: Annotated[Path, typer.Argument(help='Captions, a line each: {"sample": "sample_0", "caption": "..."}.')],
    name: Annotated[str, typer.Option("--name", help="A short name of whoever captioned.")] = "published",
    unreadable: Annotated[
        str, typer.Option("--unreadable", help="What a verdict without one box counts as: wrong, or release (D).")
    ] = "wrong",
    profile: ProfileOption = None,
) -> None:
    """Score anybody's captions of a release in the published file format. Nothing is stored."""
    from evaluation.capeval.scoring import ScoredBy, score_captions
    from evaluation.capeval_files import read_captions, read_contexts
    from lifeloom.scoring.probe_judging import judge_captions
    from lifeloom.store import code_revision
    from orchestration.caption_views import caption_score_table
    from orchestration.show import NothingFound

    if re.fullmatch(r"[a-z0-9_-]{1,64}", name) is None:
        raise typer.BadParameter("a name has 1 to 64 of a-z, 0-9, _ and -", param_hint="--name")
    if unreadable not in ("wrong", "release"):
        raise typer.BadParameter("wrong or release", param_hint="--unreadable")
    choose_profile(profile)
    workbench, console = _workbench(), Console()
    published = read_contexts(folder.absolute())
    given = read_captions(captions.absolute(), published.samples, policy=name)
    left_out = [*published.rejections, *given.rejections]
    if not published.questions:
        _print_left_out(console, left_out)
        raise NothingFound(f"{folder} holds no question that could be used")
    if not given.captions:
        _print_left_out(console, left_out)
        raise NothingFound(f"{captions} captions none of the {len(published.samples):,} samples in {folder}")
    judge = workbench.model("judge")
    answers = list(
        judge_captions(
            judge,
            given.captions,
            published.questions,
            policy=name,
            fingerprint="published",
            unreadable="release" if unreadable == "release" else "wrong",
            callers=workbench.callers("judge"),
        )
    )
    by = ScoredBy(
        release_id="published",
        judge=f"{judge.identity.backend}/{judge.identity.model}",
        backend="published",
        model=name,
        code_revision=code_revision(),
        seed=workbench.profile.seed,
        bootstrap_samples=workbench.profile.scoring.bootstrap_samples,
        caption_tokens=workbench.profile.captions.caption_tokens,
    )
    rows = score_captions(published.samples, published.questions, list(given.captions.values()), answers, by)
    print_tables(*caption_score_table(rows))
    console.print(
        plain(
            f"judged by {by.judge}; {rows[0].missing} of {rows[0].samples} samples without a caption, "
            f"{rows[0].unreadable} verdicts unreadable"
        ),
        soft_wrap=True,
    )
    if doubt := _doubt(workbench, by.judge):
        console.print(plain(f"Warning: {doubt}"), soft_wrap=True, style="bold red")
    _print_left_out(console, left_out)


def _doubt(workbench: Workbench, judge: str) -> str:
    """Return why what a judge says may mean nothing, by the latest audit of the home; empty where it is trusted."""
    from assets.caption_keys import CAPTION_AUDIT
    from evaluation.capeval.agreement import ClassAgreement, JudgeAgreement

    for key in reversed(workbench.store.keys(CAPTION_AUDIT)):
        classes = tuple(workbench.store.read(key, "agreement", ClassAgreement))
        if classes and classes[0].judge == judge:
            problems = "; ".join(JudgeAgreement(classes).problems)
            told = f"the judge does not agree with labelled captions ({problems}): these scores mean nothing"
            return told if problems else ""
    return (
        f"the judge {judge} has not been measured on labelled captions in this home: run `lifeloom materialize "
        f"{CAPTION_AUDIT} --upstream` before you believe it"
    )


def _print_left_out(console: Console, left_out: list[Rejection]) -> None:
    for row in left_out[:20]:
        console.print(plain(f"left out, {row.item}: {row.reason}: {row.detail}"), soft_wrap=True)
    if len(left_out) > 20:
        console.print(plain(f"and {len(left_out) - 20} more left out"))


def _workbench() -> Workbench:
    from resources.workbench import Workbench

    return Workbench(load_profile(), home_path())


def _latest(workbench: Workbench, stage: str) -> str:
    made = sorted(key.rpartition("/")[2] for key in workbench.store.keys(stage))
    return made[-1] if made else ""


def _release(workbench: Workbench, wanted: str) -> CaptionRelease:
    from assets.caption_groups import caption_release
    from assets.caption_keys import MCQA_PROBES
    from assets.caption_predictions import caption_release_of
    from orchestration.show import NothingFound

    group = caption_release(workbench.profile)
    stage = group.key(MCQA_PROBES)
    date = wanted or _latest(workbench, stage)
    if not date or workbench.store.find(f"{stage}/{date}") is None:
        raise NothingFound(
            f"no query pictures of {date or 'any release'} have been made: run `lifeloom materialize {stage} --upstream"
            f"{f' --partition {date}' if date else ''}`"
        )
    return caption_release_of(workbench, group, date)


def _sample(found: CaptionRelease, wanted: str) -> CaptionSample:
    from orchestration.show import NothingFound

    ids = {one.sample_id: one for one in found.samples}
    fitting = [name for name in ids if name == wanted] or [name for name in ids if name.startswith(wanted)]
    fitting = fitting or [name for name in ids if name.endswith(f"-{wanted}")]
    if len(fitting) != 1:
        some = ", ".join(list(ids)[:5]) or "none"
        raise NothingFound(
            f"no one query picture of {found.partition} is called {wanted!r}; there are {some} and so on"
        )
    return ids[fitting[0]]


def _library(workbench: Workbench) -> dict[str, LibraryImage]:
    from assets.caption_keys import IMAGE_LIBRARY
    from lifeloom.records import LibraryImage
    from orchestration.show import NothingFound

    if workbench.store.find(IMAGE_LIBRARY) is None:
        raise NothingFound(f"there is no image library yet: run `lifeloom materialize {IMAGE_LIBRARY}`")
    return {one.image_id: one for one in workbench.store.read(IMAGE_LIBRARY, "images", LibraryImage)}
