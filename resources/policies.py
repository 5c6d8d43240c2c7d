"""The policies that a profile names, built on its models."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.baselines import FullContextPolicy, RagPolicy, ReaderPolicy
from lifeloom.models.protocol import ModelIdentity
from lifeloom.scoring.policy import TrackedPolicy
from lifeloom.store import code_revision
from resources.model_settings import Role
from resources.workbench import Workbench

if TYPE_CHECKING:
    from resources.memories import MemoryLibrary

__all__ = ["MEMORIES", "READING_POLICIES", "AskedPolicy", "memory_agents", "policies_of", "policies_of_release"]

READING_POLICIES = ("full_context", "rag")
"""Names of the policies that read a history. The blind ones are the audit's: they learn on another release."""
MEMORIES = "release/memories"
"""The data sets of memories that memory agents read, by release."""


@dataclass(frozen=True)
class AskedPolicy:
    """A policy with what its answers come from."""

    policy: TrackedPolicy
    role: Role
    """Whose model answers."""
    identity: ModelIdentity
    """Of that model."""
    needs: tuple[str, ...] = ()
    """Keys of the data sets that it reads beside cases and conversations."""

    def callers(self, workbench: Workbench, stage: str) -> int:
        """Return how many cases asked at once keep the model busy."""
        return workbench.callers(self.role, stage)


def policies_of(workbench: Workbench, names: Collection[str] | None = None, stage: str = "") -> list[ReaderPolicy]:
    """Return policies that read the history, on the workbench's reader and encoder.

    Args:
        workbench: gives the models; nothing is opened before a policy is asked.
        names: some of ``READING_POLICIES``; None: those that the profile names.
        stage: whose reader; empty: the profile's own.

    Raises:
        ValueError: there is no policy of such a name.
    """
    scoring, code = workbench.profile.scoring, code_revision()
    wanted = set(scoring.policies if names is None else names)
    if names is not None and not wanted <= set(READING_POLICIES):
        strange = ", ".join(sorted(wanted - set(READING_POLICIES)))
        raise ValueError(f"no policy called {strange} reads a history; there are {', '.join(READING_POLICIES)}")
    policies: list[ReaderPolicy] = []
    reader = workbench.model("reader", stage)
    if "full_context" in wanted:
        policies.append(FullContextPolicy(reader, code=code))
    if "rag" in wanted:
        policies.append(RagPolicy(reader, workbench.encoder, messages=scoring.rag_messages, code=code))
    return policies


def policies_of_release(workbench: Workbench, release: str, stage: str) -> dict[str, AskedPolicy]:
    """Return the policies that the profile scores on ``release``, the blind ones aside, by name in its order.

    Raises:
        DatasetMissing: a memory agent is among them and the release has no memories yet.
    """
    reader = workbench.model("reader", stage).identity
    made = {policy.name: AskedPolicy(policy, "reader", reader) for policy in policies_of(workbench, stage=stage)}
    if "memory_agent" in workbench.profile.scoring.policies:
        made.update(memory_agents(workbench, release, ["memory_agent"], stage))
    return {name: made[name] for name in workbench.profile.scoring.policies if name in made}


def memory_agents(workbench: Workbench, release: str, names: Collection[str], stage: str) -> Mapping[str, AskedPolicy]:
    """Return variants of the memory agent, by name, all on one library of memories.

    Args:
        workbench: gives model, encoder and settings.
        release: date of the release whose memories they read.
        names: of ``evaluation.memory_agent.VARIANTS``.
        stage: whose assistant.

    Raises:
        DatasetMissing: the release has no memories yet.
    """
    from evaluation.memory_agent import MemoryAgentPolicy, variant_settings

    model = workbench.model("assistant", stage)
    library: MemoryLibrary = workbench.memories(f"{MEMORIES}/{release}")
    agents = {}
    for name in names:
        policy = MemoryAgentPolicy(
            model,
            workbench.encoder,
            library.of,
            variant_settings(name, workbench.response_settings),
            name=name,
            code=code_revision(),
            pictures=workbench.picture,
        )
        agents[name] = AskedPolicy(policy, "assistant", model.identity, (f"{MEMORIES}/{release}",))
    return agents
