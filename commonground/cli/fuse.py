"""``commonground fuse``: the maps of several robots → one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job, command


def add(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "fuse")
    def fuse(
        job: Job,
        runs: Annotated[list[Path], typer.Argument(help="Run directories or robot folders.")],
        out: Annotated[Path, typer.Option("--out", help="Run directory for the fused map.")],
    ) -> None:
        """Find loop closures between robots, optimize all their paths, and merge what they saw."""
        from rich.markup import escape

        from commonground.mapping.fusion.fuse import fuse as fuse_runs
        from commonground.mapping.fusion.fuse import save_fused
        from commonground.mapping.fusion.inputs import find_runs, load_runs
        from commonground.runs import Run

        folders = find_runs(runs)
        with Run.open(out, "fuse", seed=job.seed, config_yaml=job.config_yaml) as run:
            with job.phase("reading"):
                maps, skipped = load_runs(folders)
            with job.phase(f"fusing {', '.join(m.name for m in maps)}"):
                fused = fuse_runs(maps, job.config.localization, job.rng())
                save_fused(fused, run.fused)
            metrics = {**fused.metrics(), "skipped": skipped}
            run.phase("fuse", lambda: metrics)
        job.result(metrics)
        job.table(
            "",
            ["robots", "closures", "used", "rejected", "objects before", "objects", "places"],
            [[
                len(fused.joined), metrics["closures"], metrics["used_between"] + metrics["used_within"],
                metrics["rejected"], metrics["objects_before"], metrics["objects"], metrics["surface_places"],
            ]],
        )  # fmt: skip
        for line in (*skipped, *fused.notes):
            job.say(escape(line))
        job.say(f"written to {run.fused}")
