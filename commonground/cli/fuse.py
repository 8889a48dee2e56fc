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
        runs: Annotated[
            list[Path],
            typer.Argument(help="Run directories or robot folders; or one pose graph, as .g2o."),
        ],
        out: Annotated[Path, typer.Option("--out", help="Run directory for the fused map.")],
        closures: Annotated[
            Path | None, typer.Option("--closures", help="Closures found elsewhere: CSV or g2o.")
        ] = None,
        cluster: Annotated[
            str | None, typer.Option("--cluster", help="Address of a dask scheduler to match on.")
        ] = None,
        jobs: Annotated[
            int,
            typer.Option(
                "--jobs", min=0, help="Processes to match with; 0: as many as are worth it."
            ),
        ] = 0,
        onto: Annotated[
            Path | None, typer.Option("--onto", help="Fused run that these runs are added to.")
        ] = None,
    ) -> None:
        """Find loop closures between robots, optimize all their paths, and merge what they saw."""
        if any(path.suffix == ".g2o" for path in runs):
            from commonground.cli.fuse_graph import fuse_graph

            return fuse_graph(job, runs, out)

        from rich.markup import escape

        from commonground.mapping.fusion.align import align
        from commonground.mapping.fusion.external import read_closures
        from commonground.mapping.fusion.fuse import fuse as fuse_runs
        from commonground.mapping.fusion.fuse import provenance, save_fused
        from commonground.mapping.fusion.inputs import find_runs, load_runs
        from commonground.mapping.fusion.remembered import Remembered, recall, remember
        from commonground.mapping.fusion.undone import sources_before, undone_merges
        from commonground.mapping.fusion.workers import processes_for, workers
        from commonground.runs import Run

        before = Remembered() if onto is None else recall(onto / "fused")
        merged = {} if onto is None else sources_before(onto / "fused")
        folders = find_runs([*before.folders, *runs])
        with Run.open(out, "fuse", seed=job.seed, config_yaml=job.config_yaml) as run:
            with job.phase("reading"):
                maps, skipped = load_runs(folders)
            with job.phase(f"fusing {', '.join(m.name for m in maps)}"):
                left_out = {f.name for f in folders} - {m.folder.name for m in maps}
                given, told = (
                    ([], []) if closures is None else read_closures(closures, maps, left_out)
                )
                skipped += told
                settings, rng = job.config.localization, job.rng()
                jobs = jobs or processes_for([len(m.objects.submaps) for m in maps])
                with workers(cluster, jobs) as pool:
                    aligned = align(maps, settings, rng, given, before.known, pool)
                fused = fuse_runs(maps, settings, rng, aligned)
                undone = undone_merges(merged, provenance(fused)["objects"])
                save_fused(fused, run.fused, undone)
                remember(run.fused, maps, aligned.blind)
            apart = [u.as_json() for u in undone]
            metrics = {**fused.metrics(), "skipped": skipped, "undone": apart}
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
        for line in (*skipped, *fused.notes, *map(str, undone)):
            job.say(escape(line))
        job.say(f"written to {run.fused}")
