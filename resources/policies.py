"""The policies that a profile names, built on its models."""

from __future__ import annotations

from collections.abc import Collection

from evaluation.baselines import FullContextPolicy, RagPolicy, ReaderPolicy
from lifeloom.store import code_revision
from resources.workbench import Workbench

__all__ = ["READING_POLICIES", "policies_of"]

READING_POLICIES = ("full_context", "rag")
"""Names of the policies that read a history. The blind ones are the audit's: they learn on another release."""


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
