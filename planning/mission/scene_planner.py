"""Plans in the middle of a mission: for what is left of the goals, from where the robots stand, as tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.planning.mission.belief import BACK_M, ON_PLACE_M, SceneBelief
from commonground.planning.mission.events import Ask, Planned
from commonground.planning.mission.obstacles import Obstacle, handled_from_places, with_obstacles
from commonground.planning.mission.remaining import parts_of, remaining, simplified
from commonground.planning.mission.scene_tasks import tasks_of
from commonground.planning.mission.views import View
from commonground.planning.pddl import FALSE, TRUE, And, Atom, Formula, nnf, to_pddl
from commonground.planning.result import Status
from commonground.planning.scene.allocation import allocate
from commonground.planning.scene.goal import literals
from commonground.planning.scene.plan import TeamPlan
from commonground.planning.team.check import AWAY
from commonground.planning.team.planner import TEAM, plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.planning.team.world import scene_after, things_in
from commonground.robots import Robot, Team
from commonground.scene import Layer, SceneGraph
from commonground.symbols import symbol_of

MOST_SEARCHED = 6
"""So many regions are searched for a thing that is not where it was."""
BRUSH_M = 0.03
"""Obstacles are planned around at so much more than needed: who keeps exactly to it stops before them."""
CLEAR_M = 0.07
"""Robots that take no part are kept away from a little farther than needed."""


class Start(NamedTuple):
    """Where a robot's new plan begins."""

    place: str
    lead: tuple[Floats, ...]
    """Points (3,) that it drives to first, where it stands between places."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a plan is made for: the scene, the robots that take part, and where they begin."""

    graph: SceneGraph
    team: Team
    starts: Mapping[str, Start]
    held: Mapping[str, str]
    """Robot → thing it holds, which lies at its feet in the graph."""
    beside: Mapping[str, Floats]
    """Thing so near to an obstacle that it is handled from a place → where it really is."""
    absent: Mapping[str, str]
    """Robot → why it takes no part."""


Part = tuple[str, Formula]
"""A robot, and a part of its goal."""
Lost = tuple[str, str]
"""A part of a goal that cannot be reached, and why."""
GRIPPING = ("holding", "object-in-place")
"""Goals for which a thing has to be picked up."""


@dataclass(frozen=True, slots=True)
class ScenePlanner:
    """Answers a mission's requests for plans.

    The time limit is one of work: a seed gives the same plans on every machine.
    """

    seed: int = 0
    time_limit_s: float = 1.2
    """Work for one plan; about a third of it is processor time."""
    part_limit_s: float = 0.4
    """Work for each trial where the goals are taken part by part."""

    def plan(self, belief: SceneBelief, ask: Ask, views: Mapping[str, View]) -> Planned:
        """Return the plan that was asked for, or why there is none."""
        scene = scene_of(belief, views)
        goals, reason = shares(belief, ask, scene, views)
        if reason:
            return Planned(ask.request, reason=reason)
        wishes, searching, lost = sought(belief, scene, goals)
        if ask.rung == "less":
            wishes, failed, found = self._possible(scene, wishes, ask, views)
            lost += failed
        elif lost:
            return Planned(ask.request, reason=lost[0][1])
        else:
            wishes = {n: w for n, w in wishes.items() if not ask.robots or n in ask.robots}
            found = self._planned(scene, wishes, ask)
        if found.status is not Status.SOLVED:
            return Planned(ask.request, reason=_why_not(found))
        actions = {name: plan.actions for name, plan in found.robots.items()}
        tasks = tasks_of(belief, scene, actions, ask.request, _to_be_placed(wishes))
        kept = {name: _without(goal, lost) for name, goal in goals.items()}
        assigned = {name: to_pddl(goal) for name, goal in kept.items() if goal != TRUE}
        return Planned(ask.request, tasks, "", assigned, searching, tuple(lost))

    def _planned(
        self, scene: Scene, wishes: Mapping[str, Formula], ask: Ask, limit_s: float | None = None
    ) -> TeamPlan:
        """Return a plan for the robots that were asked for, or for all."""
        team = scene.team
        if ask.robots:
            team = Team({n: team[n] for n in ask.robots if n in team})
        return plan_scene(
            scene.graph,
            team,
            {n: to_pddl(w) for n, w in wishes.items() if w != TRUE},
            seed=self.seed + ask.request,
            time_limit_s=limit_s or self.time_limit_s,
            watch=WorkWatch(),
        )

    def _possible(
        self, scene: Scene, wishes: Mapping[str, Formula], ask: Ask, views: Mapping[str, View]
    ) -> tuple[dict[str, Formula], list[Lost], TeamPlan]:
        """Return the goals with only those parts that can be reached together, what is lost, and the plan.

        What cannot be reached even for itself is left out first. The rest is mostly possible at once; where
        it is not, its parts are taken one after another as long as there is a plan.
        """
        avoided = {name: parts_of(wish)[1] for name, wish in wishes.items()}
        parts: list[Part] = []
        lost: list[Lost] = []
        for name, wish in wishes.items():
            for part in parts_of(wish)[0]:
                beyond = views[name].barred & things_in(part, *GRIPPING)
                if beyond:
                    reason = f"{name} did not manage to pick {', '.join(sorted(beyond))}"
                else:
                    alone = _joined([(name, part)], avoided)
                    reason = _why_not(self._planned(scene, alone, ask, self.part_limit_s))
                if reason:
                    lost.append((to_pddl(part), reason))
                else:
                    parts.append((name, part))
        together = _joined(parts, avoided)
        found = self._planned(scene, together, ask)
        if found.status is Status.SOLVED:
            return together, lost, found
        kept, more, found = self._one_after_another(scene, parts, avoided, ask)
        return kept, lost + more, found

    def _one_after_another(
        self,
        scene: Scene,
        parts: Sequence[Part],
        avoided: Mapping[str, Sequence[Formula]],
        ask: Ask,
    ) -> tuple[dict[str, Formula], list[Lost], TeamPlan]:
        """Return the goals with the parts that can be added to those before, the others, and the plan."""
        kept: list[Part] = []
        lost: list[Lost] = []
        found = self._planned(scene, {}, ask)
        for name, part in parts:
            more = [*kept, (name, part)]
            tried = self._planned(scene, _joined(more, avoided), ask, self.part_limit_s)
            if tried.status is Status.SOLVED:
                kept, found = more, tried
            else:
                lost.append((to_pddl(part), _why_not(tried)))
        return _joined(kept, avoided), lost, found


