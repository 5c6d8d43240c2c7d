"""Whether a large Persona-MME release has shortcuts: blind attackers on 400 cases a task and more.

Run: ``.venv/bin/python perf/shortcut_audit.py [release personas] [cases a persona] [seed]``. Cases come from plans
alone (no dialogue is written: a blind policy sees none), the alignment pairs from the built-in writer. The attackers
learn on a reference of other personas, as many as are left of the project's own seeds, whose release has the same
attributes, stems and carriers. Wants every task ``passed``: no blind policy's lower bound above chance + 5 points.
"""

from __future__ import annotations

import datetime as dt
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from evaluation.audit import AuditRow, BlindPolicy, audit, blind_attackers
from evaluation.audit_persona_mme import PersonaMmeAudit, answers_of
from evaluation.persona_mme import run_policy
from lifeloom.models.builtin import BuiltinModel
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.records import LETTERS, BenchmarkCase, ConversationPlan, Persona, PersonaSeed, Prediction, Setting, Turn
from lifeloom.streams import Streams
from lifeloom.synthesis.persona_mme import CaseMaking, make_release_cases
from lifeloom.synthesis.personas import enrich_persona
from lifeloom.synthesis.plans import plan_conversation, shape_for
from lifeloom.synthesis.seeds import builtin_personas_path, load_persona_seeds

MARGIN, MINIMUM_CASES = 0.05, 400
_SETTINGS: tuple[Setting, ...] = ("32k", "32k", "32k", "128k")


def planned(
    seeds: Sequence[PersonaSeed], model: BuiltinModel, streams: Streams
) -> Iterator[tuple[Persona, ConversationPlan]]:
    """Yield a persona and a plan for each seed, every fourth of the long setting."""
    for number, seed in enumerate(seeds):
        persona = enrich_persona(seed, edition="release", model=model, streams=streams)
        setting = _SETTINGS[number % len(_SETTINGS)]
        yield (
            persona,
            plan_conversation(
                persona,
                setting=setting,
                ends_on=dt.date(2026, 1, 5),
                captions=(),
                shape=shape_for(setting),
                streams=streams,
            ),
        )


def predictions_of(attacker: BlindPolicy, cases: Sequence[BenchmarkCase]) -> list[Prediction]:
    """Ask an attacker; its history is only as long as the cases ask for, and it never looks."""
    longest: dict[str, int] = {}
    for case in cases:
        longest[case.persona_id] = max(longest.get(case.persona_id, 0), case.history_turns)

    def turns(persona_id: str) -> Iterator[Turn]:
        for number in range(longest[persona_id]):
            yield Turn.model_construct(persona_id=persona_id, turn_index=number)

    return run_policy(attacker, cases, turns).predictions


def uniquely_longest(case: BenchmarkCase) -> bool:
    right = next(len(option.text) for option in case.options if option.letter == case.answer)
    return all(len(option.text) < right for option in case.options if option.letter != case.answer)


def show_audit(rows: Sequence[AuditRow]) -> None:
    print(
        f"\n{'view':10}{'task':8}{'best policy':>18}{'questions':>11}{'accuracy':>10}{'bound':>8}{'limit':>8}  verdict"
    )
    for row in rows:
        print(
            f"{row.view:10}{row.task:8}{row.policy:>18}{row.questions:11,}{row.accuracy:10.1%}{row.lower_bound:8.1%}"
            f"{row.limit:8.1%}  {row.verdict}"
        )


def show_attackers(cases: Sequence[BenchmarkCase], predictions: Sequence[Prediction]) -> None:
    task_of = {case.case_id: case.task for case in cases}
    asked: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for prediction in predictions:
        key = (prediction.policy, task_of[prediction.case_id] if prediction.question == "choice" else "PA")
        asked[key] += 1
        right[key] += prediction.correct
    tasks = sorted({task for _, task in asked})
    print(f"\n{'accuracy':18}" + "".join(f"{task:>8}" for task in tasks))
    for policy in sorted({policy for policy, _ in asked}):
        print(f"{policy:18}" + "".join(f"{right[policy, task] / asked[policy, task]:8.1%}" for task in tasks))


def show_cases(making: CaseMaking) -> None:
    print(f"\n{'task':8}{'cases':>7}{'pairs':>7}{'right letters a-d':>24}{'uniquely longest':>18}")
    for task in sorted({case.task for case in making.cases}):
        own = [case for case in making.cases if case.task == task]
        letters = " ".join(f"{sum(case.answer == letter for case in own):5}" for letter in LETTERS)
        longest = sum(map(uniquely_longest, own)) / len(own)
        print(f"{task:8}{len(own):7,}{sum(c.alignment is not None for c in own):7,}{letters:>24}{longest:18.1%}")
    for note in making.notes:
        print(f"note: {note}")
    from lifeloom.synthesis.diversity import near_duplicates

    texts = [" ".join([case.query, *(option.text for option in case.options)]) for case in making.cases]
    repeated = {later for _, later in near_duplicates(texts)}
    print(f"near-duplicate cases: {len(repeated)} of {len(texts):,} ({len(repeated) / len(texts):.2%})")


def main(personas: int, cases_a_persona: int, seed: int) -> None:
    started = time.perf_counter()
    streams, encoder = Streams(seed), MiniLmEncoder()
    model = BuiltinModel(encoder=encoder)
    seeds = sorted(load_persona_seeds(builtin_personas_path()).seeds, key=lambda item: item.seed_id)
    random.Random(seed).shuffle(seeds)
    makings = [
        make_release_cases(
            planned(part, model, streams),
            release_id=name,
            model=model,
            cases_per_persona=cases_a_persona,
            streams=Streams(seed + offset),
        )
        for offset, (name, part) in enumerate((("release", seeds[:personas]), ("reference", seeds[personas:])))
    ]
    release, reference = makings
    print(
        f"{personas} personas, {len(release.cases):,} cases; reference of {len(seeds) - personas} other personas, "
        f"{len(reference.cases):,} cases; made in {time.perf_counter() - started:.0f} s"
    )
    show_cases(release)
    started = time.perf_counter()
    adapter = PersonaMmeAudit()
    attackers = blind_attackers(adapter.reference(reference.cases), encoder, code="perf", seed=seed)
    encoder.encode([option.text for case in release.cases for option in case.options])
    predictions = [row for attacker in attackers for row in predictions_of(attacker, release.cases)]
    show_attackers(release.cases, predictions)
    questions = [question for case in release.cases for question in adapter.questions(case)]
    show_audit(audit("release", questions, answers_of(predictions), margin=MARGIN, minimum_cases=MINIMUM_CASES))
    print(f"attacked in {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    main(*(given + [320, 12, 7][len(given) :]))
