"""Session critique by general rules: unsafe, contradictory, incoherent turns and dates that cannot be.

Every rule prefers to stay silent: a false alarm costs a good session its place.
"""

from __future__ import annotations

from lifeloom.models.builtin.reader.coherence import contradictions, incoherent_turns
from lifeloom.models.builtin.reader.dates import wrong_dates
from lifeloom.models.builtin.reader.safety import unsafe_turns
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.session_critique import Problem, SessionCritiqueInput, SessionCritiqueOutput

__all__ = ["critique_session"]


def critique_session(task_input: SessionCritiqueInput, encoder: TextEncoder | None = None) -> SessionCritiqueOutput:
    """Return the problems of a session, in the order of its turns; none when it is fine.

    Args:
        task_input: the session, texts and local times only.
        encoder: sentence vectors, asked only about answers that share no word with their message; such an
            answer is incoherent when it is far from the message in meaning as well.
    """
    problems: list[Problem] = [
        *unsafe_turns(task_input.turns),
        *contradictions(task_input.turns),
        *incoherent_turns(task_input.turns, encoder),
        *wrong_dates(task_input.turns),
    ]
    order = {turn.turn_index: place for place, turn in enumerate(task_input.turns)}
    kinds = ("unsafe", "contradiction", "incoherent", "wrong_date")
    unique = {(problem.turn_index, problem.kind, problem.reason): problem for problem in problems}
    return SessionCritiqueOutput(
        problems=tuple(sorted(unique.values(), key=lambda p: (order[p.turn_index], kinds.index(p.kind), p.reason)))
    )