def _why_not(plan: TeamPlan) -> str:
    """Return why there is no plan, '' where there is one."""
    if plan.status is Status.SOLVED:
        return ""
    return plan.reason or f"no plan was found ({plan.status})"


def _joined(parts: Sequence[Part], avoided: Mapping[str, Sequence[Formula]]) -> dict[str, Formula]:
    """Return parts of goals as one goal for each robot that has any, with what it avoids."""
    own: dict[str, list[Formula]] = {}
    for name, part in parts:
        own.setdefault(name, []).append(part)
    return {name: And((*mine, *avoided[name])) for name, mine in own.items()}


def _to_be_placed(wishes: Mapping[str, Formula]) -> frozenset[tuple[str, ...]]:
    """Return which things have to lie at which places."""
    found = (x for wish in wishes.values() for x in literals(wish))
    return frozenset(x.args for x in found if x.positive and x.predicate == "object-in-place")


def scene_of(belief: SceneBelief, views: Mapping[str, View]) -> Scene:
    """Return the scene as it is now, with what stands in the way."""
    layer = belief.layer
    fit = {name: view for name, view in views.items() if view.fit}
    out = {name: view for name, view in views.items() if not view.fit}
    obstacles = [*_widened(belief.obstacles), *_parked(belief.team, out)]
    starts = {name: _start(belief, name, view, obstacles) for name, view in fit.items()}
    held = {name: view.holding for name, view in fit.items() if view.holding}
    graph = _things_now(belief, {t: starts[n].place for n, t in held.items()}, out)
    robots = {name: _at(belief.team[name], starts[name].lead[-1]) for name in fit}
    radii = [r.radius_m for r in robots.values()] or [0.0]
    graph, beside = handled_from_places(graph, layer, obstacles, max(radii))
    places = [start.place for start in starts.values()]
    graph = with_obstacles(graph, layer, obstacles, min(radii), places, known=belief.graph.objects)
    absent = {name: _why_absent(name, view) for name, view in out.items()}
    return Scene(graph, Team(robots), starts, held, beside, absent)


def _why_absent(name: str, view: View) -> str:
    return f"{name} {view.why}" + (f" and holds {view.holding}" if view.holding else "")


def _things_now(
    belief: SceneBelief, feet: Mapping[str, str], out: Mapping[str, View]
) -> SceneGraph:
    """Return the scene with things where they are now, or at the feet of who holds them."""
    lies = {t: p for t, p in belief.state.lies.items() if p != AWAY} | dict(feet)
    graph = scene_after(belief.graph, belief.layer, lies, belief.state.safe)
    away = {view.holding for view in out.values()}
    gone = [t for t in graph.objects.symbols if t in belief.gone or t in away]
    keep = np.ones(len(graph.objects), bool)
    keep[graph.objects.rows(gone)] = False
    return graph.take("objects", keep) if gone else graph


