"""``commonground fuse``: the maps of several robots → one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.options import TasksOption
from commonground.errors import ConfigError, HonestNo
from commonground.reading import MOST_JOBS

if TYPE_CHECKING:
    from commonground.mapping import Matching
    from commonground.mapping.fusion.graphs import SolvedGraph
    from commonground.mapping.fusion.run import Fusion


NAMED = (("robots", "joined"), ("left out", "left_out"))
"""Lists of names on the page, and in the metrics."""


app = typer.Typer()


@command(app, "fuse")
def fuse(
    job: Job,
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="Run directories, robot folders, scene graphs; or one pose graph, as .g2o."
        ),
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
            "--jobs",
            min=0,
            max=MOST_JOBS,
            help="Processes to match with; 0: as many as are worth it.",
        ),
    ] = 0,
    onto: Annotated[
        Path | None, typer.Option("--onto", help="Fused run that these runs are added to.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit code 3 where a robot was left out.")
    ] = False,
    tasks: TasksOption = None,
) -> None:
    """Find loop closures between robots, optimize all their paths, and merge what they saw."""
    from commonground.mapping import Matching

    if any(path.suffix == ".g2o" for path in runs):
        of_maps = {"closures": closures, "onto": onto, "cluster": cluster, "tasks": tasks}
        for name, value in of_maps.items():
            if value is not None:
                raise ConfigError(f"--{name}: goes with maps; a pose graph is optimized by itself")
        return _solve(job, runs, out, strict)
    _fuse(job, runs, out, Matching(closures, onto, cluster, jobs), tasks, strict)


def _solve(job: Job, graphs: list[Path], out: Path, strict: bool) -> None:
    """Optimize one pose graph, given as g2o; exit code 3 where ``strict`` forbids frames of their own."""
    from commonground.mapping import solve_graph

    chosen = job.config.localization.outliers
    found = solve_graph(
        graphs, out, config=job.config, seed=job.seed, reporter=job, outliers=chosen
    )
    _print_graph(job, found, out)
    if strict and found.metrics()["components"] > 1:
        raise typer.Exit(HonestNo.exit_code)


def _fuse(
    job: Job, runs: list[Path], out: Path, matching: Matching, tasks: Path | None, strict: bool
) -> None:
    """Fuse runs; exit code 3 where a robot was left out and ``strict`` forbids it."""
    from commonground.mapping import fuse_runs
    from commonground.story.finding import write_for_tasks

    config, places = job.config, job.config.localization
    fusion = fuse_runs(
        runs, out, matching=matching, settings=places, config=config, seed=job.seed, reporter=job
    )
    _print(job, fusion)
    clip = config.mapping.perception.fastsam
    job.lines(filter(None, [write_for_tasks(fusion.folder, tasks, clip)]))
    if strict and fusion.fused.left_out:
        raise typer.Exit(HonestNo.exit_code)


def _print(job: Job, fusion: Fusion) -> None:
    from commonground.names import within
    from commonground.scores import score_of_files

    metrics, fused = fusion.metrics(), fusion.fused
    true = {
        fused.runs[k].name: within(fused.runs[k].folder, "ground_truth.tum") for k in fused.joined
    }
    true = {name: file for name, file in true.items() if file.is_file()}
    paths = [within(fusion.folder, "trajectories", f"{name}.tum") for name in true]
    off = score_of_files([*zip(paths, true.values(), strict=True)])
    job.result(metrics | ({} if off is None else {"ate_m": round(off.ate_m, 4)}))
    used = metrics["used_between"] + metrics["used_within"]
    job.table(
        "",
        ["robots", "left out", "closures", "used", "rejected", "objects before", "objects", "places"],
        [[
            len(metrics["joined"]), ", ".join(metrics["left_out"]) or "–", metrics["closures"], used,
            metrics["rejected"], metrics["objects_before"], metrics["objects"], metrics["surface_places"],
        ]],
    )  # fmt: skip
    job.lines([] if off is None else [f"{', '.join(true)}: {off}"])
    job.lines(fusion.notes)
    _report(job, fusion, metrics)


def _report(job: Job, fusion: Fusion, metrics: dict[str, Any]) -> None:
    """Write the page of a fused map, and say where it is."""
    from commonground.story.map_report import write_map_report

    facts = [
        (name.replace("_", " "), metrics[name]) for name in ("closures", "rejected", "objects")
    ]
    facts[:0] = [(name, ", ".join(metrics[key]) or "–") for name, key in NAMED]
    missing = [str(candidate) for candidate in fusion.fused.refused if not candidate.told]
    page = write_map_report(fusion.folder, "The fused map", facts, (*fusion.notes, *missing))
    job.say(f"written to {fusion.folder}; {page.name} there shows it")


def _print_graph(job: Job, solved: SolvedGraph, out: Path) -> None:
    """Say what became of a pose graph; exit code 3 without a consensus."""
    metrics = solved.metrics()
    job.result(metrics)
    job.table(
        "",
        ["poses", "robots", "closures", "used", "rejected", "frames"],
        [[
            metrics["poses"], len(metrics["robots"]), metrics["closures"],
            metrics["used_within"] + metrics["used_between"], metrics["rejected"], metrics["components"],
        ]],
    )  # fmt: skip
    job.say(
        f"χ² {metrics['chi2_before']:g} → {metrics['chi2']:g} over odometry and the closures used "
        f"({metrics['chi2_g2o']:g} as g2o counts)"
    )
    job.lines(metrics["notes"])
    job.say(f"written to {out / 'fused'}")
    if metrics["closures"] and not metrics["consensus"]:
        raise typer.Exit(HonestNo.exit_code)
