"""What is true at the end of a simulated mission, and whether what was not reached could have been.

From the world's record and its faults alone; what the mission believed plays no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.planning.mission.obstacles import Obstacle, handled_from_places, with_obstacles
from commonground.planning.mission.remaining import parts_of
from commonground.planning.pddl import FALSE, And, Formula, nnf, to_pddl
from commonground.planning.result import Status
from commonground.planning.robots.simulated import SimRobot, SimWorld
from commonground.planning.scene.execution import Execution, holds
from commonground.planning.scene.footing import place_at, place_layer
from commonground.planning.scene.goal import literals, parse_goal, with_what_is_there
from commonground.planning.scene.precedence import TEAM
from commonground.planning.scene.vocabulary import done_by, is_result
from commonground.planning.team.planner import plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.planning.team.world import scene_after, things_in
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.symbols import symbol_of

PASSED_M = 0.3
"""A robot was at a place when it came so near to it."""


def unreached(
    graph: SceneGraph, team: Team, goals: Mapping[str, str], world: SimWorld
) -> list[tuple[str, Formula]]:
    """Return the parts of robots' goals that are not true at the end.

    Where a robot was told to be, it has to have been itself; what is as good whoever does it, anybody.
    """
    ends = {r.name: _execution(graph, world, r.name) for r in team}
    return [
        (name, part)
        for name, text in goals.items()
        for part in parts_of(nnf(parse_goal(text, graph)))[0]
        if not any(holds(part, ends[one]) for one in _whose(name, part, ends))
    ]


def _whose(name: str, part: Formula, robots: Iterable[str]) -> list[str]:
    """Return the robots that can fulfill a part of a robot's goal."""
    result = all(is_result(x.predicate) for x in literals(part) if x.positive)
    return list(robots) if result or name not in robots else [name]


def still_possible(
    graph: SceneGraph, goals: Mapping[str, str], world: SimWorld, name: str, part: Formula
) -> bool:
    """Return whether a robot that works could still reach a part of a robot's goal from how it all ended.

    Each robot avoids what its own goal and the team's tell it to avoid.
    """
    layer = place_layer(graph)
    works = {r.name: r for r in world.robots.values() if _works(world, r)}
    holders = {r.holding: r for r in works.values() if r.holding in graph.objects.symbols}
    now, lies = _as_it_is(graph, world, holders)
    if things_in(part) & (set(graph.objects.symbols) - set(now.objects.symbols)):
        return False
    stands = _standing(world, works)
    held = [holders[t] for t in sorted(things_in(part) & holders.keys())]
    if held and _lies_there(part, lies):
        return True
    # what one holds, none of the others can take
    for robot in _among(held or list(works.values()), _whose(name, part, world.robots)):
        goal = to_pddl(And((part, *_avoided(graph, goals, robot.name))))
        if _grips(world, robot, part) and _reaches(now, layer, robot, stands, goal):
            return True
    return False


def _avoided(graph: SceneGraph, goals: Mapping[str, str], name: str) -> list[Formula]:
    """Return what a robot avoids."""
    told = [nnf(parse_goal(goals[one], graph)) for one in (name, TEAM) if one in goals]
    return [ban for one in told for ban in parts_of(one)[1]]


def _among(robots: Sequence[SimRobot], names: Sequence[str]) -> list[SimRobot]:
    return [robot for robot in robots if robot.name in names]


def _as_it_is(
    graph: SceneGraph, world: SimWorld, holders: Mapping[str, SimRobot]
) -> tuple[SceneGraph, dict[str, str]]:
    """Return the scene at the end, what is held at the feet of its holder, and the places of things."""
    layer, things = place_layer(graph), graph.objects.symbols
    lies = {t: place_at(graph, layer, at) for t, at in world.lies.items() if t in things}
    lies |= {t: place_at(graph, layer, r.position) for t, r in holders.items()}
    now = scene_after(graph, layer, lies)
    return now.take("objects", np.isin(things, list(lies))), lies


def _reaches(
    now: SceneGraph, layer: str, robot: SimRobot, stands: Sequence[Obstacle], goal: str
) -> bool:
    """Return whether a robot alone could reach a goal."""
    radius = robot.body.radius_m
    scene, _ = handled_from_places(now, layer, stands, radius)
    here = place_at(now, layer, robot.position)
    scene = with_obstacles(scene, layer, stands, radius, [here], known=now.objects)
    pose = robot.body.T_map_robot.copy()
    pose[:3, 3] = robot.position
    alone = Team({robot.name: replace(robot.body, T_map_robot=pose)})
    wanted = with_what_is_there(nnf(parse_goal(goal, now)), scene)
    return wanted != FALSE and _solved(scene, alone, robot.name, to_pddl(wanted))


def _lies_there(part: Formula, lies: Mapping[str, str]) -> bool:
    """Return whether all things of a part would be where they should be if they were put down now."""
    found = list(literals(part))
    return all(x.predicate == "object-in-place" and lies.get(x.args[0]) == x.args[1] for x in found)


def _standing(world: SimWorld, works: Mapping[str, SimRobot]) -> list[Obstacle]:
    """Return what stands around besides the map's things."""
    robots = [
        Obstacle(_xyz(r), r.body.radius_m + 0.07)
        for r in world.robots.values()
        if r.name not in works
    ]
    return robots + [
        Obstacle(f.position, f.size_m / 2)
        for f in world.faults
        if f.kind == "blocked" and f.position is not None
    ]


def _solved(graph: SceneGraph, team: Team, name: str, goal: str) -> bool:
    return plan_scene(graph, team, {name: goal}, watch=WorkWatch()).status is Status.SOLVED


def _works(world: SimWorld, robot: SimRobot) -> bool:
    return not any(world.active(k, robot.name) for k in ("battery", "lost", "link", "stuck"))


def _grips(world: SimWorld, robot: SimRobot, part: Formula) -> bool:
    """Return whether a robot's gripper works, as far as a part of a goal needs it."""
    return not things_in(part, "holding", "object-in-place") or not world.grip_fails(robot.name)


def _xyz(robot: SimRobot) -> tuple[float, float, float]:
    x, y, z = robot.position.tolist()
    return (x, y, z)


def _execution(graph: SceneGraph, world: SimWorld, name: str) -> Execution:
    """Return what one robot did, from the world's record."""
    layer = place_layer(graph)
    track = np.array([m.position for m in world.moments if m.robot == name])
    meters, rows = graph.nearest(layer, track)
    passed = rows[:, 0][meters[:, 0] < PASSED_M].tolist()
    places = [symbol_of(int(graph.layers[layer].ids[row])) for row in passed]
    own = [d for d in world.deeds if d.robot == name]
    return Execution(
        graph,
        layer,
        places=places or [place_at(graph, layer, track[0])],
        objects={d.thing for d in own},
        deeds={(d.kind, d.thing) for d in world.deeds if d.kind in done_by().values()},
        lies={
            t: place_at(graph, layer, at)
            for t, at in world.lies.items()
            if t in graph.objects.symbols
        },
        holding=world.robots[name].holding,
        driven=[track],
    )
