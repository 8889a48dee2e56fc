"""Every plan of a small team, tried out: a breadth-first search that shares nothing with the planners.

Robots drive one at a time along pieces of the ways, an object or a start hanging on its three nearest
places; they inspect, pick and place. What it finds exists. What it does not find may still exist for robots
that move at the same time.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from commonground.geometry import from_xyz_yaw
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids

MARGIN_M = 0.05
PIECE_M = 0.26
HOOKS = 3
Goal = tuple[tuple[str, ...], ...]
"""Facts that all have to be true."""
State = tuple[tuple[int, ...], tuple[int, ...], int, frozenset[tuple[int, str, str]]]
"""Node of each robot; where each thing lies; a bit for each safe thing; what robots have visited."""


@dataclass(frozen=True)
class World:
    """A small scene with its team and goals; a goal under ``team`` is anybody's, fact by fact."""

    graph: SceneGraph
    team: Team
    goals: Mapping[str, Goal]
    suspicious: tuple[bool, ...]

    def texts(self) -> dict[str, str]:
        """Return the goals as the planner takes them."""
        told = {
            name: " ".join(f"({' '.join(fact)})" for fact in goal)
            for name, goal in self.goals.items()
        }
        return {name: f"(and {text})" for name, text in told.items()}


def drawn(rng: np.random.Generator) -> World:
    """Return a random corridor, perhaps with a bay, a step or a way around, and what robots are to do."""
    length = int(rng.integers(3, 7))
    cells = {(x, 0) for x in range(length)}
    shape = rng.integers(4)
    if shape == 1:
        x = int(rng.integers(length))
        cells |= {(x, y) for y in range(1, int(rng.integers(2, 4)))}
    if shape == 2:
        cells |= {(x, 2) for x in range(length)} | {(0, 1), (length - 1, 1)}
    step_at = float(rng.integers(1, length)) if rng.random() < 0.4 else math.inf
    gap = {int(rng.integers(length - 1))} if rng.random() < 0.1 else set()
    at = np.array([(x, y, 0.25 * (x >= step_at)) for x, y in sorted(cells)])
    links = [
        (a, b)
        for a, b in itertools.combinations(range(len(at)), 2)
        if np.linalg.norm(at[a, :2] - at[b, :2]) < 1.1
        and not (int(at[a, 0]) in gap and at[a, 1] == at[b, 1])
    ]
    places = Layer.of(SURFACE_PLACES, node_ids("P", np.arange(len(at))), at, edges=Edges.of(links))
    things = int(rng.integers(1, 3))
    hosts = rng.integers(len(at), size=things)
    aside = rng.choice([0.0, 0.3, 0.9], things)[:, None] * rng.choice(
        [(0, 1, 0), (0, -1, 0)], things
    )
    suspicious = tuple(bool(x) for x in rng.random(things) < 0.4)
    extras = tuple({"metadata": {"suspicious": x}} for x in suspicious)
    objects = Layer.of(OBJECTS, node_ids("O", np.arange(things)), at[hosts] + aside, extras=extras)
    graph = SceneGraph(layers={"surface_places": places, "objects": objects})
    graph = graph.with_links("objects", "surface_places", list(enumerate(hosts.tolist())))
    team = _team(at, rng)
    return World(graph, team, _goals(len(at), things, team, rng), suspicious)


def _team(at: np.ndarray, rng: np.random.Generator) -> Team:
    robots: dict[str, Robot] = {}
    for k in range(int(rng.integers(2, 4))):
        able = {"goto", *(x for x in ("inspect", "pick", "place") if rng.random() < 0.7)}
        radius_m = float(rng.choice([0.2, 0.4]))
        for row in rng.permutation(len(at)):
            shift = float(rng.choice([0.0, 0.0, 0.3]))
            x, y, z = at[row] + [0.0, shift, 0.0]
            free = all(
                np.hypot(*(r.position[:2] - (x, y))) > r.radius_m + radius_m + 0.06
                for r in robots.values()
            )
            if free:
                slope = float(rng.choice([5.0, 40.0]))
                robots[f"r{k}"] = Robot(
                    f"r{k}",
                    from_xyz_yaw([x, y, z, 0.0]),
                    frozenset(able),
                    radius_m=radius_m,
                    max_slope_deg=slope,
                    max_step_m=0.1 if slope < 10 else 0.3,
                )
                break
    return Team(robots)


