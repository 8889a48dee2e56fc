"""``commonground demo``: the whole story on a made-up campus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.options import OpenOption

app = typer.Typer()


@command(app, "demo")
def demo(
    job: Job,
    out: Annotated[Path, typer.Option("--out", help="Run directory to write.")] = Path("demo"),
    fast: Annotated[bool, typer.Option("--fast", help="Shorter drives.")] = False,
    perception: Annotated[
        str, typer.Option("--perception", help="ground-truth, classical or fastsam+clip.")
    ] = "ground-truth",
    looks: Annotated[
        bool, typer.Option("--looks/--no-looks", help="Find a thing that no class list has, too.")
    ] = True,
    open_: OpenOption = False,
) -> None:
    """Let two robots map a campus, share the map, find themselves in it, and do what they are told."""
    from commonground.cli.story import show
    from commonground.story import campus_story

    story = campus_story(seed=job.seed, fast=fast, perception=perception, looks=looks)
    show(job, story, out, open_report=open_)
