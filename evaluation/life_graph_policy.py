"""LifeGraph as a policy on Life-Bench: retrieval from a graph, then the answering model (Life-Bench Algorithm 1)."""

from __future__ import annotations

import functools
from collections.abc import Callable

from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.lifegraph.recognition import ConceptRecogniser
from lifeloom.lifegraph.retrieval import GraphRetriever
from lifeloom.lifegraph.retrieval_types import Lookup, RetrievalSettings
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import Life
from lifeloom.scoring.life_policy import AskedQuestion, Found, LifeAnswer, answer_from
from lifeloom.scoring.policy import policy_fingerprint
from lifeloom.tasks import (
    GRAPH_PLAN,
    GRAPH_PRUNE,
    GRAPH_REFERENCES,
    GRAPH_SUFFICIENCY,
    GRAPH_TOP_ENTITIES,
    LIFE_ANSWER,
)

__all__ = ["LifeGraphPolicy"]


class LifeGraphPolicy:
    """A ``LifePolicy``: ``lifegraph-d2-k3``; ``-norefs`` without source references, ``-tools`` with counting.

    Args:
        model: steers the search and answers.
        graph_of: gives the graph of a life by the Vaccount's id; the same object for the same life, so that what is
            made of a graph once is kept.
        recogniser: names people in the question's picture; None: nobody is recognised.
        settings: depth, width, references, tools and the rest of Algorithm 2.
        graphs: what the graphs were built by and from, part of the fingerprint.
        code: revision of the code, part of the fingerprint.
    """

    version = 1

    def __init__(
        self,
        model: LanguageModel,
        graph_of: Callable[[str], LifeGraph],
        recogniser: ConceptRecogniser | None = None,
        *,
        settings: RetrievalSettings | None = None,
        graphs: str = "",
        code: str = "",
    ) -> None:
        self.model = model
        self.settings = settings or RetrievalSettings()
        self._graph_of = graph_of
        self._recogniser = recogniser
        self._graphs = graphs
        self._code = code
        self._retriever = GraphRetriever(model, self.settings)

    @property
    def name(self) -> str:
        """``lifegraph-d2-k3``."""
        name = f"lifegraph-d{self.settings.depth}-k{self.settings.width}"
        return f"{name}{'' if self.settings.references else '-norefs'}{'-tools' if self.settings.tools else ''}"

    @functools.cached_property
    def fingerprint(self) -> str:
        """Digest of code, models, prompts, parameters and graphs."""
        return policy_fingerprint(
            self.name,
            code=f"{self._code}/{self.version}",
            models=self.models(),
            prompts=self.prompts(),
            parameters=self.parameters(),
        )

    def models(self) -> list[str]:
        """Return ``backend/model`` of everything that is asked."""
        own = f"{self.model.identity.backend}/{self.model.identity.model}"
        return [own, *(self._recogniser.models if self._recogniser is not None else ())]

    def prompts(self) -> tuple[str, ...]:
        """Return the versions of the prompts that it puts."""
        asked = (
            (GRAPH_PLAN.prompt_version, self.settings.tools),
            (GRAPH_TOP_ENTITIES.prompt_version, True),
            (GRAPH_PRUNE.prompt_version, True),
            (GRAPH_REFERENCES.prompt_version, self.settings.references),
            (GRAPH_SUFFICIENCY.prompt_version, self.settings.early_stop),
            (LIFE_ANSWER.prompt_version, True),
        )
        return tuple(version for version, is_asked in asked if is_asked)

    def parameters(self) -> dict[str, str | int | float]:
        """Return what else decides the answers."""
        settings = self.settings
        return {
            "depth": settings.depth,
            "width": settings.width,
            "references": int(settings.references),
            "early_stop": int(settings.early_stop),
            "visited": settings.visited,
            "tools": int(settings.tools),
            "most_candidates": settings.most_candidates,
            "most_entities": settings.most_entities,
            "most_references": settings.most_references,
            "graphs": self._graphs,
        }

    def answer(self, asked: AskedQuestion, life: Life) -> LifeAnswer:
        """Look a question up in the life's graph and answer it.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: the model stopped answering.
        """
        return answer_from(self.model, asked, life, self.look_up(asked, life))

    def look_up(self, asked: AskedQuestion, life: Life) -> Found:
        """Return what retrieval finds, without answering: for reports on retrieval alone."""
        recognised: tuple[str, ...] = ()
        if asked.picture is not None and self._recogniser is not None:
            recognised = tuple(one.concept_id for one in self._recogniser.recognise(asked.picture, life))
        found = self._retriever.retrieve(
            self._graph_of(life.vaccount_id),
            life,
            Lookup(
                question=asked.question,
                options=tuple(option.text for option in asked.options),
                recognised=recognised,
                has_picture=asked.picture is not None,
            ),
        )
        return Found(
            concepts=found.concepts,
            images=found.images,
            facts=found.facts,
            notes=found.notes,
            shows_pictures=self.settings.references,
            retrieved_ids=found.retrieved_ids,
            rounds=found.rounds,
            prompt_tokens=found.prompt_tokens,
            completion_tokens=found.completion_tokens,
            trace=found.trace.model_dump_json(),
        )
