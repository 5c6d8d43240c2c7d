"""How large a life is."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LifeShape"]


@dataclass(frozen=True)
class LifeShape:
    """Sizes of one Vaccount (Life-Bench Table 2: 3-5 concepts, about 250 history pictures, 37 for questions).

    Raises:
        ValueError: fewer than one picture, concept or year, or a range upside down.
    """

    pictures: int = 250
    question_pictures: int = 37
    concepts: tuple[int, int] = (3, 5)
    """Least and most, the owner included."""
    years: int = 3
    """Over how many years the history goes at most."""
    pictures_an_event: tuple[int, int] = (3, 10)

    def __post_init__(self) -> None:
        for low, high in (self.concepts, self.pictures_an_event):
            if low < 1 or high < low:
                raise ValueError(f"a range goes from 1 or more upwards, not from {low} to {high}")
        if self.pictures < 1 or self.question_pictures < 0 or self.years < 1:
            raise ValueError("a life has at least one picture and one year")
