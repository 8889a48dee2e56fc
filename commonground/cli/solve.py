"""``commonground solve``: a PDDL or PDDLStream problem → a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job, command


def add(app: typer.Typer) -> None:
    """Add the command."""

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
        time_limit_s: Annotated[float, typer.Option(min=0.001, help="Seconds.")] = 60.0,
        memory_limit_mb: Annotated[int, typer.Option(min=64, help="Of Fast Downward.")] = 4096,
        out: Annotated[
            Path | None, typer.Option("--out", help="Write the plan, as JSON if *.json.")
        ] = None,
    ) -> None:
        """Solve a PDDL problem with Fast Downward, or a PDDLStream problem; every plan is executed."""
        from commonground.cli import solve_report

        limits = solve_report.Limits(time_limit_s, memory_limit_mb)
        if streams is None and stream_map is None:
            answer = solve_report.solve_plain(domain, problem, mode, limits)
        else:
            files = solve_report.StreamOptions(
                streams, stream_map, algorithm, engine, unit_costs, job.seed
            )
            answer = solve_report.solve_streams(domain, problem, mode, limits, files)
        solve_report.finish(job, answer, out)
