"""Ways of explaining: which suits how far the user has come in something, as signs of their skill show it.

Somebody who asks what the words mean wants the first steps, somebody who teaches others wants shop talk. Signs and
ways of explaining are put on one scale, by everyday words for them and by nearness to examples of each level.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.reader.english import STOPWORDS
from lifeloom.models.builtin.reader.evidence import History
from lifeloom.models.builtin.reader.semantics import Implied, changes_among, phrases_of, said_of
from lifeloom.models.builtin.reader.text import Sentence, base, words_of
from lifeloom.models.protocol import TextEncoder
from lifeloom.models.tokens import token_ids

__all__ = ["level_scores"]

_TELLING = (
    r"(?:explain\w*|put|tell|pass|speak|talk|word|phrase|teach|show|guide|brief|instruct|address|walk|go|discuss|sound|"
    r"take|break|lay|coach|advise|prepare|help|make (?:it|this|sense)|be (?:put|worded|told|written|phrased|explained))"
)
_ASKS: Final = re.compile(
    r"\b(?:explain\w*|explanation|walk me through|brief me|guide me|teach me|tutors? \w+|instruct me|instructions|"
    r"(?:how|what way|what manner|which way|which manner) (?:should|would|could|ought|can|will|must) "
    rf"(?:(?:you|it|they|one|your|the|that|such) )(?:\w+ ){{0,3}}{_TELLING}|"
    r"(?:what|which) (?:manner|depth|level|pitch)|(?:manner|depth|level|pitch) of|speak to me|talk to me|talk shop|"
    r"put things to me|someone like me|my level|how (?:deep|basic|advanced|simple|detailed))\b",
    re.IGNORECASE,
)
# Ways of explaining, from the first steps to talk among experts.
_WAYS: Final = (
    r"first|zero|scratch|beginnings?|bab(?:y|ies)|child\w*|no (?:\w+ )?(?:terms?|jargon|words)|nothing|never|"
    r"slow(?:ly|est)?|"
    r"one (?:\w+ )?at a time|from the (?:start|ground|bottom)|tiny|very|newcomer\w*|stranger\w*|novice\w*|whatsoever|"
    r"at all|abc|alphabet|hand in hand|spell\w*|without any",
    r"eas(?:y|ily)|simpl[ey]|plain(?:ly)?|short|small|basics?|step by step|everyday|gentl[ey]|examples?|"
    r"beginner\w*|few|"
    r"familiar|common words|handful|little|learner\w*|starter\w*|patien\w+",
    r"swift(?:ly)?|brisk(?:ly)?|quick(?:ly)?|usual|pitfalls?|hints?|goes? wrong|whole|common mistakes|details?|tips|"
    r"skip\w*|exceptions?|tricks?|trade ?offs?|figures|reasons|amateur\w*|hobby\w*|experienced|practi[sc]ed|"
    r"shortcuts?|comparisons?|variants?|rules of thumb|traps?|why",
    r"fellow\w*|colleagues?|among|peers?|experts?|specialists?|professionals?|research\w*|full|shop talk|"
    r"equals?|papers?|"
    r"sources?|theory|reviewers?|judges?|jur(?:y|or)|masters?|scholars?|veterans?|insiders?|practitioners?|deep\w*|"
    r"academ\w+|conferences?|technical|craftsm[ae]n|each other|another",
)
# What people of each level do.
_DOINGS: Final = (
    r"asking (?:what|how|which|where|why|whether|somebody|someone)|wonder\w*|for the first time|first (?:ever|time|try|"
    r"attempt)|confus\w+|mix\w* up|without (?:notic|know|read|understand)\w*|every second|upside down|mist[ao]\w*|"
    r"guess\w*|dropping|forget\w*|fear\w*|afraid|give up|giving up|starting over|copying|panic\w*|"
    r"hold\w* (?:\w+ )?like|"
    r"looking for|no idea|stuck|lost|wrong|backwards|puzzled|scared|staring|fail\w*|fingers|what \w+ (?:is|are|means?)",
    r"simple|easy|plain|basic\w*|short|small|manag\w+|get\w* .*(?:right|work|run)|help|follow\w*|tutorial|video|"
    r"finish\w*|"
    r"learn\w*|practis\w+|practic\w+|step|beginner\w*|slow\w*|little|with (?:a |the )?(?:list|recipe|guide|book|sheet|"
    r"app|notes)|class|course|lesson\w*|two|three|familiar|look\w* up",
    r"fix\w*|adapt\w*|alter\w*|swap\w*|compar\w+|plan\w*|without (?:fear|help|looking|a recipe|notes)|now and then|"
    r"on the side|tun\w+|test\w*|measur\w+|mend\w*|calculat\w+|improv\w+|rather than|adjust\w*|own|whole|repair\w*|"
    r"combin\w+|balanc\w+|switch\w*|by ear|weekly|regular\w*|club",
    r"teach\w*|workshops?|conferences?|publish\w*|judg\w+|invent\w*|design\w*|correct\w*|from memory|for fun|lectur\w*|"
    r"magazines?|committee|standards?|argu\w+|jury|master ?class\w*|apprentices?|exam\w*|translat\w*|restor\w*|"
    r"consult\w*|proof\w*|review\w*|research\w*|coach\w*|train\w*|compos\w+|writ\w+ (?:a |an |the )?(?:paper|article|"
    r"book|column|review|manual)|journal|compet\w+|champion\w*|prize|profession\w*|panel|giving talks|speaking|editor|"
    r"expert\w*|specialist\w*|rare|theor\w+|obscure|hosting|advis\w+",
)
_EXAMPLES_OF_DOING: Final = (
    (
        "asking what the most basic words mean", "trying it for the very first time", "having no idea where to begin",
        "getting confused by the simplest step", "mixing up the names of basic things", "failing at the first attempt",
        "wondering what this button is for", "copying without understanding anything", "being scared of touching it",
    ),
    (
        "managing simple tasks with a little help", "following a tutorial for beginners to the end",
        "finishing a first small project", "practising the basics until they work",
        "looking things up in an easy guide",
        "getting the easy ones right most of the time", "still needing help with the harder parts",
    ),
    (
        "solving ordinary problems alone", "finding and fixing my own mistakes",
        "adapting instructions to my own needs",
        "working on larger projects", "reading specialised articles without trouble", "comparing tools and methods",
        "planning a complicated project",
    ),
    (
        "teaching classes and workshops to others", "publishing articles and giving talks to specialists",
        "inventing my own methods", "judging competitions", "correcting mistakes in the textbooks",
        "arguing with other experts about fine points", "reviewing the work of professionals",
    ),
)  # fmt: skip
_EXAMPLES_OF_SAYING: Final = (
    (
        "from the very beginning, as to a child", "with no technical terms at all", "in tiny steps, from zero",
        "assuming that I know nothing", "very slowly, explaining every word",
    ),
    (
        "in simple words with easy examples", "with short examples and the basics", "in plain language, step by step",
        "with few terms, each explained", "as for somebody who has just started",
    ),
    (
        "briskly, skipping the basics", "with the usual terms and common mistakes", "with tips and pitfalls",
        "in some detail, without the basics", "as for someone with practice",
    ),
    (
        "as among colleagues and experts", "in full technical depth", "as one professional to another",
        "with all the jargon and the latest research", "as specialists talk among themselves",
    ),
)  # fmt: skip
_FEW: Final = 24  # phrases from which their usual nearness can be told
_NEAREST: Final = 14  # phrases looked at, at most
_ELSEWHERE: Final = 0.2  # how much phrases of other matters count
_LEAST_NEAR: Final = 0.2  # nearness to the question from which a matter is taken for the one asked about
_PLACES: Final = np.array([-1.5, -0.5, 0.5, 1.5])


def level_scores(
    history: History, query: str, options: Sequence[str], about: str, encoder: TextEncoder
) -> npt.NDArray[np.float64] | None:
    """Return how far each way of explaining suits what the user's doings show, -1 to 1; None for other questions.

    Args:
        history: the conversation.
        query: what is asked.
        options: ways of explaining.
        about: whose matter is asked about.
        encoder: makes sentence vectors.
    """
    if not _ASKS.search(query):
        return None
    found = [
        (number, phrase)
        for number, text in enumerate(history.texts)
        if history.by_user[number]
        for phrase in phrases_of(text)
    ]
    if not found:
        return None
    places = _places_of(options, encoder)
    sentences = [history.messages[number].sentences[phrase.sentence] for number, phrase in found]
    phrases = [phrase for _, phrase in found]
    relevance, levels = _phrases(phrases, sentences, query, options, encoder)
    said = {row: said_of(history, *found[row]) for row in range(len(found)) if relevance[row] > 0}
    changes = changes_among(found, said, about)
    scores = np.zeros(len(options))
    for row, (kind, strength, who) in said.items():
        number = found[row][0]
        if who != about:
            weight = -0.5
        elif kind == "held":
            weight = strength * (1 + 0.5 * number / len(history.texts))
            if row in changes:
                weight *= 2.5
            else:
                later = max((relevance[other] for other in changes if found[other][0] > number), default=0.0)
                weight *= 1 - 0.8 * later
        elif kind == "tentative":
            weight = 0.15
        else:
            weight = -0.8 * strength
        fit = np.maximum(-2.0, -np.abs(levels[row] - places))
        scores += relevance[row] * weight * (fit - fit.mean())
    result: npt.NDArray[np.float64] = np.tanh(scores / 2.0)
    return result


def _places_of(options: Sequence[str], encoder: TextEncoder) -> npt.NDArray[np.float64]:
    """Return where each way of explaining lies between first steps and talk among experts, evenly spread.

    Told by everyday words for it, by nearness to examples, and by how rare its words are.
    """
    by_words = np.array([_by_words(option, _WAYS) or 0.0 for option in options])
    axis, _, _ = _scale(_EXAMPLES_OF_SAYING, encoder)
    near = encoder.encode(list(options)).astype(np.float64) @ axis
    rare = np.array([_rarity(option) for option in options])
    order = by_words + 0.4 * _standard(near) + 0.3 * _standard(rare)
    ranks = np.argsort(np.argsort(order, kind="stable"), kind="stable")
    even = np.interp(ranks, np.arange(len(options)), np.linspace(-1.5, 1.5, len(options)))
    result: npt.NDArray[np.float64] = 0.5 * even + 0.5 * np.clip(_standard(order) * 1.2, -1.6, 1.6)
    return result


def _standard(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    result: npt.NDArray[np.float64] = (values - values.mean()) / max(float(values.std()), 1e-6)
    return result


@functools.lru_cache(maxsize=4_000)
def _rarity(text: str) -> float:
    """Return how rare the content words of ``text`` are: the vocabulary's ids rise as words become rarer."""
    words = [word for word in (w.lower() for w in words_of(text)) if word[0].isalnum() and base(word) not in STOPWORDS]
    if not words:
        return 0.0
    return float(np.mean([np.log(max(ids)) + len(ids) - 1 for ids in token_ids(words)]))


