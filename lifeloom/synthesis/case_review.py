"""The review queue for cases: what a person reads to judge a case, and how the answer is honoured.

Each case is judged as the paper's annotators did (PersonaVLM Appendix D, quality assurance): whether the question suits
its task, whether the marked answer is right, and whether the alignment pair is valid. ``accept`` keeps the case;
``reject`` takes it out; ``reject`` with a note that begins with "alignment" takes out the pair and keeps the case.

The accounts of ``persona_mme`` still hold afterwards: a case taken out is a rejection of ``persona_mme/cases``, a pair
taken out, with its case or alone, one of ``persona_mme/alignment``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from lifeloom.records import BenchmarkCase, Rejection, ReviewItem, Turn
from lifeloom.records.base import local_time
from lifeloom.streams import stable_hash
from lifeloom.synthesis.review import ReviewAnswers

__all__ = ["REJECTED_BY_REVIEWER", "apply_case_answers", "case_review_items", "taken_out_by_task"]

REJECTED_BY_REVIEWER = "rejected_by_reviewer"

_ASKS: dict[str, str] = {
    "VDR": "recalls a detail of a picture",
    "SIR": "recalls something that the user said",
    "EII": "asks for an intent that the user has stated",
    "IIR": "asks for an intent that the user never stated but showed",
    "LPR": "asks for the latest of the user's preferences",
    "IEA": "asks how an interest has changed over time",
    "IPR": "asks for a recommendation that suits a taste which the user never stated",
    "BPR": "asks for what the user usually does on an occasion",
    "LGT": "asks for a goal that the user pursues over months",
    "RR": "asks who somebody is to the user",
    "RDC": "asks how things between the user and others have changed",
    "TED": "asks how to explain something at the user's level",
    "GNS": "asks to carry a known preference over to a new situation",
}
"""What a question of each task does, for the annotator (PersonaVLM Table 5)."""


def case_review_items(
    cases: Iterable[BenchmarkCase],
    turns_of: Callable[[str], Iterable[Turn]],
    *,
    key: str,
    most: int | None = None,
) -> list[ReviewItem]:
    """Return a queue entry for each case, in the order of ``cases``. The id of an entry is the id of its case.

    Args:
        cases: of one release.
        turns_of: the turns of a persona, from the first on; asked once a persona, only evidence is kept.
        key: of the data set, for ``where``.
        most: entries at most; of more cases, ones spread evenly over the tasks, the same every time. None: all.
    """
    chosen = _sample(list(cases), most)
    wanted: dict[str, set[int]] = {}
    for case in chosen:
        wanted.setdefault(case.persona_id, set()).update(case.evidence_turns)
    shown = {
        persona_id: {turn.turn_index: turn for turn in turns_of(persona_id) if turn.turn_index in indices}
        for persona_id, indices in wanted.items()
    }
    return [_item(case, [shown[case.persona_id].get(index) for index in case.evidence_turns], key) for case in chosen]


def apply_case_answers(
    cases: Iterable[BenchmarkCase], answers: ReviewAnswers
) -> tuple[list[BenchmarkCase], list[Rejection]]:
    """Return the cases that stay, without rejected pairs, and what was taken out with the reviewer's note.

    Answers to cases that are not among ``cases`` are of no concern.
    """
    kept: list[BenchmarkCase] = []
    rejections: list[Rejection] = []
    for case in cases:
        if answers.get(case.case_id) != "reject":
            kept.append(case)
            continue
        note = answers.notes.get(case.case_id, "").strip()
        of_pair_only = case.alignment is not None and note.casefold().startswith("alignment")
        if of_pair_only:
            kept.append(case.model_copy(update={"alignment": None}))
        else:
            rejections.append(_rejection("persona_mme/cases", f"{case.task} {case.case_id}", note))
        if case.alignment is not None:
            rejections.append(
                _rejection("persona_mme/alignment", case.case_id, note if of_pair_only else "its case was rejected")
            )
    return kept, rejections


def taken_out_by_task(rejections: Iterable[Rejection]) -> Counter[str]:
    """Return how many cases of each task a reviewer took out."""
    return Counter(
        rejection.item.split(" ", 1)[0]
        for rejection in rejections
        if rejection.stage == "persona_mme/cases" and rejection.reason == REJECTED_BY_REVIEWER
    )


def _rejection(stage: str, item: str, note: str) -> Rejection:
    return Rejection(stage=stage, item=item, reason=REJECTED_BY_REVIEWER, detail=note[:500])


def _sample(cases: list[BenchmarkCase], most: int | None) -> list[BenchmarkCase]:
    if most is None or len(cases) <= most:
        return cases
    places: Counter[str] = Counter()
    ranked = []
    for case in sorted(cases, key=lambda case: stable_hash("case review", case.case_id)):
        ranked.append((places[case.task], case.case_id))
        places[case.task] += 1
    chosen = {case_id for _, case_id in sorted(ranked)[:most]}
    return [case for case in cases if case.case_id in chosen]


def _item(case: BenchmarkCase, evidence: Sequence[Turn | None], key: str) -> ReviewItem:
    lines = [
        f"{case.task} ({case.aspect}), asked {_when(case)} after {case.history_turns} turns",
        f"Question: {case.query}",
        *(
            f"{'->' if option.letter == case.answer else '  '} ({option.letter}) {option.text} [{option.source}]"
            for option in case.options
        ),
        "Evidence:",
    ]
    for index, turn in zip(case.evidence_turns, evidence, strict=True):
        lines += _evidence_lines(case, index, turn)
    if case.alignment is not None:
        lines += [
            "Alignment pair:",
            f"  suits the user: {case.alignment.chosen}",
            f"  does not suit: {case.alignment.rejected}",
        ]
    why = (
        f"Three points. Consistency: does the question fit its task, which {_ASKS.get(case.task, 'is unknown')}? "
        "Right answer: does the marked option, and no other, follow from the history at that moment? "
        + (
            "Alignment validity: does the first response suit the user's personality and the second clash with it? "
            'If only the pair is wrong, answer "reject" with a note that begins with "alignment".'
            if case.alignment is not None
            else "Alignment validity: the case has no pair."
        )
    )
    turns = ", ".join(map(str, case.evidence_turns))
    where = f"{key}, {case.case_id}, {case.persona_id} ({case.setting}), turns {turns} of {case.history_turns}"
    return ReviewItem(item_id=case.case_id, what="\n".join(lines), why=why, where=where)


def _evidence_lines(case: BenchmarkCase, index: int, turn: Turn | None) -> list[str]:
    if turn is None:
        return [f"  turn {index}: not in the history"]
    when = f"{local_time(turn.at, turn.offset_minutes):%Y-%m-%d %H:%M}"
    lines = [f"  turn {index}, {when}, user: {turn.user}"]
    if turn.pictures:
        names = ", ".join(picture.content_hash[:12] for picture in turn.pictures)
        must = " (must be seen)" if index in case.picture_turns else ""
        lines.append(f"    pictures{must}: {names}")
    return lines


def _when(case: BenchmarkCase) -> str:
    return f"{local_time(case.asked_at, case.offset_minutes):%Y-%m-%d %H:%M}"
