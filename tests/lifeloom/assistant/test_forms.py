from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.assistant.forms import (
    EpisodicAnswer,
    FormRejected,
    SemanticAnswer,
    SemanticEntry,
    TopicEntry,
    ValueEntry,
    ValuesAnswer,
    parse_core,
    parse_episodic,
    parse_procedural,
    parse_semantic,
    write_core,
    write_episodic,
    write_procedural,
    write_semantic,
)
from lifeloom.assistant.lines import key_values, read_keywords, tidy

TEA = SemanticEntry("preference", "The user drinks green tea.", ("green tea", "drink"), "They said so.")


def test_each_block_of_a_semantic_answer_is_something_to_keep() -> None:
    answer = parse_semantic(
        """\
reason: They said so.
decision: yes
kind: preference
content: The user drinks green tea.
keywords: green tea, drink

reason: A new face.
decision: yes
kind: visual_concept
content: Fatou, the user's sister <img>
keywords: Fatou, sister
picture: 2
""",
        pictures=2,
    )
    fatou = SemanticEntry("visual_concept", "Fatou, the user's sister <img>", ("Fatou", "sister"), "A new face.", 2)
    assert answer == SemanticAnswer((TEA, fatou))


def test_a_decision_against_keeps_nothing_and_says_why() -> None:
    assert parse_semantic("reason: small talk\ndecision: no") == SemanticAnswer((), "small talk")


def test_a_block_decided_against_stays_out_beside_one_that_is_kept() -> None:
    text = write_semantic([TEA]) + "\nreason: small talk\ndecision: no\ncontent: The user said hello."
    assert parse_semantic(text).entries == (TEA,)


def test_lines_as_json_bullets_or_bold_are_understood() -> None:
    lines = ['"reason": "They said so."', '"decision": "yes"', '"kind": "Preference"']
    lines += ['"content": "The user drinks green tea."', '"keywords": ["green tea", "drink"]']
    assert parse_semantic("{\n" + ",\n".join(lines) + "\n}") == SemanticAnswer((TEA,))
    bold = "- **reason:** They said so.\n- **decision:** Yes.\n- **kind:** preference or habit\n"
    bold += "- **content:** The user drinks\n  green tea.\n- **keywords:** green tea; drink"
    assert parse_semantic(bold) == SemanticAnswer((TEA,))


@pytest.mark.parametrize(
    ("text", "repair"),
    [
        ("content: The user drinks green tea.\nkeywords: a", "decision_missing"),
        ("decision: yes\nkind: hunch\ncontent: The user drinks green tea.\nkeywords: a", "kind_unknown"),
        ("decision: yes\nkind: fact\ncontent: The user drinks green tea.", "keywords_missing"),
        ("decision: yes\nkind: fact\ncontent: The user drinks <img> green tea.\nkeywords: a", "mark_dropped"),
        ("decision: yes\nkind: visual_concept\ncontent: The user drinks green tea.\nkeywords: a", "no_picture"),
        ("decision: yes\nkind: fact\ncontent: The user drinks\x07 green tea.\nkeywords: a", "control_characters"),
        ("<think>hm\ncontent: no</think>kind: fact\ndecision: yes\ncontent: The user drinks green tea.\nkeywords: a",
         "thought_dropped"),
    ],
)  # fmt: skip
def test_what_a_semantic_answer_lacks_is_repaired_and_told(text: str, repair: str) -> None:
    answer = parse_semantic(text)
    assert [entry.content for entry in answer.entries] == ["The user drinks green tea."]
    assert repair in answer.repairs


def test_a_visual_concept_of_one_picture_needs_no_number_and_of_several_takes_the_first() -> None:
    text = "decision: yes\nkind: visual_concept\ncontent: Fatou\nkeywords: Fatou"
    assert parse_semantic(text, 1) == SemanticAnswer(
        (SemanticEntry("visual_concept", "Fatou <img>", ("Fatou",), "", 1),)
    )
    assert parse_semantic(text, 3).repairs == ("picture_guessed",)
    assert parse_semantic(f"{text}\npicture: 7", 3).entries[0].picture == 1


def test_values_are_cut_and_a_model_that_goes_on_and_on_is_stopped() -> None:
    answer = parse_semantic(f"decision: yes\nkind: fact\ncontent: {'a' * 100_000}\nkeywords: {'b' * 1000}")
    assert len(answer.entries[0].content) == 500
    assert len(answer.entries[0].keywords[0]) == 60
    assert answer.repairs == ("cut", "cut")
    many = parse_semantic("\n\n".join([write_semantic([TEA])] * 40))
    assert len(many.entries) == 12
    assert many.repairs == ("blocks_cut",)


