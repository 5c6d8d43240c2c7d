"""Whether a large Persona-MME release has shortcuts, and whether scores hang on what must not matter.

Run: ``.venv/bin/python perf/shortcut_audit.py [--personas N] [--cases N] [--written N] [--perturbed N] [--page FILE]``.

Cases come from plans alone, the alignment pairs from the built-in writer: attackers that see question and options, or
options alone, need no dialogue. They learn on a reference of other personas, as many as are left of the project's own
seeds, whose release has the same attributes, stems and carriers. For ``--written`` of the personas histories are also
written and their pictures drawn: the reader is asked about them without pictures, with other users' pictures and with
another user's history, and ``--perturbed`` of their cases under every perturbation; these are fewer, and say so.
Wants every task of question and options ``passed``, and nothing ``failed``.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.audit import (
    BLINDED,
    AuditReport,
    AuditRow,
    Blinding,
    BlindPolicy,
    Release,
    audit,
    audit_page,
    blind_accuracies,
    blind_attackers,
    blind_readers,
    measure_stability,
    sample_cases,
    task_shapes,
    worst,
)
from evaluation.audit_persona_mme import PersonaMmeAudit, answers_of
from evaluation.baselines import FullContextPolicy
from evaluation.persona_mme import BENCHMARK, run_policy
from lifeloom.models.builtin import BuiltinModel
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.models.protocol import PictureNotDrawn, PictureSource
from lifeloom.records import (
    LETTERS,
    BenchmarkCase,
    ConversationPlan,
    Persona,
    PersonaSeed,
    PictureReference,
    Prediction,
    Setting,
    Turn,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue import GIVEN_NAMES
from lifeloom.synthesis.dialogues import planned_pictures, write_conversation
from lifeloom.synthesis.persona_mme import CaseMaking, make_release_cases
from lifeloom.synthesis.personas import enrich_persona
from lifeloom.synthesis.planning.shapes import shape_for
from lifeloom.synthesis.plans import plan_conversation
from lifeloom.synthesis.seeds import builtin_personas_path, load_persona_seeds

RELEASE, MARGIN, MINIMUM_CASES = "release", 0.05, 400
ADAPTER = PersonaMmeAudit()
_SETTINGS: tuple[Setting, ...] = ("32k", "32k", "32k", "128k")


@dataclass(frozen=True)
class Written:
    """Histories of some personas, with their pictures."""

    turns: dict[str, list[Turn]]
    files: dict[str, bytes]

    def picture(self, reference: PictureReference) -> bytes:
        """Return a file: a ``PictureSource``."""
        return self.files[reference.content_hash]


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


def kept(
    pairs: Iterator[tuple[Persona, ConversationPlan]], count: int, into: list[tuple[Persona, ConversationPlan]]
) -> Iterator[tuple[Persona, ConversationPlan]]:
    """Pass ``pairs`` on and keep the first ``count`` of them."""
    for pair in pairs:
        if len(into) < count:
            into.append(pair)
        yield pair


def predictions_of(attacker: BlindPolicy, cases: Sequence[BenchmarkCase]) -> list[Prediction]:
    """Ask an attacker; its history is only as long as the cases ask for, and it never looks."""
    longest: dict[str, int] = {}
    for case in cases:
        longest[case.persona_id] = max(longest.get(case.persona_id, 0), case.history_turns)

    def turns(persona_id: str) -> Iterator[Turn]:
        for number in range(longest[persona_id]):
            yield Turn.model_construct(persona_id=persona_id, turn_index=number)

    return run_policy(attacker, cases, turns).predictions


def write(pairs: Sequence[tuple[Persona, ConversationPlan]], model: BuiltinModel) -> Written:
    """Draw the pictures of ``pairs`` on all cores, then write their conversations."""
    from lifeloom.models.builtin.painter.pool import DrawingPool

    files: dict[str, bytes] = {}
    references: dict[str, PictureReference] = {}
    plans = [picture for _, plan in pairs for picture in planned_pictures(plan)]
    with DrawingPool(2) as pool:
        for plan, drawn in zip(plans, pool.draw_many(plans), strict=True):
            if isinstance(drawn, PictureNotDrawn):
                raise drawn
            content = hashlib.sha256(drawn.data).hexdigest()
            files[content] = drawn.data
            references[plan.picture_id] = PictureReference(content_hash=content, width=drawn.width, height=drawn.height)
    turns = {
        persona.persona_id: list(write_conversation(plan, persona, model, references).turns) for persona, plan in pairs
    }
    return Written(turns, files)


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


def show_policies(cases: Sequence[BenchmarkCase], predictions: Sequence[Prediction]) -> None:
    task_of = {case.case_id: case.task for case in cases}
    asked: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for prediction in predictions:
        key = (prediction.policy, task_of[prediction.case_id] if prediction.question == "choice" else "PA")
        asked[key] += 1
        right[key] += prediction.correct
    tasks = sorted({task for _, task in asked})
    print(f"\n{'accuracy':18}" + "".join(f"{task:>7}" for task in tasks))
    for policy in dict.fromkeys(policy for policy, _ in asked):
        shares = [
            f"{right[policy, task] / asked[policy, task]:7.1%}" if asked[policy, task] else 7 * " " for task in tasks
        ]
        print(f"{policy:18}" + "".join(shares))


def show_cases(making: CaseMaking) -> None:
    print(f"\n{'task':8}{'cases':>7}{'pictured':>9}{'pairs':>7}{'right letters a-d':>24}{'uniquely longest':>18}")
    for task in sorted({case.task for case in making.cases}):
        own = [case for case in making.cases if case.task == task]
        letters = " ".join(f"{sum(case.answer == letter for case in own):5}" for letter in LETTERS)
        longest = sum(map(uniquely_longest, own)) / len(own)
        print(
            f"{task:8}{len(own):7,}{sum(c.needs_pictures for c in own):9,}"
            f"{sum(c.alignment is not None for c in own):7,}{letters:>24}{longest:18.1%}"
        )
    for note in making.notes:
        print(f"note: {note}")
    shape = task_shapes(RELEASE, ADAPTER.reference(making.cases).choices)[-1]
    print(f"near-duplicate cases: {shape.near_duplicates} of {shape.cases:,}")


def main(personas: int, cases_a_persona: int, seed: int, written: int, perturbed: int, page: Path | None) -> None:
    started = time.perf_counter()
    streams, encoder = Streams(seed), MiniLmEncoder()
    model = BuiltinModel(encoder=encoder)
    seeds = sorted(load_persona_seeds(builtin_personas_path()).seeds, key=lambda item: item.seed_id)
    random.Random(seed).shuffle(seeds)
    first: list[tuple[Persona, ConversationPlan]] = []
    makings = [
        make_release_cases(
            pairs,
            release_id=name,
            model=model,
            cases_per_persona=cases_a_persona,
            streams=Streams(seed + offset),
        )
        for offset, (name, pairs) in enumerate(
            (
                (RELEASE, kept(planned(seeds[:personas], model, streams), written, first)),
                ("reference", planned(seeds[personas:], model, streams)),
            )
        )
    ]
    release, reference = makings
    print(
        f"{personas} personas, {len(release.cases):,} cases; reference of {len(seeds) - personas} other personas, "
        f"{len(reference.cases):,} cases; made in {time.perf_counter() - started:.0f} s"
    )
    show_cases(release)
    started = time.perf_counter()
    attackers = blind_attackers(ADAPTER.reference(reference.cases), encoder, code="perf", seed=seed)
    encoder.encode([option.text for case in release.cases for option in case.options])
    predictions = [row for attacker in attackers for row in predictions_of(attacker, release.cases)]
    print(f"\nattacked in {time.perf_counter() - started:.0f} s", flush=True)
    report = AuditReport(BENCHMARK, RELEASE, (), (), task_shapes(RELEASE, ADAPTER.reference(release.cases).choices))
    stability = []
    if written:
        read, stability = read_histories(first, release.cases, encoder, streams, perturbed)
        predictions += read
    asked = [question for case in release.cases for question in ADAPTER.questions(case)]
    audited = [row for row in predictions if row.policy != FullContextPolicy.policy_name]
    rows = audit(RELEASE, asked, answers_of(audited), margin=MARGIN, minimum_cases=MINIMUM_CASES, sampled=BLINDED)
    show_policies(release.cases, predictions)
    show_audit(rows)
    print()
    for found in stability:
        print(found.sentence())
    print(f"\nshortcuts: {worst(row.verdict for row in rows)}")
    if page is not None:
        report = AuditReport(
            BENCHMARK, RELEASE, rows, blind_accuracies(RELEASE, asked, answers_of(audited)), report.shapes, stability
        )
        page.write_text(audit_page(report), encoding="utf-8")


def read_histories(
    pairs: Sequence[tuple[Persona, ConversationPlan]],
    cases: Sequence[BenchmarkCase],
    encoder: MiniLmEncoder,
    streams: Streams,
    perturbed: int,
) -> tuple[list[Prediction], list]:
    """Ask the reader about written histories: as they are, blinded, and perturbed."""
    from lifeloom.models.builtin.eyes import Eyes

    started = time.perf_counter()
    histories = write(pairs, BuiltinModel(encoder=encoder))
    own = [case for case in cases if case.persona_id in histories.turns]
    turns = sum(len(history) for history in histories.turns.values())
    print(
        f"{len(pairs)} histories of {turns:,} turns and {len(histories.files):,} pictures for {len(own):,} cases, "
        f"{sum(case.needs_pictures for case in own):,} of which need pictures; written in "
        f"{time.perf_counter() - started:.0f} s",
        flush=True,
    )
    started = time.perf_counter()
    eyes = Eyes()

    def policy_of(pictures: PictureSource) -> FullContextPolicy:
        return FullContextPolicy(BuiltinModel(encoder=encoder, eyes=eyes, pictures=pictures), code="perf")

    policy = policy_of(histories.picture)
    tests = [
        Blinding(policy, tuple(own), histories.turns.__getitem__),
        *blind_readers(policy, ADAPTER, own, histories.turns, streams),
    ]
    predictions = []
    for test in tests:
        predictions += run_policy(test.policy, test.cases, test.turns_of).predictions
        print(f"{test.policy.name}: {len(test.cases):,} cases, {time.perf_counter() - started:.0f} s", flush=True)
    rows = (
        measure_stability(
            policy_of,
            ADAPTER,
            Release(
                sample_cases(own, perturbed, ADAPTER.persona_id, streams.rng("perturbed")),
                histories.turns,
                histories.picture,
                {one.persona_id: (one.name, *(other.name for other in one.circle)) for one, _ in pairs},
                GIVEN_NAMES,
            ),
            RELEASE,
            streams,
        )
        if perturbed
        else []
    )
    print(f"perturbed: {perturbed} cases, {time.perf_counter() - started:.0f} s", flush=True)
    return predictions, rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("personas", 440), ("cases", 12), ("seed", 7), ("written", 40), ("perturbed", 120)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--page", type=Path)
    given = parser.parse_args()
    main(given.personas, given.cases, given.seed, given.written, given.perturbed, given.page)
