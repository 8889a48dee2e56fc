"""Settings of the memory."""

from __future__ import annotations

from pydantic import Field

from commonground.settings import Settings


class MemorySettings(Settings):
    """How reports are taken."""

    meals: dict[str, str] = Field(default_factory=dict)
    """When breakfast, lunch and dinner are, as HH:MM; what is not given is taken from the lexicon."""
    dated: bool = True
    """Reports carry the time at which they are made, so words such as 'this morning' date what they say."""
    hearsay_confidence: float = Field(default=0.5, ge=0, le=1)
    """How sure a claim is that somebody makes without certainty."""
