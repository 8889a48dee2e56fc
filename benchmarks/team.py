"""Random goals of teams of two to eight robots: solved, violations by an independent checker, time.

    python benchmarks/team.py [--cases 100] [--seed 0] [--kind field]

Fields, crowds, corridors with bays and rings, with shared things, with and without outlines. The checker
reads a plan's JSON alone: it samples distances densely and replays who has which thing when. ``--scale``
measures one team at a given number of places instead: ``--scale 4 2000``. ``--best`` compares
small teams that only drive with the least makespan there is. ``--contested`` asks robots for one thing:
what no order can satisfy has to be refused by name, the rest ordered or handed over. ``--handed`` has
things that no robot brings all the way. ``--wide`` has robots that get past each other side by side.
"""

from __future__ import annotations

import argparse
import itertools
import math
import re
import statistics
import time
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import from_xyz_yaw
from commonground.planning import plan_scene
from commonground.planning.scene.sites import make_site
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, PLACES, SURFACE_PLACES
from commonground.symbols import node_ids

KINDS = ("field", "crowd", "corridor", "ring")
ABLE = frozenset({"goto", "inspect", "pick", "place"})
STEP_S = 0.02
TOLERANCE_M = 2e-3
IN_AIR_M = 2.5
DEEDS = 4
"""What a robot does on the average before it is asked to do the like."""
ROOM_M = 0.06
AVOIDING = 0.3
"""Share of the robots that avoid a place."""
BESIDE_M = 0.5
RIM_M = 0.03
"""The ground is taken to reach so far beyond outlines."""


def drawn(
    cells: set[tuple[int, int]], rng: np.random.Generator, things: int, plain: bool = False
) -> SceneGraph:
    """Return a scene with a place in each cell, linked to its four neighbors.

    Places are not quite in the middle of their cells. Outlines or clearances tell how wide the ground is, or
    nothing does; a graph of 3D places has some in the air as well.
    """
    corner = [[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]]
    middle = np.array([[float(x), float(y), 0.0] for x, y in sorted(cells)])
    form = "bare" if plain else ("bare", "outlines", "3D")[rng.integers(3)]
    off_m = 0.0 if plain else float(rng.choice([0.0, 0.0, 0.1]))
    at = middle + np.pad(rng.uniform(-off_m, off_m, (len(middle), 2)), ((0, 0), (0, 1)))
    known = {cell: k for k, cell in enumerate(sorted(cells))}
    links = [
        (k, known[q]) for (x, y), k in known.items() for q in ((x + 1, y), (x, y + 1)) if q in known
    ]
    points, columns = at, {}
    if form == "3D":
        air = rng.choice(len(at), 3, replace=False)
        points = np.r_[at, at[air] + [0.0, 0.0, IN_AIR_M]]
        links += [(int(k), len(at) + j) for j, k in enumerate(air)]
        links += [(len(at) + i, len(at) + j) for i, j in ((0, 1), (1, 2))]
        columns = {"clearance_m": np.full(len(points), 0.45)}
    kind = PLACES if form == "3D" else SURFACE_PLACES
    places = Layer.of(
        kind,
        node_ids("p" if form == "3D" else "P", np.arange(len(points))),
        points,
        edges=Edges.of(links),
        columns=columns,
        boundaries=Ragged.of([p + corner for p in middle]) if form == "outlines" else None,
    )
    hosts = rng.choice(len(at), things, replace=False)
    objects = Layer.of(OBJECTS, node_ids("O", np.arange(things)), at[hosts] + [0.0, 0.2, 0.0])
    name = "places" if form == "3D" else "surface_places"
    graph = SceneGraph(layers={name: places, "objects": objects})
    return graph.with_links("objects", name, list(enumerate(hosts)))


def cells_of(kind: str, rng: np.random.Generator) -> set[tuple[int, int]]:
    """Return the cells of a kind of scene."""
    if kind == "field":
        return set(itertools.product(range(12), range(12)))
    if kind == "crowd":
        return set(itertools.product(range(6), range(6)))
    length = int(rng.integers(8, 16))
    cells = {(x, 0) for x in range(length)}
    if kind == "ring":
        return (
            cells
            | {(x, 3) for x in range(length)}
            | {(x, y) for x in (0, length - 1) for y in (1, 2)}
        )
    for x in rng.choice(length, int(rng.integers(1, 4)), replace=False):
        cells |= {(int(x), 1), (int(x), 2)}
    return cells


