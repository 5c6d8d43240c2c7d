"""How a small model fares with every text task: SmolLM2 in this process, and behind a server of the OpenAI protocol.

Run: .venv/bin/python perf/small_models.py [--items 4] [--backends huggingface openai] [--folder FOLDER]

The questions are real ones, made by the built-in pipeline from the project's seeds. The server is the one that comes
with transformers, over the same weights; it knows no JSON schema, so that what ``openai`` gets shows what the prompts
alone do. A run that was killed goes on where it was: finished rows are in FOLDER, finished answers in its cache.
Rejected answers are asked for again.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import dataclasses
import datetime as dt
import json
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))  # for the server of the tests

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.calls.answering import AnsweringModel, CallSettings
from lifeloom.models.calls.cache import ResponseCache
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.calls.retries import RetryPolicy
from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import ConversationPlan, Persona, Rejection, SessionPlan, local_time
from lifeloom.scoring.policy import History
from lifeloom.streams import Streams
from lifeloom.synthesis.dialogues import write_conversation, write_session
from lifeloom.synthesis.occasion_seeds import assign_captions
from lifeloom.synthesis.persona_mme import make_release_cases
from lifeloom.synthesis.personas import enrich_persona
from lifeloom.synthesis.planning.shapes import shape_for
from lifeloom.synthesis.plans import plan_conversation
from lifeloom.synthesis.rules.wording import WordingRules
from lifeloom.synthesis.seeds import (
    builtin_captions_path,
    builtin_personas_path,
    load_caption_seeds,
    load_persona_seeds,
    sample_personas,
)
from lifeloom.tasks import (
    ALIGNMENT_JUDGEMENT,
    ALIGNMENT_WRITING,
    CHOICE_ANSWER,
    PERSONA_ENRICHMENT,
    SESSION_CRITIQUE,
    SESSION_WRITING,
    AlignmentJudgementInput,
    ChoiceAnswerInput,
    CritiqueTurn,
    GenerationTask,
    OptionText,
    SessionCritiqueInput,
)
from tests.serving import PACKAGE, save_weights, serving

TURNS = 14
"""Of a conversation: two sessions."""
SHOWN = 6
"""Messages that readers see."""
LONGEST = 2000
"""Tokens of an answer: what a session of twelve turns needs is less for seven, and a small model may never end."""
BACKENDS = ("huggingface", "openai")
BATCH = 8


@dataclasses.dataclass(frozen=True)
class PlannedSession:
    """A session to write, with what its words are held against."""

    persona: Persona
    plan: ConversationPlan
    session: SessionPlan


class Recorder:
    """The built-in model; what it is asked is kept in ``asked``, by task."""

    def __init__(self) -> None:
        self._model = BuiltinModel()
        self.asked: dict[str, list[Any]] = collections.defaultdict(list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def run(self, task: GenerationTask[Any, Any], task_input: Any, images: Any = (), *, sample: int = 0) -> Any:
        """Answer, and keep the question."""
        self.asked[task.name].append(task_input)
        return self._model.run(task, task_input, images, sample=sample)


class Brief:
    """A model whose answers end after ``LONGEST`` tokens at the latest."""

    def __init__(self, model: AnsweringModel) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def run(self, task: GenerationTask[Any, Any], task_input: Any, images: Any = (), *, sample: int = 0) -> Any:
        """Answer."""
        cut = dataclasses.replace(task, max_tokens=min(task.max_tokens, LONGEST))
        return self._model.run(cut, task_input, images, sample=sample)


def real_questions(items: int) -> tuple[dict[GenerationTask[Any, Any], list[Any]], list[PlannedSession]]:
    """Return questions by task, ``items`` each, and the sessions to write."""
    model, streams = Recorder(), Streams(7)
    seeds = load_persona_seeds(builtin_personas_path()).seeds
    captions = load_caption_seeds(builtin_captions_path()).seeds
    sample = sample_personas(seeds, count=items, split="train", streams=streams, purpose="perf")
    people = [enrich_persona(seed, edition="corpus", model=model, streams=streams) for seed in sample]
    chosen = assign_captions(lambda: captions, [one.persona_id for one in people], split="train", streams=streams)
    shape = dataclasses.replace(shape_for("train"), min_turns=TURNS, max_turns=TURNS, picture_share=0.0)
    pairs = [
        (
            one,
            plan_conversation(
                one,
                setting="train",
                ends_on=dt.date(2025, 12, 31),
                captions=tuple(chosen[one.persona_id]),
                shape=shape,
                streams=streams,
            ),
        )
        for one in people
    ]
    sessions = [PlannedSession(one, plan, session) for one, plan in pairs for session in plan.sessions]
    turns = {plan.persona_id: write_conversation(plan, one, model).turns for one, plan in pairs}
    critiques = [
        SessionCritiqueInput(
            turns=tuple(
                CritiqueTurn(
                    turn_index=turn.turn_index,
                    local_time=f"{local_time(turn.at, turn.offset_minutes):%Y-%m-%d %H:%M}",
                    user=turn.user,
                    assistant=turn.assistant,
                )
                for turn in turns[plan.persona_id][plan.sessions[0].first_turn : plan.sessions[0].last_turn + 1]
            )
        )
        for _, plan in pairs
    ]
    cases = make_release_cases(pairs, release_id="perf", model=model, cases_per_persona=5, streams=streams).cases
    choices, judgements = [], []
    for case in cases:
        context = History(turns[case.persona_id]).before(case.history_turns).messages[-SHOWN:]
        asked_at = f"{local_time(case.asked_at, case.offset_minutes):%Y-%m-%d %H:%M}"
        options = tuple(OptionText(letter=option.letter, text=option.text) for option in case.options)
        choices.append(ChoiceAnswerInput(context=context, asked_at=asked_at, query=case.query, options=options))
        if case.alignment is not None:
            for response in (case.alignment.chosen, case.alignment.rejected):
                judgements.append(
                    AlignmentJudgementInput(context=context, asked_at=asked_at, query=case.query, response=response)
                )
    return {
        PERSONA_ENRICHMENT: model.asked[PERSONA_ENRICHMENT.name][:items],
        SESSION_CRITIQUE: critiques,
        ALIGNMENT_WRITING: model.asked[ALIGNMENT_WRITING.name][:items],
        ALIGNMENT_JUDGEMENT: judgements[:items],
        CHOICE_ANSWER: choices[: 2 * items],
    }, sessions[:items]


def ask(model: LanguageModel, task: GenerationTask[Any, Any], task_input: Any) -> str:
    """Return ``accepted`` or why the answer was rejected."""
    try:
        model.run(task, task_input)
    except GenerationRejected as error:
        return error.reason
    return "accepted"


def write(model: LanguageModel, item: PlannedSession) -> tuple[str, list[list[str]]]:
    """Return ``accepted`` or why the session was rejected, and the rules that each of its turns breaks."""
    written = write_session(item.plan, item.persona, item.session, model)
    if isinstance(written, Rejection):
        return written.reason, []
    rules = WordingRules(item.plan)
    return "accepted", [[one.reason for one in rules.check(turn) if one.certain] for turn in written.turns]


def measure(model: AnsweringModel, task: GenerationTask[Any, Any], items: list[Any]) -> dict[str, Any]:
    """Ask all of ``items`` and return the row of the table."""
    before, started = model.tally, time.monotonic()
    broken: list[list[list[str]]] = []

    def call(item: Any) -> tuple[str, list[list[str]]]:
        brief = Brief(model)
        return write(brief, item) if task is SESSION_WRITING else (ask(brief, task, item), [])

    outcomes: collections.Counter[str] = collections.Counter()
    for outcome, broken_rules in ordered_map(call, items, workers=BATCH):
        outcomes[outcome] += 1
        if outcome == "accepted":
            broken.append(broken_rules)
    after = model.tally
    events = collections.Counter(after.events)
    events.subtract(before.events)
    row = {
        "asked": len(items),
        "accepted": outcomes.pop("accepted", 0),
        "re-asked": sum(count for name, count in events.items() if name.startswith("reask_")),
        "repaired": events["repaired"],
        "from cache": events["from_cache"],
        "rejected": dict(outcomes),
        "seconds": round(time.monotonic() - started, 1),
        "prompt tokens": after.usage.prompt_tokens - before.usage.prompt_tokens,
        "tokens": after.usage.completion_tokens - before.usage.completion_tokens,
    }
    if task is SESSION_WRITING:
        turns = [reasons for session in broken for reasons in session]
        row["sessions that keep to their plan"] = sum(not any(session) for session in broken)
        row["turns that keep to their plan"] = f"{sum(not reasons for reasons in turns)} of {len(turns)}"
        row["turns that do not"] = dict(collections.Counter(reason for reasons in turns for reason in set(reasons)))
    return row


@contextlib.contextmanager
def opened(backend: str, folder: Path) -> Iterator[AnsweringModel]:
    """Give SmolLM2 through ``backend``; its server ends with the block."""
    calls = CallSettings(
        cache=ResponseCache(folder / "responses.sqlite"),
        retries=RetryPolicy(max_attempts=2, max_total_seconds=7200.0),
        call_seconds=3600.0,
    )
    if backend == "huggingface":
        from lifeloom.models.huggingface import HuggingFaceModel

        with HuggingFaceModel(f"package:{PACKAGE}", batch=BATCH, window_tokens=8000, calls=calls) as model:
            yield model
        return
    from lifeloom.models.openai import OpenAiModel

    weights = save_weights(folder / "smollm2")
    with (
        serving(weights, folder / "server.log") as base_url,
        OpenAiModel(model=str(weights), base_url=base_url, window_tokens=8000, calls=calls) as model,
    ):
        yield model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=4, help="questions a task")
    parser.add_argument("--backends", nargs="+", choices=BACKENDS, default=BACKENDS)
    parser.add_argument("--tasks", nargs="+", help="names of tasks; all where left out")
    parser.add_argument("--folder", type=Path, default=Path(".lifeloom/small_models"))
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the server ends with its block
    chosen.folder.mkdir(parents=True, exist_ok=True)
    kept = chosen.folder / "rows.json"
    rows = json.loads(kept.read_text()) if kept.is_file() else {}
    questions, sessions = real_questions(chosen.items)
    work: dict[GenerationTask[Any, Any], list[Any]] = {**questions, SESSION_WRITING: sessions}
    for backend in chosen.backends:
        due = {task: items for task, items in work.items() if not chosen.tasks or task.name in chosen.tasks}
        names = {task: f"{backend} {task.prompt_version} {len(items)}" for task, items in due.items()}
        if not all(name in rows for name in names.values()):
            with opened(backend, chosen.folder) as model:
                for task, items in due.items():
                    if names[task] not in rows:
                        rows[names[task]] = measure(model, task, items)
                        kept.write_text(json.dumps(rows, indent=1))
        for name in names.values():
            shown = {what: value for what, value in rows[name].items() if value not in ({}, 0)}
            print(name, ", ".join(f"{what} {value}" for what, value in shown.items()), sep=": ", flush=True)


if __name__ == "__main__":
    main()
