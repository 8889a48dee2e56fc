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
from commonground.reading import read_text

if TYPE_CHECKING:
    from commonground.live import Carried

app = typer.Typer()


@command(app, "mission")
def mission(
    job: Job,
    scene: Annotated[Path | None, typer.Argument(help="Scene graph file or run directory.")] = None,
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
    resume: Annotated[str, typer.Option("--resume", help="Go on with a mission.")] = "",
    replay: Annotated[
        str, typer.Option("--replay", help="Decide a mission again, step by step.")
    ] = "",
    explain: Annotated[
        str, typer.Option("--explain", help="Say why a mission did what it did.")
    ] = "",
    tree: Annotated[
        str, typer.Option("--tree", help="Write a mission's last plan as behavior trees, XML.")
    ] = "",
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
    new = {"SCENE": scene, "TEXT": text, "--robots": robots, "--goal": goal, "--before": before}
    fit_together(begun, new | {"--backend": backend, "--id": name, "--faults": faults})
    past = tree or explain or replay
    check_out(out, past)
    if memory is not None:  # before a robot moves, not after
        with opened(job, memory):
            pass
    if past:
        return _of_the_past(job, tree, explain, replay)
    desk = desk_of(job, yes)
    if resume:
        return _tell(job, resumed(resume, desk, pace), memory, yes, out)
    backend = require("--backend", backend or "sim", BACKENDS, "backend")
    if scene is None or robots is None or bool(text) == bool(goal):
        raise typer.BadParameter("name a scene, --robots FILE, and either an instruction or --goal")
    goals, order, leeway = asked(job, scene, robots, text, goal or [], before or [], backend)
    with resumable(new_folder(name)) as folder:
        carried = begin_mission(
            folder,
            scene,
            robots,
            goals,
            desk,
            order=order,
            leeway=leeway,
            text=text or "",
            backend=backend,
            faults=read_faults(faults) if faults else (),
            seed=job.seed,
            pace=pace,
        )
    _tell(job, carried, memory, yes, out)


def _of_the_past(job: Job, tree: str, explain: str, replay: str) -> None:
    """Tell of a mission that was begun: its plan as a tree, its reasons, or whether its journal holds."""
    from commonground.live import explain_mission, mission_folder, replay_mission, tree_of_mission

    if tree:
        written = tree_of_mission(mission_folder(tree))
        job.result({"tree": str(written)})
        job.lines([read_text(written).rstrip()])
        if not job.quiet:  # what is printed is the file, so that it can be written to another
            typer.echo(f"{written}: a tree for each robot, for BehaviorTree.CPP 4", err=True)
    elif explain:
        lines = explain_mission(mission_folder(explain))
        job.result({"lines": lines})
        job.lines(lines)
    else:
        steps = replay_mission(mission_folder(replay))
        job.result({"steps": steps})
        job.say(f"{steps} steps, each decided as it was")


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
