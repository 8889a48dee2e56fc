"""``commonground map``: one robot's scene graph and object map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonground.cli.job import Job, command

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from commonground.datasets import Reader
    from commonground.frame import Frame
    from commonground.mapping.checkpoint import Progress


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
        from commonground.runs import Run

        reader = open_dataset(data)
        name = chosen_robot(reader.robots(), robot)
        settings = job.config.mapping
        perception = make_perception(settings.perception, labels=reader.labels())
        with Run.open(out, "map", seed=job.seed, config_yaml=job.config_yaml, fresh=fresh) as run:
            source = Source(job, reader, name, start, stop)
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


def chosen_robot(robots: tuple[str, ...], wanted: str | None) -> str:
    """Return the robot to map: the one asked for, or the only one."""
    from commonground.errors import DataError, did_you_mean

    if wanted is None and len(robots) == 1:
        return robots[0]
    if wanted not in robots:
        there = ", ".join(robots) or "none"
        if wanted is None:
            raise DataError(f"the data holds several robots; name one with --robot: {there}")
        raise DataError(
            f"the data holds no robot '{wanted}'; it has {there}.{did_you_mean(wanted, robots)}"
        )
    return wanted


class Source:
    """Frames of one robot in time order, with a progress bar; can begin after those taken before."""

    def __init__(
        self, job: Job, reader: Reader, robot: str, start_s: float, stop_s: float | None
    ) -> None:
        self.job, self.reader, self.robot = job, reader, robot
        self.start_s, self.stop_s = start_s, stop_s

    def __call__(self, done: Progress | None) -> Iterator[Frame]:
        """Yield all frames, or those after what was done before."""
        start_s, before = self.start_s, 0
        if done is not None:
            first = self.reader.first_ns(self.robot)
            start_s = max(start_s, (done.stamp_ns - first) / 1e9 - 1e-3)
            before = done.frames
        frames = self.reader.frames(self.robot, start_s=start_s, stop_s=self.stop_s)
        total = max(0, self.reader.length(self.robot) - before)
        seen = 0
        for frame in self.job.track(frames, f"mapping {self.robot}", total=total):
            if done is not None and frame.stamp_ns <= done.stamp_ns:
                seen += frame.stamp_ns == done.stamp_ns
                if frame.stamp_ns < done.stamp_ns or seen <= done.at_stamp:
                    continue
            yield frame


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
