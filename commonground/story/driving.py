"""Plans driven by simulated robots in the true world, by the engine of all missions.

Surprises are repaired as in any mission; what could not be is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import inverse
from commonground.names import within
from commonground.run_folder import SCENE
from commonground.runs import Run
from commonground.story import truth as known
from commonground.story.asking import MISSIONS, planned, team_now
from commonground.story.drives import truth_of
from commonground.story.spec import Story

if TYPE_CHECKING:
    from commonground.planning.mission.mission import Mission
    from commonground.planning.scene import Before
    from commonground.robots import Team
    from commonground.scene import SceneGraph
    from commonground.story.true_world import Truth

ASTRAY_M = 3.0
"""A robot, or what it puts down, that ends farther from where the plan has it is not where it should be."""


class Asked(NamedTuple):
    """What a mission is made of: a map, robots on it, and their goals."""

    graph: SceneGraph
    team: Team
    goals: Mapping[str, str]
    order: Sequence[Before] = ()


def carry_out(story: Story, run: Run, seed: int = 0) -> Mapping[str, Any]:
    """Drive every plan; return what each robot did and what went otherwise than planned."""
    true = truth_of(story.again or story.see)
    T = known.T_world_map(run)
    if true is None or T is None:
        return {"driven": [], "note": "there is no true world to drive in"}
    from commonground.planning.scene import Before
    from commonground.scene import load_scene
    from commonground.story.true_world import Truth

    graph, team = load_scene(run.fused / SCENE), team_now(story, run)
    errors = _pose_errors(run, T)
    truth = Truth(true, T, {name: T @ error for name, error in errors.items()})
    driven = []
    for number, values in planned(run.result("instruct").get("asked", [])):
        order = [Before.of_json(pair) for pair in values.get("order", [])]
        asked = Asked(graph, team, values["goals"], order)
        folder = within(run.folder, MISSIONS, str(number))
        driven.append({"instruction": number, **drive(asked, truth, folder, seed)})
    return {"driven": driven}


def drive(asked: Asked, truth: Truth, folder: Path | None = None, seed: int = 0) -> dict[str, Any]:
    """Carry a mission out in the true world; a folder gets its journal, anew where one was begun."""
    from commonground.planning.mission import journal
    from commonground.planning.mission.belief import SceneBelief
    from commonground.planning.mission.mission import Mission
    from commonground.planning.mission.runner import Runner
    from commonground.planning.mission.scene_planner import ScenePlanner
    from commonground.planning.mission.simulation import LIMIT_S, SimClock
    from commonground.story.true_world import TrueWorld

    kept = None
    if folder is not None:
        within(folder, journal.FILE).unlink(missing_ok=True)
        kept = journal.Journal(
            folder,
            {
                "mission": folder.name,
                "goals": dict(asked.goals),
                "order": [pair.as_json() for pair in asked.order],
            },
        )
    world = TrueWorld(asked.graph, asked.team, truth)
    mission = Mission(SceneBelief.of(asked.graph, asked.team, asked.goals, asked.order))
    first = dict(mission.belief.goals)
    planner, clock = ScenePlanner(seed), SimClock(world)
    try:
        end = Runner(mission, planner, world.robots, clock, lambda _: True, kept).run(LIMIT_S)
    finally:
        if kept is not None:
            kept.close()
    did = {task.robot for task in mission.done} | (first.keys() & mission.crew.keys())
    missed = {n: end.reason for n, goal in first.items() if not mission.belief.holds(n, goal)}
    return {
        "status": end.status,
        "found": [f"{c.text} (seen by {c.robot})" for c in mission.belief.changes],
        "robots": {
            n: _did(mission, n, truth, "" if end.status == "done" else missed.get(n, ""))
            for n in sorted(did)
        },
    }


def _did(mission: Mission, robot: str, truth: Truth, reason: str) -> dict[str, Any]:
    """Return what a robot did, and what kept it from its end."""
    done = [task for task in mission.done if task.robot == robot]
    astray = max((truth.astray_m(robot, np.array(t.path[-1])) for t in done), default=0.0)
    if not reason and astray > ASTRAY_M:
        reason = f"it ends {astray:.0f} m from where it should be"
    return {"done": not reason, "steps": len(done), "surprise": reason}


def _pose_errors(run: Run, T_world_map: Floats) -> dict[str, Floats]:
    """Return for each localized robot where it really is when it believes to be at the map's origin."""
    out = {}
    for name, fix in run.result("relocalize").items():
        if fix.get("T_map_robot") is not None and fix.get("T_world_robot") is not None:
            true = inverse(T_world_map) @ np.array(fix["T_world_robot"])
            out[name] = true @ inverse(np.array(fix["T_map_robot"]))
    return out
