"""``commonground assemble``: knowledge bases in Prolog → parallel, timed plans → behaviour trees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job, command

KbArgument = Annotated[Path, typer.Argument(help="Knowledge base, a Prolog file.")]
PlanArgument = Annotated[Path, typer.Argument(help="Plan written by 'assemble plan'.")]


def add(app: typer.Typer) -> None:
    """Add the group and its commands."""
    group = typer.Typer(
        help="Plan assembly from Prolog knowledge bases, for several arms at once.",
        no_args_is_help=True,
    )
    app.add_typer(group, name="assemble")
    _add_plan(group)
    _add_tree(group)


def _add_plan(group: typer.Typer) -> None:
    @command(group, "plan")
    def plan(
        job: Job,
        kb: KbArgument,
        agents: Annotated[
            int | None,
            typer.Option("--agents", help="How many agents; by default those of the base."),
        ] = None,
        out: Annotated[Path | None, typer.Option("--out", help="Write the plan as JSON.")] = None,
        order_out: Annotated[
            Path | None, typer.Option("--order-out", help="Write the high-level steps, one a line.")
        ] = None,
        gantt: Annotated[
            Path | None, typer.Option("--gantt", help="Draw who does what when (.png, .svg, .pdf).")
        ] = None,
    ) -> None:
        """Plan a knowledge base: the shortest parallel schedule whose every step was executed in Prolog."""
        from commonground.cli import assemble_report

        assemble_report.plan(job, kb, agents, out, order_out, gantt)


def _add_tree(group: typer.Typer) -> None:
    @command(group, "tree")
    def tree(
        job: Job,
        plan: PlanArgument,
        out: Annotated[Path | None, typer.Option("--out", help="Write the tree as XML.")] = None,
    ) -> None:
        """Write a plan as a behaviour tree for BehaviorTree.CPP 4, after ticking it once."""
        from commonground.cli import assemble_report

        assemble_report.tree(job, plan, out)
