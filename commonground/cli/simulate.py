"""``commonground simulate``: a dataset with ground truth, made rather than recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.reading import LONGEST_DRIVE_M, MOST_JOBS

app = typer.Typer()


@command(app, "simulate")
def simulate(
    job: Job,
    out: Annotated[Path, typer.Option("--out", help="Folder to write; a stopped run goes on.")],
    world: Annotated[
        str | None,
        typer.Option("--world", help="campus (outdoors), office or hybrid (in and out)."),
    ] = None,
    robots: Annotated[
        str,
        typer.Option(
            "--robots", help="Names: spot… has three cameras, husky… and any other has one."
        ),
    ] = "husky,spot",
    format_: Annotated[
        str, typer.Option("--format", help="folder, or ros1bag in the Kimera-Multi layout.")
    ] = "folder",
    length: Annotated[
        float | None,
        typer.Option("--length", min=1, max=LONGEST_DRIVE_M, help="Meters each robot drives."),
    ] = None,
    size: Annotated[str | None, typer.Option("--size", help="Image size, as 640x480.")] = None,
    session: Annotated[
        int | None,
        typer.Option("--session", min=0, max=1_000_000, help="Later visits find things changed."),
    ] = None,
    changes: Annotated[
        float | None,
        typer.Option("--changes", min=0, max=1, help="Share of movable things that change."),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", min=0, max=MOST_JOBS, help="Processes to render with; 0: one a core."
        ),
    ] = 0,
) -> None:
    """Drive robots through a simulated world and write what they see, with the truth beside it."""
    from commonground.datasets import Wishes, simulate_dataset

    wishes = Wishes(world, length, size, session, changes, seed=job.seed)
    written = simulate_dataset(
        out,
        robots,
        wishes,
        settings=job.config.simulation,
        format=format_,
        processes=jobs,
        reporter=job,
    )
    job.result(written.as_json())
    job.say(f"wrote {written.frames} frames of {', '.join(written.robots)} to {out}")
    job.say(f"next: commonground data info {out}")
