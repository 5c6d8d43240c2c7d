"""How fast a benchmark is asked and scored when the model answers at once: everything that is not the model.

Run: ``.venv/bin/python perf/scoring.py [cases]``. Wants 2,000 cases a second over ``run_policy`` with the
full-context policy and ``score_predictions``, histories of 100 turns prepared within the time, and at most 2.1
times the time for twice the cases. Users have 12 cases, as in the profiles. Each row is a fresh process; turns are
made one user at a time and their making is taken off. Seconds are the process's own, all threads together, so that
others at work on the machine do not show. Memory is the process's peak above what it held before it
asked the first case.
"""

from __future__ import annotations

import cProfile
import datetime as dt
import json
import pstats
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation.baselines import FullContextPolicy
from evaluation.persona_mme import run_policy, score_predictions
from lifeloom.models.protocol import Generation, ModelIdentity, OptionScores, Usage
from lifeloom.records import LETTERS, AlignmentPair, BenchmarkCase, Option, PictureReference, Provenance, Turn
from lifeloom.synthesis.seeds import builtin_captions_path, builtin_personas_path
from lifeloom.tasks import CHOICE_ANSWER, AlignmentJudgementOutput, ChoiceAnswerOutput, GenerationTask

TURNS = 100
CASES_A_USER = 12
BOOTSTRAP = 1000
_START = dt.datetime(2025, 10, 1, 8, tzinfo=dt.UTC)
_TASKS = (
    ("SIR", "Memory"), ("EII", "Intent"), ("LPR", "Preference"), ("IEA", "Preference"),
    ("LGT", "Behavior"), ("RR", "Relationship"), ("GNS", "Growth"),
)  # fmt: skip


class AnswersAtOnce:
    """A model that says ``b`` to every choice and ``yes`` to every judgement."""

    identity = ModelIdentity("code", "answers-at-once")
    window_tokens = 32_768
    scores_options = False
    takes_pictures = False

    def run(
        self, task: GenerationTask[Any, Any], task_input: Any, images: Sequence[PictureReference] = ()
    ) -> Generation[Any]:
        """Answer without looking."""
        output = ChoiceAnswerOutput(letter="b") if task is CHOICE_ANSWER else AlignmentJudgementOutput(verdict="yes")
        return Generation(output, Usage(0, 1), Provenance(backend="code", model="", prompt_version=""))

    def score_options(self, *args: Any, **kwargs: Any) -> OptionScores:
        """Never asked."""
        raise NotImplementedError

    def check(self) -> str:
        """Say that it answers."""
        return "ok"


class Conversations:
    """Makes a user's turns of English words on demand, and counts the seconds that this takes."""

    def __init__(self) -> None:
        rows = builtin_personas_path().read_text(encoding="utf-8").splitlines()
        self._words = [word for row in rows for word in json.loads(row)["persona"].split()]
        captions = builtin_captions_path().read_text(encoding="utf-8").replace("+", " ").split()
        self._words += [word for word in captions if word.isascii() and word.isalpha()]
        self.seconds = 0.0

    def turns(self, persona_id: str) -> list[Turn]:
        """Return the whole conversation of a user."""
        started = time.process_time()
        rng = random.Random(persona_id)
        made = [
            Turn(
                turn_id=f"t-{persona_id}-{number}",
                persona_id=persona_id,
                session_id=f"s-{persona_id}-{number // 8}",
                turn_index=number,
                at=_START + dt.timedelta(minutes=1000 * number + rng.randint(0, 900)),
                offset_minutes=120,
                user=self._text(rng, 45, 90),
                assistant=self._text(rng, 80, 130),
            )
            for number in range(TURNS)
        ]
        self.seconds += time.process_time() - started
        return made

    def _text(self, rng: random.Random, shortest: int, longest: int) -> str:
        first = rng.randrange(len(self._words) - longest)
        return " ".join(self._words[first : first + rng.randint(shortest, longest)])


