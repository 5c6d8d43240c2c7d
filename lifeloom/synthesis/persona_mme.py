"""Persona-MME cases (P17) from plans: thirteen tasks, and PA riding on a fifth of the cases.

A case is asked in situ: some turns have been said, the question comes shortly after the last of them, and the
right answer is what holds then by the plan (PersonaVLM Section 4, Appendix D). Wrong options come from the same
history. Nothing about question and options alone tells the right one apart: values are exchangeable draws, one
carrier words all four options, letters are dealt in permuted blocks.

Accounts that always hold: ``requested = cases + rejections of persona_mme/cases``, ``probes = usable_probes +
rejections of persona_mme/probes``, ``pairs_wanted = cases with a pair + rejections of persona_mme/alignment``.
"""

from __future__ import annotations

import datetime as dt
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import (
    ASPECT_OF,
    LETTERS,
    AlignmentPair,
    BenchmarkCase,
    BigFiveProfile,
    ConversationPlan,
    Letter,
    Option,
    Persona,
    Rejection,
)
from lifeloom.records.base import make_id
from lifeloom.streams import Streams
from lifeloom.synthesis.probes.drafts import Draft
from lifeloom.synthesis.probes.offers import Offer, offer_of
from lifeloom.synthesis.probes.pairs import PairChoice, choose_pairs
from lifeloom.synthesis.probes.selection import Selection
from lifeloom.tasks import ALIGNMENT_WRITING, AlignmentWritingInput, TraitScores

__all__ = ["CaseMaking", "make_release_cases"]

_SOONEST, _LATEST = 5, 50
"""Minutes after the last shown turn in which a question is asked, where the next turn allows it."""

_Trait = Literal["openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism"]


@dataclass(frozen=True)
class CaseMaking:
    """The cases of a release, and what was left out."""

    cases: tuple[BenchmarkCase, ...]
    rejections: tuple[Rejection, ...]
    requested: int = 0
    """Personas times cases a persona."""
    probes: int = 0
    """Things the plans let one ask, before asking whether enough wrong answers have been said."""
    usable_probes: int = 0
    pairs_wanted: int = 0
    notes: tuple[str, ...] = ()
    """What could not be balanced, in words for the asset's metadata; empty when everything could."""


