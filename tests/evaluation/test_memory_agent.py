"""The memory agent as a policy: what it may know, how its answers are read, what is counted."""

import datetime as dt
import json
import typing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evaluation.memory_agent import VARIANTS, MemoryAgentPolicy, variant_settings
from evaluation.persona_mme import run_policy
from lifeloom.assistant.building import build_memories
from lifeloom.assistant.response_types import ResponseSettings
from lifeloom.assistant.trace import Trace
from lifeloom.assistant.update import UpdateStage
from lifeloom.memory import NotRemembered, TopK, UserMemory, user_file
from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, ModelUnavailable, Usage
from lifeloom.records import PictureReference, Provenance, Turn
from lifeloom.scoring.policy import CaseQuestion, History
from lifeloom.tasks import RESPONSE_STEP, GenerationTask, OptionText, ResponseStepInput, TextOutput
from resources.profile import AblationName
from tests.evaluation.examples import START, case

ENCODER = MiniLmEncoder()
OPTIONS = tuple(
    OptionText(letter=letter, text=text)  # type: ignore[arg-type]
    for letter, text in zip("abcd", ("mint tea", "pale ale", "red wine", "hot cocoa"), strict=True)
)
SAID = (
    "I love pale ale in the evening.",
    "My brother swears by red wine.",
    "I have switched from pale ale to mint tea in the evening.",
    "Could you tidy up this note for the board?",
)


def conversation(persona: str = "p-1") -> list[Turn]:
    """One turn a day."""
    return [
        Turn(
            turn_id=f"t-{persona}-{number}",
            persona_id=persona,
            session_id=f"s-{number}",
            turn_index=number,
            at=START + dt.timedelta(days=number),
            offset_minutes=60,
            user=text,
            assistant="I see.",
        )
        for number, text in enumerate(SAID)
    ]


def question(days: int = 10, query: str = "What do I drink in the evening?") -> CaseQuestion:
    local = START + dt.timedelta(days=days, minutes=60)
    return CaseQuestion(asked_at=f"{local:%Y-%m-%d %H:%M}", query=query, options=OPTIONS)


