"""The log of missions: what each was told, and how it ended, as its journal tells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from commonground.console.opening import missions_in
from commonground.errors import CommongroundError
from commonground.names import within
from commonground.planning.mission.events import Answered
from commonground.planning.mission.journal import FILE, Step, is_commanded, read_header, read_steps

INTERRUPTED = "interrupted"
"""How a mission is whose journal has no end: it may be taken up again."""
DISCARDED = "discarded"
MOST = 100
"""Missions that are listed; the others are in their folders."""
LETTERS = 48


def outcome(steps: Sequence[Step]) -> str:
    """Return how a mission ended."""
    ends = [d for step in steps for d in step.decided if d["kind"] == "end"]
    if not ends:
        return INTERRUPTED
    how = str(ends[-1]["status"])
    approved = any(isinstance(t, Answered) and t.yes for step in steps for t in step.told)
    return DISCARDED if how in ("stopped", "refused") and not approved else how


def listed(missions: Path) -> dict[str, str]:
    """Return the names of missions by a line on each, newest first, without drafts that were discarded."""
    found = {}
    for name in missions_in(missions)[:MOST]:
        try:
            said, how = _state(within(missions, name))
        except (OSError, CommongroundError):  # it goes away, or is only being begun
            continue
        if how != DISCARDED:
            short = said if len(said) <= LETTERS else f"{said[: LETTERS - 1]}…"
            found[f"{name}: {how}" + (f", “{short}”" if short else "")] = name
    return found


def is_interrupted(line: str) -> bool:
    """Return whether a mission can be taken up again, by the line on it."""
    return line.partition(": ")[2].partition(",")[0] == INTERRUPTED


def _state(folder: Path) -> tuple[str, str]:
    """Return the instruction of a mission, and how it is."""
    if is_commanded(folder):
        return _begun(folder), "under way"
    at = (folder / FILE).stat()
    return _told(folder, at.st_mtime_ns, at.st_size)


@lru_cache(maxsize=2 * MOST)
def _told(folder: Path, written_ns: int, size: int) -> tuple[str, str]:
    """Return instruction and outcome; a journal is read again once it was written to."""
    try:
        return _begun(folder), outcome(list(read_steps(folder)))
    except CommongroundError:
        return "", "cannot be read"


def _begun(folder: Path) -> str:
    return str(read_header(folder).get("instruction", ""))
