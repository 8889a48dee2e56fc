"""Made-up missions: random goals for one to four robots on a made-up site, and what goes wrong, by seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import from_xyz_yaw
from commonground.planning.robots.faults import KINDS, Fault
from commonground.planning.robots.protocol import Point
from commonground.planning.scene.sites import make_site
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

HANDS = frozenset({"goto", "inspect", "pick", "place"})
EYES = frozenset({"goto", "inspect"})
APART_M = 3.0
"""Robots start so far from each other."""
BRIEF = {"lost": 15.0, "link": 12.0, "stuck": 8.0, "slow": 40.0}
"""How long what passes lasts, about."""


class MadeUp(NamedTuple):
    """A mission to be carried out, and what will go wrong."""

    graph: SceneGraph
    team: Team
    goals: Mapping[str, str]
    faults: tuple[Fault, ...]


def make_mission(seed: int, places: int = 250, objects: int = 16, most_faults: int = 3) -> MadeUp:
    rng = np.random.default_rng([seed, places])
    graph, _ = make_site(places, objects, rng)
    team = _team(graph.surface_places.positions, int(rng.integers(1, 5)), rng)
    goals = _goals(graph, team, rng)
    count = int(rng.integers(0, most_faults + 1))
    return MadeUp(graph, team, goals, tuple(_fault(graph, team, rng) for _ in range(count)))


def _team(at: Floats, count: int, rng: np.random.Generator) -> Team:
    rows: list[int] = []
    for row in rng.permutation(len(at)).tolist():
        if all(np.linalg.norm(at[row] - at[other]) > APART_M for other in rows):
            rows.append(row)
    robots = {}
    for k, row in enumerate(rows[:count]):
        skills = HANDS if k == 0 or rng.random() < 0.7 else EYES
        speed = float(rng.choice([0.8, 1.0, 1.5]))
        pose = from_xyz_yaw([*at[row].tolist(), 0.0])
        robots[f"robot{k}"] = Robot(f"robot{k}", pose, skills, speed_mps=speed)
    return Team(robots)


def _goals(graph: SceneGraph, team: Team, rng: np.random.Generator) -> dict[str, str]:
    """Return a goal for each robot: what to inspect, bring and visit, and where not to go."""
    things = [graph.objects.symbols[k] for k in rng.permutation(len(graph.objects))]
    return {robot.name: _goal(graph, robot, things, rng) for robot in team}


def _goal(graph: SceneGraph, robot: Robot, things: list[str], rng: np.random.Generator) -> str:
    """Return the goal of one robot; no two robots' goals are about one thing."""
    places, regions = graph.surface_places.symbols, graph.regions.symbols
    region = graph.ancestors("surface_places", "regions")
    taken = {int(region[graph.nearest("surface_places", robot.position)[1][0, 0]])}
    kinds = ["safe", "visited-place", "visited-region"]
    kinds += ["object-in-place"] * 2 * robot.can("pick")
    parts = []
    for _ in range(int(rng.integers(1, 4))):
        kind = kinds[int(rng.integers(len(kinds)))]
        place, area = int(rng.integers(len(places))), int(rng.integers(len(regions)))
        words = {"visited-place": places[place], "visited-region": regions[area]}
        if kind in words:
            parts.append(f"({kind} {words[kind]})")
            taken.add(area if kind == "visited-region" else int(region[place]))
            continue
        thing = things.pop()
        host = int(graph.parents("objects", "surface_places")[graph.objects.row(thing)])
        taken |= {int(region[host]), int(region[place])}
        to = f" {places[place]}" if kind == "object-in-place" else ""
        parts.append(f"({kind} {thing}{to})")
    free = [symbol for k, symbol in enumerate(regions) if k not in taken]
    if free and rng.random() < 0.4:
        parts.append(f"(not (visited-region {free[int(rng.integers(len(free)))]}))")
    return f"(and {' '.join(parts)})"


def _fault(graph: SceneGraph, team: Team, rng: np.random.Generator) -> Fault:
    kind = KINDS[int(rng.integers(len(KINDS)))]
    robot = list(team.robots)[int(rng.integers(len(team)))]
    thing = graph.objects.symbols[int(rng.integers(len(graph.objects)))]
    at_s = float(rng.uniform(0.0, 60.0))
    points = graph.surface_places.positions
    if kind == "blocked":
        a, b = graph.surface_places.edges.rows[int(rng.integers(len(graph.surface_places.edges)))]
        return Fault(kind, position=_point((points[a] + points[b]) / 2), size_m=0.5)
    if kind in ("missing", "moved"):
        near = np.linalg.norm(points - graph.position(thing), axis=1)
        rows = np.flatnonzero((near > 1.0) & (near < 8.0))
        to = _point(points[int(rng.choice(rows))]) if kind == "moved" else None
        return Fault(kind, thing=thing, at_s=at_s if rng.random() < 0.5 else 0.0, position=to)
    if kind == "grasp":
        return Fault(kind, robot=robot, times=int(rng.integers(1, 6)))
    lasts_s = float("inf")
    if kind in BRIEF and rng.random() < 0.7:
        lasts_s = BRIEF[kind] * float(rng.uniform(0.5, 1.5))
    return Fault(kind, robot=robot, at_s=at_s, lasts_s=lasts_s)


def _point(at: Floats) -> Point:
    return (float(at[0]), float(at[1]), float(at[2]))
