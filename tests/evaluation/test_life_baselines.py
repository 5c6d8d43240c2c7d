"""RAP, R2P and RAG-Cap: what each shows the one answering model."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest

from evaluation.life_baselines import R2pPolicy, RagCapPolicy, RapPolicy
from lifeloom.lifegraph.recognition import Recognised
from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import BY_CODE, Concept, Life, LifeImage, PictureReference
from lifeloom.scoring.life_policy import AskedQuestion
from lifeloom.store import MediaMissing
from lifeloom.tasks import ConceptFingerprintOutput, LifeAnswerInput, TextOutput

WORDS = ("fishing", "baking", "ana", "bo", "umbrella", "red", "lake", "kitchen")


class Words:
    """A vector a text: which of a few words it has."""

    identity = ModelIdentity("fake", "words")
    dimensions = len(WORDS) + 1

    def encode(self, texts):
        rows = np.array([[float(word in text.lower()) for word in WORDS] + [0.01] for text in texts], dtype=np.float32)
        rows = rows.reshape(-1, self.dimensions)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Asked:
    """A model that remembers what it was asked and describes pictures by their hash."""

    identity = ModelIdentity("fake", "asked")
    window_tokens = 8192
    takes_pictures = True
    scores_options = False

    def __init__(self, **described: str) -> None:
        self.described = described
        self.shown: list[LifeAnswerInput] = []
        self.images: list[tuple[PictureReference, ...]] = []
        self.captions = 0
        self.gone: set[str] = set()

    def run(self, task: Any, task_input: Any, images=(), *, sample=0, listener=None) -> Any:
        usage = Usage(prompt_tokens=7, completion_tokens=3)
        if any(one.content_hash[0] in self.gone for one in images):
            raise MediaMissing("it is gone")
        if task.name == "life_answer":
            self.shown.append(task_input)
            self.images.append(tuple(images))
            return Generation(TextOutput(text="(a)"), usage, self.identity.provenance(task))
        self.captions += 1
        said = self.described.get(images[0].content_hash[0], "nothing")
        if said == "refused":
            raise GenerationRejected(task.name, "bad_json", "no")
        if task.name == "concept_fingerprint":
            output: Any = ConceptFingerprintOutput(attributes=tuple(said.split(", ")))
        else:
            output = TextOutput(text=said)
        return Generation(output, usage, self.identity.provenance(task))


class Names:
    models = ("fake/names",)

    def __init__(self, *ids: str) -> None:
        self.ids = ids

    def recognise(self, picture: PictureReference, life: Life) -> tuple[Recognised, ...]:
        return tuple(Recognised(one, 1.0, (0, 0, 1, 1)) for one in self.ids)


def _picture(letter: str) -> PictureReference:
    return PictureReference(content_hash=letter * 64, width=64, height=64)


def _concept(name: str, role: str, letter: str) -> Concept:
    return Concept(
        concept_id=f"v-c-{name.lower()}",
        vaccount_id="v",
        name=name,
        role=role,
        kind="person",
        persona=f"{name} is kind.",
        portrait=_picture(letter),
        made_by=BY_CODE,
    )


def _image(number: int, description: str, letter: str) -> LifeImage:
    return LifeImage(
        image_id=f"v-e-{number}-0",
        vaccount_id="v",
        event_id=f"v-e-{number}",
        event_description=description,
        event_date=dt.date(2024, 1, 1 + number),
        picture=_picture(letter),
    )


LIFE = Life(
    "v",
    (_concept("Ana", "Account Owner", "a"), _concept("Bo", "Owner's Brother", "b")),
    (_image(0, "fishing at the lake", "c"), _image(1, "baking in the kitchen", "d"), _image(2, "a quiet day", "e")),
)
QUESTION = AskedQuestion("What was the fishing like?", (), "open_generation")


def _shown(policy: Any, model: Asked, asked: AskedQuestion = QUESTION) -> LifeAnswerInput:
    answer = policy.answer(asked, LIFE)
    assert answer.text == "(a)"
    assert len(answer.retrieved_ids) <= policy.k
    return model.shown[-1]


def test_rap_shows_who_is_named_and_what_is_nearest_k_in_all() -> None:
    model = Asked()
    policy = RapPolicy(model, Words(), None, k=2, code="1")
    shown = _shown(policy, model, AskedQuestion("Did Bo go fishing?", (), "open_generation"))
    assert [one.name for one in shown.concepts] == ["Bo"]
    assert [one.image_id for one in shown.images] == ["v-e-0-0"]
    assert shown.owner == "Ana"


def test_rap_fetches_who_is_recognised_in_the_questions_picture_before_anything_by_text() -> None:
    model = Asked()
    policy = RapPolicy(model, Words(), Names("v-c-ana"), k=1, code="1")  # type: ignore[arg-type]
    shown = _shown(policy, model, AskedQuestion("Who is this?", (), "binary", _picture("f")))
    assert [one.name for one in shown.concepts] == ["Ana"]
    assert shown.picture_shown
    assert [one.content_hash[0] for one in model.images[-1]] == ["f", "a"]  # the question's first, then the portrait


def test_r2p_matches_attributes_of_the_questions_picture() -> None:
    model = Asked(b="short red hair, glasses", a="long black hair", f="short red hair", c="a lake")
    policy = R2pPolicy(model, Words(), None, k=1, code="1")
    shown = _shown(policy, model, AskedQuestion("Who?", (), "open_generation", _picture("f")))
    assert [one.name for one in shown.concepts] == ["Bo"]
    assert shown.concepts[0].looks == "short red hair, glasses"


def test_rag_cap_finds_pictures_by_what_their_captions_say() -> None:
    model = Asked(e="a red umbrella by the lake")
    policy = RagCapPolicy(model, Words(), None, k=1, code="1")
    shown = _shown(policy, model, AskedQuestion("Where was the red umbrella?", (), "open_generation"))
    assert [(one.image_id, one.caption) for one in shown.images] == [("v-e-2-0", "a red umbrella by the lake")]


def test_a_life_is_captioned_once_however_often_it_is_asked_about() -> None:
    model = Asked()
    policy = RagCapPolicy(model, Words(), None, k=3, code="1")
    for _ in range(3):
        policy.answer(QUESTION, LIFE)
    assert model.captions == len(LIFE.concepts) + len(LIFE.images)


@pytest.mark.parametrize(
    ("question", "named"),
    [("Which person ate a banana?", []), ("Did ANA's brother sing?", ["Ana", "Bo"]), ("Is bo here?", ["Bo"])],
)
def test_names_and_roles_are_whole_words(question: str, named: list[str]) -> None:
    life = Life("v", (*LIFE.concepts, _concept("Cem", "Owner's Son", "f")), ())
    policy = RapPolicy(Asked(), Words(), None, k=3, code="1")
    found = policy.named(AskedQuestion(question, (), "open_generation"), life)
    assert [one.name for one in life.concepts if one.concept_id in found] == named


@pytest.mark.parametrize("kind", [R2pPolicy, RagCapPolicy])
def test_pictures_that_cannot_be_described_are_counted_and_found_by_words(kind: Any) -> None:
    model = Asked(c="refused")
    model.gone = {"d"}
    policy = kind(model, Words(), None, k=1, code="1")
    shown = _shown(policy, model)  # the fishing trip, whose caption was refused
    assert [one.image_id for one in shown.images] == ["v-e-0-0"]
    assert [(one.item[0], one.reason) for one in policy.rejections] == [("c", "bad_json"), ("d", "picture_missing")]


def test_a_question_whose_pictures_are_gone_has_a_failure_instead_of_an_answer() -> None:
    model = Asked()
    model.gone = {"c"}
    policy = RapPolicy(model, Words(), None, k=1, code="1")
    answer = policy.answer(QUESTION, LIFE)
    assert (answer.text, answer.failure, answer.retrieved_ids) == ("", "picture_missing", ("v-e-0-0",))
    assert policy.answer(AskedQuestion("Baking?", (), "open_generation"), LIFE).text == "(a)"


@pytest.mark.parametrize("kind", [RapPolicy, R2pPolicy, RagCapPolicy])
def test_an_empty_life_is_answered_from_nothing(kind: Any) -> None:
    model = Asked()
    answer = kind(model, Words(), None, k=3, code="1").answer(QUESTION, Life("empty", (), ()))
    assert answer.retrieved_ids == ()
    assert model.shown[-1].concepts == model.shown[-1].images == ()


def test_names_and_fingerprints_tell_method_and_size_apart() -> None:
    model = Asked()
    policies = [
        kind(model, Words(), None, k=k, code="1") for kind in (RapPolicy, R2pPolicy, RagCapPolicy) for k in (3, 5)
    ]
    assert [one.name for one in policies] == ["rap-k3", "rap-k5", "r2p-k3", "r2p-k5", "rag-cap-k3", "rag-cap-k5"]
    assert len({one.fingerprint for one in policies}) == 6
    assert RapPolicy(model, Words(), None, k=3, code="2").fingerprint != policies[0].fingerprint
