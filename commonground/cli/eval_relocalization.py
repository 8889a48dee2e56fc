"""``commonground eval relocalization``."""

from __future__ import annotations

from typing import Annotated

import typer

from commonground.cli.job import Job, command


def add(group: typer.Typer) -> None:
    """Add the table."""

    @command(group, "relocalization")
    def relocalization(
        job: Job,
        worlds: Annotated[int, typer.Option("--worlds", min=1, help="Made-up campuses.")] = 4,
    ) -> None:
        """How far a lost robot drives until it knows where it is in the map, and whether it is right."""
        from commonground.localization.evaluation.relocalization import COLUMNS, rows

        found = rows(job.seed, worlds, job.config.localization)
        table = list(job.track(found, "relocalization"))
        settings = {"seed": job.seed, "worlds": worlds}
        job.result({"rows": table, "columns": COLUMNS, "settings": settings})
        cells = [[_shown(row[column]) for column in COLUMNS] for row in table]
        job.table("relocalization", COLUMNS, cells)


def _shown(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else value
