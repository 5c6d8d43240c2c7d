"""Words about the user turned into words said to them: "the user stands" and "I stand" become "you stand"."""

from __future__ import annotations

import re
from typing import Final

from lifeloom.models.builtin.reasoner.verbs import plain_verb

__all__ = ["second_person", "to_user"]

_YOURS: Final = {
    "i": "you", "my": "your", "me": "you", "mine": "yours", "myself": "yourself", "we": "you", "our": "your",
    "us": "you", "ours": "yours", "ourselves": "yourselves", "i'm": "you are", "i've": "you have", "i'd": "you would",
    "i'll": "you will", "we're": "you are", "we've": "you have", "we'd": "you would", "we'll": "you will",
}  # fmt: skip
_BE: Final = {
    "am": "are", "is": "are", "was": "were", "wasn't": "weren't", "isn't": "aren't", "has": "have",
    "hasn't": "haven't", "does": "do", "doesn't": "don't", "goes": "go",
}  # fmt: skip
_BETWEEN: Final = r"no longer|not|never|always|usually|often|now|also|still|sometimes|rarely|just|already|[a-z]+ly"
_OWN: Final = {
    "their": "your", "they": "you", "them": "you", "themselves": "yourself", "themself": "yourself",
    "theirs": "yours", "they're": "you are", "they've": "you have",
}  # fmt: skip

_FIRST: Final = re.compile(
    r"\b(?:I(?:'(?:m|ve|d|ll))?|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself|[Ww]e(?:'(?:re|ve|d|ll))?|[Oo]ur|us|[Oo]urs|ourselves)\b"
    r"(?!')"
)
_I_BE: Final = re.compile(rf"\b(?:I|[Ww]e)((?: (?:{_BETWEEN}))*) (am|was|wasn't)\b")
_BE_I: Final = re.compile(r"\b([Aa]m|[Ww]as|[Ww]asn't) (I|we)\b")

_USER: Final = re.compile(r"\b(?:[Tt]he [Uu]ser|User)(?P<owns>'s)?(?=\W|$)")
_ASKING: Final = re.compile(r"\b([Ii]s|[Ww]as|[Dd]oes|[Hh]as|[Ii]sn't|[Ww]asn't|[Dd]oesn't|[Hh]asn't) the user\b(?!')")
_SUBJECT: Final = re.compile(
    r"(?:^|[,;:(“\"]|\b(?:that|and|but|because|so|what|which|where|when|if|as|who|whom|how|why|than|before|after|since|"
    r"while|until|though|although|[a-z]+ing|[a-z]+ed|can't|cannot|can|could|will|would|should))\s*$"
)
_AUXILIARY: Final = re.compile(r"\b(?:can't|cannot|can|could|will|would|should|must|may|might)\s*$")
_VERB: Final = re.compile(rf"((?:\s+(?:{_BETWEEN}))*)\s+([a-z][a-z']*)")
_SECOND_VERB: Final = re.compile(
    r"(?P<start>(?:, | )(?:and|but|or) (?:now |also |still |then |often )?)(?P<verb>is|has|was|does|goes|works|lives|"
    r"plays|loves|likes|hates|wants|makes|eats|drives|speaks|thinks|feels|needs|takes|keeps|sings|swims|reads|writes|"
    r"teaches|studies|walks|cooks|bakes|paints|collects|trains|enjoys|prefers|avoids|sleeps|gets|does|stays|hopes|"
    r"plans|says|finds|knows|has|doesn't|isn't|wasn't)\b"
)


def second_person(text: str) -> str:
    """Return what the user says of themselves as said to them: "My dog is old" becomes "Your dog is old"."""
    said = text.replace("’", "'")
    said = _I_BE.sub(lambda match: f"you{match[1]} {_BE[match[2]]}", said)
    said = _BE_I.sub(lambda match: _as(match[1], _BE[match[1].lower()]) + " you", said)
    said = _FIRST.sub(lambda match: _YOURS[match[0].lower()], said)
    return said[:1].upper() + said[1:]


def to_user(text: str) -> str:
    """Return what is told about "the user" as told to them, each verb with them: "the user stands" is "you stand".

    "They" and "their" turn too where nothing but the user is spoken of in that sentence.
    """
    said = " ".join(_sentence(one) for one in re.split(r"(?<=[.!?]) +", text.replace("’", "'").strip()))
    return said[:1].upper() + said[1:]


def _sentence(sentence: str) -> str:
    if not _USER.search(sentence):
        return sentence
    owned = any(match["owns"] for match in _USER.finditer(sentence))
    turned = _ASKING.sub(lambda match: f"{_as(match[1], _BE[match[1].lower()])} you", sentence)
    out: list[str] = []
    position = 0
    subject = False
    for match in _USER.finditer(turned):
        if match.start() < position:
            continue
        out.append(turned[position : match.start()])
        position = match.end()
        if match["owns"]:
            out.append("your")
            continue
        out.append("you")
        before = "".join(out[:-1])
        verb = _VERB.match(turned, position)
        if verb and _SUBJECT.search(before) and not _AUXILIARY.search(before):
            subject = True
            out.append(f"{verb[1]} {plain_verb(verb[2], _BE)}")
            position = verb.end()
    out.append(turned[position:])
    said = "".join(out)
    if subject and said.lower().startswith("you"):
        said = _SECOND_VERB.sub(lambda match: match["start"] + plain_verb(match["verb"], _BE), said)
    if owned:
        return said
    return re.sub(rf"\b(?:{'|'.join(sorted(_OWN, key=len, reverse=True))})\b", lambda match: _OWN[match[0]], said)


def _as(model: str, word: str) -> str:
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