def case(kind: str, rng: np.random.Generator) -> tuple[SceneGraph, Team, dict[str, str]]:
    """Return a random scene, a team of unlike robots, and goals that are surely within its reach."""
    cells = cells_of(kind, rng)
    graph = drawn(cells, rng, 4)
    places = graph.layers[_layer(graph)]
    most = {"field": 9, "crowd": 9, "corridor": 4, "ring": 6}[kind]
    count = int(rng.integers(2, most))
    starts = rng.choice(len(cells), count, replace=False)
    team = Team(
        {
            f"r{k}": Robot(
                f"r{k}",
                from_xyz_yaw([*places.positions[row], 0.0]),
                ABLE,
                radius_m=float(rng.choice([0.15, 0.25, 0.35])),
                speed_mps=float(rng.choice([0.5, 1.0, 1.5])),
            )
            for k, row in enumerate(starts)
        }
    )
    return graph, team, Lives(graph, team, starts.tolist(), len(cells), rng).goals()


def _layer(graph: SceneGraph) -> str:
    return "places" if graph.has("places") else "surface_places"


class Lives:
    """Robots that wander about, one at a time, and do things: what comes of it is what they are asked to do.

    Nobody comes too near anybody who stands, so that a plan surely exists.
    """

    def __init__(
        self,
        graph: SceneGraph,
        team: Team,
        starts: list[int],
        ground: int,
        rng: np.random.Generator,
    ) -> None:
        self.graph, self.team, self.rng = graph, list(team), rng
        layer = _layer(graph)
        self.at = graph.layers[layer].positions[:ground]
        self.symbols = graph.layers[layer].symbols
        self.next = [
            [int(q) for q in graph.neighbors(layer, p) if q < ground] for p in range(ground)
        ]
        self.lies = graph.parents("objects", layer).tolist()
        self.points = [np.asarray(p) for p in graph.objects.positions]
        self.stands = list(starts)
        self.shut = [
            int(rng.integers(ground)) if rng.random() < AVOIDING else -1 for _ in self.team
        ]
        self.shut = [p if p != start else -1 for p, start in zip(self.shut, starts, strict=True)]
        self.seen = [{start} for start in starts]
        self.holds: list[int] = [-1 for _ in self.team]
        self.did: list[dict[str, str]] = [{} for _ in self.team]

    def goals(self) -> dict[str, str]:
        """Return what the robots have come to after a while."""
        for _ in range(DEEDS * len(self.team)):
            self._live(int(self.rng.integers(len(self.team))))
        goals = {}
        for k, robot in enumerate(self.team):
            facts = [f"(at-place {self.symbols[self.stands[k]]})"] * 3
            facts += [f"(visited-place {self.symbols[int(self.rng.choice(sorted(self.seen[k])))]})"]
            facts += sorted(self.did[k].values())
            asked = self.rng.choice(facts, int(self.rng.integers(3)))
            if len(asked):
                avoided = self.shut[k]
                told = [] if avoided < 0 else [f"(not (visited-place {self.symbols[avoided]}))"]
                goals[robot.name] = f"(and {' '.join([*dict.fromkeys(asked.tolist()), *told])})"
        return goals

    def _live(self, k: int) -> None:
        """Let a robot drive to a place or to a thing, and do something there."""
        thing = int(self.rng.integers(len(self.lies)))
        carries = self.holds[k] >= 0
        around = self._within_reach(k)
        if carries or self.lies[thing] not in around or self.rng.random() < 0.3:
            self._arrive(k, around, int(self.rng.choice(sorted(around))))
            if carries and self.rng.random() < 0.8:
                thing, self.holds[k] = self.holds[k], -1
                self.lies[thing], self.points[thing] = self.stands[k], self.at[self.stands[k]]
                self._did(k, thing, f"(object-in-place O{thing} {self.symbols[self.stands[k]]})")
            return
        if not self._free(k, self.at[self.lies[thing]], self.points[thing]):
            return
        self._arrive(k, around, self.lies[thing])
        if self.rng.random() < 0.5:
            self.did[k][f"safe {thing}"] = f"(safe O{thing})"
        else:
            self.lies[thing], self.holds[k] = -1, thing
            self._did(k, thing, f"(holding O{thing})")

    def _did(self, k: int, thing: int, fact: str) -> None:
        """Note where a thing is now; what was said of it before is no longer so."""
        for told in self.did:
            told.pop(f"moved {thing}", None)
        self.did[k][f"moved {thing}"] = fact

    def _within_reach(self, k: int) -> dict[int, int]:
        """Return the places a robot can get to, and for each the one before it."""
        before, front = {self.stands[k]: -1}, [self.stands[k]]
        for p in front:
            for q in self.next[p]:
                if q not in before and q != self.shut[k] and self._free(k, self.at[p], self.at[q]):
                    before[q] = p
                    front.append(q)
        return before

    def _arrive(self, k: int, before: dict[int, int], place: int) -> None:
        self.stands[k] = place
        while place >= 0:
            self.seen[k].add(place)
            place = before[place]

    def _free(self, k: int, a: Floats, b: Floats) -> bool:
        """Return whether a robot may drive from a to b straight, the others standing where they do."""
        share = np.linspace(0.0, 1.0, 21)[:, None]
        line = (a + share * (b - a))[:, :2]
        return all(
            np.linalg.norm(line - self.at[p, :2], axis=1).min() > r.radius_m + mine + ROOM_M
            for mine in [self.team[k].radius_m]
            for other, (r, p) in enumerate(zip(self.team, self.stands, strict=True))
            if other != k
        )


