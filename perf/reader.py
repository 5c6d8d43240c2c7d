"""How long the built-in reader takes: choices on short and long histories, alignment, critique, token counts.

Run: .venv/bin/python perf/reader.py
"""

from __future__ import annotations

import random
import time

from lifeloom.models.builtin.reader.alignment import judge_alignment
from lifeloom.models.builtin.reader.choice import score_choice
from lifeloom.models.builtin.reader.critique import critique_session
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.models.tokens import count_many
from lifeloom.tasks.alignment_judgement import AlignmentJudgementInput
from lifeloom.tasks.choice_answer import ChoiceAnswerInput, ContextMessage
from lifeloom.tasks.session_critique import CritiqueTurn, SessionCritiqueInput

SENTENCES = (
    "I've moved from Lisbon to Porto for good, and the sea air does me good.",
    "My brother Tom swears by rooibos, he drinks nothing else after six.",
    "Could you tidy up this note for the board and make it sound friendly?",
    "After years of black coffee I switched to jasmine tea in the evening.",
    "The buses have been late all week, so I walked along the canal instead.",
    "I was going to take up archery, but I let that go when the club closed.",
    "Here is a version that keeps your points and reads a little warmer.",
    "Start with the corner pieces and leave the middle until the end.",
)
QUESTIONS = (
    ("What do I drink in the evening?", ("black coffee", "jasmine tea", "rooibos", "cocoa")),
    ("Where do I live now?", ("Lisbon", "Porto", "Faro", "Braga")),
    ("Who is Tom to me?", ("my brother", "my cousin", "my boss", "my neighbour")),
    ("How did it go?", ("First Lisbon, then Porto", "First Porto, then Lisbon")),
)


def timed(action) -> float:
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1000


def main() -> None:
    rng = random.Random(1)
    encoder = MiniLmEncoder()
    encoder.encode(["load the weights first"])
    print(f"{'what':46}{'first, ms':>12}{'warm, ms':>12}")
    for turns in (100, 500):
        context = tuple(
            ContextMessage(
                at="2025-01-01 10:00",
                role=("user", "assistant")[k % 2],
                text=f"Note {k}. " + " ".join(rng.choice(SENTENCES) for _ in range(5)),
            )
            for k in range(2 * turns)
        )

        def choose(query: str, options: tuple[str, ...], context: tuple[ContextMessage, ...] = context) -> None:
            asked = {"context": context, "asked_at": "2025-06-01 10:00", "query": query}
            listed = [{"letter": letter, "text": text} for letter, text in zip("abcd", options, strict=False)]
            score_choice(ChoiceAnswerInput.model_validate({**asked, "options": listed}), options, encoder)

        first = timed(lambda choose=choose: choose(*QUESTIONS[0]))
        for query, options in QUESTIONS:
            warm = timed(lambda choose=choose, query=query, options=options: choose(query, options))
            print(f"{f'{turns} turns: {query}':46}{first:>12.0f}{warm:>12.1f}")
        judged = AlignmentJudgementInput(context=context, asked_at="x", query="How?", response="Take your time!")
        first = timed(lambda judged=judged: judge_alignment(judged, encoder))
        warm = timed(lambda judged=judged: judge_alignment(judged, encoder))
        print(f"{f'{turns} turns: alignment':46}{first:>12.0f}{warm:>12.1f}")
    session = SessionCritiqueInput(
        turns=tuple(
            CritiqueTurn(
                turn_index=k, local_time="2025-03-14 10:00", user=context[2 * k].text, assistant=context[1].text
            )
            for k in range(10)
        )
    )
    print(f"{'critique of 10 turns':46}{'':12}{timed(lambda: critique_session(session)):>12.1f}")
    texts = [message.text for message in context] * 10
    started = time.perf_counter()
    tokens = sum(count_many(texts))
    print(f"{'tokens counted a second':46}{'':12}{tokens / (time.perf_counter() - started):>12,.0f}")


if __name__ == "__main__":
    main()
