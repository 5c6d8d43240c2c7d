"""Reasoning QA: whole trajectories of a teacher that answers from the query and what it retrieved (P13).

The teacher is the assistant's own response stage with a model of the profile. It sees what any assistant would: the
query, the session and the memories that it asks for. The plan only says afterwards whether the answer is right
(rejection sampling); of the answer no word comes from it (PersonaVLM Appendix C, "Data Distribution").
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass

from lifeloom.assistant import Query, Response, ResponseStage
from lifeloom.assistant.sessions import is_new_session
from lifeloom.memory import UserMemory
from lifeloom.records import Moment, Rejection, RlPrompt, SftExample, TrainingMessage
from lifeloom.records.base import make_id
from lifeloom.tasks import RESPONSE_STEP, OptionText, conversation_messages

__all__ = ["Asked", "Teacher", "reasoning_example"]

_STAGE = "sft_examples/reasoning_qa"
_AT_ONCE = 64
"""Turns that are read to find the session; in 60 minutes fewer are said."""


@dataclass(frozen=True)
class Asked:
    """A question that was put to the teacher, and its reply."""

    prompt: RlPrompt
    response: Response
    retrievals: int
    """Allowed in this trajectory."""
    seen: frozenset[int]
    """Turns that stood behind what the teacher saw: those of the session, and the sources of its memories."""


@dataclass(frozen=True)
class Teacher:
    """Replies with retrieval, and without where the session itself says what is asked for.

    Args:
        stage: replies and may retrieve.
        direct: the same with a single step: it has to answer at once.
    """

    stage: ResponseStage
    direct: ResponseStage

    def asked(self, prompt: RlPrompt, memory: UserMemory, rng: random.Random, right: Callable[[str], bool]) -> Asked:
        """Put a question, as of its moment. What can be answered from the session alone is not looked up.

        Args:
            prompt: the question.
            memory: of its user; only read.
            rng: draws how many memories a retrieval brings (Appendix B.2).
            right: whether an answer is right; asked whether answering at once was good enough.

        Raises:
            MemoryFailure: the memory cannot be read.
            ModelUnavailable: or another error of the model that concerns more than this question.
        """
        query = Query(
            text=prompt.query,
            at=prompt.asked_at,
            offset_minutes=prompt.offset_minutes,
            options=tuple(OptionText(letter=one.letter, text=one.text) for one in prompt.options),
            response=prompt.response,
        )
        as_of = Moment(prompt.asked_at, prompt.history_turns)
        session = _session(prompt, memory, as_of, self.stage.settings.session_minutes)
        if prompt.evidence_turns and session.issuperset(prompt.evidence_turns):
            response = self.direct.respond(memory, query, as_of=as_of, rng=rng)
            if response.well_formed and right(response.text):
                return Asked(prompt, response, 0, session)
        response = self.stage.respond(memory, query, as_of=as_of, rng=rng)
        shown = (*memory.core(as_of), *(memory.memory(one.memory_id) for one in response.trace.found))
        seen = session.union(*(one.source_turns for one in shown))
        return Asked(prompt, response, self.stage.settings.steps - 1, seen)


def reasoning_example(asked: Asked, right: Callable[[str], bool]) -> SftExample | Rejection:
    """Return the trajectory as an example, or why it is none.

    Reasons: why there is no answer (``no_answer``, that of a refused output), ``not_well_formed``, ``wrong_answer``,
    ``not_grounded`` (right, but what the answer follows from was never seen: a lucky guess), ``cut`` (its prompt had no
    room for everything).
    """
    prompt, response = asked.prompt, asked.response
    steps = response.trace.steps
    reason, detail = "", response.text
    if response.failure:
        reason = response.failure
    elif not response.well_formed or response.prompt is None:
        reason, detail = "not_well_formed", ", ".join(name for step in steps for name in step.repairs)
    elif not right(response.text):
        reason = "wrong_answer"
    elif missing := set(prompt.evidence_turns) - asked.seen:
        reason, detail = "not_grounded", f"turns {', '.join(map(str, sorted(missing)))} were not seen"
    elif any(step.notes for step in steps) or any(step.must_answer not in ("", "steps") for step in steps):
        reason, detail = "cut", "; ".join(note for step in steps for note in step.notes)
    if reason or response.prompt is None:
        return Rejection(stage=_STAGE, item=prompt.prompt_id, reason=reason, detail=detail[:500])
    said = [step.output.strip() for step in steps]
    asked_texts = conversation_messages(response.prompt.task_input, asked.retrievals)
    return SftExample(
        example_id=make_id("sft", _STAGE, prompt.prompt_id),
        family="reasoning_qa",
        kind=prompt.kind,
        user_id=prompt.user_id,
        case_id=prompt.case_id,
        retrievals=len(steps) - 1,
        messages=_conversation(asked_texts, said),
        pictures=response.prompt.pictures,
        made_by=response.made_by,
    )


def _conversation(asked: tuple[str, ...], said: list[str]) -> tuple[TrainingMessage, ...]:
    messages = [TrainingMessage(role="system", text=RESPONSE_STEP.instructions)]
    for question, answer in zip(asked, said, strict=True):
        messages += [TrainingMessage(role="user", text=question), TrainingMessage(role="assistant", text=answer)]
    return tuple(messages)


def _session(prompt: RlPrompt, memory: UserMemory, as_of: Moment, minutes: int) -> frozenset[int]:
    """Return the turns of the session that goes on at the moment, none older than ``minutes``: the context."""
    turns = memory.turns(max(0, prompt.history_turns - _AT_ONCE), as_of=as_of)
    if not turns or is_new_session(turns[-1].at, prompt.asked_at, minutes):
        return frozenset()
    oldest = prompt.asked_at - dt.timedelta(minutes=minutes)
    return frozenset(turn.index for turn in turns if turn.session == turns[-1].session and turn.at >= oldest)
