"""From drafts to the questions of a release: as many as the paper asks by task, answers balanced, options lettered."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lifeloom.records import (
    ANSWER_TYPE_OF,
    BY_CODE,
    LETTERS,
    PAPER_COUNTS,
    Difficulty,
    Edition,
    LifeOption,
    LifeQuestion,
    LifeTask,
    Rejection,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.life_questions.concept_questions import (
    THERE_TO_ABSENT,
    concept_vqa,
    recognition,
    text_concept_qa,
)
from lifeloom.synthesis.life_questions.drafts import NOT_IN_IMAGE, Draft
from lifeloom.synthesis.life_questions.event_questions import fine_grained_scene, person_centric, scene_and_activity
from lifeloom.synthesis.life_questions.history_questions import counting, preference, temporal
from lifeloom.synthesis.life_questions.truth import LifeWorld

__all__ = ["STAGE", "MadeQuestion", "MadeQuestions", "counts_for", "make_questions"]

STAGE = "life_questions"
_PAPER_VACCOUNTS = 10
_MOST_OF_ONE = 0.12
"""Share of a task's open questions that one answer has at most, as long as there are others."""
_ZEROS = 0.08
"""Share of a task's questions at most that count to nothing."""
_YES_TO_NO = 1.2
"""Most of one of the two binary answers to one of the other; rather fewer questions than a lopsided task."""
_OPTIONS = 4

Place = tuple[LifeTask, Difficulty]


@dataclass(frozen=True)
class MadeQuestion:
    """A question with what the critic is told of it."""

    question: LifeQuestion
    truth: tuple[str, ...]
    """Sentences from which the answer follows."""
    people: tuple[str, ...]
    """Who is who in this life, a sentence each."""


@dataclass
class MadeQuestions:
    """The questions about one Vaccount."""

    questions: list[MadeQuestion] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)
    """What was asked for and could not be made, counted by task."""


