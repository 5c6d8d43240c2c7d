"""The response stage: reason, retrieve, reason again, answer (PersonaVLM Section 3.1, Algorithm 1, lines 4 to 16)."""

from __future__ import annotations

import datetime as dt
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from lifeloom.assistant.memory_graph import FoundThread, ThreadSource
from lifeloom.assistant.parsing import Answer, ParsedStep, Retrieve, parse_step
from lifeloom.assistant.pem import describe
from lifeloom.assistant.response_prompt import Material, Round, StepPrompt, step_prompt
from lifeloom.assistant.response_types import ALL_KINDS, Query, Response, ResponseSettings
from lifeloom.assistant.sessions import is_new_session, session_turns
from lifeloom.assistant.shown import clock_text, marked, weekday_text
from lifeloom.assistant.streaming import AnswerFilter, Both
from lifeloom.assistant.trace import FoundMemory, MustAnswer, ShownThread, Step, Stopped, Trace
from lifeloom.memory import (
    DialogueTurn,
    MediaGone,
    Period,
    RetrievalRequest,
    Retrieved,
    Retriever,
    TopK,
    UserMemory,
    sampled_top_k,
)
from lifeloom.models.protocol import (
    GenerationRejected,
    LanguageModel,
    PictureSource,
    TextEncoder,
    TextListener,
    Usage,
)
from lifeloom.records import MemoryOperation, Moment, PictureReference, Provenance
from lifeloom.store import MediaCorrupt, MediaMissing
from lifeloom.store.pictures import PictureRejected
from lifeloom.tasks import RESPONSE_STEP, ProfileLine
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["ALL_KINDS", "Query", "Response", "ResponseSettings", "ResponseStage"]

_ONE_STEP = 256  # tokens that a step may be expected to write
_LONGEST_TEXT = 2_000  # characters of the user's text that are searched with: more than an encoder reads
_AT_ONCE = 64  # turns read to find the session


@dataclass(frozen=True)
class _Asked:
    """One question to the model with its answer."""

    prompt: StepPrompt
    output: str
    parsed: ParsedStep
    usage: Usage
    made_by: Provenance
    failure: str = ""


@dataclass
class _Trajectory:
    """A reply on its way."""

    memory: UserMemory
    query: Query
    as_of: Moment | None
    retriever: Retriever
    threads: ThreadSource
    top_k: TopK
    material: Material
    started: float
    steps: list[Step] = field(default_factory=list)
    first: Step | None = None
    found: set[str] = field(default_factory=set)
    gone: frozenset[str] = frozenset()
    tokens: int = 0
    used_text: bool = False
    """Whether the user's text was searched with because the model said nothing that is known."""


