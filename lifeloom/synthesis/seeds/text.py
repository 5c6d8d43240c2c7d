"""Cleaning the encoded text of a YFCC100M row, and judging whether it says anything."""

from __future__ import annotations

import html
import re
from typing import Literal
from urllib.parse import unquote_to_bytes

__all__ = ["NULLS", "Wordless", "clean_field", "combine", "shorten", "tells_something", "wordless_reason"]

Wordless = Literal["no_text", "no_letters", "placeholder", "camera_text", "file_name"]
"""Why a title or a description says nothing."""

# Bytes that need neither decoding nor cleaning ("+" is a blank).
_PLAIN = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_*,!'()"
# What a percent sign most often stands for, in prose and in markup; none of it can make a new percent code.
_PROSE_CODES = tuple((b"%%%02X" % ord(char), char.encode()) for char in ",'!():")
_MARKUP_CODES = tuple((b"%%%02X" % ord(char), char.encode()) for char in '\n\r"/&;<=>?#@')

NULLS = frozenset({b"\\N", b"null", b"NULL"})
"""How databases export a field without a value."""
_LINK_TO_URL = re.compile(r"<a\b[^<>]*>[^<>\s]*[/.][^<>\s]*</a\s*>", re.IGNORECASE)
_SCRIPT = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_INLINE_TAG = re.compile(
    r"</?(?:a|b|i|u|s|em|strong|span|font|small|big|sup|sub|del|ins)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
_CUT_TAG = re.compile(r"</?(?:a|img|b|i|em|strong|br|p|div|span)(?:\s[^<>]*)?$", re.IGNORECASE)
_URL = re.compile(r"(?:https?|ftp)://\S*|(?<![\w.-])www\.[^\s,;)]+|(?<!\S)/\S*/\S*", re.IGNORECASE)
_DOMAIN = re.compile(
    r"(?<![\w.@-])[\w-]+(?:\.[\w-]+){0,4}\.(?:com|org|net|info|edu|gov)\b(?:/[^\s,;)]*)?", re.IGNORECASE
)
_DOMAIN_SIGNS = (".com", ".org", ".net", ".info", ".edu", ".gov")
_EMAIL = re.compile(r"\S+@\S+")
_ESCAPED_UNICODE = re.compile(r"\\u([0-9a-fA-F]{4})")
_ESCAPED_BREAK = re.compile(r"\\[rn]")
_ESCAPED_CHAR = re.compile(r"\\([\"'\\/&])")
_PARAGRAPH = re.compile(r"(?<=[^\W_])[^\S\n]*\n\s*\n\s*")
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0e-\x1b\x7f-\x84\x86-\x9f\ufeff\ufffd\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_BLANK_BEFORE_STOP = re.compile(r" (?=[.,;](?: |$))")

_PUNCTUATION = ".,;:!?\"'()[]{}*#&+=~-–—…“”‘’«»¡¿/|<>•♥"
_EDGES = _PUNCTUATION + " "
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_CAMERA_NUMBER = re.compile(
    r"(?:img|dsc[nf]?|dscf|imgp|pict(?:ure)?|photo|foto|image|imagen|bild|scan|mvi|cimg|sany|hpim|kif|mov)[\s_#.-]*\(?\d+\)?"
)
_LETTER = re.compile(r"[^\W\d_]")
_FILE_SIGN = re.compile(r"[\d_]|\.[A-Za-z]{2,4}\b")  # without one of these no piece is a file name
_FILE_END = re.compile(r"\.(?:jpe?g|png|gif|tiff?|bmp|raw|cr2|nef|crw|dng|psd|mov|avi|mp4|mpg)$", re.IGNORECASE)
# Scripts that are written without blanks between words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_MIN_WORDS = 2
_MIN_LETTERS = 6
_MIN_UNSPACED = 4

_PLACEHOLDERS = frozenset(
    {
        "untitled", "no title", "no name", "none", "null", "n/a", "tbd", "title", "photo", "picture", "image",
        "my photo", "new image", "new photo", "photo upload", "mobile upload", "mobile uploads", "iphone upload",
        "iphone photo",
        "camera roll", "scanned image", "scan", "test", "sans titre", "sin título", "sin titulo", "senza titolo",
        "sem título", "sem titulo", "ohne titel", "zonder titel", "bez názvu", "без названия", "無題", "无标题",
        "無標題", "제목 없음",
    }
)  # fmt: skip
_CAMERA_TEXT = frozenset(
    {
        "olympus digital camera", "kodak digital still camera", "digital still camera", "digital camera", "sony dsc",
        "minolta dsc", "konica minolta digital camera", "samsung digital camera", "samsung digimax", "samsung csc",
        "casio computer co. ltd", "dcf 1.0", "exif jpeg picture", "exif_jpeg_picture", "exif_jpeg_t422",
        "hp photosmart", "processed with vscocam", "processed with vsco", "created with gimp", "default", "dcim",
        "digital image",
        "digital photo",
    }
)  # fmt: skip
_LONGEST_STOCK = 64
_MAX_MARKED_UP = 4_000  # characters; some patterns take quadratic time on hostile text
_HEAD = 60  # characters of a long text that mostly settle whether it tells something


def clean_field(raw: bytes) -> str:
    """Return the text of a percent- and plus-encoded field as one clean line.

    Takes out HTML (tags, entities, links whose text is an address), addresses of pages and people,
    backslash escapes and control characters; collapses white space. A paragraph break becomes a
    full stop.

    Raises:
        UnicodeDecodeError: The bytes are not UTF-8.
    """
    if not raw or raw in NULLS:
        return ""
    if not raw.translate(None, _PLAIN):
        return " ".join(raw.decode("ascii").replace("+", " ").split())
    data = raw.replace(b"+", b" ")
    if b"%" in data:
        for code, char in _PROSE_CODES:
            data = data.replace(code, char)
        if b"%" in data:
            for code, char in _MARKUP_CODES:
                data = data.replace(code, char)
            if b"%" in data:
                data = unquote_to_bytes(data)
    text = data.decode("utf-8")
    if (
        text.isprintable()
        and "<" not in text
        and "&" not in text
        and "/" not in text
        and "@" not in text
        and "\\" not in text
        and not (
            ".com" in text
            or "www." in text
            or ".org" in text
            or ".net" in text
            or ".info" in text
            or ".edu" in text
            or ".gov" in text
        )
    ):
        # All white space is plain blanks here, for the others are not printable.
        if "  " not in text and not text.startswith(" ") and not text.endswith(" "):
            return text
        return " ".join(text.split())
    return _clean_marked_up(text)


def _clean_marked_up(text: str) -> str:
    text = text[:_MAX_MARKED_UP]
    if "\\" in text:
        text = _ESCAPED_UNICODE.sub(lambda match: chr(int(match[1], 16)), text)
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # join surrogate pairs
        text = _ESCAPED_CHAR.sub(r"\1", _ESCAPED_BREAK.sub("\n", text).replace("\\t", " "))
    if "<" in text:
        text = _without_tags(text)
    if "&" in text:
        text = html.unescape(html.unescape(text))  # entities are often escaped twice
        if "<" in text:
            text = _without_tags(text)
    if "/" in text or "www." in text:
        text = _URL.sub(" ", text)
    if any(sign in text for sign in _DOMAIN_SIGNS):
        text = _DOMAIN.sub(" ", text)
    if "@" in text:
        text = _EMAIL.sub(" ", text)
    if "\n" in text:
        text = _PARAGRAPH.sub(". ", text.replace("\r\n", "\n").strip())
    text = " ".join(text.split())
    if not text.isprintable():
        text = " ".join(_INVISIBLE.sub("", text).split())
    return _BLANK_BEFORE_STOP.sub("", text) if " ." in text or " ," in text or " ;" in text else text


def _without_tags(text: str) -> str:
    if "<a" in text or "<A" in text:
        text = _LINK_TO_URL.sub(" ", text)
    if "<s" in text or "<S" in text:
        text = _SCRIPT.sub(" ", text)
    text = _INLINE_TAG.sub("", text)
    return _CUT_TAG.sub(" ", _TAG.sub(" ", text)) if "<" in text else text


def tells_something(text: str) -> bool:
    """Return whether ``text`` has at least two words and six letters (or four characters without word blanks).

    A word has two letters or more; pieces with a digit, an underscore or the ending of a picture
    file are names of files and count for nothing.
    """
    if len(text) > 2 * _HEAD and tells_something(text[:_HEAD].rpartition(" ")[0]):
        return True
    words = letters = 0
    for piece in text.split():
        if piece.isalpha():
            found = [piece] if len(piece) > 1 else []
        else:
            bare = piece.strip(_PUNCTUATION)
            if bare.isalpha():
                found = [bare] if len(bare) > 1 else []
            elif _is_file_name(bare):
                continue
            else:
                found = _LETTERS.findall(bare)
        for word in found:
            words += 1
            letters += len(word)
        if words >= _MIN_WORDS and letters >= _MIN_LETTERS:
            return True
    return not text.isascii() and len(_UNSPACED.findall(text)) >= _MIN_UNSPACED


def _is_file_name(piece: str) -> bool:
    """Return whether a piece without blanks looks like (part of) a file name or a camera's number."""
    return "_" in piece or any(char.isdigit() for char in piece) or _FILE_END.search(piece) is not None


def wordless_reason(text: str, device: str = "") -> Wordless | None:
    """Return why ``text`` (a title or a description, cleaned) says nothing by itself, or None if it is text.

    One word is text here, as it may help beside the other field; ``tells_something`` judges the whole.
    """
    if not text:
        return "no_text"
    if len(text) <= _LONGEST_STOCK:
        folded = text.casefold().strip(_EDGES)
        if folded in _PLACEHOLDERS:
            return "placeholder"
        if folded in _CAMERA_TEXT or (device and folded == device.casefold()):
            return "camera_text"
    elif "_" not in text and 2 * text.count(".") < text.count(" "):
        return None  # too few pieces can be file names
    if not _FILE_SIGN.search(text):
        return None if _LETTER.search(text) else "no_letters"
    folded = text.casefold().strip(_EDGES)
    if _CAMERA_NUMBER.fullmatch(folded):
        return "file_name"
    pieces = [piece.strip(_PUNCTUATION) for piece in folded.split()]
    files = sum("_" in piece or _FILE_END.search(piece) is not None for piece in pieces)
    if 2 * files <= len(pieces) and any(_LETTERS.search(piece) and not _is_file_name(piece) for piece in pieces):
        return None
    return "file_name" if any(char.isalpha() for char in folded) else "no_letters"


def combine(title: str, description: str) -> str:
    """Return title and description as one text; what both say is said once."""
    if not title or not description:
        return title or description
    first, second = title.casefold().strip(_EDGES), description.casefold().strip(_EDGES)
    if second.startswith(first) and not second[len(first) : len(first) + 1].isalnum():
        return description
    if first.startswith(second) and not first[len(second) : len(second) + 1].isalnum():
        return title
    return f"{title} {description}" if title[-1] in ".!?…:" else f"{title}. {description}"


def shorten(text: str, limit: int) -> str:
    """Return ``text`` cut to at most ``limit`` characters, after a sentence if there is one, else after a word."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    stop = max(head.rfind(mark) for mark in (". ", "! ", "? ", "… "))
    if stop >= limit // 3:
        return head[: stop + 1]
    blank = head.rfind(" ")
    return head[:blank] if blank >= limit // 3 else head
