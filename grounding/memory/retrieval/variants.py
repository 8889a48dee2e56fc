"""The variants of the published system, by their names in its results, and our own."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.errors import GroundingError, did_you_mean
from commonground.grounding.memory.retrieval.retriever import Way


@dataclass(frozen=True, slots=True)
class Variant:
    """What is retrieved for a report or task, and whether what comes of it is checked."""

    name: str
    way: Way
    verify: bool
    updates: bool = True
    """False: the graph stays as it was at the beginning (the published static baseline)."""


_ALL = (
    Variant("S", "none", False, updates=False),
    Variant("R-", "none", False),
    Variant("Rv-", "none", True),
    Variant("R+", "entities", False),
    Variant("Rv+", "entities", True),
    Variant("Rs", "search", False),
    Variant("Rvs", "search", True),
    Variant("slice", "slice", True),
)
DEFAULT = _ALL[-1]
VARIANTS = {variant.name: variant for variant in _ALL}


def variant_named(name: str) -> Variant:
    """Return a variant by its name."""
    if name not in VARIANTS:
        hint = did_you_mean(name, VARIANTS) or f" Known: {', '.join(VARIANTS)}."
        raise GroundingError(f"variant '{name}': there is none of that name.{hint}")
    return VARIANTS[name]
