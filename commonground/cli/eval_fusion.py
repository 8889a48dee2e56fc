"""``commonground eval fusion``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.choices import names_of
from commonground.cli.job import Job
from commonground.cli.options import SizeOption
from commonground.cli.tabled import table_command
from commonground.reading import LONGEST_DRIVE_M

if TYPE_CHECKING:
    from commonground.mapping.fusion.evaluation.methods import Result


app = typer.Typer()


@table_command(app, "fusion", keys=("team", "method", "robots"))
def fusion(
    job: Job,
    world: Annotated[
        str | None,
        typer.Option(
            "--world",
            help="campus (outdoors) or hybrid (in and out); office too if rendered. "
            "Without it campus and hybrid.",
        ),
    ] = None,
    teams: Annotated[
        int, typer.Option("--teams", min=1, max=1000, help="Made-up teams a world.")
    ] = 1,
    robots: Annotated[
        str | None,
        typer.Option(
            "--robots", help="How many (3); with --data, or --run alone, which, as a,b,c (all)."
        ),
    ] = None,
    submaps: Annotated[
        int,
        typer.Option("--submaps", min=3, max=5000, help="Of each made-up robot, one every 10 m."),
    ] = 100,
    data: Annotated[
        list[Path] | None,
        typer.Option("--data", help="Map this dataset with true poses; repeatable."),
    ] = None,
    rendered: Annotated[
        bool, typer.Option("--rendered", help="Simulate images and map them: many minutes.")
    ] = False,
    length: Annotated[
        float,
        typer.Option(
            "--length", min=40, max=LONGEST_DRIVE_M, help="Meters of each robot, where rendered."
        ),
    ] = 500.0,
    size: SizeOption = "320x240",
    runs: Annotated[
        Path | None,
        typer.Option(
            "--run", help="Folder for the maps of --data and --rendered; alone: score them again."
        ),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            "--truth", help="With --run: dataset, or scene.json, that has the true objects."
        ),
    ] = None,
    methods: Annotated[
        list[str] | None,
        typer.Option("--methods", help="Only these, as 'distance,+ semantics'; repeatable."),
    ] = None,
) -> None:
    """Fused maps with no closures, with ever more to match by, and with true closures.

    Of made-up teams; of simulated images with --rendered; of recordings with --data.
    """
    from commonground.mapping.fusion.evaluation.methods import COLUMNS, METHODS, results
    from commonground.mapping.fusion.evaluation.scores import TOLERANCES_M
    from commonground.mapping.fusion.evaluation.table import CAPTION, figures, reasons, too_short
    from commonground.story.teams import Wanted, teams_of

    wanted = Wanted(
        world, teams, robots, submaps, tuple(data or ()), rendered, length, size, runs,
        job.config, job.seed, job, truth,
    )  # fmt: skip
    chosen = names_of("--methods", methods, METHODS)
    found = teams_of(wanted)
    notes = [f"{team.name}: {note}" for team in found for note in team.notes]
    fused = results(found, job.config.localization, job.seed, chosen)
    made = list(job.track(fused, "fusion", total=len(found) * len(chosen)))
    short = too_short(made)
    notes += short.values()
    notes += reasons([result for result in made if result.team.name not in short])
    names = [team.name for team in found]
    settings = {"seed": job.seed, "teams": names, "tolerances_m": TOLERANCES_M, "notes": notes}
    job.result({"rows": [r.row for r in made], "columns": COLUMNS, "settings": settings})
    print_tables(job, made)
    job.lines(notes)
    job.figures, job.caption = partial(figures, made), (*CAPTION, *notes)


def print_tables(job: Job, results: Sequence[Result]) -> None:
    """Print for each team the scores that matter most, and below them the others."""
    from commonground.mapping.fusion.evaluation.table import CAPTION, tables

    shown = list(tables(results))
    for one in shown:
        job.table(*one)
    if shown:
        job.lines(CAPTION)
