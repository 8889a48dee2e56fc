"""``commonground run``: from frames to driven plans, as a file tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.options import OpenOption, RunOption

app = typer.Typer()


@command(app, "run")
def run(
    job: Job,
    file: Annotated[Path, typer.Argument(help="Story: which data, which robots, what to ask.")],
    out: RunOption,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew.")] = False,
    open_: OpenOption = False,
) -> None:
    """Map, fuse, relocalize, instruct, plan, drive and report; every phase is done once."""
    from commonground.cli.story import show
    from commonground.story import read_story

    show(job, read_story(file), out, fresh=fresh, open_report=open_)
