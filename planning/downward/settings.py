"""Settings of Fast Downward."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from commonground.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class DownwardSettings:
    """How long and how large a call of Fast Downward may get, and where its programs are."""

    time_limit_s: float = 60.0
    """Seconds one call may take, translation included."""
    memory_limit_mb: int = 4096
    """Memory that the translator and the search may each take."""
    binary: str | Path | None = None
    """The search program; by default the one in the package `up-fast-downward`."""
    start_limit_s: float = 30.0
    """Seconds the worker process may take to start."""
    invariant_limit_s: int = 300
    """Seconds to look for facts that exclude each other; 0 suits tasks that are ground already."""
    compile_limit: int = 20_000
    """Largest number of formula nodes that compiling axioms away for an optimal search may make."""

    def __post_init__(self) -> None:
        least = {"memory_limit_mb": 64, "invariant_limit_s": 0, "compile_limit": 0}
        for name in ("time_limit_s", "start_limit_s"):
            if not getattr(self, name) > 0.0:
                raise ConfigError(f"{name}: {getattr(self, name)} is not more than 0")
        for name, bound in least.items():
            if not getattr(self, name) >= bound:
                raise ConfigError(f"{name}: {getattr(self, name)} is less than {bound}")
