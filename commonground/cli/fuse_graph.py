"""``commonground fuse GRAPH.g2o``: a pose graph optimized although many of its closures may be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from commonground.cli.job import Job
from commonground.errors import HonestNo, MappingError


def fuse_graph(job: Job, files: Sequence[Path], out: Path) -> None:
    """Optimize one pose graph and say which closures were used; exit code 3 without a consensus."""
    from rich.markup import escape

    from commonground.mapping.fusion.graphs import save_solved, solve_file
    from commonground.runs import Run

    if len(files) > 1:
        raise MappingError(
            f"{files[0]}: a pose graph is optimized by itself; closures of maps are given with --closures"
        )
    with Run.open(out, "fuse", seed=job.seed, config_yaml=job.config_yaml) as run:
        with job.phase(f"optimizing {files[0]}"):
            solved = solve_file(files[0], job.rng())
        save_solved(solved, run.fused)
        metrics = solved.metrics()
        run.phase("fuse", lambda: metrics)
    job.result(metrics)
    job.table(
        "",
        ["poses", "robots", "closures", "used", "rejected", "frames"],
        [[
            metrics["poses"], len(metrics["robots"]), metrics["closures"],
            metrics["used_within"] + metrics["used_between"], metrics["rejected"], metrics["components"],
        ]],
    )  # fmt: skip
    for line in metrics["notes"]:
        job.say(escape(line))
    job.say(f"written to {run.fused}")
    if metrics["closures"] and not metrics["consensus"]:
        raise typer.Exit(HonestNo.exit_code)