class ResponseStage:
    """Makes replies with any language model. Safe to use from several threads.

    Args:
        model: Thinks, asks and answers. It is given pictures where it takes them; otherwise their marks are written so
            that nobody takes them for one.
        encoder: What the memories' vectors were made with.
        settings: How replies are made; None: the defaults.
        clock: Seconds, for the time budget.
        pictures: Gives the files of pictures, to find out which one is gone when the model cannot be given them. None:
            then all are left out.
    """

    def __init__(
        self,
        model: LanguageModel,
        encoder: TextEncoder,
        settings: ResponseSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
        pictures: PictureSource | None = None,
    ) -> None:
        self.model = model
        self.encoder = encoder
        self.settings = settings or ResponseSettings()
        self._clock = clock
        self._pictures = pictures

    def respond(
        self,
        memory: UserMemory,
        query: Query,
        *,
        as_of: Moment | None = None,
        listener: TextListener | None = None,
        watcher: TextListener | None = None,
        record: Callable[[MemoryOperation], None] | None = None,
        rng: random.Random | None = None,
    ) -> Response:
        """Reply to ``query``.

        Args:
            memory: The user's memory; it is only read.
            query: What the user says.
            as_of: Only what was known then; the query's own turn must not be part of it. None: everything.
            listener: Hears the answer, and nothing but it, while it is written: the pieces since its last restart are
                the text of the response.
            watcher: Hears everything that the model writes, thoughts and tags too, one step after the other.
            record: Told every step, as supervision for training.
            rng: Samples how many memories a retrieval brings, as in training (Appendix B.2). None: the settings'.

        Raises:
            MemoryFailure: the memory cannot be read.
            ModelUnavailable: or another ``ModelError`` that concerns more than this reply. An output that is refused
                (``GenerationRejected``) is none of these: it is a step that said nothing.
        """
        trajectory = self._begin(memory, query, as_of, rng)
        heard = AnswerFilter(listener) if listener is not None else None
        text = ""
        stopped: Stopped = "no_answer"
        asked: _Asked | None = None
        steps = self.settings.steps
        if not self.settings.reasoning:
            steps = 1
            trajectory.first = self._look(trajectory, Step(number=0, thought="", action="retrieve"), None)
        for number in range(steps):
            if heard is not None:
                heard.next_step()
            must, prompt = self._prompt(trajectory, number, steps)
            asked = self._ask(trajectory, prompt, _listening(heard, watcher))
            action = asked.parsed.action
            step = _step(number, asked, must)
            if isinstance(action, Answer):
                text, stopped = action.text, "answered"
            elif isinstance(action, Retrieve) and not must:
                step = self._look(trajectory, step, action)
            elif action is None and not must and not trajectory.used_text:
                trajectory.used_text = True
                step = self._look(trajectory, step, None)
            elif asked.parsed.plain:
                text, stopped = asked.parsed.plain, "plain_text"
            elif asked.failure:
                stopped = "rejected"
            trajectory.steps.append(step)
            if record is not None:
                record(self._operation(trajectory, asked, step))
            if must or stopped != "no_answer":
                break
        if heard is not None:
            heard.settle(text)
        return self._response(trajectory, text, stopped, asked)

    def _begin(self, memory: UserMemory, query: Query, as_of: Moment | None, rng: random.Random | None) -> _Trajectory:
        settings = self.settings
        top_k = settings.top_k if rng is None else sampled_top_k(rng)
        top_k = TopK(
            procedural=top_k.procedural if "procedural" in settings.kinds else 0,
            semantic=top_k.semantic if "semantic" in settings.kinds else 0,
            episodic=top_k.episodic if "episodic" in settings.kinds else 0,
        )
        core = memory.core(as_of) if "core" in settings.kinds else ()
        point = memory.personality(as_of) if settings.personality else None
        material = Material(
            now=clock_text(query.at, query.offset_minutes),
            weekday=weekday_text(query.at, query.offset_minutes),
            offset_minutes=query.offset_minutes,
            profile=tuple(
                ProfileLine.model_validate(
                    {"block": value.label, "key": marked(value.key, 0), "content": marked(value.content, 0)}
                )
                for value in core
            ),
            personality="" if point is None else describe(point.profile),
            concepts=tuple(marked(line, 0) for line in query.concepts),
            context=_context(memory, query, as_of, settings.session_minutes),
            query=query.text,
            query_pictures=query.pictures,
            options=tuple(option.model_copy(update={"text": marked(option.text, 0)}) for option in query.options),
            response=marked(query.response, 0),
            reply_words=settings.reply_words,
        )
        retriever = Retriever(memory, self.encoder, top_k)
        threads = ThreadSource(memory, kinds=settings.kinds)
        return _Trajectory(memory, query, as_of, retriever, threads, top_k, material, self._clock())

    def _prompt(self, trajectory: _Trajectory, number: int, steps: int) -> tuple[MustAnswer, StepPrompt]:
        """Return whether this step must answer, and its prompt."""
        budget, seconds = self.settings.tokens, self.settings.seconds
        must: MustAnswer = ""
        if number == steps - 1:
            must = "steps"
        elif seconds is not None and self._clock() - trajectory.started >= seconds:
            must = "seconds"
        elif budget is not None:
            room = (budget - trajectory.tokens) // 2 - _ONE_STEP
            prompt = self._built(trajectory, steps - 1 - number, room)
            if prompt.tokens <= room:
                return must, prompt
            must = "tokens"
        return must, self._built(trajectory, 0 if must else steps - 1 - number)

    def _built(self, trajectory: _Trajectory, retrievals_left: int, enough_tokens: int | None = None) -> StepPrompt:
        return step_prompt(
            trajectory.material,
            retrievals_left,
            window_tokens=self.model.window_tokens,
            pictures=self.model.takes_pictures,
            gone=trajectory.gone,
            enough_tokens=enough_tokens,
        )

    def _ask(self, trajectory: _Trajectory, prompt: StepPrompt, listener: TextListener | None) -> _Asked:
        """Put a step to the model; where pictures cannot be given, once more without those."""
        output, failure = "", ""
        while True:
            try:
                generation = self.model.run(RESPONSE_STEP, prompt.task_input, prompt.pictures, listener=listener)
            except (MediaGone, MediaMissing, MediaCorrupt, PictureRejected) as error:
                if not prompt.pictures:
                    raise
                prompt = self._without_pictures(trajectory, prompt, str(error))
            except GenerationRejected as error:
                if error.reason == "picture_refused" and prompt.pictures:
                    prompt = self._without_pictures(trajectory, prompt, str(error))
                    continue
                failure = error.reason
                output = error.raw if error.reason == "truncated" else ""
                usage, made_by = error.usage, self.model.identity.provenance(RESPONSE_STEP)
                break
            else:
                output, usage, made_by = generation.output.text, generation.usage, generation.provenance
                break
        trajectory.tokens += usage.prompt_tokens + usage.completion_tokens
        parsed = parse_step(output, trajectory.query.offset_minutes)
        if failure:
            parsed = replace(parsed, well_formed=False)
        return _Asked(prompt, output, parsed, usage, made_by, failure)

    def _without_pictures(self, trajectory: _Trajectory, prompt: StepPrompt, why: str) -> StepPrompt:
        """Return the prompt without the pictures that are gone; without any where it is not known which."""
        gone = {picture.content_hash for picture in prompt.pictures if self._is_gone(picture)}
        if not gone:
            gone = {picture.content_hash for picture in prompt.pictures}
        trajectory.gone |= gone
        shown = self._built(trajectory, prompt.task_input.retrievals_left)
        return replace(shown, notes=(*shown.notes, why))

    def _is_gone(self, picture: PictureReference) -> bool:
        if self._pictures is None:
            return False
        try:
            self._pictures(picture)
        except (MediaGone, MediaMissing, MediaCorrupt, PictureRejected):
            return True
        return False

    def _look(self, trajectory: _Trajectory, step: Step, asked: Retrieve | None) -> Step:
        """Retrieve what a step asks for (None: by the user's text), and return the step with what was found."""
        text = trajectory.query.text.replace(PICTURE_MARK, " ")[:_LONGEST_TEXT]
        keywords = () if asked is None else asked.keywords
        period = None if asked is None else asked.period
        request = RetrievalRequest(
            text="" if keywords else text,
            keywords=keywords or (text,),
            period=period,
            as_of=trajectory.as_of,
            exclude=frozenset(trajectory.found),
            context_turns=frozenset(turn.index for turn in trajectory.material.context),
        )
        retrieved = trajectory.retriever.retrieve(request)
        threads = trajectory.threads.threads_for(request, self.settings.threads, found=retrieved.memory_ids)
        trajectory.found.update(retrieved.memory_ids)
        trajectory.found.update(one.thread.thread_id for one in threads)
        start, end = _ends(period, trajectory.query.offset_minutes)
        done = Round(keywords, start, end, retrieved, threads)
        trajectory.material = replace(trajectory.material, rounds=(*trajectory.material.rounds, done))
        return step.model_copy(
            update={
                "retrieved": True,
                "keywords": keywords,
                "start_time": start,
                "end_time": end,
                "found": _found(retrieved, trajectory.query.offset_minutes),
                "threads": _shown_threads(threads, trajectory.query.offset_minutes),
            }
        )

    def _operation(self, trajectory: _Trajectory, asked: _Asked, step: Step) -> MemoryOperation:
        as_of = trajectory.as_of
        turn = trajectory.memory.turn_count(as_of) if as_of is None or as_of.turns is None else as_of.turns
        nothing = step.retrieved and not step.found and not step.threads
        outcome = "rejected" if step.action == "none" else "nothing" if nothing else "applied"
        return MemoryOperation.model_validate(
            {
                "user_id": trajectory.memory.user_id,
                "operation_id": f"response-{turn}-{step.number}",
                "kind": "response",
                "step": step.number,
                "first_turn": turn,
                "last_turn": turn,
                "instructions": RESPONSE_STEP.instructions,
                "prompt": asked.prompt.text,
                "pictures": asked.prompt.pictures,
                "output": asked.output,
                "outcome": outcome,
                "reason": asked.failure or ", ".join(step.repairs),
                "memory_ids": tuple(memory.memory_id for memory in step.found),
                "made_by": asked.made_by,
            }
        )

    def _response(self, trajectory: _Trajectory, text: str, stopped: Stopped, asked: _Asked | None) -> Response:
        steps = tuple(trajectory.steps)
        failure = ""
        if stopped == "no_answer":
            failure = "no_answer"
        elif stopped == "rejected" and asked is not None:
            failure = asked.failure
        query = trajectory.query
        return Response(
            text=text,
            trace=Trace(
                query=query.text,
                asked_at=trajectory.material.now,
                steps=steps,
                stopped=stopped,
                first=trajectory.first,
                concepts=query.concepts,
            ),
            prompt_tokens=sum(step.prompt_tokens for step in steps),
            completion_tokens=sum(step.completion_tokens for step in steps),
            seconds=self._clock() - trajectory.started,
            well_formed=stopped == "answered" and all(step.well_formed for step in steps),
            stopped=stopped,
            made_by=self.model.identity.provenance(RESPONSE_STEP) if asked is None else asked.made_by,
            prompt=None if asked is None else asked.prompt,
            failure=failure,
        )


