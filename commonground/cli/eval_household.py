"""``commonground eval household``."""

from __future__ import annotations

import typer

from commonground.cli.job import Job
from commonground.cli.options import HouseTasksArgument, WorldsArgument, WriterOption
from commonground.cli.tabled import table_command

app = typer.Typer()


@table_command(app, "household", keys=("category",))
def household(
    job: Job, worlds: WorldsArgument, tasks: HouseTasksArgument, backend: WriterOption = None
) -> None:
    """Tasks and conditions reached, actions executed and time, by category; ablations; hidden objects."""
    from commonground.cli.household import settings_of
    from commonground.household import COLUMNS, cells, compare_household

    settings = settings_of(job, backend)
    compared = compare_household(worlds, tasks, settings=settings, seed=job.seed, reporter=job)
    job.result(compared.as_json())
    for title, rows in (
        ("household", compared.full),
        ("ablations (planned for a shorter time)", compared.ablations),
        ("what is not known at first", compared.hidden),
    ):
        job.table(title, COLUMNS, map(cells, rows))
