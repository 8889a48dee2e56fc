"""``commonground assemble``: knowledge bases in Prolog → parallel, timed plans → behavior trees."""

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
    kb = typer.Typer(help="Check and write knowledge bases.", no_args_is_help=True)
    group.add_typer(kb, name="kb")
    _add_check(kb)
    _add_generate(kb)
    _add_plan(group)
    _add_tree(group)
    _add_explain(group)


def _add_check(group: typer.Typer) -> None:
    @command(group, "check")
    def check(job: Job, kb: KbArgument) -> None:
        """Name everything that is wrong with a knowledge base, with its place; nothing of it is trusted."""
        from commonground.cli import assemble_report

        assemble_report.check(job, kb)


def _add_generate(group: typer.Typer) -> None:
    @command(group, "generate")
    def generate(
        job: Job,
        high: Annotated[Path, typer.Argument(help="Text of the task: what there is, the goal.")],
        low: Annotated[Path, typer.Argument(help="Text of the arms and their calls.")],
        out: Annotated[Path, typer.Option("--out", help="Write the knowledge base.")],
        whole: Annotated[
            bool, typer.Option("--whole", help="Ask for everything at once, not part by part.")
        ] = False,
        reuse: Annotated[
            Path | None,
            typer.Option(
                "--reuse", help="Keep the high level of this base; only the low is written."
            ),
        ] = None,
        examples: Annotated[
            Path | None, typer.Option("--examples", help="Folder with your own examples and words.")
        ] = None,
    ) -> None:
        """Have a language model write a knowledge base, and check every part in Prolog until it is clean."""
        from commonground.cli import assemble_report

        assemble_report.generate(job, (high, low), out, whole, reuse, examples)


def _add_explain(group: typer.Typer) -> None:
    @command(group, "explain")
    def explain(
        job: Job,
        plan: PlanArgument,
        step: Annotated[str, typer.Argument(help="Number of a step, or its action.")],
        without: Annotated[
            list[str] | None, typer.Option("--without", help="Plan again without this fact.")
        ] = None,
        with_: Annotated[
            list[str] | None, typer.Option("--with", help="Plan again with this fact too.")
        ] = None,
    ) -> None:
        """Say why a step is in a plan, what makes it possible, and what would change if a fact did."""
        from commonground.cli import assemble_report

        assemble_report.explain(job, plan, step, without or (), with_ or ())


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
        """Write a plan as a behavior tree for BehaviorTree.CPP 4, after ticking it once."""
        from commonground.cli import assemble_report

        assemble_report.tree(job, plan, out)
