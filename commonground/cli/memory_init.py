"""``commonground memory init``: a memory made from a domain and a world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.memory_options import DEFAULT, AtOption, FileOption, MeaningsOption

app = typer.Typer()


@command(app, "init")
def init(
    job: Job,
    domain: Annotated[Path, typer.Option("--domain", help="PDDL domain.")],
    facts: Annotated[
        Path,
        typer.Option("--facts", help="Things and facts: JSON lines, or a PDDL problem (.pddl)."),
    ],
    path: FileOption = DEFAULT,
    meanings: MeaningsOption = None,
    at: AtOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Only print meanings with reasons: a --meanings file.")
    ] = False,
) -> None:
    """Make a memory of a world; an existing file is never overwritten."""
    from commonground.grounding.memory import (
        create_memory,
        first_contradictions,
        meanings_of,
        parse_time,
    )

    if explain:
        known = meanings_of(domain, meanings)
        job.result({name: known.because(name) for name in known.relations})
        job.lines(known.explained())
        return
    when = None if at is None else parse_time(at)
    with create_memory(path, domain, facts, meanings, at_ns=when) as store:
        groups = store.groups.all
        job.result({"memory": path, "things": len(store.things), "facts": len(store.facts)})
        job.say(f"{path}: {len(store.things)} things, {len(store.facts)} facts")
        job.note(f"{len(groups)} groups of facts of which only one holds at a time")
        if unheld := store.vocabulary.unheld():
            job.note(
                f"no fact can say this of the domain, so it is not remembered: {', '.join(unheld)}"
            )
        for one, other in first_contradictions(store):
            job.note(f"{one} and {other} both hold at first, so neither replaces the other later")
