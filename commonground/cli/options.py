"""Options that several commands have, each with one name, one range and one help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.reading import LONGEST_S

RunOption = Annotated[Path, typer.Option("--out", help="Run directory; a stopped run goes on.")]
RobotsOption = Annotated[
    Path | None, typer.Option("--robots", help="robots.yaml: poses and capabilities.")
]
BeforeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--before",
        help="Part of one goal before part of another: 'ROBOT=(safe O1) ROBOT=(safe O2)'; repeatable.",
    ),
]
RobotOption = Annotated[
    str | None, typer.Option("--robot", help="Which robot; needed if there are several.")
]
StartOption = Annotated[
    float, typer.Option("--start", min=0, max=LONGEST_S, help="Seconds to skip.")
]
StopOption = Annotated[
    float | None, typer.Option("--stop", min=0, max=LONGEST_S, help="Seconds to drive up to.")
]
TasksOption = Annotated[
    Path | None,
    typer.Option("--tasks", help="Tasks, one a line: also write the map as they need it."),
]
OpenOption = Annotated[bool, typer.Option("--open", help="Open the report when done.")]
WorldsArgument = Annotated[Path, typer.Argument(help="worlds.yaml: objects of the floor plans.")]
HouseTasksArgument = Annotated[Path, typer.Argument(help="Tasks: commands, teams, goals.")]
WriterOption = Annotated[str | None, typer.Option("--backend", help="offline or openai.")]
FailuresOption = Annotated[bool, typer.Option("--failures", help="List what is not right.")]
SizeOption = Annotated[str, typer.Option("--size", help="Image size, where rendered.")]
