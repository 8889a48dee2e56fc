"""A checker that reads a plan's JSON alone: it samples distances and replays who has which thing when."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph
from teams.scenes import IN_AIR_M, layer_of

STEP_S = 0.02
TOLERANCE_M = 2e-3
BESIDE_M = 0.5
RIM_M = 0.03
"""The ground is taken to reach so far beyond outlines."""


def faults(
    graph: SceneGraph,
    team: Team,
    goals: dict[str, str],
    plan: dict[str, Any],
    to_rim_m: Callable[[Floats], float] | None = None,
) -> list[str]:
    """Return what is wrong with a plan's JSON: distances by sampling, things by replay, ends by the goals.

    ``to_rim_m`` tells how near a track (3, t) comes to the rim; without it the cells of the scene do.
    """
    told = plan["robots"]
    until = max((a["end_s"] for actions in told.values() for a in actions), default=0.0)
    clock = np.arange(0.0, until + STEP_S, STEP_S)
    tracks, found = {}, []
    for robot in team:
        times, points = [0.0], [robot.position]
        for action in told.get(robot.name, []):
            line = np.array(action["path_map"])
            gone = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
            share = gone / max(gone[-1], 1e-9)
            times += (action["start_s"] + share * (action["end_s"] - action["start_s"])).tolist()
            points += list(line)
        track = np.stack([np.interp(clock, times, np.array(points)[:, c]) for c in range(3)])
        tracks[robot.name] = track
        fastest = np.linalg.norm(np.diff(track), axis=0).max(initial=0.0) / STEP_S
        if fastest > 1.05 * robot.speed_mps:
            found.append(f"speed: {robot.name} drives at {fastest:.2f} m/s")
        if np.ptp(track[2]) > IN_AIR_M / 2:
            found.append(f"ground: {robot.name} flies")
        rim_m = to_rim_m(track) if to_rim_m else _to_cells_m(graph, track)
        off_m = robot.radius_m - rim_m
        if off_m > RIM_M:
            found.append(f"ground: {robot.name} reaches {off_m:.3f} m beyond the rim")
    for a, b in itertools.combinations(tracks, 2):
        meters = float(np.linalg.norm((tracks[a] - tracks[b])[:2], axis=0).min())
        if meters < team[a].radius_m + team[b].radius_m - TOLERANCE_M:
            found.append(f"distance: {a} and {b} {meters:.3f} m apart")
    return found + _replayed(graph, team, goals, told)


def _to_cells_m(graph: SceneGraph, track: Floats) -> float:
    """Return how near a track comes to cells that are no part of the scene, where outlines tell them.

    Beside things it may: plans end at the very point where a thing lies.
    """
    if not graph.has("surface_places") or graph.surface_places.boundaries is None:
        return math.inf
    cells = {(round(x), round(y)) for x, y, _ in graph.surface_places.positions}
    around = {(x + i, y + j) for x, y in cells for i in (-1, 0, 1) for j in (-1, 0, 1)} - cells
    things = np.linalg.norm(track.T[:, None] - graph.objects.positions, axis=2).min(axis=1)
    gaps = np.abs(track[:2, things > BESIDE_M].T[:, None] - np.array(sorted(around))) - 0.5
    return float(np.linalg.norm(np.maximum(gaps, 0.0), axis=2).min(initial=math.inf))


def _replayed(
    graph: SceneGraph, team: Team, goals: dict[str, str], told: dict[str, Any]
) -> list[str]:
    """Replay who handles which thing when."""
    position = {f"O{k}": p for k, p in enumerate(graph.objects.positions[:, :2])}
    put, held, safe, found = {}, {}, set(), []
    steps = sorted(
        (a["start_s"] if a["action"] == "pick" else a["end_s"], name, k)
        for name, actions in told.items()
        for k, a in enumerate(actions)
        if a["action"] in ("pick", "place", "inspect")
    )
    for _, name, k in steps:
        action = told[name][k]
        here = np.array(action["path_map"][0][:2])
        thing = action.get("item") or action["target"]
        if action["action"] == "place":
            if held.pop(thing, "") != name:
                found.append(f"possession: {name} places {thing} without having it")
            position[thing], put[thing] = here, action["target"]
            continue
        if thing in held or np.linalg.norm(position[thing] - here) > 2.5:
            found.append(f"possession: {name} finds no {thing} to {action['action']}")
        if action["action"] == "pick":
            held[thing] = name
            put[thing] = ""
        else:
            safe.add(thing)
    return found + [
        f"goal: {name} {goal}"
        for name, goal in goals.items()
        if not _reached(goal, End(graph, team[name], told.get(name, []), put, held, safe))
    ]


class End(NamedTuple):
    """What is true in the end for a robot."""

    graph: SceneGraph
    robot: Robot
    actions: list[dict[str, Any]]
    put: dict[str, str]
    held: dict[str, str]
    safe: set[str]


def _reached(goal: str, end: End) -> bool:
    """Return whether every fact of a goal is true, and none that it forbids."""
    facts = re.findall(r"(\(not )?\(([^\s()]+) ([^\s()]+)(?: ([^\s()]+))?\)", goal)
    return all(_true(words, end) != bool(no) for no, *words in facts)


def _true(words: list[str], end: End) -> bool:
    """Return whether a fact, as words, is true."""
    layer = layer_of(end.graph)
    places = end.graph.layers[layer]
    if words[0] == "safe":
        return words[1] in end.safe
    if words[0] == "holding":
        return end.held.get(words[1]) == end.robot.name
    if words[0] == "object-in-place":
        host = places.symbols[end.graph.parents("objects", layer)[int(words[1][1:])]]
        return end.put.get(words[1], host) == words[2]
    gaps = np.linalg.norm(places.positions - end.robot.position, axis=1)
    if words[0] == "at-place" and end.actions:
        last = places.positions - end.actions[-1]["path_map"][-1]
        meters = np.linalg.norm(last, axis=1)
        if meters[places.symbols.index(words[1])] > meters.min() + TOLERANCE_M:
            return False
    been = [places.symbols[int(gaps.argmin())], *(p for a in end.actions for p in a["places"])]
    return words[1] in (been[-1:] if words[0] == "at-place" else been)
