import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.memory.errors import UserIdInvalid
from lifeloom.memory.users import check_user_id, user_file

ODD_BUT_FINE = [
    "ann",
    "../../etc/passwd",
    "/absolute",
    ".",
    "..",
    "a\\b:c*?\"<>|'; DROP TABLE turns; --",
    "CON",
    "王小明",
    "👩‍👩‍👧",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "שלום",
    "می‌خواهم",
    " padded ",
    "x" * 200,
    "e" + "\u0301" * 50,
]


@pytest.mark.parametrize("user_id", ODD_BUT_FINE)
def test_any_printable_text_is_a_user_with_a_file_inside_the_folder(user_id, tmp_path):
    path = user_file(tmp_path, user_id)

    assert path.parent == tmp_path
    assert re.fullmatch(r"[0-9a-f]{64}\.sqlite", path.name)
    assert path.resolve().parent == tmp_path.resolve()


@pytest.mark.parametrize(
    ("user_id", "why"),
    [
        ("", "empty"),
        ("   ", "blank"),
        ("x" * 201, "201 characters"),
        ("x" * 300, "300 characters"),
        ("a\0b", r"U\+0000\) at character 2"),
        ("a\nb", r"U\+000A"),
        ("a\x7f", r"U\+007F"),
        ("\u202eann", r"U\+202E"),
        ("an\u200bn", r"U\+200B"),
        ("\ufeffann", r"U\+FEFF"),
        ("ann\u2028", r"U\+2028"),
        ("\ud800", "surrogate"),
    ],
)
def test_what_cannot_be_seen_or_is_too_long_is_refused_and_named(user_id, why, tmp_path):
    with pytest.raises(UserIdInvalid, match=why):
        user_file(tmp_path, user_id)


CONFUSABLE = [
    "ann",
    "Ann",
    "ANN",
    "ann ",
    " ann",
    "ann.",
    "ann/",
    "./ann",
    "аnn",  # Cyrillic a
    "ａｎｎ",
    "caf\u00e9",
    "cafe\u0301",
    "ß",
    "ss",
    "ı",
    "i",
    "İ",
]


def test_ids_that_look_alike_never_share_a_file_also_where_case_is_folded(tmp_path):
    names = {user_file(tmp_path, user_id).name.casefold() for user_id in CONFUSABLE}

    assert len(names) == len(CONFUSABLE)


@given(st.text(max_size=210), st.text(max_size=210))
def test_two_ids_share_a_file_only_when_they_are_the_same(one, other):
    try:
        files = [user_file("users", check_user_id(user_id)) for user_id in (one, other)]
    except UserIdInvalid:
        return
    assert (files[0].name.casefold() == files[1].name.casefold()) == (one == other)
