"""Verbs of the third person as they go with "I" and "you"."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["plain_verb"]


def plain_verb(word: str, irregular: Mapping[str, str]) -> str:
    """Return a verb of the third person without its ending; past forms and others stay.

    Args:
        word: In lower case.
        irregular: The forms that follow no rule (``is``, ``has``), as they go with the person meant.
    """
    if word in irregular:
        return irregular[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes", "oes")):
        return word[:-2]
    return word[:-1]
