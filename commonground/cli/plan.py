"""``commonground plan``: goals on a scene graph → a timed plan for each robot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job, command


def add(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "plan")
    def plan(
        job: Job,
        scene: Annotated[Path, typer.Argument(help="Scene graph file or run directory.")],
        robots: Annotated[
            Path, typer.Option("--robots", help="robots.yaml: poses and capabilities.")
        ],
        goal: Annotated[
            list[str],
            typer.Option(
                "--goal", help='ROBOT="(safe O39)", or team=… to share it out; repeatable.'
            ),
        ],
        out: Annotated[Path | None, typer.Option("--out", help="Write the plan as JSON.")] = None,
        pddl_out: Annotated[
            Path | None, typer.Option("--pddl-out", help="Folder for the PDDL.")
        ] = None,
    ) -> None:
        """Plan goals such as R="(and (safe O39) (not (visited-region R3)))" and print who goes where when."""
        from commonground.cli.plan_report import finish, parse_goals, plan_file
        from commonground.robots import load_team

        team = load_team(robots)
        answer, graph = plan_file(scene, team, parse_goals(goal, team), job.seed)
        finish(job, answer, graph, out, pddl_out, team)
