"""``commonground eval association`` and ``relocalization``: places that are found again."""

from __future__ import annotations

from typing import Annotated

import typer

from commonground.cli.job import Job
from commonground.cli.options import SizeOption
from commonground.cli.tabled import table_command
from commonground.reading import LONGEST_DRIVE_M
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


@table_command(app, "relocalization", keys=("drive",))
def relocalization(
    job: Job,
    worlds: Annotated[int, typer.Option("--worlds", min=1, max=1000, help="Made-up campuses.")] = 4,
    rendered: Annotated[
        bool, typer.Option("--rendered", help="Simulate images and map them: minutes a world.")
    ] = False,
    length: Annotated[
        float,
        typer.Option(
            "--length", min=70, max=LONGEST_DRIVE_M, help="Meters to drive, where rendered."
        ),
    ] = 200.0,
    size: SizeOption = "320x240",
) -> None:
    """How far a lost robot drives until it knows where it is in the map, and whether it is right."""
    from commonground.localization.evaluation.relocalization import CAPTION, PAIRED

    settings: dict[str, object] = {"seed": job.seed, "worlds": worlds}
    if rendered:
        from commonground.datasets import Wishes
        from commonground.story.meetings import rendered_rows

        settings |= {"length_m": length, "size": size}
        wishes = Wishes(length_m=length, size=size, seed=job.seed)
        table = rendered_rows(worlds, wishes, job.config, job)
    else:
        from commonground.localization.evaluation.relocalization import rows

        found = rows(job.seed, worlds, job.config.localization)
        table = list(job.track(found, "relocalization"))
    columns = list(table[0])
    job.result({"rows": table, "columns": columns, "settings": settings})
    cells = [[short(row[column]) for column in columns] for row in table]
    job.table("relocalization", columns, cells)
    job.caption = (*PAIRED, *CAPTION) if rendered else CAPTION
    job.lines(job.caption)
