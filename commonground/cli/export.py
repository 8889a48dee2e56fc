"""``commonground export``: a scene graph for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.outputs import check_outputs

app = typer.Typer()


@command(app, "export")
def export(
    job: Job,
    thing: Annotated[
        Path, typer.Argument(help="Scene graph file, or a run directory that has one.")
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="graphml, geojson, ply, glb, png, or of Spark-DSG json, bson or sparkdsg (binary).",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write; beside the input by default.")
    ] = None,
) -> None:
    """Write a scene graph, and the mesh beside it, for GIS, 3D, graph and Spark-DSG programs."""
    from commonground.mapping import load_meshed
    from commonground.scene import load_scene
    from commonground.scene.export import MESHED, SPARK_DSG, export_scene
    from commonground.scene.files import left_behind
    from commonground.scene.locate import scene_file

    source = scene_file(thing)
    target = out if out is not None else source.with_suffix(f".{to.lower()}")
    check_outputs({"scene": source, "out": target})
    load = load_meshed if to.lower() in MESHED else load_scene
    export_scene(load(source), target, to)
    lost = left_behind(source, target) if to.lower() in SPARK_DSG else ""
    job.result({"written": target, "bytes": target.stat().st_size, "left_behind": lost})
    job.say(f"wrote {target}")
    job.lines([f"note: what {source.name} says in {lost} is not in it"] if lost else [])
