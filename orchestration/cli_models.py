"""Commands about models: `lifeloom ask`, `models`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from lifeloom.models.protocol import Usage
from orchestration.cli_options import ProfileOption, choose_profile
from orchestration.instance import home_path
from orchestration.printing import plain, printable
from orchestration.profiles import load_profile
from orchestration.unpriced import warn_of_unpriced
from resources.model_settings import ModelSettings, Role

__all__ = ["model_app"]

model_app = typer.Typer()


@model_app.command()
def ask(
    prompt: Annotated[str, typer.Argument(help="What to ask; - reads it from standard input.")],
    picture: Annotated[
        list[Path] | None, typer.Option("--picture", help="A picture that goes with it (again for more).")
    ] = None,
    role: Annotated[Role, typer.Option("--role", help="Whose model of the profile is asked.")] = "reader",
    stage: Annotated[str, typer.Option("--stage", help="A stage that has models of its own.")] = "",
    sample: Annotated[int, typer.Option("--sample", min=0, help="Another number is another answer.")] = 0,
    profile: ProfileOption = None,
) -> None:
    """Send one prompt, and pictures, to a model of the profile; print its answer, what it took and what it cost."""
    from orchestration.model_commands import ask as ask_model
    from orchestration.model_commands import stage_names
    from resources.workbench import Workbench

    choose_profile(profile)
    if stage and stage not in stage_names():
        raise typer.BadParameter(f"there is no stage {stage!r}; the stages are {', '.join(stage_names())}")
    settings = load_profile()
    workbench = Workbench(settings, home_path())
    words = _standard_input() if prompt == "-" else prompt
    if not words.strip():
        raise typer.BadParameter("there is nothing to ask")
    warn_of_unpriced(settings)
    generation = ask_model(workbench, words, picture or (), role, stage, sample)
    usage, made_by = generation.usage, generation.provenance
    answer = generation.output.text
    print(printable(answer) if sys.stdout.isatty() else answer)
    price = _usd(workbench.profile.models.of(role, stage), usage)
    source = f"{usage.seconds:.2f} s, {price:.6f} USD"
    if usage.cached:
        source = f"from the cache, paid {price:.6f} USD before"
    Console(stderr=True).print(
        f"[dim]{escape(made_by.backend)} {escape(made_by.model)}: {usage.prompt_tokens:,} + "
        f"{usage.completion_tokens:,} tokens, {source}[/]",
        highlight=False,
        soft_wrap=True,
    )


@model_app.command()
def models(profile: ProfileOption = None) -> None:
    """List what the profile would use, and whether each answers."""
    from orchestration.model_commands import find_models
    from resources.workbench import Workbench

    choose_profile(profile)
    settings = load_profile()
    good = True
    console = Console()
    console.print(plain(f"models of {settings.name}", "bold"))
    with console.status("") as status:

        def asking(use: str, what: str) -> None:
            status.update(plain(f"asking the {use}: {what}" if what else f"asking the {use}"))

        for one in find_models(Workbench(settings, home_path()), asking):
            good &= one.good
            state = "[green]ok[/]" if one.good else "[bold red]no[/]"
            console.print(f"{state}  {escape(one.use)}: {escape(printable(one.what))}", highlight=False, soft_wrap=True)
            console.print(plain(f"    {one.said}"), soft_wrap=True)
    if not good:
        sys.exit(1)


def _usd(settings: ModelSettings, usage: Usage) -> float:
    """Return what an answer cost, or cost the first time."""
    return (usage.prompt_tokens * settings.price_prompt + usage.completion_tokens * settings.price_completion) / 1e6


def _standard_input() -> str:
    """Return what comes in on standard input.

    Raises:
        typer.BadParameter: it is no text.
    """
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise typer.BadParameter("standard input is no text in UTF-8") from None
