"""What the console works on: the map and the team as they are now, kept for each mission that begins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from commonground.live.folders import ROBOTS, SCENE
from commonground.planning.mission.mission import Mission
from commonground.planning.team.check import AWAY
from commonground.planning.team.world import scene_after
from commonground.robots import Team, save_team
from commonground.scene import SceneGraph, save_scene


def keep_world(folder: Path, graph: SceneGraph, team: Team) -> None:
    """Write the map (without its mesh) and the team where a mission looks for them."""
    folder.mkdir(parents=True, exist_ok=True)
    save_scene(replace(graph, mesh=None), folder / SCENE)
    save_team(team, folder / ROBOTS)


def team_after(team: Team, mission: Mission) -> Team:
    """Return the team where its robots stood when a mission ended."""
    robots = {}
    for robot in team:
        pose = robot.T_map_robot.copy()
        pose[:3, 3] = mission.crew[robot.name].position
        robots[robot.name] = replace(robot, T_map_robot=pose)
    return Team(robots)


def graph_after(graph: SceneGraph, mission: Mission) -> SceneGraph:
    """Return the map with things where a mission found them or put them."""
    belief = mission.belief
    lies = {thing: place for thing, place in belief.state.lies.items() if place != AWAY}
    after = scene_after(belief.graph, belief.layer, lies, belief.state.safe)
    return replace(after, mesh=graph.mesh)