@pytest.mark.parametrize("parse", [parse_semantic, parse_episodic, parse_core, parse_procedural])
@pytest.mark.parametrize("text", ["", " \n", "I am sorry, I cannot do that.", "<think>content: x</think>"])
def test_an_answer_in_no_form_is_refused_with_its_first_words(parse: object, text: str) -> None:
    with pytest.raises(FormRejected) as refused:
        parse(text, 2)  # type: ignore[operator]
    assert refused.value.reason in ("empty", "no_form")
    if text.startswith("I am"):
        assert "I am sorry" in str(refused.value)


def test_a_block_with_a_decision_but_no_content_is_refused() -> None:
    with pytest.raises(FormRejected, match="no_content"):
        parse_semantic("reason: x\ndecision: yes")


def test_topics_of_a_session_share_out_its_turns() -> None:
    answer = parse_episodic(
        "topic_summary: The user moved to Porto.\nkeywords: Porto, move\nsource_dialog_indices: 1, 3-4\n\n"
        "topic_summary: The user cooked rice.\nkeywords: rice\nsource_dialog_indices: 2",
        4,
    )
    moved = TopicEntry("The user moved to Porto.", ("Porto", "move"), (1, 3, 4))
    assert answer == EpisodicAnswer((moved, TopicEntry("The user cooked rice.", ("rice",), (2,))))


def test_turns_that_no_topic_covers_go_to_the_first_and_are_counted() -> None:
    answer = parse_episodic("topic_summary: A.\nkeywords: a\nsource_dialog_indices: 2\n\n"
                            "topic_summary: B.\nkeywords: b\nsource_dialog_indices: 3", 5)  # fmt: skip
    assert [topic.numbers for topic in answer.topics] == [(1, 2, 4, 5), (3,)]
    assert answer.repairs == ("turn_uncovered",) * 3


def test_numbers_out_of_range_or_told_twice_are_dropped_and_counted() -> None:
    answer = parse_episodic("topic_summary: A.\nkeywords: a\nsource_dialog_indices: 0, 1, 1, 2, 9, 99999999999999\n\n"
                            "topic_summary: B.\nkeywords: b\nsource_dialog_indices: 2, 3", 3)  # fmt: skip
    assert [topic.numbers for topic in answer.topics] == [(1, 2), (3,)]
    assert sorted(answer.repairs) == ["number_out_of_range"] * 3 + ["number_repeated"] * 2
    endless = parse_episodic("topic_summary: A.\nkeywords: a\nsource_dialog_indices: 1-999999999", 2)
    assert endless.topics[0].numbers == (1, 2)


def test_a_topic_without_turns_of_its_own_goes_unless_it_is_the_only_one() -> None:
    answer = parse_episodic("topic_summary: A.\nkeywords: a\nsource_dialog_indices: 9\n\n"
                            "topic_summary: B.\nkeywords: b\nsource_dialog_indices: 1", 2)  # fmt: skip
    assert [topic.summary for topic in answer.topics] == ["B."]
    assert answer.topics[0].numbers == (1, 2)
    assert "topic_without_turns" in answer.repairs
    assert parse_episodic("topic_summary: A.", 2).topics == (TopicEntry("A.", (), (1, 2)),)


def test_core_lines_set_and_end_values_of_both_blocks_and_name_their_turns() -> None:
    answer = parse_core("human.name: Ana [1]\npersona.tone: short replies [2, 3]\nhuman.favourite_team: null [3]\n", 3)
    assert answer == ValuesAnswer(
        (
            ValueEntry("name", "Ana", (1,), "human"),
            ValueEntry("tone", "short replies", (2, 3), "persona"),
            ValueEntry("favourite team", "", (3,), "human"),
        )
    )


def test_the_name_is_never_ended() -> None:
    answer = parse_core("human.name: null [2]", 3)
    assert answer == ValuesAnswer((), ("name_kept",))


def test_core_lines_under_headings_belong_to_their_block_and_stray_ones_are_dropped() -> None:
    answer = parse_core("job: baker\nname: Ana\n[Human]\nage: 41\n## Persona:\n- Tone: short", 1)
    assert [(entry.block, entry.key, entry.content) for entry in answer.entries] == [
        ("human", "name", "Ana"),
        ("human", "age", "41"),
        ("persona", "tone", "short"),
    ]
    assert answer.repairs == ("block_missing", "block_missing")


def test_procedural_lines_set_at_most_five_and_may_end_more() -> None:
    lines = [f"goal {n}: The user wants {n}. [1]" for n in range(7)] + ["old goal: null [2]", "run: null"]
    answer = parse_procedural("\n".join(lines), 2)
    assert [entry.key for entry in answer.entries] == [*(f"goal {n}" for n in range(5)), "old goal", "run"]
    assert [entry.content for entry in answer.entries][5:] == ["", ""]
    assert answer.repairs == ("pairs_cut", "pairs_cut")


