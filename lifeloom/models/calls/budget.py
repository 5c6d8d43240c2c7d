"""The hard limit on what calls to models may cost."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from typing import Literal

from lifeloom.models.calls.prices import PICODOLLARS, dollars, picodollars

__all__ = ["Budget", "Cost", "day_of"]

Period = Literal["home", "day", "run"]


@dataclass(frozen=True)
class Cost:
    """Tokens and money."""

    tokens: int = 0
    picodollars: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.tokens + other.tokens, self.picodollars + other.picodollars)


def day_of(now: float) -> str:
    """Return the day (UTC, ISO) of a time in seconds since 1970."""
    return dt.datetime.fromtimestamp(now, dt.UTC).date().isoformat()


@dataclass(frozen=True)
class Budget:
    """How much may be spent in a period. 0 means: no limit.

    Raises:
        ValueError: a limit is negative or no number.
    """

    usd: float = 0.0
    """US dollars, by the prices of the models."""
    tokens: int = 0
    """Prompt and answer together."""
    period: Period = "home"
    """What counts: all that the home ever spent, what was spent since midnight (UTC), or what the run spent."""

    def __post_init__(self) -> None:
        """Check the limits."""
        if not (math.isfinite(self.usd) and self.usd >= 0 and self.tokens >= 0):
            raise ValueError(f"a budget is 0 (no limit) or more; got {self.usd} USD and {self.tokens} tokens")

    def scope(self, now: float, run: str) -> str:
        """Return the name of what a call at ``now`` in ``run`` counts towards."""
        if self.period == "home":
            return "home"
        return f"day {day_of(now)}" if self.period == "day" else f"run {run}"

    def limits(self, call: Cost) -> bool:
        """Say whether there is a limit that ``call`` counts towards; what costs nothing is never stopped by money."""
        return bool((self.usd and call.picodollars) or (self.tokens and call.tokens))

    def has_room(self, spent: Cost, call: Cost) -> bool:
        """Say whether ``call`` fits on top of ``spent``."""
        whole = spent + call
        fits_usd = not (self.usd and call.picodollars) or whole.picodollars <= picodollars(self.usd)
        return fits_usd and (not (self.tokens and call.tokens) or whole.tokens <= self.tokens)

    def exhausted(self, who: str, spent: Cost, held: Cost, call: Cost) -> str:
        """Return what to tell a person: what is spent, what the call may cost, what to raise.

        Args:
            who: The model that is not asked.
            spent: In the period.
            held: By calls that are still under way elsewhere.
            call: The most that the call may cost.
        """
        by_money = self.usd and call.picodollars and (spent + held + call).picodollars > picodollars(self.usd)
        of = {"home": "of this home", "day": "of the day (UTC)", "run": "of this run"}[self.period]
        if by_money:
            budget, used, waiting, next_call = (
                _usd(amount) for amount in (self.usd, *(dollars(one.picodollars) for one in (spent, held, call)))
            )
            key = "usd"
        else:
            budget, used, waiting, next_call = (
                f"{amount:,} tokens" for amount in (self.tokens, spent.tokens, held.tokens, call.tokens)
            )
            key = "tokens"
        under_way = f", {waiting} may go to calls of another process" if held != Cost() else ""
        return (
            f"the budget {of}, {budget}, has no room for the next call of {who}: {used} are spent{under_way}, and the "
            f"call may cost up to {next_call}. What is finished is kept: raise LIFELOOM_BUDGET__{key.upper()} (or "
            f"{key} under [budget] in the profile) and run again to go on"
        )


def _usd(amount: float) -> str:
    return f"{amount:.2f} USD" if amount >= 1 or not amount else f"{max(amount, 1 / PICODOLLARS):.3g} USD"
