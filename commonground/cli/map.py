"""``commonground map``: one robot's scene graph and object map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.options import RobotOption, RunOption, StartOption, StopOption, TasksOption
from commonground.errors import ConfigError

if TYPE_CHECKING:
    from commonground.datasets import Reader
    from commonground.mapping.recorded import Mapped


app = typer.Typer()


@command(app, "map")
def map_(
    job: Job,
    data: Annotated[Path, typer.Argument(help="Dataset folder or bag.")],
    out: RunOption,
    robot: RobotOption = None,
    start: StartOption = 0.0,
    stop: StopOption = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Map again from the start.")] = False,
    tasks: TasksOption = None,
) -> None:
    """Turn RGB-D images and odometry into a scene graph, an object map and a mesh."""
    from commonground.datasets import open_dataset
    from commonground.mapping import map_recording
    from commonground.story.finding import write_for_tasks

    if out.resolve() == data.resolve():
        raise ConfigError(f"--out {out}: is the recording; a map goes to a folder of its own")
    recording = open_dataset(data)
    at_first = _notes(recording, robot)
    job.lines(f"note: {data.name}: {note}" for note in at_first)
    mapped = map_recording(
        recording,
        out,
        robot=robot,
        span_s=(start, stop),
        settings=job.config.mapping,
        config=job.config,
        seed=job.seed,
        fresh=fresh,
        reporter=job,
    )
    notes = _notes(recording, robot)
    job.lines(f"note: {data.name}: {note}" for note in notes if note not in at_first)
    _print(job, mapped, [f"{data.name}: {note}" for note in notes])
    clip = job.config.mapping.perception.fastsam
    job.lines(filter(None, [write_for_tasks(mapped.folder, tasks, clip)]))


def _notes(recording: Reader, robot: str | None) -> list[str]:
    """Return what a reader has to say by now, without what it says of other robots."""
    others = tuple(f"{name}{mark}" for name in recording.robots() if name != robot for mark in ":/")
    return [n for n in recording.notes if robot is None or not n.startswith(others)]


def _print(job: Job, mapped: Mapped, notes: Sequence[str]) -> None:
    from commonground.scores import score_of_files
    from commonground.story.map_report import write_map_report

    metrics = mapped.metrics
    true = mapped.folder / "ground_truth.tum"
    begin_ns = metrics.get("segments_begin_ns", ())
    off = score_of_files([(mapped.folder / "trajectory.tum", true)], begin_ns)
    ate = {} if off is None else {"ate_m": round(off.ate_m, 4)}
    job.result(mapped.as_json() | {"notes": notes} | ate)
    if mapped.kept:
        job.say(
            "mapped before, of the same data and settings: nothing was done; --fresh maps again"
        )
    took_s = sum(stage["mean_ms"] * stage["calls"] for stage in metrics["seconds"].values()) / 1e3
    rate = metrics["frames"] / max(took_s, 1e-3)
    heading = f"{mapped.robot}: {metrics['frames']} frames, {metrics['travel_m']:.0f} m"
    job.table(heading, ["layer", "nodes"], metrics["nodes"].items())
    job.say(f"{rate:.1f} frames a second, {metrics['peak_memory_mb']:.0f} MB")
    job.say(f"masks by {metrics['perception']}{_stages(metrics['perception_seconds'])}")
    job.lines([] if off is None else [str(off)])
    job.lines(f"note: {warning}" for warning in metrics["warnings"])
    page = write_map_report(
        mapped.folder,
        heading,
        [
            *((_named(layer), n) for layer, n in metrics["nodes"].items()),
            ("masks by", metrics["perception"]),
        ],
        [*metrics["warnings"], *notes],
    )
    job.say(f"written to {mapped.folder}; {page.name} there shows it")


def _named(layer: str) -> str:
    """Return what people call the nodes of a layer."""
    if layer.startswith("agents"):
        return "poses of the robot"
    return {"places": "places in free space", "surface_places": "pieces of ground"}.get(
        layer, layer
    )


def _stages(seconds: Mapping[str, Any]) -> str:
    """Return what the stages of learned perception took on average."""
    if not seconds:
        return ""
    looked = max(stage["calls"] for stage in seconds.values())
    took = ", ".join(f"{name} {stage['mean_ms']:.0f} ms" for name, stage in seconds.items())
    return f", {looked} frames looked at: {took}"
