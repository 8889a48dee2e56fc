"""``commonground solve``: a PDDL or PDDLStream problem → a plan."""

from __future__ import annotations

import json
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
        str, typer.Option("--algorithm", help="adaptive, binding, focused or incremental.")
    ] = "adaptive",
    engine: Annotated[str, typer.Option("--engine", help="own or upstream (streams).")] = "own",
    unit_costs: Annotated[bool, typer.Option(help="Count steps (streams).")] = False,
    time_limit_s: Annotated[
        float,
        typer.Option(
            min=0.001, max=1e6, help="Seconds for the search; as many for reading, or 10."
        ),
    ] = 60.0,
    memory_limit_mb: Annotated[
        int, typer.Option(min=64, max=1_000_000, help="Of Fast Downward.")
    ] = 4096,
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
        solved = solve_problem(
            domain,
            problem,
            mode=cast("Mode", mode),
            time_limit_s=time_limit_s,
            memory_limit_mb=memory_limit_mb,
        )
        return _finish(job, solved, out)
    require("--engine", engine, ("own", "upstream"))
    if streams is None or stream_map is None:
        raise typer.BadParameter(
            "--streams and --stream-map go together: the PDDL and the procedures"
        )
    solved = solve_stream_problem(
        domain,
        problem,
        streams,
        stream_map,
        mode=mode,
        algorithm=algorithm,
        engine=engine,
        unit_costs=unit_costs,
        time_limit_s=time_limit_s,
        seed=job.seed,
    )
    _finish(job, solved, out)


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
