"""A plan by hand, a good conversation for it, and models that answer as they are told."""

from __future__ import annotations

import datetime as dt

from lifeloom.models.protocol import CapabilityMissing, Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import (
    Acquaintance,
    BigFiveProfile,
    ConversationPlan,
    CoreMemory,
    Occasion,
    Persona,
    PlannedFact,
    Provenance,
    Session,
    SessionPlan,
    Statement,
    Turn,
    TurnPlan,
    make_id,
)
from lifeloom.synthesis.dialogues import Conversation
from lifeloom.tasks import PERSONA_ENRICHMENT, SESSION_CRITIQUE, SESSION_WRITING
from lifeloom.tasks.persona_enrichment import PersonaEnrichmentOutput
from lifeloom.tasks.session_critique import Problem, SessionCritiqueOutput
from lifeloom.tasks.session_writing import SessionWritingOutput, WrittenTurn

CALM = BigFiveProfile(openness=3, conscientiousness=3, extraversion=3, agreeableness=3, neuroticism=2)
CODE = Provenance(backend="code", model="none", prompt_version="")
THURSDAY = dt.datetime(2025, 3, 13, 14, 30, tzinfo=dt.UTC)  # 20:00 on the user's clock
SUNDAY = dt.datetime(2025, 3, 16, 13, 30, tzinfo=dt.UTC)  # 19:00 on the user's clock
OFFSET = 330
ANSWER = "That is good to hear, and here is what I would try first: take it slowly and write down what works."

USER = (
    "It was a long day. My evening drink is green tea, as it has been for years, and I had two pots of it.",
    "A bus stood in the rain with its lights on. Somebody at the office said elderflower cordial, out of the blue.",
    "And yes, what I just brought up is what I order in summer. Which glass suits it best, do you think?",
    "I used to have green tea as my evening drink, but now it is cocoa. Nadia, my cousin, swears by dry cider.",
    "I have to tell you: the dog found the river, it was last Friday, and we were wet to the bone afterwards.",
    "Please write a short note to the caretaker about the lamp in the stairwell, polite and to the point.",
    "You will hear the name Olu at times, that is my colleague. I thought of learning how to sail, but I let it go.",
)
"""What the user says in the seven turns, as the plan has it."""


def persona() -> Persona:
    return Persona(
        persona_id="persona-1",
        seed_id="seed-1",
        cluster_id="seed-1",
        split="train",
        edition="corpus",
        seed_text="A clockmaker",
        name="Ines",
        offset_minutes=OFFSET,
        big_five=CALM,
        circle=(
            Acquaintance(person_id="person-1", name="Nadia", relation="cousin"),
            Acquaintance(person_id="person-2", name="Olu", relation="colleague"),
        ),
        role_description="A clockmaker of few words.",
        core_memory=CoreMemory(name="Ines"),
        made_by=CODE,
    )


def _fact(fact_id, value, status, stated_in, attribute="evening-drink", phrase="evening drink", **more):
    kind = more.pop("kind", "preference")
    return PlannedFact(
        fact_id=fact_id,
        area="drink",
        kind=kind,
        attribute=attribute,
        phrase=phrase,
        value=value,
        status=status,
        stated_in=stated_in,
        **more,
    )


