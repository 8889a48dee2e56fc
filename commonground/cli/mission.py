"""``commonground mission``: an instruction → done by robots, with what goes wrong repaired."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.atomic import write_text
from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.memory_options import opened
from commonground.cli.mission_begun import of_a_begun
from commonground.cli.mission_options import (
    asked,
    check_out,
    desk_of,
    fit_together,
    resumable,
    resumed,
)
from commonground.cli.options import BeforeOption, RobotsOption
from commonground.errors import HonestNo

if TYPE_CHECKING:
    from commonground.live import Carried

app = typer.Typer()


@command(app, "mission")
def mission(
    job: Job,
    scene: Annotated[str | None, typer.Argument(help="Scene graph file or run directory.")] = None,
    text: Annotated[str | None, typer.Argument(help="The instruction.")] = None,
    robots: RobotsOption = None,
    goal: Annotated[
        list[str] | None,
        typer.Option("--goal", help='Instead of an instruction: ROBOT="(safe O39)"; repeatable.'),
    ] = None,
    before: BeforeOption = None,
    backend: Annotated[
        str | None, typer.Option("--backend", help="What drives: sim, nav2, spot.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Approve every plan; nobody is asked.")
    ] = False,
    name: Annotated[
        str, typer.Option("--id", help="Name of the mission, a folder in runs/missions.")
    ] = "",
    faults: Annotated[
        Path | None, typer.Option("--faults", help="YAML: what goes wrong in simulation.")
    ] = None,
    pace: Annotated[
        float, typer.Option("--pace", min=0, max=1000, help="Simulated seconds a second; 0: fast.")
    ] = 0.0,
    resume: Annotated[str | None, typer.Option("--resume", help="Go on with a mission.")] = None,
    join: Annotated[
        str | None,
        typer.Option("--join", help="Want more of a mission under way: --join RUN TEXT."),
    ] = None,
    replay: Annotated[
        str | None, typer.Option("--replay", help="Decide a mission again, step by step.")
    ] = None,
    explain: Annotated[
        str | None, typer.Option("--explain", help="Say why a mission did what it did.")
    ] = None,
    tree: Annotated[
        str | None,
        typer.Option("--tree", help="Write a mission's last plan as behavior trees, XML."),
    ] = None,
    memory: Annotated[
        Path | None, typer.Option("--memory", help="Memory that takes in what was found.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write what came of it as JSON.")
    ] = None,
) -> None:
    """Ground an instruction, plan, show, carry out, watch and repair until it is done or cannot be."""
    from commonground.cli.choices import require
    from commonground.live import BACKENDS, begin_mission, new_folder, read_faults

    begun = {"--resume": resume, "--replay": replay, "--explain": explain, "--tree": tree}
    begun["--join"] = join
    new = {"SCENE": scene, "TEXT": text, "--robots": robots, "--goal": goal, "--before": before}
    fit_together(begun, new | {"--backend": backend, "--id": name, "--faults": faults})
    past = tree or explain or replay or join
    check_out(out, past)
    if memory is not None:  # before a robot moves, not after
        with opened(job, memory):
            pass
    if past:
        return of_a_begun(job, tree, explain, replay, join, scene or "")
    desk = desk_of(job, yes)
    if resume:
        return _tell(job, resumed(resume, desk, pace), memory, yes, out)
    backend = require("--backend", backend or "sim", BACKENDS, "backend")
    if not scene or robots is None or bool(text) == bool(goal):
        raise typer.BadParameter("name a scene, --robots FILE, and either an instruction or --goal")
    goals, found = asked(job, Path(scene), robots, text, goal, before, backend, desk, yes)
    with resumable(new_folder(name)) as folder:
        carried = begin_mission(
            folder,
            scene,
            robots,
            goals,
            desk,
            order=found.order,
            leeway=found.leeway,
            text=text or "",
            remarks=found.message,
            backend=backend,
            faults=read_faults(faults) if faults else (),
            seed=job.seed,
            pace=pace,
            limits=job.config.mission,
        )
    _tell(job, carried, memory, yes, out)


def _tell(job: Job, carried: Carried, memory: Path | None, unasked: bool, out: Path | None) -> None:
    """Tell what came of each goal; no success where one was missed, or changed hands and nobody was asked."""
    if memory is not None:
        from commonground.live import remember

        with opened(job, memory) as taken_in:
            job.lines(remember(taken_in, carried))
    from commonground.planning.mission import in_a_row

    end = carried.end
    changed = [str(one) for one in end.accounts if one.by_another] if unasked else []
    job.result(carried.as_json())
    if out is not None:
        write_text(out, json.dumps(carried.as_json(), indent=1) + "\n")
    if (end.status != "done" or changed) and job.json:
        raise typer.Exit(HonestNo.exit_code)
    accounts = [
        str(one).removesuffix(f", {end.reason}") for one in end.accounts
    ]  # it is said below
    job.lines([*in_a_row(carried.done), *carried.learned, *accounts])
    say = f"{end.status} after {carried.lasted_s:.0f} s; {carried.folder} has its journal"
    say = f"it had ended before, and nothing was driven now: {say}" if carried.before else say
    if end.status != "done":
        raise HonestNo(f"{say}: {end.reason}")
    if changed:
        raise HonestNo(f"{say}, but not all by whom it was told to: {'; '.join(changed)}")
    job.say(say)