def wide(rng: np.random.Generator) -> tuple[SceneGraph, Team, dict[str, str], float]:
    """Return a wide corridor that is mapped as one chain of places, a team, goals, and how wide it is.

    Any two robots fit beside one another, and at most two have to end at one place.
    """
    across_m, count = float(rng.uniform(2.0, 5.0)), int(rng.integers(5, 12))
    step_m = float(rng.uniform(0.4, 0.6) * across_m)
    at = np.array([(step_m * k, 0.0, 0.0) for k in range(count)])
    h, w = step_m / 2, across_m / 2
    form = ("outlines", "clearance", "3D")[rng.integers(3)]
    outline = np.array([[-h, -w, 0], [h, -w, 0], [h, w, 0], [-h, w, 0]])
    kind = PLACES if form == "3D" else SURFACE_PLACES
    places = Layer.of(
        kind,
        node_ids("p" if form == "3D" else "P", np.arange(count)),
        at,
        edges=Edges.of([(k, k + 1) for k in range(count - 1)]),
        columns={} if form == "outlines" else {"clearance_m": np.full(count, w)},
        boundaries=Ragged.of([p + outline for p in at]) if form == "outlines" else None,
    )
    graph = SceneGraph(layers={"places" if form == "3D" else "surface_places": places})
    most = min((across_m - 0.3) / 4, 0.45)
    robots = int(rng.integers(2, min(count, 7)))
    starts = rng.choice(count, robots, replace=False)
    ends = rng.choice(np.repeat(np.arange(count), 2), robots, replace=False)
    speeds = rng.choice([0.5, 1.0, 1.5], robots)
    radii = rng.uniform(0.15, most, robots)
    team = Team(
        {
            f"r{k}": Robot(f"r{k}", from_xyz_yaw([*at[row], 0.0]), ABLE, float(v), float(r))
            for k, (row, v, r) in enumerate(zip(starts, speeds, radii, strict=True))
        }
    )
    goals = {
        f"r{k}": f"(at-place {places.symbols[row]})"
        for k, row in enumerate(ends)
        if k == 0 or rng.random() < 0.7
    }
    return graph, team, goals, across_m


def side_by_side(seed: int, cases: range) -> None:
    """Print how robots get past each other in wide corridors that are mapped as chains of places."""
    ends: Counter[str] = Counter()
    wrong, times = [], []
    for k in cases:
        graph, team, goals, across_m = wide(np.random.default_rng([seed, k, 5]))
        began = time.process_time()
        plan = plan_scene(graph, team, goals, time_limit_s=5.0, watch=WorkWatch())
        times.append(time.process_time() - began)
        ends[str(plan.status)] += 1
        if str(plan.status) != "solved":
            print(f"  case {k}: {plan.status}: {plan.reason}")
            continue
        told = plan.as_json()
        wrong += [f"case {k}: {f}" for f in faults(graph, team, goals, told, across_m)]
    told_ends = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    print(
        f"wide corridors, seed {seed}: {told_ends}; {len(wrong)} violations; CPU median "
        f"{1e3 * statistics.median(times):.0f} ms, most {max(times):.2f} s"
    )
    for line in wrong[:10]:
        print("  ", line)


