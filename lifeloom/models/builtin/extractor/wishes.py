"""How a user wishes to be answered, as a sentence about the user and the assistant.

"I'd like you to keep your answers short" is "The user wants the assistant to keep its answers short."
"""

from __future__ import annotations

import re
from typing import Final

from lifeloom.models.builtin.extractor.third_person import third_person, verb_of_third

__all__ = ["told_wish"]

_POLITE: Final = re.compile(
    r"^(?:(?:please|kindly|also|and|oh|so|well|ok|okay|hi|hello|just|sorry)\b,? |"
    r"(?:from now on|in (?:the )?future|going forward|from here on|from today)\b,? )+",
    re.IGNORECASE,
)
_TRAILING: Final = re.compile(
    r"(?:,? (?:please|thanks|thank you|if you can|would you|will you))+(?=[.!?]*$)", re.IGNORECASE
)
_ASKS: Final = re.compile(
    r"^(?:(?:could|can|would|will) you (?:please )?(?:just )?|"
    r"I(?:'d| would)? (?:really )?(?:like|want|need|love|prefer) (?:it if )?you to |"
    r"(?:you should|you must|you may) )?(?:(?:remember|don't forget|do not forget) to )?",
    re.IGNORECASE,
)
_NOT_TO: Final = re.compile(r"^(?:don't|do not|please don't) ", re.IGNORECASE)
_BARE: Final = re.compile(
    r"^(?P<what>(?:no|less|fewer|more|short|shorter|brief|long|longer|detailed|concise|simple|simpler|plain|formal|"
    r"informal|honest|direct|blunt)\b(?! me\b)[^.?!:]*?)[.!]*$",
    re.IGNORECASE,
)
_ENOUGH_OF: Final = re.compile(r"^(?:enough with|skip|drop|stop with|cut) the (?P<what>[^.?!]+?)[.!]*$", re.IGNORECASE)
_IMPERATIVE: Final = re.compile(
    r"^(?:always |never )?(?:be|talk|speak|write|use|keep|stay|answer|reply|respond|treat|explain|stop|quit|go|give|"
    r"send|"
    r"start|end|suggest|recommend|avoid|address|call|assume|tone|make|put|tell|ask|show|help|feel|try|mention|include|"
    r"leave|add|say|sign|greet|translate|format|limit)\b",
    re.IGNORECASE,
)
_YOU_ARE: Final = re.compile(r"\byou(?:'re| are)\b", re.IGNORECASE)
_YOU_DOES: Final = re.compile(r"\byou (?!to\b|in\b|for\b|with\b|and\b|not\b)(?P<verb>[a-z]+(?:n't)?)\b", re.IGNORECASE)


def told_wish(text: str) -> str:
    """Return a wish for the assistant's manner in the third person.

    Args:
        text: what the user says to the assistant, in the first person.
    """
    plain = _TRAILING.sub("", _POLITE.sub("", text.strip())).rstrip("?")
    lead = _ASKS.match(plain)
    asked = lead is not None and bool(lead.group())
    if lead is not None and asked:
        plain = _POLITE.sub("", plain[lead.end() :])
    refused = _NOT_TO.match(plain)
    enough = _ENOUGH_OF.match(plain)
    bare = None if asked else _BARE.match(plain)
    if enough:
        return third_person(f"I want no {enough['what']}")
    if bare:
        return third_person(f"I want {_lowered(bare['what'])}")
    if refused:
        return third_person(f"I want the assistant not to {_of_assistant(plain[refused.end() :], named=True)}")
    if asked or _IMPERATIVE.match(plain):
        return third_person(f"I want the assistant to {_of_assistant(_lowered(plain), named=True)}")
    if re.match(r"(?:I|my|your|you(?:'re| are))\b", plain, re.IGNORECASE):
        return third_person(_of_assistant(plain, named=False))  # "I like it when you joke", "Your answers are too long"
    return third_person(f"I wish: {_of_assistant(_lowered(plain), named=False)}")


def _lowered(text: str) -> str:
    return text if text.startswith("I ") or text[:2].isupper() else text[:1].lower() + text[1:]


def _of_assistant(text: str, *, named: bool) -> str:
    """Return ``text`` with the one spoken to as the assistant; ``named``: it was named just before."""
    text = _YOU_ARE.sub("the assistant is", text)
    text = _YOU_DOES.sub(lambda match: f"the assistant {verb_of_third(match['verb'])}", text)
    named = named or "the assistant" in text.partition("your")[0].lower()
    text = re.sub(r"\byour\b", "its" if named else "the assistant's", text, flags=re.IGNORECASE)
    text = re.sub(r"\byourself\b", "itself", text, flags=re.IGNORECASE)
    return re.sub(r"\byou\b", "the assistant", text, flags=re.IGNORECASE)
