"""Plans become written sessions and turns, whole or not at all."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from lifeloom.models.protocol import (
    CapabilityMissing,
    Generation,
    GenerationRejected,
    ModelIdentity,
    ModelRefusesKey,
    ModelUnavailable,
    Usage,
)
from lifeloom.records import (
    Acquaintance,
    Appearance,
    BigFiveProfile,
    CaptionSeed,
    ConversationPlan,
    CoreMemory,
    Edition,
    Occasion,
    Persona,
    PicturePlan,
    PictureReference,
    PictureSubject,
    PlannedFact,
    PlannedPicture,
    Provenance,
    SessionPlan,
    Statement,
    TurnPlan,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.dialogues import (
    PictureMissing,
    PlanMismatch,
    planned_pictures,
    session_writing_input,
    write_conversation,
    write_session,
)
from lifeloom.synthesis.plans import ConversationShape, plan_conversation
from lifeloom.tasks import (
    SESSION_WRITING,
    PictureBrief,
    SessionWritingOutput,
    StatementBrief,
    WrittenTurn,
)
from tests.planned import planned, planned_persona

CALM = BigFiveProfile(openness=3, conscientiousness=3, extraversion=3, agreeableness=3, neuroticism=1.5)
UPSET = CALM.model_copy(update={"neuroticism": 4.5})


class ScriptedModel:
    """Writes every turn in a fixed way; the ``breaks_at``-th call goes wrong as told."""

    identity = ModelIdentity("fake", "scripted-1")
    window_tokens = 1000
    scores_options = False

    def __init__(self, breaks_at=None, error=None, edit=None):
        self.breaks_at = breaks_at
        self.error = error
        self.edit = edit
        self.asked = []

    def run(self, task, task_input, images=()):
        assert task is SESSION_WRITING
        self.asked.append(task_input)
        turns = [
            WrittenTurn(position=turn.position, user=f"user {turn.local_time}", assistant=f"about {turn.area}")
            for turn in task_input.turns
        ]
        if len(self.asked) == self.breaks_at:
            if self.error:
                raise self.error
            turns = self.edit(turns)
        return Generation(SessionWritingOutput(turns=tuple(turns)), Usage(1, 1), self.identity.provenance(task))

    def score_options(self, task, task_input, options, images=()):
        raise CapabilityMissing("no scores")

    def check(self):
        return "scripted"


def _persona(persona_id: str = "persona-1") -> Persona:
    people = ("Nadia cousin", "Olu colleague", "Petra neighbour", "Ravi sibling", "Sofia mentor")
    return Persona(
        persona_id=persona_id,
        seed_id="seed-1",
        cluster_id="seed-1",
        split="train",
        edition="corpus",
        seed_text="A clockmaker",
        name="Ines",
        offset_minutes=330,
        big_five=CALM,
        circle=tuple(
            Acquaintance(person_id=f"person-{number}", name=text.split()[0], relation=text.split()[1])
            for number, text in enumerate(people)
        ),
        role_description="A clockmaker of few words.",
        core_memory=CoreMemory(name="Ines"),
        made_by=Provenance(backend="code", model="none", prompt_version=""),
    )


def _fact(fact_id: str, value: str, status="current", **more) -> PlannedFact:
    return PlannedFact(
        fact_id=fact_id,
        area="drink",
        kind="preference",
        attribute="evening-drink",
        phrase="evening drink",
        value=value,
        status=status,
        stated_in=more.pop("stated_in"),
        **more,
    )


def _small_plan() -> ConversationPlan:
    """Two sessions by hand, in a zone five and a half hours east: Thursday 13 and Friday 14 March 2025."""
    thursday = dt.datetime(2025, 3, 13, 14, 30, tzinfo=dt.UTC)  # 20:00 local
    friday = dt.datetime(2025, 3, 13, 20, 45, tzinfo=dt.UTC)  # 02:15 local, already Friday there
    minutes = dt.timedelta(minutes=5)
    occasion = Occasion(
        caption_id="caption-1",
        title="",
        caption="The dog found the river",
        taken_at=None,
        happened_on=dt.date(2025, 3, 13),
        when_phrase="yesterday",
    )

    def turn(index, session, at, act, **more):
        return TurnPlan(turn_index=index, session_index=session, at=at, act=act, area="drink", **more)

    shift = Statement(fact_id="new", kind="shift", previous_fact_id="old")
    return ConversationPlan(
        plan_id="plan-1",
        persona_id="persona-1",
        setting="train",
        edition="corpus",
        offset_minutes=330,
        facts=(
            _fact("old", "green tea", "replaced", stated_in=(0,), ended_in=3),
            _fact("new", "cocoa", stated_in=(3,), replaces="old"),
            _fact("hers", "cider", "someone_else", holder_name="Nadia", holder_relation="cousin", stated_in=(3,)),
        ),
        shifts=(),
        sessions=(
            SessionPlan(
                session_id="session-a", session_index=0, first_turn=0, last_turn=2, topics=("drink",), big_five=CALM
            ),
            SessionPlan(
                session_id="session-b", session_index=1, first_turn=3, last_turn=5, topics=("drink",), big_five=UPSET
            ),
        ),
        turns=(
            turn(0, 0, thursday, "statement", statements=(Statement(fact_id="old", kind="direct"),)),
            turn(1, 0, thursday + minutes, "small_talk"),
            turn(2, 0, thursday + 2 * minutes, "errand"),
            turn(3, 1, friday, "statement", statements=(shift, Statement(fact_id="hers", kind="other_person"))),
            turn(4, 1, friday + minutes, "occasion", occasion=occasion),
            turn(5, 1, friday + 2 * minutes, "small_talk"),
        ),
    )


def _long_plan() -> ConversationPlan:
    captions: list[CaptionSeed] = []
    return plan_conversation(
        _persona(),
        setting="train",
        ends_on=dt.date(2025, 3, 14),
        captions=captions,
        shape=ConversationShape(60, 60, 31),
        streams=Streams(7),
    )


def _stored(plan: ConversationPlan) -> dict[str, PictureReference]:
    """A stored picture for each planned one, told apart by its hash."""
    return {
        picture.picture_id: PictureReference(content_hash=f"{number:064x}", width=512, height=512)
        for number, picture in enumerate(planned_pictures(plan), start=1)
    }


def _scene(picture_id: str, *subjects: PictureSubject, place: str = "beach") -> PicturePlan:
    return PicturePlan(picture_id=picture_id, kind="scene", place=place, subjects=subjects, seed=1)


NADIA = PictureSubject(
    kind="person",
    name="Nadia",
    identity="person-0",
    appearance=Appearance(hair="bob", hair_colour="#202020", skin="#d08b5b", brows="up"),
)


def _illustrated_plan() -> ConversationPlan:
    """The small plan with pictures: a portrait, a wish shown twice, once as a change, and an album picture."""
    plan = _small_plan()
    portrait = PicturePlan(picture_id="picture-1", kind="portrait", subjects=(NADIA,), seed=1)
    old = _scene("picture-2", PictureSubject(kind="object", name="guitar"), NADIA)
    new = _scene("picture-3", PictureSubject(kind="object", name="bicycle"))
    album = _scene("picture-4", NADIA, PictureSubject(kind="animal", name="camel", count=3), place="kitchen")

    def wish(fact_id: str, value: str, **more) -> PlannedFact:
        return _fact(fact_id, value, **more).model_copy(
            update={"kind": "hidden_intent", "attribute": "next-big-buy", "phrase": "next big buy", "pictured": True}
        )

    shift = Statement(fact_id="new", kind="shift", previous_fact_id="old")
    changes = {
        0: {"statements": (Statement(fact_id="old", kind="direct"),), "pictures": ("statement", old, "old")},
        1: {"act": "picture", "pictures": ("portrait", portrait, "")},
        3: {"statements": (shift,), "pictures": ("statement", new, "new")},
        5: {"act": "picture", "pictures": ("album", album, "")},
    }
    turns = []
    for turn in plan.turns:
        change = dict(changes.get(turn.turn_index, {}))
        if "pictures" in change:
            role, picture, fact_id = change["pictures"]
            change["pictures"] = (
                PlannedPicture(
                    role=role,
                    picture=picture,
                    fact_id=fact_id,
                    handle="our reunion" if role == "album" else "",
                    person_id="person-0" if role == "portrait" else "",
                ),
            )
        turns.append(turn.model_copy(update=change))
    facts = (
        wish("old", "guitar", status="replaced", stated_in=(0,), ended_in=3),
        wish("new", "bicycle", stated_in=(3,), replaces="old"),
    )
    return plan.model_copy(update={"facts": facts, "turns": tuple(turns)})


def test_the_model_is_asked_for_each_session_in_the_users_own_time():
    plan = _small_plan()
    first = session_writing_input(plan, _persona(), plan.sessions[0])
    assert first.local_date == "Thursday 2025-03-13"
    assert first.session_number == 1
    assert first.name == "Ines"
    assert first.role_description == "A clockmaker of few words."
    assert first.traits.neuroticism == 1.5
    assert [(turn.position, turn.local_time, turn.act) for turn in first.turns] == [
        (1, "20:00", "statement"),
        (2, "20:05", "small_talk"),
        (3, "20:10", "errand"),
    ]
    second = session_writing_input(plan, _persona(), plan.sessions[1])
    assert second.local_date == "Friday 2025-03-14"
    assert second.session_number == 2
    assert second.traits.neuroticism == 4.5
    assert second.turns[0].local_time == "02:15"


def test_statements_and_occasions_reach_the_model_with_all_that_they_name():
    plan = _small_plan()
    shifted, told, silent = session_writing_input(plan, _persona(), plan.sessions[1]).turns
    assert shifted.statements == (
        StatementBrief(
            fact_kind="preference",
            statement_kind="shift",
            phrase="evening drink",
            value="cocoa",
            previous_value="green tea",
        ),
        StatementBrief(
            fact_kind="preference",
            statement_kind="other_person",
            phrase="evening drink",
            value="cider",
            holder_name="Nadia",
            holder_relation="cousin",
        ),
    )
    assert (told.occasion_caption, told.occasion_when) == ("The dog found the river", "yesterday")
    assert (silent.statements, silent.occasion_caption, silent.occasion_when) == ((), "", "")


def test_written_turns_carry_the_plans_times_and_places():
    plan = _small_plan()
    conversation = write_conversation(plan, _persona(), ScriptedModel())
    assert conversation.rejections == ()
    assert [turn.user for turn in conversation.turns] == [
        "user 20:00",
        "user 20:05",
        "user 20:10",
        "user 02:15",
        "user 02:20",
        "user 02:25",
    ]
    assert [turn.at for turn in conversation.turns] == [turn.at for turn in plan.turns]
    assert [turn.turn_index for turn in conversation.turns] == list(range(6))
    assert [turn.session_id for turn in conversation.turns] == ["session-a"] * 3 + ["session-b"] * 3
    assert len({turn.turn_id for turn in conversation.turns}) == 6
    assert {turn.offset_minutes for turn in conversation.turns} == {330}
    last = conversation.sessions[1]
    assert (last.first_turn, last.last_turn) == (3, 5)
    assert (last.started_at, last.ended_at) == (plan.turns[3].at, plan.turns[5].at)
    assert last.made_by.model == "scripted-1"
    assert last.made_by.prompt_version == SESSION_WRITING.prompt_version


def test_one_call_a_session_covers_every_turn_of_a_planned_conversation():
    plan = _long_plan()
    model = ScriptedModel()
    conversation = write_conversation(plan, _persona(), model, _stored(plan))
    assert len(model.asked) == len(plan.sessions) == len(conversation.sessions)
    assert [turn.turn_index for turn in conversation.turns] == list(range(60))
    assert sum(len(brief.turns) for brief in model.asked) == 60


@pytest.mark.parametrize(
    "edit",
    [
        lambda turns: turns[:-1],
        lambda turns: [],
        lambda turns: [*turns, turns[-1]],
        lambda turns: turns[::-1],
        lambda turns: [turn.model_copy(update={"position": turn.position - 1}) for turn in turns],
    ],
    ids=["one missing", "none", "one twice", "wrong order", "counted from 0"],
)
def test_a_session_that_does_not_match_its_plan_rejects_the_whole_conversation(edit):
    conversation = write_conversation(_small_plan(), _persona(), ScriptedModel(breaks_at=2, edit=edit))
    assert conversation.turns == ()
    assert conversation.sessions == ()
    (rejection,) = conversation.rejections
    assert rejection.stage == "dialogues"
    assert rejection.item == "plan-1"
    assert rejection.reason == "turns_do_not_match_plan"
    assert rejection.detail.startswith("session 2 of 2: asked for 1 to 3, got ")


def test_a_rejected_answer_is_kept_with_its_reason_and_the_head_of_the_raw_text():
    error = GenerationRejected("session_writing", "truncated", '{"turns": [' + "x" * 2000, "cut at 8000 tokens")
    model = ScriptedModel(breaks_at=1, error=error)
    conversation = write_conversation(_small_plan(), _persona(), model)
    (rejection,) = conversation.rejections
    assert (conversation.turns, conversation.sessions) == ((), ())
    assert rejection.reason == "truncated"
    assert "cut at 8000 tokens" in rejection.detail
    assert '{"turns": [xxx' in rejection.detail
    assert len(rejection.detail) <= 500
    assert len(model.asked) == 1  # no call is paid for a conversation that is lost


@pytest.mark.parametrize("error", [ModelUnavailable("down"), ModelRefusesKey("set OPENAI_API_KEY")])
def test_a_server_that_fails_stops_the_work_and_rejects_nothing(error):
    with pytest.raises(type(error)):
        write_conversation(_small_plan(), _persona(), ScriptedModel(breaks_at=2, error=error))


def test_one_session_is_written_again_with_a_critics_corrections():
    plan, model = _small_plan(), ScriptedModel()
    again = write_session(plan, _persona(), plan.sessions[1], model, ["turn 4 says Monday"])
    assert model.asked[0].corrections == ("turn 4 says Monday",)
    whole = write_conversation(plan, _persona(), ScriptedModel())
    assert (again.session, again.turns) == (whole.sessions[1], whole.turns[3:])


def test_a_plan_of_somebody_else_is_refused():
    plan = _small_plan()
    with pytest.raises(PlanMismatch):
        session_writing_input(plan, _persona("persona-2"), plan.sessions[0])
    with pytest.raises(PlanMismatch, match="belongs to persona-1, not to persona-2"):
        write_conversation(_small_plan(), _persona("persona-2"), ScriptedModel())


# --- Pictures and signs -------------------------------------------------------------------------------------------


def test_the_model_is_told_where_pictures_stand_and_not_what_they_show():
    plan = _illustrated_plan()
    first, portrait, _ = session_writing_input(plan, _persona(), plan.sessions[0]).turns
    change, _, album = session_writing_input(plan, _persona(), plan.sessions[1]).turns
    wish = StatementBrief(
        fact_kind="hidden_intent", statement_kind="direct", phrase="next big buy", value="", pictured=True
    )
    assert first.statements == (wish,)
    assert first.pictures == (PictureBrief(role="statement"),)
    assert change.statements == (wish.model_copy(update={"statement_kind": "shift"}),)
    assert portrait.pictures == (PictureBrief(role="portrait", name="Nadia"),)
    assert album.pictures == (PictureBrief(role="album", handle="our reunion"),)


def test_a_sign_stands_for_what_is_never_named():
    plan = _small_plan()
    facts = tuple(fact.model_copy(update={"kind": "hidden_taste"}) for fact in plan.facts)
    said = Statement(fact_id="old", kind="direct", sign="filling a flask before every walk")
    shift = Statement(
        fact_id="new",
        kind="shift",
        previous_fact_id="old",
        sign="grating chocolate into warm milk",
        previous_sign="asking for hot water at every stop",
    )
    turns = list(plan.turns)
    turns[0] = turns[0].model_copy(update={"statements": (said,)})
    turns[3] = turns[3].model_copy(update={"statements": (shift,)})
    plan = plan.model_copy(update={"facts": facts, "turns": tuple(turns)})
    (direct,) = session_writing_input(plan, _persona(), plan.sessions[0]).turns[0].statements
    (changed,) = session_writing_input(plan, _persona(), plan.sessions[1]).turns[0].statements
    assert (direct.value, direct.previous_value) == ("filling a flask before every walk", "")
    assert changed.value == "grating chocolate into warm milk"
    assert changed.previous_value == "asking for hot water at every stop"


def test_written_turns_carry_the_stored_pictures_and_others_none():
    plan = _illustrated_plan()
    stored = _stored(plan)
    assert [picture.picture_id for picture in planned_pictures(plan)] == [
        "picture-2",
        "picture-1",
        "picture-3",
        "picture-4",
    ]
    conversation = write_conversation(plan, _persona(), ScriptedModel(), stored)
    assert [turn.pictures for turn in conversation.turns] == [
        (stored["picture-2"],),
        (stored["picture-1"],),
        (),
        (stored["picture-3"],),
        (),
        (stored["picture-4"],),
    ]
    again = write_session(plan, _persona(), plan.sessions[1], ScriptedModel(), pictures=conversation.pictures)
    assert again.turns == conversation.turns[3:]


def test_a_picture_that_is_not_handed_in_is_named_before_the_model_is_asked():
    plan, model = _illustrated_plan(), ScriptedModel()
    stored = _stored(plan)
    del stored["picture-3"]
    with pytest.raises(PictureMissing, match=r"plan-1: 1 of its pictures .* the first picture-3: draw") as caught:
        write_conversation(plan, _persona(), model, stored)
    assert caught.value.missing == ("picture-3",)
    with pytest.raises(PictureMissing, match="the first picture-2"):
        write_session(plan, _persona(), plan.sessions[0], model)
    assert model.asked == []
    assert planned_pictures(_small_plan()) == []
    assert write_conversation(_small_plan(), _persona(), model).rejections == ()


def _texts(value: object) -> Iterator[str]:
    """Every text in what a model is given, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)


