"""Wording: each turn says what its plan says, names nothing it should not, and has a sensible length.

What turns with pictures must not say is in ``pictures``; it is checked here with the rest of a turn.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lifeloom.records import ConversationPlan, Occasion, PlannedFact, Statement, Turn, TurnPlan, local_time
from lifeloom.synthesis.catalogue import attributes
from lifeloom.synthesis.planning.spoken_dates import spoken_dates
from lifeloom.synthesis.rules.findings import Finding, Reason
from lifeloom.synthesis.rules.phrases import Folded, fold, is_worded, names, sentences
from lifeloom.synthesis.rules.pictures import PictureRules

__all__ = ["ASSISTANT_WORDS", "USER_WORDS", "WordingRules"]

USER_WORDS = (4, 300)
ASSISTANT_WORDS = (4, 500)
"""Least and most words of a message. Wider than what writers are asked for: only what is plainly wrong is caught."""


@dataclass(frozen=True)
class _Topic:
    """An attribute of the plan: how it is called, what the plan says of it, and what else could be said."""

    phrase: Folded
    values: Mapping[Folded, tuple[PlannedFact, ...]]
    """Values of the plan, with the facts that have them."""
    others: tuple[Folded, ...]
    """Further values that the catalogue has for it."""
    pictured: bool
    """Whether pictures show the values: plain words, which mean nothing away from the attribute."""


@dataclass(frozen=True)
class _Circle:
    """Names of the user's people and the relations that are said of anybody."""

    names: tuple[Folded, ...]
    relations: tuple[Folded, ...]


@dataclass(frozen=True)
class WordingRules:
    """The rules on words for one plan. Only the user's text is held to statements."""

    plan: ConversationPlan
    _facts: Mapping[str, PlannedFact] = field(init=False, repr=False)
    _topics: Mapping[str, _Topic] = field(init=False, repr=False)
    _circle: _Circle = field(init=False, repr=False)
    _pictures: PictureRules = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Fold the plan's words once."""
        object.__setattr__(self, "_facts", {fact.fact_id: fact for fact in self.plan.facts})
        object.__setattr__(self, "_topics", _topics(self.plan.facts))
        object.__setattr__(self, "_circle", _circle(self.plan.facts))
        object.__setattr__(self, "_pictures", PictureRules(self.plan))

    def check(self, turn: Turn) -> Iterator[Finding]:
        """Yield what is wrong with the words of ``turn``, which is one of the plan's."""
        planned = self.plan.turns[turn.turn_index]
        said = fold(turn.user)

        def finding(reason: Reason, detail: str, certain: bool = True) -> Finding:
            return Finding(reason, detail, planned.session_index, planned.turn_index, certain)

        for who, text, (least, most) in (
            ("user", turn.user, USER_WORDS),
            ("assistant", turn.assistant, ASSISTANT_WORDS),
        ):
            words = len(text.split())
            if not least <= words <= most:
                yield finding("text_length", f"the {who}'s message has {words} words; write {least} to {most}")
        for statement in planned.statements:
            for reason, detail in self._statement_problems(statement, said):
                yield finding(reason, detail)
        if planned.occasion is not None:
            problem = _date_problem(planned.occasion, turn, said)
            if problem:
                yield finding("date_not_worded", problem)
        yield from self._pictures.check(turn)
        for detail in self._denials(planned, turn.user):
            yield finding("contradicted_fact", detail, certain=False)
        for detail, certain in self._contradictions(planned, turn.user).items():
            yield finding("contradicted_fact", detail, certain)

    def _statement_problems(self, statement: Statement, said: Folded) -> Iterator[tuple[Reason, str]]:
        fact = self._facts[statement.fact_id]
        yield from self._value_problems(statement, fact, said)
        if fact.kind == "relationship" and not is_worded(said, fold(fact.phrase)):
            yield "holder_not_named", f"{fact.phrase} must be named"
        if statement.kind == "other_person" and fact.holder_name and not is_worded(said, fold(fact.holder_name)):
            yield "holder_not_named", f"{fact.holder_name} must be named, whose '{fact.value}' it is"

    def _value_problems(self, statement: Statement, fact: PlannedFact, said: Folded) -> Iterator[tuple[Reason, str]]:
        """Yield what is wrong about the value: named outright, left to a sign, referred to, or left to a picture."""
        if fact.pictured:
            return  # the rules on pictures see to it that nothing is named
        if statement.kind == "anaphora":
            if names(said, fold(fact.value)):
                yield "value_given_away", f"'{fact.value}' must be referred to, not named again"
            return
        previous = None
        if statement.kind in ("shift", "correction") and statement.previous_fact_id is not None:
            previous = self._facts[statement.previous_fact_id]
        if statement.sign:
            for value in [fact.value] + ([previous.value] if previous is not None else []):
                if names(said, fold(value)):
                    yield "value_given_away", f"'{value}' must be shown by its sign, not named"
        due = statement.sign or fact.value
        if not is_worded(said, fold(due)):
            yield "value_not_worded", f"'{due}' must be named ({statement.kind}, {fact.phrase})"
        left = "" if previous is None else statement.previous_sign or previous.value
        if left and not is_worded(said, fold(left)):
            yield "value_not_worded", f"'{left}' must be named as what is left behind"

    def _denials(self, planned: TurnPlan, text: str) -> Iterator[str]:
        """Yield a sentence for each value that is claimed in one sentence and seems to be denied in another."""
        facts = [self._facts[s.fact_id] for s in planned.statements if s.kind in _CLAIMING]
        # A relation ("my neighbour") is named in many a sentence that has nothing to do with it.
        claimed = {fold(fact.value) for fact in facts if fact.kind != "relationship"}
        folded = [fold(sentence) for sentence in sentences(text)] if claimed else []
        for value in sorted(claimed):
            naming = [words for words in folded if names(words, value)]
            denying = [words for words in naming if any(word in words for word in _DENYING)]
            if denying and len(denying) < len(naming):
                yield f"'{value.strip()}' is said and then denied in one turn"

    def _contradictions(self, planned: TurnPlan, text: str) -> dict[str, bool]:
        """Return a sentence for each value that the user claims and the plan does not hold, and whether it is certain.

        It is where the attribute is named as the user's, or stated in this turn anyway. A planned value in
        another turn may be a mere memory, or chance: a person should look.
        """
        stated = [self._facts[statement.fact_id] for statement in planned.statements]
        left = [self._facts[s.previous_fact_id] for s in planned.statements if s.previous_fact_id is not None]
        due = {fold(fact.value) for fact in (*stated, *left)}
        due |= {fold(sign) for s in planned.statements for sign in (s.sign, s.previous_sign) if sign}
        relations = due | {fold(fact.holder_relation) for fact in stated if fact.holder_relation}
        spoken_of = {fact.attribute for fact in stated}
        caption = fold(planned.occasion.caption) if planned.occasion is not None else ""
        found: dict[str, bool] = {}
        # A caption that an occasion quotes claims nothing; it may be cut short and hold several sentences.
        parts = _QUOTES.split(text) if caption else [text]
        for words in (fold(sentence) for part in parts for sentence in sentences(part)):
            if words in caption:
                continue
            for attribute, topic in self._topics.items():
                named = f" my{topic.phrase}" in words
                claims = {
                    value: named or attribute in spoken_of
                    for value, facts in topic.values.items()
                    if value in words and not any(_holds(fact, planned.turn_index, words) for fact in facts)
                }
                claims |= dict.fromkeys((value for value in topic.others if named and value in words), True)
                for value, certain in claims.items():
                    # Away from its attribute a single word can be innocent ("tea"), a longer value hardly.
                    doubtful = " " in value.strip() and not topic.pictured
                    if (certain or doubtful) and not any(value in own for own in due):
                        detail = f"{topic.phrase.strip()}: '{value.strip()}' is not to be said in this turn"
                        found[detail] = certain or found.get(detail, False)
            for name in self._circle.names:
                for relation in self._circle.relations if name in words else ():
                    if f" my{relation}" in words and relation not in relations:
                        found[f"{name.strip()}: '{relation.strip()}' is not to be said in this turn"] = True
        return found


