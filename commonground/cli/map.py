"""``commonground map``: one robot's scene graph and object map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonground.cli.job import Job, command

if TYPE_CHECKING:
    from collections.abc import Mapping


def add(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "map")
    def map_(
        job: Job,
        data: Annotated[Path, typer.Argument(help="Dataset folder or bag.")],
        out: Annotated[Path, typer.Option("--out", help="Run directory; a stopped run goes on.")],
        robot: Annotated[
            str | None, typer.Option("--robot", help="Which robot; needed if there are several.")
        ] = None,
        start: Annotated[float, typer.Option("--start", min=0, help="Seconds to skip.")] = 0.0,
        stop: Annotated[float | None, typer.Option("--stop", help="Seconds to map up to.")] = None,
        fresh: Annotated[bool, typer.Option("--fresh", help="Map again from the start.")] = False,
    ) -> None:
        """Turn RGB-D images and odometry into a scene graph, an object map and a mesh."""
        from commonground.datasets import open_dataset
        from commonground.mapping.perception import make_perception
        from commonground.mapping.run import map_robot
        from commonground.mapping.source import RecordedFrames, chosen_robot
        from commonground.runs import Run

        reader = open_dataset(data)
        name = chosen_robot(reader.robots(), robot)
        settings = job.config.mapping
        perception = make_perception(settings.perception, labels=reader.labels())
        with Run.open(out, "map", seed=job.seed, config_yaml=job.config_yaml, fresh=fresh) as run:
            source = RecordedFrames(reader, name, (start, stop), job)
            phase = f"map {name} from {data.resolve()}, {start:g} to {stop or 'end'} s"
            metrics = run.phase(
                phase,
                lambda: map_robot(
                    source,
                    perception,
                    run.robot(name),
                    settings,
                    robot=name,
                    fingerprint=f"{phase} {run.manifest['config_hash']}",
                ),
            )
            report(job, name, run.robot(name), metrics)


def report(job: Job, robot: str, folder: Path, metrics: Mapping[str, Any]) -> None:
    """Print what was made."""
    job.result({"status": "done", "robot": robot, "folder": folder, **metrics})
    job.table(
        f"{robot}: {metrics['frames']} frames, {metrics['travel_m']:.0f} m",
        ["layer", "nodes"],
        metrics["nodes"].items(),
    )
    job.say(f"masks by {metrics['perception']}")
    for warning in metrics["warnings"]:
        job.console.print(f"note: {warning}", markup=False)
    job.say(f"written to {folder}")
