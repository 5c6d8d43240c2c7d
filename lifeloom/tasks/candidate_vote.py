"""Candidate vote: which of several pictures shows best what was asked for (Life-Bench Section 3.2)."""

from __future__ import annotations

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput

__all__ = ["CANDIDATE_VOTE", "CandidateProblem", "CandidateVoteInput", "CandidateVoteOutput"]


class CandidateVoteInput(TaskInput):
    """What a picture should show. Pictures go beside the prompt: portraits in order, then the candidates."""

    caption: str
    people: tuple[str, ...]
    """Names; one portrait each."""
    things: tuple[str, ...]
    place: str
    strangers: int = Field(default=0, ge=0)
    """People besides those of the portraits who belong in the picture: nobody's portrait shows them."""
    candidates: int = Field(ge=1)


class CandidateProblem(TaskOutput):
    """Something wrong with a candidate."""

    candidate: int
    """From 1."""
    problem: str = Field(max_length=300)


class CandidateVoteOutput(TaskOutput):
    """The best candidate by realism and consistency."""

    best: int = Field(ge=0)
    """From 1; 0: none is good enough."""
    problems: tuple[CandidateProblem, ...] = Field(default=(), max_length=128)


CANDIDATE_VOTE: GenerationTask[CandidateVoteInput, CandidateVoteOutput] = GenerationTask(
    name="candidate_vote",
    version="1",
    input_type=CandidateVoteInput,
    output_type=CandidateVoteOutput,
    instructions=(
        "You choose the best of several pictures by realism and by how well they show what was asked for: everybody "
        "of the portraits, looking as there, as many people whom nobody knows as are asked for, and nobody else, the "
        "things in number and colour, the place. Say of each candidate what is wrong with it. Where none is good "
        "enough, the best is 0."
    ),
    template="""\
Asked for: {{ input.caption }}
People:
{% for name in input.people %}
- {{ name }}: <img>
{% else %}
- nobody
{% endfor %}
People whom nobody knows: {{ input.strangers }}
Things: {{ input.things | join(", ") or "none" }}
Place: {{ input.place or "plain ground" }}
{% for number in range(1, input.candidates + 1) %}
Candidate {{ number }}: <img>
{% endfor %}
Give {"best": number of the best or 0, "problems": [{"candidate": number, "problem": text}, ...]}.
""",
    temperature=0.7,
)
