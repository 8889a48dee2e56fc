"""Plans for scene graphs in files, and plans written to files."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from commonground.atomic import write_text
from commonground.errors import PlanningError
from commonground.names import within
from commonground.planning.scene.pddl_task import write_pddl
from commonground.planning.scene.plan import TeamPlan
from commonground.planning.scene.precedence import Before
from commonground.planning.team.planner import TIME_LIMIT_S, plan_scene
from commonground.robots import Team
from commonground.scene import SceneGraph, load_scene
from commonground.scene.locate import scene_file

_log = logging.getLogger(__name__)


class PlannedScene(NamedTuple):
    """A plan, and the scene graph it is for."""

    plan: TeamPlan
    graph: SceneGraph


def plan_file(
    scene: str | Path,
    team: Team,
    goals: Mapping[str, str],
    *,
    order: Sequence[Before] = (),
    seed: int = 0,
    time_limit_s: float = TIME_LIMIT_S,
) -> PlannedScene:
    """Return the plan for the scene graph of a file or run, with the time that loading took."""
    began = time.perf_counter()
    graph = load_scene(scene_file(scene))
    load_s = time.perf_counter() - began
    plan = plan_scene(graph, team, goals, order=order, seed=seed, time_limit_s=time_limit_s)
    return PlannedScene(replace(plan, time_s={"load": load_s, **plan.time_s}), graph)


def write_plan(
    planned: PlannedScene,
    team: Team,
    out: str | Path | None = None,
    pddl_folder: str | Path | None = None,
) -> None:
    """Write a plan as JSON, and the PDDL of each robot's goal into a folder of its name."""
    plan, graph = planned
    if out is not None:
        write_text(out, json.dumps(plan.as_json(), indent=1) + "\n")
    if pddl_folder is not None:
        for name, own in plan.robots.items():
            if own.goal:  # a robot that is only moved out of the way has none
                try:
                    write_pddl(graph, team[name], own.goal, within(Path(pddl_folder), name))
                except PlanningError as error:  # the plan is what was asked for, and there is one
                    _log.warning("%s: %s", name, error)
