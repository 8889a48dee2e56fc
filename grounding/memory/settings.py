"""Settings of the memory."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from commonground.settings import Settings


class MemorySettings(Settings):
    """How reports are taken."""

    backend: Literal["offline", "openai", "auto"] = "offline"
    """Front end; auto asks the model about what is not understood offline, or in doubt."""
    ask_below: float = Field(default=0.05, ge=0, le=1)
    """With auto, reports are left to the model where the trained reader gives the offline reading less."""
    retrieval: Literal["none", "entities", "search", "slice"] = "slice"
    """Which facts a model is shown with a report."""
    verify: bool = True
    """Check what is proposed against the domain and the graph before it is believed."""
    max_tokens: int = Field(default=2500, ge=1000, le=200_000)
    """Most tokens of one report with a model, its answer included; facts beyond it are left out."""
    rules: str | None = None
    """File with the rules of the house for a model; none: those of the household."""

    meals: dict[str, str] = Field(default_factory=dict)
    """When breakfast, lunch and dinner are, as HH:MM; what is not given is as usual."""
    utc_offset_h: float | None = None
    """How far the clock of the house is ahead of UTC; none: that of this machine."""
    dated: bool = True
    """Reports carry the time at which they are made, so words such as 'this morning' date what they say."""
    hearsay_confidence: float = Field(default=0.5, ge=0, le=1)
    """How sure a claim is that somebody makes without certainty."""