def make_cases(count: int) -> list[BenchmarkCase]:
    rng = random.Random(7)
    provenance = Provenance(backend="code", model="", prompt_version="")
    cases = []
    for number in range(count):
        task, aspect = _TASKS[number % len(_TASKS)]
        pair = AlignmentPair(chosen="Gladly! " * 50, rejected="Noted. " * 50, made_by=provenance)
        cases.append(
            BenchmarkCase(
                case_id=f"case-{number:012x}",
                release_id="2026-01-05",
                persona_id=f"persona-{number // CASES_A_USER:06x}",
                setting="32k" if number // CASES_A_USER % 3 else "128k",
                task=task,  # type: ignore[arg-type]
                aspect=aspect,  # type: ignore[arg-type]
                asked_at=_START + dt.timedelta(days=80, minutes=number),
                offset_minutes=120,
                history_turns=rng.randint(TURNS // 5, TURNS),
                query=f"Quick question for you. Which of these did I settle on for outing number {number}?",
                options=tuple(
                    Option(letter=letter, text=f"You go for {letter * 3} walks now", source="right")
                    for letter in LETTERS
                ),
                answer=LETTERS[number % 4],
                alignment=pair if number % 5 == 0 else None,
                evidence_turns=(1,),
                attribute="drink",
                stem_id="drink-1",
            )
        )
    return cases


def memory(field: str) -> float:
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith(field)) / 1024


def measure(count: int) -> dict[str, float]:
    """Ask and score ``count`` cases in this process."""
    cases, conversations = make_cases(count), Conversations()
    policy = FullContextPolicy(AnswersAtOnce(), code="perf")
    run_policy(policy, cases[:CASES_A_USER], conversations.turns)  # imports, tokenizer and templates are loaded once
    score_predictions_of(policy, cases[:CASES_A_USER], conversations)
    conversations.seconds, before = 0.0, memory("VmRSS")
    started = time.process_time()
    run = run_policy(policy, cases, conversations.turns)
    asked = time.process_time() - started - conversations.seconds
    started = time.process_time()
    scores = score(cases, run.predictions)
    scored = time.process_time() - started
    return {
        "cases": count,
        "asked": asked,
        "scored": scored,
        "rows": len(scores),
        "tokens": scores[0].prompt_tokens_per_case,
        "peak": memory("VmHWM"),
        "grown": memory("VmHWM") - before,
    }


def score(cases: Sequence[BenchmarkCase], predictions: Sequence[Any]) -> list[Any]:
    return score_predictions(
        cases, predictions, backend="code", model="x", code_revision="r", seed=7, bootstrap_samples=BOOTSTRAP
    )


def score_predictions_of(policy: FullContextPolicy, cases: list[BenchmarkCase], conversations: Conversations) -> None:
    score(cases, run_policy(policy, cases, conversations.turns).predictions)


def show_profile(count: int) -> None:
    profiler = cProfile.Profile()
    profiler.runcall(measure, count)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def main(count: int) -> None:
    print(f"histories of {TURNS} turns, {CASES_A_USER} cases a user, a pair on every fifth, {BOOTSTRAP} bootstraps")
    print(f"{'cases':>8}{'asked s':>9}{'scored s':>10}{'cases/s':>9}{'time':>7}{'peak MiB':>10}{'grown MiB':>11}"
          f"{'tokens/case':>13}")  # fmt: skip
    before = 0.0
    for cases in (count // 2, count, 2 * count):
        runs = [
            json.loads(
                subprocess.run(
                    [sys.executable, __file__, "--measure", str(cases)], check=True, capture_output=True
                ).stdout
            )
            for _ in range(3)  # the best counts
        ]
        best = min(runs, key=lambda run: run["asked"] + run["scored"])
        seconds = best["asked"] + best["scored"]
        ratio = f"{seconds / before:6.2f}x" if before else " " * 7
        print(
            f"{cases:8,}{best['asked']:9.2f}{best['scored']:10.2f}{cases / seconds:9,.0f}{ratio}{best['peak']:10.0f}"
            f"{best['grown']:11.0f}{best['tokens']:13,.0f}"
        )
        before = seconds


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(int(sys.argv[2]))))
    elif sys.argv[1:2] == ["--profile"]:
        show_profile(int(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 4_800)
