"""Settings of the knowledge graph."""

from __future__ import annotations

from pydantic import Field

from commonground.settings import Settings


class KnowledgeSettings(Settings):
    """What is believed at once, what is kept aside, and how fast belief fades."""

    commit_from: float = Field(default=0.8, ge=0, le=1)
    """A claim of at least this confidence changes what is believed."""
    ignore_below: float = Field(default=0.5, ge=0, le=1)
    """A claim of less is not even kept aside."""
    doubt_below: float = Field(default=0.3, ge=0, le=1)
    """A fact whose faded confidence is lower should be looked at before a plan relies on it."""
    margin: float = Field(default=0.15, ge=0, le=1)
    """How much more credible than its rival a simultaneous claim must be to win."""
    half_life_s: dict[str, float] = Field(default_factory=dict)
    """After how long half of the confidence in a predicate's facts is gone; absent: it never fades."""