def make_release_cases(
    pairs: Iterable[tuple[Persona, ConversationPlan]],
    *,
    release_id: str,
    model: LanguageModel,
    cases_per_persona: int,
    streams: Streams,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> CaseMaking:
    """Make the cases of one release.

    Args:
        pairs: personas with their plans, in the order of the release; read once, not kept.
        release_id: the release that the cases belong to.
        model: writes the alignment pairs; asked for nothing else.
        cases_per_persona: cases wanted from each conversation, tasks taken in turn over the release.
        streams: the seed's random streams; only streams called ``cases`` are used.
        workers: alignment pairs asked for at once.
        progress: told the number of alignment pairs that are done, and of all.

    Raises:
        ValueError: ``cases_per_persona`` is negative.
        ModelUnavailable, ModelRefusesKey: the model does not answer at all; a rejected answer only drops its pair.
    """
    if cases_per_persona < 0:
        raise ValueError(f"cases_per_persona must be 0 or more, got {cases_per_persona}")
    offers = [offer_of(persona, plan) for persona, plan in pairs]
    drafts, rejections, notes = _choose(offers, cases_per_persona, streams)
    cases = list(_deal(drafts, release_id, streams))
    choices = choose_pairs([draft.offer.big_five(draft.moment) for draft in drafts], streams.rng("cases", "alignment"))
    unbalanced = sum(not choice.balanced for choice in choices)
    if unbalanced:
        notes.append(f"PA: {unbalanced} of {len(choices)} pairs have no counterpart with the opposite trait score")
    answers = ordered_map(
        lambda choice: _pair(cases[choice.index], drafts[choice.index], choice, model), choices, workers=workers
    )
    for done, (choice, made) in enumerate(zip(choices, answers, strict=True), start=1):
        progress(done, len(choices))
        if isinstance(made, Rejection):
            rejections.append(made)
        else:
            cases[choice.index] = cases[choice.index].model_copy(update={"alignment": made})
    probes = sum(offer.probes for offer in offers)
    refused = [rejection for offer in offers for rejection in offer.rejections]
    return CaseMaking(
        cases=tuple(cases),
        rejections=(*refused, *rejections),
        requested=len(offers) * cases_per_persona,
        probes=probes,
        usable_probes=probes - len(refused),
        pairs_wanted=len(choices),
        notes=tuple(notes),
    )


def _choose(
    offers: Sequence[Offer], cases_per_persona: int, streams: Streams
) -> tuple[list[Draft], list[Rejection], list[str]]:
    selection = Selection()
    shares = selection.share_out(offers, cases_per_persona, streams.rng("cases", "tasks"))
    drafts: list[Draft] = []
    rejections: list[Rejection] = []
    for offer, share in zip(offers, shares, strict=True):
        rng = streams.rng("cases", offer.persona_id, offer.setting)
        used: Counter[str] = Counter()
        lanes = sorted(share.elements())
        rng.shuffle(lanes)
        proposed = [selection.choose(offer, lane, used, rng) for lane in lanes]
        chosen = [draft for draft in proposed if draft is not None]
        chosen.sort(key=lambda draft: (draft.moment, draft.task, draft.stem.stem_id))
        drafts += chosen
        rejections += [
            Rejection(
                stage="persona_mme/cases",
                item=f"{offer.plan_id} case {number}",
                reason="no_probe_left",
                detail=f"the conversation of {offer.persona_id} offers {len(chosen)} of {cases_per_persona} cases",
            )
            for number in range(len(chosen) + 1, cases_per_persona + 1)
        ]
    return drafts, rejections, selection.notes()


def _deal(drafts: Sequence[Draft], release_id: str, streams: Streams) -> Iterator[BenchmarkCase]:
    """Give every draft its letters and its time. Right letters come in permuted blocks of four for each task."""
    letters = {task: _letters(streams.rng("cases", "letters", task)) for task in ASPECT_OF}
    for draft in drafts:
        offer = draft.offer
        plan_id, attribute, subject, right, stem_id = draft.identity
        case_id = make_id("case", release_id, plan_id, draft.task, attribute, subject, stem_id, draft.moment, *right)
        rng = streams.rng("cases", "options", case_id)
        answer = next(letters[draft.task])
        wrong = list(draft.wrong)
        rng.shuffle(wrong)
        placed = {answer: draft.right, **dict(zip([name for name in LETTERS if name != answer], wrong, strict=True))}
        yield BenchmarkCase(
            case_id=case_id,
            release_id=release_id,
            persona_id=offer.persona_id,
            setting=offer.setting,
            task=draft.task,
            aspect=ASPECT_OF[draft.task],
            asked_at=_asked_at(offer.clock, draft.moment, rng),
            offset_minutes=offer.offset_minutes,
            history_turns=draft.moment,
            query=draft.query,
            options=tuple(
                Option(letter=letter, text=placed[letter].text, source=placed[letter].source) for letter in LETTERS
            ),
            answer=answer,
            evidence_turns=draft.evidence,
            picture_turns=draft.pictures,
            attribute=attribute,
            stem_id=stem_id,
        )


def _letters(rng: random.Random) -> Iterator[Letter]:
    while True:
        yield from rng.sample(LETTERS, len(LETTERS))


def _asked_at(clock: Sequence[dt.datetime], moment: int, rng: random.Random) -> dt.datetime:
    """Return when the question comes: minutes after the last shown turn, before the next one."""
    last = clock[moment - 1]
    latest = _LATEST
    if moment < len(clock):
        gap = clock[moment] - last
        latest = min(_LATEST, math.ceil(gap / dt.timedelta(minutes=1)) - 1)
        if latest < _SOONEST:
            return last + dt.timedelta(seconds=int(gap.total_seconds()) // 2)
    return last + dt.timedelta(minutes=rng.randint(_SOONEST, latest))


def _pair(case: BenchmarkCase, draft: Draft, choice: PairChoice, model: LanguageModel) -> AlignmentPair | Rejection:
    task_input = AlignmentWritingInput(
        query=case.query,
        content=draft.right.text,
        traits=_scores(draft.offer.big_five(draft.moment)),
        trait=cast(_Trait, choice.trait),
        edition="release",
    )
    try:
        generation = model.run(ALIGNMENT_WRITING, task_input)
    except GenerationRejected as error:
        return _no_pair(case, error.reason, error.detail)
    output = generation.output
    if output.chosen.strip() == output.rejected.strip():
        return _no_pair(case, "same_response", "chosen and rejected are the same text")
    return AlignmentPair(chosen=output.chosen, rejected=output.rejected, made_by=generation.provenance)


def _no_pair(case: BenchmarkCase, reason: str, detail: str) -> Rejection:
    return Rejection(stage="persona_mme/alignment", item=case.case_id, reason=reason, detail=detail[:500])


def _scores(profile: BigFiveProfile) -> TraitScores:
    """Return the scores as the task takes them, one decimal."""
    return TraitScores.model_validate({trait: round(score, 1) for trait, score in profile.model_dump().items()})
