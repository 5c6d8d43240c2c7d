"""Each rule catches what it is for and passes good text; what can be repaired is; people have the last word."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest

from lifeloom.synthesis.review import ReviewAnswers
from lifeloom.synthesis.rules.phrases import fold, is_worded
from lifeloom.synthesis.validation import Validator, find_problems, structural_problems
from tests.written import ANSWER, USER, Scripted, conversation, persona, plan

MINUTE = dt.timedelta(minutes=1)


def found(written, critic=None):
    return [(finding.reason, finding.turn_index, finding.certain) for finding in find_problems(plan(), written, critic)]


def validate(written, writer=None, critic=None, answers=None, where="corpus/dialogues/shard-000"):
    return Validator(critic, answers=ReviewAnswers(answers or {}), where=where).validate(
        plan(), persona(), written, writer or Scripted()
    )


def edited(index, **changes):
    good = conversation()
    turns = list(good.turns)
    turns[index] = turns[index].model_copy(update=changes)
    return dataclasses.replace(good, turns=tuple(turns))


# Rules


def test_a_good_conversation_has_no_problem_and_passes_unchanged():
    assert found(conversation(), Scripted()) == []
    writer = Scripted()
    validated = validate(conversation(), writer, Scripted())
    assert validated.conversation == conversation()
    assert (validated.repairs, validated.rejections, validated.review) == ((), (), ())
    assert writer.written == []


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"user_0": USER[0].replace("green tea", "something warm")}, ("value_not_worded", 0)),
        ({"user_1": USER[1].replace("elderflower", "some")}, ("value_not_worded", 1)),
        ({"user_2": "And yes, elderflower cordial is what I order in summer."}, ("value_given_away", 2)),
        ({"user_3": USER[3].replace("cocoa", "another")}, ("value_not_worded", 3)),
        ({"user_3": USER[3].replace("green tea", "it")}, ("value_not_worded", 3)),
        ({"user_3": USER[3].replace("Nadia, my cousin,", "Somebody")}, ("holder_not_named", 3)),
        ({"user_6": USER[6].replace("Olu", "Someone")}, ("holder_not_named", 6)),
        ({"user_6": USER[6].replace("colleague", "friend")}, ("value_not_worded", 6)),
        ({"user_4": USER[4].replace("last Friday", "yesterday")}, ("date_not_worded", 4)),
        ({"user_4": USER[4].replace("last Friday", "one day")}, ("date_not_worded", 4)),
        ({"user_5": "Do it."}, ("text_length", 5)),
        ({"assistant_5": "Yes."}, ("text_length", 5)),
        ({"user_5": "word " * 301}, ("text_length", 5)),
        ({"user_5": USER[5] + " My evening drink is green tea."}, ("contradicted_fact", 5)),
        ({"user_5": USER[5] + " My evening drink is rooibos tea."}, ("contradicted_fact", 5)),  # of the catalogue
        ({"user_5": USER[5] + " My evening drink is cocoa."}, None),  # it holds by then
        ({"user_3": USER[3] + " I am so fond of elderflower cordial."}, None),  # it still holds
        ({"user_6": USER[6] + " Nadia, my colleague, called."}, None),  # a relation of this turn
        ({"user_5": USER[5] + " Olu, my cousin, will read it."}, ("contradicted_fact", 5)),
    ],
)
def test_each_wording_rule_catches_what_it_is_for(edit, expected):
    assert found(conversation(**edit)) == ([] if expected is None else [(*expected, True)])


def test_a_planned_value_in_another_turn_is_a_doubt_unless_it_holds_or_is_its_holders():
    def says(sentence):
        return found(conversation(user_5=f"{USER[5]} {sentence}"))

    for sentence in ("I could not live without dry cider.", "As you know, dry cider is what counts around here."):
        assert says(sentence) == [("contradicted_fact", 5, False)]
    assert says("Nadia gave me dry cider.") == []
    assert says("I could not live without cocoa.") == []  # one word may mean anything


def test_a_quoted_caption_claims_nothing_also_when_it_is_cut_short():
    def told(caption, quoted):
        planned = plan()
        occasion = planned.turns[4].occasion.model_copy(update={"caption": caption})
        turns = list(planned.turns)
        turns[4] = turns[4].model_copy(update={"occasion": occasion})
        written = conversation(user_4=f"It was last Friday, and my album says “{quoted}”. What do you think?")
        problems = find_problems(planned.model_copy(update={"turns": tuple(turns)}), written, None)
        return [finding.reason for finding in problems]

    caption = "We came home wet. My evening drink is green tea, and the dog had some. So it goes."
    assert told(caption, caption) == []
    assert told(caption, "We came home wet. My evening drink is green tea") == []
    assert told("The dog found the river", "My evening drink is green tea") == ["contradicted_fact"]


def test_a_value_said_and_denied_in_one_turn_is_a_doubt():
    assert found(conversation(user_0=USER[0] + " Then again, green tea was never for me.")) == [
        ("contradicted_fact", 0, False)
    ]


def test_another_phrase_for_the_same_day_is_right():
    # On Sunday 16 March the Friday before is also two days ago, and "on Friday".
    for phrase in ("two days ago", "on Friday", "LAST FRIDAY"):
        assert found(conversation(user_4=USER[4].replace("last Friday", phrase))) == []


def test_case_punctuation_and_endings_do_not_matter_but_order_and_words_do():
    said = fold("I’m LEARNING (finally!) how to sail. Crème-brûlée, mum's own")
    for value in ("learn to sail", "crème brûlée", "Mum’s own", "???"):
        assert is_worded(said, fold(value)), value
    for value in ("sail to learn", "learn to swim", "brûlée crème", "sailing boats"):
        assert not is_worded(said, fold(value)), value


def test_lost_and_alien_turns_wrong_times_and_wrong_ids_are_told_apart():
    good = conversation()
    lost = dataclasses.replace(good, turns=good.turns[:1] + good.turns[3:])
    assert found(lost) == [("turns_lost", 1, True), ("turns_lost", 2, True)]
    twice = dataclasses.replace(good, turns=(*good.turns, good.turns[2]))
    assert found(twice) == [("turns_unknown", 2, True)]
    late = edited(6, at=good.turns[6].at + MINUTE)
    assert found(late) == [("times_not_of_plan", 6, True)]
    alien = edited(2, persona_id="persona-2")
    assert found(alien) == [("wrong_ids", 2, True)]
    short = dataclasses.replace(good, sessions=good.sessions[:1])
    assert found(short) == [("turns_lost", 3, True)]


# Repairs


def test_exchanged_times_and_unsorted_turns_are_set_back_to_the_plan_without_a_call():
    good = conversation()
    first, fifth = good.turns[0], good.turns[4]
    turns = list(good.turns)
    turns[0] = first.model_copy(update={"at": fifth.at})
    turns[4] = fifth.model_copy(update={"at": first.at})
    writer = Scripted()
    for broken in (turns, list(good.turns)[::-1]):
        validated = validate(dataclasses.replace(good, turns=tuple(broken)), writer)
        assert validated.conversation == good
        (repair,) = validated.repairs
        assert (repair.kind, repair.session_index) == ("sorted", None)
    assert writer.written == []


def test_a_session_with_a_wording_problem_is_written_again_once_with_what_was_wrong():
    writer = Scripted()
    validated = validate(conversation(user_4=USER[4].replace("last Friday", "yesterday")), writer)
    assert validated.conversation.turns == conversation().turns
    assert [(repair.kind, repair.session_index) for repair in validated.repairs] == [("rewritten", 1)]
    (asked,) = writer.written
    assert asked.session_number == 2
    assert asked.corrections == ("turn 2: date not worded, say that it happened last Friday, not yesterday",)


def test_lost_turns_come_back_when_their_session_is_written_again():
    good = conversation()
    validated = validate(dataclasses.replace(good, turns=good.turns[:5]))
    assert validated.conversation.turns == good.turns
    assert [(repair.kind, repair.session_index) for repair in validated.repairs] == [("rewritten", 1)]


def test_what_fails_again_rejects_the_whole_conversation_with_its_first_reason_and_all_in_the_detail():
    bad = {"user_0": USER[0].replace("green tea", "tea"), "user_6": USER[6].replace("Olu", "He")}
    writer = Scripted(**bad)
    validated = validate(conversation(**bad), writer)
    assert (validated.conversation, validated.repairs, validated.review) == (None, (), ())
    (rejection,) = validated.rejections
    assert (rejection.stage, rejection.item, rejection.reason) == ("dialogues", "plan-1", "value_not_worded")
    assert "turn 0, value_not_worded: 'green tea' must be named" in rejection.detail
    assert "turn 6, holder_not_named: Olu must be named" in rejection.detail
    assert f"raw: {bad['user_0'][:40]}" in rejection.detail
    assert len(rejection.detail) <= 500
    assert len(writer.written) == 1  # nothing more is paid for what is lost


def test_unsafe_text_is_written_again_and_rejected_when_it_stays():
    critic = Scripted(critic={"poison": ("unsafe", "it harms")})
    unsafe = {"assistant_5": ANSWER + " Add a little poison."}
    assert validate(conversation(**unsafe), critic=critic).conversation.turns == conversation().turns
    (rejection,) = validate(conversation(**unsafe), Scripted(**unsafe), critic).rejections
    assert rejection.reason == "unsafe_text"


def test_a_rewrite_that_is_no_better_or_fails_leaves_the_first_version():
    critic = Scripted(critic={"lamp": ("incoherent", "odd"), "sugar": ("incoherent", "odd")})
    for writer in (Scripted(user_5=USER[5] + " And sugar."), Scripted(refuses=("session_writing",))):
        validated = validate(conversation(), writer, critic)
        assert validated.conversation == conversation()
        assert validated.repairs == ()
        assert [item.where for item in validated.review] == ["corpus/dialogues/shard-000 plan-1 session 1 turn 5"]


def test_a_conversation_that_was_rejected_before_is_handed_through():
    rejected = validate(conversation(user_5="No."), Scripted(user_5="No."))
    gone = dataclasses.replace(conversation(), sessions=(), turns=(), rejections=rejected.rejections)
    assert validate(gone).rejections == rejected.rejections


# Review


CRITIC = {"lamp": ("contradiction", "there is no stairwell")}


def test_a_doubt_of_the_critic_asks_a_person_and_keeps_the_conversation():
    critic = Scripted(critic=CRITIC)
    validated = validate(conversation(), critic=critic)
    assert validated.conversation == conversation()
    (item,) = validated.review
    assert item.why == "contradiction: there is no stairwell"
    assert USER[5] in item.what
    assert item.where == "corpus/dialogues/shard-000 plan-1 session 1 turn 5"
    assert item.answer == ""
    # The critic saw local times and the text, and nothing of the plan.
    assert critic.criticised[1].turns[0].local_time == "2025-03-16 19:00"


def test_the_same_doubt_has_the_same_id_and_another_text_or_place_has_another():
    def item_id(where="a/b", **edits):
        (item,) = validate(conversation(**edits), Scripted(**edits), critic=Scripted(critic=CRITIC), where=where).review
        return item.item_id

    assert item_id() == item_id()
    assert len({item_id(), item_id(where="a/c"), item_id(user_5=USER[5] + " Thanks.")}) == 3


def test_answers_are_honoured_accept_silences_reject_leaves_out():
    critic = Scripted(critic=CRITIC)
    (item,) = validate(conversation(), critic=critic).review
    writer = Scripted()
    accepted = validate(conversation(), writer, critic, {item.item_id: "accept"})
    assert (accepted.conversation, accepted.review) == (conversation(), ())
    assert writer.written == []
    refused = validate(conversation(), writer, critic, {item.item_id: "reject"})
    assert (refused.conversation, refused.review) == (None, ())
    (rejection,) = refused.rejections
    assert rejection.reason == "review_rejected"
    assert item.item_id in rejection.detail


def test_a_critic_without_a_valid_answer_is_a_question_for_people_about_the_session():
    validated = validate(conversation(), critic=Scripted(refuses=("session_critique",)))
    assert validated.conversation == conversation()
    assert [item.why.split(":")[0] for item in validated.review] == ["no_critique", "no_critique"]
    assert USER[0] in validated.review[0].what
    assert USER[2] in validated.review[0].what


def test_a_critic_that_miscounts_turns_loses_no_problem():
    class Miscounting(Scripted):
        def run(self, task, task_input, images=()):
            answer = super().run(task, task_input)
            problems = [p.model_copy(update={"turn_index": 99}) for p in answer.output.problems]
            return dataclasses.replace(answer, output=answer.output.model_copy(update={"problems": tuple(problems)}))

    validated = validate(conversation(), critic=Miscounting(critic=CRITIC))
    assert [item.where for item in validated.review] == ["corpus/dialogues/shard-000 plan-1 session 1"]


# The structure of a data set


def test_a_whole_data_set_has_no_structural_problem():
    good = conversation()
    other = [record.model_copy(update={"persona_id": "persona-2"}) for record in (*good.sessions, *good.turns)]
    assert structural_problems([*good.sessions, *other[:2]], iter([*good.turns, *other[2:]])) == []
    assert structural_problems([], []) == []


def change(index, **changes):
    good = conversation()
    turns = list(good.turns)
    turns[index] = turns[index].model_copy(update=changes)
    return good.sessions, turns


def test_every_break_of_the_structure_is_named():
    good = conversation()
    sessions, turns = list(good.sessions), list(good.turns)
    cases = {
        "turn 3 stands in place 2": (sessions, turns[:2] + turns[3:]),
        "session 0 has 2 of its 3 turns": (sessions, turns[:2] + turns[3:]),
        "is not after turn 0": change(1, at=turns[0].at),
        "60 minutes or more after the turn before": change(5, at=turns[4].at + 60 * MINUTE),
        "opens a session less than 60 minutes after": change(3, at=turns[2].at + 59 * MINUTE),
        "is not at the start of session 1": change(3, at=turns[3].at + MINUTE),
        "is not at the end of session 1": change(6, at=turns[6].at + MINUTE),
        "is of session nowhere, which is not there": change(5, session_id="nowhere"),
        "is outside of its session 0": change(5, session_id="session-a"),
        "has the id of another turn": change(5, turn_id=turns[4].turn_id),
        "is in another zone": change(5, offset_minutes=0),
        "its sessions have no turns": (sessions, []),
        "its turns do not stand together": (
            sessions,
            [*turns[:3], turns[3].model_copy(update={"persona_id": "x"}), *turns[4:]],
        ),
        "session 1 stands in place 0": (sessions[1:], turns[3:]),
        "two sessions have one id": ([sessions[0], *sessions], turns),
        "session 1 runs from turn 4 to 6, turn 3 comes next": (
            [sessions[0], sessions[1].model_copy(update={"first_turn": 4})],
            turns,
        ),
    }
    for expected, (own, said) in cases.items():
        assert any(expected in problem for problem in structural_problems(own, said)), expected


def test_many_problems_are_counted_after_fifty():
    sessions = [conversation().sessions[0].model_copy(update={"persona_id": f"persona-{n}"}) for n in range(70)]
    problems = structural_problems(sessions, [])
    assert len(problems) == 51
    assert problems[-1] == "and 20 more"
