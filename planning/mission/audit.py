"""An independent check of what was driven: from the world's own record, sharing nothing with the loop.

Looks at where robots were and what they did, not at what anybody planned or believed.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.pddl import nnf
from commonground.planning.robots.protocol import Point
from commonground.planning.scene.footing import place_layer
from commonground.planning.scene.goal import literals, parse_goal
from commonground.planning.scene.keep_out import KeepOut, keep_out, whole_regions
from commonground.robots import Team
from commonground.scene import Layer, SceneGraph

TOUCH_M = 1e-3
"""Distances are exact to a millimeter."""
OFF_WAY_M = 0.3
"""A robot this near to a way that it may use is on that way."""
BESIDE = 3
"""A thing is reached from one of so many nearest places."""
SPEED = 1.01


class Seen(NamedTuple):
    """What the world noted of one robot at one time."""

    time_s: float
    robot: str
    position: Point
    holding: str


class Handled(NamedTuple):
    """What the world noted of one deed."""

    time_s: float
    robot: str
    kind: str
    thing: str
    position: Point


class Fault(NamedTuple):
    """Something that must not happen, and did."""

    kind: str
    """distance, keep-out, possession or speed."""
    time_s: float
    what: str


def audit(
    graph: SceneGraph,
    team: Team,
    goals: Mapping[str, str],
    moments: Sequence[tuple[float, str, Point, str]],
    deeds: Sequence[tuple[float, str, str, str, Point]],
) -> list[Fault]:
    """Return all that was wrong in what was driven; ``goals`` are those that the mission began with."""
    seen = [Seen(*m) for m in moments]
    times = np.unique([m.time_s for m in seen])
    tracks = {r.name: _track([m for m in seen if m.robot == r.name], times) for r in team}
    found = [
        *_too_near(team, times, tracks),
        *_too_fast(team, times, tracks),
        *_in_forbidden(graph, team, goals, times, tracks),
        *_possessions([Handled(*d) for d in deeds], seen),
    ]
    return sorted(found, key=lambda f: f.time_s)


def _track(seen: Sequence[Seen], times: Floats) -> Floats:
    """Return where a robot was (n, 3) at each time."""
    own = np.array([m.time_s for m in seen])
    points = np.array([m.position for m in seen], float).reshape(-1, 3)
    return np.stack([np.interp(times, own, points[:, c]) for c in range(3)], axis=1)


def _too_near(team: Team, times: Floats, tracks: Mapping[str, Floats]) -> list[Fault]:
    """Return pairs that came nearer than their radii, linear between the moments."""
    found = []
    for a, b in itertools.combinations(tracks, 2):
        gap = (tracks[a] - tracks[b])[:, :2]
        step = np.diff(gap, axis=0, append=gap[-1:])
        share = -(gap * step).sum(axis=1) / np.maximum((step**2).sum(axis=1), 1e-18)
        least = np.linalg.norm(gap + np.clip(share, 0.0, 1.0)[:, None] * step, axis=1)
        k = int(least.argmin())
        needed = team[a].radius_m + team[b].radius_m
        if least[k] < needed - TOUCH_M:
            what = f"{a} and {b} are {least[k]:.2f} m apart, {needed:.2f} m are needed"
            found.append(Fault("distance", float(times[k]), what))
    return found


def _too_fast(team: Team, times: Floats, tracks: Mapping[str, Floats]) -> list[Fault]:
    found = []
    for name, track in tracks.items():
        meters = np.linalg.norm(np.diff(track, axis=0), axis=1)
        allowed = team[name].speed_mps * np.diff(times) * SPEED + TOUCH_M
        for k in np.flatnonzero(meters > allowed)[:1]:
            what = f"{name} drives {meters[k]:.2f} m in {times[k + 1] - times[k]:.2f} s"
            found.append(Fault("speed", float(times[k]), what))
    return found


def _in_forbidden(
    graph: SceneGraph,
    team: Team,
    goals: Mapping[str, str],
    times: Floats,
    tracks: Mapping[str, Floats],
) -> list[Fault]:
    """Return robots that left the ways between places which they may visit, or entered a banned region."""
    layer = graph.layers[place_layer(graph)]
    regions, found = np.full(len(layer), -1, np.int64), list[Fault]()
    if graph.has("regions"):
        regions = graph.ancestors(place_layer(graph), "regions")
    for name, track in tracks.items():
        shut: Bools = np.zeros(len(layer), bool)
        for text in (goals[n] for n in (name, "team") if n in goals):
            shut |= _forbidden(graph, text)
        if not shut.any():
            continue
        ways = np.concatenate([_open_ways(layer, shut), _ways_to_things(graph, shut)])
        nearest = graph.nearest(place_layer(graph), track)[1][:, 0]
        near = np.flatnonzero(shut[nearest]).tolist()
        off = (k for k in near if _meters_to(track[k], ways) > OFF_WAY_M)
        entered = _entered(keep_out(layer, whole_regions(shut, regions)), track)
        for k in sorted([*itertools.islice(off, 1), *entered[:1]])[:1]:
            x, y, _ = track[k].tolist()
            what = f"{name} is at ({x:.1f}, {y:.1f}), where it must not be"
            found.append(Fault("keep-out", float(times[k]), what))
    return found


def _entered(ground: KeepOut | None, track: Floats) -> list[int]:
    """Return when a robot was on ground to keep out of, but for where it began and until it was out of it."""
    inside = np.zeros(len(track), bool) if ground is None else ground.holds(track)
    left = np.logical_or.accumulate(~inside)
    return list(np.flatnonzero(inside & left).tolist())


def _open_ways(layer: Layer, shut: Bools) -> Floats:
    """Return the ways (m, 2, 3) between places that may be visited."""
    rows = layer.edges.rows
    return np.asarray(layer.positions[rows[~shut[rows].any(axis=1)]], float)


def _ways_to_things(graph: SceneGraph, shut: Bools) -> Floats:
    """Return the ways (m, 2, 3) from places that may be visited to the things beside them."""
    name = place_layer(graph)
    at = graph.objects.positions
    _, rows = graph.nearest(name, at, BESIDE)
    thing, k = np.nonzero((rows >= 0) & ~shut[rows])
    return np.stack([graph.layers[name].positions[rows[thing, k]], at[thing]], axis=1)


def _forbidden(graph: SceneGraph, text: str) -> Bools:
    """Return which places (n,) a goal forbids."""
    name = place_layer(graph)
    layer = graph.layers[name]
    shut: Bools = np.zeros(len(layer), bool)
    for literal in literals(nnf(parse_goal(text, graph))):
        if literal.positive:
            continue
        if literal.predicate == "visited-region":
            shut |= graph.in_region(name, literal.args[0])
        elif literal.predicate == "visited-place":
            shut[layer.row(literal.args[0])] = True
    return np.array(shut, bool)


def _meters_to(point: Floats, ways: Floats) -> float:
    """Return meters from a point (3,) to the nearest straight way (m, 2, 3)."""
    a, along = ways[:, 0, :2], ways[:, 1, :2] - ways[:, 0, :2]
    length2 = np.maximum((along**2).sum(axis=1), 1e-18)
    share = np.clip(((point[:2] - a) * along).sum(axis=1) / length2, 0.0, 1.0)
    gap = np.linalg.norm(a + share[:, None] * along - point[:2], axis=1)
    return float(gap.min(initial=np.inf))


def _possessions(deeds: Sequence[Handled], seen: Sequence[Seen]) -> list[Fault]:
    """Return things in two grippers, grippers with two things, and things put down by who has them not."""
    found = []
    holder: dict[str, str] = {}
    for deed in sorted(deeds, key=lambda d: d.time_s):
        what = _grip_fault(deed, holder)
        if what:
            found.append(Fault("possession", deed.time_s, what))
        if deed.kind == "pick":
            holder[deed.thing] = deed.robot
        elif deed.kind == "place":
            holder.pop(deed.thing, None)
    for time_s, moments in itertools.groupby(seen, key=lambda m: m.time_s):
        held = [m.holding for m in moments if m.holding]
        if len(held) != len(set(held)):
            found.append(Fault("possession", time_s, f"two robots hold one of {sorted(set(held))}"))
    return found


def _grip_fault(deed: Handled, holder: Mapping[str, str]) -> str:
    """Return what is wrong with a deed, given who holds what; '' for nothing."""
    if deed.kind == "place" and holder.get(deed.thing) != deed.robot:
        return f"{deed.robot} puts down {deed.thing}, which it does not hold"
    if deed.kind == "pick" and deed.thing in holder:
        return f"{deed.robot} takes {deed.thing}, which {holder[deed.thing]} holds"
    if deed.kind == "pick" and deed.robot in holder.values():
        return f"{deed.robot} takes {deed.thing} with something in its gripper"
    return ""
