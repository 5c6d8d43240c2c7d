"""Attacks that see no history: what can be answered from question and options, or from the options alone (N3).

The strongest cheap ones: the longest option, the outlier by embedding, the letter that was right most
often, and classifiers trained on another release, one with the question's words and one without them.
"""

from __future__ import annotations

import collections
import functools
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from evaluation.audit.questions import Reference
from lifeloom.models.protocol import TextEncoder
from lifeloom.records import Score
from lifeloom.scoring.policy import Answer, CaseQuestion, HistoryView, Policy, policy_fingerprint

__all__ = [
    "BlindPolicy",
    "ClassifierAttack",
    "LetterAttack",
    "LongestAttack",
    "OptionsAttack",
    "OutlierAttack",
    "best_of",
    "blind_attackers",
]


class BlindPolicy(Policy):
    """A policy that never looks at the history. Subclasses score options; a tie goes to the earlier one."""

    policy_name = "blind"
    version = 1

    def __init__(self, *, code: str, learnt_from: str = "") -> None:
        """``learnt_from`` is a digest of what the attack was trained on, part of the fingerprint."""
        self._code = code
        self._learnt_from = learnt_from

    @property
    def name(self) -> str:
        """Short id of the attack."""
        return self.policy_name

    @functools.cached_property
    def fingerprint(self) -> str:
        """Digest of code and training data."""
        return policy_fingerprint(
            self.policy_name,
            code=f"{self._code}/{self.version}",
            models=[],
            prompts=[],
            parameters={"learnt_from": self._learnt_from},
        )

    def score(self, query: str, options: Sequence[str]) -> Sequence[float]:
        """Return one score an option, higher is chosen."""
        raise NotImplementedError

    def suits(self, query: str, response: str) -> bool:
        """Say whether a response suits a user nobody knows anything about; True by default (chance is 50 %)."""
        return True

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        """Return the letter of the option with the highest score."""
        scores = [round(float(s), 4) for s in self.score(question.query, [option.text for option in question.options])]
        best = max(range(len(scores)), key=lambda i: (scores[i], -i))
        return Answer(question.options[best].letter, question.tokens, 1, tuple(scores))

    def judge(self, question: CaseQuestion, response: str, history: HistoryView) -> Answer:
        """Return yes or no without knowing the user."""
        return Answer("yes" if self.suits(question.query, response) else "no", question.tokens, 1)


class LongestAttack(BlindPolicy):
    """The longest option, in characters."""

    policy_name = "blind_longest"

    def score(self, query: str, options: Sequence[str]) -> Sequence[float]:
        """Return the lengths."""
        return [len(option) for option in options]


class OutlierAttack(BlindPolicy):
    """The option that is least like the others by sentence embedding."""

    policy_name = "blind_outlier"

    def __init__(self, encoder: TextEncoder, *, code: str) -> None:
        """Compare with ``encoder``."""
        super().__init__(code=f"{code}/{encoder.identity.model}")
        self._encoder = encoder

    def score(self, query: str, options: Sequence[str]) -> Sequence[float]:
        """Return one minus the mean cosine similarity to the other options."""
        vectors = self._encoder.encode(list(options))  # (options, dimensions)
        similarity = vectors @ vectors.T
        count = len(options)
        return [1 - float((similarity[i].sum() - similarity[i, i]) / max(count - 1, 1)) for i in range(count)]


class LetterAttack(BlindPolicy):
    """The letter that was right most often in another release."""

    policy_name = "blind_letter"

    def __init__(self, reference: Reference, *, code: str) -> None:
        """Count the right places of ``reference``."""
        super().__init__(code=code, learnt_from=reference.digest)
        counts = collections.Counter(example.right for example in reference.choices)
        self._counts = [counts[place] for place in range(max(counts, default=0) + 1)]

    def score(self, query: str, options: Sequence[str]) -> Sequence[float]:
        """Return how often each letter was right."""
        return [*self._counts, *[0] * len(options)][: len(options)]


class ClassifierAttack(BlindPolicy):
    """A linear classifier over the words of an option, alone and with the question's, and how it stands out.

    Trained on another release, with the same stems and the same option carriers: whatever in question
    and options betrays the right one, it can learn.
    """

    policy_name = "blind_classifier"

    def __init__(self, reference: Reference, *, code: str, seed: int) -> None:
        """Train on ``reference``.

        Raises:
            ValueError: ``reference`` has no questions with options.
        """
        if not reference.choices:
            raise ValueError("a classifier needs the questions of another release to learn from")
        super().__init__(code=f"{code}/{seed}", learnt_from=reference.digest)
        rows = [
            (features, place == example.right)
            for example in reference.choices
            for place, features in enumerate(_option_features(self.seen(example.query), example.options))
        ]
        self._options = _fit(rows, seed)
        pairs = [
            (_response_features(self.seen(pair.query), text), chosen)
            for pair in reference.pairs
            for text, chosen in ((pair.chosen, True), (pair.rejected, False))
        ]
        self._responses = _fit(pairs, seed) if pairs else None

    def seen(self, query: str) -> str:
        """Return what it sees of a question: all of it."""
        return query

    def score(self, query: str, options: Sequence[str]) -> Sequence[float]:
        """Return the classifier's log-odds of being right."""
        return self._options(_option_features(self.seen(query), options))

    def suits(self, query: str, response: str) -> bool:
        """Say whether the response looks like the chosen ones of the other release."""
        return self._responses is None or self._responses([_response_features(self.seen(query), response)])[0] > 0


