"""``commonground eval fusion``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job, command


def add(group: typer.Typer) -> None:
    """Add the table."""

    @command(group, "fusion")
    def fusion(
        job: Job,
        teams: Annotated[int, typer.Option("--teams", min=1, help="Made-up teams.")] = 1,
        robots: Annotated[int, typer.Option("--robots", min=2, help="Robots of each.")] = 3,
        submaps: Annotated[
            int, typer.Option("--submaps", min=3, help="Submaps of each robot, 10 m apart.")
        ] = 24,
        data: Annotated[
            Path | None, typer.Option("--data", help="Dataset with true poses, mapped first.")
        ] = None,
        runs: Annotated[
            Path | None, typer.Option("--run", help="Maps with true poses; with --data, put there.")
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", help="Write the table as .csv or .md too.")
        ] = None,
    ) -> None:
        """Fused maps with no closures, with ever more to match by, and with true closures."""
        from commonground.cli.eval_fusion_data import chosen_teams, shown, write_table
        from commonground.mapping.fusion.evaluation.methods import COLUMNS, METHODS, table

        wanted = chosen_teams(job, (teams, robots, submaps), data, runs)
        found = table(wanted, job.config.localization, job.seed)
        rows = list(job.track(found, "fusion", total=len(wanted) * len(METHODS)))
        settings = {"seed": job.seed, "teams": [t.name for t in wanted]}
        job.result({"rows": rows, "columns": COLUMNS, "settings": settings})
        cells = [[shown(row[column]) for column in COLUMNS] for row in rows]
        job.table("fusion", COLUMNS, cells)
        if out is not None:
            write_table(out, COLUMNS, cells)
