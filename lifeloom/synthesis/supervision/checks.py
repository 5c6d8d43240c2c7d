"""Checks of training sets: readable by the assistant's own parser, and nothing of a benchmark in them (N4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lifeloom.assistant.parsing import parse_step
from lifeloom.models.tokens import count_tokens, picture_tokens
from lifeloom.records import BenchmarkCase, CaptionSample, ContextEntry, RlPrompt, SftExample
from lifeloom.streams import stable_hash

__all__ = [
    "example_tokens",
    "length_lines",
    "repeated_ids",
    "shared_questions",
    "shared_samples",
    "trajectory_problems",
]


def trajectory_problems(examples: Iterable[SftExample]) -> list[str]:
    """Return a sentence for each step of a trajectory that the assistant's parser does not take as it stands.

    Every step but the last retrieves, the last one answers, and none of them needs a repair.
    """
    problems = []
    for example in examples:
        if example.family != "reasoning_qa":
            continue
        steps = [parse_step(one.text, 0) for one in example.messages if one.role == "assistant"]
        kinds = [type(step.action).__name__ for step in steps]
        if kinds != ["Retrieve"] * example.retrievals + ["Answer"]:
            problems.append(f"{example.example_id} does {' then '.join(kinds)} with {example.retrievals} retrievals")
        problems += [
            f"{example.example_id} step {number}: {', '.join(step.repairs)}"
            for number, step in enumerate(steps)
            if not step.well_formed
        ]
    return problems


def repeated_ids(ids: Iterable[str]) -> list[str]:
    """Return a sentence for each id that occurs twice."""
    seen: set[str] = set()
    problems = []
    for one in ids:
        if one in seen:
            problems.append(f"{one} is there twice")
        seen.add(one)
    return problems


def shared_questions(prompts: Iterable[BenchmarkCase | RlPrompt], cases: Iterable[BenchmarkCase]) -> list[str]:
    """Return a sentence for each question of training that a benchmark asks with the same options or answers.

    Stems are shared by design: what must not be is one question with one set of options, whatever their letters.
    """
    theirs = {_question_key(case.query, [one.text for one in case.options]): case.case_id for case in cases}
    problems = []
    for prompt in prompts:
        own = prompt.case_id
        key = _question_key(prompt.query, [one.text for one in prompt.options])
        if prompt.options and key in theirs:
            problems.append(f"{own} asks what {theirs[key]} of a release asks, with the same options")
    return problems


def _question_key(query: str, options: Sequence[str]) -> int:
    folded = [" ".join(text.casefold().split()) for text in (query, *sorted(options))]
    return stable_hash(*folded)


def example_tokens(example: SftExample) -> int:
    """Return the tokens of an example by the project's tokenizer, pictures as (width / 28) x (height / 28)."""
    text = sum(count_tokens(one.text) for one in example.messages)
    return text + sum(picture_tokens(one.width, one.height) for one in example.pictures)


def length_lines(tokens: Mapping[str, Sequence[int]]) -> Iterator[dict[str, str | int]]:
    """Yield the lengths of each family as a row of a table: number, median, 95th percentile, longest."""
    for family, lengths in sorted(tokens.items()):
        ordered = sorted(lengths)
        if ordered:
            yield {
                "family": family,
                "examples": len(ordered),
                "median tokens": ordered[len(ordered) // 2],
                "95 % below": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
                "longest": ordered[-1],
            }


def shared_samples(own: Iterable[CaptionSample], others: Iterable[CaptionSample], *, identities: bool) -> list[str]:
    """Return a sentence for each sample of training that shows or tells what a benchmark's contexts do.

    Args:
        own: of training.
        others: of releases.
        identities: whether the two sides may share no identity either.
    """
    people: set[str] = set()
    pictures: set[str] = set()
    dialogues: set[int] = set()
    for sample in others:
        pictures.add(sample.query.content_hash)
        for entry in sample.entries:
            people.add(entry.identity)
            dialogues.add(_dialogue_key(entry))
            if identities:
                pictures.add(entry.picture.content_hash)
    problems = []
    for sample in own:
        if identities:
            problems += [
                f"{sample.sample_id} shows {one.identity}, as a release does"
                for one in sample.entries
                if one.identity in people
            ]
        shown = (sample.query, *((one.picture for one in sample.entries) if identities else ()))
        problems += [
            f"{sample.sample_id} has the picture {one.content_hash[:16]} of a release"
            for one in shown
            if one.content_hash in pictures
        ]
        problems += [
            f"{one.dialogue_id} says word for word what a dialogue of a release says"
            for one in sample.entries
            if _dialogue_key(one) in dialogues
        ]
    return problems


def _dialogue_key(entry: ContextEntry) -> int:
    return stable_hash(*(" ".join(turn.user.casefold().split()) for turn in entry.turns))
