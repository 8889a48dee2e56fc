"""``commonground eval grounding`` and ``language``: what instructions mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


MISSED = ("of", "outcome", "text", "answer")


@table_command(app, "language")
def language(
    job: Job,
    suites: Annotated[
        list[Path] | None, typer.Argument(help="suite.yaml files of instructions and goals.")
    ] = None,
    voices: Annotated[
        list[Path] | None,
        typer.Option("--voices", help="Wordings left out of training: file or folder; repeatable."),
    ] = None,
    failures: FailuresOption = False,
) -> None:
    """What is understood: right, asked back, silently nothing, wrong."""
    from commonground.grounding.outcomes import CALIBRATION, COLUMNS, calibration, count

    if not suites and not voices:
        raise typer.BadParameter("name suites, or --voices")
    rows = count(suites or (), voices or (), job.config.grounding, job)
    sure, missed = calibration(rows), [[row.of, *one] for row in rows for one in row.missed]
    found = {"rows": [row.as_json() for row in rows], "calibration": _named(CALIBRATION, sure)}
    job.result(found | ({"failures": _named(MISSED, missed)} if failures else {}))
    job.table("language", COLUMNS, [row.cells() for row in rows])
    if sure:
        job.table("how often an answer was right that was so sure", CALIBRATION, sure)
    if failures:
        job.table("not right", MISSED, missed)


def _named(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[dict[str, object]]:
    return [dict(zip(columns, row, strict=True)) for row in rows]
