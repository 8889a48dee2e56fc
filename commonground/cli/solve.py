"""``commonground solve``: a PDDL or PDDLStream problem → a plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from commonground.atomic import write_text
from commonground.cli.choices import require
from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.errors import PlanningError

if TYPE_CHECKING:
    from commonground.planning.downward.configurations import Mode
    from commonground.planning.problems import Solved


app = typer.Typer()


@command(app, "solve")
def solve(
    job: Job,
    domain: Annotated[Path, typer.Argument(help="PDDL domain.")],
    problem: Annotated[
        Path | None, typer.Argument(help="PDDL problem; a stream map may stand in for it.")
    ] = None,
    streams: Annotated[Path | None, typer.Option("--streams", help="Stream PDDL.")] = None,
    stream_map: Annotated[
        str | None,
        typer.Option("--stream-map", help="Python file or module with stream_map; it is run."),
    ] = None,
    mode: Annotated[str, typer.Option("--mode", help="first, anytime or optimal.")] = "first",
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm", help="Of streams: adaptive (default), binding, focused or incremental."
        ),
    ] = None,
    engine: Annotated[
        str | None, typer.Option("--engine", help="Of streams: own (default) or upstream.")
    ] = None,
    unit_costs: Annotated[bool, typer.Option(help="Count steps, not costs.")] = False,
    time_limit_s: Annotated[
        float,
        typer.Option(
            min=0.001, max=1e6, help="Seconds for the search; as many for reading, or 10."
        ),
    ] = 60.0,
    memory_limit_mb: Annotated[
        int | None,
        typer.Option(min=64, max=1_000_000, help="Of Fast Downward, without streams (4096)."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the plan, as JSON if *.json.")
    ] = None,
) -> None:
    """Solve a PDDL problem with Fast Downward, or a PDDLStream problem; every plan is executed."""
    from commonground.planning import solve_problem, solve_stream_problem

    require("--mode", mode, ("first", "anytime", "optimal"))
    if streams is None and stream_map is None:
        if problem is None:
            raise typer.BadParameter(
                "a PROBLEM file is needed as well, or --streams with --stream-map"
            )
        _without_effect({"--algorithm": algorithm, "--engine": engine}, "with --streams")
        solved = solve_problem(
            domain,
            problem,
            mode=cast("Mode", mode),
            unit_costs=unit_costs,
            time_limit_s=time_limit_s,
            **({} if memory_limit_mb is None else {"memory_limit_mb": memory_limit_mb}),
        )
        return _finish(job, solved, out)
    engine = require("--engine", engine or "own", ("own", "upstream"))
    if streams is None or stream_map is None:
        raise typer.BadParameter(
            "--streams and --stream-map go together: the PDDL and the procedures"
        )
    _without_effect({"--memory-limit-mb": memory_limit_mb}, "without streams")
    solved = solve_stream_problem(
        domain,
        problem,
        streams,
        stream_map,
        mode=mode,
        algorithm=algorithm or "adaptive",
        engine=engine,
        unit_costs=unit_costs,
        time_limit_s=time_limit_s,
        seed=job.seed,
    )
    _finish(job, solved, out)


def _without_effect(given: Mapping[str, object], only: str) -> None:
    """Raise BadParameter for options that would change nothing."""
    named = [option for option, value in given.items() if value is not None]
    if named:
        raise typer.BadParameter(f"{' and '.join(named)}: only {only}")


def _finish(job: Job, solved: Solved, out: Path | None) -> None:
    """Write and print a plan; leave with the exit code of its status."""
    if solved.status != "solved":
        job.refuse(solved.status, solved.reason, solved.as_json(), PlanningError)
    if out is not None:
        as_json = json.dumps(solved.as_json(), indent=1) + "\n"
        write_text(out, as_json if out.suffix == ".json" else solved.text())
    job.result(solved.as_json())
    job.lines([solved.text().rstrip("\n")])
    if solved.reason:
        job.lines([f"; {solved.reason}"])