def _phrases(
    phrases: Sequence[Implied],
    sentences: Sequence[Sentence],
    query: str,
    options: Sequence[str],
    encoder: TextEncoder,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return how surely each phrase is about what is to be explained (0 to 1), and the level that it shows."""
    texts = [phrase.text for phrase in phrases]
    vectors = encoder.encode([query, *options, *texts, *(one.text for one in sentences)]).astype(np.float64)
    asked = vectors[0] + 0.3 * vectors[1 : 1 + len(options)].mean(axis=0)
    asked /= max(float(np.linalg.norm(asked)), 1e-9)
    said = vectors[1 + len(options) : 1 + len(options) + len(texts)]
    near = np.maximum(said @ asked, vectors[1 + len(options) + len(texts) :] @ asked)
    middle = float(np.median(near)) if len(phrases) >= _FEW else 0.1
    spread = max(1.4826 * float(np.median(np.abs(near - middle))), 0.05) if len(phrases) >= _FEW else 0.085
    relevance = np.clip(((near - middle) / spread - 0.5) / 3.0, 0.0, 1.0) * np.clip((near - 0.1) / 0.2, 0.0, 1.0)
    if len(near) > _NEAREST:
        relevance[near < np.sort(near)[-_NEAREST]] = 0.0
    relevance **= 1.5
    about = _matter(phrases, sentences, near)
    if about:
        relevance = np.maximum(_ELSEWHERE * relevance, about)
    axis, usual, deviation = _scale(_EXAMPLES_OF_DOING, encoder)
    levels = 0.6 * (said @ axis - usual) / deviation
    for row, text in enumerate(texts):
        levels[row] += 0.7 * (_by_words(text, _DOINGS) or 0.0)
    return relevance, np.clip(levels, -1.6, 1.6)


def _matter(phrases: Sequence[Implied], sentences: Sequence[Sentence], near: npt.NDArray[np.float64]) -> list[float]:
    """Return 1 for each phrase in a sentence about the matter asked about, else 0; nothing where none is told.

    A matter is named by the same words each time ("in my knitting I keep ..."), beside what is done in it.
    """
    rows: dict[tuple[str, ...], list[int]] = {}
    for row, (phrase, sentence) in enumerate(zip(phrases, sentences, strict=True)):
        beside = [stem for i, stem in enumerate(sentence.stems) if stem and not phrase.start <= i < phrase.end]
        for key in {*((stem,) for stem in beside), *itertools.pairwise(beside)}:
            rows.setdefault(key, []).append(row)
    best: tuple[float, tuple[str, ...]] | None = None
    for key in sorted(rows):
        own = rows[key]
        if 2 <= len(own) <= max(3, len(phrases) // 4):
            closest = sorted((float(near[row]) for row in own), reverse=True)[:3]
            value = sum(closest) / len(closest) + 0.03 * min(len(own), 5) + 0.05 * (len(key) - 1)
            if best is None or value > best[0]:
                best = (value, key)
    if best is None or best[0] < _LEAST_NEAR:
        return []
    return [float(row in rows[best[1]]) for row in range(len(phrases))]


def _by_words(text: str, cues: Sequence[str]) -> float | None:
    """Return the place on the scale that the words of ``text`` tell, -1.5 to 1.5; None where none tells any."""
    lowered = text.replace("’", "'").replace("-", " ").lower()
    counts = np.array([len(pattern.findall(lowered)) for pattern in _compiled(tuple(cues))], dtype=np.float64)
    return float(counts @ _PLACES / counts.sum()) if counts.sum() else None


@functools.cache
def _compiled(cues: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"\b(?:{cue})\b") for cue in cues)


def _scale(examples: Sequence[Sequence[str]], encoder: TextEncoder) -> tuple[npt.NDArray[np.float64], float, float]:
    """Return the direction from beginners to experts, and mean and deviation of signs along it.

    What people say of themselves lies closer together than the examples, which name a level outright.
    """
    vectors = [encoder.encode(list(rows)).astype(np.float64) for rows in examples]
    means = [rows.mean(axis=0) for rows in vectors]
    units = [mean / max(float(np.linalg.norm(mean)), 1e-9) for mean in means]
    axis = units[3] + 0.5 * units[2] - 0.5 * units[1] - units[0]
    along = np.concatenate(vectors) @ axis
    return axis, 0.3 * float(along.mean()), max(0.35 * float(along.std()), 1e-6)