class Steps:
    """A model whose steps are a function of what it is asked."""

    identity = ModelIdentity("code", "steps")
    window_tokens = 32_768
    scores_options = False
    takes_pictures = False

    def __init__(self, say: Callable[[ResponseStepInput], str]) -> None:
        self.say = say
        self.asked: list[ResponseStepInput] = []

    def run(
        self,
        task: GenerationTask[Any, Any],
        task_input: Any,
        images: Sequence[PictureReference] = (),
        *,
        sample: int = 0,
        listener: Any = None,
    ) -> Generation[Any]:
        self.asked.append(task_input)
        said = self.say(task_input)
        if said.startswith("reject:"):
            raise GenerationRejected(task.name, typing.cast("Any", said.removeprefix("reject:")), "raw")
        made_by = Provenance(backend="code", model="steps", prompt_version=RESPONSE_STEP.prompt_version)
        return Generation(TextOutput(text=said), Usage(100, 10), made_by)

    def score_options(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def check(self) -> str:
        return "ok"


def answers(text: str) -> Steps:
    return Steps(lambda task_input: f"<think>so</think><answer>{text}</answer>")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("memories")
    for persona in ("p-1", "p-2"):
        with UserMemory.open(user_file(folder, persona), persona) as memory:
            build_memories(memory, conversation(persona), UpdateStage(BuiltinModel(ENCODER), ENCODER))
    return folder


@pytest.fixture
def memory_of(folder: Path) -> Iterator[Callable[[str], UserMemory]]:
    opened: dict[str, UserMemory] = {}

    def of(user: str) -> UserMemory:
        if user not in opened:
            opened[user] = UserMemory.open(user_file(folder, user), user, create=False, read_only=True)
        return opened[user]

    yield of
    for memory in opened.values():
        memory.close()


def agent(model: Any, memory_of: Any, **given: Any) -> MemoryAgentPolicy:
    return MemoryAgentPolicy(model, ENCODER, memory_of, **{"code": "c", **given})


@pytest.mark.parametrize("text", ["(c) red wine", "(c)", "c) red wine", "c", "(C) red wine"])
def test_the_letter_is_what_stands_before_the_first_bracket(text, memory_of):
    given = agent(answers(text), memory_of).choose(question(), History(conversation()).before(4))
    assert (given.text, given.failure) == ("c", "")


@pytest.mark.parametrize("text", ["red wine", "(e) something else", "The answer is (c) red wine"])
def test_another_answer_has_no_letter_and_is_counted(text, memory_of):
    given = agent(answers(text), memory_of).choose(question(), History(conversation()).before(4))
    assert (given.text, given.failure) == ("", "no_letter")


@pytest.mark.parametrize(("text", "verdict"), [("yes", "yes"), ("No, it does not.", "no"), ("**Yes**", "yes")])
def test_a_judgement_is_its_first_word(text, verdict, memory_of):
    given = agent(answers(text), memory_of).judge(question(), "Take it easy!", History(conversation()).before(4))
    assert (given.text, given.failure) == (verdict, "")


def test_another_judgement_is_counted(memory_of):
    given = agent(answers("perhaps"), memory_of).judge(question(), "Take it easy!", History(conversation()).before(4))
    assert (given.text, given.failure) == ("", "no_verdict")


def test_a_judgement_shows_the_response_and_no_options(memory_of):
    model = answers("yes")
    agent(model, memory_of).judge(question(), "Take it easy!", History(conversation()).before(4))
    assert (model.asked[0].response, model.asked[0].options) == ("Take it easy!", ())


def retrieves_once(keywords: str, then: str) -> Steps:
    return Steps(
        lambda task_input: (
            f"<think>so</think><answer>{then}</answer>"
            if task_input.rounds
            else f'<think>look</think><retrieve>\n"keywords": "{keywords}"\n"start_time": "null"\n"end_time": "null"\n'
            "</retrieve>"
        )
    )


def test_it_sees_nothing_that_was_said_after_the_moment(memory_of):
    model = retrieves_once("mint tea, evening", "(a)")
    policy = agent(model, memory_of)
    policy.choose(question(days=1), History(conversation()).before(2))
    policy.choose(question(days=10), History(conversation()).before(4))
    early, late = (str(model.asked[number]) for number in (1, 3))
    assert "mint tea in the evening" not in early
    assert "pale ale in the evening" in early
    assert "mint tea in the evening" in late


def test_turns_at_the_very_moment_are_told_apart_by_their_number(memory_of):
    # Asked at the time of turn 2, of which the view does not hold anything yet.
    model = answers("(a)")
    agent(model, memory_of).choose(question(days=2), History(conversation()).before(2))
    assert model.asked[0].context == ()
    agent(model, memory_of).choose(question(days=2), History(conversation()).before(3))
    assert [message.role for message in model.asked[1].context] == ["user", "assistant"]


def test_the_clock_is_the_users(memory_of):
    model = answers("(a)")
    agent(model, memory_of).choose(question(days=3), History(conversation()).before(3))
    assert model.asked[0].now == "2026-01-08 09:00"  # 08:00 UTC, an hour east


def test_tokens_are_those_of_all_steps_and_the_trace_tells_them(memory_of):
    given = agent(retrieves_once("tea", "(a)"), memory_of).choose(question(), History(conversation()).before(4))
    assert (given.prompt_tokens, given.completion_tokens) == (200, 20)
    trace = Trace.model_validate_json(given.trace)
    assert [step.action for step in trace.steps] == ["retrieve", "answer"]
    assert trace.steps[0].keywords == ("tea",)


@pytest.mark.parametrize("reason", ["refusal", "empty", "context_too_long"])
def test_a_model_that_fails_at_every_step_is_a_counted_failure(reason, memory_of):
    policy = agent(Steps(lambda task_input: f"reject:{reason}"), memory_of)
    given = policy.choose(question(), History(conversation()).before(4))
    assert (given.text, given.failure) == ("", reason)
    assert given.made_by.model == "steps"


def test_nonsense_at_every_step_is_a_counted_failure(memory_of):
    given = agent(Steps(lambda task_input: "lorem ipsum"), memory_of).choose(
        question(), History(conversation()).before(4)
    )
    assert (given.text, given.failure) == ("", "no_letter")


def test_a_model_that_is_away_ends_the_run(memory_of):
    class Away(Steps):
        def run(self, *args: Any, **kwargs: Any) -> Generation[Any]:
            raise ModelUnavailable("the server did not answer")

    with pytest.raises(ModelUnavailable):
        agent(Away(str), memory_of).choose(question(), History(conversation()).before(4))


def test_a_user_without_memories_ends_the_run(folder):
    def nobody(user: str) -> UserMemory:
        raise NotRemembered(f"no memories of {user!r}")

    with pytest.raises(NotRemembered, match="p-1"):
        agent(answers("(a)"), nobody).choose(question(), History(conversation()).before(4))


def test_the_built_in_model_answers_from_memories_as_things_stand(memory_of):
    policy = agent(BuiltinModel(ENCODER), memory_of)
    view = History(conversation()).before
    assert policy.choose(question(days=1), view(2)).text == "b"
    assert policy.choose(question(days=10), view(4)).text == "a"


def test_predictions_are_the_same_however_many_are_asked_at_once(memory_of):
    cases = [
        case(f"case-{number}", persona=f"p-{1 + number % 2}", turns=1 + number % 4, pair=("Gladly!", "Noted."))
        for number in range(8)
    ]
    policy = agent(BuiltinModel(ENCODER), memory_of)
    one, four = (run_policy(policy, cases, conversation, workers=workers) for workers in (1, 4))
    assert one.predictions == four.predictions
    assert len(one.predictions) == len(one.traces) == 24
    assert not any(prediction.failure for prediction in one.predictions)


def test_one_policy_serves_several_threads(memory_of):
    policy = agent(retrieves_once("tea", "(a)"), memory_of)
    view = History(conversation()).before(4)
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda _: policy.choose(question(), view), range(32)))
    assert (
        len(
            {
                (answer.text, answer.prompt_tokens, answer.trace and json.loads(answer.trace)["stopped"])
                for answer in given
            }
        )
        == 1
    )


