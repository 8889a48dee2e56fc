"""What ``commonground plan`` reads and prints."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.atomic import write_text
from commonground.cli.job import Job
from commonground.errors import ConfigError, HonestNo, PlanningError

if TYPE_CHECKING:
    from commonground.planning.scene.plan import TeamPlan
    from commonground.robots import Team
    from commonground.scene import SceneGraph


TEAM = "team"
"""A goal under this name is shared out over the robots."""


def parse_goals(texts: Sequence[str], team: Team) -> dict[str, str]:
    """Return robot → goal of ``ROBOT=GOAL`` texts."""
    goals: dict[str, str] = {}
    for text in texts:
        name, equals, goal = text.partition("=")
        name = name.strip()
        if not equals or not goal.strip():
            raise ConfigError(f'--goal {text}: write it as ROBOT="(safe O39)"')
        if name in goals:
            raise ConfigError(f"--goal: {name} has two goals; join them with (and …)")
        known = name if name == TEAM else team[name].name
        goals[known] = goal.strip()
    return goals


def plan_file(
    scene: Path, team: Team, goals: dict[str, str], seed: int
) -> tuple[TeamPlan, SceneGraph]:
    """Return the plan for the scene graph of a file, with the time of loading beside that of planning."""
    from dataclasses import replace

    from commonground.planning.scene import plan_scene
    from commonground.scene import load_scene
    from commonground.scene.locate import scene_file

    began = time.perf_counter()
    graph = load_scene(scene_file(scene))
    load_s = time.perf_counter() - began
    answer = plan_scene(graph, team, goals, seed=seed)
    return replace(answer, time_s={"load": load_s, **answer.time_s}), graph


def finish(
    job: Job,
    answer: TeamPlan,
    graph: SceneGraph,
    out: Path | None,
    pddl_out: Path | None,
    team: Team,
) -> None:
    """Write and print a plan; leave with the exit code of its status."""
    from rich.markup import escape

    if out is not None:
        write_text(out, json.dumps(answer.as_json(), indent=1) + "\n")
    if pddl_out is not None:
        from commonground.planning.scene.pddl_task import write_pddl

        for name, plan in answer.robots.items():
            write_pddl(graph, team[name], plan.goal, pddl_out / name)
    status = str(answer.status)
    if status == "solved":
        job.result(answer.as_json())
        _table(job, answer)
        if answer.reason:
            job.say(escape(answer.reason))
        return
    if job.json:
        job.result(answer.as_json())
        raise typer_exit(3 if status != "error" else 1)
    kind = PlanningError if status == "error" else HonestNo
    raise kind(f"{status}: {answer.reason}")


def typer_exit(code: int) -> Exception:
    """Return the exception that leaves the program quietly with an exit code."""
    import typer

    return typer.Exit(code)


def _table(job: Job, answer: TeamPlan) -> None:
    rows = [
        [
            name,
            a.action,
            a.target,
            f"{a.start_s:.1f}",
            f"{a.end_s:.1f}",
            f"{a.length_m:.1f}" if a.places else "",
        ]
        for name, plan in answer.robots.items()
        for a in plan.actions
    ]
    job.table("", ["robot", "action", "target", "start s", "end s", "meters"], rows)
    for name, plan in answer.robots.items():
        proof = (
            "optimal order" if plan.optimal else f"at least {plan.lower_bound_m:.1f} m are needed"
        )
        job.say(f"{name}: {plan.cost_m:.1f} m along the places ({proof})")
    spent = ", ".join(
        f"{stage} {seconds * 1000:.0f} ms" for stage, seconds in answer.time_s.items()
    )
    job.say(f"makespan {answer.makespan_s:.1f} s; {spent}")
