"""Messages written by hand: what is met, what is too much, and the extractor's score on the file."""

import pytest
from pydantic import ValidationError

from evaluation.memory_quality import WrittenStatement, read_written, score_written, written_markdown
from lifeloom.assistant.forms import parse_semantic
from lifeloom.models.builtin.extractor import semantic_text
from lifeloom.tasks import SemanticUpdateInput
from tests.statements import STATEMENTS, load_statements

PORK = WrittenStatement.model_validate(
    {
        "id": "s900",
        "text": "I don't eat pork.",
        "kind": "negation",
        "expect": [{"must_include": ["pork", "not|never"], "must_not_be": "pork", "holder": "user"}],
    }
)
CHAT = WrittenStatement(id="s901", text="Hi!", kind="nothing")


def extracted(text, context):
    """What the built-in extractor keeps of a message."""
    task_input = SemanticUpdateInput(
        now="2025-06-01 10:00", weekday="Sunday", context=context, user=text, assistant="I see."
    )
    return [entry.content for entry in parse_semantic(semantic_text(task_input)).entries]


@pytest.mark.parametrize(
    ("remembered", "met", "contradicted"),
    [("The user doesn't eat pork.", 1, 0), ("The user eats pork.", 0, 1), ("The user sings.", 0, 0)],
)
def test_a_message_is_met_by_one_text_with_all_words_and_contradicted_by_the_opposite(remembered, met, contradicted):
    row = score_written([PORK], lambda text, context: [remembered])[0]
    assert (row.kind, row.messages, row.met, row.contradicted) == ("negation", 1, met, contradicted)


def test_of_small_talk_anything_is_too_much():
    rows = score_written([CHAT, PORK], lambda text, context: ["The user says hi."])
    assert [(row.kind, row.met) for row in rows] == [("nothing", 0), ("negation", 0), ("told", 0)]
    assert "| nothing | 1 | 0 | 0.000 | 0 |" in written_markdown(rows)


def test_a_holder_must_be_named():
    aunt = PORK.model_copy(update={"expect": (PORK.expect[0].model_copy(update={"holder": "aunt|rosa"}),)})
    assert score_written([aunt], lambda text, context: ["The user does not eat pork."])[0].met == 0
    assert score_written([aunt], lambda text, context: ["Rosa does not eat pork."])[0].met == 1


def test_the_file_of_statements_reads_as_the_tests_read_it():
    statements = read_written(STATEMENTS)
    assert [one.id for one in statements] == [one.id for one in load_statements()]


def test_a_line_of_another_form_is_refused(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text('{"id": "s1", "kind": "direct"}\n', encoding="utf-8")
    with pytest.raises(ValidationError):
        read_written(path)


def test_the_extractor_meets_most_written_messages_and_leaves_small_talk_alone():
    # Far below what is measured (perf/README.md): a rule that breaks shows, a rule that changes a few items does not.
    rows = {row.kind: row for row in score_written(read_written(STATEMENTS), extracted)}
    assert rows["told"].met > 0.7 * rows["told"].messages
    assert rows["nothing"].met > 0.8 * rows["nothing"].messages
