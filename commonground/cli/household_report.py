"""What ``commonground household`` and ``eval household`` read and print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonground.cli.job import Job
from commonground.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from commonground.cli.household_run import Ran
    from commonground.grounding.repair.settings import RepairSettings

ABLATION_BUDGET_S = 5.0
"""Seconds a task may be planned where variants are compared: what lacks something may never succeed."""
BACKENDS = ("offline", "openai")


def settings_of(job: Job, backend: str | None) -> RepairSettings:
    """Return the household settings with the backend of the command line, if it names one."""
    settings = job.config.household
    if backend is None:
        return settings
    if backend not in BACKENDS:
        hint = did_you_mean(backend, BACKENDS) or f" Known: {', '.join(BACKENDS)}."
        raise ConfigError(f"--backend {backend}: there is no such writer.{hint}")
    return settings.model_copy(update={"backend": backend})


def run(
    job: Job,
    worlds: Path,
    tasks: Path,
    settings: RepairSettings,
    *,
    partial: bool = False,
    without: Sequence[str] = (),
    failure_rate: float = 0.0,
) -> list[Ran]:
    """Carry out the tasks of a file."""
    from commonground.cli.household_run import HouseholdTeam
    from commonground.datasets.household import load_tasks, load_worlds

    floors = load_worlds(worlds)
    found = load_tasks(tasks, floors)
    with HouseholdTeam(settings, without) as team:
        ran = team.carry_out_all(
            floors, found, partial=partial, failure_rate=failure_rate, rng=job.rng()
        )
        return list(job.track(ran, "household", total=len(found)))


def carry_out(
    job: Job,
    worlds: Path,
    tasks: Path,
    out: Path,
    settings: RepairSettings,
    partial: bool,
    without: Sequence[str],
    failure_rate: float,
) -> None:
    """Carry out a suite, write its plans and print what came of them."""
    from commonground.cli.household_run import COLUMNS, cells, table, write_plans

    ran = run(
        job, worlds, tasks, settings, partial=partial, without=without, failure_rate=failure_rate
    )
    write_plans(out, ran)
    rows = table(ran)
    asked = [one for one in ran if one.report.status != "done"]
    job.result({"written": out, "rows": rows, "not_done": [one.as_json() for one in asked]})
    job.table("", COLUMNS, map(cells, rows))
    for one in asked:
        job.say(f"{one.task.name}  {one.report.status}: {one.report.message}")
    job.say(f"wrote {out}: {len(ran)} plans")


def compare(job: Job, worlds: Path, tasks: Path, settings: RepairSettings) -> None:
    """Print the table by category, the ablations, and what hidden objects cost."""
    from commonground.cli.household_run import COLUMNS, LEFT_OUT, cells, table

    settings = settings.model_copy(update={"budget_s": min(settings.budget_s, ABLATION_BUDGET_S)})
    full = table(run(job, worlds, tasks, settings))
    ablations: list[dict[str, Any]] = [{**full[-1], "category": "everything"}]
    for name in LEFT_OUT:
        left = table(run(job, worlds, tasks, settings, without=[name]))[-1]
        ablations.append({**left, "category": f"without {name}"})
    hidden = [
        {**table(run(job, worlds, tasks, settings, **how))[-1], "category": title}
        for title, how in _HIDDEN.items()
    ]
    settings_used = settings.model_dump(mode="json")
    job.result(
        {
            "rows": [*full, *ablations, *hidden],
            "columns": list(COLUMNS),
            "settings": settings_used,
        }
    )
    for title, rows in (("household", full), ("ablations", ablations), ("hidden objects", hidden)):
        job.table(title, COLUMNS, map(cells, rows))


_HIDDEN: dict[str, dict[str, Any]] = {
    "hidden, with repair": {"partial": True},
    "hidden, without repair": {"partial": True, "without": ["repair"]},
}
