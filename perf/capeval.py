"""How fast CapEval-QAs is judged and scored when the judge answers at once: everything that is not the judge.

Run: ``.venv/bin/python perf/capeval.py [samples]``. Wants 3,000 questions a second over ``judge_captions`` and
``score_captions`` with 1,000 resamples, and at most 2.1 times the time for twice the samples.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Sequence
from typing import Any

from evaluation.capeval.scoring import ScoredBy, score_captions
from lifeloom.models.protocol import Generation, ModelIdentity, OptionScores, Usage
from lifeloom.records import (
    BY_CODE,
    CANNOT_BE_DETERMINED,
    Caption,
    CaptionSample,
    ContextEntry,
    DialogueTurn,
    PictureReference,
    ProbeQuestion,
    Provenance,
)
from lifeloom.scoring.probe_judging import judge_captions
from lifeloom.tasks import GenerationTask, TextOutput

CONCEPTS = (1, 2, 3, 4)
PICTURE = PictureReference(content_hash="0" * 64, width=512, height=512)
TURNS = (DialogueTurn(user="I met Ana at Harbour Market.", assistant="Noted."),)
BY = ScoredBy(
    release_id="perf", judge="code/at-once", backend="code", model="", code_revision="", seed=1, bootstrap_samples=1000
)


class AnswersAtOnce:
    """A judge that says A, B, C and D in turn."""

    identity = ModelIdentity("code", "answers-at-once")
    window_tokens = 32_768
    scores_options = False
    takes_pictures = False

    def __init__(self) -> None:
        made_by = Provenance(backend="code", model="", prompt_version="")
        texts = [TextOutput(text=f"Because of it.\nAnswer: \\boxed{{{letter}}}") for letter in "ABCD"]
        self._given = itertools.cycle([Generation(text, Usage(0, 1), made_by) for text in texts])

    def run(
        self, task: GenerationTask[Any, Any], task_input: Any, images: Sequence[PictureReference] = (), **_: Any
    ) -> Generation[Any]:
        """Answer without looking; the prompt is rendered, as every server's is."""
        task.render(task_input)
        return next(self._given)

    def score_options(self, *args: Any, **kwargs: Any) -> OptionScores:
        """Never asked."""
        raise NotImplementedError

    def check(self) -> str:
        """Say that it answers."""
        return "ok"


def made(samples: int) -> tuple[list[CaptionSample], list[ProbeQuestion], dict[str, Caption]]:
    """Return contexts of one to four concepts with two negatives each, their questions and captions of 100 words."""
    contexts, questions, captions = [], [], {}
    text = " ".join(f"word{number}" for number in range(100))
    for number in range(samples):
        name, concepts = f"perf-s{number:05d}", CONCEPTS[number % len(CONCEPTS)]
        entries = tuple(
            ContextEntry(
                image_id=f"lib-{index}",
                identity=f"lib-{index}",
                picture=PICTURE,
                dialogue_id=f"{name}-c{index}",
                turns=TURNS,
                positive=index < concepts,
            )
            for index in range(3 * concepts)
        )
        contexts.append(
            CaptionSample(
                sample_id=name, release_id="perf", split="benchmark", query=PICTURE, entries=entries, made_by=BY_CODE
            )
        )
        for index, entry in enumerate(entries):
            for asked in range(3):
                questions.append(
                    ProbeQuestion(
                        question_id=f"{entry.dialogue_id}-q{asked}",
                        sample_id=name,
                        dialogue_id=entry.dialogue_id,
                        entry=index,
                        positive=entry.positive,
                        concepts=concepts,
                        fact="place",
                        question="Where was the user with Ana?",
                        options=("Harbour Market", "Quarry Cinema", "Birch Bridge", CANNOT_BE_DETERMINED),
                        answer="ABC"[asked],  # type: ignore[arg-type]
                        made_by=BY_CODE,
                    )
                )
        captions[name] = Caption(
            sample_id=name,
            policy="perf",
            fingerprint="perf",
            text=text,
            recognised=(0,),
            prompt_tokens=1,
            completion_tokens=130,
            made_by=BY_CODE,
        )
    return contexts, questions, captions


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 1300
    before = 0.0
    for count in (samples // 2, samples):
        contexts, questions, captions = made(count)
        started = time.perf_counter()
        answers = list(judge_captions(AnswersAtOnce(), captions, questions, policy="perf", fingerprint="perf"))
        judged = time.perf_counter()
        score_captions(contexts, questions, list(captions.values()), answers, BY)
        seconds = time.perf_counter() - started
        growth = f", {seconds / before:.2f} times the time of half as many" if before else ""
        print(
            f"{count} samples, {len(questions):,} questions: {len(questions) / seconds:,.0f} a second "
            f"(judging {judged - started:.2f} s, scoring {seconds - judged + started:.2f} s){growth}"
        )
        before = seconds


if __name__ == "__main__":
    main()
