"""Prompts of reinforcement learning for the assistant: open, multiple choice, binary (P14; PersonaVLM Section 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lifeloom.records import BenchmarkCase, PromptOption, RlKind, RlPrompt, TaskName
from lifeloom.records.base import make_id
from lifeloom.streams import stable_hash

__all__ = ["OPEN_TASKS", "is_for_rl", "rl_prompts"]

OPEN_TASKS: frozenset[TaskName] = frozenset(["VDR", "SIR", "EII", "IIR", "LPR", "BPR", "LGT", "RR"])
"""Tasks whose questions have one right answer in words; of the others many answers would do."""

_THOUSAND = 1000


def is_for_rl(case: BenchmarkCase, share: float) -> bool:
    """Return whether a case is a prompt of RL rather than an example of SFT; about ``share`` (0..1) of all are.

    It follows from the case's id alone: no question is in both sets, whatever else is made.
    """
    return stable_hash("rl", case.case_id) % _THOUSAND < share * _THOUSAND


def rl_prompts(cases: Iterable[BenchmarkCase], *, memories: str, dialogues: str) -> Iterator[RlPrompt]:
    """Yield every prompt that the cases allow: each as a choice or openly, and their alignment pairs twice as binary.

    Of the cases that can be asked openly a half is, by their ids, so that no question is asked in both ways.

    Args:
        cases: of personas of training.
        memories: key of the data set with their memories.
        dialogues: key of their conversations.
    """
    for case in cases:
        options = tuple(PromptOption(letter=one.letter, text=one.text) for one in case.options)
        if case.task in OPEN_TASKS and stable_hash("open", case.case_id) % 2:
            right = next(one.text for one in case.options if one.letter == case.answer)
            yield _prompt(case, "open", memories, dialogues, answer=right)
        else:
            yield _prompt(case, "choice", memories, dialogues, answer=case.answer, options=options)
        if case.alignment is not None:
            for response, answer in ((case.alignment.chosen, "yes"), (case.alignment.rejected, "no")):
                yield _prompt(case, "binary", memories, dialogues, answer=answer, response=response)


def _prompt(
    case: BenchmarkCase,
    kind: RlKind,
    memories: str,
    dialogues: str,
    *,
    answer: str,
    options: tuple[PromptOption, ...] = (),
    response: str = "",
) -> RlPrompt:
    return RlPrompt(
        prompt_id=make_id("prompt", case.case_id, kind, answer if kind == "binary" else ""),
        kind=kind,
        task=case.task,
        case_id=case.case_id,
        user_id=case.persona_id,
        memories=memories,
        dialogues=dialogues,
        asked_at=case.asked_at,
        offset_minutes=case.offset_minutes,
        history_turns=case.history_turns,
        query=case.query,
        options=options,
        response=response,
        answer=answer,
        evidence_turns=() if kind == "binary" else case.evidence_turns,
    )
