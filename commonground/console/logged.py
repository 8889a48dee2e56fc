"""The log of missions: how each ended, as its journal tells."""

from __future__ import annotations

from collections.abc import Iterable

from commonground.planning.mission.journal import Step

INTERRUPTED = "interrupted"
"""How a mission is whose journal has no end: it may be taken up again."""


def outcome(steps: Iterable[Step]) -> str:
    """Return how a mission ended."""
    ends = [d for step in steps for d in step.decided if d["kind"] == "end"]
    return str(ends[-1]["status"]) if ends else INTERRUPTED
