"""What tokens cost. Sums of money are kept in whole picodollars, so that they add up exactly."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["PICODOLLARS", "Price", "dollars", "picodollars"]

PICODOLLARS = 1_000_000_000_000
"""Picodollars in a US dollar; a token at 1 USD a million costs a million of them."""

_MOST = 10_000  # a hundred times the dearest model; sums stay in 64 bits, millions of dollars


def picodollars(usd: float) -> int:
    """Return a sum in US dollars as whole picodollars."""
    return round(usd * PICODOLLARS)


def dollars(amount: int) -> float:
    """Return whole picodollars as US dollars."""
    return amount / PICODOLLARS


@dataclass(frozen=True)
class Price:
    """Price of a model's tokens.

    Raises:
        ValueError: a price is negative or no number.
    """

    prompt_usd_per_million: float = 0.0
    completion_usd_per_million: float = 0.0
    _tokens: tuple[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the prices and turn them into picodollars a token."""
        prices = (self.prompt_usd_per_million, self.completion_usd_per_million)
        if not all(0 <= price <= _MOST for price in prices):  # also no number
            raise ValueError(
                f"prices are US dollars per million tokens, 0 to {_MOST:,}; got {prices[0]} and {prices[1]}"
            )
        object.__setattr__(self, "_tokens", tuple(picodollars(price / 1_000_000) for price in prices))

    @property
    def is_free(self) -> bool:
        """Whether tokens cost nothing: a model of one's own."""
        return self._tokens == (0, 0)

    def of(self, prompt_tokens: int, completion_tokens: int) -> int:
        """Return the cost of one call in picodollars."""
        return prompt_tokens * self._tokens[0] + completion_tokens * self._tokens[1]

    def usd(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the cost of one call in US dollars."""
        return dollars(self.of(prompt_tokens, completion_tokens))
