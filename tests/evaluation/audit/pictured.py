"""Small pictured conversations, real files behind them, and policies that look."""

from __future__ import annotations

import hashlib
import io
import random
from collections.abc import Mapping, Sequence

from PIL import Image

from lifeloom.records import LETTERS, BenchmarkCase, PictureReference, Turn
from lifeloom.scoring import Answer, CaseQuestion, HistoryView, Policy
from tests.evaluation.examples import case, turns

COLOURS = {"red": (220, 40, 40), "green": (40, 170, 60), "blue": (40, 70, 210), "yellow": (235, 210, 40)}
FILES: dict[str, bytes] = {}


def picture(colour: str, number: int = 0, *, size: int = 32) -> PictureReference:
    """Return a picture of one colour with a little of its own in a corner; its file is in ``FILES``."""
    image = Image.new("RGB", (size, size), COLOURS[colour])
    for bit in range(12):
        if number >> bit & 1:
            image.putpixel((bit, 0), (0, 0, 0))
    out = io.BytesIO()
    image.save(out, format="PNG")
    content = hashlib.sha256(out.getvalue()).hexdigest()
    FILES[content] = out.getvalue()
    return PictureReference(content_hash=content, width=size, height=size)


def stored(reference: PictureReference) -> bytes:
    return FILES[reference.content_hash]


def colour_of(data: bytes) -> str:
    """Return the colour of a picture, by its middle."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    pixel = image.getpixel((image.width // 2, image.height // 2))
    assert isinstance(pixel, tuple)
    return min(COLOURS, key=lambda name: sum(abs(a - b) for a, b in zip(pixel, COLOURS[name], strict=True)))


class ColourReader(Policy):
    """Answers with the colour of the first picture that the history shows, else with the first option."""

    name = "colours"
    fingerprint = "colours-1"

    def __init__(self, source: object = stored) -> None:
        self.source = source
        self.seen: list[tuple[str, ...]] = []

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        self.seen.append(tuple(message.text for message in history.messages))
        shown = history.pictures_of(range(history.count))
        if shown:
            assert callable(self.source)
            colour = colour_of(self.source(shown[0]))
            for option in question.options:
                if option.text == colour:
                    return Answer(option.letter, 1, 1)
        return Answer(question.options[0].letter, 1, 1)

    def judge(self, question: CaseQuestion, response: str, history: HistoryView) -> Answer:
        return Answer("yes", 1, 1)


class WordReader(ColourReader):
    """Answers with the option that the history names, else with the first: no pictures needed."""

    name = "words"
    fingerprint = "words-1"

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        text = " ".join(message.text for message in history.messages)
        named = [option.letter for option in question.options if option.text in text]
        return Answer(named[0] if named else question.options[0].letter, 1, 1)


def balloons(
    users: int, *, each: int = 4, told: bool = False, seed: int = 7
) -> tuple[list[BenchmarkCase], dict[str, list[Turn]]]:
    """Return cases on the colour of a balloon in the user's only picture; ``told``: the words give it away."""
    rng = random.Random(seed)
    cases: list[BenchmarkCase] = []
    histories: dict[str, list[Turn]] = {}
    for user in range(users):
        persona, colour = f"p-{user}", rng.choice(list(COLOURS))
        said = f"Look at my {colour} balloon <img>" if told else "Look at my balloon <img>"
        own = turns(2, persona, say=lambda number, said=said: (said if number == 0 else "Bye", "Nice"))  # type: ignore[misc]
        histories[persona] = [own[0].model_copy(update={"pictures": (picture(colour, user),)}), own[1]]
        for number in range(each):
            options = rng.sample(list(COLOURS), 4)
            plain = case(
                f"c-{user}-{number}",
                task="VDR",
                persona=persona,
                turns=2,
                query="What colour was the balloon?",
                options=options,
                answer=LETTERS[options.index(colour)],
            )
            cases.append(plain.model_copy(update={"picture_turns": (0,)}))
    return cases, histories


def shown(turns_by_persona: Mapping[str, Sequence[Turn]]) -> dict[str, list[str]]:
    """Return the contents shown, by persona."""
    return {
        persona: [p.content_hash for turn in own for p in turn.pictures] for persona, own in turns_by_persona.items()
    }