def test_the_variants_are_those_that_a_profile_may_name():
    assert tuple(VARIANTS) == typing.get_args(AblationName)


def test_each_variant_changes_one_thing():
    plain = ResponseSettings()
    assert variant_settings("memory_agent", plain) == plain
    for kind in ("core", "semantic", "episodic", "procedural"):
        assert variant_settings(f"agent_without_{kind}", plain).kinds == plain.kinds - {kind}
    assert not variant_settings("agent_without_reasoning", plain).reasoning
    assert not variant_settings("agent_without_pem", plain).personality
    assert variant_settings("agent_episodes_5", plain).top_k == TopK(procedural=2, semantic=4, episodic=5)
    with pytest.raises(ValueError, match="agent_without_core"):
        variant_settings("agent_without_sleep", plain)


def test_every_variant_has_a_fingerprint_of_its_own(memory_of):
    made = {
        name: agent(answers("(a)"), memory_of, settings=variant_settings(name, ResponseSettings()), name=name)
        for name in VARIANTS
    }
    assert len({policy.fingerprint for policy in made.values()}) == len(VARIANTS)
    parameters = [json.dumps(policy.parameters(), sort_keys=True) for policy in made.values()]
    assert len(set(parameters)) == len(VARIANTS) - 1  # two episodes are the paper's default


def test_another_code_model_or_step_count_is_another_fingerprint(memory_of):
    def fingerprint(model: Any = None, **given: Any) -> str:
        return agent(model or answers("(a)"), memory_of, **given).fingerprint

    others = [
        fingerprint(code="d"),
        fingerprint(BuiltinModel(ENCODER)),
        fingerprint(settings=ResponseSettings(steps=2)),
    ]
    assert len({fingerprint(), *others}) == 4
    assert fingerprint() == fingerprint()


@pytest.mark.parametrize(
    ("variant", "left_out"), [("agent_without_semantic", "semantic"), ("agent_without_episodic", "episodic")]
)
def test_a_kind_that_is_left_out_is_never_shown(variant, left_out, memory_of):
    kinds = {}
    for name in ("memory_agent", variant):
        model = retrieves_once("pale ale, mint tea", "(a)")
        policy = agent(model, memory_of, settings=variant_settings(name, ResponseSettings()), name=name)
        policy.choose(question(), History(conversation()).before(4))
        kinds[name] = {memory.kind for found in model.asked[-1].rounds for memory in found.memories}
    assert left_out in kinds["memory_agent"]
    assert left_out not in kinds[variant]


def test_without_reasoning_one_question_is_put_after_one_retrieval(memory_of):
    model = answers("(a)")
    settings = variant_settings("agent_without_reasoning", ResponseSettings())
    agent(model, memory_of, settings=settings).choose(question(), History(conversation()).before(4))
    assert len(model.asked) == len(model.asked[0].rounds) == 1
    assert model.asked[0].retrievals_left == 0


def test_without_pem_no_personality_is_shown(memory_of):
    shown = {}
    for name in ("memory_agent", "agent_without_pem"):
        model = answers("yes")
        policy = agent(model, memory_of, settings=variant_settings(name, ResponseSettings()), name=name)
        policy.judge(question(), "Gladly!", History(conversation()).before(4))
        shown[name] = model.asked[0].personality
    assert shown["memory_agent"].startswith("openness")
    assert shown["agent_without_pem"] == ""