def _listening(heard: AnswerFilter | None, watcher: TextListener | None) -> TextListener | None:
    return Both(heard, watcher) if heard is not None and watcher is not None else heard or watcher


def _step(number: int, asked: _Asked, must: MustAnswer) -> Step:
    action = asked.parsed.action
    return Step(
        number=number,
        thought=asked.parsed.thought,
        action="answer" if isinstance(action, Answer) else "retrieve" if isinstance(action, Retrieve) else "none",
        must_answer=must,
        well_formed=asked.parsed.well_formed and not (must and isinstance(action, Retrieve)),
        repairs=asked.parsed.repairs,
        notes=asked.prompt.notes,
        failure=asked.failure,
        output=asked.output,
        prompt_tokens=asked.usage.prompt_tokens,
        completion_tokens=asked.usage.completion_tokens,
    )


def _found(retrieved: Retrieved, offset_minutes: int) -> tuple[FoundMemory, ...]:
    return tuple(
        FoundMemory(
            memory_id=hit.memory.memory_id,
            kind=hit.memory.kind,
            at=clock_text(hit.memory.happened_from, offset_minutes),
            content=hit.memory.content,
            score=round(float(hit.score), 4),
            similarity=round(float(hit.similarity), 4),
            lexical=round(float(hit.lexical), 4),
        )
        for hit in retrieved.hits
    )


