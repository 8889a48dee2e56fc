"""Provenance of facts: times, sources and confidence, and the outcome of a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from commonground.grounding.knowledge.facts import Fact

SECOND_NS = 1_000_000_000

SourceKind = Literal["person", "sensor", "robot", "file", "default"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a change comes from."""

    kind: SourceKind = "person"
    name: str = ""
    """Which person, sensor or robot; empty where nobody knows."""
    words: str = ""
    """What was said, or the reading as it came."""


@dataclass(frozen=True, slots=True)
class Record:
    """A fact with its two times, where it comes from and how sure it was."""

    fact: Fact
    valid_ns: int
    """Since when it has held in the world."""
    ended_ns: int | None
    """Until when it held; None: as far as known it still does."""
    confirmed_ns: int
    """When it was last observed."""
    confidence: float
    """At that time."""
    tx: int
    """The change since which it is believed."""
    tx_end: int | None
    """The change since which it is believed no longer."""
    origin: int
    """The change that first claimed it (undoing restores facts under their origin)."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something claimed that is not, or not yet, believed."""

    id: int
    fact: Fact
    holds: bool
    """False: it was claimed that the fact does not hold."""
    observed_ns: int
    confidence: float
    tx: int
    status: Literal["open", "accepted", "rejected", "withdrawn"]
    reason: str


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """One committed change."""

    tx: int
    recorded_ns: int
    observed_ns: int
    source: Source
    undoes: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a change did to what is believed."""

    tx: int
    added: tuple[Fact, ...] = ()
    removed: tuple[Fact, ...] = ()
    confirmed: tuple[Fact, ...] = ()
    """Believed before, and heard again."""
    late: tuple[Fact, ...] = ()
    """About the past: something newer is known, so only the history has changed."""
    held: tuple[Fact, ...] = ()
    """Not certain enough, or contradicted at the same moment: kept aside as open claims."""
    kept: tuple[Fact, ...] = ()
    """Could not be undone because it has been replaced since."""

    @property
    def changes_belief(self) -> bool:
        """Return whether anything believed now is different."""
        return bool(self.added or self.removed)


def faded(record: Record, now_ns: int, half_life_s: Mapping[str, float]) -> float:
    """Return a record's confidence now: halved for every half-life since it was last observed."""
    half_life = half_life_s.get(record.fact.relation)
    if half_life is None or record.fact.relation == "":
        return record.confidence
    age_s = max(0, now_ns - record.confirmed_ns) / SECOND_NS
    return float(record.confidence * 0.5 ** (age_s / half_life))