def plan() -> ConversationPlan:
    """Thursday 13 March (three turns) and Sunday 16 March 2025 (four), five and a half hours east of UTC."""
    minutes = dt.timedelta(minutes=4)
    occasion = Occasion(
        caption_id="caption-1",
        title="",
        caption="The dog found the river",
        taken_at=None,
        happened_on=dt.date(2025, 3, 14),
        when_phrase="last Friday",
    )

    def turn(index, session, at, act, *statements, **more):
        return TurnPlan(
            turn_index=index,
            session_index=session,
            at=at,
            act=act,
            area="drink",
            statements=tuple(statements),
            **more,
        )

    def says(fact_id, kind, previous=None):
        return Statement(fact_id=fact_id, kind=kind, previous_fact_id=previous)

    return ConversationPlan(
        plan_id="plan-1",
        persona_id="persona-1",
        setting="train",
        edition="corpus",
        offset_minutes=OFFSET,
        facts=(
            _fact("old", "green tea", "replaced", (0,), ended_in=3),
            _fact("summer", "elderflower cordial", "current", (1, 2), "summer-drink", "summer drink"),
            _fact("new", "cocoa", "current", (3,), replaces="old"),
            _fact("hers", "dry cider", "someone_else", (3,), holder_name="Nadia", holder_relation="cousin"),
            _fact("olu", "colleague", "current", (6,), "person-2", "Olu", kind="relationship"),
            _fact("sail", "learn to sail", "given_up", (6,), "water-goal", "water goal", kind="goal", ended_in=6),
        ),
        shifts=(),
        sessions=(
            SessionPlan(
                session_id="session-a", session_index=0, first_turn=0, last_turn=2, topics=("drink",), big_five=CALM
            ),
            SessionPlan(
                session_id="session-b", session_index=1, first_turn=3, last_turn=6, topics=("drink",), big_five=CALM
            ),
        ),
        turns=(
            turn(0, 0, THURSDAY, "statement", says("old", "direct")),
            turn(1, 0, THURSDAY + minutes, "statement", says("summer", "mention")),
            turn(2, 0, THURSDAY + 2 * minutes, "statement", says("summer", "anaphora")),
            turn(3, 1, SUNDAY, "statement", says("new", "shift", "old"), says("hers", "other_person")),
            turn(4, 1, SUNDAY + minutes, "occasion", occasion=occasion),
            turn(5, 1, SUNDAY + 2 * minutes, "errand"),
            turn(6, 1, SUNDAY + 3 * minutes, "statement", says("olu", "direct"), says("sail", "given_up")),
        ),
    )


def conversation(**edits) -> Conversation:
    """The good conversation; ``user_3="..."`` and ``assistant_3="..."`` change a message."""
    planned = plan()
    turns = tuple(
        Turn(
            turn_id=make_id("turn", planned.plan_id, turn.turn_index),
            persona_id=planned.persona_id,
            session_id=planned.sessions[turn.session_index].session_id,
            turn_index=turn.turn_index,
            at=turn.at,
            offset_minutes=OFFSET,
            user=edits.pop(f"user_{turn.turn_index}", USER[turn.turn_index]),
            assistant=edits.pop(f"assistant_{turn.turn_index}", ANSWER),
        )
        for turn in planned.turns
    )
    assert not edits
    sessions = tuple(
        Session(
            session_id=session.session_id,
            persona_id=planned.persona_id,
            session_index=session.session_index,
            setting="train",
            started_at=planned.turns[session.first_turn].at,
            ended_at=planned.turns[session.last_turn].at,
            offset_minutes=OFFSET,
            first_turn=session.first_turn,
            last_turn=session.last_turn,
            made_by=CODE,
        )
        for session in planned.sessions
    )
    return Conversation(planned.plan_id, planned.persona_id, sessions, turns, ())


class Scripted:
    """Writes the good conversation's sessions (``edits`` as for ``conversation``), criticises as told, counts calls.

    ``critic`` maps (user's text) to (kind, reason); ``refuses`` names tasks whose answers are rejected.
    """

    identity = ModelIdentity("fake", "scripted-1")
    window_tokens = 1000
    scores_options = False

    def __init__(self, critic=None, refuses=(), **edits):
        self.critic = critic or {}
        self.refuses = refuses
        self.edits = edits
        self.written = []
        self.criticised = []

    def run(self, task, task_input, images=()):
        if task.name in self.refuses:
            raise GenerationRejected(task.name, "bad_json", "so sorry, {", "no JSON")
        if task is SESSION_WRITING:
            self.written.append(task_input)
            session = plan().sessions[task_input.session_number - 1]
            turns = conversation(**self.edits).turns[session.first_turn : session.last_turn + 1]
            output = SessionWritingOutput(
                turns=tuple(
                    WrittenTurn(position=n, user=turn.user, assistant=turn.assistant) for n, turn in enumerate(turns, 1)
                )
            )
        elif task is SESSION_CRITIQUE:
            self.criticised.append(task_input)
            output = SessionCritiqueOutput(
                problems=tuple(
                    Problem(turn_index=turn.turn_index, kind=kind, reason=reason)
                    for turn in task_input.turns
                    for text, (kind, reason) in self.critic.items()
                    if text in turn.user + turn.assistant
                )
            )
        else:
            assert task is PERSONA_ENRICHMENT
            output = PersonaEnrichmentOutput(role_description="A person of few words.", human=("a",), persona=("b",))
        return Generation(output, Usage(1, 1), self.identity.provenance(task))

    def score_options(self, task, task_input, options, images=()):
        raise CapabilityMissing("no scores")

    def check(self):
        return "scripted"