def _shown_threads(threads: Sequence[FoundThread], offset_minutes: int) -> tuple[ShownThread, ...]:
    return tuple(
        ShownThread(
            thread_id=one.thread.thread_id,
            title=one.thread.title,
            memory_ids=tuple(memory.memory_id for memory in one.members),
            summary=one.summary(offset_minutes),
            score=round(one.score, 4),
        )
        for one in threads
    )


def _ends(period: Period | None, offset_minutes: int) -> tuple[str, str]:
    """Return the ends of a period on the user's clock; empty where it is open."""
    if period is None:
        return "", ""
    start, end = ("" if end is None else clock_text(end, offset_minutes) for end in (period.start, period.end))
    return start, end


def _context(memory: UserMemory, query: Query, as_of: Moment | None, minutes: int) -> tuple[DialogueTurn, ...]:
    """Return the turns of the session that ``query`` goes on with, none older than ``minutes``."""
    count = memory.turn_count(as_of)
    if not count:
        return ()
    turns = memory.turns(max(0, count - _AT_ONCE), as_of=as_of)
    if not turns or is_new_session(turns[-1].at, query.at, minutes):
        return ()
    last = turns[-1]
    if query.session not in (None, last.session):
        return ()  # closed by hand
    if turns[0].session == last.session and turns[0].index > 0:
        turns = session_turns(memory, last)
    oldest = dt.timedelta(minutes=minutes)
    return tuple(turn for turn in turns if turn.session == last.session and query.at - turn.at <= oldest)
