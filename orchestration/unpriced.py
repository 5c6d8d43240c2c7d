"""Served models without a price: what they cost is not counted, so that a budget in US dollars does not hold them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console

from lifeloom.models.calls.cost_reports import SERVED
from orchestration.printing import plain
from resources.model_settings import ROLES, ModelSettings, StagesSettings
from resources.profile import PictureSettings, Profile

__all__ = ["Unpriced", "has_no_price", "unpriced", "warn_of_unpriced"]


@dataclass(frozen=True)
class Unpriced:
    """A served model of a profile whose price is 0."""

    model: str
    """``backend/model``."""
    section: str
    """Of the profile: ``models.writer``, ``models.stages.corpus_dialogues.writer``, ``pictures``."""

    @property
    def advice(self) -> str:
        """What to set, in the profile or around it."""
        variable = f"LIFELOOM_{self.section.replace('.', '__').upper()}__PRICE_"
        return (
            f"{self.model}: price_prompt and price_completion in [{self.section}], or {variable}PROMPT and "
            f"{variable}COMPLETION"
        )


def unpriced(profile: Profile) -> list[Unpriced]:
    """Return every place of ``profile`` that names a served model and no price for it."""
    return [
        Unpriced(f"{settings.backend}/{settings.model}", section)
        for section, settings in _named(profile)
        if has_no_price(settings)
    ]


def has_no_price(settings: ModelSettings | PictureSettings) -> bool:
    """Say whether a server answers and both prices are 0."""
    return settings.backend in SERVED and not (settings.price_prompt or settings.price_completion)


def warn_of_unpriced(profile: Profile) -> None:
    """Warn on standard error where there is a budget in US dollars that some models of ``profile`` do not count in."""
    found = unpriced(profile)
    if not profile.budget.usd or not found:
        return
    console = Console(stderr=True)
    console.print(
        plain(
            f"Warning: the budget of {profile.budget.usd:,.2f} USD does not hold models without a price; their "
            "calls count as free. Set, in US dollars a million tokens:",
            "bold yellow",
        ),
        soft_wrap=True,
    )
    for one in found:
        console.print(plain(f"  {one.advice}"), soft_wrap=True)


def _named(profile: Profile) -> Iterator[tuple[str, ModelSettings | PictureSettings]]:
    for role in ROLES:
        yield f"models.{role}", getattr(profile.models, role)
    for stage in StagesSettings.model_fields:
        for role in ROLES:
            own = getattr(getattr(profile.models.stages, stage), role)
            if own is not None:
                yield f"models.stages.{stage}.{role}", own
    yield "pictures", profile.pictures
