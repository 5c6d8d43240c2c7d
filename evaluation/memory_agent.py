"""The memory agent as a policy: PersonaVLM's response stage over a user's memories, and its ablations (P20)."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from lifeloom.assistant.response import ResponseStage
from lifeloom.assistant.response_types import Query, Response, ResponseSettings
from lifeloom.memory import UserMemory
from lifeloom.models.protocol import LanguageModel, PictureSource, TextEncoder
from lifeloom.records import MemoryKind, Moment
from lifeloom.scoring.answer_reading import leading_letter, leading_verdict
from lifeloom.scoring.policy import Answer, CaseQuestion, HistoryView, TrackedPolicy, policy_fingerprint
from lifeloom.tasks import RESPONSE_STEP

__all__ = ["VARIANTS", "MemoryAgentPolicy", "variant_settings"]


def _without(kind: MemoryKind) -> Callable[[ResponseSettings], ResponseSettings]:
    return lambda settings: replace(settings, kinds=settings.kinds - {kind})


def _episodes(count: int) -> Callable[[ResponseSettings], ResponseSettings]:
    return lambda settings: replace(settings, top_k=replace(settings.top_k, episodic=count))


_THREADS = 2  # that a retrieval brings where the memory graph is one of its sources

VARIANTS: Final[Mapping[str, Callable[[ResponseSettings], ResponseSettings]]] = {
    "memory_agent": lambda settings: settings,
    "agent_without_core": _without("core"),
    "agent_without_semantic": _without("semantic"),
    "agent_without_episodic": _without("episodic"),
    "agent_without_procedural": _without("procedural"),
    "agent_without_reasoning": lambda settings: replace(settings, reasoning=False),
    "agent_without_pem": lambda settings: replace(settings, personality=False),
    "agent_with_graph": lambda settings: replace(settings, threads=_THREADS),
    **{f"agent_episodes_{count}": _episodes(count) for count in range(1, 6)},
}
"""What each variant changes of the agent's settings: a kind of memory left out (PersonaVLM Table 8), one retrieval with
the user's text instead of reasoning (Table 11), no personality, and 1 to 5 episodic topics a retrieval (Fig. 13).
Beyond the paper: with threads of the memory graph."""


def variant_settings(name: str, settings: ResponseSettings) -> ResponseSettings:
    """Return the settings of a variant of the agent that otherwise works by ``settings``.

    Raises:
        ValueError: there is no variant of such a name.
    """
    if name not in VARIANTS:
        raise ValueError(f"no memory agent is called {name!r}; there are {', '.join(VARIANTS)}")
    return VARIANTS[name](settings)


class MemoryAgentPolicy(TrackedPolicy):
    """Answers from the memories that had been made by the moment of the question. Safe to use from several threads.

    Memories are made once, of the whole conversation, and read as of the moment at which a case is asked. The letter of
    a choice is what stands before the first ``)`` of the answer, as in PersonaVLM's release. Tokens are those of all
    steps together, instructions and pictures included.

    Args:
        model: Takes the steps.
        encoder: What the memories' vectors were made with.
        memory_of: Gives the memory of a user, by persona id; it is only read.
        settings: How the response stage works.
        name: Short id of the policy, of ``VARIANTS`` or another.
        code: Revision of the code, part of the fingerprint.
        pictures: Gives the files of pictures, to find out which one is gone.
    """

    version = 1

    def __init__(
        self,
        model: LanguageModel,
        encoder: TextEncoder,
        memory_of: Callable[[str], UserMemory],
        settings: ResponseSettings | None = None,
        *,
        name: str = "memory_agent",
        code: str,
        pictures: PictureSource | None = None,
    ) -> None:
        self.model = model
        self.encoder = encoder
        self.settings = settings or ResponseSettings()
        self._memory_of = memory_of
        self._stage = ResponseStage(model, encoder, self.settings, pictures=pictures)
        self._name = name
        self._code = code

    @property
    def name(self) -> str:
        """Short id of the policy."""
        return self._name

    @functools.cached_property
    def fingerprint(self) -> str:
        """Digest of code, models, prompt and parameters."""
        return policy_fingerprint(
            self.name,
            code=f"{self._code}/{self.version}",
            models=self.models(),
            prompts=self.prompts(),
            parameters=self.parameters(),
        )

    def models(self) -> list[str]:
        """Return the model and the encoder."""
        return [f"{asked.identity.backend}/{asked.identity.model}" for asked in (self.model, self.encoder)]

    def prompts(self) -> tuple[str, ...]:
        """Return the version of the step's prompt."""
        return (RESPONSE_STEP.prompt_version,)

    def parameters(self) -> dict[str, str | int | float]:
        """Return the settings of the response stage and what the model can do."""
        settings = self.settings
        return {
            "window_tokens": self.model.window_tokens,
            "pictures": int(self.model.takes_pictures),
            "steps": settings.steps,
            "procedural": settings.top_k.procedural,
            "semantic": settings.top_k.semantic,
            "episodic": settings.top_k.episodic,
            "kinds": " ".join(sorted(settings.kinds)),
            "reasoning": int(settings.reasoning),
            "personality": int(settings.personality),
            **({"threads": settings.threads} if settings.threads else {}),
            "reply_words": "all" if settings.reply_words is None else settings.reply_words,
            "tokens": "none" if settings.tokens is None else settings.tokens,
            "seconds": "none" if settings.seconds is None else settings.seconds,
            "session_minutes": settings.session_minutes,
        }

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        """Return the letter of one option.

        Raises:
            MemoryFailure: the user's memory cannot be read, or there is none.
            ModelUnavailable: or another error of the model that concerns more than this question.
        """
        response = self._respond(question, history, "")
        return _answer(response, leading_letter(response.text, question.options), "no_letter")

    def judge(self, question: CaseQuestion, response: str, history: HistoryView) -> Answer:
        """Return whether ``response`` suits the user.

        Raises:
            MemoryFailure: the user's memory cannot be read, or there is none.
            ModelUnavailable: or another error of the model that concerns more than this question.
        """
        judged = self._respond(question, history, response)
        return _answer(judged, leading_verdict(judged.text), "no_verdict")

    def _respond(self, question: CaseQuestion, history: HistoryView, response: str) -> Response:
        offset = history.offset_minutes
        at = dt.datetime.fromisoformat(question.asked_at).replace(tzinfo=dt.timezone(dt.timedelta(minutes=offset)))
        query = Query(
            text=question.query,
            at=at.astimezone(dt.UTC),
            offset_minutes=offset,
            options=() if response else question.options,
            response=response,
        )
        memory = self._memory_of(history.history.persona_id)
        return self._stage.respond(memory, query, as_of=Moment(query.at, history.turns))


def _answer(response: Response, text: str, unreadable: str) -> Answer:
    return Answer(
        text,
        response.prompt_tokens,
        response.completion_tokens,
        failure="" if text else response.failure or unreadable,
        made_by=response.made_by,
        trace=response.trace.model_dump_json(),
    )
