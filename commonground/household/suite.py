"""Suites of household commands carried out in simulation, and variants of the team compared on them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from commonground.atomic import write_text
from commonground.datasets.household import load_tasks, load_worlds
from commonground.grounding.repair.settings import RepairSettings
from commonground.household.table import COLUMNS, rows_of
from commonground.household.team import LEFT_OUT, HouseholdTeam, Ran
from commonground.reporter import SILENT, Reporter

COMPARED = {"budget_s": 2.5, "improve_s": 0.3}
"""At most so many seconds a task where variants are compared: what lacks something may never succeed."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Under which circumstances tasks are carried out."""

    partial: bool = False
    """Hide what tasks hide, and carry out only those that hide something."""
    without: tuple[str, ...] = ()
    """Parts that are left out, of ``relation``, ``property``, ``reach``, ``repair``."""
    failure_rate: float = 0.0
    """Share of actions that fail by chance."""
    states: bool = True
    """Whether it is known at first what is open and on."""
    keep: Path | None = None
    """Folder for what was believed, a file a task."""


HIDDEN = {
    "hidden, with repair": Circumstances(partial=True),
    "hidden, without repair": Circumstances(partial=True, without=("repair",)),
    "open and on unknown, with repair": Circumstances(states=False),
    "open and on unknown, without repair": Circumstances(states=False, without=("repair",)),
}
"""What is not known at first, and whether what fails is repaired."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rows of three tables, and the settings they were made with."""

    full: Sequence[Mapping[str, Any]]
    """By category."""
    ablations: Sequence[Mapping[str, Any]]
    """Without a part each, planned for a shorter time."""
    hidden: Sequence[Mapping[str, Any]]
    """Where something is not known at first."""
    settings: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the object of ``--json``."""
        rows = [*self.full, *self.ablations, *self.hidden]
        return {"rows": rows, "columns": list(COLUMNS), "settings": self.settings}


def run_household(
    worlds: str | Path,
    tasks: str | Path,
    *,
    circumstances: Circumstances | None = None,
    settings: RepairSettings | None = None,
    seed: int = 0,
    reporter: Reporter = SILENT,
) -> list[Ran]:
    """Plan the tasks of a suite for their teams, carry them out in simulation, and repair what fails."""
    circumstances = circumstances or Circumstances()
    floors = load_worlds(worlds)
    found = [t for t in load_tasks(tasks, floors) if t.hidden or not circumstances.partial]
    with HouseholdTeam(
        settings or RepairSettings(), circumstances.without, circumstances.keep
    ) as team:
        rng = np.random.default_rng(seed)
        ran = (
            team.carry_out(
                floors[task.floor],
                task,
                partial=circumstances.partial,
                failure_rate=circumstances.failure_rate,
                rng=rng,
                states=circumstances.states,
            )
            for task in found
        )
        return list(reporter.track(ran, "household", total=len(found)))


def write_plans(file: str | Path, ran: Sequence[Ran]) -> None:
    """Write one plan a line."""
    write_text(file, "".join(json.dumps(one.as_json()) + "\n" for one in ran))


def compare_household(
    worlds: str | Path,
    tasks: str | Path,
    *,
    settings: RepairSettings | None = None,
    seed: int = 0,
    reporter: Reporter = SILENT,
) -> Comparison:
    """Return the table by category, the ablations, and what hidden objects cost."""
    settings = settings or RepairSettings()
    least = {name: min(getattr(settings, name), most) for name, most in COMPARED.items()}
    short = settings.model_copy(update=least)

    def rows(used: RepairSettings, circumstances: Circumstances) -> list[dict[str, Any]]:
        return rows_of(
            run_household(
                worlds,
                tasks,
                circumstances=circumstances,
                settings=used,
                seed=seed,
                reporter=reporter,
            )
        )

    def total(circumstances: Circumstances, title: str) -> dict[str, Any]:
        return {**rows(short, circumstances)[-1], "category": title}

    return Comparison(
        full=rows(settings, Circumstances()),
        ablations=[
            total(Circumstances(), "everything"),
            *(total(Circumstances(without=(name,)), f"without {name}") for name in LEFT_OUT),
        ],
        hidden=[total(circumstances, title) for title, circumstances in HIDDEN.items()],
        settings={**short.model_dump(mode="json"), "compared_with": least},
    )
