"""``commonground eval association``."""

from __future__ import annotations

from typing import Annotated

import typer

from commonground.cli.job import Job
from commonground.cli.tabled import table_command
from commonground.tables import short

app = typer.Typer()


@table_command(app, "association", keys=("problem", "with"))
def association(
    job: Job,
    runs: Annotated[
        int,
        typer.Option(
            "--runs",
            min=1,
            max=10_000,
            help="Problems for each row; of thousands of pairs a tenth.",
        ),
    ] = 50,
) -> None:
    """Which objects are the same: wrong pairs, few shared objects, submaps of a made-up campus."""
    from commonground.localization.evaluation.association import CAPTION, COLUMNS, rows

    table = list(job.track(rows(job.seed, runs), "association"))
    job.result({"rows": table, "columns": COLUMNS, "settings": {"seed": job.seed, "runs": runs}})
    cells = [[short(row.get(column)) for column in COLUMNS] for row in table]
    job.table("associating objects", COLUMNS, cells)
    job.lines(CAPTION)
    job.caption = CAPTION
