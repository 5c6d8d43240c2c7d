"""What is told of every call as it happens, so that it can be counted, priced and stopped."""

from __future__ import annotations

from typing import Protocol

__all__ = ["LocalMeter", "Meter", "NoMeter", "Spending"]


class Spending(Protocol):
    """One call that the budget has room for; ends with ``paid`` or ``free``."""

    def paid(self, prompt_tokens: int, completion_tokens: int, seconds: float) -> None:
        """The call was answered and has to be paid for. On disk when this returns; if it fails, its room is free too.

        Raises:
            LedgerError: it cannot be written down.
        """
        ...

    def free(self) -> None:
        """The call was not answered: nothing is owed."""
        ...


class Meter(Protocol):
    """Counts what one model does. Safe to use from threads."""

    @property
    def wants_estimates(self) -> bool:
        """Whether ``reserve`` needs the tokens of a call before it is made (there is a budget)."""
        ...

    def reserve(self, prompt_version: str, prompt_tokens: int, completion_tokens: int) -> Spending:
        """Return room for one call, waiting for calls under way where their end may make some.

        Args:
            prompt_version: Of the task.
            prompt_tokens: The most that the prompt should have; 0 where ``wants_estimates`` is False.
            completion_tokens: The most that the answer may have.

        Raises:
            BudgetExhausted: there is none.
        """
        ...

    def recalled(self, prompt_version: str, prompt_tokens: int, completion_tokens: int) -> None:
        """An answer came from the cache; the tokens are those paid the first time."""
        ...

    def happened(self, prompt_version: str, event: str) -> None:
        """Something countable happened: ``http_429``, ``reask_bad_json``, ``rejected_refusal``, ``repaired``..."""
        ...


class LocalMeter(Protocol):
    """Counts what a model of this machine does that costs nothing and is never stopped. Safe to use from threads."""

    def counted(self, prompt_version: str, prompt_tokens: int, completion_tokens: int, seconds: float) -> None:
        """A call was answered."""
        ...

    def happened(self, prompt_version: str, event: str) -> None:
        """Something countable happened: ``rejected_wrong_schema``."""
        ...


class _Nothing:
    def paid(self, prompt_tokens: int, completion_tokens: int, seconds: float) -> None:
        """Count nothing."""

    def free(self) -> None:
        """Count nothing."""


class NoMeter:
    """Counts nothing and allows everything: for models made by hand."""

    wants_estimates = False

    def reserve(self, prompt_version: str, prompt_tokens: int, completion_tokens: int) -> Spending:
        """Allow it."""
        return _Nothing()

    def recalled(self, prompt_version: str, prompt_tokens: int, completion_tokens: int) -> None:
        """Count nothing."""

    def happened(self, prompt_version: str, event: str) -> None:
        """Count nothing."""