class OptionsAttack(ClassifierAttack):
    """The same classifier without the question: whatever it finds, the options betray among themselves."""

    policy_name = "blind_options"

    def seen(self, query: str) -> str:
        """Return what it sees of a question: nothing."""
        return ""


_LogOdds = Callable[[Sequence[Mapping[str, float]]], list[float]]


def _fit(rows: Sequence[tuple[Mapping[str, float], bool]], seed: int) -> _LogOdds:
    """Return a function from feature rows to log-odds, one a row. What is seen once only teaches nothing: left out."""
    import numpy as np
    from scipy.sparse import csr_array
    from sklearn.linear_model import LogisticRegression

    uses = collections.Counter(name for features, _ in rows for name in features)
    places = {name: place for place, name in enumerate(sorted(name for name, count in uses.items() if count > 1))}
    entries = [
        (row, places[name], value)
        for row, (features, _) in enumerate(rows)
        for name, value in features.items()
        if name in places
    ]
    numbers, columns, values = zip(*entries, strict=True)
    table = csr_array((np.array(values), (np.array(numbers), np.array(columns))), shape=(len(rows), len(places)))
    model = LogisticRegression(C=0.3, max_iter=400, random_state=seed)
    model.fit(table, [right for _, right in rows])
    weights = {name: float(model.coef_[0, place]) for name, place in places.items()}
    offset = float(model.intercept_[0])

    def log_odds(features: Sequence[Mapping[str, float]]) -> list[float]:
        return [
            offset + math.fsum(weights[name] * value for name, value in row.items() if name in weights)
            for row in features
        ]

    return log_odds


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.casefold()).split()


def _text_features(text: str, words: Sequence[str]) -> dict[str, float]:
    features = {f"w:{word}": 1.0 for word in words}
    features |= {f"b:{first} {second}": 1.0 for first, second in itertools.pairwise(words)}
    features["length"] = len(text) / 200
    features |= {f"p:{mark}": text.count(mark) / 5 for mark in "!?,;:-."}
    features["capital"] = float(text[:1].isupper())
    return features


def _response_features(query: str, response: str) -> dict[str, float]:
    words = _words(response)
    features = _text_features(response, words)
    features["asked"] = len(set(words) & set(_words(query))) / 10
    return features


def _option_features(query: str, options: Sequence[str]) -> list[dict[str, float]]:
    """Return what the classifier sees of each option: its text, its place, and how it stands out from the others."""
    asked = sorted(set(_words(query)))
    words = [_words(option) for option in options]
    lengths = [len(option) for option in options]
    uses = collections.Counter(word for own in words for word in set(own))
    rows = []
    for number, (option, own) in enumerate(zip(options, words, strict=True)):
        features = _text_features(option, own)
        distinct = sorted(set(own))
        features |= {f"x:{word} {other}": 1.0 for word in distinct for other in asked}
        features[f"letter:{number}"] = 1.0
        features["longest"] = float(lengths[number] == max(lengths))
        features["shortest"] = float(lengths[number] == min(lengths))
        features["asked"] = len(set(own) & set(asked)) / 5
        features["own words"] = sum(1 for word in distinct if uses[word] == 1) / 5
        features["shared words"] = sum(uses[word] - 1 for word in distinct) / 10
        rows.append(features)
    return rows


def blind_attackers(reference: Reference, encoder: TextEncoder, *, code: str, seed: int) -> tuple[BlindPolicy, ...]:
    """Return all attacks, trained on ``reference``, a release that is never scored."""
    return (
        LongestAttack(code=code),
        OutlierAttack(encoder, code=code),
        LetterAttack(reference, code=code),
        ClassifierAttack(reference, code=code, seed=seed),
        OptionsAttack(reference, code=code, seed=seed),
    )


def best_of(scores: Iterable[Score]) -> list[Score]:
    """Return, for every group, the best attacker's score under the name ``blind``: the strictest reading.

    The best of several is picked after the fact, so ``blind`` lies a little above chance by luck alone.
    """
    groups: dict[tuple[str, str, str, str], list[Score]] = {}
    for score in scores:
        groups.setdefault((score.release_id, score.setting, score.aspect, score.task), []).append(score)
    return [
        max(own, key=lambda score: (score.value, score.policy)).model_copy(
            update={"policy": "blind", "backend": own[0].backend, "model": own[0].model}
        )
        for own in groups.values()
    ]
