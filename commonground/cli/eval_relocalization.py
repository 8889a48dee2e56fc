"""``commonground eval relocalization``."""

from __future__ import annotations

from typing import Annotated

import typer

from commonground.cli.job import Job
from commonground.cli.options import SizeOption
from commonground.cli.tabled import table_command
from commonground.reading import LONGEST_DRIVE_M
from commonground.tables import short

app = typer.Typer()


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
