"""Settings of Fast Downward."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from commonground.settings import Settings


class DownwardSettings(Settings):
    """How long and how large a call of Fast Downward may get, and where its programs are."""

    time_limit_s: float = Field(default=60.0, gt=0)
    """Seconds one call may take, translation included."""
    memory_limit_mb: int = Field(default=4096, ge=64)
    """Memory that the translator and the search may each take."""
    binary: Path | None = None
    """The search program; by default the one in the package `up-fast-downward`."""
    start_limit_s: float = Field(default=30.0, gt=0)
    """Seconds the worker process may take to start."""
    invariant_limit_s: int = Field(default=300, ge=0)
    """Seconds to look for facts that exclude each other; 0 suits tasks that are ground already."""
    compile_limit: int = Field(default=20_000, ge=0)
    """Largest number of formula nodes that compiling axioms away for an optimal search may make."""