def test_a_key_that_comes_twice_has_its_last_value() -> None:
    answer = parse_procedural("Run: The user runs at six. [1]\nrun: The user runs at seven. [2]", 2)
    assert answer == ValuesAnswer((ValueEntry("run", "The user runs at seven.", (2,)),), ("key_repeated",))


@pytest.mark.parametrize("parse", [parse_core, parse_procedural])
@pytest.mark.parametrize("text", ["none", "None.", "```\nnone\n```", "No changes"])
def test_no_change_is_an_answer(parse: object, text: str) -> None:
    assert parse(text, 2) == ValuesAnswer(())  # type: ignore[operator]


def test_keys_and_values_keep_their_lengths() -> None:
    answer = parse_procedural(f"{'k' * 300}: {'v' * 100_000} [1]", 1)
    assert (len(answer.entries[0].key), len(answer.entries[0].content)) == (60, 500)
    assert answer.repairs == ("cut", "cut")


_ANY = st.text(max_size=80)
_VALUES = _ANY.map(lambda text: tidy(text.replace("<img>", ""), 500)).filter(bool)
_KEYWORDS = _ANY.map(lambda text: read_keywords(text, []))
_ENTRIES = st.builds(
    lambda kind, content, keywords, reason, picture: SemanticEntry(
        kind,
        f"{content} <img>" if kind == "visual_concept" else content,
        keywords,
        tidy(reason, 300),
        picture if kind == "visual_concept" else 0,
    ),
    st.sampled_from(["directive", "fact", "preference", "visual_concept"]),
    _VALUES,
    _KEYWORDS,
    _ANY,
    st.integers(1, 3),
)


@given(st.lists(_ENTRIES, max_size=5))
def test_what_is_written_of_a_turn_is_read_back_exactly(entries: list[SemanticEntry]) -> None:
    assert parse_semantic(write_semantic(entries), 3) == SemanticAnswer(tuple(entries))


@given(st.data(), st.integers(1, 12))
def test_what_is_written_of_topics_is_read_back_exactly(data: st.DataObject, turns: int) -> None:
    owners = data.draw(st.lists(st.integers(0, 3), min_size=turns, max_size=turns))
    topics = [
        TopicEntry(data.draw(_VALUES), data.draw(_KEYWORDS), tuple(n for n, o in enumerate(owners, 1) if o == owner))
        for owner in sorted(set(owners))
    ]
    assert parse_episodic(write_episodic(topics), turns) == EpisodicAnswer(tuple(topics))


_KEYS = st.text("abcdefghij klmnäß茶.", min_size=1, max_size=30).map(lambda key: tidy(key, 60).strip(" .")).filter(bool)
_CONTENTS = (_VALUES | st.just("")).filter(lambda value: value.casefold().strip(" .") != "null")


def _values(data: st.DataObject, block: str | None) -> list[ValueEntry]:
    keys = data.draw(st.lists(_KEYS, max_size=5, unique=True))
    numbers = st.lists(st.integers(1, 9), max_size=4, unique=True).map(lambda found: tuple(sorted(found)))
    return [ValueEntry(key, data.draw(_CONTENTS), data.draw(numbers), block) for key in keys]  # type: ignore[arg-type]


@given(st.data())
def test_what_is_written_of_goals_is_read_back_exactly(data: st.DataObject) -> None:
    entries = _values(data, None)
    assert parse_procedural(write_procedural(entries), 9) == ValuesAnswer(tuple(entries))


@given(st.data())
def test_what_is_written_of_core_values_is_read_back_exactly(data: st.DataObject) -> None:
    entries = [*_values(data, "human"), *_values(data, "persona")]
    entries = [entry for entry in entries if (entry.block, entry.key, entry.content) != ("human", "name", "")]
    assert parse_core(write_core(entries), 9) == ValuesAnswer(tuple(entries))


@given(st.text(max_size=400) | st.lists(st.sampled_from(
    ["content: ", "decision: yes", "topic_summary: ", "human.", "name: ", "null", "[1]", "\n", "<think>", "</think>",
     "keywords: ", "source_dialog_indices: ", "-", "\x00", "<img>", '"', ": ", "[", "]"]), max_size=40).map("".join),
    st.integers(0, 4))  # fmt: skip
def test_whatever_a_model_writes_is_read_or_refused(text: str, count: int) -> None:
    for parse in (parse_semantic, parse_episodic, parse_core, parse_procedural):
        with contextlib.suppress(FormRejected):
            parse(text, count)


@given(st.text(), st.integers(1, 50))
def test_tidying_twice_changes_nothing(text: str, limit: int) -> None:
    once = tidy(text, limit)
    assert tidy(once, limit) == once
    assert len(once) <= limit
    assert "\n" not in once
    assert "\x00" not in once


def test_a_line_without_a_key_is_part_of_the_value_before_it_only_if_it_follows_at_once() -> None:
    assert key_values("Here it is:\na: one\ntwo\n\nThat was all.", ("a",)) == [("a", "one two")]