def _goals(places: int, things: int, team: Team, rng: np.random.Generator) -> dict[str, Goal]:
    def fact() -> tuple[str, ...]:
        thing, place = f"O{rng.integers(things)}", f"P{rng.integers(places)}"
        kinds = [("at-place", place)] * 4 + [("visited-place", place)] * 2
        kinds += [("safe", thing), ("visited-object", thing), ("holding", thing)]
        kinds += [("object-in-place", thing, place)] * 2
        return kinds[int(rng.integers(len(kinds)))]

    if rng.random() < 0.25:
        return {"team": tuple(dict.fromkeys(fact() for _ in range(int(rng.integers(1, 4)))))}
    names = [name for name in team.robots if rng.random() < 0.8] or ["r0"]
    return {
        name: tuple(dict.fromkeys(fact() for _ in range(int(rng.integers(1, 3))))) for name in names
    }


class Exhaustive:
    """The search."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.robots = list(world.team)
        self.at = world.graph.surface_places.positions
        self.things = world.graph.objects.positions
        parents = world.graph.parents("objects", "surface_places")
        self.host = [int(p) for p in parents]
        self.grounds = [_Ground(world.graph, r) for r in self.robots]
        self._near: dict[tuple[int, int, int, int, int], bool] = {}

    def solvable(self, most: int = 150_000) -> bool | None:
        """Return whether a plan exists; None where so many states do not tell."""
        first: State = (
            tuple(g.start for g in self.grounds),
            tuple([-1] * len(self.things)),
            0,
            frozenset(),
        )
        first = self._noted(first)
        seen, queue = {first}, deque([first])
        while queue:
            state = queue.popleft()
            if self._done(state):
                return True
            for after in self._after(state):
                new = self._noted(after)
                if new not in seen:
                    if len(seen) >= most:
                        return None
                    seen.add(new)
                    queue.append(new)
        return False

    def _after(self, state: State) -> Iterator[State]:
        nodes, lies, safe, seen = state
        for i, robot in enumerate(self.robots):
            for there in self.grounds[i].next[nodes[i]]:
                if not any(
                    self._too_near(i, nodes[i], there, j, nodes[j])
                    for j in range(len(nodes))
                    if j != i
                ):
                    yield (*nodes[:i], there, *nodes[i + 1 :]), lies, safe, seen
            for thing in range(len(lies)):
                bit = 1 << thing
                if self._beside(i, nodes[i], thing, lies):
                    if robot.can("inspect") and not safe & bit:
                        yield nodes, lies, safe | bit, seen
                    empty = -(2 + i) not in lies
                    known = safe & bit or not self.world.suspicious[thing]
                    if robot.can("pick") and empty and known:
                        yield nodes, (*lies[:thing], -(2 + i), *lies[thing + 1 :]), safe, seen
                here = self.grounds[i].place[nodes[i]]
                if lies[thing] == -(2 + i) and robot.can("place") and self._on_place(i, nodes[i]):
                    yield nodes, (*lies[:thing], here, *lies[thing + 1 :]), safe, seen

    def _on_place(self, i: int, node: int) -> bool:
        return node < len(self.at)

    def _beside(self, i: int, node: int, thing: int, lies: tuple[int, ...]) -> bool:
        if lies[thing] == -1:
            return self.grounds[i].thing[node] == thing
        return lies[thing] >= 0 and node == lies[thing]

    def _noted(self, state: State) -> State:
        """Return the state with what a goal wants visited noted."""
        nodes, lies, safe, seen = state
        new = set()
        for i, robot in enumerate(self.robots):
            for name in (robot.name, "team"):
                for fact in self.world.goals.get(name, ()):
                    if fact[0] == "visited-place" and self.grounds[i].place[nodes[i]] == int(
                        fact[1][1:]
                    ):
                        new.add((i, *fact[:2]))
                    thing = int(fact[1][1:])
                    if fact[0] == "visited-object" and self._beside(i, nodes[i], thing, lies):
                        new.add((i, *fact[:2]))
        return (nodes, lies, safe, seen | new) if new else state

    def _done(self, state: State) -> bool:
        for name, goal in self.world.goals.items():
            for fact in goal:
                who = [k for k, r in enumerate(self.robots) if name in (r.name, "team")]
                if not any(self._true(state, i, fact) for i in who):
                    return False
        return True

    def _true(self, state: State, i: int, fact: tuple[str, ...]) -> bool:
        nodes, lies, safe, seen = state
        what, target = fact[0], int(fact[1][1:])
        if what == "at-place":
            stands = nodes[i] == target or nodes[i] == self.grounds[i].start
            return stands and self.grounds[i].place[nodes[i]] == target
        if what == "safe":
            return bool(safe & 1 << target)
        if what == "holding":
            return lies[target] == -(2 + i)
        if what == "object-in-place":
            place = int(fact[2][1:])
            return (lies[target] if lies[target] != -1 else self.host[target]) == place
        return (i, what, fact[1]) in seen

    def _too_near(self, i: int, a: int, b: int, j: int, c: int) -> bool:
        key = (i, a, b, j, c)
        if key not in self._near:
            mine, theirs = self.grounds[i].points, self.grounds[j].points
            p, q, r = (x[:2] for x in (mine[a], mine[b], theirs[c]))
            along = q - p
            share = np.clip((r - p) @ along / max(along @ along, 1e-12), 0.0, 1.0)
            needed = self.robots[i].radius_m + self.robots[j].radius_m + MARGIN_M
            self._near[key] = bool(np.linalg.norm(p + share * along - r) < needed - 1e-9)
        return self._near[key]


class _Ground:
    """Where one robot may be: places, its start, things by way of each place beside, and pieces between."""

    def __init__(self, graph: SceneGraph, robot: Robot) -> None:
        at = graph.surface_places.positions
        self.points = [np.asarray(p) for p in at]
        self.place = list(range(len(at)))
        self.thing = [-1] * len(at)
        self.next: list[list[int]] = [[] for _ in at]
        slope = math.tan(math.radians(robot.max_slope_deg))
        for a, b in graph.surface_places.edges.rows.tolist():
            rise, meters = abs(at[a, 2] - at[b, 2]), float(np.linalg.norm(at[a] - at[b]))
            if rise <= max(robot.max_step_m, slope * meters):
                self._link(a, b)
        self.start = self._hooked(np.asarray(robot.position), at)
        for k, point in enumerate(graph.objects.positions):
            for anchor in _nearest(point, at):
                node = self._node(np.asarray(point), anchor, k)
                self._link(anchor, node)

    def _hooked(self, point: np.ndarray, at: np.ndarray) -> int:
        near = _nearest(point, at)
        if np.linalg.norm(at[near[0]] - point) < 1e-6:
            return near[0]
        node = self._node(point, near[0], -1)
        for (
            anchor
        ) in near:  # back to where it stood a robot goes only as to a thing, from the place beside
            self._link(anchor, node)
            if anchor != near[0]:
                self._one_way(node, anchor)
        return node

    def _one_way(self, start: int, anchor: int) -> None:
        """Take away the piece that leads back to the start."""
        last = self.next[start][-1]
        self.next[last].remove(start)

    def _node(self, point: np.ndarray, place: int, thing: int) -> int:
        self.points.append(point)
        self.place.append(place)
        self.thing.append(thing)
        self.next.append([])
        return len(self.points) - 1

    def _link(self, a: int, b: int) -> None:
        meters = float(np.linalg.norm(self.points[a] - self.points[b]))
        pieces = max(1, math.ceil(meters / PIECE_M))
        chain = [a]
        for k in range(1, pieces):
            point = self.points[a] + k / pieces * (self.points[b] - self.points[a])
            chain.append(self._node(point, -1, -1))
        for one, other in itertools.pairwise([*chain, b]):
            self.next[one].append(other)
            self.next[other].append(one)


def _nearest(point: np.ndarray, at: np.ndarray) -> list[int]:
    meters = np.linalg.norm(at - point, axis=1)
    return [int(k) for k in np.argsort(meters, kind="stable")[:HOOKS]]
