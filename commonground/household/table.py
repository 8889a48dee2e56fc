"""Tables of household tasks: conditions reached, actions and time, by category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from commonground.datasets.household.scoring import summarize
from commonground.household.team import Ran

COLUMNS = ("category", "tasks", "TCR %", "GCR %", "ER %", "planning s", "slowest s", "makespan")


def rows_of(ran: Sequence[Ran]) -> list[dict[str, Any]]:
    """Return a row for each category and one for all."""
    categories = dict.fromkeys(one.task.category for one in ran if one.task.category)
    groups = [(c, [one for one in ran if one.task.category == c]) for c in categories]
    return [_row(name, group) for name, group in (*groups, ("all", list(ran)))]


def _row(name: str, ran: Sequence[Ran]) -> dict[str, Any]:
    summary = summarize(one.score for one in ran)
    spent = [one.report.planning_s for one in ran]
    return {
        "category": name,
        **summary,
        "planning_s": float(np.mean(spent)) if spent else None,
        "slowest_s": max(spent, default=None),
    }


def cells(row: Mapping[str, Any]) -> list[str]:
    """Return a row as people read it."""
    numbers = [row[key] for key in ("tcr", "gcr", "er", "planning_s", "slowest_s", "makespan_s")]
    shown = [
        "–" if n is None else f"{n:.1f}" if i < 3 else f"{n:.2f}" for i, n in enumerate(numbers)
    ]
    return [str(row["category"]), str(row["tasks"]), *shown]
