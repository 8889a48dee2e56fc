"""What ``commonground household`` and ``eval household`` read and print."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonground.cli.job import Job
from commonground.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from commonground.datasets.household.tasks import HouseholdTask
    from commonground.datasets.household.worlds import Floor
    from commonground.grounding.repair.settings import RepairSettings
    from commonground.household.team import Ran

_COMPARED = {"budget_s": 2.5, "improve_s": 0.3}
"""At most so many seconds a task where variants are compared: what lacks something may never succeed."""
BACKENDS = ("offline", "openai")
EYES = ("simulator", "openai")


@dataclass(frozen=True, slots=True)
class How:
    """Under which circumstances tasks are carried out."""

    partial: bool = False
    without: tuple[str, ...] = ()
    failure_rate: float = 0.0
    states: bool = True
    """Whether it is known at first what is open and on."""
    keep: Path | None = None
    """Folder for what was believed."""


def settings_of(
    job: Job, backend: str | None, eyes: str | None = None, images: Path | None = None
) -> RepairSettings:
    """Return the household settings with what the command line says about writer and eyes."""
    settings = job.config.household
    changes: dict[str, Any] = {}
    for option, value, known in (("backend", backend, BACKENDS), ("eyes", eyes, EYES)):
        if value is None:
            continue
        if value not in known:
            hint = did_you_mean(value, known) or f" Known: {', '.join(known)}."
            what = "writer" if option == "backend" else "way to see"
            raise ConfigError(f"--{option} {value}: there is no such {what}.{hint}")
        changes[option] = value
    if images is not None:
        changes["images"] = images
    return settings.model_copy(update=changes)


Suite = tuple["dict[str, Floor]", "list[HouseholdTask]"]
"""Floor plans, and tasks on them."""


def load(worlds: Path, tasks: Path) -> Suite:
    """Return the floor plans and tasks of files."""
    from commonground.datasets.household import load_tasks, load_worlds

    floors = load_worlds(worlds)
    return floors, load_tasks(tasks, floors)


def run(job: Job, suite: Suite, settings: RepairSettings, how: How | None = None) -> list[Ran]:
    """Carry out the tasks of a suite."""
    from commonground.household.team import HouseholdTeam

    how = how or How()
    floors, found = suite
    with HouseholdTeam(settings, how.without, how.keep) as team:
        ran = team.carry_out_all(
            floors,
            found,
            partial=how.partial,
            failure_rate=how.failure_rate,
            rng=job.rng(),
            states=how.states,
        )
        return list(job.track(ran, "household", total=len(found)))


def carry_out(
    job: Job, worlds: Path, tasks: Path, out: Path, settings: RepairSettings, how: How
) -> None:
    """Carry out a suite, write its plans and print what came of them."""
    from commonground.household.team import COLUMNS, cells, table, write_plans

    ran = run(job, load(worlds, tasks), settings, how)
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
    from commonground.household.team import COLUMNS, LEFT_OUT, cells, table

    suite = load(worlds, tasks)
    full = table(run(job, suite, settings))
    least = {name: min(getattr(settings, name), most) for name, most in _COMPARED.items()}
    settings = settings.model_copy(update=least)
    everything = table(run(job, suite, settings))[-1]
    ablations: list[dict[str, Any]] = [{**everything, "category": "everything"}]
    for name in LEFT_OUT:
        left = table(run(job, suite, settings, How(without=(name,))))[-1]
        ablations.append({**left, "category": f"without {name}"})
    hidden = [
        {**table(run(job, suite, settings, how))[-1], "category": title}
        for title, how in _HIDDEN.items()
    ]
    settings_used = {**settings.model_dump(mode="json"), "compared_with": least}
    job.result(
        {
            "rows": [*full, *ablations, *hidden],
            "columns": list(COLUMNS),
            "settings": settings_used,
        }
    )
    for title, rows in (
        ("household", full),
        ("ablations (planned for a shorter time)", ablations),
        ("what is not known at first", hidden),
    ):
        job.table(title, COLUMNS, map(cells, rows))


_HIDDEN = {
    "hidden, with repair": How(partial=True),
    "hidden, without repair": How(partial=True, without=("repair",)),
    "open and on unknown, with repair": How(states=False),
    "open and on unknown, without repair": How(states=False, without=("repair",)),
}