_CLAIMING = frozenset(("direct", "indirect", "shift", "correction"))
_DENYING = (" not ", " never ", " forget ", " untrue ", "n t ")
_QUOTES = re.compile(r"[“”„\"«»]")


def _holds(fact: PlannedFact, turn: int, sentence: Folded) -> bool:
    """Say whether naming ``fact`` in ``turn`` agrees with the plan: as the user's at that time, or as its holder's."""
    if fact.status == "someone_else":
        return names(sentence, fold(fact.holder_name)) or names(sentence, fold(fact.holder_relation))
    known = fact.stated_in[0] <= turn and fact.status != "given_up"
    return known and (fact.ended_in is None or turn < fact.ended_in)


def _date_problem(occasion: Occasion, turn: Turn, said: Folded) -> str | None:
    """Return what is wrong with the spoken day: some phrase must mean the day on which it happened."""
    if names(said, fold(occasion.when_phrase)):
        return None
    phrases = spoken_dates(local_time(turn.at, turn.offset_minutes))
    if any(spoken.happened_on == occasion.happened_on and names(said, fold(spoken.phrase)) for spoken in phrases):
        return None
    wrong = sorted(spoken.phrase for spoken in phrases if names(said, fold(spoken.phrase)))
    return f"say that it happened {occasion.when_phrase}" + (f", not {' or '.join(wrong)}" if wrong else "")


@functools.cache
def _catalogue_values() -> Mapping[str, tuple[Folded, ...]]:
    return {item.attribute_id: tuple(fold(value) for value in item.values) for item in attributes("release")}


def _topics(facts: Sequence[PlannedFact]) -> dict[str, _Topic]:
    found: dict[str, list[PlannedFact]] = {}
    for fact in facts:
        if fact.kind != "relationship":
            found.setdefault(fact.attribute, []).append(fact)
    topics = {}
    for attribute, own in found.items():
        values: dict[Folded, tuple[PlannedFact, ...]] = {}
        for fact in own:
            values[fold(fact.value)] = (*values.get(fold(fact.value), ()), fact)
        known = _catalogue_values().get(attribute, ())
        topics[attribute] = _Topic(
            fold(own[0].phrase), values, tuple(v for v in known if v not in values), own[0].pictured
        )
    return topics


def _circle(facts: Sequence[PlannedFact]) -> _Circle:
    relations = [fact.value for fact in facts if fact.kind == "relationship"]
    relations += [fact.holder_relation for fact in facts if fact.holder_relation]
    people = [fact.phrase for fact in facts if fact.kind == "relationship"]
    return _Circle(tuple(dict.fromkeys(map(fold, people))), tuple(dict.fromkeys(map(fold, relations))))
