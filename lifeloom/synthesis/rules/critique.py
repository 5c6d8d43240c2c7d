"""The critic's view (P4): a model reads a session's text, without its plan, and says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import Turn, local_time
from lifeloom.synthesis.rules.findings import Finding, Reason
from lifeloom.tasks import SESSION_CRITIQUE, CritiqueTurn, SessionCritiqueInput

__all__ = ["critic_findings"]

_REASONS: dict[str, Reason] = {
    "unsafe": "unsafe_text",
    "contradiction": "contradiction",
    "incoherent": "incoherent",
    "wrong_date": "wrong_date",
}


def critic_findings(critic: LanguageModel, session_index: int, turns: Sequence[Turn]) -> list[Finding]:
    """Return what ``critic`` finds in the text of one session, at most one of a kind for a turn.

    Unsafe text is certain: it must not stay. All else is the critic's word alone, for a person to decide.

    Raises:
        ModelUnavailable, ModelRefusesKey: the critic stopped answering.
    """
    if not turns:
        return []
    shown = tuple(
        CritiqueTurn(
            turn_index=turn.turn_index,
            local_time=f"{local_time(turn.at, turn.offset_minutes):%Y-%m-%d %H:%M}",
            user=turn.user,
            assistant=turn.assistant,
        )
        for turn in turns
    )
    try:
        answer = critic.run(SESSION_CRITIQUE, SessionCritiqueInput(turns=shown))
    except GenerationRejected as error:
        return [Finding("no_critique", f"the critic gave no answer ({error.reason})", session_index, None, False)]
    places = {turn.turn_index for turn in turns}
    found: dict[tuple[int | None, Reason], Finding] = {}
    for problem in answer.output.problems:
        # A turn that was not shown: the problem is kept, for the session as a whole.
        place = problem.turn_index if problem.turn_index in places else None
        reason = _REASONS[problem.kind]
        old = found.get((place, reason))
        detail = problem.reason if old is None else f"{old.detail}; {problem.reason}"
        found[place, reason] = Finding(reason, detail, session_index, place, certain=reason == "unsafe_text")
    return list(found.values())
