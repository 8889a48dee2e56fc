"""``commonground localize``: where is the robot in the map?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonground.cli.job import Job, command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonground.mapping.locating import Fix
    from commonground.objects import ObjectMap


def add(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "localize")
    def localize(
        job: Job,
        map_: Annotated[
            Path, typer.Argument(metavar="MAP", help="Fused map, run, or objects.npz.")
        ],
        data: Annotated[Path, typer.Argument(help="Dataset or bag; or a run mapped already.")],
        robot: Annotated[
            str | None, typer.Option("--robot", help="Which robot; needed if there are several.")
        ] = None,
        start: Annotated[float, typer.Option("--start", min=0, help="Seconds to skip.")] = 0.0,
        stop: Annotated[
            float | None, typer.Option("--stop", help="Seconds to drive up to.")
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", help="Write each estimate to this .jsonl file.")
        ] = None,
    ) -> None:
        """Tell where a robot with unknown pose is, every few meters of its drive."""
        from commonground.cli.localize_report import Report
        from commonground.mapping.locating import find_objects

        with Report(job, out) as report:
            for fix in _fixes(job, find_objects(map_), data, robot, (start, stop)):
                report.add(fix)
        report.close()


def _fixes(
    job: Job,
    objects_map: ObjectMap,
    data: Path,
    robot: str | None,
    span_s: tuple[float, float | None],
) -> Iterator[Fix]:
    """Yield fixes from frames, or from the map that a robot made of them."""
    from commonground.mapping.locating import Locator, find_objects, locate, locate_mapped

    if _is_mapped(data):
        own = find_objects(data if robot is None else data / "robots" / robot)
        yield from locate_mapped(own, objects_map, job.config.localization)
        return
    from commonground.datasets import open_dataset
    from commonground.mapping.perception import make_perception
    from commonground.mapping.source import RecordedFrames, chosen_robot

    reader = open_dataset(data)
    settings: Any = job.config.mapping
    perception = make_perception(settings.perception, labels=reader.labels())
    source = RecordedFrames(reader, chosen_robot(reader.robots(), robot), span_s, job)
    locator = Locator(perception, objects_map, settings, job.config.localization)
    yield from locate(source(None), locator)


def _is_mapped(data: Path) -> bool:
    return data.suffix == ".npz" or (data / "objects.npz").is_file() or (data / "robots").is_dir()