def _widened(obstacles: Sequence[Obstacle]) -> list[Obstacle]:
    return [o._replace(half_m=o.half_m + BRUSH_M) for o in obstacles]


def _parked(team: Team, out: Mapping[str, View]) -> list[Obstacle]:
    """Return robots that take no part as obstacles, along the whole way on which they may be."""
    return [
        Obstacle(at, team[name].radius_m + CLEAR_M)
        for name, view in out.items()
        for at in (view.position, *view.line)
    ]


def _start(belief: SceneBelief, name: str, view: View, obstacles: Sequence[Obstacle]) -> Start:
    """Return where a robot's plan begins: at its place, where the graph tells no ground to go straight on.

    Where something stands in the way to that place, it begins at an end of the edge on which the robot is.
    """
    own, here = belief.execution(name), np.array(view.position, float)
    place = own.places[-1]
    at = own.graph.position(place)
    shaped = belief.graph.layers[belief.layer].boundaries is not None
    if shaped or not ON_PLACE_M < float(np.linalg.norm(at - here)) < BACK_M:
        return Start(place, (here,))
    radius = belief.team[name].radius_m
    for other in (place, *_on_edges(own.graph.layers[belief.layer], here)):
        there = own.graph.position(other)
        if all(_passes(here, there, o, radius) for o in obstacles):
            return Start(other, (here, there))
    return Start(place, (here, at))


def _on_edges(layer: Layer, here: Floats) -> list[str]:
    """Return the ends of the edges on which a point lies."""
    a, b = (layer.positions[layer.edges.rows[:, k]] for k in (0, 1))
    share = ((here - a) * (b - a)).sum(axis=1) / np.maximum(((b - a) ** 2).sum(axis=1), 1e-12)
    gap = np.linalg.norm(a + np.clip(share, 0.0, 1.0)[:, None] * (b - a) - here, axis=1)
    ends = np.unique(layer.edges.rows[gap < ON_PLACE_M])
    return [symbol_of(int(layer.ids[end])) for end in ends.tolist()]


def _passes(here: Floats, there: Floats, obstacle: Obstacle, radius_m: float) -> bool:
    """Return whether a robot that goes straight on comes too near to no obstacle, or leaves it behind."""
    points = here + np.linspace(0.0, 1.0, 20)[:, None] * (there - here)
    gap = np.linalg.norm(points[:, :2] - np.array(obstacle.position)[:2], axis=1)
    return bool(gap.min() >= min(obstacle.half_m + radius_m, float(gap[0])))


def _at(robot: Robot, position: Floats) -> Robot:
    pose = robot.T_map_robot.copy()
    pose[:3, 3] = position
    return replace(robot, T_map_robot=pose)


def shares(
    belief: SceneBelief, ask: Ask, scene: Scene, views: Mapping[str, View]
) -> tuple[dict[str, Formula], str]:
    """Return what each robot has to do, and why that cannot be shared out where it cannot.

    A goal of the team is shared out first. At the rung of reallocation, robots give up to others what they
    cannot do themselves: all of it where they take no part, else what they cannot grip or get to.
    """
    goals = {n: g for n, g in belief.goals.items() if n != TEAM}
    pooled: list[tuple[Formula, frozenset[str]]] = []
    if TEAM in belief.goals:
        pooled.append((belief.goals[TEAM], frozenset()))
    if ask.rung in ("reallocate", "less"):
        for name in list(goals):
            keeps, gives = _given_away(scene, belief, name, views[name])
            goals[name] = keeps
            pooled += [(part, frozenset({name})) for part in gives]
    for part, without in pooled:
        reason = _share_out(part, without, scene, goals, ask)
        if reason and ask.rung != "less":
            return {}, reason
    return {name: goal for name, goal in goals.items() if goal != TRUE}, ""


def _share_out(
    part: Formula, without: frozenset[str], scene: Scene, goals: dict[str, Formula], ask: Ask
) -> str:
    """Add a part to the goals of those who can do it; return why nobody can, and leave it to its owner."""
    present = _with_what_is_there(part, scene.graph)
    able = [r for r in scene.team if r.name not in without]
    if present != FALSE:
        able = [
            r
            for r in able
            if not parts_of(goals.get(r.name, TRUE))[1] or _may(scene, r, present, goals[r.name])
        ]
    team = Team({r.name: r for r in able})
    owner = next(iter([*without, *team.robots, TEAM]))
    reason = f"no other robot can do {to_pddl(part)}"
    if len(team) and present != FALSE:
        shared = allocate(scene.graph, team, present, np.random.default_rng(ask.request))
        if shared.status is Status.SOLVED:
            for name, more in shared.goals.items():
                goals[name] = _all_of(goals.get(name, TRUE), nnf(more))
            return ""
        reason = shared.reason
    # what is not there at all is looked for, or given up with its own reason
    goals[owner] = _all_of(goals.get(owner, TRUE), part)
    return "" if present == FALSE else reason


