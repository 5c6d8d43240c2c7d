"""The hand-written messages keep to what tests/data/README.md says of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import get_args

import pytest

from tests.statements import (
    DATA,
    ODD_MESSAGES,
    STATEMENTS,
    Expectation,
    Statement,
    StatementKind,
    load_odd_messages,
    load_statements,
    occurs,
)

KINDS = get_args(StatementKind)


def _said(statement: Statement) -> str:
    return " ".join([*(message.text for message in statement.context), statement.text])


def test_there_are_enough_statements_of_every_kind() -> None:
    counts = Counter(statement.kind for statement in load_statements())
    assert counts.total() >= 260
    assert counts["nothing"] >= 70
    assert {kind: counts[kind] for kind in KINDS if counts[kind] < 12} == {}


def test_at_least_twenty_statements_say_two_things_or_more() -> None:
    assert sum(len(statement.expect) >= 2 for statement in load_statements()) >= 20


def test_ids_count_the_lines_and_no_text_comes_twice() -> None:
    statements = load_statements()
    assert [statement.id for statement in statements] == [f"s{n + 1:03d}" for n in range(len(statements))]
    texts = Counter(" ".join(re.findall(r"\w+", statement.text.lower())) for statement in statements)
    assert [text for text, times in texts.items() if times > 1] == []


def test_nothing_is_expected_of_nothing_and_something_of_all_else() -> None:
    wrong = [s.id for s in load_statements() if bool(s.expect) == (s.kind == "nothing")]
    assert wrong == []


def test_words_to_look_for_are_lower_case_without_spaces_around() -> None:
    for statement in load_statements():
        for expected in statement.expect:
            entries = [*expected.must_include, expected.must_not_be, expected.holder]
            words = [word for entry in entries for word in entry.split("|")]
            assert words == [word.lower().strip() for word in words], statement.id


def test_every_expectation_follows_from_words_that_were_said() -> None:
    for statement in load_statements():
        said = _said(statement)
        for expected in statement.expect:
            unsaid = [entry for entry in expected.must_include if not occurs(entry, said)]
            assert unsaid == [], statement.id
            assert not expected.must_not_be or occurs(expected.must_not_be, said), statement.id
            assert expected.holder == "user" or occurs(expected.holder, said), statement.id


def test_corrections_and_denials_name_what_must_not_be_remembered() -> None:
    missing = [
        statement.id
        for statement in load_statements()
        if statement.kind in {"negation", "correction", "plan_dropped"}
        and not any(expected.must_not_be for expected in statement.expect)
    ]
    assert missing == []


def test_an_anaphora_has_a_context_and_cannot_be_met_without_it() -> None:
    for statement in load_statements():
        if statement.kind != "anaphora":
            continue
        assert statement.context, statement.id
        for expected in statement.expect:
            entries = [*expected.must_include, *([expected.holder] if expected.holder != "user" else [])]
            assert not all(occurs(entry, statement.text) for entry in entries), statement.id


def test_a_holder_other_than_the_user_is_found_among_what_is_said_of_others() -> None:
    for statement in load_statements():
        if statement.kind == "other_person":
            assert any(expected.holder != "user" for expected in statement.expect), statement.id


def test_every_line_is_plain_json_and_the_files_end_in_one_line_end() -> None:
    for path in (STATEMENTS, ODD_MESSAGES):
        text = path.read_bytes().decode("utf-8")
        assert text.endswith("}\n")
        assert all(isinstance(json.loads(line), dict) for line in text[:-1].split("\n"))


def test_there_are_forty_odd_messages_each_once() -> None:
    odd = load_odd_messages()
    assert len(odd) >= 40
    assert len({message.text for message in odd}) == len(odd)


def test_odd_messages_hold_what_they_promise() -> None:
    texts = [message.text for message in load_odd_messages()]
    assert "" in texts
    assert any("\x00" in text for text in texts)
    assert any("\x1b" in text for text in texts)
    assert any(re.search("[\u0590-\u05ff]", text) for text in texts), "right to left"
    assert any(re.search("[\u4e00-\u9fff]", text) for text in texts), "Chinese"
    assert any(re.search("[\u3040-\u30ff]", text) for text in texts), "Japanese"
    assert any(len(text) == 5000 and len(set(text.split())) == 1 for text in texts), "one word over and over"
    assert any("<script>" in text for text in texts)
    assert any("Anna's memories" in text for text in texts)


def test_the_readme_gives_the_counts_as_they_are() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    statements = load_statements()
    for kind, count in Counter(statement.kind for statement in statements).items():
        assert f"| `{kind}` | {count} |" in readme
    assert f"{len(statements)} items, one JSON object a line" in readme
    assert f"{sum(len(statement.expect) >= 2 for statement in statements)} items say two things or more" in readme
    assert f"{len(load_odd_messages())} items with `text` and `note` alone" in readme


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("cat", "The user has two cats.", True),
        ("cat", "The user's category is gold.", False),
        ("sister", "The user's sister's flat", True),
        ("in-law", "The user's brother-in-law", False),
        ("brother-in-law", "The user's Brother-in-law is a baker", True),
        ("not", "The user doesn’t eat pork", True),
        ("not", "The user cannot swim", True),
        ("not", "The user has a notebook", False),
        ("tuesday|thursday", "on Thursdays", True),
        ("blue flowerpot", "under the blue flowerpots", True),
        ("blue flowerpot", "a flowerpot that is blue", False),
        ("comté", "Likes Comté.", True),
    ],
)
def test_words_occur_as_whole_words_only(words: str, text: str, found: bool) -> None:
    assert occurs(words, text) is found


def test_an_expectation_is_met_only_where_its_holder_is_named() -> None:
    expected = Expectation(kind="fact", must_include=["baker"], must_not_be="", holder="brother-in-law")
    assert expected.met_by("The user's brother-in-law is a baker.")
    assert not expected.met_by("The user is a baker.")
    assert not expected.met_by("The user's brother-in-law is a vet.")
