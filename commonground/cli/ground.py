"""``commonground ground``: an instruction → a goal for each robot, or a question back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job, command


def add(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "ground")
    def ground(
        job: Job,
        scene: Annotated[
            Path | None, typer.Argument(help="Scene graph file or run directory.")
        ] = None,
        text: Annotated[str | None, typer.Argument(help="The instruction.")] = None,
        robots: Annotated[
            Path | None, typer.Option("--robots", help="robots.yaml: poses and capabilities.")
        ] = None,
        backend: Annotated[
            str | None, typer.Option("--backend", help="auto, offline, openai or openai-direct.")
        ] = None,
        batch: Annotated[
            Path | None, typer.Option("--batch", help="Suite of instructions to answer instead.")
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", help="Predictions of --batch, as JSON lines.")
        ] = None,
    ) -> None:
        """Turn an instruction in plain English into a PDDL goal for each robot, or ask back (exit 3)."""
        from commonground.cli import ground_report

        settings = ground_report.settings_of(job, backend)
        if batch is not None:
            ground_report.answer_batch(job, batch, out, settings)
        else:
            ground_report.answer_one(job, scene, text, robots, settings)