def counts_for(total: int) -> dict[Place, int]:
    """Return how many questions of each task and difficulty make ``total``, in the paper's shares (Table 7).

    Every task that the paper has gets at least one; what rounding leaves over goes to the largest remainders.
    """
    whole = sum(PAPER_COUNTS.values())
    if total <= 0:
        return dict.fromkeys(PAPER_COUNTS, 0)
    shares = {place: total * count / whole for place, count in PAPER_COUNTS.items()}
    counts = {place: max(1, math.floor(share)) for place, share in shares.items()}
    left = max(0, total - sum(counts.values()))
    ranked = sorted(shares, key=lambda place: (math.floor(shares[place]) - shares[place], place))
    for place in (ranked * (1 + left // len(ranked)))[:left]:
        counts[place] += 1
    return counts


def make_questions(
    world: LifeWorld,
    release_id: str,
    counts: Mapping[Place, int],
    streams: Streams,
    *,
    edition: Edition,
) -> MadeQuestions:
    """Make the questions about one Vaccount.

    Args:
        world: its truth.
        release_id: of the release.
        counts: how many of each task and difficulty; where the life does not hold as many, fewer are made and the
            difference is a rejection that says so.
        streams: the seed's random streams.
        edition: some ways to ask are a release's alone.
    """
    vaccount_id = world.plan.vaccount_id
    made = MadeQuestions()
    drafts: dict[Place, list[Draft]] = defaultdict(list)
    for draft in _drafts(world, edition, streams):
        drafts[draft.task, draft.difficulty].append(draft)
    numbers: Counter[LifeTask] = Counter()
    for place, wanted in counts.items():
        rng = streams.rng("life questions", vaccount_id, *place)
        chosen = _chosen(drafts[place], wanted, rng)
        for draft, options in zip(chosen, _lettered(chosen, rng), strict=True):
            made.questions.append(_question(world, release_id, draft, options, numbers[draft.task]))
            numbers[draft.task] += 1
        if len(chosen) < wanted:
            detail = f"asked for {wanted}, {len(chosen)} are possible in this life"
            items = [f"{vaccount_id} {' '.join(place)} {number}" for number in range(len(chosen), wanted)]
            made.rejections += [
                Rejection(stage=STAGE, item=item, reason="life_too_small", detail=detail) for item in items
            ]
    return made


def _drafts(world: LifeWorld, edition: Edition, streams: Streams) -> Iterator[Draft]:
    for name, draw in (
        ("text", text_concept_qa),
        ("recognition", recognition),
        ("vqa", concept_vqa),
        ("scene", scene_and_activity),
        ("person", person_centric),
        ("fine", fine_grained_scene),
        ("preference", preference),
        ("counting", counting),
        ("temporal", temporal),
    ):
        yield from draw(world, edition, streams.rng("life drafts", world.plan.vaccount_id, name))


def _chosen(drafts: Sequence[Draft], wanted: int, rng: random.Random) -> list[Draft]:
    """Return so many different questions, answers in turn, so that none is right more often than must be."""
    by_answer: dict[str, list[Draft]] = defaultdict(list)
    asked: set[tuple[str, str]] = set()
    for draft in rng.sample(list(drafts), len(drafts)):
        place = (draft.question, draft.shot.image_id if draft.shot is not None else "")
        if place not in asked:
            asked.add(place)
            by_answer[draft.balanced_by].append(draft)
    queues = [_interleaved(queue) for queue in by_answer.values()]
    most = _most_of_one(drafts, queues, wanted)
    absent = max(1, sum(len(queue) for queue in queues if queue[0].answer != NOT_IN_IMAGE) // THERE_TO_ABSENT)
    zeros = max(1, math.floor(_ZEROS * _possible(queues, most, wanted)))
    limits = {"0": zeros, NOT_IN_IMAGE: absent}
    chosen: list[Draft] = []
    for turn in range(most):
        queues = [queue for queue in queues if turn < min(len(queue), limits.get(queue[0].answer, most))]
        if not queues or len(chosen) == wanted:
            break
        chosen += [queue[turn] for queue in rng.sample(queues, len(queues))[: wanted - len(chosen)]]
    return chosen


def _most_of_one(drafts: Sequence[Draft], queues: Sequence[Sequence[Draft]], wanted: int) -> int:
    """Return how many of the chosen may have one answer."""
    if len(queues) < 2:
        return wanted
    answer_type = ANSWER_TYPE_OF[drafts[0].task]
    if answer_type == "open_generation":
        most = wanted
        while True:  # a life that holds fewer than are wanted gives fewer of each answer, too
            fair = max(2, math.ceil(_MOST_OF_ONE * _possible(queues, most, wanted)))
            if fair >= most:
                return most
            most = fair
    if answer_type == "binary":
        return min(math.ceil(wanted / 2), math.ceil(_YES_TO_NO * min(map(len, queues))))
    return wanted


def _possible(queues: Sequence[Sequence[Draft]], most: int, wanted: int) -> int:
    return min(wanted, sum(min(most, len(queue)) for queue in queues))


def _interleaved(queue: Sequence[Draft]) -> list[Draft]:
    """Return the drafts with those about one concept far apart: the name alone must not tell the answer."""
    turns: Counter[tuple[str, ...]] = Counter()
    ranked = []
    for draft in queue:
        about = draft.concept_ids[-1:]
        ranked.append((turns[about], draft))
        turns[about] += 1
    return [draft for _, draft in sorted(ranked, key=lambda one: one[0])]


def _lettered(drafts: Sequence[Draft], rng: random.Random) -> Iterator[tuple[LifeOption, ...]]:
    """Yield the options of each question: right letters in permuted blocks, "Not in image." always last."""
    blocks: dict[int, list[int]] = {_OPTIONS: [], _OPTIONS - 1: []}
    for draft in drafts:
        if ANSWER_TYPE_OF[draft.task] != "multiple_choice":
            yield ()
            continue
        wrong = [one for one in dict.fromkeys(draft.wrong) if one[0] != draft.answer][: _OPTIONS - 1]
        texts = [one for one in wrong if one[0] != NOT_IN_IMAGE]
        last = [one for one in wrong if one[0] == NOT_IN_IMAGE]
        right = (draft.answer, "right")
        if draft.answer == NOT_IN_IMAGE:
            ordered = [*rng.sample(texts, len(texts)), right]
        else:
            ordered = rng.sample(texts, len(texts))
            # The last letter is taken where "Not in image." stands.
            block = blocks[len(ordered) + 1]
            if not block:
                block += rng.sample(range(len(ordered) + 1), len(ordered) + 1)
            ordered.insert(block.pop(), right)
            ordered += last
        yield tuple(
            LifeOption(letter=letter, text=text, source=source)
            for letter, (text, source) in zip(LETTERS, ordered, strict=False)
        )


def _question(
    world: LifeWorld, release_id: str, draft: Draft, options: tuple[LifeOption, ...], number: int
) -> MadeQuestion:
    picture = None if draft.shot is None else world.drawn[draft.shot.image_id].picture
    answer = next((one.letter for one in options if one.source == "right"), draft.answer)
    question = LifeQuestion(
        question_id=f"{world.plan.vaccount_id}-{draft.task.replace('_', '-')}-{number}"[-64:],
        release_id=release_id,
        vaccount_id=world.plan.vaccount_id,
        task=draft.task,
        difficulty=draft.difficulty,
        template=draft.template,
        question=draft.question,
        options=options,
        answer=answer,
        answer_type=ANSWER_TYPE_OF[draft.task],
        picture_id="" if draft.shot is None else draft.shot.image_id,
        picture=picture,
        has_picture=draft.shot is not None,
        event_ids=draft.event_ids,
        reference_ids=(*draft.event_ids, *draft.concept_ids),
        made_by=BY_CODE,
    )
    return MadeQuestion(question, draft.truth, world.people)
