"""``commonground eval grounding``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job
from commonground.cli.options import FailuresOption
from commonground.cli.tabled import table_command

app = typer.Typer()


@table_command(app, "grounding")
def grounding(
    job: Job,
    suite: Annotated[Path, typer.Argument(help="suite.yaml with instructions and goals.")],
    backend: Annotated[
        list[str] | None, typer.Option("--backend", help="Front end; repeatable.")
    ] = None,
    failures: FailuresOption = False,
) -> None:
    """Correct goals in each category of a suite, with time and tokens an instruction."""
    from commonground.cli.choices import grounding_settings
    from commonground.grounding.evaluate import evaluate

    names: list[str | None] = [*backend] if backend else [None]
    chosen = [grounding_settings(job, name) for name in names]
    report = evaluate(suite, chosen, job)
    job.result(report.as_json())
    job.table(f"grounding: {report.suite.name}", report.columns, report.cells())
    if failures:
        job.table("not right", ["backend", "id", "instruction", "answer"], report.failures())
    report.check_complete()
