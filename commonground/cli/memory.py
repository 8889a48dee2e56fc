"""``commonground memory``: the lifelong knowledge graph that people and sensors keep up to date."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli import memory_asking, memory_init, memory_tell
from commonground.cli.command import command, join
from commonground.cli.job import Job
from commonground.cli.memory_options import (
    DEFAULT,
    AtOption,
    BackendOption,
    FileOption,
    MeaningsOption,
    ask_back,
    opened,
    print_facts,
)

if TYPE_CHECKING:
    from commonground.grounding.memory.beliefs.sensing import Observed


app = typer.Typer(
    name="memory",
    help="Keep a knowledge graph that people and sensors update, and plan from it.",
    no_args_is_help=True,
)
join(app, memory_init.app)
join(app, memory_tell.app)


@command(app, "observe")
def observe(
    job: Job,
    file: Annotated[Path, typer.Argument(help="Sightings (JSON), or a scene graph or run.")],
    path: FileOption = DEFAULT,
    sensor: Annotated[str, typer.Option("--sensor", help="Which sensor saw it.")] = "camera",
    at: AtOption = None,
) -> None:
    """Take in what a sensor saw, and what it should have seen and did not."""
    from commonground.grounding.memory import observe, observed_time, read_observation

    when = None if at is None else observed_time(at)
    with opened(job, path) as memory:
        seen = read_observation(file, memory, sensor, when)
        found = observe(memory.store, memory.names, seen)
    job.result({name: getattr(found, name) for name in found.__slots__})
    print_facts(job, "+", found.added)
    print_facts(job, "-", found.removed)
    print_facts(job, "not seen", found.missed)
    job.lines((f"refused: {why}" for why in found.refused), style="yellow")
    taken = found.accepted or found.added or found.removed or found.missed or found.held
    if found.refused and not taken:
        ask_back(job, "nothing of it was taken in")
    if not (found.added or found.removed or found.missed or found.refused):
        job.note(_unchanged(found))


def _unchanged(found: Observed) -> str:
    """Return why an observation changes nothing."""
    if found.again:
        return "this look was taken in before"
    if found.late:
        return "something newer is known"
    if found.held:
        return f"kept aside, not certain enough: {', '.join(map(str, found.held))}"
    return "known already" if found.accepted else "it says nothing of what this memory knows"


@command(app, "undo")
def undo(
    job: Job,
    change: Annotated[
        int | None,
        typer.Argument(min=0, max=2**53, help="Number of the change; the newest if not given."),
    ] = None,
    path: FileOption = DEFAULT,
) -> None:
    """Take back a change; what has been replaced since stays."""
    with opened(job, path) as memory:
        tx = change if change is not None else memory.newest_change()
        outcome = memory.store.undo(tx)
    job.result(
        {"undone": tx, "added": outcome.added, "removed": outcome.removed, "kept": outcome.kept}
    )
    job.say(f"change {tx} is undone")
    print_facts(job, "+", outcome.added)
    print_facts(job, "-", outcome.removed)
    print_facts(job, "replaced since, so it stays:", outcome.kept)


@command(app, "replay")
def replay(
    job: Job,
    episode: Annotated[Path, typer.Argument(help="Episode: a header, then reports and tasks.")],
    out: Annotated[Path, typer.Option("--out", help="Predictions, as JSON lines.")],
    variant: Annotated[
        str, typer.Option("--variant", help="S, R-, Rv-, R+, Rv+, Rs, Rvs or slice.")
    ] = "slice",
    domain: Annotated[Path | None, typer.Option("--domain", help="PDDL domain.")] = None,
    meanings: MeaningsOption = None,
    backend: BackendOption = None,
    plans: Annotated[bool, typer.Option(help="Plan the tasks.")] = True,
) -> None:
    """Live through an episode and write what was understood and planned."""
    from commonground.cli.choices import memory_settings
    from commonground.grounding.memory import (
        Episode,
        replay_episode,
        variant_named,
        write_predictions,
    )
    from commonground.planning.downward import shared_planner

    settings, model = memory_settings(job, backend)
    found, way = Episode(episode, domain), variant_named(variant)
    planner = shared_planner() if plans else None
    predictions = replay_episode(found, planner, way, settings, model, meanings)
    count = write_predictions(job.track(predictions, "living", len(found.items)), out)
    job.result({"written": out, "items": count, "variant": variant})
    job.say(f"wrote {out}: {count} items ({variant})")


join(app, memory_asking.app)
