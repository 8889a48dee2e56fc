"""``commonground data``: what is in a dataset, scene graph or object map."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.errors import DataError

app = typer.Typer(name="data", help="Look at data before using it.", no_args_is_help=True)


@command(app, "info")
def info(
    job: Job,
    path: Annotated[
        Path, typer.Argument(help="Dataset, bag, scene graph, object map or run directory.")
    ],
) -> None:
    """Say what is there and what is missing, before anyone waits for a mapping run.

    The exit code is 1 where nothing of it can be mapped.
    """
    from commonground.datasets import describe_data

    with job.phase(f"looking at {path}"):
        found = describe_data(path)
    job.result(found)
    _dataset(job, found) if found["kind"] == "dataset" else _map(job, found)
    for line in found["notes"]:
        job.console.print(f"note: {line}", markup=False)
    if not found.get("usable", True):
        raise typer.Exit(DataError.exit_code)


def _dataset(job: Job, found: dict[str, Any]) -> None:
    job.table(
        f"{found['path']}: {found['format']}",
        ["robot", "cameras", "frames", "Hz", "seconds", "meters", "depth seen"],
        (
            [
                robot,
                ", ".join(f"{n} {c['width']}×{c['height']}" for n, c in about["cameras"].items()),
                about["frames"],
                about["rate_hz"] or "–",
                about["duration_s"],
                "–" if about["distance_m"] is None else about["distance_m"],
                f"{about['depth_m']['share']:.0%}" if about["depth_m"] else "–",
            ]
            for robot, about in found["robots"].items()
        ),
    )
    for line in found["missing"]:
        job.console.print(f"missing: {line}", markup=False)


def _map(job: Job, found: dict[str, Any]) -> None:
    job.table(
        f"{found['path']}: {found['kind']}",
        ["layer", "nodes", "edges", "classes"],
        (
            [name, layer["nodes"], layer.get("edges", "–"), _classes(layer)]
            for name, layer in found["layers"].items()
        ),
    )


def _classes(layer: dict[str, Any]) -> str:
    """Return the classes of a layer, and how many more there are."""
    more = f" and {layer['more_classes']} more" if layer.get("more_classes") else ""
    return ", ".join(layer["classes"]) + more
