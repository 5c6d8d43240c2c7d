"""Hallucination: POPE's questions about objects and CHAIR's count of objects that are not there (CoViP Table 6)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from evaluation.caption_quality.contents import KnownPicture
from evaluation.caption_quality.object_words import OBJECTS, mentioned, with_article
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.scoring.unanswered import UNANSWERED, failure_of
from lifeloom.tasks import OBJECT_QUESTION, ObjectQuestionInput

__all__ = [
    "POPE_SETTINGS",
    "ChairScores",
    "PopeAnswer",
    "PopeQuestion",
    "PopeScores",
    "PopeSetting",
    "ask_pope",
    "chair",
    "parse_yes_no",
    "pope_questions",
    "pope_scores",
]

PopeSetting = Literal["random", "popular", "adversarial"]
POPE_SETTINGS: tuple[PopeSetting, ...] = get_args(PopeSetting)
"""How objects that are not there are chosen: at random; those that most pictures show; those that most often stand
together with what this picture shows (Li et al. 2023)."""
_EACH = 3
"""Objects that are there, and that are not, a picture and setting."""


@dataclass(frozen=True)
class PopeQuestion:
    """Is there such a thing in the picture?"""

    picture: KnownPicture
    setting: PopeSetting
    thing: str
    there: bool


@dataclass(frozen=True)
class PopeAnswer:
    """What a model said."""

    question: PopeQuestion
    yes: bool | None
    """None: neither yes nor no, which is wrong."""
    failure: str = ""


@dataclass(frozen=True)
class PopeScores:
    """Over the questions of one setting, or all."""

    questions: int
    accuracy: float
    precision: float
    recall: float
    f1: float
    yes: float
    """Share of answers that are yes."""
    unreadable: int


@dataclass(frozen=True)
class ChairScores:
    """Objects that captions mention and pictures do not show (Rohrbach et al. 2018)."""

    captions: int
    mentions: int
    hallucinated: int
    chair_i: float
    """Share of mentioned objects that are not there, 0..1."""
    chair_s: float
    """Share of captions that mention one."""
    coverage: float
    """Share of the objects that are there that captions mention."""


def pope_questions(pictures: Sequence[KnownPicture], rng: Callable[[str], random.Random]) -> list[PopeQuestion]:
    """Return for each picture and setting as many objects that are there as are not, three each at most.

    Args:
        pictures: what is known to be in them.
        rng: chance, by the picture's id.
    """
    popular = [name for name, _ in Counter(name for one in pictures for name in one.objects).most_common()]
    together: dict[str, Counter[str]] = {name: Counter() for name in OBJECTS}
    for one in pictures:
        for name in one.objects:
            together[name].update(other for other in one.objects if other != name)
    found = []
    for picture in pictures:
        there, chance = sorted(picture.objects), rng(picture.picture_id)
        for setting in POPE_SETTINGS:
            asked = chance.sample(there, min(_EACH, len(there)))
            wrong = _absent(setting, picture, popular, together, chance)[: len(asked)]
            found += [PopeQuestion(picture, setting, name, there=True) for name in asked]
            found += [PopeQuestion(picture, setting, name, there=False) for name in wrong]
    return found


def _absent(
    setting: PopeSetting,
    picture: KnownPicture,
    popular: Sequence[str],
    together: Mapping[str, Counter[str]],
    rng: random.Random,
) -> list[str]:
    """Return objects that are not in a picture, those to be asked about first."""
    mixed = rng.sample(picture.absent, len(picture.absent))
    if setting == "random":
        return mixed
    if setting == "popular":
        ranks = {name: place for place, name in enumerate(popular)}
        return sorted(mixed, key=lambda name: ranks.get(name, len(ranks)))
    counts = Counter[str]()
    for name in picture.objects:
        counts.update(together[name])
    return sorted(mixed, key=lambda name: -counts[name])


def ask_pope(model: LanguageModel, questions: Sequence[PopeQuestion], *, callers: int = 1) -> list[PopeAnswer]:
    """Ask every question.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
    """

    def asked(question: PopeQuestion) -> PopeAnswer:
        try:
            given = model.run(
                OBJECT_QUESTION, ObjectQuestionInput(thing=with_article(question.thing)), [question.picture.picture]
            )
        except UNANSWERED as error:
            return PopeAnswer(question, None, failure_of(error))
        yes = parse_yes_no(given.output.text)
        return PopeAnswer(question, yes, "" if yes is not None else "unreadable")

    return list(ordered_map(asked, questions, workers=callers))


def parse_yes_no(text: str) -> bool | None:
    """Return whether an answer begins with yes or no; None where it does neither."""
    words = text.strip().lower().lstrip("*\"'( ").split()
    first = words[0].strip(".,!;:*\"')") if words else ""
    return {"yes": True, "no": False}.get(first)


def pope_scores(answers: Iterable[PopeAnswer]) -> PopeScores:
    """Return accuracy, precision, recall, F1 and the share of yes; an unreadable answer is wrong and no yes."""
    given = list(answers)
    hits = sum(one.question.there and one.yes is True for one in given)
    said = sum(one.yes is True for one in given)
    there = sum(one.question.there for one in given)
    right = sum(one.yes is one.question.there for one in given)
    precision, recall = hits / said if said else 0.0, hits / there if there else 0.0
    return PopeScores(
        questions=len(given),
        accuracy=right / len(given) if given else 0.0,
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        yes=said / len(given) if given else 0.0,
        unreadable=sum(one.yes is None for one in given),
    )


def chair(captions: Iterable[tuple[str, KnownPicture]]) -> ChairScores:
    """Return CHAIR of captions whose pictures are known; what may or may not be there counts on neither side."""
    mentions = hallucinated = with_one = number = there = told = 0
    for text, picture in captions:
        number += 1
        named = mentioned(text, picture.objects) - picture.unsure
        wrong = [name for name in named if name not in picture.objects]
        mentions += len(named)
        hallucinated += len(wrong)
        with_one += bool(wrong)
        there += len(picture.objects)
        told += sum(name in named for name in picture.objects)
    return ChairScores(
        captions=number,
        mentions=mentions,
        hallucinated=hallucinated,
        chair_i=hallucinated / mentions if mentions else 0.0,
        chair_s=with_one / number if number else 0.0,
        coverage=told / there if there else 0.0,
    )
