"""Exit codes and log lines of Fast Downward, and what they mean."""

from __future__ import annotations

import re

# https://www.fast-downward.org/latest/documentation/exit-codes/
PROVEN_UNSOLVABLE = 11
INCOMPLETE = (12, 13)
OUT_OF_MEMORY = (1, 3, 22, 24)
OUT_OF_TIME = (2, 23)
UNSUPPORTED = (33, 34)

_F = re.compile(r"\bf = (\d+),")
_NONE_CHEAPER = re.compile(r"no plan with cost (\d+) or less exists")
_NEXT_SEARCH = "Starting search: "


def bound_of_astar(log: str) -> int:
    """Return the largest f-value A* expanded at: no plan is cheaper where its heuristic is admissible."""
    return max((int(match[1]) for match in _F.finditer(log)), default=0)


def bound_of_iterations(log: str) -> int:
    """Return the cost below which LAMA's last, reopening search proved that there is no plan."""
    last = log.rpartition(_NEXT_SEARCH)[2]
    match = _NONE_CHEAPER.search(last) if last.startswith("lazy_wastar") else None
    return int(match[1]) + 1 if match else 0


def complaint(log: str) -> str:
    """Return the line of a log that says best what went wrong."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    telling = [line for line in lines if "rror" in line or "not support" in line]
    return (telling or lines or ["it said nothing"])[-1]