@pytest.mark.parametrize("edition", ["corpus", "release"])
def test_no_brief_holds_what_a_picture_shows_or_a_sign_stands_for(edition: Edition):
    walked = Counter()
    for number in range(30):
        plan = planned(number, "128k", ConversationShape(100, 140, 60), edition, captions=())
        facts = {fact.fact_id: fact for fact in plan.facts}
        for session in plan.sessions:
            brief = session_writing_input(plan, planned_persona(number, edition), session)
            for asked, turn in zip(brief.turns, plan.turns[session.first_turn :], strict=False):
                hidden: set[str] = set()
                for shown in turn.pictures:
                    named = "" if shown.role != "portrait" else shown.picture.subjects[0].name
                    hidden.update(item.name for item in shown.picture.subjects if item.name != named)
                    hidden.update(item.colour for item in shown.picture.subjects)
                    hidden.add(shown.picture.place)
                for said in turn.statements:
                    for fact in (facts[said.fact_id], facts.get(said.previous_fact_id or "")):
                        if fact is not None and (fact.pictured or said.sign):
                            hidden.add(fact.value)
                if not hidden - {""}:
                    continue
                # Areas and who says it are of the turn, not of its picture: drawn without looking at it.
                given = asked.model_dump(exclude={"area": True, "statements": {"__all__": {"holder_name"}}})
                words = " ".join(_texts(given)).casefold()
                for value in hidden - {""}:
                    assert not re.search(rf"\b{re.escape(value.casefold())}\b", words), (value, words)
                    walked[turn.act] += 1
    assert walked["picture"] > 300
    assert walked["statement"] > 300
