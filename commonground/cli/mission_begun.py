"""What is asked of a mission that was begun, and what is told to one that is under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from commonground.cli.job import Job
from commonground.cli.mission_options import at_the_terminal, terminal_of
from commonground.errors import HonestNo, PlanningError
from commonground.reading import read_text

if TYPE_CHECKING:
    from commonground.grounding import Grounder, Grounding
    from commonground.robots import Team
    from commonground.scene import SceneGraph

CALLED = {
    "stop": "all robots stand, and the mission ends",
    "pause": "all robots stand until somebody says “go on”; what else the words may want is asked there",
    "go on": "the robots go on",
}
"""What words that hold at once do."""


def of_a_begun(
    job: Job,
    tree: str | None,
    explain: str | None,
    replay: str | None,
    join: str | None,
    words: str,
) -> None:
    """Tell of a mission that was begun: its plan as a tree, its reasons, or whether its journal holds.

    To one that is under way, what is wanted besides is told.
    """
    from commonground.live import explain_mission, mission_folder, replay_mission, tree_of_mission

    if tree:
        written = tree_of_mission(mission_folder(tree))
        job.result({"tree": str(written)})
        job.lines([read_text(written).rstrip()])
        if not job.quiet:  # what is printed is the file, so that it can be written to another
            typer.echo(f"{written}: a tree for each robot, for BehaviorTree.CPP 4", err=True)
    elif join:
        _joined(job, join, words)
    elif explain:
        lines = explain_mission(mission_folder(explain))
        job.result({"lines": lines})
        job.lines(lines)
    elif replay:
        steps = replay_mission(mission_folder(replay))
        job.result({"steps": steps})
        job.say(f"{steps} steps, each decided as it was")


def _joined(job: Job, name: str, text: str) -> None:
    """Let words join a mission that another program carries out; who commands it is asked there."""
    from commonground.cli.ground import check_answered, confirmed
    from commonground.live import call_mission, join_mission, mission_folder
    from commonground.story.asking import grounder_on

    if not text.strip():
        raise typer.BadParameter("--join RUN TEXT: say what is wanted besides")

    def reader(graph: SceneGraph, team: Team) -> Grounder:
        return grounder_on(graph, team, job.config)

    def left(found: Grounding) -> None:
        for robot, goal in (found.goals or {}).items():
            job.say(f"{robot}  {goal}")
        if found.message:
            job.note(found.message)
        job.note("the mission has its robots stand, plans with that, and asks whoever commands it")

    if called := call_mission(mission_folder(name), text, at_the_terminal()):
        job.result({"called": called})
        return job.say(CALLED[called])
    found, why_not = join_mission(
        mission_folder(name),
        text,
        at_the_terminal(),
        reader,
        lambda found: confirmed(found, terminal_of(job).ask),
        left,
    )
    check_answered(job, found)
    if not found.goals:
        job.refuse("nobody has anything to do", found.message, found.as_json(), PlanningError)
    job.result({**found.as_json(), "taken_in": not why_not, "reason": why_not})
    if why_not and job.json:
        raise typer.Exit(HonestNo.exit_code)
    if why_not:
        raise HonestNo(why_not)
    job.say("it is taken in")
