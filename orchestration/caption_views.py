"""Personalised captioning in the terminal: the library, contexts, captions with what the judge made of them, scores."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from evaluation.capeval.case_pages import instruction_of
from lifeloom.records import (
    Caption,
    CaptionSample,
    CaptionScore,
    LibraryImage,
    ProbeAnswer,
    ProbeQuestion,
    ScenePlan,
)
from orchestration.printing import Name, counted, plain
from orchestration.tables import number_columns, plain_table

__all__ = ["caption_score_table", "judged_caption", "library_table", "sample_table", "sample_view"]


def library_table(images: Iterable[LibraryImage]) -> Table:
    """Return how many identities of each category there are, by split and use."""
    rows = list(images)
    identities = {(one.category, one.use, one.split, one.identity) for one in rows}
    counts = collections.Counter((category, use, split) for category, use, split, _ in identities)
    pictures = collections.Counter((one.category, one.use, one.split) for one in rows)
    table = plain_table(f"image library: {counted(len(rows), 'picture')}")
    for name in ("category", "for", "split"):
        table.add_column(name)
    number_columns(table, "identities", "pictures")
    for key in sorted(counts):
        table.add_row(*key, str(counts[key]), str(pictures[key]))
    return table


def sample_table(samples: Sequence[CaptionSample], questions: Iterable[ProbeQuestion]) -> Table:
    """Return the contexts of a release by number of concepts."""
    asked = collections.Counter(one.concepts for one in questions)
    table = plain_table(counted(len(samples), "query picture"))
    number_columns(table, "concepts", "query pictures", "context pictures", "questions")
    table.add_column("first")
    by_size: dict[int, list[CaptionSample]] = {}
    for one in samples:
        by_size.setdefault(one.concepts, []).append(one)
    for concepts, own in sorted(by_size.items()):
        entries = sum(len(one.entries) for one in own)
        table.add_row(str(concepts), str(len(own)), str(entries), str(asked[concepts]), Name(own[0].sample_id))
    return table


def sample_view(
    sample: CaptionSample,
    plan: ScenePlan | None,
    nouns: Mapping[str, str],
    questions: Sequence[ProbeQuestion],
    captions: Sequence[Caption],
    answers: Sequence[ProbeAnswer],
) -> RenderableType:
    """Return one sample: what was asked for, its context with the truth, captions, and what the judge chose."""
    head = Text()
    head.append(f"query picture {sample.query.content_hash[:12]}", style="bold")
    if plan is not None:
        head.append_text(plain(f"\n{instruction_of(sample, plan)}"))
    context = plain_table("context")
    for name in ("entry", "shows", "in the query picture", "what the user said"):
        context.add_column(name)
    for index, one in enumerate(sample.entries):
        said = "\n".join(turn.user for turn in one.turns)
        context.add_row(str(index), plain(nouns.get(one.image_id, "")), "yes" if one.positive else "", plain(said))
    given = plain_table("captions")
    for name in ("policy", "by", "caption"):
        given.add_column(name)
    for caption in captions:
        by = f"{caption.made_by.backend} {caption.made_by.model}"
        given.add_row(caption.policy, plain(by), plain(caption.text or f"none: {caption.failure}"))
    parts: list[RenderableType] = [Panel(head, title=plain(sample.sample_id), title_align="left"), context]
    if captions:
        parts.append(given)
    parts.append(_questions(questions, answers))
    return Group(*parts)


def judged_caption(
    caption: Caption, questions: Sequence[ProbeQuestion], answers: Sequence[ProbeAnswer]
) -> RenderableType:
    """Return a caption with what the judge answered from it."""
    shown = Panel(plain(caption.text or f"no caption: {caption.failure}"), title=caption.policy, title_align="left")
    right = {one.question_id for one in answers if one.correct}
    sides = (
        ("Acc+", [one for one in questions if one.positive]),
        ("Acc-", [one for one in questions if not one.positive]),
    )
    told = ", ".join(f"{name} {sum(q.question_id in right for q in own)} of {len(own)}" for name, own in sides if own)
    return Group(shown, _questions(questions, answers), plain(told))


def caption_score_table(scores: Sequence[CaptionScore]) -> list[Table]:
    """Return Acc+ and Acc- by number of concepts, built-in readers and models apart."""
    tables = []
    for backend in dict.fromkeys(one.backend for one in scores):
        own = [one for one in scores if one.backend == backend]
        release = own[0].release_id
        by = " ".join(dict.fromkeys(f"{one.backend} {one.model}" for one in own))
        title = f"CapEval-QAs {release}, captions by {by}, judged by {own[0].judge}: Acc+ and Acc- in %, 95 % interval"
        table = plain_table(title)
        table.add_column("captioner")
        number_columns(table, "concepts", "questions", "Acc+", "Acc-", "words", "degenerate %")
        for one in own:
            table.add_row(
                one.policy,
                str(one.concepts or "all"),
                str(one.positive_questions + one.negative_questions),
                _cell(one.positive, one.positive_low, one.positive_high),
                _cell(one.negative, one.negative_low, one.negative_high),
                f"{one.words:.0f}",
                f"{100 * one.degenerate:.1f}",
                style="bold" if one.concepts == 0 else None,
            )
        tables.append(table)
    return tables


def _questions(questions: Sequence[ProbeQuestion], answers: Sequence[ProbeAnswer]) -> Table:
    policies = list(dict.fromkeys(one.policy for one in answers))
    chosen = {(one.policy, one.question_id): one for one in answers}
    table = plain_table("questions")
    for name in ("entry", "question", "options", "right", *policies):
        table.add_column(name)
    for one in questions:
        options = "\n".join(f"{letter}. {text}" for letter, text in zip("ABC", one.options, strict=False))
        cells = []
        for policy in policies:
            answer = chosen.get((policy, one.question_id))
            said = "" if answer is None else answer.letter or answer.failure
            cells.append(Text(said, style="green" if answer is not None and answer.correct else "red"))
        table.add_row(str(one.entry), plain(one.question), plain(options), one.right, *cells)
    return table


def _cell(value: float, low: float, high: float) -> str:
    return f"{100 * value:.1f} ({100 * low:.0f}-{100 * high:.0f})"
