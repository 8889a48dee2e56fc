"""``commonground household``: commands of a suite planned and carried out by a team in simulation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.choices import require
from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.options import HouseTasksArgument, WorldsArgument, WriterOption
from commonground.errors import ConfigError

if TYPE_CHECKING:
    from commonground.grounding.repair.settings import RepairSettings
    from commonground.household.team import Ran


app = typer.Typer()


@command(app, "household")
def household(
    job: Job,
    worlds: WorldsArgument,
    tasks: HouseTasksArgument,
    out: Annotated[Path, typer.Option("--out", help="Plans, one JSON object a line.")],
    partial: Annotated[
        bool, typer.Option("--partial", help="Hide what tasks hide; only those tasks.")
    ] = False,
    backend: WriterOption = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", help="relation, property, reach or repair; repeatable."),
    ] = None,
    failure_rate: Annotated[
        float, typer.Option("--failure-rate", min=0, max=0.9, help="Actions that fail by chance.")
    ] = 0.0,
    unknown_states: Annotated[
        bool, typer.Option("--unknown-states", help="Nobody knows yet what is open or on.")
    ] = False,
    eyes: Annotated[
        str | None, typer.Option("--eyes", help="simulator, or openai: a model sees pictures.")
    ] = None,
    images: Annotated[
        Path | None, typer.Option("--images", help="Folder with <place>.png for --eyes openai.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Folder for what was believed, a file a task.")
    ] = None,
) -> None:
    """Plan household commands for a heterogeneous team, carry them out, and repair what fails."""
    from commonground.household import Circumstances, run_household, write_plans

    circumstances = Circumstances(
        partial, tuple(without or ()), failure_rate, not unknown_states, keep
    )
    settings = settings_of(job, backend, eyes, images)
    ran = run_household(
        worlds, tasks, circumstances=circumstances, settings=settings, seed=job.seed, reporter=job
    )
    if not ran:
        lacks = " with partial_observability" if partial else ""
        raise ConfigError(f"{tasks}: there is no task{lacks} in it, so nothing was written")
    write_plans(out, ran)
    _print(job, ran, out)


def settings_of(
    job: Job, backend: str | None, eyes: str | None = None, images: Path | None = None
) -> RepairSettings:
    """Return the household settings with what the command line says about writer and eyes."""
    own = job.config.household.model
    given = {name: getattr(own, name) for name in own.model_fields_set}
    changes: dict[str, object] = {"model": job.config.grounding.model.model_copy(update=given)}
    if backend is not None:
        changes["backend"] = require("--backend", backend, ("offline", "openai"), "writer")
    if eyes is not None:
        changes["eyes"] = require("--eyes", eyes, ("simulator", "openai"), "way to see")
    if images is not None:
        changes["images"] = images
    return job.config.household.model_copy(update=changes)


def _print(job: Job, ran: Sequence[Ran], out: Path) -> None:
    from commonground.household.table import COLUMNS, cells, rows_of

    rows = rows_of(ran)
    asked = [one for one in ran if one.report.status != "done"]
    job.result({"written": out, "rows": rows, "not_done": [one.as_json() for one in asked]})
    job.table("", COLUMNS, map(cells, rows))
    for one in asked:
        job.say(f"{one.task.name}  {one.report.status}: {one.report.message}")
    stood_in = [note for one in ran for note in one.stood_in]
    if stood_in:
        job.say(f"the offline writer stood in {len(stood_in)} times for the model: {stood_in[0]}")
    job.say(f"wrote {out}: {len(ran)} plans")
