"""Making questions about the dialogues of a context: right and wrong options planned, wording by a model (C5).

The right option is a fact that the dialogue states; the wrong ones are values of the same kind, drawn as it was, one of
them told in another dialogue of the context. Whoever has read no dialogue is at chance among A to C.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import (
    CANNOT_BE_DETERMINED,
    PROBE_LETTERS,
    CaptionSample,
    ConceptDialoguePlan,
    ContextEntry,
    DialogueFact,
    LibraryCategory,
    ProbeQuestion,
    Provenance,
    Rejection,
)
from lifeloom.streams import Streams
from lifeloom.tasks import PROBE_WRITING, AskedFact, ProbeWritingInput, ProbeWritingOutput

__all__ = ["QUESTIONS", "MadeProbes", "make_probes", "probe_problem"]

QUESTIONS = 3
"""Of a dialogue (Section 3.2.2)."""
_ATTEMPTS = 2
_CHOICES = len(PROBE_LETTERS) - 1


@dataclass(frozen=True)
class MadeProbes:
    """The questions about one context, and what was left out with its reason."""

    questions: tuple[ProbeQuestion, ...]
    rejections: tuple[Rejection, ...] = ()


def make_probes(
    samples: Iterable[CaptionSample],
    plans: Mapping[str, ConceptDialoguePlan],
    categories: Mapping[str, LibraryCategory],
    writer: LanguageModel,
    streams: Streams,
    *,
    stage: str,
    callers: int = 1,
) -> Iterator[MadeProbes]:
    """Yield the questions about each context, in order.

    Args:
        samples: contexts.
        plans: what was planned, by dialogue.
        categories: library picture to what it shows.
        writer: words questions.
        streams: the profile's.
        stage: whose rejections these are.
        callers: contexts asked about at once.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the writer stopped answering.
    """

    def made(sample: CaptionSample) -> MadeProbes:
        rng = streams.rng("mcqa_probes", sample.sample_id)
        letters = _letters(rng)
        questions: list[ProbeQuestion] = []
        rejections: list[Rejection] = []
        for index, entry in enumerate(sample.entries):
            plan = plans[entry.dialogue_id]
            facts = rng.sample(list(plan.facts), min(QUESTIONS, len(plan.facts)))
            worded = _worded(writer, plan, entry, categories[entry.image_id], facts, stage)
            if isinstance(worded, Rejection):
                rejections.append(worded)
                continue
            texts, made_by = worded
            for number, (fact, text) in enumerate(zip(facts, texts, strict=True)):
                options, answer = _laid_out(fact, next(letters), rng)
                questions.append(
                    ProbeQuestion(
                        question_id=f"{entry.dialogue_id}-q{number}",
                        sample_id=sample.sample_id,
                        dialogue_id=entry.dialogue_id,
                        entry=index,
                        positive=entry.positive,
                        concepts=sample.concepts,
                        fact=fact.kind,
                        question=text,
                        options=options,
                        answer=PROBE_LETTERS[answer],
                        made_by=made_by,
                    )
                )
        return MadeProbes(tuple(questions), tuple(rejections))

    yield from ordered_map(made, samples, workers=callers)


def probe_problem(text: str, handle: str, options: Sequence[str]) -> str:
    """Return what is wrong with a question's wording, or an empty text."""
    if not text.rstrip().endswith("?"):
        return "it does not end with a question mark"
    if not _holds(text, handle):
        return f"it does not say {handle!r}"
    plain = re.sub(re.escape(handle), " ", text, flags=re.IGNORECASE)
    named = next((one for one in options if _holds(plain, one)), "")
    return f"it names the option {named!r}" if named else ""


def _worded(
    writer: LanguageModel,
    plan: ConceptDialoguePlan,
    entry: ContextEntry,
    category: LibraryCategory,
    facts: Sequence[DialogueFact],
    stage: str,
) -> tuple[tuple[str, ...], Provenance] | Rejection:
    """Return the wording of each question, or why there are none; asked for once more where a rule refuses it."""
    asked = ProbeWritingInput(
        edition=plan.edition,
        handle=plan.handle,
        category=category,
        dialogue=tuple(line for turn in entry.turns for line in (f"User: {turn.user}", f"Assistant: {turn.assistant}")),
        facts=tuple(AskedFact(kind=one.kind, answer=one.value, wrong=one.options) for one in facts),
    )
    problem = ""
    for sample in range(_ATTEMPTS):
        try:
            given = writer.run(PROBE_WRITING, asked, sample=sample)
        except GenerationRejected as error:
            problem = str(error)
            continue
        problem = _problem(given.output, plan.handle, facts)
        if not problem:
            return given.output.questions, given.provenance
    return Rejection(stage=stage, item=plan.dialogue_id, reason="questions_not_worded", detail=problem[:500])


def _problem(written: ProbeWritingOutput, handle: str, facts: Sequence[DialogueFact]) -> str:
    if len(written.questions) != len(facts):
        return f"{len(written.questions)} questions about {len(facts)} facts"
    found = (
        probe_problem(text, handle, (fact.value, *fact.options))
        for text, fact in zip(written.questions, facts, strict=True)
    )
    return next((one for one in found if one), "")


def _letters(rng: random.Random) -> Iterator[int]:
    """Yield places of right options without end, each as often as the others within a block."""
    while True:
        block = list(range(_CHOICES))
        rng.shuffle(block)
        yield from block


def _laid_out(fact: DialogueFact, place: int, rng: random.Random) -> tuple[tuple[str, ...], int]:
    """Return the four options with the right one at ``place``."""
    wrong = rng.sample(list(fact.options), _CHOICES - 1)
    wrong.insert(place, fact.value)
    return (*(one[:1].upper() + one[1:] for one in wrong), CANNOT_BE_DETERMINED), place


def _holds(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None
