"""Choice answer by extraction: which option does the history bear out, as things stand when asked?

A reader of plain English, not of any data set: it finds where options are named, whose taste or plan the
sentence speaks of, whether it is held, denied, left behind or only considered, and lets later words of
the user override earlier ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.reader.english import PEOPLE
from lifeloom.models.builtin.reader.evidence import Event, History, discriminating_terms, gather
from lifeloom.models.builtin.reader.holders import SELF, person_key
from lifeloom.models.builtin.reader.levels import level_scores
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.builtin.reader.matters import shown_topics
from lifeloom.models.builtin.reader.orders import order_scores
from lifeloom.models.builtin.reader.relations import relation_scores
from lifeloom.models.builtin.reader.semantics import implied_scores
from lifeloom.models.builtin.reader.text import analyse, base, content_stems, words_of
from lifeloom.models.builtin.reader.visual import visual_scores
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.choice_answer import ChoiceAnswerInput

__all__ = ["score_choice"]

_SHORTLIST = 40  # sentences of the history that are encoded for one question, at most
_NOTHING_KNOWN = 0.15  # belief below which no option was plainly held by the user
_IN_FULL = 0.95  # coverage from which an option counts as named
_NAMED_RULES = 0.85  # how much less phrases count that only imply an option, where options are named outright
_PARTS_TELL_LITTLE = 0.7
_LONGEST = 400  # characters of a sentence that are encoded
_OWN_WORDS = frozenset({"i", "my", "me", "mine", "our", "we"})
_SHARPNESS = 3.0  # scores are logits: this turns a clear win into about 0.9 by softmax over four


def score_choice(
    task_input: ChoiceAnswerInput,
    options: Sequence[str],
    encoder: TextEncoder | None,
    looked: Sequence[LookedAt] = (),
    threshold: float = 1.0,
) -> tuple[float, ...]:
    """Return a score for each of ``options`` as the answer to ``task_input.query``.

    Args:
        task_input: shown history and query; its own ``options`` are not looked at.
        options: the texts to score, two or more.
        encoder: sentence vectors for what shares no word; None leaves the lexical evidence alone.
        looked: the pictures of the shown history in words, in the order of their marks.
        threshold: cosine from which two faces are one person's.

    Returns:
        Logit-like scores in the order of ``options``; options with the same evidence score the same.

    Raises:
        ValueError: fewer than two options.
    """
    if len(options) < 2:
        raise ValueError("a choice needs two options or more")
    if not task_input.context:
        return _blind(task_input.query, options, encoder)
    history = History.of(task_input.context, looked, threshold)
    ordered = order_scores(history, task_input.query, options, encoder)
    if ordered is not None:
        return tuple(_SHARPNESS * score for score in ordered)
    seen = visual_scores(history, task_input.query, options, encoder)
    if seen is not None:
        return tuple(_SHARPNESS * score for score in seen)
    related = relation_scores(history, task_input.query, options)
    if related is not None:
        return tuple(_SHARPNESS * score for score in related)
    return _by_evidence(history, task_input.query, options, encoder)


def _blind(query: str, options: Sequence[str], encoder: TextEncoder | None) -> tuple[float, ...]:
    if encoder is None:
        return tuple(0.0 for _ in options)
    vectors = encoder.encode([query, *options])
    return tuple(float(score) for score in vectors[1:] @ vectors[0])


_ASKS_PAST = re.compile(
    r"\b(?:used to|previous\w*|former\w*|originally|at first|in the past|no longer|any ?more|gave up|give up|"
    r"given up|"
    r"dropped|drop|abandon\w*|decide\w* against|before i (?:switch|chang|mov)\w*|before switching|stopped|"
    r"left behind|"
    r"switch\w* (?:away )?from|mov\w+ away from|old)\b"
)
_ASKS_OTHER = re.compile(r"\b(?:does|did|is|was|has|would|will|do)\b")


def _asked_about(query: str, names: frozenset[str]) -> str:
    """Return whose matter the query asks about: the user's, or a person's whom it makes its subject."""
    for sentence in analyse(query).sentences:
        words = sentence.words
        if not sentence.is_question or any(base(word) in ("i", "me", "mine", "we", "us") for word in words):
            continue
        for i, word in enumerate(words):
            root = base(word)
            if (root in PEOPLE or root in names) and (
                word.endswith("'s") or any(_ASKS_OTHER.fullmatch(w) for w in words[max(0, i - 3) : i])
            ):
                return person_key(word)
    return SELF


def _people_in(query: str, names: frozenset[str]) -> list[str]:
    """Return the keys of the people that the query mentions, in order."""
    words = [base(word.lower()) for word in words_of(query)]
    return list(dict.fromkeys(person_key(word) for word in words if word in PEOPLE or word in names))


def _by_evidence(
    history: History, query: str, options: Sequence[str], encoder: TextEncoder | None
) -> tuple[float, ...]:
    terms = discriminating_terms(options, history)
    events = gather(history, terms)
    about = _asked_about(query, history.names)
    if encoder is not None and not _named(events):
        levels = level_scores(history, query, options, about, encoder)
        if levels is not None:
            return tuple(float(_SHARPNESS * score) for score in levels)
    topics = _topics(history, query, events, encoder)
    length = len(history.messages)
    beliefs = _beliefs(events, topics, len(options), about, length)
    named = _named(events)
    if about == SELF and max(beliefs) < _NOTHING_KNOWN:
        # "Where does my daughter go to school?" asks about what the sentences make the daughter's.
        for person in _people_in(query, history.names):
            theirs = _beliefs(events, topics, len(options), person, length)
            beliefs = [max(own, other) for own, other in zip(beliefs, theirs, strict=True)]
    asks_past = bool(_ASKS_PAST.search(query.lower())) and about == SELF
    if asks_past:
        beliefs = _left_behind(events, topics, len(options))
    scores = np.array(beliefs)
    if encoder is not None:
        # Options of which a word falls here and there, but which nobody ever names, are spoken of in other words.
        scores *= 1.0 - _PARTS_TELL_LITTLE * (1.0 - named)
        scores = scores + 0.25 * _semantic(history, query, options, events, encoder)
        if not asks_past:
            trust = 1.0 - _NAMED_RULES * named
            scores = scores + trust * implied_scores(history, query, options, about, encoder)
    return tuple(float(_SHARPNESS * score) for score in scores)


def _named(events: Sequence[Event]) -> float:
    """Return 1 where the user names two options or more in full, or shows them; 0.5 for one, 0 for none."""
    options = {event.option for event in events if event.by_user and event.coverage >= _IN_FULL}
    return min(1.0, len(options) / 2)


def _topics(history: History, query: str, events: Sequence[Event], encoder: TextEncoder | None) -> list[float]:
    """Return for each event, 0 to 1, how much it counts: by how much its surroundings are about what is asked."""
    weights = {stem: history.idf(stem) for stem in sorted(set(content_stems(query)))}
    total = sum(weights.values())

    def share(stems: frozenset[str]) -> float:
        return sum(weight for stem, weight in weights.items() if stem in stems) / total if total else 1.0

    raw = []
    for event in events:
        message = history.messages[event.message]
        around = [history.messages[i].stem_set for i in (event.message - 2, event.message - 1) if i >= 0]
        raw.append(
            0.0
            if event.picture is not None
            else max(
                share(message.sentences[event.sentence].stem_set),
                0.8 * share(message.stem_set),
                0.5 * max((share(stems) for stems in around), default=0.0),
            )
        )
    best = max(raw, default=0.0)
    shown = shown_topics(history, query, events, encoder)
    said = [(0.45 + 0.55 * (value / best if best else 1.0)) * shown.said for value in raw]
    return [shown.by_event.get(i, value) for i, value in enumerate(said)]


def _beliefs(events: Sequence[Event], topics: Sequence[float], count: int, about: str, length: int) -> list[float]:
    """Return what can be believed of each option after all events, about -1 to 1.2."""
    values = [0.0] * count
    heard = [0.0] * count  # named at all: by the assistant, for somebody else, in passing
    latest = [-1] * count
    for event, topic in zip(events, topics, strict=True):
        weight = topic * min(1.0, event.coverage + 0.1)
        if not event.by_user:
            heard[event.option] = max(heard[event.option], 0.05 * weight)
            continue
        if event.holder != about:
            heard[event.option] = min(heard[event.option], 0.0) - 0.04 * weight
            continue
        said = event.stance
        strength = said.strength * weight
        if said.kind == "held":
            values[event.option] += strength * (1.0 - values[event.option])
            latest[event.option] = event.message
            fade = 0.35 * strength if said.strength >= 0.9 else 0.15 * strength
            if event.picture is not None:  # nothing but the order of pictures tells what is over
                fade = 0.6 * strength
            for other in range(count):
                if other != event.option and values[other] > 0:
                    values[other] *= 1.0 - fade
        elif said.kind == "tentative":
            values[event.option] += strength * (0.35 - values[event.option]) if values[event.option] < 0.35 else 0.0
        else:
            values[event.option] += strength * (-0.8 - values[event.option])
    return [
        values[i] + max(-0.15, heard[i]) + (0.2 * (latest[i] + 1) / length if values[i] > 0 else 0.0)
        for i in range(count)
    ]


def _left_behind(events: Sequence[Event], topics: Sequence[float], count: int) -> list[float]:
    """Return how far each option is something the user left, for questions about what was."""
    values = [0.0] * count
    for event, topic in zip(events, topics, strict=True):
        if event.by_user and event.holder == SELF:
            weight = event.stance.strength * topic
            if event.stance.kind == "left":
                values[event.option] += weight * (1.0 - values[event.option])
            elif event.stance.kind == "held":
                values[event.option] *= 1.0 - 0.4 * weight
    return values


def _semantic(
    history: History, query: str, options: Sequence[str], events: Sequence[Event], encoder: TextEncoder
) -> npt.NDArray[np.float64]:
    """Return a soft score an option, 0 to 1, from user sentences that mean the same without its words."""
    candidates = _shortlist(history, query)
    if not candidates:
        return np.zeros(len(options))
    vectors = encoder.encode([query, *options, *candidates])
    asked, chosen, said = vectors[0], vectors[1 : 1 + len(options)], vectors[1 + len(options) :]
    near = chosen.astype(np.float64) @ said.T.astype(np.float64)  # (options, sentences)
    topical = np.clip(said.astype(np.float64) @ asked.astype(np.float64), 0.0, 1.0)  # (sentences,)
    soft = (near * (0.5 + topical)).max(axis=1)
    named = {event.option for event in events if event.by_user}
    # What is named has its lexical verdict: closeness alone cannot tell "love" from "gave up".
    soft = np.array([0.0 if i in named else value for i, value in enumerate(soft)])
    result: npt.NDArray[np.float64] = np.clip(soft, 0.0, 1.0)
    return result


def _shortlist(history: History, query: str) -> list[str]:
    """Return the user's sentences nearest to the query by words, then their latest ones about themselves."""
    weights = {stem: history.idf(stem) for stem in sorted(set(content_stems(query)))}
    scored: list[tuple[float, int, int, str]] = []
    own: list[str] = []
    for number in range(len(history.messages) - 1, -1, -1):
        if not history.by_user[number]:
            continue
        message = history.messages[number]
        if not message.stem_set.isdisjoint(weights):
            for position, sentence in enumerate(message.sentences):
                score = sum(weight for stem, weight in weights.items() if stem in sentence.stem_set)
                if score > 0:
                    scored.append((-score / (1 + 0.02 * len(sentence.words)), -number, position, sentence.text))
        if len(own) < _SHORTLIST:
            own.extend(
                sentence.text
                for sentence in message.sentences
                if not sentence.is_question and any(base(word) in _OWN_WORDS for word in sentence.words)
            )
    scored.sort()
    ranked = [text for _, _, _, text in scored[:_SHORTLIST]] + own
    return list(dict.fromkeys(text[:_LONGEST] for text in ranked))[:_SHORTLIST]
