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
        rendered: Annotated[
            bool, typer.Option("--rendered", help="Simulate images and map them: many minutes.")
        ] = False,
        world: Annotated[
            str, typer.Option("--world", help="campus (outdoors) or office, where rendered.")
        ] = "campus",
        length: Annotated[
            float, typer.Option("--length", min=40, help="Metres of each robot, where rendered.")
        ] = 500.0,
        size: Annotated[
            str, typer.Option("--size", help="Image size, where rendered.")
        ] = "320x240",
        runs: Annotated[
            Path | None,
            typer.Option("--run", help="Maps with true poses; of --data or --rendered, put there."),
        ] = None,
        out: Annotated[
            Path | None,
            typer.Option("--out", help="Write the table as .md and .csv, and figures as .png."),
        ] = None,
    ) -> None:
        """Fused maps with no closures, with ever more to match by, and with true closures."""
        from commonground.cli.eval_fusion_data import (
            Rendering,
            chosen_teams,
            rendered_team,
            shown,
            write_figures,
            write_table,
        )
        from commonground.mapping.fusion.evaluation.methods import COLUMNS, METHODS, results

        if rendered:
            wanted = [rendered_team(job, Rendering(world, robots, length, size), runs)]
        else:
            wanted = chosen_teams(job, (teams, robots, submaps), data, runs)
        found = results(wanted, job.config.localization, job.seed)
        made = list(job.track(found, "fusion", total=len(wanted) * len(METHODS)))
        rows = [r.row for r in made]
        settings = {"seed": job.seed, "teams": [t.name for t in wanted]}
        job.result({"rows": rows, "columns": COLUMNS, "settings": settings})
        cells = [[shown(row[column]) for column in COLUMNS] for row in rows]
        job.table("fusion", COLUMNS, cells)
        if out is not None:
            for file in {out, out.with_suffix(".md"), out.with_suffix(".csv")}:
                write_table(file, COLUMNS, cells)
            write_figures(out, made)
