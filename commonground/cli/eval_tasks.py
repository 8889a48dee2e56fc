"""``commonground eval memory``, ``household`` and ``assembly``: tasks planned from what is known."""

from __future__ import annotations

from dataclasses import asdict, astuple, fields
from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job
from commonground.cli.memory_options import BackendOption
from commonground.cli.options import (
    FailuresOption,
    HouseTasksArgument,
    WorldsArgument,
    WriterOption,
)
from commonground.cli.tabled import table_command

app = typer.Typer()


MISSED = ("variant", "episode", "outcome", "text", "wanted", "got")


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


@table_command(app, "household", keys=("category",))
def household(
    job: Job, worlds: WorldsArgument, tasks: HouseTasksArgument, backend: WriterOption = None
) -> None:
    """Tasks and conditions reached, actions executed and time, by category; ablations; hidden objects."""
    from commonground.cli.household import settings_of
    from commonground.household import COLUMNS, cells, compare_household

    settings = settings_of(job, backend)
    compared = compare_household(worlds, tasks, settings=settings, seed=job.seed, reporter=job)
    job.result(compared.as_json())
    for title, rows in (
        ("household", compared.full),
        ("ablations (planned for a shorter time)", compared.ablations),
        ("what is not known at first", compared.hidden),
    ):
        job.table(title, COLUMNS, map(cells, rows))


@table_command(app, "assembly")
def assembly(
    job: Job,
    suite: Annotated[
        Path, typer.Option("--suite", help="Folder of cases with kb_ll.pl, expected.yaml.")
    ],
    agents: Annotated[
        list[int] | None,
        typer.Option("--agents", min=1, max=1000, help="Numbers of agents; repeatable."),
    ] = None,
    gantt: Annotated[
        Path | None, typer.Option("--gantt", help="Draw the last plan (.png, .svg, .pdf).")
    ] = None,
) -> None:
    """Plan the cases of a suite, beside the makespans that it states."""
    from commonground.grounding.prolog import draw_gantt
    from commonground.grounding.prolog.evaluation.evaluate import Row, suite_rows

    numbers = agents or [1, 2, 3]
    found = [*job.track(suite_rows(suite, numbers, job.config.assembly), "assembly")]
    columns = [field.name for field in fields(Row)]
    job.table("cases", columns, (astuple(row) for row, _ in found))
    if gantt is not None:
        draw_gantt(gantt, found[-1][1])
    rows = [asdict(row) for row, _ in found]
    job.result({"rows": rows, "columns": columns, "settings": {"agents": numbers}})
