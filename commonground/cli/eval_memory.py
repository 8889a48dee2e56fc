"""``commonground eval memory``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job
from commonground.cli.memory_options import BackendOption
from commonground.cli.options import FailuresOption
from commonground.cli.tabled import table_command

MISSED = ("variant", "episode", "outcome", "text", "wanted", "got")


app = typer.Typer()


@table_command(app, "memory")
def memory(
    job: Job,
    episodes: Annotated[
        list[Path], typer.Argument(help="Episodes with truth: header, reports, tasks.")
    ],
    variant: Annotated[
        list[str] | None, typer.Option("--variant", help="Rows; repeatable. All by default.")
    ] = None,
    backend: BackendOption = None,
    plans: Annotated[bool, typer.Option(help="Plan the tasks too (slow without slices).")] = True,
    failures: FailuresOption = False,
) -> None:
    """State and plan success of the published variants and ours, with tokens and time."""
    from commonground.cli.choices import memory_settings
    from commonground.grounding.memory import VARIANTS
    from commonground.grounding.memory.evaluation.evaluate import COLUMNS, evaluate
    from commonground.planning.downward import shared_planner

    settings, model = memory_settings(job, backend)
    planner = shared_planner() if plans else None
    names = variant or list(VARIANTS)
    lived = [
        evaluate(episodes, name, planner, settings, model) for name in job.track(names, "living")
    ]
    rows = [one.row for one in lived]
    missed = [[one.row["variant"], *miss] for one in lived for miss in one.missed]
    values = {"rows": rows, "columns": list(COLUMNS), "settings": settings.model_dump()}
    listed = [dict(zip(MISSED, miss, strict=True)) for miss in missed]
    job.result(values | ({"failures": listed} if failures else {}))
    job.table("memory", COLUMNS, ([row.get(column, "–") for column in COLUMNS] for row in rows))
    job.styled("[dim]published: GPT-4o in another household, not run again here[/dim]")
    job.styled("[dim]tokens without a server are those that its prompts would take[/dim]")
    if failures:
        job.table("not right", MISSED, missed)
