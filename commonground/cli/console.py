"""``commonground console``: the operator's page in a browser."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.options import RobotsOption
from commonground.errors import ConfigError

if TYPE_CHECKING:
    from commonground.console.memory_box import Opener


app = typer.Typer()


@command(app, "console")
def console(
    job: Job,
    scene: Annotated[
        Path | None, typer.Argument(help="Map, run or mission; the latest run if not given.")
    ] = None,
    robots: RobotsOption = None,
    backend: Annotated[
        str, typer.Option("--backend", help="What drives: sim, nav2 or spot.")
    ] = "sim",
    live: Annotated[
        Path | None,
        typer.Option("--live", help="Directory of a live run to follow; it may be empty yet."),
    ] = None,
    memory: Annotated[
        Path | None, typer.Option("--memory", help="File of a memory to tell and ask.")
    ] = None,
    missions: Annotated[
        Path, typer.Option("--missions", help="Folder of the log of missions.")
    ] = Path("runs/missions"),
    pace: Annotated[
        float, typer.Option("--pace", min=0.1, max=1000, help="Simulated seconds a second.")
    ] = 1.0,
    record: Annotated[
        Path | None, typer.Option("--record", help="File to log to for Rerun's viewer (.rrd).")
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="Address; any but loopback asks for a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for any.")] = 8080,
) -> None:
    """Look at the map, say what robots shall do, see the plan, approve, watch and stop, in a browser."""
    from commonground.console import make_station, open_console, wait_for_end
    from commonground.console.rerun_log import recorded

    if missions.exists() and not missions.is_dir():
        raise ConfigError(f"--missions {missions}: is a file, not a folder")
    opener = None if memory is None else _opener(job, memory)
    station = make_station(
        scene,
        robots,
        job.config.grounding,
        missions,
        backend=backend,
        seed=job.seed,
        pace=pace,
        limits=job.config.mission,
        live=live,
        clip=job.config.mapping.perception.fastsam,
    )
    with contextlib.ExitStack() as stack:
        if record is not None:
            stack.enter_context(recorded(station, record))
        found = stack.enter_context(
            open_console(station, host=host, port=port, memory=opener, live=live)
        )
        job.result({"url": found.address.url, "port": found.address.port})
        station.minutes.herald = lambda line: job.say(f"{time.strftime('%H:%M:%S')} {line}")
        job.say(f"open {found.address.url}  (Ctrl-C ends it and stops what is under way)")
        wait_for_end()


def _opener(job: Job, file: Path) -> Opener:
    """Return what opens a memory for each word that is said to it; ConfigError where there is none."""
    from commonground.cli.memory_options import opened

    if not file.is_file():
        raise ConfigError(
            f"--memory {file}: there is no such file; make it first: "
            f"commonground memory init --memory {file} --domain DOMAIN.pddl --facts FACTS.jsonl"
        )
    with opened(job, file):  # what is no memory is told before anything is shown
        pass
    return lambda read_only: opened(job, file, read_only=read_only)