def _may(scene: Scene, robot: Robot, part: Formula, own: Formula) -> bool:
    """Return whether a robot could do a part of a goal with what it has to avoid itself."""
    avoided = parts_of(own)[1]
    goal = to_pddl(_all_of(part, *(_with_what_is_there(a, scene.graph) for a in avoided)))
    alone = Team({robot.name: robot})
    found = plan_scene(scene.graph, alone, {robot.name: goal}, watch=WorkWatch())
    return found.status is Status.SOLVED


def _given_away(
    scene: Scene, belief: SceneBelief, name: str, view: View
) -> tuple[Formula, list[Formula]]:
    """Return what a robot keeps of its goal, and the parts that another one has to do.

    What the robot had to avoid stays its own; whoever takes over a part avoids what it has to avoid itself.
    """
    to_do, avoided = parts_of(belief.goals[name])
    if not view.fit:
        return TRUE, to_do

    def gives_up(part: Formula) -> bool:
        if view.barred & things_in(part, *GRIPPING):
            return True
        left = _with_what_is_there(remaining(part, belief.execution(name)), scene.graph)
        if left in (TRUE, FALSE) or belief.holds(name, part):
            return False
        return not _may(scene, scene.team[name], left, belief.goals[name])

    gives = [part for part in to_do if gives_up(part)]
    kept = [part for part in to_do if part not in gives]
    return _all_of(*kept, *avoided), gives


def _all_of(*parts: Formula) -> Formula:
    return simplified(And(parts), lambda _: None)


def _with_what_is_there(goal: Formula, graph: SceneGraph) -> Formula:
    """Return a goal without what is asked of things that are not in the scene."""

    def value(atom: Atom) -> bool | None:
        return None if all(arg in graph for arg in atom.args) else False

    return simplified(goal, value)


def sought(
    belief: SceneBelief, scene: Scene, goals: Mapping[str, Formula]
) -> tuple[dict[str, Formula], dict[str, str], list[tuple[str, str]]]:
    """Return what is left to plan for, what is looked for where, and the parts that cannot be reached."""
    wishes: dict[str, Formula] = {}
    searching: dict[str, str] = {}
    lost: list[tuple[str, str]] = []
    for name, goal in goals.items():
        if name not in scene.team:
            why = scene.absent.get(name, "no robot is left")
            lost += [(to_pddl(p), why) for p in parts_of(goal)[0]]
            continue
        to_do, avoided = parts_of(remaining(goal, belief.execution(name)))
        wanted: list[Formula] = []
        for part in to_do:
            present = _with_what_is_there(part, scene.graph)
            if present != FALSE:
                wanted.append(present)
                continue
            thing = next(a for a in sorted(things_in(part)) if a not in scene.graph)
            region = searching.get(thing) or _next_region(belief, thing, avoided)
            if region:
                searching[thing] = region
                wanted.append(Atom("explored-region", (region,)))
            else:
                lost.append((to_pddl(part), _why_gone(belief, thing)))
        shown = [_with_what_is_there(a, scene.graph) for a in avoided]
        wishes[name] = _all_of(*wanted, *shown)
    return wishes, searching, lost


def _next_region(belief: SceneBelief, thing: str, avoided: Sequence[Formula]) -> str:
    """Return the nearest region in which a thing was not looked for yet; '' where enough was searched."""
    tried = belief.searched.get(thing, [])
    graph = belief.graph
    if thing not in belief.gone or len(tried) >= MOST_SEARCHED or not graph.has("regions"):
        return ""
    shut = {x.args[0] for part in avoided for x in literals(part)}
    region = graph.ancestors(belief.layer, "regions")
    at = graph.layers[belief.layer].positions
    gap = np.linalg.norm(at - graph.position(thing), axis=1)
    for row in np.argsort(gap, kind="stable").tolist():
        if region[row] >= 0:
            symbol = symbol_of(int(graph.regions.ids[region[row]]))
            if symbol not in tried and symbol not in shut:
                return symbol
    return ""


def _why_gone(belief: SceneBelief, thing: str) -> str:
    if thing not in belief.gone:
        return f"{thing} is in the gripper of a robot that takes no part any more"
    where = ", ".join(belief.searched.get(thing, []))
    return belief.gone[thing] + (f", and is not in {where}" if where else "")


def _without(goal: Formula, lost: Sequence[tuple[str, str]]) -> Formula:
    """Return a goal without the parts that were given up."""
    names = {part for part, _ in lost}
    to_do, avoided = parts_of(goal)
    return _all_of(*(p for p in to_do if to_pddl(p) not in names), *avoided)