def faults(
    graph: SceneGraph,
    team: Team,
    goals: dict[str, str],
    plan: dict[str, Any],
    across_m: float = 0.0,
) -> list[str]:
    """Return what is wrong with a plan's JSON: distances by sampling, things by replay, ends by the goals.

    ``across_m`` is the width of a corridor along the x-axis.
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
        rim_m = across_m / 2 - np.abs(track[1]).max() if across_m else _to_rim_m(graph, track)
        off_m = robot.radius_m - rim_m
        if off_m > RIM_M:
            found.append(f"ground: {robot.name} reaches {off_m:.3f} m beyond the rim")
    for a, b in itertools.combinations(tracks, 2):
        meters = float(np.linalg.norm((tracks[a] - tracks[b])[:2], axis=0).min())
        if meters < team[a].radius_m + team[b].radius_m - TOLERANCE_M:
            found.append(f"distance: {a} and {b} {meters:.3f} m apart")
    return found + _replayed(graph, team, goals, told)


def _to_rim_m(graph: SceneGraph, track: Floats) -> float:
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
    layer = _layer(end.graph)
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


def scaled(robots: int, places: int, seed: int) -> None:
    """Print how long one team of visitors takes on a site."""
    rng = np.random.default_rng([seed, robots, places])
    graph, _ = make_site(places, max(10, robots * 2), rng)
    points = graph.surface_places.positions
    starts: list[int] = []
    for row in rng.permutation(len(points)):
        gaps = np.linalg.norm(points[starts] - points[row], axis=1)
        if (gaps > 1.0).all():
            starts.append(int(row))
        if len(starts) == 2 * robots:
            break
    team = Team(
        {
            f"r{k}": Robot(f"r{k}", from_xyz_yaw([*points[row], 0.0]), ABLE)
            for k, row in enumerate(starts[:robots])
        }
    )
    names = graph.surface_places.symbols
    goals = {f"r{k}": f"(at-place {names[row]})" for k, row in enumerate(starts[robots:])}
    for _ in range(2):
        began, cpu = time.perf_counter(), time.process_time()
        plan = plan_scene(graph, team, goals, time_limit_s=20.0)
        wall, used = time.perf_counter() - began, time.process_time() - cpu
    wrong = faults(graph, team, goals, plan.as_json()) if str(plan.status) == "solved" else []
    print(
        f"{robots} robots, {places} places, seed {seed}: {plan.status} {wall:.2f} s ({used:.2f} s of CPU), "
        f"makespan {plan.makespan_s:.1f} s, {len(wrong)} violations {plan.reason}"
    )


def compared(kind: str, seed: int, cases: int) -> None:
    """Print how much later teams arrive than they could, as a search over all joint steps knows it.

    Robots of 0.2 m and 1 m/s that only drive need a second for each step to a neighbor, and never meet but on
    one place or edge.
    """
    ratios, lost = [], 0
    for k in range(cases):
        rng = np.random.default_rng([seed, k, KINDS.index(kind), 7])
        cells = sorted(cells_of("crowd" if kind == "field" else kind, rng))
        cells = cells[: 4 * 6] if kind in ("field", "crowd") else cells
        graph = drawn(set(cells), rng, 1, plain=True)
        count = int(rng.integers(2, 4))
        starts, ends = (rng.choice(len(cells), count, replace=False).tolist() for _ in range(2))
        best = fewest_steps(graph, tuple(starts), tuple(ends))
        if best:
            at = graph.surface_places.positions
            poses = [from_xyz_yaw([*at[row], 0.0]) for row in starts]
            team = Team({f"r{i}": Robot(f"r{i}", p, ABLE, 1.0, 0.2) for i, p in enumerate(poses)})
            goals = {f"r{i}": f"(at-place P{row})" for i, row in enumerate(ends)}
            plan = plan_scene(graph, team, goals, time_limit_s=5.0, watch=WorkWatch())
            if str(plan.status) == "solved":
                ratios.append(plan.makespan_s / best)
            lost += str(plan.status) != "solved"
    print(
        f"{kind:9s} seed {seed}: {len(ratios)} compared, {lost} not solved; makespan to the best: mean "
        f"{np.mean(ratios):.3f}, 95 % at most {np.quantile(ratios, 0.95):.2f}, most {max(ratios):.2f}"
    )


def claims(graph: SceneGraph, team: Team, rng: np.random.Generator) -> tuple[dict[str, str], bool]:
    """Return what some robots want of a thing, and whether no end can give it to all of them."""
    places = graph.layers[_layer(graph)]
    ground = np.flatnonzero(places.positions[:, 2] < IN_AIR_M / 2)
    thing = f"O{rng.integers(4)}"
    spots = [places.symbols[int(row)] for row in rng.choice(ground, 2, replace=False)]
    names = [robot.name for robot in team]
    goals, ends = {}, set()
    for name in rng.permutation(names)[: rng.integers(2, 6)].tolist():
        kind = ("safe", "holding", "object-in-place")[rng.choice(3, p=[0.5, 0.15, 0.35])]
        spot = spots[int(rng.random() < 0.2)]
        goals[name] = (
            f"({kind} {thing} {spot})" if kind == "object-in-place" else f"({kind} {thing})"
        )
        if kind != "safe":
            ends.add(spot if kind == "object-in-place" else name)
    return goals, len(ends) > 1


def contested(kind: str, seed: int, cases: range) -> None:
    """Print how goals for one thing end: refused with who and what, or solved and checked."""
    ends: Counter[str] = Counter()
    wrong = []
    for k in cases:
        rng = np.random.default_rng([seed, k, KINDS.index(kind), 3])
        graph, team, _ = case(kind, rng)
        goals, exclusive = claims(graph, team, rng)
        plan = plan_scene(graph, team, goals, time_limit_s=5.0, watch=WorkWatch())
        ends[f"{'exclusive' if exclusive else 'compatible'} {plan.status}"] += 1
        if str(plan.status) == "solved":
            found = ["solved, which cannot be"] if exclusive else []
            wrong += [f"case {k}: {f}" for f in found + faults(graph, team, goals, plan.as_json())]
        elif exclusive and sum(name in plan.reason for name in goals) < 2:
            wrong.append(f"case {k}: not told who: {plan.reason}")
        elif not exclusive:
            print(f"  {kind} case {k}: {plan.status}: {plan.reason}")
    told = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    print("\n  ".join([f"{kind:9s} seed {seed}: {told}; {len(wrong)} wrong", *wrong[:10]]))


ROOM, PASSAGE = 3, 5
"""Places along a side of a room, and along a passage between two rooms."""


def rooms(rng: np.random.Generator) -> tuple[SceneGraph, Team, dict[str, str], bool]:
    """Return rooms in a row with passages between them, a team, a goal for a thing, and whether it can be.

    In some rooms is a robot that is too large for the passages, and in some passages one that cannot climb
    down from them: things go from hand to hand.
    """
    count, pitch = int(rng.integers(2, 4)), ROOM + PASSAGE
    cells = [(pitch * k + x, y) for k in range(count) for x in range(ROOM) for y in range(ROOM)]
    between = [(pitch * k + ROOM + x, 1) for k in range(count - 1) for x in range(PASSAGE)]
    at = np.array([(x, y, 0.0) for x, y in cells] + [(x, y, 0.2) for x, y in between])
    wide = [x % pitch in (ROOM, pitch - 1) for x, _ in between]
    steps = np.abs(at[:, None, :2] - at[None, :, :2]).sum(axis=2)
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(len(at))),
        at,
        edges=Edges.of([(int(i), int(j)) for i, j in np.argwhere(steps == 1.0) if i < j]),
        columns={"clearance_m": np.r_[np.full(len(cells), 2.0), np.where(wide, 2.0, 0.35)]},
    )
    source, target = rng.choice(count, 2, replace=False).tolist()
    host = cells.index(
        (pitch * source + (0 if source < target else ROOM - 1), int(rng.integers(3)))
    )
    objects = Layer.of(OBJECTS, node_ids("O", [0]), at[[host]] + [0.0, 0.2, 0.0])
    graph = SceneGraph(layers={"surface_places": places, "objects": objects})
    graph = graph.with_links("objects", "surface_places", [(0, host)])
    in_rooms = [k for k in range(count) if rng.random() < 0.9]
    inside = [k for k in range(count - 1) if rng.random() < 0.9]
    stands = {f"big{k}": ((pitch * k + 1, 1, 0.0), 0.6, 0.3) for k in in_rooms}
    stands |= {f"small{k}": ((pitch * k + ROOM + 2, 1, 0.2), 0.25, 0.1) for k in inside}
    team = Team(
        {
            n: Robot(
                n, from_xyz_yaw([*p, 0.0]), ABLE, radius_m=r, max_step_m=step, max_slope_deg=5.0
            )
            for n, (p, r, step) in stands.items()
        }
    )
    low, high = sorted((source, target))
    can = {*range(low, high + 1)} <= {*in_rooms} and {*range(low, high)} <= {*inside}
    place = cells.index((pitch * target + 1, int(rng.choice([0, 2]))))
    asked = [(str(rng.choice([*stands, "team"])), f"(object-in-place O0 P{place})")]
    asked += [(f"big{target}", "(holding O0)")] if target in in_rooms else []
    name, goal = asked[int(rng.integers(len(asked)))]
    return graph, team, {name: goal}, can


def handed(seed: int, cases: range) -> None:
    """Print how goals end for which a thing has to go from hand to hand."""
    ends: Counter[str] = Counter()
    wrong = []
    for k in cases:
        graph, team, goals, can = rooms(np.random.default_rng([seed, k, 4]))
        if not team.robots:
            continue
        plan = plan_scene(graph, team, goals, time_limit_s=5.0, watch=WorkWatch())
        ends[f"{'possible' if can else 'impossible'} {plan.status}"] += 1
        own = {n: goal for n, goal in goals.items() if n != "team"}
        if str(plan.status) == "solved":
            found = [] if can else ["solved, which cannot be"]
            wrong += [f"case {k}: {f}" for f in found + faults(graph, team, own, plan.as_json())]
        elif can:
            print(f"  case {k}: {plan.status}: {plan.reason}")
    told = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    print("\n  ".join([f"from hand to hand, seed {seed}: {told}; {len(wrong)} wrong", *wrong[:10]]))


def fewest_steps(graph: SceneGraph, starts: tuple[int, ...], ends: tuple[int, ...]) -> int:
    """Return how many steps, all robots at once, lead from places to places; 0 for none."""
    n = len(graph.surface_places)
    moves = [[p, *map(int, graph.neighbors("surface_places", p))] for p in range(n)]
    seen, front, steps = {starts}, [starts], 0
    while front and ends not in seen:
        steps, reached = steps + 1, set()
        for here in front:
            for there in itertools.product(*(moves[p] for p in here)):
                swap = any(
                    (here[i], here[j]) == (there[j], there[i])
                    for i, j in itertools.combinations(range(len(here)), 2)
                )
                if len(set(there)) == len(there) and not swap:
                    reached.add(there)
        front = list(reached - seen)
        seen |= reached
    return steps if ends in seen else 0


def main() -> None:
    """Print a line per kind of scene."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--scale", type=int, nargs=2, metavar=("ROBOTS", "PLACES"))
    parser.add_argument("--best", action="store_true", help="compare with the least makespan")
    parser.add_argument("--contested", action="store_true", help="several robots want one thing")
    parser.add_argument("--wide", action="store_true", help="wide corridors as chains of places")
    parser.add_argument("--handed", action="store_true", help="things go from hand to hand")
    options = parser.parse_args()
    if options.handed:
        handed(options.seed, range(options.first, options.first + options.cases))
        return
    if options.wide:
        side_by_side(options.seed, range(options.first, options.first + options.cases))
        return
    if options.scale:
        scaled(*options.scale, options.seed)
        return
    for kind in options.kind or KINDS:
        if options.best:
            compared(kind, options.seed, options.cases)
            continue
        if options.contested:
            contested(kind, options.seed, range(options.first, options.first + options.cases))
            continue
        ends: Counter[str] = Counter()
        times, wrong = [], []
        for k in range(options.first, options.first + options.cases):
            graph, team, goals = case(
                kind, np.random.default_rng([options.seed, k, KINDS.index(kind)])
            )
            began = time.process_time()
            plan = plan_scene(graph, team, goals, time_limit_s=2.0, watch=WorkWatch())
            times.append(time.process_time() - began)
            ends[str(plan.status)] += 1
            if str(plan.status) == "solved":
                wrong += [f"case {k}: {f}" for f in faults(graph, team, goals, plan.as_json())]
            else:
                print(f"  {kind} case {k}: {plan.status}: {plan.reason}")
        told = ", ".join(f"{n} {status}" for status, n in sorted(ends.items()))
        print(
            f"{kind:9s} seed {options.seed}: {told}; {len(wrong)} violations; CPU median "
            f"{1e3 * statistics.median(times):.0f} ms, most {max(times):.2f} s"
        )
        for line in wrong[:10]:
            print("  ", line)


if __name__ == "__main__":
    main()
