"""Settings of knowledge bases and of planning with them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from commonground.settings import Settings


class PrologSettings(Settings):
    """What a knowledge base may take, and how long is planned."""

    call_limit_s: Annotated[float, Field(gt=0, le=600)] = 20.0
    """Time for one question to Prolog."""
    goal_limit_s: Annotated[float, Field(gt=0, le=60)] = 2.0
    """Time for one grounding goal of a base."""
    memory_limit_mb: Annotated[int, Field(ge=128, le=65536)] = 1024
    """Memory of the Prolog process."""
    stack_limit_mb: Annotated[int, Field(ge=16, le=65536)] = 256
    """Memory for what one question computes with."""
    plan_limit_s: Annotated[float, Field(gt=0, le=3600)] = 60.0
    """Processor time for finding an order of the actions."""
    exact_states: Annotated[int, Field(ge=0, le=10_000_000)] = 25_000
    """States that a search over all plans looks at, on the high level and again on both levels; 0: none."""
    trial_walks: Annotated[int, Field(ge=0, le=10_000)] = 12
    """Random walks on which `check` tries mappings out, for each agent."""
