"""Life-Bench scores: by task and difficulty, and overall as the release counts it (macro over tasks)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from evaluation.life_bench.running import BENCHMARK, BENCHMARK_VERSION
from lifeloom.records import DIFFICULTIES, LIFE_TASKS, RECALL_TASKS, Life, LifePrediction, LifeQuestion, LifeScore

__all__ = ["event_recall", "score_life"]


def event_recall(
    question: LifeQuestion, retrieved: Sequence[str], life: Life, k: int, *, pictures: bool = False
) -> float | None:
    """Return the share of a question's events among the first ``k`` events looked up; None where it has none.

    A picture counts for its event. Concepts take no place; what nobody knows takes one.

    Args:
        question: what was asked.
        retrieved: ids of pictures, events and concepts, best first.
        life: whose pictures they are.
        k: how many events count.
        pictures: count the first ``k`` pictures instead of events (an option of the release).
    """
    if not question.event_ids:
        return None
    concepts = {one.concept_id for one in life.concepts}
    events = [_event_of(one, life) for one in retrieved if one not in concepts]
    first = events[:k] if pictures else list(dict.fromkeys(events))[:k]
    wanted = set(question.event_ids)
    return len(wanted & set(first)) / len(wanted)


def score_life(
    questions: Sequence[LifeQuestion],
    predictions: Iterable[LifePrediction],
    lives: Mapping[str, Life],
    *,
    backend: str,
    model: str,
    code_revision: str,
    seed: int,
    bootstrap_samples: int,
) -> list[LifeScore]:
    """Return the scores of one policy: each task and difficulty, each task, and everything.

    A question without a prediction, or with none that can be read, is wrong and counted as missing. Overall is the mean
    over the tasks that there are. Intervals resample questions within Vaccounts.

    Raises:
        ValueError: no questions or predictions, predictions of several policies, of unknown questions, or two for one.
    """
    by_id = _by_question(questions, predictions)
    first = next(iter(by_id.values()), None)
    if not questions or first is None:
        raise ValueError("scores need questions and predictions")
    rng = np.random.default_rng(seed)
    made_with = {"backend": backend, "model": model, "code_revision": code_revision}

    def score(
        task: str, difficulty: str, own: Sequence[LifeQuestion], value: float, samples: npt.NDArray[np.float64]
    ) -> LifeScore:
        given = [by_id[one.question_id] for one in own if one.question_id in by_id]
        low, high = np.quantile(samples, [0.025, 0.975])
        rounds = [one.rounds for one in given if one.rounds]
        return LifeScore(
            benchmark=BENCHMARK,
            benchmark_version=BENCHMARK_VERSION,
            policy=first.policy,
            policy_fingerprint=first.policy_fingerprint,
            task=task,
            difficulty=difficulty,
            value=value,
            low=float(low),
            high=float(high),
            questions=len(own),
            correct=sum(_right(one) == 1.0 for one in given),
            missing=len(own) - sum(1 for one in given if not one.failure),
            recall_3=_recall(own, by_id, lives, 3),
            recall_5=_recall(own, by_id, lives, 5),
            mean_rounds=float(np.mean(rounds)) if rounds else None,
            prompt_tokens=float(np.mean([one.prompt_tokens for one in given])) if given else 0.0,
            completion_tokens=float(np.mean([one.completion_tokens for one in given])) if given else 0.0,
            seed=seed,
            **made_with,
        )

    groups: list[tuple[str, str, list[LifeQuestion]]] = [
        (task, level, [one for one in questions if one.task == task and one.difficulty == level])
        for task in LIFE_TASKS
        for level in DIFFICULTIES
    ]
    groups += [(task, "all", [one for one in questions if one.task == task]) for task in LIFE_TASKS]
    found: list[LifeScore] = []
    drawn: dict[str, npt.NDArray[np.float64]] = {}
    for task, level, own in groups:
        if not own:
            continue
        right = np.array([_right(by_id.get(one.question_id)) for one in own], dtype=np.float64)
        samples = _resampled(right, [one.vaccount_id for one in own], bootstrap_samples, rng)
        if level == "all":
            drawn[task] = samples
        found.append(score(task, level, own, float(right.mean()), samples))
    tasks = [one for one in found if one.difficulty == "all"]
    macro = float(np.mean([one.value for one in tasks]))
    samples = np.mean(list(drawn.values()), axis=0)
    found.append(score("all", "all", questions, macro, samples))
    return found


def _event_of(name: str, life: Life) -> str:
    """Return the event of a picture; any other id as it is."""
    try:
        return life.event_of(name)
    except KeyError:
        return name


def _right(prediction: LifePrediction | None) -> float:
    return float(prediction is not None and prediction.correct and not prediction.failure)


def _by_question(questions: Sequence[LifeQuestion], predictions: Iterable[LifePrediction]) -> dict[str, LifePrediction]:
    known = {one.question_id for one in questions}
    found: dict[str, LifePrediction] = {}
    policies: set[tuple[str, str]] = set()
    for one in predictions:
        if one.question_id not in known:
            raise ValueError(f"a prediction for {one.question_id}, which is none of the questions")
        if one.question_id in found:
            raise ValueError(f"two predictions for {one.question_id}")
        found[one.question_id] = one
        policies.add((one.policy, one.policy_fingerprint))
    if len(policies) > 1:
        raise ValueError(f"predictions of several policies: {', '.join(sorted(name for name, _ in policies))}")
    return found


def _resampled(
    right: npt.NDArray[np.float64], vaccounts: Sequence[str], samples: int, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return accuracies of resamples, (samples,): questions are drawn within each Vaccount, whose numbers stay."""
    total = np.zeros(samples)
    labels = np.array(vaccounts)
    for vaccount in dict.fromkeys(vaccounts):
        own = right[labels == vaccount]
        # Right or wrong is all there is to a question: a resample draws how many are right.
        total += rng.binomial(len(own), own.mean(), size=samples)
    return total / len(right)


def _recall(
    own: Sequence[LifeQuestion], by_id: Mapping[str, LifePrediction], lives: Mapping[str, Life], k: int
) -> float | None:
    found = []
    for one in own:
        if one.task in RECALL_TASKS and one.vaccount_id in lives:
            retrieved = by_id[one.question_id].retrieved_ids if one.question_id in by_id else ()
            share = event_recall(one, retrieved, lives[one.vaccount_id], k)
            if share is not None:
                found.append(share)
    return float(np.mean(found)) if found else None
