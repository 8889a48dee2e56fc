"""``commonground eval language``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job


def add(group: typer.Typer) -> None:
    """Add the table."""

    @command(group, "language")
    def language(
        job: Job,
        suites: Annotated[
            list[Path] | None, typer.Argument(help="suite.yaml files of instructions and goals.")
        ] = None,
        voices: Annotated[
            list[Path] | None,
            typer.Option(
                "--voices", help="Wordings left out of training: file or folder; repeatable."
            ),
        ] = None,
        failures: Annotated[
            bool, typer.Option("--failures", help="List what is not right.")
        ] = False,
    ) -> None:
        """What is understood: right, asked back, silently nothing, wrong."""
        from commonground.grounding.outcomes import COLUMNS, count

        if not suites and not voices:
            raise typer.BadParameter("name suites, or --voices")
        rows = count(suites or (), voices or (), job.config.grounding, job)
        job.result({"rows": [row.as_json() for row in rows]})
        job.table("language", COLUMNS, [row.cells() for row in rows])
        if failures:
            missed = [[row.of, *one] for row in rows for one in row.missed]
            job.table("not right", ["of", "outcome", "text", "answer"], missed)
