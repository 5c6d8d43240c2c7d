"""From what a user says of themselves to what is true of "the user".

The speaker is always "the user" and never "they", so that a sentence about two people still says who is who.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from lifeloom.models.builtin.reader.english import PEOPLE, lexicon

__all__ = ["third_person", "verb_of_third"]

_TOKEN: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\s+|[^\w\s]|_", re.UNICODE)
_PAST: Final = lexicon(
    """
    ate awoke became began bent bet bit blew bought broke brought built came caught chose clung cost crept dealt did
    dug drank drew drove dwelt fed fell felt fled flew forbade forgave forgot fought found froze gave got grew had
    heard held hid hung kept knelt knew laid lay learnt led left lent lit lost made meant met mistook overslept paid
    put quit ran rang rode rose said sang sank sat saw sent sewed shook shone shot shrank slept slid sold sought spent
    spelt spoke misspoke
    sprang stole stood stuck strove struck swam swept swore swung taught thought threw told took tore
    understood undertook went wept woke won wore wove wrote spun split spread upset was were fit shut let
    """
)
_UNCHANGED: Final = _PAST | lexicon(
    "can could may might must shall should will would ought used cannot can't couldn't won't wouldn't shouldn't "
    "mustn't needn't wasn't didn't hadn't"
)
_NOT_PAST: Final = lexicon("need feed speed exceed proceed succeed breed heed weed seed bleed embed wed shed")
_ADVERBS: Final = lexicon(
    """
    also always almost even ever just never not now often only rather really seldom sometimes still then too usually
    already actually again soon somehow hardly quite perhaps maybe much once mostly no longer simply well first
    both all each
    """
)
_AUXILIARY: Final = {
    "am": "is",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "haven't": "hasn't",
    "ain't": "isn't",
    "go": "goes",
    "are": "is",
    "aren't": "isn't",
    "were": "was",
    "weren't": "wasn't",
}
_BEFORE_SUBJECT: Final = lexicon(
    "did was had will would can could should may might must shall didn't wasn't hadn't won't wouldn't can't cannot "
    "couldn't shouldn't mustn't"
)
_OPENS_CLAUSE: Final = lexicon("that when if because so but and whether where while since though although as")
_BEFORE_PAIR: Final = _OPENS_CLAUSE | _BEFORE_SUBJECT | lexicon("do am are were have then now")
_HAD_AFTER_D: Final = lexicon(
    """
    better been had gone taken made thought meant done seen given written eaten known grown begun driven chosen
    forgotten got left lost found bought told heard felt kept met spent
    """
)
_ALSO_BENT: Final = lexicon(
    "live eat go have hate love prefer want teach own speak take make get keep do sing write buy sell bake listen "
    "collect grow"
)
"""Verbs that are no nouns: "I work in Leeds and live in York" bends both."""
_ENDS_BENDING: Final = lexicon(
    "to can could may might must shall should will would who which that if when while because since so . ; : ! ?"
)


def _is_past(word: str) -> bool:
    return word.endswith("ed") and word not in _NOT_PAST


def verb_of_third(verb: str) -> str:
    """Return ``verb`` as it stands after "the user": past tenses and modals stay."""
    lowered = verb.lower()
    if lowered in _AUXILIARY:
        return _AUXILIARY[lowered]
    if lowered in _UNCHANGED or _is_past(lowered):
        return verb
    if lowered.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if lowered.endswith("y") and lowered[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _split_contraction(word: str) -> tuple[str, str]:
    pronoun, _, rest = word.replace("’", "'").partition("'")
    return pronoun, rest


@functools.lru_cache(maxsize=20_000)
def third_person(text: str, *, several: bool = False) -> str:
    """Return ``text`` with the speaker as "the user"; a capital and a full stop make it a sentence.

    Args:
        text: one or more sentences in the first person.
        several: "we" is the speaker and others whom the text names ("Ana and I ... we"), hence "they";
            else it is the speaker.
    """
    tokens = _TOKEN.findall(text.strip())
    out: list[str] = []
    bend = False  # the next verb belongs to "the user"
    bent = False  # a verb of the clause is bent, so one beside it is bent too
    for i, token in enumerate(tokens):
        word = token.replace("’", "'").lower()
        pronoun, rest = _split_contraction(word)
        if (pronoun == "i" and (token[0] == "I" or rest)) or pronoun == "we":
            out.extend(_subject(pronoun, rest, several, tokens, i))
            joint = pronoun == "we" and several
            bend = not rest and not joint and not _joined_subject(tokens, i)
            bent = False
            if _inverted(out, bend):
                bend = False
            continue
        if word in ("my", "our") or word in ("me", "us", "mine", "ours", "myself", "ourselves"):
            out.append(_other_form(word, several))
            continue
        if bend and token.strip() and token[0].isalpha():
            if word in _ADVERBS or (word.endswith("ly") and word not in ("rely", "apply", "reply", "fly", "supply")):
                out.append(token)
                continue
            third = verb_of_third(token)
            out.append(third)
            bend, bent = False, third != token and word not in ("do", "don't", "am", "haven't")
            continue
        if bend and token.strip() and token not in (",", "-"):
            bend = False
        bent = bent and word not in _ENDS_BENDING
        beside = bent and word in _ALSO_BENT and "".join(out[-4:]).rstrip().endswith((" and", " but", " or"))
        out.append(verb_of_third(token) if beside else token)
    return _sentence("".join(out))


def _subject(pronoun: str, rest: str, several: bool, tokens: list[str], i: int) -> list[str]:
    name = "they" if pronoun == "we" and several else "the user"
    plural = name == "they" or _joined_subject(tokens, i)
    words = (tokens[j].lower() for j in range(i + 1, len(tokens)) if tokens[j].strip())
    following = next((word for word in words if word not in _ADVERBS), "")
    verb = {
        "m": "is",
        "re": "are" if plural else "is",
        "ve": "have" if plural else "has",
        "ll": "will",
        "d": "had" if following in _HAD_AFTER_D or _is_past(following) else "would",
    }.get(rest, "")
    if plural and rest == "m":
        verb = "are"
    return [name, *([f" {verb}"] if verb else [])]


def _joined_subject(tokens: list[str], i: int) -> bool:
    """Whether "I" is one of two: "Ana and I love it", "I and Ana love it"."""
    # A run of blanks is one token, so the eight tokens before hold four others.
    near = [token for token in tokens[max(0, i - 8) : i] if token.strip()]
    before = [token.lower() for token in near[-1:]]
    after = [token for token in tokens[i + 1 : i + 5] if token.strip()][:2]
    named = len(after) == 2 and after[0].lower() == "and" and after[1][:1].isupper()
    if named:
        return True
    if before != ["and"]:
        return False
    earlier = near[-4:-1]
    if len(earlier) > 1 and earlier[-1].lower() in PEOPLE and earlier[-2].lower() in ("my", "our"):
        # "my wife and I", but not "I have my wife and I love her"
        return len(earlier) == 2 or not earlier[0][0].isalpha() or earlier[0].lower() in _BEFORE_PAIR
    earlier = earlier[-2:]
    if not earlier or not earlier[-1][:1].isupper() or len(earlier[-1]) < 2:
        return False
    # "Ana and I", "my friend Ana and I", but not "my name is Ana and I ..."
    lead = earlier[0].lower() if len(earlier) == 2 else ""
    return not lead or not lead[0].isalpha() or lead in _OPENS_CLAUSE or lead in PEOPLE


def _inverted(out: list[str], bend: bool) -> bool:
    """Turn "do I", "am I", "have I" round to "does the user"; whether it was so."""
    if not bend or len(out) < 3 or out[-2].strip():
        return False
    before = out[-3].lower()
    if before in ("do", "am", "have", "don't", "haven't"):
        out[-3] = _AUXILIARY[before]
        return True
    return before in _BEFORE_SUBJECT


def _other_form(word: str, several: bool) -> str:
    joint = several and word in ("our", "us", "ours", "ourselves")
    return {
        "my": "the user's",
        "our": "their" if joint else "the user's",
        "me": "the user",
        "us": "them" if joint else "the user",
        "mine": "the user's",
        "ours": "theirs" if joint else "the user's",
        "myself": "themselves",
        "ourselves": "themselves",
    }[word]


def _sentence(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip(" ,;:-–—")
    if not text:
        return ""
    text = re.sub(r"(?<=[.!?] )the user\b", "The user", text)
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?…。！？" else f"{text}."
