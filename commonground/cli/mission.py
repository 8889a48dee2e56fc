"""``commonground mission``: an instruction → done by robots, with what goes wrong repaired."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.memory_options import opened
from commonground.cli.options import BeforeOption, RobotsOption
from commonground.errors import HonestNo, PlanningError, RunError

if TYPE_CHECKING:
    from commonground.live import Carried
    from commonground.planning.scene import Before

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
) -> None:
    """Ground an instruction, plan, show, carry out, watch and repair until it is done or cannot be."""
    from commonground.cli.choices import require
    from commonground.live import (
        BACKENDS,
        begin_mission,
        mission_folder,
        new_folder,
        read_faults,
        resume_mission,
    )

    begun = {"--resume": resume, "--replay": replay, "--explain": explain, "--tree": tree}
    new = {"SCENE": scene, "TEXT": text, "--robots": robots, "--goal": goal, "--before": before}
    fit_together(begun, new | {"--backend": backend, "--id": name, "--faults": faults})
    if memory is not None:  # before a robot moves, not after
        with opened(job, memory):
            pass
    if tree or explain or replay:
        return _of_the_past(job, tree, explain, replay)
    ask = operator(yes)
    if resume:
        with _resumable(mission_folder(resume)) as folder:
            carried = resume_mission(folder, ask, pace)
        return _tell(job, carried, memory)
    backend = require("--backend", backend or "sim", BACKENDS, "backend")
    if scene is None or robots is None or bool(text) == bool(goal):
        raise typer.BadParameter("name a scene, --robots FILE, and either an instruction or --goal")
    goals, order = _asked(job, scene, robots, text, goal or [], before or [])
    with _resumable(new_folder(name)) as folder:
        carried = begin_mission(
            folder,
            scene,
            robots,
            goals,
            ask,
            order=order,
            text=text or "",
            backend=backend,
            faults=read_faults(faults) if faults else (),
            seed=job.seed,
            pace=pace,
        )
    _tell(job, carried, memory)


@contextmanager
def _resumable(folder: Path) -> Iterator[Path]:
    """Say how to go on with a mission that is interrupted: who lets the time name it knows no name."""
    from commonground.planning.mission.journal import FILE

    try:
        yield folder
    except (KeyboardInterrupt, typer.Abort):
        if (folder / FILE).is_file():
            typer.echo(f"commonground mission --resume {folder.name} goes on with it", err=True)
        raise


def _of_the_past(job: Job, tree: str, explain: str, replay: str) -> None:
    """Tell of a mission that was begun: its plan as a tree, its reasons, or whether its journal holds."""
    from commonground.live import explain_mission, mission_folder, replay_mission, tree_of_mission

    if tree:
        written = tree_of_mission(mission_folder(tree))
        job.result({"tree": str(written)})
        job.say(f"{written}: a tree for each robot, for BehaviorTree.CPP 4")
    elif explain:
        lines = explain_mission(mission_folder(explain))
        job.result({"lines": lines})
        job.lines(lines)
    else:
        steps = replay_mission(mission_folder(replay))
        job.result({"steps": steps})
        job.say(f"{steps} steps, each decided as it was")


def _asked(
    job: Job,
    scene: Path,
    robots: Path,
    text: str | None,
    goals: list[str],
    before: list[str],
) -> tuple[dict[str, str], Sequence[Before]]:
    """Return robot → goal and their order, of the options or of the instruction.

    A question back is an honest no.
    """
    from commonground.cli.ground import check_answered
    from commonground.cli.plan import goals_of, order_of
    from commonground.robots import load_team
    from commonground.scene import load_scene
    from commonground.scene.locate import scene_file
    from commonground.story.asking import grounder_on

    team = load_team(robots)
    if text is None:
        return goals_of(goals, team), order_of(before, team)
    found = grounder_on(load_scene(scene_file(scene)), team, job.config).ground(text)
    check_answered(job, found)
    if not found.goals:
        job.refuse("nobody has anything to do", found.message, found.as_json(), PlanningError)
    return dict(found.goals), found.order


def _tell(job: Job, carried: Carried, memory: Path | None) -> None:
    if memory is not None:
        from commonground.live import remember

        with opened(job, memory) as taken_in:
            job.lines(remember(taken_in, carried))
    if carried.end.status != "done" and job.json:
        job.result(carried.as_json())
        raise typer.Exit(HonestNo.exit_code)
    job.result(carried.as_json())
    job.lines([*carried.done, *carried.learned])
    say = f"{carried.end.status} after {carried.lasted_s:.0f} s; {carried.folder} has its journal"
    say = f"it had ended before, and nothing was driven now: {say}" if carried.before else say
    if carried.end.status != "done":
        raise HonestNo(f"{say}: {carried.end.reason}")
    job.say(say)


def fit_together(begun: Mapping[str, str], new: Mapping[str, object]) -> None:
    """Raise BadParameter where options contradict each other; nothing that was asked for is passed over."""
    first, *others = [name for name, value in begun.items() if value] or [""]
    if others:
        raise typer.BadParameter(f"{first} and {others[0]} are two commands; give one of them")
    given = [name for name, value in new.items() if value]
    if first and given:
        raise typer.BadParameter(
            f"{', '.join(given)}: not with {first}; a mission keeps what it was begun with"
        )


def operator(yes: bool) -> Callable[[str], bool]:
    """Return who answers the mission's questions: nobody with --yes, else whoever sits at the terminal."""
    if yes:
        return lambda question: True

    def ask(question: str) -> bool:
        try:
            return typer.confirm(question.replace("; ", "\n") + "\n", err=True)
        except typer.Abort as abort:
            if isinstance(abort.__context__, EOFError):
                raise RunError(
                    "nobody answers on the standard input; --yes approves every plan"
                ) from abort
            raise

    return ask
