"""``commonground localize``: where is the robot in the map?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.options import RobotOption, StartOption, StopOption

app = typer.Typer()


@command(app, "localize")
def localize(
    job: Job,
    map_: Annotated[Path, typer.Argument(metavar="MAP", help="Fused map, run, or objects.npz.")],
    data: Annotated[Path, typer.Argument(help="Dataset or bag; or a run mapped already.")],
    robot: RobotOption = None,
    start: StartOption = 0.0,
    stop: StopOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write each estimate to this .jsonl file.")
    ] = None,
) -> None:
    """Tell where a robot with unknown pose is, every few meters of its drive."""
    from commonground.cli.localize_report import Report
    from commonground.datasets import open_dataset
    from commonground.mapping import (
        find_map,
        find_objects,
        find_sights,
        holds_map,
        locate_mapped,
        locate_recording,
    )
    from commonground.names import within

    if stop is not None and stop <= start:
        raise typer.BadParameter(f"--stop {stop:g} is not after --start {start:g}")
    if out is not None and out.is_dir():
        raise typer.BadParameter(f"--out {out}: is a folder; name a file")
    objects_map, driven, own = find_objects(map_), None, None
    fused, settings = find_map(map_), job.config.localization
    if holds_map(data):
        own = data if robot is None else within(data, "robots", robot)
        sights = find_sights(map_, own) if settings.registration.surfaces else None
        driven = find_objects(own), find_map(own)
        fixes = locate_mapped(driven[0], objects_map, settings, sights)
    else:
        fixes = locate_recording(
            open_dataset(data),
            objects_map,
            robot=robot,
            span_s=(start, stop),
            settings=job.config.mapping,
            localization=settings,
            reporter=job,
        )
    with Report(job, out) as report:
        for fix in fixes:
            report.add(fix)
    report.compare(objects_map, fused, driven)
    report.score(fused, None if own is None else find_map(own).parent)
    report.close()
