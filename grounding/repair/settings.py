"""Settings of planning and repair in households."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from commonground.grounding.settings import ModelSettings
from commonground.settings import Settings


class RepairSettings(Settings):
    """How commands are planned, and how long what fails is repaired."""

    backend: Literal["offline", "openai"] = "offline"
    """Who writes the problem and proposes repairs."""
    weights: Path | None = None
    """Folder of the learned reader's network; the one that comes with the program if not set."""
    eyes: Literal["simulator", "openai"] = "simulator"
    """Who says what can be seen: the simulator, or a vision-language model that is shown pictures."""
    images: Path | None = None
    """Folder with a picture of each place, ``<place>.png``; pictures of the simulated house if not set."""
    kinds: Path | None = None
    """File of general knowledge about types of things; the one that comes with the program if not set."""
    purposes: Path | None = None
    """File of what people do at home and what serves it; the one that comes with the program if not set."""
    length_weight: float = Field(default=2.0, ge=0)
    """The exponent λ of the change of plan length: how much a long detour counts against a likely cause."""
    budget_s: float = Field(default=4.5, gt=0)
    """Processor seconds one command may take to plan, all repairs included."""
    plan_s: float = Field(default=2.5, gt=0)
    """Processor seconds one call of the planner may search."""
    improve_s: float = Field(default=0.6, ge=0)
    """Processor seconds for shorter plans."""
    model: ModelSettings = ModelSettings()
