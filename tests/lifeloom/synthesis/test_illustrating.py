"""Pictures of conversations: in order, checked, drawn again, rejected, reviewed."""

import datetime as dt

from lifeloom.records import BigFiveProfile, ConversationPlan, PlannedPicture, SessionPlan, TurnPlan
from lifeloom.synthesis.illustrating import Illustrator
from lifeloom.synthesis.picture_critic import PictureCritic
from lifeloom.synthesis.review import ReviewAnswers
from tests.lifeloom.synthesis.seen import PlainEyes, PlainMaker, person, portrait, scene, thing

AT = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
EVEN = BigFiveProfile(openness=3, conscientiousness=3, extraversion=3, agreeableness=3, neuroticism=3)


def plan(name, *pictures):
    turns = tuple(
        TurnPlan(
            turn_index=number,
            session_index=0,
            at=AT + dt.timedelta(minutes=number),
            act="picture" if number < len(pictures) else "errand",
            area="home",
            pictures=(PlannedPicture(role="album", picture=pictures[number], handle=f"day {number}"),)
            if number < len(pictures)
            else (),
        )
        for number in range(len(pictures) + 1)
    )
    session = SessionPlan(
        session_id=f"s-{name}",
        session_index=0,
        first_turn=0,
        last_turn=len(pictures),
        topics=("home",),
        big_five=EVEN,
    )
    return ConversationPlan(
        plan_id=f"plan-{name}",
        persona_id=f"persona-{name}",
        setting="32k",
        edition="release",
        offset_minutes=0,
        facts=(),
        shifts=(),
        sessions=(session,),
        turns=turns,
    )


def illustrated(plans, eyes=None, answers=None):
    maker = PlainMaker()
    critic = None if eyes is None else PictureCritic(eyes)
    return list(Illustrator(maker, maker.draw_many, critic, answers, "release/dialogues/x").illustrate(plans))


def test_every_plan_comes_back_in_order_with_its_own_pictures_also_those_without():
    plans = [
        plan("a"),
        plan("b", scene("b-1", thing("drum")), scene("b-2", thing("kite"))),
        plan("c"),
        plan("d", scene("d-1", thing("clock"))),
        plan("e"),
    ]
    made = illustrated(plans)

    assert [item.plan.plan_id for item in made] == [item.plan_id for item in plans]
    assert [[p.picture_id for p in item.pictures] for item in made] == [[], ["b-1", "b-2"], [], ["d-1"], []]
    for item in made:
        assert {p.content_hash for p in item.pictures} == set(item.files or {})
        assert item.references.keys() == {p.picture_id for p in item.pictures}


def test_a_picture_that_cannot_be_drawn_rejects_its_conversation_and_no_other():
    made = illustrated([plan("a", scene("broken-1", thing("drum"))), plan("b", scene("b-1", thing("drum")))])

    assert made[0].rejection is not None
    assert (made[0].rejection.reason, made[0].rejection.item) == ("picture_not_drawn", "plan-a")
    assert made[0].pictures == ()
    assert made[1].rejection is None


def test_a_faulty_picture_is_drawn_again_from_another_seed_and_its_record_says_so():
    # The eyes miss the drum in pictures drawn from seed 5 only.
    made = illustrated(
        [plan("a", scene("a-1", thing("drum"), seed=5), scene("a-2", thing("kite"), seed=6))],
        PlainEyes(mislead=frozenset({5})),
    )[0]

    assert made.redrawn == 1
    assert made.review == ()
    assert made.pictures[0].plan.seed != 5
    assert made.pictures[1].plan.seed == 6
    assert made.pictures[0].plan.subjects == (thing("drum"),)


class BlindEyes(PlainEyes):
    """Never see a drum."""

    def look(self, pictures, source):
        import dataclasses

        return [
            dataclasses.replace(sight, things=tuple(t for t in sight.things if t.name != "drum"))
            for sight in super().look(pictures, source)
        ]


def test_what_stays_doubtful_waits_for_a_person_whose_answer_is_honoured():
    plans = [plan("a", scene("a-1", thing("drum"), thing("kite"), seed=5))]
    asked = illustrated(plans, BlindEyes())[0]
    accepted = illustrated(plans, BlindEyes(), ReviewAnswers({"a-1": "accept"}))[0]
    refused = illustrated(plans, BlindEyes(), ReviewAnswers({"a-1": "reject"}))[0]

    (item,) = asked.review
    assert item.item_id == "a-1"
    assert item.where.startswith("release/dialogues/x persona-a turn 0; look at it with: lifeloom show picture ")
    assert asked.pictures[0].content_hash[:16] in item.where
    assert "missing_object: drum is planned and not seen" in item.why
    assert accepted.review == refused.review == ()
    assert accepted.pictures[0].plan.seed == 5
    assert refused.pictures[0].plan.seed != 5


def test_faces_are_compared_with_the_conversations_own_portraits():
    wrong = scene("a-2", person("ada", "somebody else's hair"), thing("kite"), seed=9)
    made = illustrated([plan("a", portrait("a-1", person("ada")), wrong)], PlainEyes())[0]

    assert [item.item_id for item in made.review] == ["a-2"]
    assert "wrong_person" in made.review[0].why
